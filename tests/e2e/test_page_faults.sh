#!/usr/bin/env bash
# Demand paging from the command line: rows of faults, and configurations that cannot be.
. "$(dirname "$0")/lib.sh" "$1"

paged() {
    "$memhelm" run --twin -i baseline -p etc -w "$1" --no-alone --cycles 30000000 -s uvm.mode=on -s uvm.prefetch=none "${@:2}"
}

# As many rows as units came for a fault, and the sums of the result.
rows() {
    paged SRAD:128 -s uvm.capacity=50% -s run.completions=1 --faults "$work/f.csv" --json "$work/f.json" &&
        python3 - "$work/f.csv" "$work/f.json" <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
c = json.load(open(sys.argv[2]))["run"]["tenants"][0]
print(len(rows), c)
assert len(rows) > 10 and len(rows) == c["uvm_faults"]
assert sum(int(r["latency"]) for r in rows) == c["uvm_fault_cycles"]
assert sum(int(r["evicted"]) for r in rows) == c["uvm_evictions"] > 0
assert all(int(r["address"], 16) % 65536 == 0 and int(r["sm"]) < 30 for r in rows)
PY
}

check "--faults has a row per fault, and the counters' sums" rows
check "a run without demand paging has no rows" bash -c '
    "$0" run --twin -i baseline -p etc -w SRAD:128 --no-alone --cycles 20000 --faults "$1/n.csv" && [ "$(wc -l < "$1/n.csv")" = 1 ]' "$memhelm" "$work"
# What the report says is what the result has.
told() {
    paged SRAD:128 -s uvm.capacity=50% -s run.completions=1 --json "$work/t.json" > "$work/t" && python3 - "$work/t" "$work/t.json" <<'PY'
import json, re, sys
text, run = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))["run"]
c = run["tenants"][0]
faults, us, evictions = re.search(r"tenant 0 SRAD has .*; page faults (\d+) of ([0-9.]+) us, evictions (\d+); ", text).groups()
assert (int(faults), int(evictions)) == (c["uvm_faults"], c["uvm_evictions"]), text
assert abs(float(us) - c["uvm_fault_cycles"] / c["uvm_faults"] / 1020) < 0.06, us
assert f"all finished by GPU cycle {run['cycles']}\n" in text
assert ", until each has finished 1 time, at most " in text
PY
}
check "a run says what was paged" told
check "a comparison has columns for it" bash -c '
    "$0" compare uvm etc --twin -p etc -w SRAD:128 -s uvm.mode=on --cycles 50000 | grep -q "page faults  evictions  MB over the link"' "$memhelm"
check "and has none without" bash -c '! "$0" compare uvm etc --twin -p etc -w SRAD:128 --cycles 50000 | grep "page faults"' "$memhelm"
fails "a hint for an array that is not there" 2 "tenants.0..hints: '99:host'; the kernel has not as many arrays" \
    paged SRAD:128 -s 'tenants[0].hints=99:host'
fails "--faults and --epochs into one file" 2 'two results would be written to it' paged SRAD:128 --faults "$work/x" --epochs "$work/x"
fails "an ideal L1 TLB" 2 'uvm.mode: on, but l1tlb.ideal is 1' paged SRAD:128 -s l1tlb.ideal=1
fails "memory for nothing" 2 'uvm.capacity: 0 bytes are not whole units of 65536 bytes' paged SRAD:128 -s uvm.capacity=0
fails "memory for less than a unit" 2 'uvm.capacity: 65535 bytes are not whole units' paged SRAD:128 -s uvm.capacity=65535
fails "memory that is no number" 2 'a number of bytes, a part such as 75%, or unlimited' paged SRAD:128 -s uvm.capacity=half
finish
