#!/usr/bin/env bash
# quick: one of the scripts of make check
# `memhelm search`: the combinations, the best of them, runs that are kept, what is written, what goes wrong.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"

search() {
    timeout 300 "$memhelm" search --results "$work/results.sqlite" "$@"
}
# Three CTA slots: 1+1, 1+2 and 2+1; and few SMs.
small=(-w BP:4096+SCP --cycles 3000 --set sm.cta_slots=3 --set sm.count=2)

fails "--list: combinations, needs, time; nothing is run" 0 \
    'BP\+SCP: 3 CTA combinations +kernel +CTAs +warps +registers +shared bytes +most on an SM +BP +256 +8 +5120 +1088 +3 .* 1 \+ 1\.\.2 +2 \+ 1 .*6 runs of 3000 GPU cycles: .*0 are kept from before. The others take less than a minute' \
    search "${small[@]}" --list
check "and nothing was kept" [ "$(kept_runs "$work/results.sqlite")" -eq 0 ]
fails "the best by each metric, beside even and no limits" 0 \
    '6 runs, 0 of them kept from before.*BP\+SCP on ccbp, all SMs shared: 3 CTA combinations, 3000 GPU cycles, seed 1 +chosen by +CTAs +harmonic speedup +weighted speedup +maximum slowdown +fairness +speedup BP +speedup SCP harmonic speedup +[12]\+[12] .* weighted speedup +[12]\+[12] .* \(even\) +1\+1 .* \(no limits\) +- ' \
    search "${small[@]}" --json "$work/a.json" --markdown "$work/a.md" --plots "$work/plots"
check "six runs are kept" [ "$(kept_runs "$work/results.sqlite")" -eq 6 ]
fails "the second call runs nothing" 0 '6 runs, 6 of them kept' search "${small[@]}" --json "$work/b.json"
check "kept results give the same bytes" cmp "$work/a.json" "$work/b.json"
"$memhelm" run baseline --twin -p ccbp "${small[@]}" --set tenants[0].cta_limit=2 --set tenants[1].cta_limit=1 -o "$work/run.json" > /dev/null 2>&1
check "a combination is what run measures with these limits; the best is the best of the surface" python3 -c '
import json, sys
d, run = (json.load(open(f)) for f in sys.argv[1:])
w, = d["workloads"]
assert d["schema"] == "memhelm-search-1" and d["sms"] == "shared" and d["seeds"] == 1 and w["missing"] == 0
columns, rows = w["surface"]["columns"], w["surface"]["rows"]
assert columns[:5] == ["ctas[0]", "ctas[1]", "seed", "ipc[0]", "ipc[1]"]
assert [r[:3] for r in rows] == [[1, 1, 1], [1, 2, 1], [2, 1, 1]]
point = dict(zip(columns, rows[2]))
def near(a, b):
    assert abs(a - b) < 1e-4 * abs(b), (a, b)
near(point["weighted_speedup"], run["metrics"]["weighted_speedup"])
near(point["harmonic_speedup"], run["metrics"]["harmonic_speedup"])
alone = [k["ipc_alone"][0] for k in w["kernels"]]
for r in rows:
    p = dict(zip(columns, r))
    s = [p["ipc[%d]" % t] / alone[t] for t in (0, 1)]
    near(p["weighted_speedup"], sum(s))
    near(p["harmonic_speedup"], 2 / (1 / s[0] + 1 / s[1]))
    near(p["max_slowdown"], 1 / min(s))
    near(p["fairness"], min(s) / max(s))
for m, pick in ("harmonic_speedup", max), ("weighted_speedup", max), ("max_slowdown", min), ("fairness", max):
    best = pick(rows, key=lambda r: r[columns.index(m)])
    assert w["best"][m]["ctas"] == best[:2], (m, w["best"][m], best)
    near(w["best"][m][m], best[columns.index(m)])
