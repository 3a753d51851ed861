#!/usr/bin/env bash
# quick: what a newcomer types first
# `memhelm demo`, and what leads from a paper to its images, GPU and workloads.
. "$(dirname "$0")/lib.sh" "$1"

check "two of the papers" bash -c '"$0" demo simt DWS > "$1/demo"' "$memhelm" "$work"
check "say what happened to whom" bash -c 'grep -Eq "^  MVT runs [0-9]+ % faster\.$" "$0" &&
    grep -Eq "^  GUPS runs [0-9]+ % slower, 3DS runs [0-9.]+ times as fast\.$" "$0" && ! grep -q "^CCBP" "$0"' "$work/demo"
check "and print the mean that README has" bash -c 'ours=$(sed -nE "/^\| \[SIMT-aware/s/.* \| \+30 % \| ([^|]*) \|.*\[.*/\1/p" README.md | cut -d "|" -f 1) &&
    [ -n "$ours" ] && grep -qF "All workloads: ${ours% } recorded, +30 % in the paper" "$0"' "$work/demo"

readme() { # the block of README.md is what it prints
    diff <(sed -n '/^    DWS: dws/,/^$/s/^    //p' README.md) <(sed -n '/^DWS: dws/,/^$/p' "$work/demo" | sed "s,$memhelm,build/memhelm,; /^\$/d")
}
check "and what README.md shows" readme

# The command that it names gives the same numbers.
again() {
    local line faster change
    line=$(sed -n "s/^  .*memhelm compare walk-fcfs/compare walk-fcfs/p" "$work/demo")
    faster=$(sed -nE 's/^  MVT runs ([0-9]+) % faster\.$/\1/p' "$work/demo")
    # shellcheck disable=SC2086
    "$memhelm" $line --json "$work/again.json" > /dev/null 2> "$work/said" &&
        python3 -c 'import json, sys
a, b = (r["metrics"]["tenants"][0]["ipc"] for r in json.load(open(sys.argv[1]))["results"])
sys.exit(round(100 * (b / a - 1)) != int(sys.argv[2]))' "$work/again.json" "$faster"
}
check "its command, without a preset, gives the same" again
check "and says which preset that is" grep -qxF 'memhelm: preset simt, the GPU that image walk-fcfs is for; -p NAME takes another' "$work/said"
check "a second call runs nothing" bash -c '"$0" demo simt | grep -q "runs kept from before"' "$memhelm"
fails "a paper that is none" 2 "no paper is called 'dsw'; nearest: dws; .memhelm list papers. shows them" "$memhelm" demo dsw
fails "all of one's disk is full" any 'cannot write all of it' bash -c '"$0" demo simt > /dev/full' "$memhelm"

