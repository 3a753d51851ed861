#!/usr/bin/env bash
# Firmware that goes wrong: the run ends with a diagnosis and a non-zero exit, never with a crash or a wait for ever. Whatever
# goes wrong half-way through a decision: the knobs in force are those of the last COMMIT, not what is half written; with
# `recover` the GPU runs on under them until the watchdog bites, then with all knobs at reset, and the mcu boots again.
. "$(dirname "$0")/lib.sh" "$1"

image() { # fault, further arguments
    timeout 120 "$memhelm" run --image "$(faulty "$1")" --preset mask --workload GUPS+HISTO --cycles 220000 --no-alone "${@:2}"
}

# What is said begins with the image's name, which is no proof: patterns take what follows it.
ends() { # test, fault, how it ended, further arguments
    fails "$1" 1 "memhelm: ${2%%.*}:${2//:/=1:}=1 $3" image "$2" "${@:4}"
}
native() { # fault
    "$memhelm" run --image "$build/twin/selftest/${1%.*}.so:$1=1" --twin --workload GUPS+HISTO --cycles 220000 --no-alone
}
line() { # of the first line in a file of firmware/selftest that has a text
    grep -nF -m 1 "$2" "firmware/selftest/$1" | cut -d : -f 1
}
reported='ended in a fault at GPU cycle [0-9]+: unexpected trap, reported by the firmware:'

