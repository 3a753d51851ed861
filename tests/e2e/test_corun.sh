#!/usr/bin/env bash
# Kernels that share SMs: what each has of them, CCBP while kernels come and go, and what its allocation takes at worst.
. "$(dirname "$0")/lib.sh" "$1"

# --- Two kernels on the same SMs each have half of what they have alone there. They compute, and do not wait for pages: 32 may miss.

compare() { # name, settings..
    local name=$1
    shift
    "$memhelm" compare baseline mask-tlb --twin --workload MM+MM --set sm.count=4 --set l1tlb.mshrs=32 --cycles 60000 "$@" \
        --json "$work/$name.json" > "$work/$name.out" 2>&1 || cat "$work/$name.out"
}

# Two equal kernels that compute: nobody gains by sharing, nobody is preferred.
halves() {
    compare shared --set sm.share=1 && compare divided && python3 - "$work/shared.json" "$work/divided.json" <<'PY'
import json, sys
shared, divided = (json.load(open(f))["results"][0] for f in sys.argv[1:])
ranges = lambda r: [(t["sm_first"], t["sm_count"]) for t in r["config"]["tenants"]]
assert ranges(shared) == [(0, 4), (0, 4)] and ranges(divided) == [(0, 2), (2, 2)], (ranges(shared), ranges(divided))
for of, alone, speedup in (shared, 4, 0.5), (divided, 2, 1.0):
    for t in of["metrics"]["tenants"]:
        print(alone, t["ipc"], t["ipc_alone"], t["speedup"])
        assert abs(t["ipc_alone"] / (64 * alone) - 1) < 0.05, "alone: a warp instruction a cycle on each of its SMs"
        assert abs(t["speedup"] - speedup) < 0.05
    assert abs(of["metrics"]["weighted_speedup"] - 2 * speedup) < 0.1
PY
}

# The alone runs of the shared SMs are those of a tenant that was given these SMs for itself.
cached() {
    compare again --set sm.share=1 && grep -q '2 of 2 alone runs from the cache' "$work/again.out"
}

check "two kernels share four SMs in halves" halves
check "their alone runs are kept" cached
fails "ranges that overlap need sm.share" any 'both claim SM 1; an SM has one tenant unless sm.share is 1' \
    "$memhelm" run --image baseline --twin --workload MM+MM --set sm.count=4 --set 'tenants[0].sm_count=2' \
    --set 'tenants[1].sm_first=1' --set 'tenants[1].sm_count=2'
check "with it they are fine" "$memhelm" run --image baseline --twin --workload MM+MM --set sm.count=4 --cycles 5000 \
    --no-alone --set sm.share=1 --set 'tenants[0].sm_count=2' --set 'tenants[1].sm_first=1' --set 'tenants[1].sm_count=2'

# --- CCBP: nobody who runs already is stopped for what has to be measured of the others.

# Windows of the mcu's timer are 10 000 cycles and longer: in some epoch whoever stands still has no instruction.
run() {
    "$memhelm" run --image ccbp --twin --preset ccbp --workload BP+CFD+LBM@cuda --cycles 2500000 --no-alone \
        --set run.epoch=10000 --set 'tenants[2].arrive=1200000' --set 'tenants[2].leave=2000000' \
        --epochs "$work/epochs.csv" --json "$work/run.json"
}

# go_on FROM TO: the least instructions of BP and CFD in an epoch that ends in between.
go_on() {
    python3 - "$work/epochs.csv" "$@" << 'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if int(sys.argv[2]) < int(r["cycle"]) <= int(sys.argv[3])]
for tenant in "01":
    least = min((int(r["warp_instr"]), int(r["cycle"])) for r in rows if r["tenant"] == tenant)
    print("tenant", tenant, least)
    assert least[0] > 0
PY
}

all_run() {
    python3 - "$work/run.json" << 'PY'
import json, sys
assert all(t["warp_instr"] > 0 for t in json.load(open(sys.argv[1]))["run"]["tenants"])
PY
}

check "a kernel comes and goes" run
check "while it comes, the others go on" go_on 1200000 2000000
check "and when it has left" go_on 2000000 2500000
check "all three have run" all_run

# --- What the host tells the firmware: the same IPC as the results have, and the same run as with the keys by hand.

