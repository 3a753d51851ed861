#!/usr/bin/env bash
# Speed of the model and of a run, each measure beside its floor: single thread, release build, medians of RUNS (5).
#   run.sh BUILD [--record]     exits non-zero when a measure is below its floor
# --record appends the measures to tests/bench/history.jsonl. RUNS=1 is a quick look.
# shellcheck disable=SC1091,SC2154
build=$1 runs=${RUNS:-5} window=1000000 warm_up=100000
. "$(dirname "$0")/lib.sh"
history=$(dirname "$0")/history.jsonl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

model() { "$build/bench/bench_model" "$1" "$window" "$warm_up" "${@:2}"; }

# What the GPU did meanwhile: an idle one is no feat.
busy() {
    awk '{for (i = 1; i < NF; i += 2) v[$i] = $(i + 1)
        printf "    %.0f cycles/s, %.0f ns per L2 request; a cycle: IPC %.0f threads, %.2f warp instructions, %.2f L2 requests, %.3f DRAM lines; %.1f walks per 1000 cycles\n",
            v["cycles_per_s"], v["ns_per_l2"], v["ipc"], v["warp_ipc"], v["l2_per_cycle"], v["dram_per_cycle"], v["walks_per_kcycle"]}' <<< "$1"
}

# Not a measure of memhelm: what to divide by when two machines, or two hours, are compared.
machine() {
    local speed
    doing 'this machine'
    speed=$(repeat "$build/bench/bench_machine" | median seconds | field steps_per_s)
    note machine_steps_per_s "$speed"
    printf '%-52s %12s %s\n' 'this machine: a fixed program (bench_machine.c)' "$speed" steps/s
}

pairs() {
    local line
    doing MVT+GUPS
    line=$(repeat model MVT+GUPS | median seconds)
    row cycles_per_s 'GPU cycles/s, MVT+GUPS' "$(field cycles_per_s <<< "$line")" cycles/s at-least 1500000
    row ns_per_l2 '    time per L2 request' "$(field ns_per_l2 <<< "$line")" ns at-most 300
    busy "$line"
    doing 2DCONV+FDTD
    line=$(repeat model 2DCONV+FDTD | median seconds)
    row stream_l2_per_s 'L2 requests/s, streaming: 2DCONV+FDTD' "$(field l2_per_s <<< "$line")" requests/s at-least 3000000
    busy "$line"
    doing MM+LUD
    line=$(repeat model MM+LUD | median seconds)
    row compute_warp_instr_per_s 'warp instructions/s, computing: MM+LUD' "$(field warp_instr_per_s <<< "$line")" instructions/s at-least 50000000
    busy "$line"
}

# shared PAIR FLOOR: kernels on the same SMs. No firmware: image baseline, as a twin, does nothing either.
shared() {
    local line
    doing "$1"
    line=$(repeat model "$1" ccbp | median seconds)
    row "shared_$(tr '+' '_' <<< "$1")" "GPU cycles/s, SMs shared: $1" "$(field cycles_per_s <<< "$line")" cycles/s at-least "$2"
    busy "$line"
}

# dram SET PATTERN FLOOR
dram() {
    local line
    doing "DRAM $1 $2"
    line=$(repeat "$build/bench/bench_dram" "$1" "$2" 1 | median seconds)
    row "dram_$1_$2" "DRAM channel alone, $1, $2" "$(field requests_per_s <<< "$line")" requests/s at-least "$3"
    echo "    $(field ns <<< "$line") ns and $(field cycles_per_request <<< "$line") DRAM cycles a request, $(field row_hits <<< "$line") % row hits"
}

# Whole programs, in turn, so that both see the same machine.
qemu() {
    local args=(run --image mask-tlb --preset mask --workload MVT+GUPS --cycles 2000000 --seed 1 --no-alone)
    for _ in $(seq "$runs"); do
        doing 'QEMU over twin'
        wall "$build/memhelm" "${args[@]}" >> "$work/qemu"
        wall "$build/memhelm" "${args[@]}" --twin >> "$work/twin"
    done 2> /dev/null
    local q t
    q=$(median seconds < "$work/qemu" | field seconds) t=$(median seconds < "$work/twin" | field seconds)
    row qemu_over_twin 'QEMU run over twin, wall time' "$(calc "$q / $t")" ratio at-most 1.10
    echo "    QEMU $q s, twin $t s: 2 M GPU cycles of MVT+GUPS, image mask-tlb"
}

