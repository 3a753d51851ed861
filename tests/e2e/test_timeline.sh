#!/usr/bin/env bash
# A run over time: trace events of the mcu, tenants, walks, DRAM queues and page faults; rows of a series, with shares of
# crossbar and DRAM; and launches. Each beside the counters of the result.
. "$(dirname "$0")/lib.sh" "$1"

# --- `memhelm run --timeline`.

here=$(dirname "$0")
run() {
    "$memhelm" run mask -w MVT+GUPS --no-alone --cycles 500000 --set sm.count=8 "$@"
}

check "written" run --timeline "$work/t.json" --json "$work/t.result" --counts "$work/t.counts"
check "it is what Perfetto reads, beside the run's counters" bash -c 'python3 "$@" > "$0"' "$work/t.seen" "$here/timeline.py" "$work/t.json" "$work/t.result"
seen() { # FILE EXPRESSION of `s`
    python3 -c 'import json, sys
s = json.load(open(sys.argv[1]))
assert eval(sys.argv[2]), s' "$@"
}
check "the mcu: awake, its interrupt, the decision, the hook in it, COMMIT" seen "$work/t.seen" '
all(s["kinds"].get(k) for k in ("awake", "interrupt", "epoch decision", "SNAPSHOT", "COMMIT")) and any(k.startswith("mask_tokens.") for k in s["kinds"])'
check "decisions and hooks take what the mcu executed, and its stalls" python3 -c '
import json, sys
events, core, run = (json.load(open(f)) for f in sys.argv[1:])
ratio, spans = 1020 / 500, core["spans"]  # GPU cycles to one of the mcu
mean = lambda values: sum(values) / len(values)
def same(kind, chosen):
    took = [e["args"]["cycles"] for e in events["traceEvents"] if e["ph"] == "X" and chosen(e["name"])]
    samples = [s for span in spans if span["kind"] == kind for s in span["samples"]]
    assert 2 < len(took) <= len(samples), (kind, len(took), len(samples))
    for t in took:  # hooks have samples of the boot, too, which is before the timeline
        assert min(abs(t / ratio - c - stalls) for _, c, stalls in samples) < 2, (kind, t)
    assert kind == "hook" or abs(mean(took) / ratio - mean([c + stalls for _, c, stalls in samples])) < 1, kind
same("source", lambda name: name == "epoch decision")
same("hook", lambda name: ".on_" in name)
irq = [e["args"]["cycles"] for e in events["traceEvents"] if e["name"] == "interrupt"]
result = run["run"]["core"]
assert len(irq) == result["irq_latency_count"] and abs(mean(irq) / ratio - result["irq_latency_sum"] / len(irq)) < 1' \
    "$work/t.json" "$work/t.counts" "$work/t.result"
run --timeline "$work/u.json" > /dev/null
check "the same bytes again" cmp "$work/t.json" "$work/u.json"
run --json "$work/none.result" > /dev/null
check "a run with it is the run" cmp "$work/none.result" "$work/t.result"
check "as a twin" run --twin --timeline "$work/twin.json" --json "$work/twin.result"
run --twin --json "$work/twin.none" > /dev/null
check "  which is the run, too" cmp "$work/twin.none" "$work/twin.result"
check "  and has no slices: its mcu takes no time" bash -c 'python3 "$1" "$2" "$3" > "$0"' "$work/twin.seen" "$here/timeline.py" "$work/twin.json" "$work/twin.result"
check "  but COMMITs" seen "$work/twin.seen" 's["kinds"].keys() == {"SNAPSHOT", "COMMIT"}'
"$memhelm" run helm -w MVT+GUPS -p dws --no-alone --cycles 500000 --twin --timeline "$work/helm.json" --registers "$work/helm.log" > /dev/null
check "knobs of the whole GPU, as the register log has them, where they change" python3 -c '
import json, sys
knobs, written, last = {0x1824: "DRAM_QUEUES", 0x1828: "WALK_ORDER", 0x1850: "WALK_QUEUES", 0x1854: "WALK_STEAL"}, [], {}
for line in open(sys.argv[2]):
    cycle, write, offset, value, ok = line.split()
    name = knobs.get(int(offset, 16))
    if write == "W" and name and last.get(name) != value:
        written.append((name, int(value, 16)))
        last[name] = value
