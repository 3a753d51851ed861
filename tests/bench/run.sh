#!/usr/bin/env bash
# Speed of the model and of a run, beside the floor of each: median of RUNS (default 5), single thread, release build.
#   run.sh BUILD     exits non-zero when a measure is below its floor
set -euo pipefail
build=$1 runs=${RUNS:-5} below=0

median() { sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }

# row NAME VALUE UNIT at-least|at-most FLOOR
row() {
    local verdict=ok
    if [ "$4" = at-least ]; then awk "BEGIN {exit !($2 >= $5)}" || verdict=BELOW; else awk "BEGIN {exit !($2 <= $5)}" || verdict=ABOVE; fi
    [ $verdict = ok ] || below=1
    printf '%-46s %14s %-14s %-8s %12s  %s\n' "$1" "$2" "$3" "$4" "$5" "$verdict"
}

# model WORKLOAD CYCLES: median cycles/s, then the ns per L2 request of that run and what the GPU did per cycle
model() {
    for _ in $(seq "$runs"); do "$build/bench/bench_model" "$1" "$2" | tr '\n' ' ' && echo; done | sort -n |
        awk '{v[NR] = $0} END {print v[int((NR + 1) / 2)]}'
}

wall() { # command..: seconds of wall time
    local start end
    start=$(date +%s.%N)
    "$@" > /dev/null 2>&1
    end=$(date +%s.%N)
    awk "BEGIN {print $end - $start}"
}

printf '%-46s %14s %-14s %-8s %12s\n' measure value unit floor ''
line=$(model MVT+GUPS 1000000)
row 'GPU cycles/s, preset mask, MVT+GUPS' "${line%% *}" cycles/s at-least 500000
echo "    $line"
for w in 3DS+RED HISTO+MM; do
    line=$(model $w 500000)
    printf '%-46s %14s %s\n    %s\n' "GPU cycles/s, preset mask, $w" "${line%% *}" cycles/s "$line"
done

# Whole runs: what QEMU costs over the twin in wall time.
args=(--image mask-tlb --preset mask --workload MVT+GUPS --cycles 2000000 --seed 1 --no-alone)
qemu=$(for _ in $(seq "$runs"); do wall "$build/memhelm" run "${args[@]}"; done | median)
twin=$(for _ in $(seq "$runs"); do wall "$build/memhelm" run "${args[@]}" --twin; done | median)
row 'QEMU run over twin, wall time' "$(awk "BEGIN {printf \"%.3f\", $qemu / $twin}")" ratio at-most 1.15
echo "    QEMU $qemu s, twin $twin s, 2 M GPU cycles"

"$build/bench/bench_dram"
exit $below
