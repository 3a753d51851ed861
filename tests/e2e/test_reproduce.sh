#!/usr/bin/env bash
# `memhelm reproduce`: rows beside a paper, runs that are kept, what is written, what goes wrong.
. "$(dirname "$0")/lib.sh" "$1"

cat > "$work/rows.yaml" << 'END'
title: made up
preset: mask
cycles: 20000
lists: {pairs: [GUPS+MM, RED+BP], ten: [GUPS+MM]}
rows:
  - {id: none, figure: fig 1, what: baseline beside itself, kind: effect, paper: about 0 %, metric: ipc, run: baseline,
     against: baseline, workloads: pairs}
  - {id: walks, figure: fig 2, what: a larger L2 TLB, kind: effect, paper: +900 %, metric: l2tlb_hit / l2tlb_access,
     run: {image: baseline, set: [l2tlb.entries=8192]}, against: baseline, workloads: GUPS+MM, note: a reason}
  - {id: fair, figure: fig 3, what: speedup, kind: level, paper: "2", metric: weighted_speedup, run: baseline,
     workloads: pairs, over: mean}
  - {id: both, figure: fig 6, what: both, kind: effect, paper: +9000 %, metric: l2tlb_hit / l2tlb_access,
     run: {image: baseline, set: [l2tlb.entries=8192]}, against: baseline, workloads: GUPS+MM, set: [l1tlb.entries=16],
     note: "a reason of many words, so many that a terminal of 118 columns does not hold them on one line, and which goes on behind its end"}
  - {id: more, figure: fig 6, what: both less one, kind: order, paper: lower, metric: l2tlb_hit / l2tlb_access,
     run: {image: baseline, set: [l2tlb.entries=8192]}, against: baseline, workloads: GUPS+MM, set: [l1tlb.entries=16],
     less: plain}
  - {id: lost, figure: fig 4, what: an image that is not there, kind: effect, paper: +1 %, metric: ipc, run: nothing,
     against: baseline, workloads: pairs}
  - {id: uncounted, figure: fig 5, what: a counter that is not there, kind: level, paper: "1", metric: yaks / walks,
     run: baseline, workloads: pairs}
  - {id: flat, figure: fig 8, what: nothing, kind: effect, paper: +0.0 %, metric: ipc, run: baseline, against: baseline,
     workloads: pairs}
  - {id: three, figure: fig 9, what: a gain over three pairs, kind: effect, paper: -90 %, metric: l2tlb_hit / l2tlb_access,
     run: {image: baseline, set: [l2tlb.entries=8192]}, against: baseline, workloads: [GUPS+MM, RED+BP, BLK+SC]}
  - {id: area, figure: fig 7, what: what nobody can run, kind: level, paper: "1", missing: "the model has no areas"}
doubling: [fair]
grids:
  - {id: bars, title: a plot, metric: ipc, against: baseline, workloads: pairs, columns: {tokens: mask-tlb}}
  - {id: levels, title: a plot of its own, metric: ipc, workloads: pairs, columns: {tokens: mask-tlb}}
  - {id: clocks, use: latency, title: time, metric: ipc, against: {image: baseline, machine: twin}, workloads: ten,
     columns: {no time: {image: mask-tlb, machine: twin}, slow: {image: mask-tlb, set: [mcu.hz=100000000]}}}
plots:
  - {id: mask-walks, title: "it's a figure", axis: hits, series: {ours: {large: walks, both: both, missed: more}}}
  - {id: mask-pairs, title: pairs, axis: gain, series: {none: none}, means: {mean: pairs, two: [ten, pairs]}}
  - {id: mask-bars, title: bars, axis: gain, grid: bars, each: no, means: {all: pairs}, paper: {tokens: none}}
quick: {rows: [none], cycles: 10000, lists: {pairs: [GUPS+MM]}}
END

reproduce() {
    timeout 300 "$memhelm" reproduce mask --rows "$work/rows.yaml" --results "$work/results.sqlite" "$@"
}
good=(--row none --row walks --row fair)

