#!/usr/bin/env bash
# `memhelm classes`: one kernel in one paper's preset, its class, what it writes, what it refuses.
. "$(dirname "$0")/lib.sh" "$1"

classes() {
    timeout 120 "$memhelm" classes "$@"
}

# ATAX: 22 lines for an instruction, as recorded (tests/data/published.json: 22.332); a column of 64 rows is 64 lines, its neighbours in the loop are 2 and 1.
check "an irregular kernel is irregular" bash -c '"$0" classes -p etc -k ATAX --cycles 50000 --json "$1" > "$2" && grep -Eq "^ATAX .* irregular +irregular$" "$2" && [ "$(tail -n 1 "$2")" = "1 of 1 classes as in the papers" ]' "$memhelm" "$work/a.json" "$work/a.out"
check "lines per instruction as recorded" python3 -c '
import json, sys
row, = json.load(open(sys.argv[1]))["classes"]
assert abs(row["values"]["lines"] / 22.33 - 1) < 0.01, row # the window ends in the loop' "$work/a.json"
check "the same bytes again" bash -c '"$0" classes -p etc -k ATAX --cycles 50000 --json "$1" > "$3" && cmp "$1" "$2" && cmp "$3" "$4"' "$memhelm" "$work/b.json" "$work/a.json" "$work/b.out" "$work/a.out"
check "an execution that ends in the window ends the run" bash -c '"$0" classes -p dws -k RAY --cycles 300000 --keep "$1" && grep -q "\"completions\": 1\\b" "$1/dws-RAY/result.json"' "$memhelm" "$work/keep"
check "CCBP runs with half of the CTAs, too" bash -c '"$0" classes -p ccbp -k BFS --cycles 20000 --keep "$1" > /dev/null; grep -q "warps: 64" "$1/ccbp-BFS@uniform/config.yaml" && grep -q "warps: 32" "$1/ccbp-BFS@uniform-half/config.yaml"' "$memhelm" "$work/half"
# With pages of 2 MiB the table of 16 MiB has 8.
fails "fewer than 9 of 10: exit 1, and the kernel is named" 1 'GUPS@15 .* (light|medium) +heavy +MISS.*  GUPS@15: .*0 of 1 classes' \
    classes -p dws -k GUPS@15 --cycles 50000 --set memory.page_bytes=2097152 --set walk.levels=3
# LUD takes an instant, all of them minutes; the table has what there is.
fails "Ctrl-C: what is finished is shown" 130 'LUD +256 +1[0-9]{5} .* TRD .* no result.* of 27 classes' \
    timeout --preserve-status -s INT 10 "$memhelm" classes -p mask --cycles 1000000000 -j 2
fails "a kernel that no table has" 2 'LIB has no class in etc' classes -p etc -k LIB
fails "an unknown paper" 2 'there are: mask dws ccbp etc simt' classes -p mosaic
fails "a bad key" 2 'unknown key' classes -p mask -k NN --set l1tlb.entrys=3
fails "a window of nothing" 2 'run.cycles: 0 is out of range' classes -p mask -k NN --cycles 0
finish
