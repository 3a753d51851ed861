#!/usr/bin/env bash
# MASK's tokens act: with two tenants that thrash the L2 TLB, the token counts move with the miss rate.
. "$(dirname "$0")/lib.sh" "$1"

"$memhelm" run --image mask-tlb --preset mask --workload MVT+HISTO --cycles 1500000 --seed 1 --no-alone \
    --epochs "$work/e.csv" > "$work/out" 2>&1 || cat "$work/out"

# Replays the rule of MASK sec. 5.2 on the logged miss rates: every token count must be the one the rule gives.
rule() {
    python3 - "$work/e.csv" <<'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert rows, "no epochs logged"
moved = 0
for tenant in sorted({r["tenant"] for r in rows}):
    tokens, last = None, None
    for r in [r for r in rows if r["tenant"] == tenant]:
        warps = int(r["warps_peak"])
        step = max(1, warps // 10)
        acc = int(r["l2tlb_access"])
        miss = 10000 * max(0, acc - int(r["l2tlb_hit"]) - int(r["bypass_hit"])) // acc if acc < 1 << 18 else None
        before = tokens
        if tokens is None:
            tokens = max(1, warps * 80 // 100)
        elif miss is not None and last is not None:
            if miss > last + 200: tokens = max(1, tokens - step)
            elif miss + 200 < last: tokens = min(warps, tokens + step)
        assert int(r["tokens"]) == tokens, (tenant, r["epoch"], r["tokens"], tokens, last, miss)
        moved += before is not None and tokens != before
        last = miss
assert moved, "no token count ever moved"
PY
}

check "every decision follows the rule, and some move" rule
finish
