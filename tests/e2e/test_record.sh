#!/usr/bin/env bash
# An OpenCL program is recorded: its accesses are those counted by hand, twice the same bytes, and what goes wrong is said.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"
here=$(dirname "$0")

if [ ! -e "$build/record-plugin.path" ] || ! command -v oclgrind > /dev/null; then
    fails "without the recorder, what to install is said" 2 'Debian package.*oclgrind' \
        "$memhelm" record -o "$work/x.gmt.zst" -- /bin/true
    echo "ok 2 - recordings # SKIP oclgrind or the packages that the recorder is built with are not installed"
    tests=2
    finish
fi

program=$work/program
gcc -o "$program" "$here/opencl/program.c" -lOpenCL || exit 1

# rec NAME ARGS..: $work/NAME.gmt.zst; what was said is in NAME.said
rec() {
    local name=$1
    shift
    "$memhelm" record -o "$work/$name.gmt.zst" "$@" > "$work/$name.out" 2> "$work/$name.said"
}

records() {
    "$here/opencl/records.py" "$work/$1.gmt.zst"
}

by_hand() {
    rec hand --ctas 0 -- "$program" copy turn wide calls && records hand > "$work/hand.txt" &&
        grep -v '^#' "$here/opencl/expected.txt" | diff - "$work/hand.txt"
}

# Work item i makes the iterations 0 .. i of a loop: in iteration j, items j .. 31 store 64 * j + i. Before a store are
# 1 call, 2 trunc, 3 br, or 9 add, 10 icmp, 11 br; then 5 shl, 6 add, 7 getelementptr, but not 4 phi.
triangle() {
    local j
    rec triangle --ctas 0 -- "$program" triangle && records triangle | sed -n '/^warp 0/,/^warp 1/p' | grep store > "$work/got" &&
        for ((j = 0; j < 32; j++)); do
            printf '8 store 4 6 %x %x%s\n' $((0xffffffff << j & 0xffffffff)) \
                $((0x100010000 + 260 * j)) "$([ $j -lt 31 ] && echo ' 4')"
        done | diff - "$work/got"
}

twice() {
    rec once -- "$program" copy triangle turn wide calls && cp "$work/once.gmt.zst" "$work/first" && cp "$work/once.pcs.json" "$work/pcs" &&
        OCLGRIND_NUM_THREADS=4 rec once -- "$program" copy triangle turn wide calls &&
        cmp "$work/first" "$work/once.gmt.zst" && cmp "$work/pcs" "$work/once.pcs.json"
}

# CTA 1 is 40 items further on.
selected() {
    rec part --launches 1-2 --ctas 1 -- "$program" turn copy copy turn && grep -q '2 of 4 launches, 2 of their 4 CTAs' "$work/part.said" &&
        records part > "$work/part" &&
        [ "$(grep -c '^3 load 4 2 ffffffff 1000000a0 4$' "$work/part")" = 2 ] && ! grep -q '^cta 0' "$work/part"
}

wavefronts() {
    rec wave --warp 64 --ctas 0 -- "$program" turn && grep -q '^9 load 4 8 ffffffffffffffff 100000000' <(records wave)
}

uses() {
    python3 - "$work/hand.pcs.json" <<'PY'
import json, sys
rows = {r["pc"]: r for r in json.load(open(sys.argv[1]))}
assert sorted(rows) == [3, 5, 15, 18, 23, 26, 30, 33, 50], sorted(rows)
assert rows[3] == {"pc": 3, "fn": "copy", "op": "load", "bytes": 4, "loop_depth": 0, "use": 1, "line": 4, "addr_deps": [], "val_deps": []}
assert rows[5]["val_deps"] == [3] and rows[5]["use"] == -1 and rows[33]["val_deps"] == [26]
assert rows[26]["bytes"] == 64 and rows[26]["use"] == 3 and rows[18]["op"] == "barrier" and rows[30]["op"] == "atomic"
assert rows[50]["fn"] == "put" and rows[50]["loop_depth"] == 1
PY
}

runs() {
    "$memhelm" run -i baseline --twin -w "trace:$work/once.gmt.zst" -s sm.lanes=32 --cycles 200000 &&
        grep -q 'waits for loads where they are used' <("$memhelm" trace info "$work/once.gmt.zst")
}

limited() {
    rec limited --max-size 250 -- "$program" copy copy copy && grep -q "cut: --max-size 250 was reached in launch 1 (copy), which has 1 of 2 CTAs" "$work/limited.said" &&
        rec all -- "$program" copy copy copy && records limited > "$work/limited" && records all > "$work/all" &&
        cmp -n "$(wc -c < "$work/limited")" "$work/limited" "$work/all"
}

its_own_words() {
    rec words --launches 0 -- "$program" copy && grep -qx "the program's own words" "$work/words.out"
}

failed_but_written() {
    rec fail -- "$program" copy fail
    [ $? -eq 1 ] && grep -q 'exited with 3; its launches are written' "$work/fail.said" && "$memhelm" trace info "$work/fail.gmt.zst"
}