ends "hang: named, not waited for" fault.hang 'hangs at GPU cycle [0-9]+: watchdog: no finished COMMIT in 150000 GPU cycles .*the mcu is awake +pc 0x[0-9a-f]+ in hang [(]firmware/selftest/fault.c:[0-9]+[)],'
ends "hang with an infinitely fast mcu" fault.hang 'hangs at GPU cycle 100000: the firmware never slept: .* pc 0x[0-9a-f]+ in (hang|reg_read) [(]firmware/(selftest/fault.c|platform/mmio.h):[0-9]+[)],' --mcu-hz inf
fails "hang of a native twin" 1 'memhelm: fault:fault.hang=1 hangs at GPU cycle 100000: the firmware did not come back' native fault.hang
early='failed at GPU cycle 200[0-9]{3}: the firmware wrote EXIT at GPU cycle 200[0-9]{3}, before the run.s end at 220000'
ends "EXIT with PASS before the run's end" registers.exit "$early"
ends "the same, infinitely fast" registers.exit "$early" --mcu-hz inf
fails "the same, of a native twin" 1 "memhelm: registers:registers.exit=1 $early" native registers.exit
fails "where completions end a run" 1 "before the run's end at run.completions, or 220000" image registers.exit --set run.completions=9
fails "compare: a short run has no numbers, and is no base" 1 'baseline +- .*registers.exit=1 +fail' "$memhelm" compare -i "$(faulty registers.exit)" -i baseline --preset mask --workload GUPS+HISTO --cycles 220000 --no-alone
ends "a decision cannot take longer than since its BEGIN" registers.report 'failed at GPU cycle 220000: the firmware reported a decision of 4294967295 mcu cycles for an epoch, but [0-9]+ had passed since its BEGIN; 2 such reports' --json "$work/r.json"
check "and is not kept" python3 - "$work/r.json" <<'EOF2'
import json, sys
core = json.load(open(sys.argv[1]))["run"]["core"]
assert core["bad_reports"] == 2 and core["decisions"] == 2 and 0 < core["decision_max"] < 1000, core
EOF2
at='\(firmware/selftest/'
ends "undefined register: access fault with pc, function, line" registers.hole "$reported load access fault at 0x4000fffc \(no register\) +pc 0x[0-9a-f]+ in registers_on_epoch ${at}registers.c:$(line registers.c MH_WINDOW_BYTES)\), .*mcause 0x00000005"
ends "a tenant that is not there: its register named" registers.tenant "$reported store access fault at 0x40001200 \(register TOKENS\[2\], which this GPU does not have: it has 2 tenants and 30 SMs\) +pc 0x[0-9a-f]+ in registers_on_epoch ${at}registers.c:$(line registers.c "TOKENS, caps->tenants")\)"
fails "the same of a twin" 1 'offset 0x1200 of the GPU window got an error response \(register TOKENS\[2\], which' native registers.tenant
ends "nothing at an address" fault.store "$reported store access fault at 0x30000000 \(nothing is there\)"
ends "division by zero traps, function and line named" fault.divide "$reported breakpoint +pc 0x[0-9a-f]+ in divide_by_zero ${at}fault.c:$(line fault.c EVENT_LOST)\), "
fails "the same of a twin" 1 "fault.divide=1 ended in a fault at GPU cycle 100000: the firmware divided by zero, at firmware/selftest/fault.c:$(line fault.c EVENT_LOST)" native fault.divide
fails "malloc after init in a twin" 1 'fault.heap=1 ended in a fault at GPU cycle 100000: the firmware stopped itself .*memhelm: malloc after init: memory use is fixed at boot' native fault.heap
fails "a twin that stores where nothing is" 1 "the firmware touched memory that is not its own \(0x30000000\), .* at firmware/selftest/fault.c:$(line fault.c 0x30000000)" native fault.store
ends "an assertion says so" fault.assert "$reported breakpoint .*last line of the console: memhelm: assertion failed: caps->sms == 1000 ${at}fault.c:$(line fault.c "assert(caps"), in assert_what_is_not\)"
ends "malloc after init: it and its caller named" fault.heap "$reported breakpoint +pc 0x[0-9a-f]+ in __wrap_malloc \([^)]*\), called from 0x[0-9a-f]+ in allocate ${at}fault.c:[0-9]+\)"
ends "trap vector in a hole" trap.loop 'ended in a fault at GPU cycle [0-9]+: trap loop: the handler \(mtvec 0x00f00000\) of this interrupt trapped itself at 0x00f00000: instruction access fault'
ends "jump into data" trap.data "$reported instruction access fault at 0x0020[0-9a-f]+ \(data\) +pc 0x0020[0-9a-f]+ in no function, called from 0x[0-9a-f]+ in call_data"
ends "store to code" trap.code "$reported store access fault at 0x00100000 \(code\) +pc 0x[0-9a-f]+ in store_to_code ${at}trap.c:$(line trap.c MH_ITCM_BASE)\), .*mcause 0x00000007"
ends "stack overflow" fault.stack "$reported store access fault at 0x00202[0-9a-f]+ \(the guard below the stack: it overflowed\) +pc 0x[0-9a-f]+ in deeper ${at}fault.c:$(($(line fault.c "deeper(volatile") + 1))\), called from 0x[0-9a-f]+ in deeper"
over='stack overflow: sp is 0x00201[0-9a-f]{3}, in data: a frame stepped over the guard at 0x00202000 +pc 0x[0-9a-f]+ in over_guard_frame,'
ends "a frame that steps over the guard" trap.frame:trap.once "ended in a fault at GPU cycle 30[0-9]{4}: $over" --cycles 420000
ends "the same on a core without the plugin" trap.frame:trap.once "ended in a fault at GPU cycle 30[0-9]{4}: $over" --cycles 420000 --core ipc1
fails "and where faults are recovered from" 0 'trap:trap.frame=1:trap.once=1 recovered 2 times; at GPU cycle 30[0-9]{4}: stack overflow: sp is' \
    image trap.frame:trap.once --cycles 2700000 --on-fault recover --json "$work/over.json"
check "and one that waits for the watchdog counts once" python3 - "$work/over.json" <<'EOF2'
import json, sys
r = json.load(open(sys.argv[1]))["run"]["recovery"]
assert (r["faults"], r["bites"], r["resets"]) == (2, 1, 2), r
EOF2
refused='failed at GPU cycle 1[0-9]{5}: the firmware wrote 3 to EXIT; its last COMMIT was rejected: knob'
ends "illegal knob: the run ends there, with its value and range" registers.knob "$refused CTA_LIMIT\[0\] was 33, allowed are 1\.\.32 .*reason=a COMMIT was rejected register=0x1004" --json "$work/k.json"
check "illegal knob: counted in the results, the knob in force unchanged" python3 - "$work/k.json" <<'EOF2'
import json, sys
r = json.load(open(sys.argv[1]))
control, knobs = r["run"]["control"], r["run"]["knobs"]
assert control["rejects"] == 1 and control["last_reject"] == 0x1004, control
assert knobs["cta_limit"] == [32, 32], knobs
EOF2
ends "an issue rate above its range" registers.rate "$refused ISSUE_RATE\[1\] was 70000, allowed are 1\.\.65535 "

# Kernels that would not fit: before anything is simulated.
ccbp() { # kernels, settings..
    local kernels=$1 args=()
    shift
    for setting; do args+=(--set "$setting"); done
    "$memhelm" run ccbp --preset ccbp --workload "$kernels" --cycles 20000 --no-alone "${args[@]}"
}
eight=BP+CFD+BP+CFD+BP+CFD+BP+CFD
refused='ccbp failed at GPU cycle 0: the firmware wrote 2 to EXIT +memhelm: refused policy=ccbp'
fails "least rates of eight kernels on one DRAM channel" 1 "$refused 8 kernels at the least ISSUE_RATE, 64, take [0-9]+ bytes of DRAM in 65536 cycles, of which [0-9]+ are sustainable" ccbp $eight dram.channels=1
check "of one" ccbp BP dram.channels=1
fails "more CTA slots than it counts with" 1 "$refused 40 CTA slots, .*allowed: 32 slots, " ccbp BP+CFD sm.cta_slots=40
fails "more kernels than sub-queues" 2 'l1d.subqueues: 8 tenants on SM 0, but there are 4 sub-queues, and each needs one' ccbp $eight l1d.subqueues=4

# --- Half-way through a decision.

half_way() { # image, further arguments
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
    half_way baseline --cycles 250000 --json "$work/reset.json" --epochs "$work/reset.csv"
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
        half_way "$image" --cycles 600000 --json "$work/stop-$fault.json" --registers "$work/stop-$fault.registers"
    check "$fault: the knobs are those of the last COMMIT" stopped "$fault" "$cause"
    fails "$fault: with recover the run passes, and it is told" 0 "$once recovered 1 time; .*$text( at 0x[0-9a-f]{8} .[^)]*.)?; pc 0x[0-9a-f]{8} in ${where/0x\[0-9a-f]\{8\} in /}[;,]" \
        half_way "$image" --cycles 900000 --mcu-hz 100000000 --on-fault recover \
        --json "$work/recover-$fault.json" --epochs "$work/recover-$fault.csv" --keep "$work/kept-$fault"
    check "$fault: last knobs, safe knobs, the policy again; the GPU runs on" recovered "$fault" "$cause"
    check "$fault: the second boot says so" grep -qr --include=uart.log resets=1 "$work/kept-$fault"
}

# A division by zero is a check that the compiler makes, which ends in an ebreak.
goes_wrong fault stack 7 'store access fault' 'deeper( .[^)]*.)?, called from 0x[0-9a-f]{8} in deeper'
goes_wrong fault store 7 'store access fault' 'store_to_hole'
goes_wrong fault divide 3 'breakpoint' 'divide_by_zero'
fails "what a breakpoint may be" 1 "mcause 0x00000003: breakpoint: the compiler's check of a zero divisor" half_way "$(faulty fault.divide:fault.once)" --cycles 600000
goes_wrong fault jump 1 'instruction access fault' 'no function, called from 0x[0-9a-f]{8} in call_hole'
goes_wrong trap data 1 'instruction access fault' 'no function, called from 0x[0-9a-f]{8} in call_data'
goes_wrong trap code 7 'store access fault' 'store_to_code'
finish
