#!/usr/bin/env bash
# `memhelm reproduce` on several partitions of the SMs, the best of which counts; the study of that name.
. "$(dirname "$0")/lib.sh" "$1"

cat > "$work/parts.yaml" << 'END'
title: made up
preset: mask
cycles: 20000
lists: {pairs: [GUPS+MM, RED+BP]}
rows:
  - {id: own, figure: f, what: each its best, kind: effect, paper: about 0 %, metric: weighted_speedup, run: mask-tlb,
     against: baseline, workloads: pairs, partitions: [5, 15, 25]}
  - {id: under, figure: f, what: the best under Ideal, kind: level, paper: "2", metric: weighted_speedup, run: baseline,
     workloads: pairs, partitions: [5, 15, 25], under: {image: baseline, design: Ideal}, over: mean}
  - {id: three, figure: f, what: more than two, kind: level, paper: "2", metric: weighted_speedup, run: baseline,
     workloads: GUPS+MM+BP, partitions: [5, 15]}
  - {id: many, figure: f, what: all SMs for one, kind: level, paper: "2", metric: weighted_speedup, run: baseline,
     workloads: GUPS+MM, partitions: [5, 30]}
  - {id: equal, figure: f, what: equal parts, kind: level, paper: "2", metric: weighted_speedup, run: baseline,
     workloads: pairs, over: mean}
grids:
  - {id: tried, use: table, title: all that was tried, metric: weighted_speedup, over: geomean, workloads: pairs, columns:
     {5: {image: baseline, partitions: [5]}, 15: {image: baseline, partitions: [15]}, 25: {image: baseline,
     partitions: [25]}, best: baseline, ideal: {image: baseline, design: Ideal}}, partitions: [5, 15, 25]}
  - {id: sms, use: table, title: who has how many, digits: 0, metric: "sms[0]", workloads: pairs, columns:
     {best: baseline, equal: {image: baseline, partitions: [15]}}, partitions: [5, 15, 25]}
quick: {rows: [own, under, equal], cycles: 20000}
END
parts() {
    timeout 300 "$memhelm" reproduce mask --rows "$work/parts.yaml" --results "$work/results.sqlite" --twin "$@"
}
fails "partitions: tables beside the rows" 0 'GUPS\+MM( +[0-9.]+){5} .*who has how many.* GUPS\+MM +(5|15|25) +15 .*of 3 rows agree' \
    parts --quick --json "$work/parts.json"
check "the highest weighted speedup counts, in rows, too; the best under another run is that of it" python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
tried, sms = ({c["name"]: c for c in g["columns"]} for g in d["grids"])
rows = {r["id"]: r for r in d["rows"]}
ideal = tried["ideal"]["partitions"][0]
for w in range(2):
    found = {n: tried[str(n)]["cells"][0][w] for n in (5, 15, 25)}
    best = max(found, key=found.get)
    assert tried["best"]["cells"][0][w] == found[best], found
    assert sms["best"]["cells"][0][w] == best and sms["equal"]["cells"][0][w] == 15
    assert rows["own"]["against_partitions"][0][w] == tried["best"]["partitions"][0][w] == best
    assert rows["under"]["cells"][0][w] == found[ideal[w]]
    assert rows["equal"]["cells"][0][w] == found[15]
assert rows["under"]["partitions"] == [ideal] and "partitions" not in sms["equal"]' "$work/parts.json"
check "the last line of a table: the geometric mean where it is asked for, else the mean" bash -c '"$0" reproduce mask --rows "$1/parts.yaml" --results "$1/results.sqlite" --twin --quick > "$1/tables.txt" && python3 -c "
import json, math, sys
tried, sms = json.load(open(sys.argv[1]))[\"grids\"]
lines = [l.split() for l in open(sys.argv[2])]
shown = next(l[2:] for l in lines if l[:2] == [\"geometric\", \"mean\"])
assert shown == [\"%.3f\" % math.sqrt(math.prod(c[\"cells\"][0])) for c in tried[\"columns\"]], shown
shown = next(l[1:] for l in lines if l[:1] == [\"mean\"])
assert shown == [\"%.0f\" % (sum(c[\"cells\"][0]) / 2) for c in sms[\"columns\"]], shown" "$1/parts.json" "$1/tables.txt"' "$memhelm" "$work"
check "alone runs have the SMs of the partition: as memhelm run" bash -c '"$0" run --twin --image baseline --preset mask --workload GUPS+MM --cycles 20000 --seed 1 --set "tenants[0].sm_count=5" --set "tenants[1].sm_count=25" -o "$1/run.json" && python3 -c "
import json, sys
run, parts = (json.load(open(f)) for f in sys.argv[1:])
assert run[\"metrics\"][\"weighted_speedup\"] == parts[\"grids\"][0][\"columns\"][0][\"cells\"][0][0]" "$1/run.json" "$1/parts.json"' "$memhelm" "$work"
alone() { # a row of it, without the tables
    parts --row own > "$work/row.txt" && grep -q 'each its best' "$work/row.txt" && ! grep -q 'all that was tried' "$work/row.txt"
}
check "a row of it, without the tables" alone
fails "tables are listed with the rows" 0 'own +f: each its best .*tried +all that was tried +2 +5 .*3 rows, 2 tables, [0-9]+ runs' parts --quick --list
fails "three tenants have no first and second part" 1 'three, not run: partitions are of two tenants, here are 3' parts --row three
fails "nor may one have all SMs" 1 'many, not run: partitions: 30 SMs for the first tenant leave none of 30' parts --row many
sed 's/5, 30/30, 5/' "$work/parts.yaml" > "$work/bad.yaml"
fails "partitions in disorder: file and line" 2 'bad.yaml:13: partitions, .* ascending order, is a whole number, 31\.\.255, not .5.' \
    "$memhelm" reproduce mask --rows "$work/bad.yaml"
fails "the study of it, for a pair of one's own" 0 'by the SMs of the first.*GUPS\+MM( +[0-9.]+){8} .*GUPS\+MM( +[0-9]+){5} .*of 5 rows agree in sign, .* 0 not run' \
    "$memhelm" reproduce partition --twin --quick --cycles 5000 --results "$work/results.sqlite" --workload GUPS+MM
finish