# plugin NAME ARGUMENT..: the same run with every instruction of the mcu counted and without, in turn. On ipc1 both
# simulate the same.
plugin() {
    local name=$1 args=(run --workload MVT+GUPS --core ipc1 --seed 1 --no-alone "${@:2}") on off
    for _ in $(seq "$runs"); do
        doing "counting, $name"
        wall "$build/memhelm" "${args[@]}" >> "$work/$name.off"
        wall "$build/memhelm" "${args[@]}" --counts "$work/counts" >> "$work/$name.on"
    done 2> /dev/null
    on=$(median seconds < "$work/$name.on" | field seconds) off=$(median seconds < "$work/$name.off" | field seconds)
    row "counted_over_not_$name" "run with the mcu counted over one without: $name" "$(calc "$on / $off")" ratio at-most 1.5
    echo "    counted $on s, not $off s; $(sed -n 's/.*"instructions": \([0-9]*\).*/\1/p' "$work/counts") instructions"
}

# The four kernels with the most data.
memory() {
    doing memory
    row resident_mib 'resident memory, 30 SMs, BFS+SSSP+MIS+Color' "$(model BFS+SSSP+MIS+Color | field rss_mib)" MiB at-most 512
}

# All SMs of a GPU of today read past its L2: its state is larger than the host's caches.
today() {
    local line
    doing 'STREAM on h100'
    line=$(repeat "$build/bench/bench_model" STREAM 100000 30000 h100 | median seconds)
    row h100_cycles_per_s 'GPU cycles/s, preset h100: STREAM' "$(field cycles_per_s <<< "$line")" cycles/s at-least 15000
    row h100_resident_mib '    resident memory' "$(field rss_mib <<< "$line")" MiB at-most 1024
    busy "$line"
}

# inside FILE: the channel in the model, from the last line of its trace; alone FILE: the same requests on its own.
inside() { tail -n 1 "$1" | sed -E 's/.* served ([0-9]+) reads, ([0-9]+) writes in ([0-9]+) cycles: read latency ([0-9.e+-]+), row hits ([0-9.e+-]+)$/\1 \2 \3 \4 \5/' | awk '{print "bandwidth", ($1 + $2) / $3, "latency", $4, "hits", 100 * $5}'; }
alone() {
    "$build/memhelm" dram "$1" --preset mask --json "$work/alone.json" > /dev/null
    awk -F'[:,]' '{gsub(/[ "]/, "", $1); v[$1] = $2} END {print "bandwidth", v["requests"] / v["cycles"], "latency", v["mean"], "hits", 100 * v["row_hit_rate"]}' "$work/alone.json"
}

# channel PAIR: how far the two are apart, in %; row hits in points of a hundred requests.
channel() {
    local in out
    doing "DRAM channel in the model, $1"
    "$build/memhelm" run --twin --image baseline --preset mask --workload "$1" --cycles "$window" --no-alone --dram-trace "$work/trace" > /dev/null 2>&1
    in=$(inside "$work/trace") out=$(alone "$work/trace")
    row "channel_apart_$(tr '+' '_' <<< "$1")" "DRAM channel in the model and alone, apart: $1" "$(echo "$in $out" |
        awk 'function far(a, b) {d = 100 * (a / b - 1); return d < 0 ? -d : d}
             {h = $6 - $12; if (h < 0) h = -h; m = far($2, $8); if (far($4, $10) > m) m = far($4, $10); printf "%.2f", (h > m ? h : m)}')" % at-most 5
    echo "$in $out" | awk '{printf "    requests a cycle %.4f and %.4f, mean read latency %.1f and %.1f, row hits %.2f and %.2f %%\n", $2, $8, $4, $10, $6, $12}'
}

# A sweep's file of 10^5 points: ten axes, ten metrics.
pivot() {
    doing 'pivot of 100000 points'
    python3 "$(dirname "$0")/points.py" "$work/points.sqlite"
    for _ in $(seq "$runs"); do
        wall "$build/memhelm" table "$work/points.sqlite" --rows workload --columns image --value m0 --against image=i0
    done > "$work/pivot"
    row pivot_seconds 'pivot of 100000 points, 20 columns' "$(median seconds < "$work/pivot" | field seconds)" s at-most 1
}

# by_sweep STORE and by_shell: a thousand short runs, and the same QEMUs, started by a shell, as many at once.
by_sweep() {
    "$build/memhelm" sweep --workload MVT+GUPS --image baseline,mask --seeds 1-250 --cycles 200000 --results "$1" --output "$work/short.sqlite"
    rm -f "$work/short.sqlite"
}
by_shell() { find "$work/kept" -name again -print0 | xargs -0 -n 1 -P "$(nproc)" env; }