seen = [(e["name"], e["args"]["value"]) for e in json.load(open(sys.argv[1]))["traceEvents"] if e["name"] in knobs.values()]
assert len(seen) > 3 and seen == written, (seen, written)' "$work/helm.json" "$work/helm.log"
counters() { # what both have, of an infinitely fast mcu
    run --mcu-hz inf --timeline "$work/inf.json" > /dev/null
    cmp <(grep '"ph":"C"' "$work/inf.json") <(grep '"ph":"C"' "$work/twin.json")
}
check "counters of a twin are those of firmware that takes no time" counters
check "few samples of a long run: merged" run --twin --set run.log_timeline=10 --timeline "$work/fine.json" --json "$work/fine.result"
check "  into periods of twice as long, and so on" bash -c 'python3 "$1" "$2" "$3" > "$0"' "$work/fine.seen" "$here/timeline.py" "$work/fine.json" "$work/fine.result"
check "  of which there are at most 2048" seen "$work/fine.seen" 's["period"] == 320'
check "page faults" "$memhelm" run etc -p etc -w ATAX --no-alone --set uvm.mode=on --set uvm.capacity=75% --cycles 2M --timeline "$work/f.json" --json "$work/f.result"
check "  that begin and end" bash -c 'python3 "$1" "$2" "$3" > "$0"' "$work/f.seen" "$here/timeline.py" "$work/f.json" "$work/f.result"
check "  as many as were resolved" seen "$work/f.seen" 's["faults"] > 5 and s["other"]["page faults"].startswith("%d of " % s["faults"])'
odd=$work/$'a \'"b'
mkdir "$odd"
check "spaces and quotes in a path" run --twin --timeline "$odd/t.json"
fails "a file that cannot be written, before anything runs" 2 'null' run --timeline /dev/null/x
fails "one file for two results" 2 'two results would be written' run --timeline "$work/x" --epochs "$work/x"
fails "a period that is no number" 2 'run.log_timeline' run --twin --set run.log_timeline=often --timeline "$work/x"
check "--timeline is completed and has a line in --help" bash -c '"$0" run --help | grep -q -- --timeline' "$memhelm"

# --- `memhelm run --series`.

run_series() {
    "$memhelm" run -i baseline -p ccbp -w BP+CFD --no-alone --cycles 40000 --mcu-hz inf "$@"
}

rows() {
    run_series --twin --series "$work/s.csv" --json "$work/s.json" > "$work/s.out" && python3 - "$work/s.csv" "$work/s.json" <<'PY'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1])))
tenants = json.load(open(sys.argv[2]))["run"]["tenants"]
columns = [c for c in rows[0] if c not in ("cycle", "tenant")]
print(columns, rows[:2])
assert [(int(r["cycle"]), int(r["tenant"])) for r in rows] == [(c, t) for c in range(400, 40001, 400) for t in (0, 1)]
assert {"request_reads", "reply_flits", "dram_read", "dram_write", "dram_caused"} <= set(columns)
for t in (0, 1):
    for c in columns:
        assert sum(int(r[c]) for r in rows if int(r["tenant"]) == t) == tenants[t][c], (t, c)
