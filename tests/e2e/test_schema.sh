#!/usr/bin/env bash
# Each JSON file that memhelm writes is what its schema says, and a schema refuses what is not: host/report/schema.
. "$(dirname "$0")/lib.sh" "$1"
schemas=host/report/schema
here=$(dirname "$0")
fits() {
    python3 "$here/schema.py" "$@"
}

# made NAME SCHEMA ARGUMENTS..: runs memhelm with `--json NAME`; the file has that schema, fits it, and broken does not.
made() {
    local file=$work/$1 schema=$2
    shift 2
    check "$schema: memhelm $1 writes it" timeout 300 "$memhelm" "$@" --json "$file"
    check "it says so" grep -q "\"schema\": \"$schema\"" "$file"
    check "and fits" fits "$schemas" "$file"
    check "without a key, with an odd value or one too many it does not" fits --broken "$schemas" "$file"
}
short=(--cycles 20000)

made run.json memhelm-result-1 run mask -w MVT:256+GUPS:4096 "${short[@]}"
made twin.json memhelm-result-1 run etc -p etc --twin --no-alone -w ATAX:2048 -s uvm.mode=on -s uvm.capacity=75% "${short[@]}"
made swap.json memhelm-result-1 run baseline --twin --no-alone -w GUPS:4096 --swap 9000:dws "${short[@]}"
made warm.json memhelm-compare-1 compare baseline dws --twin --no-alone -w GUPS:4096 --warm 9000 "${short[@]}"
made done.json memhelm-result-1 run baseline --twin -w GUPS:1024+MVT:64 -s run.completions=1 --cycles 2000000
"$memhelm" run "$(faulty fault.hang)" --no-alone -w GUPS:4096 --cycles 200000 --json "$work/hang.json" > /dev/null 2>&1
check "a run that did not pass fits, too" fits "$schemas" "$work/hang.json"
check "and has its fault" grep -q '"fault": {' "$work/hang.json"
check "the times beside it" fits "$schemas" "$work/run.json.timing"
check "are refused when broken" fits --broken "$schemas" "$work/run.json.timing"
"$memhelm" run baseline --no-alone -w GUPS:4096 "${short[@]}" --keep "$work/kept" > /dev/null 2>&1
check "result.json of a run's directory" fits "$schemas" "$(find "$work/kept" -name result.json | head -n 1)"
made compare.json memhelm-compare-1 compare baseline mask-tlb -w MVT:256+GUPS:4096 "${short[@]}"
"$memhelm" run mask --no-alone -w GUPS:4096 --cycles 150000 --counts "$work/counts.json" > /dev/null 2>&1
check "memhelm-core-2: what the mcu executed" fits "$schemas" "$work/counts.json"
check "is refused when broken" fits --broken "$schemas" "$work/counts.json"
"$memhelm" run etc -p etc --no-alone -w ATAX:2048 -s uvm.mode=on -s uvm.capacity=75% --cycles 150000 --timeline "$work/timeline.json" > /dev/null 2>&1
check "memhelm-timeline-1: a run over time" fits "$schemas" "$work/timeline.json"
check "is refused when broken" fits --broken "$schemas" "$work/timeline.json"
made reproduce.json memhelm-reproduce-1 reproduce mask --row fig3-sharedtlb --workload MVT+GUPS --twin --cycles 20000
made search.json memhelm-search-1 search -w BP+SCP --cycles 20000
made best.json memhelm-search-1 search -w BP+SCP --from "$work/search.json" --finalists 1 --cycles 40000
made budget.json memhelm-budget-1 budget baseline --static
made cost.json memhelm-budget-1 budget baseline --mcu-hz 100M
made latency.json memhelm-latency-2 latency mask-tlb -p mask -w MVT+GUPS --cycles 20000 --seeds 1-2
made sensitivity.json memhelm-sensitivity-1 sensitivity mask --row fig11-mask --key sm.lsu_queue --workload MVT+GUPS --twin --cycles 20000
seq 0 64 6400 | while read -r n; do printf '0x%x READ %d\n' "$n" "$n"; done > "$work/requests"
made dram.json memhelm-dram-1 dram "$work/requests"

# Not all of the papers' classes hold in a short window: the exit code may be 1.
"$memhelm" classes --kernel HISTO256 --cycles 50000 --json "$work/classes.json" > /dev/null 2>&1
check "memhelm-classes-1" fits "$schemas" "$work/classes.json"
check "is refused when broken" fits --broken "$schemas" "$work/classes.json"

check "what images are known to need" fits "$schemas" firmware/budget/baselines.json
mkdir "$work/recorded"
for file in host/*/results/*.json.zst; do
    zstd -dqc "$file" > "$work/recorded/$(basename "$file" .zst)"
done
check "recorded results; older ones may lack keys" fits --older "$schemas" "$work"/recorded/*.json
every_schema() { # that a source names has a file, and each file is named
    diff <(grep -rhoE '"memhelm-[a-z]+-[0-9]+\\?"' host hwmodel --include='*.[ch]' | tr -d '"\\' | sort -u) <(ls $schemas | sed -n 's/\.json$//p' | sort)
}
check "every schema that a source names has a file" every_schema
if python3 -c 'import jsonschema' 2> /dev/null; then
    by_library() {
        python3 -W ignore - $schemas "$work"/*.json <<'PY'
import json, pathlib, sys
from jsonschema import Draft202012Validator as Validator, RefResolver
known = {s["$id"]: s for s in (json.loads(p.read_text()) for p in pathlib.Path(sys.argv[1]).glob("*.json"))}
for path in sys.argv[2:]:
    value = json.loads(pathlib.Path(path).read_text())
    schema = known[value["schema"] + ".json"]
    Validator.check_schema(schema)
    Validator(schema, resolver=RefResolver("", schema, store=known)).validate(value)
PY
    }
    check "a library of JSON Schema says the same" by_library
fi
finish
