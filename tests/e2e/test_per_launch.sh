#!/usr/bin/env bash
# `memhelm run --per-launch`: a table of each tenant's launches, which add up to the run.
. "$(dirname "$0")/lib.sh" "$1"
run() {
    "$memhelm" run baseline --twin --no-alone --cycles 100000 --set sm.count=8 "$@"
}
nw=(-w NW:64+GUPS:1024 -s 'tenants[1].arrive=20000' -s 'tenants[1].leave=70000')
run "${nw[@]}" --json "$work/without.json" > /dev/null
fails "a table per tenant" 0 'launches of tenant 0 NW launch +kernel +from cycle +cycles +instructions +IPC +0 +nw_kernel1 +0 .*launches of tenant 1 GUPS .* cut off' \
    run "${nw[@]}" --per-launch --json "$work/with.json"
launches() {
    python3 - "$@" <<'PY'
import json, sys
d, without = (json.load(open(f)) for f in sys.argv[1:3])
launches = d.pop("launches")
assert d == without and len(launches) > 20
for t, (tenant, begin, end) in enumerate(zip(d["run"]["tenants"], (0, 20000), (100000, 70000))):
    mine, at = [l for l in launches if l["tenant"] == t], begin
    for i, l in enumerate(mine):
        assert l["launch"] == i and l["cycle"] == at and abs(l["ipc"] - l["lane_instr"] / l["cycles"]) < 1e-5 * l["ipc"] + 1e-6, l
        at += l["cycles"]
    assert at == end and [l["finished"] for l in mine] == [True] * tenant["launches"] + [False] * (len(mine) - tenant["launches"])
    assert sum(l["lane_instr"] for l in mine) == tenant["lane_instr"]
PY
}
check "launches follow each other and add up, and the rest is the run without the option" launches "$work/with.json" "$work/without.json"
check "of a program of several kernels, each by its name" bash -c 'python3 -c "
import json, sys
names = [l[\"kernel\"] for l in json.load(open(sys.argv[1]))[\"launches\"] if l[\"tenant\"] == 0]
assert set(names) == {\"nw_kernel1\", \"nw_kernel2\"}, names" "$0"' "$work/with.json"
run -w trace:tests/data/rod_lud.w32.gmt.zst -p fermi --per-launch --json "$work/trace.json" > /dev/null
check "of a recording, as its header has them" bash -c '"$0" trace info tests/data/rod_lud.w32.gmt.zst > "$2" && python3 -c "
import json, sys
names = {l[\"kernel\"] for l in json.load(open(sys.argv[1]))[\"launches\"]}
text = open(sys.argv[2]).read()
assert names and all(n in text for n in names), names" "$1" "$2"' "$memhelm" "$work/trace.json" "$work/info"
"$memhelm" run baseline --no-alone --cycles 100000 --set sm.count=8 "${nw[@]}" --mcu-hz inf --per-launch --json "$work/qemu.json" > /dev/null
check "QEMU and the twin agree" python3 -c '
import json, sys
a, b = (json.load(open(f))["launches"] for f in sys.argv[1:])
assert a == b' "$work/with.json" "$work/qemu.json"
check "it is in the schema" python3 "$e2e/schema.py" host/report/schema "$work/with.json"
finish