check "rows that can be run: exit 0" reproduce --twin "${good[@]}" --json "$work/a.json" --markdown "$work/a.md"
fails "the last line counts, and a miss shows its note" 0 'a larger L2 TLB +\+900 % .* sign agrees .*- walks: a reason .*3 of 3 rows agree in sign, 2 within a quarter, 0 none \(within noise\), 0 not run $' \
    reproduce --twin "${good[@]}"
# GUPS+MM alone brings `one` within a quarter, so that it counts for its sign: the last line accounts for both.
{ sed '/^rows:/q' "$work/rows.yaml"; sed -n '/id: three/,/BLK+SC/{s/three/one/;s/-90 %/+25 %/;p}' "$work/rows.yaml"; } > "$work/one.yaml"
fails "a row that one pair decides: it and the last line agree" 0 \
    'within a quarter \(one pair: GUPS\+MM\) .*1 of 1 rows agree in sign, 0 within a quarter; by one workload alone 0 more agree, 1 more within a quarter, 0 none' \
    timeout 300 "$memhelm" reproduce mask --rows "$work/one.yaml" --results "$work/one.sqlite" --twin
fails "the second call runs nothing" 0 '([0-9]+) runs, \1 of them kept' reproduce --twin "${good[@]}"
reproduce --twin "${good[@]}" --json "$work/b.json" > /dev/null 2>&1
check "kept results give the same bytes" cmp "$work/a.json" "$work/b.json"

# Figures of a recording, without a run: `lost` and `uncounted` have no result in either.
labels() { # DIR: file and number of each bar; a recording has six digits
    (cd "$1" && ls *.svg && grep -o "set label '[^']*'" *.gp)
}
figures() {
    timeout 300 "$memhelm" reproduce mask --rows "$work/rows.yaml" --results "$work/figures.sqlite" --twin --plots "$work/drawn" \
        --json "$work/recording.json.zst" > /dev/null 2>&1
    timeout 60 "$memhelm" reproduce mask --rows "$work/rows.yaml" --results /dev/full --plots "$work/again" \
        --from-recorded="$work/recording.json.zst" && diff <(labels "$work/drawn") <(labels "$work/again") && [ "$(labels "$work/again" | wc -l)" -gt 20 ]
}
check "figures from a recording are those of the runs" figures
recorded() { # ROWS ARGUMENTS..
    "$memhelm" reproduce mask --rows "$@" --plots "$work/again" --from-recorded="$work/recording.json.zst"
}
sed 's/pairs: \[GUPS+MM, RED+BP\]/pairs: [GUPS+MM]/' "$work/rows.yaml" > "$work/moved.yaml"
fails "rows that have other workloads now" 2 'none: recorded with other workloads .*record it anew' recorded "$work/moved.yaml"
sed 's/id: fair/id: unfair/; s/\[fair\]/[unfair]/' "$work/rows.yaml" > "$work/moved.yaml"
fails "a row that is new" 0 '1 rows and columns are not in the recording' recorded "$work/moved.yaml"
fails "the recording of another study" 2 'recorded from study mask, not simt' \
    "$memhelm" reproduce simt --plots "$work/again" --from-recorded="$work/recording.json.zst"
echo "{}" > "$work/rows.json"
fails "no recording" 2 'no file of .memhelm reproduce --json' "$memhelm" reproduce simt --plots "$work/again" --from-recorded="$work/rows.json"
fails "a recording and no figures" 2 'draws the figures of --plots DIR' reproduce --from-recorded

spoil() { # one kept run: another number
    python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("update kept_runs set result = replace(result, ?, ?) where key = (select min(key) from kept_runs)", (": 1", ": 2"))
assert db.total_changes == 1
db.commit()' "$work/results.sqlite"
}
spoil
fails "a kept run that was damaged is run again, and said so" 0 'results.sqlite: 1 kept run was damaged and is run again' \
    reproduce --twin "${good[@]}" --json "$work/b.json"