# In turn, three times, all seconds together: a shared machine's speed moves by a tenth from one minute to the next.
sweep() {
    local ours theirs turn
    mkdir "$work/kept"
    doing 'short runs, to be run again'
    KEEP=$work/kept QEMU=$(readlink -f "$(dirname "$build/qemu.path")/$(cat "$build/qemu.path")") \
        MEMHELM_QEMU=$(dirname "$0")/keep_run.sh by_sweep "$work/first.sqlite" > /dev/null
    for turn in 1 2 3; do
        doing "short runs by sweep and by a shell, $turn of 3"
        wall by_sweep "$work/short.$turn.sqlite" >> "$work/by_sweep"
        wall by_shell >> "$work/by_shell"
    done 2> /dev/null
    ours=$(field seconds < "$work/by_sweep" | paste -sd +) theirs=$(field seconds < "$work/by_shell" | paste -sd +)
    row sweep_over_runs 'a sweep of short runs over the runs alone, wall time' "$(calc "($ours) / ($theirs)")" ratio at-most 1.1
    echo "    sweep $ours s, the runs $theirs s: $(find "$work/kept" -name again | wc -l) of 200 K cycles, $(nproc) at once"
}

# The points of the curve: name, then one or more runs that count together.
points=('15 SMs, 2 tenants|MVT+GUPS sm.count=15' '30 SMs, 2 tenants|MVT+GUPS' '60 SMs, 2 tenants|MVT+GUPS sm.count=60' '120 SMs, 2 tenants|MVT+GUPS sm.count=120'
    '30 SMs, 1 tenant|MVT;GUPS' '30 SMs, 4 tenants|MVT+GUPS+MVT+GUPS' '30 SMs, 8 tenants|MVT+GUPS+MVT+GUPS+MVT+GUPS+MVT+GUPS')

# sample_point RUNS: they are done one after the other, and are one sample.
sample_point() {
    local one
    tr ';' '\n' <<< "$1" | while read -r -a one; do model "${one[@]}"; done |
        awk '{for (i = 1; i < NF; i += 2) v[$i] += $(i + 1)} END {print "ns", 1e9 * v["seconds"] / v["l2"], "all", 1e9 * v["seconds"] / v["l2"] / (1 + v["dram_per_cycle"] / v["l2_per_cycle"]), "l2", v["l2_per_cycle"] / NR, "dram", v["dram_per_cycle"] / NR, "walks", v["walks_per_kcycle"] / NR}'
}

curve() {
    local i name line reference
    for _ in $(seq "$runs"); do
        for i in "${!points[@]}"; do
            doing "curve, ${points[i]%|*}"
            sample_point "${points[i]#*|}" >> "$work/point.$i"
        done
    done
    [ -t 2 ] && printf '\r\033[K' >&2
    reference=$(median ns < "$work/point.1" | field ns)
    echo 'Cost of an L2 request, MVT and GUPS in equal parts:'
    for i in "${!points[@]}"; do
        line=$(median ns < "$work/point.$i")
        name=${points[i]%|*}
        awk -v name="$name" -v ref="$reference" '{printf "    %-18s %6.1f ns  %+6.1f %%  (%.1f ns with DRAM'"'"'s lines counted); a cycle: %.2f L2 requests, %.3f DRAM lines; %.0f walks per 1000\n", name, $2, 100 * ($2 / ref - 1), $4, $6, $8, $10}' <<< "$line"
        awk -v ref="$reference" '{d = 100 * ($2 / ref - 1); print "apart", d < 0 ? -d : d}' <<< "$line" >> "$work/apart"
    done
    row curve_apart 'cost flat, 15-120 SMs and 1-8 tenants: furthest point' "$(field apart < "$work/apart" | sort -n | tail -n 1 | xargs printf '%.1f')" % at-most 20
}

awk -v n="$(nproc)" '$1 > n / 2 {printf "other programs are running (load %s on %d processors): expect less\n", $1, n}' /proc/loadavg
machine
pairs
shared BP+CFD 700000
shared PathFinder+FDTD 350000
dram gddr5 sequential 2000000
dram gddr5 random 1000000
for set in ddr3-1600 gddr6 hbm2; do
    dram $set sequential 2000000
    dram $set random 1000000
done
qemu
plugin mask --image mask --preset mask --cycles 2000000
plugin simt-scored --image simt-scored --preset simt --mcu-hz 2000000000 --cycles 3000000
memory
today
channel MVT+GUPS
channel 2DCONV+FDTD
pivot
sweep
curve
if [ "${2:-}" = --record ]; then record "$history"; fi
[ "$below" -eq 0 ] && echo "all measures reach their floors" || echo "some measures are BELOW their floor"
exit "$below"