assert w["even"]["ctas"] == [1, 1]
assert w["no_limits"]["weighted_speedup"] > 0' "$work/a.json" "$work/run.json"
"$memhelm" run baseline --twin -p ccbp -w BP:4096 "${small[@]:2}" --set sm.scheduler=gto --set sm.scheduler_alone=same --no-alone -o "$work/gto.json" > /dev/null 2>&1
"$memhelm" run baseline --twin -p ccbp -w BP:4096 "${small[@]:2}" --set sm.scheduler_alone=same --no-alone -o "$work/lrr.json" > /dev/null 2>&1
check "alone means under GTO, on all SMs" python3 -c '
import json, sys
d, gto, lrr = (json.load(open(f)) for f in sys.argv[1:])
alone = d["workloads"][0]["kernels"][0]["ipc_alone"][0]
ipc = [r["metrics"]["ipc"] for r in (gto, lrr)]
assert abs(alone / ipc[0] - 1) < 1e-4 and ipc[0] != ipc[1], (alone, ipc)' "$work/a.json" "$work/gto.json" "$work/lrr.json"
check "what is kept says which run it is" python3 -c '
import sqlite3, sys
what = [r[0] for r in sqlite3.connect(sys.argv[1]).execute("select what from kept_runs order by what")]
assert what == ["baseline BP:4096+SCP", "baseline BP:4096+SCP, CTAs 1+1", "baseline BP:4096+SCP, CTAs 1+2",
                "baseline BP:4096+SCP, CTAs 2+1", "baseline alone BP", "baseline alone SCP"], what' "$work/results.sqlite"