check "the same bytes" cmp "$work/a.json" "$work/b.json"
fails "it is kept again" 0 '([0-9]+) runs, \1 of them kept' reproduce --twin "${good[@]}"
head -c 5000 "$work/results.sqlite" > "$work/half.sqlite"
fails "a file of kept runs that was cut off" 2 'half.sqlite: database disk image is malformed; choose another file with --results, or delete' \
    "$memhelm" reproduce mask --rows "$work/rows.yaml" --twin --results "$work/half.sqlite"

# Whatever is changed of the program but what determines results: here a byte at its end. The folder has the rest.
mkdir "$work/other" && ln -s "$(realpath "$build")"/* "$work/other" && rm "$work/other/memhelm" "$work/other/qemu.version"
cp "$build/memhelm" "$work/other" && echo >> "$work/other/memhelm" && cp "$build/qemu.version" "$work/other"
other() {
    "${1:-$work/other/memhelm}" reproduce mask --rows "$work/rows.yaml" --results "$work/results.sqlite" --twin "${good[@]}"
}
none='[1-9][0-9]* runs, 0 of them kept'
fails "another build of the program has the same runs" 0 '([0-9]+) runs, \1 of them kept' other
model=$(sed -n 's/.*"model": "\(.*\)",/\1/p' "$work/a.json")
sed "s/$model/${model//[0-8]/9}/" "$build/memhelm" > "$work/other/memhelm"
fails "one with another model has none of them" 0 "$none" other
cp "$build/memhelm" "$work/other" && echo qemu-of-another-series > "$work/other/qemu.version"
fails "nor has one with another QEMU" 0 "$none" other
fails "nor the debug build: its invariants are to be tested" 0 "$none" other "$build/memhelm-debug"

check "baseline beside itself gains nothing, rows have their command" python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
assert d["schema"] == "memhelm-reproduce-1"
rows = {r["id"]: r for r in d["rows"]}
assert rows["none"]["cells"] == [[0.0, 0.0]] and rows["none"]["verdict"] == "holds", rows["none"]
assert rows["walks"]["ours"] > 0 and rows["walks"]["verdict"] == "sign agrees", rows["walks"]
assert 0 < rows["fair"]["ours"] < 2.2
assert rows["fair"]["command"] == f"build/memhelm reproduce mask --row fair --rows {sys.argv[2]} --twin"' \
    "$work/a.json" "$work/rows.yaml"

# A row's command, in a shell in the folder above build, gives that row; a word that a shell would take apart is quoted.
mkdir "$work/top" "$work/it's" && ln -s "$(realpath "$build")" "$work/top/build" && cp "$work/rows.yaml" "$work/it's/rows.yaml"
pasted() {
    local command
    "$memhelm" reproduce mask --rows "$work/it's/rows.yaml" --results "$work/results.sqlite" "$@" -o "$work/given.json" > /dev/null 2>&1
    command=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["rows"][0]["command"])' "$work/given.json")
    [[ $command == "build/memhelm reproduce mask --row "* ]] || { echo "$command"; return 1; }
    (cd "$work/top" && bash -c "$command -o $work/pasted.json --results $work/results.sqlite") > "$work/pasted.out" 2>&1
    grep -qE '([0-9]+) runs, \1 of them kept' "$work/pasted.out" && cmp "$work/given.json" "$work/pasted.json"
}
check "the command of a row gives the row" pasted --row both --twin
check "with all that its result depends on" pasted --row none --twin --quick --cycles 15000 --seeds 2-3 -w GUPS+MM \
    -w "LUD:32" --set l2tlb.entries=256 --set mcu.hz=inf
check "with one seed, and twice the window" pasted --doubling --row fair --twin --seeds 7
check "Markdown has the rows" grep -Eq '^\| fig 1: baseline beside itself \| about 0 % \| 0.0 % \| - \| holds \| `build/memhelm reproduce mask --row none .*` \|$' "$work/a.md"
check "a long note is broken on the terminal, not in Markdown" bash -c '"$0" reproduce mask --rows "$1/rows.yaml" --results "$1/results.sqlite" --twin --row both --markdown "$1/long.md" > "$1/long.txt" && grep -q "^- .both.: a reason of .* behind its end$" "$1/long.md" && grep -qE "^- both: a reason of .{70,99}$" "$1/long.txt" && grep -qE "^  [^ ].* behind its end$" "$1/long.txt"' "$memhelm" "$work"
fails "rows that cannot be run say why, and count as misses: exit 1" 1 \
    '- lost, not run: unknown image .nothing.*- uncounted, not run: .*no counter or metric .yaks.*of 10 rows agree in sign, [0-9]+ within [^,]*, [0-9]+ none [^,]*, 3 not run .*some runs have no result' reproduce --twin
fails "a row that cannot be run counts as not run, and is no failure: exit 0" 0 \
    '- area, not run: the model has no areas +1 of 2 rows agree in sign, 1 within [^,]*, 0 none [^,]*, 1 not run $' reproduce --twin --row none --row area
printf '#!/bin/sh\nexit 3\n' > "$work/dead-qemu" && chmod +x "$work/dead-qemu"
fails "a run that crashes is a failure: exit 1" 1 'none, not run: baseline.*0 of 1 rows.*some runs have no result' \
    env MEMHELM_QEMU="$work/dead-qemu" "$memhelm" reproduce mask --rows "$work/rows.yaml" --results "$work/dead.sqlite" --quick
check "a gain less the same without the row's own set" bash -c '"$0" reproduce mask --rows "$1/rows.yaml" --results "$1/results.sqlite" --twin --row walks --row both --row more -o "$1/less.json" && python3 -c "
import json, sys
ours = {r[\"id\"]: r[\"ours\"] for r in json.load(open(sys.argv[1]))[\"rows\"]}
assert ours[\"both\"] != ours[\"walks\"]
assert abs(ours[\"both\"] - ours[\"walks\"] - ours[\"more\"]) < 1e-4 * ours[\"walks\"], ours" "$1/less.json"' "$memhelm" "$work"
fails "in QEMU, too, and on which core" 0 'firmware in QEMU on core ibex at 500 MHz\. .*1 of 1 rows agree in sign' reproduce --row none
fails "another core, another clock" 0 'firmware in QEMU on core picorv32 at 12\.5 MHz, the quick subset\. ' \
    reproduce --quick --set mcu.core=picorv32 --set mcu.hz=12500000 --json "$work/core.json"
fails "an infinitely fast one" 0 'firmware in QEMU on an infinitely fast mcu, ' reproduce --quick --set mcu.hz=inf
fails "a core that is none" 2 "unknown core .nocore.; there are: ipc1 ibex" reproduce --quick --set mcu.core=nocore
fails "a key that is none" 2 "--set l2.wayz=3: unknown key 'wayz'" reproduce --quick --set l2.wayz=3
fails "quick: its rows, its window" 0 'windows of 10000 .*the quick subset.*1 of 1 rows' reproduce --twin --quick
fails "one seed: it is said that there is no interval" 0 'one seed: no interval is known, and 2 % stand in .*1 of 1 rows' reproduce --twin --row fair
fails "seeds: mean and interval" 0 'seeds 1-3.*over seeds.* [0-9.]+ \+- [0-9.]+ .* over seeds: the mean and its 95 % interval; an effect within it is none .*row +mean +first quartile +median +third quartile +without one +which .* three( +[-+]?[0-9.]+ %){5} +[A-Z]+\+[A-Z]+ .* [1-9] none \(within noise\)' \
    reproduce --twin --row fair --row three --row flat --seeds 1-3 --json "$work/seeds.json" --markdown "$work/seeds.md"
check "in JSON, too: Student's, of the row's own values; the workloads of a mean; what gains nothing in any seed is none" python3 -c '
import json, math, statistics, sys
one, three = (json.load(open(f)) for f in sys.argv[1:])
rows = {r["id"]: r for r in three["rows"]}
assert all(r["interval"] is None and "median" not in r for r in one["rows"])
def near(a, b): return abs(a - b) < 1e-4 * max(1, abs(b))
values = [statistics.mean(c) for c in rows["fair"]["cells"]]
assert near(rows["fair"]["interval"], 4.303 * statistics.stdev(values) / math.sqrt(3)), rows["fair"]
assert near(rows["fair"]["least"], min(values)) and near(rows["fair"]["most"], max(values))
assert rows["flat"]["interval"] == 0 and rows["flat"]["verdict"] == "none", rows["flat"]
assert three["none"] == sum(r["verdict"].split(" (")[0] == "none" for r in three["rows"]), three
r = rows["three"]
own = [statistics.mean(c) for c in zip(*r["cells"])]
assert near(r["median"], statistics.median(own)), r
assert all(near(a, b) for a, b in zip(r["quartiles"], statistics.quantiles(own, n=4, method="inclusive")[::2])), r
def mean(keep): return statistics.mean(math.prod(1 + c[i] for i in keep) ** (1 / len(keep)) - 1 for c in r["cells"])
rest = {w: mean([j for j in range(3) if j != i]) for i, w in enumerate(r["workloads"])}
most = max(rest, key=lambda w: abs(rest[w] - r["ours"]))
assert r["moves_most"]["workload"] == most and near(r["moves_most"]["without"], rest[most]), (r, rest)
assert (r["one_pair"] is None) == ("one pair" not in r["verdict"])' "$work/a.json" "$work/seeds.json"
fails "twice the window" 0 'twice the window +change.*speedup.* %' reproduce --twin --doubling
fails "decisions at several clocks" 0 'no time +slow.*GUPS\+MM +[-+0-9].*geometric mean' reproduce --latency --json "$work/clocks.json"
check "JSON has the core of the call and of each column; a twin has none" python3 -c '
import json, sys
twin, own, clocks = (json.load(open(f)) for f in sys.argv[1:])
assert twin["machine"] == "twin" and twin["core"] is None and twin["rows"][0]["core"] is None
assert own["core"] == own["rows"][0]["core"] == {"name": "picorv32", "hz": 12500000}, own["core"]
assert clocks["core"] == {"name": "ibex", "hz": 500000000}
assert [c["core"] for c in clocks["grids"][0]["columns"]] == [None, {"name": "ibex", "hz": 100000000}]' \
    "$work/a.json" "$work/core.json" "$work/clocks.json"
check "plots, SVG and PNG" bash -c '"$0" reproduce mask --rows "$1/rows.yaml" --results "$1/results.sqlite" --twin --row none --row walks --row both --row more -o "$1/all.json" > /dev/null; "$0" reproduce mask --rows "$1/rows.yaml" --results "$1/results.sqlite" --twin --plots "$1/plots"; [ $? = 1 ] && for f in levels mask-bars mask-pairs mask-walks mask-rows; do grep -q "<svg" "$1/plots/$f.svg" && head -c 4 "$1/plots/$f.png" | grep -q PNG || exit 1; done; grep -q "^mean" "$1/plots/levels.dat" && ! grep -l "$1" "$1"/plots/*.gp' "$memhelm" "$work"
drawn "  which any reader draws" "$work/plots"/*.svg
for id in levels walks; do
    sed "s|id: $id,|id: ../x,|" "$work/rows.yaml" > "$work/above.yaml"
    fails "an id that is a path: $id" 2 "above.yaml:[0-9]+: id '../x' names a figure's file: it takes no '/'" \
        "$memhelm" reproduce mask --rows "$work/above.yaml" --twin --list
done
{ sed '/^rows:/,$d' "$work/rows.yaml"; cat << 'END'
grids:
  - {id: gains, use: table, title: beside the best, relation: gain, metric: l2tlb_hit / l2tlb_access, against: baseline,
     workloads: [GUPS+MM, RED+BP], regret: half,
     columns: {larger: {image: baseline, set: [l2tlb.entries=8192]}, same: baseline, half: {image: baseline, set: [l2tlb.entries=256]}}}
  - {id: parts, use: table, title: one run, run: baseline, workloads: [GUPS+MM],
     metrics: {walks: walks, hits: l2tlb_hit / l2tlb_access, knob: knob.walk_queues}}
END
} > "$work/regret.yaml"
regret() {
    timeout 300 "$memhelm" reproduce mask --rows "$work/regret.yaml" --results "$work/results.sqlite" --twin --cycles 100000 "$@"
}
regret -o "$work/regret.json" > "$work/regret.txt" 2>&1
check "regret: the best of the others, and how far the column is from it" python3 -c '
import json, sys
c = {c["name"]: c["cells"][0] for c in json.load(open(sys.argv[1]))["grids"][0]["columns"]}
lines = {l.split()[0]: l.split()[1:] for l in open(sys.argv[2]) if "+" in l.split(" ")[0] and "%" in l}
assert len(lines) == 2 and max(c["larger"]) > 0, (lines, c)
for i, words in enumerate(lines.values()):
    best = max((0, "none"), (c["larger"][i], "larger"), (c["same"][i], "same"), key=lambda x: x[0])
    assert best[1] in words, (best, words)
    over = 100 * ((1 + c["half"][i]) / (1 + best[0]) - 1)
    assert abs(float(words[-2]) - over) < 0.06, (over, words)' "$work/regret.json" "$work/regret.txt"
check "metrics: of one run, each a column" python3 -c '
import json, sys
c = {c["name"]: c["cells"][0][0] for c in json.load(open(sys.argv[1]))["grids"][1]["columns"]}
assert c.keys() == {"walks", "hits", "knob"} and c["walks"] > 100 and 0 < c["hits"] < 1 and c["knob"] == 0, c' "$work/regret.json"
sed 's/hits: l2tlb_hit/hits: l2tlb_hit +/' "$work/regret.yaml" > "$work/metric.yaml"
fails "  a metric that is none" 2 'metric.yaml:[0-9]+: ' "$memhelm" reproduce mask --rows "$work/metric.yaml" --twin --list
sed 's/run: baseline, workloads/workloads/' "$work/regret.yaml" > "$work/metric-run.yaml"
fails "  without the run" 2 'metric-run.yaml:[0-9]+: run goes with one of axis and metrics: run is missing' \
    "$memhelm" reproduce mask --rows "$work/metric-run.yaml" --twin --list
sed 's/regret: half/regret: hafl/' "$work/regret.yaml" > "$work/regret-name.yaml"
fails "  of a column that is none" 2 "regret-name.yaml:[0-9]+: regret: there is no column 'hafl'" \
    "$memhelm" reproduce mask --rows "$work/regret-name.yaml" --twin --list
sed 's/relation: gain, metric/relation: ratio, metric/' "$work/regret.yaml" > "$work/regret-ratio.yaml"
fails "  of what is no gain" 2 'regret-ratio.yaml:[0-9]+: regret is of a column of gains' \
    "$memhelm" reproduce mask --rows "$work/regret-ratio.yaml" --twin --list
check "a grid that a plot shows has no figure of its own" test ! -e "$work/plots/bars.gp"
check "figures have the paper's bars beside ours, those of the table" python3 -c '
import json, sys
rows = {r["id"]: r for r in json.load(open(sys.argv[1]))["rows"]}
def bars(name):
    blocks = open(f"{sys.argv[2]}/{name}.dat").read().split("\n\n\n")
    return {b.splitlines()[i][2:]: [l.split("\t") for l in b.splitlines()[i + 1:]]
            for b in blocks if b for i in [max(k for k, l in enumerate(b.splitlines()) if l.startswith("#"))]}
def near(a, b): return abs(a - b) < 1e-3 * max(1, abs(b))
walks = bars("mask-walks")
assert [b[0] for b in walks["paper"]] == ["large", "both"] and [float(b[2]) for b in walks["paper"]] == [900, 9000], walks
assert [b[0] for b in walks["ours"]] == ["large", "both", "missed"], walks
assert near(float(walks["ours"][0][2]), 100 * rows["walks"]["ours"]), walks
assert float(walks["paper"][0][4]) == float(walks["ours"][0][3]), walks     # side by side
pairs = bars("mask-pairs")
assert [b[0] for b in pairs["none"]] == ["GUPS+MM", "RED+BP", "mean", "two"] and "paper" not in pairs, pairs
assert [b[0] for b in bars("mask-bars")["tokens"]] == ["all"]
script = open(f"{sys.argv[2]}/mask-pairs.gp").read()
assert "set label \x27about 0 %\x27" in script and "set ylabel \x27gain [%]\x27" in script, script
' "$work/all.json" "$work/plots"
quiet() { # what gnuplot has to say is nothing
    local want=$1
    shift
    reproduce --twin --plots "$work/quiet" "$@" > /dev/null 2> "$work/quiet.err"
    [ $? = "$want" ] && ! grep -Ei 'gnuplot|warning|range|data' "$work/quiet.err"
}
check "levels only: no figure, and that is no failure" quiet 0 --row fair
check "and it is said" grep -q 'mask-rows: nothing to draw, no figure' "$work/quiet.err"
check "bars of one height" quiet 0 --row flat
check "rows without a result: the paper's bars alone" quiet 1 --row lost
check "a figure of them" grep -q '<svg' "$work/quiet/mask-rows.svg"
check "the list runs nothing" bash -c '"$0" reproduce dws --list | tail -n 1 | grep -Eq "^[0-9]+ rows, [0-9]+ runs; with --plots [0-9]+ tables more, which may need runs of their own$"' "$memhelm"
fails "nor does that of the tables" 0 'dws-latency +Total IPC .* 10 +3 dws-missed .* 2 tables, [1-9][0-9]+ runs' "$memhelm" reproduce dws --latency --list
fails "tables have no rows" 2 'row: --latency and --traces are tables of their own' reproduce --latency --row none
check "regular kernels: seventeen images in each of three presets" bash -c '"$0" reproduce regular --list > "$1/list" && for p in simt mask dws; do [ "$(grep -c "^$p-" "$1/list")" = 17 ] || exit 1; done' "$memhelm" "$work"
check "other workloads" bash -c '"$0" reproduce mask --rows "$1/rows.yaml" --results "$1/results.sqlite" --twin --row none -w "trace:tests/data/pb_bicg.w64.gmt.zst+GUPS" -o "$1/w.json" && grep -q "trace:tests/data/pb_bicg" "$1/w.json"' "$memhelm" "$work"

# A row over both readings of a tenant alone: the study's counts, the other is what the row is with that.
printf '%s\n' 'title: readings' 'preset: mask' 'cycles: 20000' 'rows:' \
    '- {id: fair, figure: f, what: w, kind: level, paper: "1", metric: fairness, run: baseline, workloads: GUPS+MM, alone: both}' > "$work/both.yaml"
sed 's/alone: both/alone: whole/' "$work/both.yaml" > "$work/whole.yaml"
readings() { "$memhelm" reproduce mask --rows "$work/$1.yaml" --results "$work/results.sqlite" --twin --json "$work/$1.json"; }
fails "both readings, in a column" 0 'ours +alone on all SMs +ratio' readings both
readings whole > "$work/whole.txt" 2>&1
check "the other reading is a row of its own elsewhere" python3 -c '
import json, sys
(both,), (whole,) = (json.load(open(f))["rows"] for f in sys.argv[1:])
assert both["alone_whole"] == whole["ours"] != both["ours"], (both, whole)' "$work/both.json" "$work/whole.json"
check "no column where nothing asks for it" bash -c '! grep -q "alone on" "$0"' "$work/whole.txt"

# Recorded traces beside generated kernels, as the studies have them.
for study in mask simt dws; do
    check "$study: the recordings of the built-in table run" bash -c '"$0" reproduce '$study' --results "$1/results.sqlite" --twin --traces --cycles 3000 | grep -Ec "^(GUPS\+)?trace:tests/data/[^ ]*( +[-+]?[0-9.]+ %)+ *$" | grep -qx '"$(grep -o "trace:tests/data" host/reproduce/$study.yaml | wc -l)" "$memhelm" "$work"
done
program=$(realpath "$memhelm")
elsewhere() { (cd "$work" && timeout 60 "$program" reproduce "$@"); }
fails "elsewhere: which recordings are missing, and where they were looked for" 2 \
    'looked for from /[^ ]*: tests/data/pb_atax_k1[^ ]* tests/data/pb_atax_k2.* tests/data/rod_hotspot[^ ]*; call memhelm from the top' elsewhere simt --traces
fails "a workload that is none" 2 "unknown kernel 'NOSUCH'; there are: " reproduce -w NOSUCH+GUPS
# Bad input, before anything runs; not a row that was not run.
damage tests/data/pb_bicg.w64.gmt.zst "$work/broken.w64.gmt.zst"
fails "a recording that is damaged" 2 '^memhelm: [^ ]*broken.w64.gmt.zst: offset [0-9]+ ' reproduce -w "GUPS+trace:$work/broken.w64.gmt.zst"
mkdir -p "$work/tree/tests/data" && cp tests/data/*.gmt.zst "$work/tree/tests/data"
damage tests/data/rod_nw.w64.gmt.zst "$work/tree/tests/data/rod_nw.w64.gmt.zst"
in_tree() {
    (cd "$work/tree" && timeout 60 "$program" reproduce simt --results "$work/tree.sqlite" --twin --cycles 3000 --traces)
}
fails "one of the built-in tables" 2 '^memhelm: [^ ]*tests/data/rod_nw.w64.gmt.zst: offset [0-9]+ ' in_tree
fails "a kernel that does not fit" 2 'sm.registers' reproduce -w MM -s sm.registers=1024
fails "an assignment that is wrong" 2 'memhelm: --set l2tlb.entries=70000: l2tlb.entries: 70000 is out of range' reproduce -s l2tlb.entries=70000
fails "a recording that is not there" 2 'looked for from .*: nowhere.gmt; ' reproduce -w GUPS+trace:nowhere.gmt

# Ctrl-C loses nothing that was finished.
cp "$work/rows.yaml" "$work/long.yaml"
sed -i 's/cycles: 20000/cycles: 10000000/' "$work/long.yaml"
fails "Ctrl-C: the table of what is finished" 130 'interrupted.*1 not run' timeout --preserve-status -s INT 8 \
    "$memhelm" reproduce mask --rows "$work/long.yaml" --results "$work/long.sqlite" --twin -j 2 --row fair \
    -w LUD:32 -w GUPS+MM -w RED+BP -w BLK+SC
check "and its results are kept" [ "$(kept_runs "$work/long.sqlite")" -gt 0 ]

echo 'rows: [{id: x}]' > "$work/bad.yaml"
fails "a bad rows file" 2 'bad.yaml:1: a row needs figure|title, preset and cycles' "$memhelm" reproduce mask --rows "$work/bad.yaml"
fails "an unknown row" 2 "has no such row; .memhelm reproduce mask --list. shows them" reproduce --row fig99
fails "an unknown paper" 2 'there are: mask simt dws etc ccbp regular causes partition compose' "$memhelm" reproduce nope
named() { # every study that there is
    local name names
    names=$("$memhelm" reproduce nope 2>&1 | sed -n 's/.*there are: //p')
    "$memhelm" reproduce --help > "$work/help"
    [ -n "$names" ] && for name in $names; do
        grep -q "^  $name: " "$work/help" && grep -Eq "^- \`$name\`|^\`memhelm reproduce ([a-z]+\|)*$name\b" host/reproduce/README.md || return 1
    done
}
check "the help and the README name every study" named
fails "no paper" 2 'which paper' "$memhelm" reproduce
fails "results that cannot be kept" 2 'choose another file with --results' "$memhelm" reproduce mask --rows "$work/rows.yaml" --results /dev/full --twin --row none
check "a disk that fills up: said once, the run goes on" bash -c 'trap "" XFSZ; ulimit -f 24; "$0" reproduce mask --rows "$1/rows.yaml" --results "$1/full.sqlite" --twin -j 1 --row none --row walks --row fair > "$1/full.out" 2> "$1/full.err" && [ "$(grep -c "results are not kept" "$1/full.err")" = 1 ] && grep -q "3 of 3 rows" "$1/full.out"' "$memhelm" "$work"
fails "a JSON file that cannot be written, before anything runs" 2 'cannot write' reproduce --twin --json "$work/no/such/dir.json"
fails "seeds that are none" 2 'write one such as 1' reproduce --seeds 5-2
fails "two modes" 2 'one of them' reproduce --latency --traces
finish
