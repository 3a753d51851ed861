#!/usr/bin/env bash
# A model that stops: named as its own fault, with the path of the oldest request; never a hang, never a result.
. "$(dirname "$0")/lib.sh" "$1"

# lose EVENT:NUMBER ARGUMENTS..: a debug build whose model loses one event.
lose() {
    local event=$1
    shift
    MEMHELM_LOSE_EVENT=$event timeout 300 "$build/memhelm-debug" run --image baseline --twin --no-alone "$@"
}

small=(--workload GUPS --set sm.count=1 --set sm.warps=4 --cycles 150000)
fails "every event is gone: found at once" 1 \
    'the model stands still at GPU cycle [0-9]+: no event is left.*load that warp [0-3] of SM 0.*GUPS.*walk [0-9]+ of page.*EV_PTE.*please report it' \
    lose EV_PTE:40 "${small[@]}" --keep "$work/one" --json "$work/one.json"
check "what is kept says so" grep -q '"end": "deadlock"' "$work/one/baseline-0/result.json"
check "its configuration is there to be reported" test -s "$work/one/baseline-0/config.yaml"
fails "one request is lost, the others go on: found by its age" 1 \
    'a request of cycle [0-9]+ has not moved.*load that warp .*EV_PTE' \
    lose EV_PTE:400 --workload GUPS+MVT --set sm.count=2 --cycles 3000000
check "nothing is lost: nothing is found" lose EV_PTE:0 "${small[@]}"
finish
