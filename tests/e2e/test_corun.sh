#!/usr/bin/env bash
# CCBP while kernels come and go: nobody who runs already is stopped for what has to be measured of the others.
. "$(dirname "$0")/lib.sh" "$1"

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
finish
