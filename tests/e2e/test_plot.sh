#!/usr/bin/env bash
# memhelm plot: figures of a sweep's points and of epoch logs; what is drawn is what tables and logs have.
# shellcheck disable=SC2154,SC1091
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
memhelm=$(realpath "$memhelm")
cd "$work" || exit 1
python3 "$here/points.py" sweep.sqlite
for image in baseline mask-tlb; do
    "$memhelm" run --twin --image $image --workload MVT+GUPS --cycles 300K --no-alone --epochs $image.csv > /dev/null 2>&1
done

check "the program's help has it" bash -c '"$0" --help | grep -q "memhelm plot"' "$memhelm"

plot() { "$memhelm" plot sweep.sqlite "$@" > plot.out 2> plot.err; }
lines=(--rows l2tlb.entries --columns image --value weighted_speedup)
plot "${lines[@]}" --output lines.svg
check "a figure in four formats, its data and script" bash -c 'head -c 5 lines.svg | grep -q "<?xml" && head -c 4 lines.png | grep -aq PNG && head -c 4 lines.pdf | grep -aq PDF && grep -aq "^%%EOF" lines.eps && [ -s lines.dat ] && [ -s lines.gp ] && grep -qx "./lines.svg" plot.out'
check "readable on a dark page: it has a ground of its own" grep -q 'fill="#ffffff"\|fill *= *"#ffffff"\|fill="white"' lines.svg
check "names of axes and series" bash -c 'for t in l2tlb.entries "weighted speedup" baseline mask-tlb sizes; do grep -qF "$t" lines.svg || exit 1; done'
check "powers of two: a logarithmic axis" grep -q '^set logscale x' lines.gp
check "rings for means of fewer points" bash -c 'grep -q "with points pt 6" lines.gp && grep -q "points are missing" lines.svg && grep -q "the run hung" plot.err'
check "the same bytes again" bash -c 'cp lines.svg was.svg && cp lines.dat was.dat && "$0" plot sweep.sqlite "$@" --output lines.svg > /dev/null 2>&1 && cmp lines.svg was.svg && cmp lines.dat was.dat' "$memhelm" "${lines[@]}"

# What is drawn is what the table has.
cat > drawn.py <<'PY'
import json
rows = json.load(open("lines.json"))["rows"]
blocks = [b for b in open("lines.dat").read().split("\n\n\n") if b.strip()]
assert len(blocks) == 3
for c, block in enumerate(blocks):
    marks = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
    assert [float(m[1]) for m in marks] == [64, 128, 256, 512]
    for row, mark in zip(rows, marks):
        v = row["cells"][c]["values"]["weighted_speedup"]
        for want, got in zip((v["value"], v["value"] - v["half"], v["value"] + v["half"]), mark[2:5]):
            assert abs(want - float(got)) < 2e-5, (want, got)
        assert (mark[5] == "?") == (v["points"] == v["of"])
PY
"$memhelm" table sweep.sqlite "${lines[@]}" --output lines.json
check "means and intervals are the table's" python3 drawn.py

check "steps: a linear axis" bash -c '"$0" plot sweep.sqlite --rows seed --value weighted_speedup -o seeds.svg > /dev/null 2>&1 && ! grep -q logscale seeds.gp' "$memhelm"
check "unless asked for" bash -c '"$0" plot sweep.sqlite --rows seed --value weighted_speedup --log x --log y -o seeds.svg > /dev/null 2>&1 && grep -q "logscale x" seeds.gp && grep -q "logscale y" seeds.gp' "$memhelm"
plot --kind bars --rows workload --columns image --against image=baseline --output bars.svg
check "bars of gains in percent, a panel for each value" bash -c 'grep -q "with boxes" bars.gp && [ "$(grep -c "gain \[%\]" bars.gp)" = 8 ] && grep -q "gain over image=baseline" bars.svg' # of four pictures
plot --kind heat --rows workload --columns l2tlb.entries --value weighted_speedup --against image=baseline --where image=mask-tlb -o heat.svg
check "a heat map with its numbers, * of fewer points" bash -c 'grep -q "with labels" heat.gp && awk -F"\t" "NF == 5 && !/^#/ {n++; star += \$4 ~ /^\+[0-9.]+\*\$/} END {exit !(n == 16 && star == 4)}" heat.dat'
check "the title" bash -c '"$0" plot sweep.sqlite --rows seed --value weighted_speedup --title "It'"'"'s mine" -o t.svg > /dev/null 2>&1 && grep -q "It.*s mine" t.svg' "$memhelm"

