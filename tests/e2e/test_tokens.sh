#!/usr/bin/env bash
# quick: one of the scripts of make check
# MASK's tokens act: with two tenants that thrash the L2 TLB, the token counts move with the miss rate; those of a
# tenant that comes late, and whose warps come one after the other, follow their number.
. "$(dirname "$0")/lib.sh" "$1"

"$memhelm" run --image mask-tlb --preset mask --workload MVT+HISTO --cycles 1500000 --seed 1 --no-alone \
    --epochs "$work/e.csv" > "$work/out" 2>&1 || cat "$work/out"
"$memhelm" run --image mask-tlb --preset mask --workload LPS+NW --cycles 1500000 --seed 1 --no-alone \
    --set 'tenants[1].arrive=250000' --epochs "$work/late.csv" > "$work/out" 2>&1 || cat "$work/out"

# Replays the rule of MASK sec. 5.2 on the logged miss rates: every token count must be the one the rule gives.
rule() {
    python3 - "$@" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert rows, "no epochs logged"
ALL = 32 # warps of an SM of this preset
def initial(warps): return max(1, warps * 80 // 100)
moved = ramps = absent = 0
for tenant in sorted({r["tenant"] for r in rows}):
    tokens, last, had = None, None, 0
    for r in [r for r in rows if r["tenant"] == tenant]:
        warps = int(r["warps_peak"])
        step = max(1, warps // 10)
        acc = int(r["l2tlb_access"])
        miss = 10000 * max(0, acc - int(r["l2tlb_hit"]) - int(r["bypass_hit"])) // acc if 0 < acc < 1 << 18 else None
        if warps == 0:
            assert int(r["tokens"]) == ALL, (tenant, r["epoch"], r["tokens"], "restricted before it arrived")
            absent += 1
            continue
        before = tokens
        if tokens is None:
            tokens = initial(warps)
        else:
            tokens = min(warps, max(1, tokens + initial(warps) - initial(had)))
            ramps += warps > had
        if before is not None and miss is not None and last is not None:
            if miss > last + 200: tokens = max(1, tokens - step)
            elif miss + 200 < last: tokens = min(warps, tokens + step)
        assert int(r["tokens"]) == tokens, (tenant, r["epoch"], r["tokens"], tokens, last, miss)
        moved += before is not None and tokens != before
        last, had = miss if miss is not None else last, warps
assert moved, "no token count ever moved"
assert len(sys.argv) < 3 or ramps >= 3 and absent, (ramps, absent, "no late tenant, or none whose warps grow")
PY
}

check "every decision follows the rule, and some move" rule "$work/e.csv"
check "a late tenant is not restricted at first; its tokens grow with its warps" rule "$work/late.csv" late
finish
