#!/usr/bin/env bash
# ETC in firmware on a GPU that pages on demand: twin and QEMU agree, each class gets its techniques, a launch whose last
# CTAs are frozen ends, etc-share keeps one tenant's units from another; rows of page faults, and configurations that cannot be.
. "$(dirname "$0")/lib.sh" "$1"

run() { # name, workload, cycles, arguments
    local name=$1 workload=$2 cycles=$3
    shift 3
    "$memhelm" run --preset etc --set uvm.mode=on --set uvm.capacity=75% --workload "$workload" --cycles "$cycles" --no-alone \
        --json "$work/$name.json" --epochs "$work/$name.csv" "$@" > "$work/$name.out" 2>&1 || {
        cat "$work/$name.out"
        return 1
    }
}

# column FILE.csv NAME [TENANT]: the sum of a column; of sm_throttle the most SMs at a time.
column() {
    python3 - "$@" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["tenant"] == (sys.argv[3:] or ["0"])[0]]
if sys.argv[2] == "sm_throttle":
    print(max(bin(int(r["sm_throttle"], 16)).count("1") for r in rows))
else:
    print(sum(int(r[sys.argv[2]]) for r in rows))
PY
}

# --- Twin and QEMU.

agree() { # image, workload
    run twin "$2" 3000000 --image "$1" --twin --mcu-hz inf --registers "$work/twin.log" &&
        run qemu "$2" 3000000 --image "$1" --mcu-hz inf --registers "$work/qemu.log" &&
        [ -s "$work/twin.log" ] && cmp "$work/twin.log" "$work/qemu.log" && cmp "$work/twin.csv" "$work/qemu.csv" &&
        same_but_core "$work/twin.json" "$work/qemu.json"
}

for image in etc etc-mt-naive etc-cta etc-share mask+etc; do
    for workload in ATAX:512 2DCONV:512; do
        check "$image on $workload: twin and QEMU with an infinitely fast mcu agree" agree "$image" "$workload"
    done
done

# --- Classes.

irregular() { # arguments
    run class ATAX:2048 5000000 --image etc "$@" && [ "$(column "$work/class.csv" sm_throttle)" -gt 0 ] &&
        [ "$(column "$work/class.csv" compress)" -gt 0 ] && [ "$(column "$work/class.csv" evict_ahead)" = 0 ]
}

regular() { # workload, whether it is compressed
    run class "$1" 3000000 --image etc --twin && [ "$(column "$work/class.csv" sm_throttle)" = 0 ] &&
        [ "$(column "$work/class.csv" evict_ahead)" -gt 0 ] && [ "$(($(column "$work/class.csv" compress) > 0))" = "$2" ]
}

# The whole workload fits: nothing is decided, whatever the class.
fits() {
    run class ATAX:1024 3000000 --image etc --twin --set uvm.capacity=unlimited &&
        [ "$(column "$work/class.csv" sm_throttle)$(column "$work/class.csv" compress)" = 00 ]
}

check "ATAX is irregular: throttled, compressed, no eviction ahead" irregular --twin
check "the same in QEMU, where every fault and every expiry is answered in time" irregular
check "  and none is missed" python3 -c '
import json, sys
s = json.load(open(sys.argv[1]))["run"]["sources"]
for name in ("page_fault", "timer"):
    assert s[name]["answered"] > 5 and s[name]["missed"] == 0, s[name]' "$work/class.json"
check "2DCONV is regular: evicts ahead" regular 2DCONV:1448 0
check "SRAD is regular and shares data: evicts ahead, compressed" regular SRAD:1024 1
check "enough memory: nothing is decided" fits

# --- CTAs on throttled SMs.

# Four SMs have a CTA each; half are throttled, and hold theirs when the others have ended.
frozen_ends() { # image
    run frozen ATAX:1024 8000000 --image "$1" --twin && [ "$(column "$work/frozen.csv" sm_throttle)" -ge 2 ] &&
        [ "$(column "$work/frozen.csv" launches)" -ge 1 ] && [ "$(column "$work/frozen.csv" ctas)" -ge 4 ]
}

check "a launch whose last CTAs are frozen ends by releases" frozen_ends etc-mt
check "  half for ever: each half has its turn" frozen_ends etc-mt-naive

# --- Several tenants. 2DCONV of 2 MB fits its share beside ATAX of 16 MB, which does not.

alone_in_its_share() {
    run etc ATAX:2048+2DCONV:512 6000000 --image etc --twin && run share ATAX:2048+2DCONV:512 6000000 --image etc-share --twin &&
        [ "$(column "$work/etc.csv" uvm_evictions 1)" -gt 0 ] && [ "$(column "$work/share.csv" uvm_evictions 1)" = 0 ] &&
        [ "$(column "$work/share.csv" uvm_evictions 0)" -gt 0 ] &&
        [ "$(column "$work/share.csv" lane_instr 1)" -gt "$(column "$work/etc.csv" lane_instr 1)" ]
}

check "etc-share: who thrashes evicts nothing of who fits" alone_in_its_share

# --- Demand paging from the command line.

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
