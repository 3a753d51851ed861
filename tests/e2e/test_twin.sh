#!/usr/bin/env bash
# Twin and QEMU are the same machine but for time: with an infinitely fast mcu they agree in every register access and in
# the whole result. With a finite mcu, the quantum is only a matter of precision. So with both timers of the policies, of
# which expiries, answers, misses and decisions are counted and shown.
. "$(dirname "$0")/lib.sh" "$1"

run() { # name, arguments
    local name=$1
    shift
    "$memhelm" run --preset mask --workload MVT+GUPS --cycles 430000 --seed 3 --no-alone --json "$work/$name.json" \
        --registers "$work/$name.log" --epochs "$work/$name.csv" "$@" > "$work/$name.out" 2>&1 || cat "$work/$name.out"
}

agree() { # image
    run twin --image "$1" --twin --mcu-hz inf && run qemu --image "$1" --mcu-hz inf &&
        [ -s "$work/twin.log" ] && cmp "$work/twin.log" "$work/qemu.log" && cmp "$work/twin.csv" "$work/qemu.csv" &&
        same_but_core "$work/twin.json" "$work/qemu.json"
}

# Halving the quantum moves no headline by more than 0.5 %.
quantum() {
    run q64 --image mask-tlb --set mcu.quantum=64 && run q32 --image mask-tlb --set mcu.quantum=32 &&
        python3 - "$work/q64.json" "$work/q32.json" <<'PY'
import json, sys
def numbers(x, path=""):
    if isinstance(x, dict):
        for k, v in x.items(): yield from numbers(v, path + "/" + k)
    elif isinstance(x, list):
        for i, v in enumerate(x): yield from numbers(v, f"{path}/{i}")
    elif isinstance(x, (int, float)) and not isinstance(x, bool):
        yield path, x
a, b = (dict(numbers(json.load(open(f)))) for f in sys.argv[1:])
heads = [k for k in a if k.endswith(("/warp_instr", "/lane_instr", "/walks", "/dram_read", "/l2tlb_access"))]
bad = [(k, a[k], b[k]) for k in heads if abs(a[k] - b[k]) > 0.005 * max(a[k], 1)]
print("\n".join(f"{k}: {a[k]} {b[k]}" for k in heads))
sys.exit(1 if bad or not heads else 0)
PY
}

for elf in "$build"/firmware/*.elf; do
    image=$(basename "$elf" .elf)
    check "$image: twin and QEMU with an infinitely fast mcu agree" agree "$image"
done
check "halving the quantum moves nothing by more than 0.5 %" quantum

# --- Both timers, with windows of counters between epochs (firmware/selftest/two-timers.c).

run_timers() { # name, arguments
    local name=$1
    shift
    "$memhelm" run --preset mask --workload HISTO+GUPS --cycles 650000 --no-alone --json "$work/$name.json" "$@" > "$work/$name.out" 2>&1 || {
        cat "$work/$name.out"
        return 1
    }
}
elf=$build/firmware/selftest/two-timers.elf
twin=$build/twin/selftest/two-timers.so

timers_agree() {
    run_timers twin --image "$twin" --twin --mcu-hz inf --registers "$work/twin.log" && run_timers qemu --image "$elf" --mcu-hz inf --registers "$work/qemu.log" &&
        [ -s "$work/twin.log" ] && cmp "$work/twin.log" "$work/qemu.log" && same_but_core "$work/twin.json" "$work/qemu.json"
}
check "twin and QEMU with an infinitely fast mcu agree on two timers" timers_agree

# Decisions take no time: expiries are as far apart as the intervals, 3000 and 7000 cycles, and all are answered at once.
exact() {
    python3 - "$work/qemu.json" <<'PY'
import json, sys
s = json.load(open(sys.argv[1]))["run"]["sources"]
assert s["epoch"]["raised"] == 6, s
for name, interval in (("timer", 3000), ("timer_2", 7000)):
    assert s[name] == {"raised": 650000 // interval, "answered": 650000 // interval, "missed": 0, "latency_sum": 0, "latency_max": 0}, (name, s)
PY
}
check "as many expiries as intervals, epochs beside them" exact

# At 500 MHz each is later than the one before by its decision; the mcu's measures are one for each expiry.
measured() {
    run_timers timed --image "$elf" --mcu-hz 500M && python3 - "$work/timed.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))["run"]
for name, interval in (("timer", 3000), ("timer_2", 7000)):
    s, n = r["sources"][name], r["core"][f"{name}_decisions"]
    # The last one may be under way: raised, or measured and not answered yet.
    assert 0 < s["raised"] < 650000 // interval and s["missed"] == 0 and s["raised"] - s["answered"] <= 1, (name, s)
    assert n in (s["raised"], s["answered"]), (name, s, n)
    assert s["latency_sum"] > 0 and 0 < r["core"][f"{name}_decision_min"] <= r["core"][f"{name}_decision_max"]
assert r["sources"]["epoch"]["missed"] == 0
PY
}
check "at 500 MHz: a decision for each expiry, none missed" measured
check "the report has both" grep -Ezq 'expiries of timer 1 [0-9]+, answered .*expiries of timer 2 [0-9]+, answered .*per expiry of timer 1: .*per expiry of timer 2: ' "$work/timed.out"

# A decision is longer than the interval that it has set: the next expiry finds it open.
check "at 10 MHz they come too fast" run_timers late --image "$elf" --mcu-hz 10M --set mcu.watchdog=0
check "and a warning says so" grep -Eq 'two-timers: [0-9]+ of [0-9]+ expiries of timer 2 missed' "$work/late.out"
finish
