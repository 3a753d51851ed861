#!/usr/bin/env bash
# `memhelm reproduce` with rows of other kinds: an axis of the hardware or of sizes, oracles that `memhelm search` found, and
# several partitions of the SMs, the best of which counts.
. "$(dirname "$0")/lib.sh" "$1"

# --- An axis: who has the value, means and quartiles, figures, errors.

cat > "$work/axis.yaml" << 'END'
title: made up
preset: mask
cycles: 20000
lists: {pairs: [GUPS+MM, RED+BP, BLK+SC, GUPS+NN]}
grids:
  - {id: gain, use: table, title: a gain, metric: weighted_speedup, workloads: pairs,
     run: {image: baseline, set: [l2tlb.entries=8192]}, against: baseline, axis: {key: l1tlb.mshrs, values: [1, 16],
     marks: {4: somebody}}}
  - {id: cost, use: table, title: a cost, metric: weighted_speedup, workloads: pairs, run: baseline,
     against: {image: baseline, design: Ideal}, axis: {key: l1tlb.mshrs, values: {1: [], 16: [walk.walkers=8]}}}
  - {id: level, use: table, title: a level, metric: weighted_speedup, workloads: GUPS+MM, run: baseline,
     axis: {key: l1tlb.mshrs, values: {16: [walk.walkers=8]}}}
  - {id: sized, use: table, title: sizes, metric: ipc, workloads: GUPS+MM, run: baseline, axis: {name: footprint,
     values: [1/4, 1], sizes: {MM: [512, 1024]}}}
plots:
  - {id: axis-gain, title: "it's a figure", axis: gain, panels: [{larger: gain}, {baseline: cost}]}
quick: {grids: [gain], lists: {pairs: [GUPS+MM]}}
END
axis() {
    timeout 300 "$memhelm" reproduce map --rows "$work/axis.yaml" --results "$work/results.sqlite" --twin "$@"
}
fails "tables without rows: means, quartiles, what one workload makes" 0 \
    'l1tlb.mshrs +1 +16 +GUPS\+MM +[-+0-9.]+ % .*geometric mean .*without one .*first quartile .*median .*third quartile +[-+0-9.]+ %' \
    axis --json "$work/a.json" --markdown "$work/a.md" --plots "$work/a"
check "they are those of the cells" python3 -c '
import json, math, statistics, sys
grids = {g["id"]: g for g in json.load(open(sys.argv[1]))["grids"]}
def near(a, b): return abs(a - b) < 1e-5 * max(1, abs(b))
def mean(cells): return math.prod(1 + c for c in cells) ** (1 / len(cells)) - 1
assert [c["value"] for c in grids["gain"]["columns"]] == [1, 16] and grids["gain"]["axis"] == "l1tlb.mshrs"
assert [c["value"] for c in grids["sized"]["columns"]] == [0.25, 1] and grids["sized"]["axis"] == "footprint"
for name in "gain", "cost":
    for c in grids[name]["columns"]:
        own = c["cells"][0]
        assert len(own) == 4 and near(c["ours"], mean(own)), c
        assert near(c["median"], statistics.median(own)), c
        assert all(near(a, b) for a, b in zip(c["quartiles"], statistics.quantiles(own, n=4, method="inclusive")[::2]))
        rest = [mean(own[:i] + own[i + 1:]) for i in range(4)]
        most = max(range(4), key=lambda i: abs(rest[i] - c["ours"]))
        assert c["moves_most"] == {"workload": c["workloads"][most], "without": c["moves_most"]["without"]}, c
        assert near(c["moves_most"]["without"], rest[most]), c
assert "median" not in grids["level"]["columns"][0]
assert [c["programs"] for c in grids["sized"]["columns"]] == [["GUPS+MM:512"], ["GUPS+MM:1024"]]
cost = [c["ours"] for c in grids["cost"]["columns"]]
assert cost[0] < 0 and cost[0] != cost[1], cost' "$work/a.json"