check "Markdown has the surface, its best in bold" bash -c 'grep -Eq "^\| 1 \|( \*\*| )[0-9.]+(\*\*)? \|( \*\*| )[0-9.]+(\*\*)? \|( \|)?$" "$0/a.md" && grep -q "\*\*" "$0/a.md"' "$work"
check "a heat map, SVG and PNG" bash -c 'grep -q "<svg" "$1/plots/search-BP+SCP.svg" && head -c 4 "$1/plots/search-BP+SCP.png" | grep -q PNG' - "$work"
drawn "  which any reader draws" "$work/plots"/*.svg

fails "SMs split: any number beside any other, the same alone runs" 0 \
    '12 runs, 2 of them kept.*BP\+SCP on ccbp, SMs split evenly: 9 CTA combinations' \
    search "${small[@]}" --spatial --json "$work/spatial.json" --metric weighted
check "each on its own half" python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
w, = d["workloads"]
most = [k["most_ctas"] for k in w["kernels"]]
assert d["sms"] == "split" and most == [3, 3], most
assert [r[:2] for r in w["surface"]["rows"]] == [[a, b] for a in (1, 2, 3) for b in (1, 2, 3)]
assert w["even"] is None' "$work/spatial.json"
fails "several seeds: means with their intervals" 0 'seeds 1-2 .* harmonic speedup +[12]\+[12] +[0-9.]+ \+- [0-9.]+ ' \
    search "${small[@]}" --seeds 1-2
fails "three kernels" 0 'BP\+SCP\+SCP on ccbp, all SMs shared: 1 CTA combination, .*1\+1\+1' \
    search -w BP:4096+SCP+SCP --cycles 2000 --set sm.cta_slots=3 --set sm.count=2 --plots "$work/three"
check "without a heat map, which is said" grep -q 'a heat map is of two kernels' "$work/fails.out"
fails "several workloads have a table of all" 0 'workload +class +combinations .* geometric mean of 2 +ALL +2 ' \
    search -w BP:4096+SCP -w SCP+NN --cycles 2000 --set sm.cta_slots=2 --set sm.count=2
fails "the paper's pairs by class" 0 '10 workloads +LS\+LS +10 10 workloads +ALL +10 ' search --pairs LS+LS --list --set sm.cta_slots=2

# A second round, in a longer window.
finals=(--from "$work/spatial.json" "${small[@]/3000/6000}" --spatial --seeds 1)
fails "the best of another search alone" 0 'split evenly: [2-4] CTA combinations, 6000 GPU cycles, seed 1; the 2 best of a search in 3000 cycles' \
    search "${finals[@]}" --finalists 2 --json "$work/finals.json"
check "they are its best by two metrics, and no oracle by others" python3 -c '
import json, sys
first, last = (json.load(open(f)) for f in sys.argv[1:])
a, b = first["workloads"][0], last["workloads"][0]
columns, rows = a["surface"]["columns"], a["surface"]["rows"]
want = set()
for m in "harmonic_speedup", "weighted_speedup":
    want |= {tuple(r[:2]) for r in sorted(rows, key=lambda r: -r[columns.index(m)])[:2]}
    assert b["best"][m]["ctas"] in [r[:2] for r in b["surface"]["rows"]]
assert {tuple(r[:2]) for r in b["surface"]["rows"]} == want, (b["surface"]["rows"], want)
assert b["best"]["max_slowdown"] is None and b["best"]["fairness"] is None and first["finalists"] is None
assert last["finalists"] == {"best": 2, "by": ["harmonic_speedup", "weighted_speedup"], "cycles": 3000}' "$work/spatial.json" "$work/finals.json"
fails "the even combination, too, where it is one" 0 'all SMs shared: [23] CTA combinations, .*\(even\) +1\+1 ' \
    search "${small[@]}" --from "$work/a.json" --finalists 1
fails "SMs that were split there" 2 'spatial.json: SMs were split there: add --spatial' search "${small[@]}" --from "$work/spatial.json"
fails "SMs that were shared there" 2 'a.json: SMs were shared there: leave out --spatial' search "${small[@]}" --spatial --from "$work/a.json"
fails "another GPU" 2 'searched with --set sm.cta_slots=3, which the run has not' search -w BP:4096+SCP --from "$work/a.json"
fails "another workload" 2 'a.json has no workload SCP\+NN; add it' search -w SCP+NN "${small[@]:2}" --from "$work/a.json"
fails "no finalists" 2 '--finalists' search "${small[@]}" --from "$work/a.json" --finalists 0
fails "no such file" 2 'none.json: cannot open' search "${small[@]}" --from "$work/none.json"

# An end before all is run loses nothing that was finished.
long=(-w BP+SCP --cycles 300000 --set sm.cta_slots=4 --results "$work/long.sqlite")
fails "Ctrl-C: the tables of what is finished" 130 'CTA combinations, 300000 GPU cycles, seed 1; [0-9]+ have no result yet.*interrupted; what is finished is kept, the same call goes on' \
    ended_once_kept INT "$work/long.sqlite" "$memhelm" search "${long[@]}" -j 2
kept=$(kept_runs "$work/long.sqlite")
check "and its results are kept" [ "$kept" -gt 0 ]
fails "the next call knows them" 0 "$kept are kept from before" timeout 300 "$memhelm" search "${long[@]}" --list

fails "no workload" 2 'which workload\? --workload BP\+CFD, or --pairs' search
fails "one kernel" 2 'workload BP: one kernel has no combinations: join several with \+' search -w BP
fails "an unknown kernel" 2 "unknown kernel 'NOPE'; there are: " search -w BP+NOPE
fails "a CTA that fits no SM" 2 'BP: a CTA needs 8 warps, 5120 registers and 1088 bytes of shared memory; an SM has 4, .*: raise sm.warps' search -w BP+SCP --set sm.warps=4
fails "CTAs that do not fit together, with the numbers" 2 'BP\+SCP: one CTA of each does not fit an SM that they share: they need 16 warps, an SM has 12: raise sm.warps, .*--spatial' search -w BP+SCP --set sm.warps=12
fails "a limit of one's own" 2 'CTA limits are what is searched' search -w BP+SCP --set tenants[0].cta_limit=2
fails "a window by --set" 2 'use --cycles or --seeds' search -w BP+SCP --set run.cycles=1
fails "sharing by --set" 2 'use --spatial, or leave it out' search -w BP+SCP --set sm.share=0
fails "a tenant that comes later" 2 'there all the time' search -w BP+SCP --set tenants[1].arrive=10
fails "a metric that is none" 2 'there are: harmonic weighted max-slowdown fairness' search -w BP+SCP --metric speed
fails "a class that is none" 2 'there are: LS\+LS LS\+BI NBI\+DBI all' search --pairs LS
fails "a preset that is none" 2 'there (is|are)' search -w BP+SCP -p nowhere
fails "a key that is none" 2 'unknown key' search -w BP+SCP --set sm.cuont=2
fails "a limit that the configuration refuses" 2 'tenants\[0\].cta_limit: 40 CTAs, but an SM has 32 slots' "$memhelm" run baseline --twin -p ccbp -w BP+SCP --set tenants[0].cta_limit=40
fails "results that cannot be kept" 2 'choose another file with --results' "$memhelm" search -w BP+SCP --results /dev/full
fails "a JSON file that cannot be written, before anything runs" 2 'cannot write' search -w BP+SCP -o "$work/no/such/dir.json"
finish