PY
}
same() {
    run_series --twin --json "$work/none.json" > "$work/none.out" && cmp "$work/none.json" "$work/s.json"
}
qemu() {
    run_series --series "$work/q.csv" && cmp "$work/q.csv" "$work/s.csv"
}
as_often() {
    run_series --twin --series "$work/n.csv" --series-cycles 15000 && [ "$(cut -d, -f1,2 "$work/n.csv" | xargs)" = "cycle,tenant 15000,0 15000,1 30000,0 30000,1" ]
}
figure() { # areas of the rows, one upon the other, in percent of 60 and 70 % of the peaks
    run_series --twin --series "$work/f.csv" --series-plot "$work/f.svg" && grep -q '<svg' "$work/f.svg" && python3 - "$work" << 'PY'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/f.csv")))
data = [list(map(float, l.split())) for l in open(sys.argv[1] + "/f.dat") if l[0].isdigit()]
noc, dram = 0.6 * 16 * 400 * 1.2 / 1.8, 0.7 * 319e9 * 400 / 1.8e9 / 128
assert len(data) == 100, len(data)
for d, first, second in zip(data, rows[::2], rows[1::2]):
    lines = [sum(int(r[c]) for c in ("dram_read", "dram_write", "dram_walk")) for r in (first, second)]
    flits = [int(r["reply_flits"]) for r in (first, second)]
    asked = [5 * int(r["request_reads"]) for r in (first, second)]
    want = [asked[0] / noc, sum(asked) / noc, flits[0] / noc, sum(flits) / noc, lines[0] / dram, sum(lines) / dram]
    assert d[0] == int(first["cycle"]) and len(d) == 7, d
    assert all(abs(a - 100 * b) < 1e-3 * max(1, a) for a, b in zip(d[1:], want)), (d, want)
PY
}
last_only() { # of 750 periods 500
    "$memhelm" run -i baseline -p ccbp -w BP --no-alone --cycles 300000 --twin --series-plot "$work/l.svg" && [ "$(grep -c '^[0-9]' "$work/l.dat")" = 500 ] && [ "$(grep '^[0-9]' "$work/l.dat" | tail -n 1 | cut -f1)" = 300000 ]
}
shares() {
    python3 - "$work/s.json" "$work/s.out" <<'PY'
import json, sys
r, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
m, run = r["metrics"], r["run"]
flits = [t["reply_flits"] for t in run["tenants"]]
peak = 16 * run["cycles"] * 1.2 / 1.8
for t in (0, 1):
    share = m["tenants"][t]["noc_share"]
    assert share > 0.01 and abs(share - flits[t] / peak) < 1e-5
    assert f"{100 * share:.1f} %" in text, text
assert abs(m["noc_share"] - sum(flits) / peak) < 1e-5
assert abs(m["dram_share"] - m["dram_gbs"] / m["dram_peak_gbs"]) < 1e-5
PY
}
own_sms() {
    ! "$memhelm" run -i baseline -w GUPS --twin --no-alone --cycles 2000 | grep NoC
}

check "a row per 400 cycles and tenant, and the counters' sums" rows
check "the run is the same without" same
check "firmware's rows are the twin's" qemu
check "rows as often as asked for" as_often
fails "a length that is no number" 2 'run.log_series' run_series --twin --series "$work/x.csv" --series-cycles many
fails "--series and --epochs into one file" 2 'two results would be written to it' run_series --twin --series "$work/x" --epochs "$work/x"
check "a figure of them" figure
drawn "  which any reader draws" "$work/f.svg"
check "its last periods, without a file of rows" last_only
fails "a figure that is no picture" 2 'series-plot [^ ]*/f.jpg: a file.s name that ends in .svg' run_series --twin --series-plot "$work/f.jpg"
fails "a run that is shorter than a period" 2 'no figure: the run was shorter' run_series --twin --cycles 300 --series-plot "$work/f.svg"
check "shares of crossbar and DRAM of each tenant" shares
check "none in the table where nobody shares SMs" own_sms

# --- `memhelm run --per-launch`.

run_launches() {
    "$memhelm" run baseline --twin --no-alone --cycles 100000 --set sm.count=8 "$@"
}
nw=(-w NW:64+GUPS:1024 -s 'tenants[1].arrive=20000' -s 'tenants[1].leave=70000')
run_launches "${nw[@]}" --json "$work/without.json" > /dev/null
fails "a table per tenant" 0 'launches of tenant 0 NW launch +kernel +from cycle +cycles +instructions +IPC +0 +nw_kernel1 +0 .*launches of tenant 1 GUPS .* cut off' \
    run_launches "${nw[@]}" --per-launch --json "$work/with.json"
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
run_launches -w trace:tests/data/rod_lud.w32.gmt.zst -p fermi --per-launch --json "$work/trace.json" > /dev/null
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