# Epoch logs.
cat > epochs.py <<'PY'
import csv
rows = list(csv.DictReader(open("mask-tlb.csv")))
blocks = [b for b in open("e.dat").read().split("\n\n\n") if b.strip()]
assert len(blocks) == 4  # two quantities, two tenants
for tenant in (0, 1):
    own = [r for r in rows if int(r["tenant"]) == tenant]
    for block, quantity in ((blocks[tenant], lambda r, n: int(r["lane_instr"]) / n), (blocks[2 + tenant], lambda r, n: int(r["walks"]))):
        marks = [[float(v) for v in line.split("\t")] for line in block.splitlines() if not line.startswith("#")]
        begin = total = 0
        for i, r in enumerate(own):
            n = int(r["cycle"]) - begin
            v = quantity(r, n)
            first, last = marks[2 * i], marks[2 * i + 1]
            for want, got in ((begin / 1000, first[0]), (int(r["cycle"]) / 1000, last[0]), (v, first[1]), (v, last[1]), (total, first[2]), (total + v, last[2])):
                assert abs(want - got) <= 1e-5 * max(1, abs(want)), (want, got)
            total += v
            begin = int(r["cycle"])
PY
check "epochs" "$memhelm" plot --epochs mask-tlb.csv --panel 'lane_instr / cycles' --panel walks --sums --output e.svg
check "their values and sums are the log's" python3 epochs.py
check "two runs beside each other" bash -c '"$0" plot --epochs baseline.csv mask-tlb.csv -o two.svg > /dev/null && grep -q ">baseline<\|baseline *<" two.svg && grep -q "L2 TLB misses" two.svg' "$memhelm"

fails "no file" 2 'which file' "$memhelm" plot
fails "no rows" 2 'which column is the x axis' "$memhelm" plot sweep.sqlite
fails "no such kind" 2 'allowed: lines, bars, heat' "$memhelm" plot sweep.sqlite --rows image --kind pie
plot --kind bars --rows workload,seed,l2tlb.entries --columns image --value weighted_speedup --output slanted.svg
cat > inside.py <<'PY'
"""inside.py SVG..: every text of gnuplot's figures lies inside of them."""
import re, sys
bad = 0
for path in sys.argv[1:]:
    svg = open(path).read()
    width, height = map(float, re.search(r'viewBox="0 0 (\d+) (\d+)"', svg).groups())
    places = re.findall(r'translate\(([-\d.]+),([-\d.]+)\)[^>]*>\s*<text>(.*)</text>', svg)
    if not places:
        sys.exit(f"{path}: no texts")
    for x, y, text in places:
        if not (0 < float(x) < width and 8 < float(y) < height - 3):
            print(f"{path}: {text!r} at {x},{y} of {width:.0f} x {height:.0f}")
            bad = 1