told() {
    "$memhelm" run ccbp --param ccbp.told=1 --twin -p ccbp -w BP+CFD --cycles 400000 "$@"
}
as_measured() {
    "$memhelm" run baseline --twin -p ccbp -w BP --cycles 400000 --no-alone --json "$work/alone.json" &&
        told --tell-alone --json "$work/told.json" && python3 - "$work/told.json" "$work/alone.json" << 'PY' > "$work/keys"
import json, sys
told, alone = (json.load(open(path)) for path in sys.argv[1:])
ipcs = [tenant["alone_ipc"] for tenant in told["config"]["tenants"]]
assert ipcs[0] == (alone["run"]["tenants"][0]["warp_instr"] << 16) // 400000 and all(ipcs), ipcs
for t, ipc in enumerate(ipcs):
    print(f"--set tenants[{t}].alone_ipc={ipc}")
PY
}
# shellcheck disable=SC2046 # options are words
by_hand() { told $(cat "$work/keys") --json "$work/by_hand.json" && cmp "$work/told.json" "$work/by_hand.json"; }
other_than_untold() {
    told --json "$work/untold.json" && ! cmp "$work/told.json" "$work/untold.json"
}
check "IPCs alone are told as they were measured" as_measured
check "keys by hand are the same" by_hand
check "firmware that is not told runs another way" other_than_untold
fails "what is not measured is not told" any 'tell-alone' told --tell-alone --no-alone

# --- CCBP's allocation on ibex, of four kernels and of eight: below the limit of timer 2, as recorded.

selftest=$build/firmware/selftest
recorded=firmware/selftest/allocation.json
limits=firmware/budget/limits.yaml
limit=$(sed -n 's/^  timer_2: \([0-9]*\)$/\1/p' "$limits")

cat > "$work/compare.py" <<'PY'
"""compare.py CONSOLE BUDGET RECORDED LIMIT: cycles may differ by 1 %, as the linker places functions; counts may not."""
import json, re, sys

console, budget = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
recorded, limit = json.load(open(sys.argv[3])), int(sys.argv[4])
rows = [dict(name=name, **{k: int(v) for k, v in re.findall(r"(\w+)=(\d+)", rest)})
        for name, rest in re.findall(r"^memhelm: allocation (\w+) (.*)$", console, re.M)]
series = [r["sources"]["timer_2"] for i in budget["images"] for r in i["runs"]]
have = {"core": "ibex", "longest": max(r["longest"] for r in rows),
        "with_interrupt": max(s["cycles"]["max"] + s["interrupt_cycles"] for s in series), "instances": rows}

def same(a, b):
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(a[k] == b[k] if k in ("iterations", "sums") else same(a[k], b[k]) for k in a)
    return a == b or isinstance(a, int) and abs(a - b) <= max(a, b) / 100

print(json.dumps(have))
assert all(r["sums"] > 0 for r in rows), "an instance without a sum of fractions"
assert have["longest"] < limit and have["with_interrupt"] < limit, f"over {limit}"
assert same(have, recorded), "not as recorded"
PY
# measure NAME: of a selftest
measure() {
    "$memhelm" run "$selftest/$1.elf" --core ibex --workload MM --no-alone --set sm.count=1 --cycles 1600000 --console > "$work/$1.console" &&
        "$memhelm" budget "$selftest/$1.elf" --mcu-hz 500M --set run.cycles=1600000 --json "$work/$1.budget" > /dev/null
}
# as_recorded NAME RECORDED: what was measured
as_recorded() {
    python3 "$work/compare.py" "$work/$1.console" "$work/$1.budget" "$2" "$limit"
}
check "timer 2 has a limit" test -n "$limit"
check "the worst allocations fit" measure allocation
check "exact sums, below the limit, as recorded" as_recorded allocation "$recorded"
sed 's/"sums": 60/"sums": 61/' "$recorded" > "$work/other.json"
fails "another number of sums is found" any 'not as recorded' as_recorded allocation "$work/other.json"
check "those of eight kernels fit" measure allocation-eight
check "below the limit, as recorded, too" as_recorded allocation-eight firmware/selftest/allocation-eight.json
sed 's/^  timer_2: .*/  timer_2: 3000/' "$limits" > "$work/tighter.yaml"
fails "a tick that takes too long is found" 1 'over: allocation: timer_2 [0-9]+ of 3000 mcu cycles on ibex.* decision [0-9]+: .*sum_of_few_fits [0-9]+, ' \
    "$memhelm" budget "$selftest/allocation.elf" --mcu-hz 500M --set run.cycles=1600000 --limits "$work/tighter.yaml"
finish