run() { # what `memhelm run` says with these options
    "$memhelm" run --twin --image baseline --preset mask --workload GUPS+MM --cycles 20000 --seed 1 -o "$work/$1.json" "${@:2}" > /dev/null 2>&1
}
run wide --set l1tlb.mshrs=16 --set walk.walkers=8
run ideal --set l1tlb.mshrs=16 --set walk.walkers=8 --design Ideal
check "the value is that of the run, of what it is compared with, and of the alone runs" python3 -c '
import json, sys
d, wide, ideal = (json.load(open(f)) for f in sys.argv[1:])
grids = {g["id"]: g for g in d["grids"]}
level = grids["level"]["columns"][0]["cells"][0][0]
assert level == wide["metrics"]["weighted_speedup"], (level, wide["metrics"])
def ipc(r): return [t["ipc"] for t in r["metrics"]["tenants"]]
alone = [t["ipc_alone"] for t in wide["metrics"]["tenants"]]
best = sum(i / a for i, a in zip(ipc(ideal), alone))      # alone runs are without the design
assert abs(grids["cost"]["columns"][1]["cells"][0][0] - (level / best - 1)) < 1e-4, (level, best)' \
    "$work/a.json" "$work/wide.json" "$work/ideal.json"

check "figures of a plot, and of grids that none has" bash -c 'for f in axis-gain level sized; do grep -q "<svg" "$0/a/$f.svg" && head -c 4 "$0/a/$f.png" | grep -q PNG || exit 1; done; [ ! -e "$0/a/gain.gp" ]' "$work"
drawn "  which any reader draws" "$work/a"/*.svg
check "with the marks, where they belong" grep -q "'somebody' 0.5" "$work/a/axis-gain.gp"
axis --plots "$work/b" --json "$work/b.json" > /dev/null 2>&1
check "twice the same bytes" bash -c 'cmp "$0/a.json" "$0/b.json" && diff -r "$0/a" "$0/b"' "$work"
check "gnuplot has nothing to say" bash -c '! timeout 300 "$0" reproduce map --rows "$1/axis.yaml" --results "$1/results.sqlite" --twin --plots "$1/c" 2>&1 > /dev/null | grep -Ei "gnuplot|warning|range"' "$memhelm" "$work"
check "Markdown has the tables" grep -Eq '^\| third quartile( \| [-+]?[0-9.]+ %){2} \|$' "$work/a.md"
fails "one table" 0 'sizes .*1 tables, 2 runs|GUPS\+MM +[0-9.]+ +[0-9.]+ +mean' axis --row sized
fails "no such table" 2 "map has no such row; .memhelm reproduce map --list. shows them" axis --row nothing
fails "the quick subset has no other tables" 2 'map has no such row in its quick subset' axis --quick --row cost
fails "one workload of each list" 0 'gain +a gain +1 +2 +1 tables, [0-9]+ runs' axis --quick --list
fails "nothing to double" 2 'no row to run' axis --doubling

# A value that the configuration refuses: before anything runs, with file, line and remedy.
sed 's/16: \[walk.walkers=8\]}}}$/16: [walk.buffer=999]}}}/' "$work/axis.yaml" > "$work/wrong.yaml"
fails "a value that is refused" 2 'wrong.yaml:[0-9]+: value 16: .*walk.buffer=999.* but l2tlb.mshrs is 128.*raise that, or 0' \
    "$memhelm" reproduce map --rows "$work/wrong.yaml"
sed 's/key: l1tlb.mshrs, values: \[1/columns: {}, &/; s/title: a gain/&, columns: {a: mask}/' "$work/axis.yaml" > "$work/both.yaml"
fails "columns and an axis" 2 'both.yaml:7: a grid has columns, or run and axis, or run and metrics: leave one of them out' \
    "$memhelm" reproduce map --rows "$work/both.yaml"

check "the built-in study: four mechanisms and what translation costs" bash -c '"$0" reproduce map --list > "$1/list" && for m in mask dws dwspp simt cost-mask cost-dws cost-simt; do [ "$(grep -c "^map-$m-" "$1/list")" -ge 4 ] || exit 1; done' "$memhelm" "$work"

# --- Oracles; the study of CCBP.

# Three CTA slots: 1+1, 1+2 and 2+1; and few SMs.
small=(-w BP:4096+SCP --cycles 3000 --set sm.cta_slots=3 --set sm.count=2 --results "$work/results.sqlite")
check "a search" timeout 300 "$memhelm" search "${small[@]}" -o "$work/shared.json"
check "one with the SMs split" timeout 300 "$memhelm" search "${small[@]}" --spatial -o "$work/split.json"
rows() { # file: rows whose oracle it is
    cat << END
title: made up
preset: ccbp
cycles: 3000
alone: whole
set: [sm.cta_slots=3, sm.count=2]
rows:
  - {id: harmonic, figure: f, what: the best, kind: level, paper: "1", metric: harmonic_speedup, workloads: BP:4096+SCP,
     run: {image: baseline, oracle: {file: $1, metric: harmonic_speedup}}}
  - {id: weighted, figure: f, what: the best, kind: level, paper: "1", metric: weighted_speedup, workloads: BP:4096+SCP,
     run: {image: baseline, oracle: {file: $1, metric: weighted_speedup}}}
  - {id: fewest, figure: f, what: who has fewest SMs, kind: level, paper: "1", metric: "min(sms[0], sms[1])",
     workloads: BP:4096+SCP, run: {image: baseline, oracle: {file: $1, metric: weighted_speedup}}}
  - {id: other, figure: f, what: another workload, kind: level, paper: "1", metric: ipc, workloads: SCP+BP:4096,
     run: {image: baseline, oracle: {file: $1, metric: harmonic_speedup}}}
END
}
reproduce() { # file of rows, options
    timeout 300 "$memhelm" reproduce ccbp --twin --results "$work/results.sqlite" --rows "$@"
}
good=(--row harmonic --row weighted --row fewest)
for sms in shared split; do
    rows "$work/$sms.json" > "$work/$sms.yaml"
    fails "$sms SMs: nothing is simulated that the search has not" 0 '([0-9]+) runs, \1 of them kept' \
        reproduce "$work/$sms.yaml" "${good[@]}" --json "$work/rows-$sms.json"
    check "$sms SMs: the values of the search" python3 -c '
import json, sys
found, rows = (json.load(open(f)) for f in sys.argv[1:3])
best = found["workloads"][0]["best"]
ours = {r["id"]: r["ours"] for r in rows["rows"]}
for id in "harmonic", "weighted":
    assert abs(ours[id] / best[id + "_speedup"][id + "_speedup"] - 1) < 1e-4, (ours, best)
assert ours["fewest"] == {"shared": 2, "split": 1}[sys.argv[3]], ours' "$work/$sms.json" "$work/rows-$sms.json" "$sms"
done
fails "a workload that was not searched" 1 'other, not run: .*shared.json has no workload SCP\+BP:4096; add +it +to +the +search: +memhelm +search +--preset +ccbp +--workload' \
    reproduce "$work/shared.yaml" --row other
sed '/^set:/d' "$work/shared.yaml" > "$work/bare.yaml"
fails "a GPU that was not searched" 1 'harmonic, not run: .*searched +with +--set +sm.cta_slots=3, +which +the +run +has +not' \
    reproduce "$work/bare.yaml" --row harmonic
head -c 500 "$work/shared.json" > "$work/half.json"
rows "$work/half.json" > "$work/half.yaml"
fails "a file that was cut off" 1 'not run: .*half.json:[0-9]+: damaged: .* write +it +again: +memhelm +search +--json' \
    reproduce "$work/half.yaml" --row harmonic
rows "$work/none.json" > "$work/none.yaml"
fails "no file" 1 'not run: .*none.json: cannot open: .*memhelm +search +--json' reproduce "$work/none.yaml" --row harmonic

fails "the study: its rows, for a pair of one's own" 0 'CCBP over WS, harmonic speedup.* of 1 rows agree in sign, .* 0 not run' \
    timeout 300 "$memhelm" reproduce ccbp --twin --cycles 20000 --results "$work/results.sqlite" --row fig9-ws-h --workload BP+CFD

# --- Partitions; the study of that name.

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
