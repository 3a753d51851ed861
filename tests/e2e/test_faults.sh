#!/usr/bin/env bash
# Firmware that goes wrong: the run ends with a diagnosis and a non-zero exit, never with a crash or a wait for ever.
. "$(dirname "$0")/lib.sh" "$1"

image() { # selftest, further arguments
    local elf=$build/firmware/selftest/$1.elf
    shift
    timeout 120 "$memhelm" run --image "$elf" --preset mask --workload GUPS+HISTO --cycles 220000 --no-alone "$@"
}

fails "hang: named, not waited for" any 'hang|did not answer' image hang
fails "hang with an infinitely fast core" any 'hang|never slept|without sleeping' image hang --mcu-hz inf
fails "hang of a native twin" any 'did not come back' "$memhelm" run --image "$build/twin/selftest/hang.so" --twin --workload GUPS+HISTO --cycles 220000 --no-alone
fails "undefined register: access fault with pc and function" any 'load access fault.*on_epoch|on_epoch.*load access fault' image bad-register
fails "division by zero traps, function named" any 'breakpoint.*on_epoch|on_epoch.*breakpoint|ebreak' image divide
fails "malloc after init" any '__wrap_malloc|malloc' image heap
fails "trap vector in a hole" any 'trap|fault' image trap-loop
fails "jump into data" any 'instruction access fault' image run-data
fails "store to code" any 'store.*access fault' image write-code
fails "stack overflow" any 'store.*access fault|stack' image stack-overflow
fails "illegal knob: the run ends as FAIL" any 'CTA_LIMIT|0x1004|reject' image bad-knob --json "$work/k.json"
check "illegal knob: counted in the results, the knob in force unchanged" python3 - "$work/k.json" <<'EOF2'
import json, sys
r = json.load(open(sys.argv[1]))
control, knobs = r["run"]["control"], r["run"]["knobs"]
assert control["rejects"] > 0 and control["last_reject"] == 0x1004, control
assert knobs["cta_limit"] == [32, 32], knobs
EOF2
finish
