#!/usr/bin/env bash
# The debug build: invariants (nothing lost, nothing translated across address spaces) and sanitizers, on every kernel, a
# recorded trace, three tenants, and each option of the translation hardware. Its results are those of the release. A model
# that stops is named as its own fault, with the path of the oldest request; never a hang, never a result.
. "$(dirname "$0")/lib.sh" "$1"

debug() { # workload, further arguments
    local workload=$1
    shift
    "$build/memhelm-debug" run --image "${image:-mask-tlb}" --twin --no-alone --workload "$workload" --cycles 60000 \
        --set run.epoch=7000 --json "$work/debug.json" "$@" &&
        "$memhelm" run --image "${image:-mask-tlb}" --twin --no-alone --workload "$workload" --cycles 60000 \
            --set run.epoch=7000 --json "$work/release.json" "$@" && cmp "$work/debug.json" "$work/release.json"
}

for pair in MVT+GUPS ATAX+HISTO BICG+RED SCAN+MM BP+3DS trace:tests/data/rod_nw.w64.gmt.zst+GUPS GUPS+MM+3DS; do
    check "$pair: invariants hold, same bytes as the release build" debug "$pair"
done
check "page walk cache" debug MVT+GUPS --set walk.pwc_bytes=8192
check "IOMMU with two TLBs, walk buffer" debug MVT+FFT --set iommu.latency=50 --set iommu.l1_entries=32 \
    --set iommu.l2_entries=256 --set iommu.l2_ways=16 --set walk.walkers=8 --set walk.buffer=64
check "ideal L1 TLB" debug MVT+GUPS --set l1tlb.ideal=1
image=baseline check "no bypass cache" debug MVT+3DS --set l2tlb.bypass_entries=0
fails "mask-tlb refuses a GPU without a bypass cache" any "mask_tokens" debug MVT+3DS --set l2tlb.bypass_entries=0
image=mask-cache check "L2 bypass of walks" debug MUM+BFS
for design in PWCache Static unlimited-walkers simulator; do
    check "design $design" debug MVT+GUPS --design "$design"
done
check "one walker" debug MVT+GUPS --set walk.walkers=1
check "smallest queues" debug 3DS+HISTO --set l1d.mshrs=1 --set l1d.miss_queue=1 --set l1tlb.mshrs=1 \
    --set noc.bank_queue=1 --set l2.mshrs=1 --set l2tlb.mshrs=1 --set l2tlb.queue=1 --set sm.lsu_queue=1 --set sm.loads_per_warp=1
check "32 lanes" debug MVT+SCAN --set sm.lanes=32 --set sm.warps=64

# --- A model that stops.

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