fails "a GPU of today, with a language model beside a recommender" 0 'A100: dws, beside baseline, on DECODE\+EMBED' "$memhelm" demo a100
check "papers are listed with an example" bash -c '"$0" list papers > "$1/papers" && [ "$(grep -c "^  example   memhelm compare" "$1/papers")" = 5 ]' "$memhelm" "$work"
examples() { # each has the workload and the settings that demo takes: they can be configured
    local line
    while read -r line; do
        # shellcheck disable=SC2086
        "$memhelm" ${line#memhelm } --cycles 2000 --twin > /dev/null 2> "$work/said" || { cat "$work/said"; return 1; }
        ! grep 'needs' "$work/said" || return 1
    done < <(sed -n 's/^  example   //p' "$work/papers")
}
check "which runs, and lacks nothing" examples
check "images are listed with their paper" bash -c '"$0" list images | grep -Eq "^etc +ETC +etc +"' "$memhelm"

lacks() { # IMAGE NEED ARGUMENTS..
    "$memhelm" run "$1" --twin --no-alone --cycles 2000 "${@:3}" > /dev/null 2> "$work/said" # firmware may refuse that GPU
    grep -qxF "memhelm: image $1 needs $2" "$work/said"
}
check "demand paging that is off" lacks etc 'demand paging, which is off: -s uvm.mode=on -s uvm.capacity=75%' -w ATAX:512
check "memory without end" lacks etc 'memory that is too small, and it is unlimited: -s uvm.capacity=75%' -w ATAX:512 -s uvm.mode=on -s uvm.capacity=unlimited
check "one tenant" lacks dws 'two tenants, and there is one: -w A+B' -w GUPS
check "SMs of their own" lacks smk 'tenants on the same SMs, and each has SMs of its own: -s sm.share=1' -w GUPS+MM -s sm.share=0
says_nothing() {
    ! "$memhelm" run "$@" --twin --no-alone --cycles 2000 2>&1 > /dev/null | grep .
}
check "an image that has all says nothing" says_nothing mask -w GUPS+MM
# Several seeds: a mean, paired changes, and all runs in the JSON.
seeds() {
    "$memhelm" compare baseline mask --twin -w GUPS+MM --cycles 2e4 --seeds 2-4 --json "$work/c.json" --markdown "$work/c.md" > "$work/c.out" &&
        python3 - "$work/c.json" "$work/c.out" "$work/c.md" <<'PY'
import json, re, statistics, sys
runs = json.load(open(sys.argv[1]))["results"]
assert [(r["image"]["name"], r["seed"]) for r in runs] == [(i, s) for s in (2, 3, 4) for i in ("baseline", "mask")], runs
ws = [r["metrics"]["weighted_speedup"] for r in runs]
gains = [100 * (b / a - 1) for a, b in zip(ws[::2], ws[1::2])]
half = statistics.stdev(gains) / 3 ** 0.5 * 4.302653
out, page = (open(f).read() for f in sys.argv[2:])
want = f"{statistics.mean(ws[1::2]):.3f} ({statistics.mean(gains):+.1f} +- {half:.1f} %)"
assert "seeds 2-4" in out and want in out and f"| mask | {want} |" in page, (want, out, page)
PY
}
check "compare takes several seeds" seeds
# A region of interest, and the files for a paper.
files() {
    "$memhelm" compare baseline mask --twin -w GUPS+MM --roi 5K..2e4 --seeds 2-3 --csv "$work/c.csv" --latex "$work/c.tex" \
        --plot "$work/c.pdf" --column 1 --epochs "$work/epochs" > "$work/c.out" && grep -q "GPU cycles 5000 to 20000, seeds 2-3" "$work/c.out" &&
        [ -s "$work/c.eps" ] && grep -q 'IPC of GUPS' "$work/c.svg" && [ -s "$work/epochs/mask-3.csv" ] && python3 - "$work/c.csv" "$work/c.tex" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [(r["image"], r["seed"]) for r in rows] == [(i, s) for i in ("baseline", "mask") for s in "23"], rows
for r in rows:
    assert abs(sum(float(r[f"ipc[{t}]"]) / float(r[f"ipc_alone[{t}]"]) for t in (0, 1)) - float(r["weighted_speedup"])) < 1e-9, r
    assert r["kernel[1]"] == "MM"
tex = open(sys.argv[2]).read()
assert tex.count(r"\toprule") == tex.count(r"\end{tabular}") == 2 and r" \% " not in tex and r"\%" in tex, tex
PY
}
check "compare writes CSV, LaTeX, a figure and epoch logs" files
fails "a region that ends before it begins" 2 'run.warmup: 20000 cycles, but the run ends at 10000' "$memhelm" compare baseline mask --twin -w GUPS --roi 20K..10K
fails "half a region" 2 'two cycles, such as 100K..500K' "$memhelm" compare baseline mask --twin -w GUPS --roi 20K..
fails "a warm-up of whole workloads" 2 'run.warmup: not with run.completions' "$memhelm" run mask --twin -w GUPS --warmup 10K -s run.completions=1
fails "not with one seed as well" 2 'seed and --seeds: one of them' "$memhelm" compare baseline mask --twin -w GUPS --seed 1 --seeds 1-2
check "and shows all columns if asked" bash -c '"$0" compare baseline mask --twin -w GUPS+MM --cycles 20000 --wide | grep -q "weighted speedup .* walk latency .* of peak"' "$memhelm"
check "lists are JSON for programs" bash -c 'for l in papers images presets designs kernels cores; do "$0" list $l --json | python3 -c "import json, sys; assert all(o[\"name\"] for o in json.load(sys.stdin))" || exit 1; done' "$memhelm"
fails "but not all" 2 'not of .config., but of papers' "$memhelm" list config --json
check "a run without an epoch says so" bash -c '"$0" run mask --twin --no-alone -w GUPS --cycles 20K | grep -q "ends before its first epoch"' "$memhelm"
check "one key" bash -c '[ "$("$0" list config l1tlb.mshrs | wc -l)" = 2 ] && "$0" list config sm. | grep -q "^sm.warps "' "$memhelm"
check "one key, and where it stands" bash -c '"$0" list config l1tlb.mshrs -p dws | grep -q "presets/dws.yaml:[0-9]*: "' "$memhelm"
fails "a key that is none" 2 "unknown key 'mshr' in l1tlb; nearest: l1tlb.mshrs; allowed: " "$memhelm" list config l1tlb.mshr
check "help of a command" bash -c 'cmp <("$0" help run) <("$0" run --help)' "$memhelm"
check "make help" bash -c 'make help | grep -q "^make check "'
check "nor does a preset that was named" says_nothing dws -p mask -w GUPS+MM
finish
