#!/usr/bin/env bash
# A series over time, and shares of crossbar and DRAM: rows and metrics beside the counters of the result.
. "$(dirname "$0")/lib.sh" "$1"

run() {
    "$memhelm" run -i baseline -p ccbp -w BP+CFD --no-alone --cycles 40000 --mcu-hz inf "$@"
}

rows() {
    run --twin --series "$work/s.csv" --json "$work/s.json" > "$work/s.out" && python3 - "$work/s.csv" "$work/s.json" <<'PY'
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
    run --twin --json "$work/none.json" > "$work/none.out" && cmp "$work/none.json" "$work/s.json"
}
qemu() {
    run --series "$work/q.csv" && cmp "$work/q.csv" "$work/s.csv"
}
as_often() {
    run --twin --series "$work/n.csv" --series-cycles 15000 && [ "$(cut -d, -f1,2 "$work/n.csv" | xargs)" = "cycle,tenant 15000,0 15000,1 30000,0 30000,1" ]
}
figure() { # areas of the rows, one upon the other, in percent of 60 and 70 % of the peaks
    run --twin --series "$work/f.csv" --series-plot "$work/f.svg" && grep -q '<svg' "$work/f.svg" && python3 - "$work" << 'PY'
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
fails "a length that is no number" 2 'run.log_series' run --twin --series "$work/x.csv" --series-cycles many
fails "--series and --epochs into one file" 2 'two results would be written to it' run --twin --series "$work/x" --epochs "$work/x"
check "a figure of them" figure
drawn "  which any reader draws" "$work/f.svg"
check "its last periods, without a file of rows" last_only
fails "a figure that is no picture" 2 'series-plot [^ ]*/f.jpg: a file.s name that ends in .svg' run --twin --series-plot "$work/f.jpg"
fails "a run that is shorter than a period" 2 'no figure: the run was shorter' run --twin --cycles 300 --series-plot "$work/f.svg"
check "shares of crossbar and DRAM of each tenant" shares
check "none in the table where nobody shares SMs" own_sms
finish
