#!/usr/bin/env bash
# `memhelm latency`: gains over the mcu's clock and bus, runs that are kept, what is written, what goes wrong.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"

latency() {
    timeout 300 "$memhelm" latency --results "$work/results.sqlite" "$@"
}
# A policy that gains here, with 32 missing pages per SM, in epochs that the mcu's answer does not disappear in.
image=mask-tlb
small=(-p mask -w SGEMM+GUP:524288 --set l1tlb.mshrs=32 --cycles 60000 --set run.epoch=5000)

fails "a table and its knee in words: exit 0" 0 \
    'mask-tlb: preset mask, core ibex, 60000 GPU cycles, seeds 1-5 +decided +SGEMM\+GUPS +fairness +answer +longest +missed +awake no time +\+[0-9.]+ \+- [0-9.]+ % .* 2000 MHz .* 25 MHz .* bus 5 .* bus 500 .* no policy .* knee .* longest bus .*Knee: .* Longest bus latency at 500 MHz: ' \
    latency $image "${small[@]}" -o "$work/a.json" --markdown "$work/a.md" --plots "$work/plots"
cp "$work/fails.out" "$work/a.out"
fails "the second call runs nothing" 0 '([0-9]+) runs, \1 of them kept' latency $image "${small[@]}" -o "$work/b.json"
check "kept results give the same bytes" cmp "$work/a.json" "$work/b.json"
"$memhelm" run $image "${small[@]}" --set mcu.watchdog=0 -o "$work/run.json" > /dev/null 2>&1
check "the points, each with five seeds; one of them is what run measures, alone runs in QEMU included" python3 -c '
import json, sys
d, run = (json.load(open(f)) for f in sys.argv[1:])
assert d["schema"] == "memhelm-latency-2" and d["seeds"] == 5
image = d["images"][0]
assert image["core"] == "ibex" and [w["workload"] for w in image["workloads"]] == ["SGEMM+GUP:524288"]
points = {p["name"]: p for p in image["points"]}
assert len(points) == len(image["points"]) == 13
assert [p["hz"] for p in image["points"][1:8]] == [2e9, 1e9, 5e8, 2e8, 1e8, 5e7, 25e6]
assert [p["bus_latency"] for p in image["points"][8:12]] == [5, 20, 100, 500]
assert all(len(s) == 5 and len(set(s)) > 1 for p in image["points"] for s in p["speedups"])
same = ("speedups", "gains", "losses", "fairness", "answer_mean", "awake")
assert all(points["bus 20"][k] == points["500 MHz"][k] for k in same)
assert points["no policy"]["gains"] == [0] and points["no time"]["losses"] == [0] and points["no time"]["awake"] is None
awake = [points[p]["awake"] for p in ("25 MHz", "200 MHz", "500 MHz", "2000 MHz")]
assert 1 >= awake[0] > awake[1] > 1.5 * awake[2] > 3 * awake[3] > 0, awake
ours, theirs = points["500 MHz"]["speedups"][0][0], run["metrics"]["weighted_speedup"]
assert abs(ours - theirs) < 1e-5, (ours, theirs)' "$work/a.json" "$work/run.json"
check "losses are those of the same seed, with their 95 % interval; verdicts and knees follow, and the table says them" python3 -c '
import json, re, statistics, sys
image = json.load(open(sys.argv[1]))["images"][0]
text = open(sys.argv[2]).read()
def interval(values):
    return statistics.mean(values), 2.776 * statistics.stdev(values) / 5 ** 0.5
def near(a, b):
    assert abs(a - b) < 1e-4, (a, b)
points = {p["name"]: p for p in image["points"]}
none = points["no policy"]["speedups"][0]
gains = {n: [a / b - 1 for a, b in zip(p["speedups"][0], none)] for n, p in points.items()}
gain, half = interval(gains["no time"])
workload = image["workloads"][0]
near(workload["gain"], gain), near(workload["gain_half"], half)
assert gain > half and workload["verdict"] == image["verdict"] == "gain"
assert image["worst_workload"] == "SGEMM+GUP:524288"
clocks, buses = [p["name"] for p in image["points"][1:8]], [p["name"] for p in image["points"][8:12]]
keeps = {}
for name in clocks + buses:
    p = points[name]
    loss, width = interval([a - b for a, b in zip(gains["no time"], gains[name])])
    near(p["gains"][0], gain - loss), near(p["losses"][0], loss), near(p["loss_halves"][0], width)
    shown = "no loss shown" if width < gain else "unclear"
    keeps[name] = "kept" if loss <= 0.05 * gain else "lost" if loss > width else shown
    assert p["keeps"] == [keeps[name]], (name, p["keeps"], keeps[name])
