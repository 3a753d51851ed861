#!/usr/bin/env bash
# memhelm table: its numbers beside those of a few lines of Python; formats; what is missing; what is refused.
# shellcheck disable=SC2154,SC1091
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
memhelm=$(realpath "$memhelm")
cd "$work" || exit 1
python3 "$here/points.py" sweep.sqlite

# Every example of the help, as it stands there.
examples() {
    "$memhelm" table --help | sed -n '/^  memhelm table sweep/,/[^\\]$/p' > examples
    grep -c '^  memhelm' examples | grep -qx 3 || return 1
    PATH=$(dirname "$memhelm"):$PATH bash -e examples > examples.out && [ -s points.csv ] &&
        grep -q '^MVT+GUPS  ' examples.out && grep -q '^| mask | ' examples.out
}
check "the help's examples run" examples
check "the program's help has it" bash -c '"$0" --help | grep -q "memhelm table"' "$memhelm"

# gains FILE.json: means, intervals and counts of gains over baseline by another implementation.
cat > gains.py <<'PY'
import json, math, sys
sys.path.insert(0, sys.argv[1])
import points as p
all = list(p.points())
key = lambda x, image: (image, x["workload"], x["seed"], x["l2tlb.entries"])
at = {key(x, x["image"]): x["weighted_speedup"] for x in all}
rows = json.load(open(sys.argv[2]))["rows"]
def near(a, b):
    assert abs(a - b) <= 1e-5 * max(1, abs(b)), (a, b)
for row in rows:
    for cell in row["cells"]:
        seeds = []
        missing = 0
        for seed in p.AXES["seed"]:
            logs = []
            for e in p.AXES["l2tlb.entries"]:
                x = at[(cell["image"], row["workload"], seed, e)]
                missing += x is None
                if x is not None:
                    logs.append(math.log(x / at[("baseline", row["workload"], seed, e)]))
            if logs:
                seeds.append(math.exp(sum(logs) / len(logs)) - 1)
        mean = sum(seeds) / len(seeds)
        sd = math.sqrt(sum((s - mean) ** 2 for s in seeds) / (len(seeds) - 1))
        v = cell["values"]["weighted_speedup"]
        near(v["value"], mean)
        near(v["half"], {2: 12.706, 3: 4.303}[len(seeds)] * sd / math.sqrt(len(seeds)))
        assert v["of"] == 12 and v["points"] == 12 - missing, v
assert [r["workload"] for r in rows] == p.AXES["workload"]
assert [c["image"] for c in rows[0]["cells"]] == ["mask-tlb", "mask"]
PY
pivot=(table sweep.sqlite --rows workload --columns image --value weighted_speedup --against image=baseline)
check "JSON" "$memhelm" "${pivot[@]}" --output gains.json
check "means, intervals and counts are those of another implementation" python3 gains.py "$here" gains.json
check "JSON says why points are missing" grep -q 'the run hung' gains.json

"$memhelm" "${pivot[@]}" > gains.txt
check "a cell that lacks points says so" grep -Eq '^RED\+BP +\+[0-9.]+ \+- [0-9.]+ % \(8 of 12\) ' gains.txt
check "and why, once" [ "$(grep -c 'the run hung' gains.txt)" = 1 ]
check "what a cell is a mean of" grep -q '^Cells: geometric mean over l2tlb.entries (4), then the mean of seed (3) and its 95 % interval.$' gains.txt
check "the same bytes again" bash -c '"$@" | cmp - gains.txt' _ "$memhelm" "${pivot[@]}"

# CSV as Python reads it, flat and pivot.
cat > csvs.py <<'PY'
import csv, sys
sys.path.insert(0, sys.argv[1])
import points as p
flat = list(csv.DictReader(open("flat.csv")))
all = list(p.points())
assert len(flat) == len(all) == 144
for a, b in zip(flat, all):
    for name, value in b.items():
        assert a[name] == "" if value is None else float(a[name]) == value if isinstance(value, (int, float)) else a[name] == value, (a, b)
