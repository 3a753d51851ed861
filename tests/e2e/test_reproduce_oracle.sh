#!/usr/bin/env bash
# `memhelm reproduce` with oracles: what `memhelm search` found becomes runs; the study of CCBP.
. "$(dirname "$0")/lib.sh" "$1"

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
finish