sys.exit(bad)
PY
check "every text lies in its figure, slanted ones too" bash -c 'grep -q "rotate by -\|rotate by [1-9]" slanted.gp && python3 "$0" ./*.svg' inside.py
plot --kind heat --rows image,workload,seed --columns l2tlb.entries --value weighted_speedup --output tall.svg
plot --kind heat --rows workload,seed --columns image,l2tlb.entries --value weighted_speedup --output wide.svg
plot --kind bars --rows l2tlb.entries --columns image --value weighted_speedup --log y --output log-bars.svg
# Names that are long, and values that are large, small, or end beyond what a double holds.
python3 -c '
import sqlite3
for name, value in ("large", "weighted_speedup * 1234567"), ("small", "(weighted_speedup - 3) * 1.5e-10"), ("vast", "weighted_speedup * 1e306"):
    db = sqlite3.connect(name + ".sqlite")
    sqlite3.connect("sweep.sqlite").backup(db)
    db.execute("update points set weighted_speedup = %s, image = image || \"-of-a-long-name\"" % value)
    db.commit()'
for kind in lines bars heat; do
    for of in large small vast; do
        rows=(image,workload --columns l2tlb.entries) name=$of-$kind
        [ $of = vast ] || [ $of-$kind = small-bars ] && rows=(l2tlb.entries --columns image) name=turned-$of-$kind
        "$memhelm" plot $of.sqlite --kind $kind --rows "${rows[@]}" --value weighted_speedup --output $name.svg > /dev/null 2>&1
    done
done
check "each is a figure" test -s turned-vast-heat.svg -a -s turned-vast-bars.svg -a -s turned-vast-lines.svg
check "texts of cells stay in them" bash -c '! cut -f 4 turned-vast-heat.dat | grep -q ...........'
drawn "any reader draws them all, and none is cut off" ./*.svg
check "an interval has no mark that hides another, and no matrix without an inverse" bash -c '[ "$(grep -lE "scale\(0|#FFFFFF.*scale" ./*.svg)" = "" ] && grep -q "with vectors" lines.gp bars.gp'
check "nor have recorded figures" bash -c '! grep -lE "scale\(0" "$0"/host/*/results/*.svg' "$here/../.."
plot --kind bars --rows workload --columns image --value weighted_speedup --against image=baseline --column 1 --output column.svg
check "of one column of a paper: 3.35 inches, no title" bash -c 'grep -q "width=\"322\"" column.svg && ! grep -q ">sizes<" column.svg && grep -q "size 3.35in" column.gp'
fails "of a third column" 2 'column' "$memhelm" plot sweep.sqlite --rows image --column 3
fails "another ending" 2 'ends in .svg, .png, .pdf or .eps' "$memhelm" plot sweep.sqlite --rows image --output a.jpg
fails "a heat map of one axis" 2 'needs --columns' "$memhelm" plot sweep.sqlite --rows image --kind heat
fails "a logarithm of names" 2 'an axis of numbers above 0' "$memhelm" plot sweep.sqlite --rows image --log x
fails "a logarithm of nothing" 2 'values of 0 or less' "$memhelm" plot sweep.sqlite --rows image --log y --against image=mask
fails "more bars than colours" 2 'choose some by --where' "$memhelm" plot sweep.sqlite --kind bars --rows seed --columns image,l2tlb.entries
fails "nothing to draw" 2 'nothing to draw' "$memhelm" plot sweep.sqlite --rows image --where image=mask-tlb --where workload=RED+BP --where seed=2
cp sweep.sqlite points.dat
fails "a figure over what it is drawn from" 2 'points.dat would be overwritten' "$memhelm" plot points.dat --rows image
check "which is as it was" cmp sweep.sqlite points.dat
fails "no log" 2 'no epoch log' "$memhelm" plot --epochs sweep.sqlite
fails "no column of a log" 2 "no column 'walk'; nearest: walks" "$memhelm" plot --epochs mask-tlb.csv --panel walk
fails "a log has no rows and columns" 2 'epochs draws whole logs' "$memhelm" plot --epochs mask-tlb.csv --rows tenant
fails "panels of a sweep" 2 'are of --epochs' "$memhelm" plot sweep.sqlite --rows image --sums
fails "a directory that cannot be made" 2 'nowhere' "$memhelm" plot sweep.sqlite --rows image --output /proc/nowhere/a.svg
finish
