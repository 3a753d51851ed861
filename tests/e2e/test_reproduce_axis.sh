#!/usr/bin/env bash
# `memhelm reproduce` over an axis of the hardware or of sizes: who has the value, means and quartiles, figures, errors.
. "$(dirname "$0")/lib.sh" "$1"

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
finish
