#!/usr/bin/env bash
# Proof that a change of the house changes no result: the runs of runs.txt, before and after.
#   same.sh take DIR [BUILD] [PATTERN]    keeps their results in DIR
#   same.sh check DIR [BUILD] [PATTERN]   makes them again; names those that differ
# A line of runs.txt: IMAGE PRESET WORKLOAD CYCLES SEED [OPTIONS..]; --epochs there compares the epoch log, too.
# What says who computed a result, and from which sources, is left out: it changes with the sources.
# NEW="KEY.." (store_hit, say): keys of the configuration and counters that the change adds are left out, too, with its
# hash, and their columns of the epoch log.
set -uo pipefail
here=$(dirname "$(realpath "$0")")
mode=${1-} dir=${2-} build=$(realpath "${3:-build}") pattern=${4:-.}
case $mode in take | check) ;; *) sed -n '2,8s/^# \?//p' "$0"; exit 2 ;; esac
[ -n "$dir" ] || { echo "same.sh: where? give a directory" >&2; exit 2; }
cd "$here/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache

# one LINE OUT: runs a line; its results without their makers.
one() {
    local image preset workload cycles seed options out=$2 log=()
    read -r image preset workload cycles seed options <<< "$1"
    if [[ " $options " == *" --epochs "* ]]; then
        options=${options/--epochs/}
        log=(--epochs "$out.csv")
    fi
    # shellcheck disable=SC2086 # options are words
    "$build/memhelm" run --image "$image" --preset "$preset" --workload "$workload" --cycles "$cycles" --seed "$seed" \
        -j1 --json "$out.full" "${log[@]}" $options > "$out.log" 2>&1 || { echo "exit $?"; cat "$out.log"; } > "$out.failed"
    [ -e "$out.full" ] && python3 - "$out.full" > "$out.json" << 'PY'
import json, os, sys
new = os.environ.get("NEW", "").split()
out = {"made_by", "sha256", "machine", "model", "schema", *new, *(["config_sha256"] if new else [])}
def strip(x):
    if isinstance(x, dict):
        return {k: strip(v) for k, v in x.items() if k not in out}
    return [strip(v) for v in x] if isinstance(x, list) else x
json.dump(strip(json.load(open(sys.argv[1]))), sys.stdout, indent=1, sort_keys=True)
PY
    [ -e "$out.csv" ] && python3 - "$out.csv" << 'PY'
import csv, os, sys
rows = list(csv.reader(open(sys.argv[1])))
keep = [i for i, name in enumerate(rows[0]) if name not in os.environ.get("NEW", "").split()]
csv.writer(open(sys.argv[1], "w")).writerows([[row[i] for i in keep] for row in rows])
PY
    rm -f "$out.full" "$out.full.timing" "$out.log"
}
export -f one
export build

mkdir -p "$work/out"
grep -v '^#' "$here/runs.txt" | grep -En -- "$pattern" | while IFS=: read -r number line; do
    printf '%s\0%s\0' "$line" "$work/out/$number-$(tr -cs 'A-Za-z0-9.+\n-' _ <<< "$line")"
done | xargs -0 -n2 -P"${JOBS:-$(nproc)}" bash -c 'one "$0" "$1"'
failed=("$work"/out/*.failed)
[ -e "${failed[0]}" ] && { cat "${failed[@]}" >&2; echo "same.sh: ${#failed[@]} runs failed" >&2; exit 1; }
count=$(ls "$work/out"/*.json | wc -l)
if [ "$mode" = take ]; then
    mkdir -p "$dir" && cp "$work"/out/* "$dir"/ && echo "$count runs kept in $dir"
    exit
fi
differ=0
for file in "$work"/out/*; do
    cmp -s "$file" "$dir/$(basename "$file")" || { differ=$((differ + 1)); echo "differs: $(basename "$file")"; diff "$dir/$(basename "$file")" "$file" | head -n 5; }
done
echo "$count runs, $differ files differ from $dir"
[ "$differ" = 0 ]
