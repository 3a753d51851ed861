#!/usr/bin/env bash
# quick: one of the scripts of make check
# A run is a function of image, configuration, workload and seed: the same bytes, alone or four at a time.
. "$(dirname "$0")/lib.sh" "$1"

run() { # name, extra arguments
    local name=$1
    shift
    "$memhelm" run --image mask-tlb --preset mask --workload MVT+GUPS --cycles 230000 --seed 1 \
        --json "$work/$name.json" --epochs "$work/$name.csv" "$@" > "$work/$name.out" 2>&1
}

same() {
    run a "$@" && run b "$@" && cmp "$work/a.json" "$work/b.json" && cmp "$work/a.csv" "$work/b.csv"
}

differ() {
    run a && run b --seed 2 && ! cmp -s "$work/a.json" "$work/b.json"
}

# Fifty short runs, four at a time on whatever cores there are, of a firmware that sleeps most of its time.
fifty() {
    export memhelm work
    one() {
        "$memhelm" run --image mask-tlb --preset mask --workload GUPS+HISTO --cycles 60000 --set run.epoch=5000 --seed 1 \
            --no-alone --registers "$work/log.$1" --json "$work/many$1.json" > "$work/out.$1" 2>&1 || cat "$work/out.$1"
    }
    export -f one
    seq 50 | xargs -P 4 -I{} bash -c 'one {}'
    [ "$(ls "$work"/many*.json | wc -l)" -eq 50 ] || return 1
    [ "$(sha256sum "$work"/many*.json | cut -d' ' -f1 | sort -u | wc -l)" -eq 1 ] &&
        [ "$(sha256sum "$work"/log.* | cut -d' ' -f1 | sort -u | wc -l)" -eq 1 ]
}

check "two runs in QEMU give the same bytes" same
check "two runs of the twin give the same bytes" same --twin
check "QEMU's traces do not change the result" bash -c '
    "$0" run --image baseline --workload GUPS+HISTO --cycles 120000 --seed 1 --no-alone --json "$1/t0.json" > "$1/t0" 2>&1 &&
    "$0" run --image baseline --workload GUPS+HISTO --cycles 120000 --seed 1 --no-alone --trace "memhelm_*" --json "$1/t1.json" > "$1/t1" 2>&1 &&
    cmp "$1/t0.json" "$1/t1.json"' "$memhelm" "$work"
check "another seed gives another result" differ
check "fifty runs, four at a time, give the same bytes and the same register accesses" fifty
finish
