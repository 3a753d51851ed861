#!/usr/bin/env bash
# What CCBP's allocation takes at its worst, on ibex, of four kernels and of eight: below the limit of timer 2, with sums
# of fractions, as recorded (firmware/selftest/allocation.json, allocation-eight.json).
. "$(dirname "$0")/lib.sh" "$1"
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
# compare NAME RECORDED: what was measured
compare() {
    python3 "$work/compare.py" "$work/$1.console" "$work/$1.budget" "$2" "$limit"
}
check "timer 2 has a limit" test -n "$limit"
check "the worst allocations fit" measure allocation
check "exact sums, below the limit, as recorded" compare allocation "$recorded"
sed 's/"sums": 60/"sums": 61/' "$recorded" > "$work/other.json"
fails "another number of sums is found" any 'not as recorded' compare allocation "$work/other.json"
check "those of eight kernels fit" measure allocation-eight
check "below the limit, as recorded, too" compare allocation-eight firmware/selftest/allocation-eight.json
sed 's/^  timer_2: .*/  timer_2: 3000/' "$limits" > "$work/tighter.yaml"
fails "a tick that takes too long is found" 1 'over: allocation: timer_2 [0-9]+ of 3000 mcu cycles on ibex.* decision [0-9]+: .*sum_of_few_fits [0-9]+, ' \
    "$memhelm" budget "$selftest/allocation.elf" --mcu-hz 500M --set run.cycles=1600000 --limits "$work/tighter.yaml"
finish