assert flat[0]["reason"] == "" and any(x["reason"] == p.REASON for x in flat)
pivot = list(csv.DictReader(open("pivot.csv")))
assert [x["l2tlb.entries"] for x in pivot] == ["64", "128", "256", "512"]
assert pivot[0]["mask missing"] == "0" and pivot[0]["mask-tlb missing"] == "1"
assert abs(float(pivot[0]["mask"]) / float(pivot[0]["baseline"]) - 1.08) < 0.03
PY
"$memhelm" table sweep.sqlite --output flat.csv
"$memhelm" table sweep.sqlite --rows l2tlb.entries --columns image --value weighted_speedup --format csv > pivot.csv
check "CSV" python3 csvs.py "$here"
check "Markdown" bash -c '"$0" table sweep.sqlite --rows workload,image --format markdown | grep -qF "| workload | image | weighted_speedup | walks / instructions |"' "$memhelm"
check "flat JSON" bash -c '"$0" table sweep.sqlite --format json --where seed=3 --where "image!=mask" | python3 -c "import json, sys; p = json.load(sys.stdin)[\"points\"]; assert len(p) == 32 and p[0][\"seed\"] == 3"' "$memhelm"
check "chosen columns, sorted" bash -c '"$0" table sweep.sqlite --show image,seed,run --where workload=RED+BP --where l2tlb.entries=64 --sort | tail -n +2 | tr -s " " | cmp - <(printf "baseline 1 key25\nbaseline 2 key29\nbaseline 3 key33\nmask 1 key121\nmask 2 key125\nmask 3 key129\nmask-tlb 1 key73\nmask-tlb 2 key77\nmask-tlb 3 key81\n")' "$memhelm"
check "flat gains" bash -c '"$0" table sweep.sqlite --show image,weighted_speedup --against image=baseline | grep -q "^mask  *+[0-9.]* %$"' "$memhelm"
check "a base among numbers stays" bash -c '"$0" table sweep.sqlite --rows l2tlb.entries --value weighted_speedup --against l2tlb.entries=64 | grep -Eq "^ *64 +0.0 \+- 0.0 %"' "$memhelm"
check "spread" bash -c '"$0" table sweep.sqlite --rows image --value weighted_speedup --against image=baseline --spread | grep -Eq "^mask +\+[0-9.]+ \+- [0-9.]+ % +\+[0-9.]+ % +\+[0-9.]+ % +\+[0-9.]+ %  (MVT|GUPS|RED|BLK)"' "$memhelm"

# What a sweep really leaves: each gain is that of the two runs' own results.
cat > real.py <<'PY'
import json
rows = json.load(open("real.json"))["rows"]
points = json.load(open("points.json"))["points"]
at = {(p["image"], p["seed"], p["l2tlb.entries"]): p["ws"] for p in points}
assert len(at) == 8 and all(v > 0 for v in at.values())
for row in rows:
    e = row["l2tlb.entries"]
    gains = [at["mask-tlb", s, e] / at["baseline", s, e] - 1 for s in (1, 2)]
    v = row["cells"][0]["values"]["ws"]
    assert abs(v["value"] - sum(gains) / 2) < 2e-5 and v["points"] == v["of"] == 2, (v, gains)
assert [row["l2tlb.entries"] for row in rows] == [128, 512]
PY
check "a real sweep" "$memhelm" sweep --twin --image baseline,mask-tlb --workload MVT+GUPS --seeds 1-2 --cycles 100K --vary l2tlb.entries=128,512 --metric ws=weighted_speedup --output real.sqlite
"$memhelm" table real.sqlite -o points.json
"$memhelm" table real.sqlite --rows l2tlb.entries --columns image --against image=baseline -o real.json
check "its points and gains" python3 real.py
check "a speedup of another name is one" bash -c '"$0" table real.sqlite --rows seed | grep -q "^Cells: geometric mean over image"' "$memhelm"

fails "no file" 2 'which file' "$memhelm" table
fails "a file that is none" 2 'nowhere.sqlite: cannot read' "$memhelm" table nowhere.sqlite
fails "a file of something else" 2 'gains.txt: no file of points .*memhelm sweep' "$memhelm" table gains.txt
fails "a column that is none" 2 "sweep.sqlite: --rows: no column 'img'; there are: preset" "$memhelm" table sweep.sqlite --rows img
fails "a value that no point has" 2 'no point has image=masc; nearest: mask; there are: baseline, mask-tlb, mask' "$memhelm" table sweep.sqlite --where image=masc
fails "columns without rows" 2 'columns needs --rows' "$memhelm" table sweep.sqlite --columns image
fails "another format" 2 'allowed: text, csv, json, markdown' "$memhelm" table sweep.sqlite --format xml
fails "another mean" 2 'allowed: geometric, arithmetic, median' "$memhelm" table sweep.sqlite --mean mode
fails "a ratio to nothing" 2 'needs --against' "$memhelm" table sweep.sqlite --as ratio
fails "a full disk" 2 'cannot write all' bash -c '"$0" table sweep.sqlite > /dev/full' "$memhelm"
fails "a file that cannot be written" 2 'cannot write' "$memhelm" table sweep.sqlite --output no/such/dir.csv
finish