# What is built again has numbers of its own; launches go on counting, and buffers have other places.
again() {
    rec again --launches 1-4 -- "$program" copy copy again turn copy again wide &&
        grep -q '4 of 5 launches' "$work/again.said" && records again > "$work/again.txt" &&
        [ "$(grep -c '^3 load 4 2 ffffffff' "$work/again.txt") $(grep -c '^15 load 4 8' "$work/again.txt")" = '2 4' ] &&
        python3 - "$work/again.pcs.json" <<'PY'
import json, sys
rows = json.load(open(sys.argv[1]))
assert len({r["pc"] for r in rows}) == len(rows) == 10, rows
PY
}

outside() {
    rec outside -- "$program" outside && grep -q '1 accesses of work items were outside of all buffers' "$work/outside.said"
}

# The program sleeps behind its first launch; then SIGINT.
interrupted() {
    local pid i
    rec int -- "$program" copy slow copy &
    pid=$!
    for ((i = 0; i < 100; i++)); do
        [ -e "$work/int.said" ] && sleep 4 && break
        sleep 0.1
    done
    kill -INT "$(pgrep -P $pid memhelm || echo $pid)"
    wait $pid
    [ $? -eq 130 ] && grep -q 'interrupted: the launches that were whole are written' "$work/int.said" &&
        grep -q '^launches *1$' <("$memhelm" trace info "$work/int.gmt.zst") && ! ls "$work" | grep -q memhelm-record
}

interrupted_early() {
    timeout -s INT 3 "$memhelm" record -o "$work/early.gmt.zst" -- "$program" slow copy 2> "$work/early.said"
    grep -q 'nothing is written' "$work/early.said" && [ ! -e "$work/early.gmt.zst" ]
}

stopped() {
    rec stop --launches 0 --stop -- "$program" copy slow && grep -q '1 of 1 launches until then' "$work/stop.said"
}

published() { # NAME FILE: what FILE has is what published.json has of NAME
    python3 -c 'import json, sys
name, one = sys.argv[1:]
assert json.load(open("tests/data/published.json"))[name] == json.load(open(one)), name' "$@"
}

# tests/data/opencl; paged takes half a minute.
as_recorded() {
    local name
    mkdir -p "$work/again" && tests/data/opencl/record.sh "$memhelm" "$work/again" tokenwise join embed radix 2> "$work/again.said" || return 1
    for name in tokenwise join embed radix; do
        cmp <(zstd -dc "tests/data/$name.w32.gmt.zst") <(zstd -dc "$work/again/$name.w32.gmt.zst") &&
            cmp "tests/data/$name.pcs.json" "$work/again/$name.pcs.json" &&
            published "$name.w32" "$work/again/$name.w32.json" || return 1
    done
}

check "accesses are those counted by hand" by_hand
check "a loop that each work item leaves elsewhere" triangle
check "two recordings are the same bytes" twice
check "programs of tests/data/opencl: the recordings of tests/data" as_recorded
check "launches and CTAs are selected" selected
check "warps of 64" wavefronts
check "the table of static instructions" uses
check "the recording runs" runs
check "what does not fit is cut, and that is said" limited
check "the program's output is its own" its_own_words
check "a program that fails is told" failed_but_written
check "accesses outside of buffers are told" outside
check "contexts and programs that come and go" again
check "an interrupt keeps whole launches" interrupted
check "an interrupt before leaves nothing" interrupted_early
check "--stop ends the program" stopped
fails "no kernel" 2 'launched no kernel' "$memhelm" record -o "$work/x.gmt.zst" -- "$program" none
fails "no OpenCL" 2 'never used OpenCL.*libOpenCL' "$memhelm" record -o "$work/x.gmt.zst" -- /bin/true
fails "no such launch" 2 'launched 1 kernels.*none of which' "$memhelm" record -o "$work/x.gmt.zst" --launches 5 -- "$program" copy
fails "nothing fits" 2 'not even one CTA fits' "$memhelm" record -o "$work/x.gmt.zst" --max-size 20 -- "$program" copy
fails "no such program" 2 'no such program' "$memhelm" record -o "$work/x.gmt.zst" -- "$work/nothing"
fails "no program" 2 'which program' "$memhelm" record -o "$work/x.gmt.zst"
fails "a bad name" 2 'ends in .gmt.zst' "$memhelm" record -o "$work/x" -- "$program" copy
fails "a bad range" 2 'write a number such as 0' "$memhelm" record -o "$work/x.gmt.zst" --ctas 5-2 -- "$program" copy
fails "a full disk" 2 'cannot be written|cannot write' bash -c "ulimit -f 1; '$memhelm' record -o '$work/full.gmt' -- '$program' triangle triangle triangle triangle triangle"
check "a full disk leaves nothing" test ! -e "$work/full.gmt" -a ! -e "$work/full.gmt.part"
fails "without Oclgrind, what to install is said" 2 'Debian package oclgrind' env PATH=/nowhere "$memhelm" record -o "$work/x.gmt.zst" -- /bin/true
fails "without the plugin, what to install is said" 2 'built without the recorder.*liboclgrind-dev' \
    env MEMHELM_RECORD_PLUGIN=/nowhere "$memhelm" record -o "$work/x.gmt.zst" -- /bin/true
finish