assert "lost" in keeps.values() and len(set(keeps.values())) >= 2, keeps
def last(names, fine):
    bad = [i for i, n in enumerate(names) if keeps[n] not in fine]
    return points[names[bad[0] - 1]] if bad != [] and bad[0] else None if bad else points[names[-1]]
lenient = ("kept", "no loss shown")
for names, key, knee, kept in (clocks, "hz", "knee_hz", "kept_hz"), (buses, "bus_latency", "knee_bus", "kept_bus"):
    for fine, what in (lenient, knee), (("kept",), kept):
        at = last(names, fine)
        assert image[what] == workload[what] == (at and at[key]), (what, image[what], at and at[key])
marks = {"kept": "", "no loss shown": " ?", "unclear": " unclear", "lost": " lost"}
printed = dict(re.findall(r"(?m)^(\d+ MHz|bus \d+) +-?[0-9.]+ \+- [0-9.]+ %( \?| unclear| lost|)  ", text))
assert printed == {n: marks[k] for n, k in keeps.items()}, printed
assert "Knee: %d MHz; worst workload: SGEMM+GUPS" % (image["knee_hz"] / 1e6) in text' "$work/a.json" "$work/a.out"
check "slower cores and longer buses answer later" python3 -c '
import json, sys
image = json.load(open(sys.argv[1]))["images"][0]
for way in image["points"][1:8], image["points"][8:12]:
    answers = [p["answer_mean"] for p in way if not p["missed"]]
    assert len(answers) >= 3 and all(b > 1.2 * a for a, b in zip(answers, answers[1:])), answers
    missed = [p["missed"] for p in way]
    assert missed == sorted(missed) and missed[0] == 0 < missed[-1], missed' "$work/a.json"
