#!/usr/bin/env bash
# Two kernels on the same SMs: each has half of what it has alone on them, and `alone` is alone on the same SMs. They are
# to compute, and not to wait for pages: 32 of them may miss at a time.
. "$(dirname "$0")/lib.sh" "$1"

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
finish
