#!/usr/bin/env bash
# Sectors of the L2: scattered updates of 4 bytes beside what Accel-Sim says of the same traces; and what is refused.
. "$(dirname "$0")/lib.sh" "$1"
data=tests/data/scattered

# updates KIND NAME KEY..: scattered updates of a kind (scatter.py); the result in NAME.json.
updates() {
    local kind=$1 name=$2
    shift 2
    [ -d "$work/$kind" ] || "$data/scatter.py" "$work/$kind" "$kind"
    timeout 100 "$memhelm" run --image baseline --config "$data/rtx2060.yaml" --workload "trace:$work/$kind/kernelslist.g" \
        --twin -j1 --json "$work/$name.json" "${@/#/--set=}"
}

# within KIND NAME WHAT TOLERANCE: of Accel-Sim's; gbs: of DRAM; bytes: of DRAM, for each look-up; hits: of the L2, a share.
within() {
    python3 - "$data/accel-sim.json" "$work/$2.json" "$1" "$3" "$4" << 'PY'
import json, sys
there, run = (json.load(open(f)) for f in sys.argv[1:3])
kind, what, tolerance = sys.argv[3], sys.argv[4], float(sys.argv[5])
a, c = there["traces"][kind], run["run"]["tenants"][0]
moved = (a["read"] + a["written"]) * there["sector_bytes"]
want = {"gbs": moved / a["cycles"] * there["core_mhz"] / 1e3, "bytes": moved / a["accesses"], "hits": a["hits"] / a["accesses"]}
ours = {"gbs": run["metrics"]["dram_gbs"], "bytes": 32 * (c["dram_read_sectors"] + c["dram_write_sectors"]) / c["l2_access"],
        "hits": c["l2_hit"] / c["l2_access"]}
apart = ours[what] - want[what] if what == "hits" else ours[what] / want[what] - 1
print(f"{kind} {what}: {ours[what]:.4g}, there {want[what]:.4g}")
sys.exit(abs(apart) > tolerance)
PY
}

for kind in red st ls; do
    check "$kind: runs with sectors" updates "$kind" "$kind" l2.sector_bytes=32 l2.partial_stores=lazy
    check "$kind: bandwidth within 25 % of Accel-Sim's" within "$kind" "$kind" gbs 0.25
    check "$kind: bytes of DRAM for a look-up within 3 %" within "$kind" "$kind" bytes 0.03
    check "$kind: L2 hits within two points" within "$kind" "$kind" hits 0.02
done
check "atomics with lines: runs" updates red lines
check "and DRAM moves four times as much for a look-up, within 5 %" python3 -c '
import json, sys
sectors, lines = ((c["dram_read_sectors"] + c["dram_write_sectors"]) / c["l2_access"]
                  for c in (json.load(open(f))["run"]["tenants"][0] for f in sys.argv[1:]))
sys.exit(not 3.8 <= lines / sectors <= 4.2)' "$work/red.json" "$work/lines.json"

# refused PRESET KEYS MESSAGE: keys of l2, one a line, in a file of a configuration.
refused() {
    printf 'base: %s\nl2:\n%b' "$1" "$2" > "$work/bad.yaml"
    fails "refused: ${2%%\\n*}, $1" 2 "bad.yaml:3: l2.$3" "$memhelm" run --image baseline --config "$work/bad.yaml" --workload GUPS --twin \
        --json "$work/bad.json"
    check "nothing was simulated" [ ! -e "$work/bad.json" ]
}
refused ccbp '  sector_bytes: 48\n' 'sector_bytes: 48; allowed: 32, 64, or 0'
refused mask '  sector_bytes: 32\n' 'sector_bytes: 32, but a burst of DRAM has 64 bytes'
refused ccbp '  partial_stores: lazy\n' 'partial_stores: lazy is of sectors'
refused ccbp '  partial_stores: late\n' 'partial_stores: .*late.*allowed: fetch, lazy'
finish