check "workloads of one's own were not chosen for their gain" bash -c '! grep -q "gained most" "$0/a.out"' "$work"
fails "those of the reference set were: it is said" 0 'Workloads are those .* in which the policy gained most with seed 1, and one in which it did not' latency mask-tlb --cycles 1000 --seeds 1
check "Markdown has the rows" grep -Eq '^\| 200 MHz \| -?[0-9.]+ \+- [0-9.]+ % ' "$work/a.md"
check "a figure, SVG and PNG" bash -c 'grep -q "<svg" "$1/plots/latency-mask-tlb.svg" && head -c 4 "$1/plots/latency-mask-tlb.png" | grep -q PNG' - "$work"
drawn "  which any reader draws" "$work/plots"/*.svg

# A file has no twin: an infinitely fast mcu stands for it.
cp "$build/firmware/$image.elf" "$work/mine.elf"
latency "$work/mine.elf" "${small[@]}" -o "$work/mine.json" > /dev/null 2>&1
check "an image's file: the same numbers" python3 -c '
import json, sys
a, b = (json.load(open(f))["images"][0] for f in sys.argv[1:])
assert b["name"] == "mine"
assert all(p["speedups"] == q["speedups"] for p, q in zip(a["points"], b["points"]))' "$work/a.json" "$work/mine.json"

fails "a policy that gains nothing has no knee" 0 'no time +\+0\.0 \+- 0\.0 %.* knee +nothing to gain .*No knee: nothing to gain' \
    latency walk-fcfs "${small[@]}" --seeds 1-2 --plots "$work/flat"
check "its figure is drawn without a warning" bash -c '! grep -i "warning\|gnuplot" "$0/fails.out" && grep -q "<svg" "$0/flat/latency-walk-fcfs.svg"' "$work"
fails "decisions longer than the epoch have a number, and a mark; one seed has no interval, and it is said" 0 \
    'seed 1 .* 500 MHz [^w]* 200 MHz .* 25 MHz [-+0-9. %]* - +- +83\.3 % +[0-9.]+ % +the watchdog would bite.*One seed has no interval: no verdict and no knee' \
    latency mask -p mask -w MVT+GUPS --cycles 69000 --set run.epoch=11500 --seeds 1
fails "another core, several seeds, two workloads, one of which has a size" 0 \
    'core picorv32, 10000 GPU cycles, seeds 1-2 +decided +MVT\+GUPS +RED\+BP ' \
    latency mask -p mask -w MVT+GUPS -w RED:262144+BP --cycles 10000 --core picorv32 --seeds 1-2
cat > "$work/set.yaml" << 'END'
presets: [{preset: mask, cycles: 10000, cost: 1000}]
images:
- {images: mask-tlb, preset: mask, workloads: [MVT+GUPS, MVT]}
- {images: "mask-cache", preset: mask, workloads: [MVT], variant: yes}
END
fails "a reference set of one's own: its images, but variants" 0 \
    'no row for image mask: left out .*mask-tlb: .*decided +MVT\+GUPS +MVT +fairness' latency --reference "$work/set.yaml" --seeds 1-2
check "with --all variants, too; a line per image" bash -c '"$@" > "$0/all.out" 2> /dev/null && grep -Eq "^mask-cache +mask +ibex +[a-zA-Z]" "$0/all.out" && grep -Eq "^mask-tlb +mask +ibex +[a-zA-Z]" "$0/all.out"' \
    "$work" "$memhelm" latency --results "$work/results.sqlite" --reference "$work/set.yaml" --seeds 1-2 --all

# An end before all is run loses nothing that was finished.
fails "ended early: the table of what is finished, no figure" 143 'Knee: not known, runs are missing.*mask-tlb: runs are missing, no figure' ended_once_kept TERM "$work/long.sqlite" \
    "$memhelm" latency mask-tlb -p mask -w MVT+GUPS --cycles 100000 --seeds 1-2 --results "$work/long.sqlite" -j 2 --plots "$work/plots"
check "and its results are kept" [ "$(kept_runs "$work/long.sqlite")" -gt 0 ]
fails "the next call goes on" 0 '[1-9][0-9]* of them kept from before.*mask-tlb: ' timeout 300 "$memhelm" latency mask-tlb -p mask -w MVT+GUPS --cycles 100000 --seeds 1-2 --results "$work/long.sqlite"

fails "an image that is not there, whatever else is missing" 2 "unknown image 'maks'.*; there are: baseline .* shows all" latency maks
fails "a file that is not there" 2 'nowhere.elf: cannot open' latency "$work/nowhere.elf"
fails "an image without a row" 2 'image baseline: the reference set does not say on what it runs; give --preset and --workload' latency baseline
fails "a file without a workload" 2 'give --preset and --workload' latency "$work/mine.elf" -p mask
fails "a workload that is none" 2 'image mask, workload NO\+GUPS: .*unknown kernel .NO' latency mask -w NO+GUPS
damage tests/data/pb_bicg.w64.gmt.zst "$work/broken.w64.gmt.zst"
fails "a recording that is damaged" 2 '^memhelm: [^ ]*broken.w64.gmt.zst: offset' latency mask -w "GUPS+trace:$work/broken.w64.gmt.zst"
fails "a preset that is none" 2 "there (is|are)" latency mask -p nowhere
fails "a core that is none" 2 'mcu.core: .*nocore' latency mask --core nocore
fails "a clock of one's own" 2 'what is varied here; there is --core' latency mask --set mcu.hz=1
fails "a window by --set" 2 'use --cycles or --seeds' latency mask --set run.cycles=1
fails "names and --all" 2 'one or the other' latency mask --all
fails "seeds that are none" 2 'write one such as 1' latency mask --seeds 5-2
echo 'presets: [{preset: mask, cycles: 1, cost: x}]' > "$work/bad.yaml"
sed 's/workloads: \[MVT\]/&, plain: MVT/' "$work/set.yaml" > "$work/plain.yaml"
fails "a key that a reference set no longer has" 2 "plain.yaml:4: images has no key 'plain'; there are: images preset workloads variant" latency --reference "$work/plain.yaml"
fails "a bad reference set" 2 'bad.yaml:1: images: a list of 1 to 32 is needed' latency --reference "$work/bad.yaml"
fails "results that cannot be kept" 2 'choose another file with --results' "$memhelm" latency $image "${small[@]}" --results /dev/full
fails "a JSON file that cannot be written, before anything runs" 2 'cannot write' latency $image "${small[@]}" -o "$work/no/such/dir.json"
finish
