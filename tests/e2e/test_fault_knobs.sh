#!/usr/bin/env bash
# Whatever goes wrong in firmware, half-way through a decision: it is reported with pc, cause and function; the knobs in
# force are those of the last COMMIT, not what is half written; with `recover` the GPU runs on under them until the
# watchdog bites, then with all knobs at reset, and the mcu boots again.
. "$(dirname "$0")/lib.sh" "$1"

image() { # image, further arguments
    timeout 120 "$memhelm" run --image "$1" --preset mask --workload MVT+GUPS --no-alone "${@:2}"
}

cat > "$work/knobs.py" <<'PY'
import csv, json, sys

def run(name):
    return json.load(open(name + ".json"))["run"]

def rows(name):
    """Of tenant 0, what is in force at the end of each epoch, in columns from the first knob on."""
    all_rows = [r for r in csv.DictReader(open(name + ".csv")) if r["tenant"] == "0"]
    columns = list(all_rows[0])
    return all_rows, [{k: r[k] for k in columns[columns.index("tokens"):]} for r in all_rows]

def committed(name, reset):
    """Knobs after the last COMMIT, and shadows written since, from the accesses of the mcu in their order."""
    in_force, shadow = dict(reset), dict(reset)
    gpu = {0x1820: ("l2_bypass", None), 0x1824: ("dram_queues", None)}
    tenant = {0x1000: "tokens", 0x1004: "cta_limit", 0x100c: "silver_thresh"}
    for line in open(name + ".registers"):
        cycle, access, offset, value, result = line.split()
        offset, value = int(offset, 16), int(value, 16)
        if access != "W":
            continue
        if offset == 0x12c:
            shadow = dict(reset)
        elif offset == 0x110:
            in_force = dict(shadow)
        elif offset in gpu:
            shadow[gpu[offset]] = value
        elif offset & ~0x700 in tenant:
            shadow[tenant[offset & ~0x700], offset >> 8 & 7] = value
    return in_force, shadow

def flat(knobs):
    return {(k, i): x for k, v in knobs.items() for i, x in (enumerate(v) if isinstance(v, list) else [(None, v)])}
PY

reset_values() {
    image baseline --cycles 250000 --json "$work/reset.json" --epochs "$work/reset.csv"
}
check "knobs at reset: those of image baseline" reset_values

# The run ends at the fault, and its results have the knobs in force.
stopped() { # image, cause
    python3 - "$work" "$@" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from knobs import *
name, cause = sys.argv[1] + "/stop-" + sys.argv[2], int(sys.argv[3])
r, reset = run(name), flat(run(sys.argv[1] + "/reset")["knobs"])
assert r["end"] == "fault" and r["fault"]["cause"] == cause, r["fault"]
in_force, shadow = committed(name, reset)
assert in_force != shadow and shadow["cta_limit", 0] == shadow["cta_limit", 1] == 1, "nothing is half written"
assert in_force != reset, "no policy was in force"
assert flat(r["knobs"]) == in_force, (r["knobs"], in_force)
assert 300000 < r["cycles"] < 310000, r["cycles"]
PY
}

# An mcu of 100 MHz needs longer to boot than to the next expiry, so that an epoch ends under the safe knobs.
recovered() { # image, cause
    python3 - "$work" "$@" <<'PY'
import sys
sys.path.insert(0, sys.argv[1])
from knobs import *
name, cause = sys.argv[1] + "/recover-" + sys.argv[2], int(sys.argv[3])
r, safe = run(name), rows(sys.argv[1] + "/reset")[1][0]
epochs, knobs = rows(name)
assert r["end"] == "pass", r
recovery = r["recovery"]
assert (recovery["faults"], recovery["bites"], recovery["resets"]) == (1, 1, 1), recovery
assert recovery["first"]["cause"] == cause and recovery["cycles_lost"] > 75000, recovery
assert 300000 < recovery["first_cycle"] < 400000, recovery
missed = [i for i, e in enumerate(epochs) if not e["latency"]]
assert missed[:2] == [2, 3] and missed == list(range(2, 2 + len(missed))), missed
assert knobs[1] != safe and knobs[1]["tokens"] != safe["tokens"], "no policy was in force"
assert knobs[2] == knobs[1], "not those of the last COMMIT"
assert knobs[3] == safe, "not the safe ones"
assert all(k["cta_limit"] == safe["cta_limit"] for k in knobs), "what was half written came into force"
again = knobs[2 + len(missed):]
assert again and again[-1]["tokens"] == knobs[1]["tokens"], "the policy is not back"
work = [int(e["warp_instr"]) for e in epochs]
assert min(work[2:5]) > work[1] / 2 > 0, ("the GPU stood still", work)
PY
}

goes_wrong() { # image of firmware/selftest, fault, cause, what is said of it, where
    local fault=$2 cause=$3 text=$4 where=$5 image once
    image=$(faulty "$1.once:$1.$2") once=$1:[a-z.=1:]+
    fails "$fault: reported with pc, cause and function" 1 \
        "$once ended in a fault at GPU cycle 30[0-9]{4}: unexpected trap, reported by the firmware: $text( at 0x[0-9a-f]{8} .[^)]*.)? +pc 0x[0-9a-f]{8} in $where.*mcause 0x0000000$cause: $text" \
        image "$image" --cycles 600000 --json "$work/stop-$fault.json" --registers "$work/stop-$fault.registers"
    check "$fault: the knobs are those of the last COMMIT" stopped "$fault" "$cause"
    fails "$fault: with recover the run passes, and it is told" 0 "$once recovered 1 time; .*$text( at 0x[0-9a-f]{8} .[^)]*.)?; pc 0x[0-9a-f]{8} in ${where/0x\[0-9a-f]\{8\} in /}[;,]" \
        image "$image" --cycles 900000 --mcu-hz 100000000 --on-fault recover \
        --json "$work/recover-$fault.json" --epochs "$work/recover-$fault.csv" --keep "$work/kept-$fault"
    check "$fault: last knobs, safe knobs, the policy again; the GPU runs on" recovered "$fault" "$cause"
    check "$fault: the second boot says so" grep -qr --include=uart.log resets=1 "$work/kept-$fault"
}

# A division by zero is a check that the compiler makes, which ends in an ebreak.
goes_wrong fault stack 7 'store access fault' 'deeper( .[^)]*.)?, called from 0x[0-9a-f]{8} in deeper'
goes_wrong fault store 7 'store access fault' 'store_to_hole'
goes_wrong fault divide 3 'breakpoint' 'divide_by_zero'
fails "what a breakpoint may be" 1 "mcause 0x00000003: breakpoint: the compiler's check of a zero divisor" image "$(faulty fault.divide:fault.once)" --cycles 600000
goes_wrong fault jump 1 'instruction access fault' 'no function, called from 0x[0-9a-f]{8} in call_hole'
goes_wrong trap data 1 'instruction access fault' 'no function, called from 0x[0-9a-f]{8} in call_data'
goes_wrong trap code 7 'store access fault' 'store_to_code'
finish
