#!/usr/bin/env bash
# Recorded results, some of them run again: cells that the commit draws, so many as one processor runs in 40 s. What moved is
# named with the call that records it anew; `make recheck` looks at more. And is a changed digit seen?
. "$(dirname "$0")/lib.sh" "$1"
recorded=$build/recorded
seed=${SEED:-$(git rev-parse HEAD 2> /dev/null || echo none)}

recheck() { # ARGUMENTS..: of the store of this test
    "$recorded" recheck "$seed" results="$work/results.sqlite" "$@"
}
# All but those that are known to wait (host/recordings.mk).
waiting=$(sed -n '/^TO_RECORD :=/,/[^\\]$/p' host/recordings.mk | sed 's/.*:=//' | tr -d '\\\n\t')
drawn_from=()
for file in host/*/results/*.json.zst; do
    [[ " $waiting " == *" $(basename "$file" .json.zst) "* ]] || drawn_from+=("$file")
done
[ -z "$waiting" ] || echo "# note: not drawn, to be recorded anew:" $waiting
recheck seconds=40 "${drawn_from[@]}" > "$work/drawn" 2> "$work/drawn.err"
status=$?
sed 's/^/# /' "$work/drawn"
check "recorded cells are what this build measures; else: make recheck SEED=$seed" test $status = 0
sed -n 's/.*[0-9] cells run again/# note: &/p; s/^record anew/# note: &/p' "$work/drawn"

# A recording of each kind, short. `now NAME`: what the file has is what comes out.
kinds=(reproduce sensitivity search latency)
record() { # COMMAND ARGUMENTS..
    timeout 300 "$memhelm" "$@" --results "$work/other.sqlite" --json "$work/$1.json" > /dev/null 2>&1
}
check "a recording of rows" record reproduce causes --row dram-plain --quick --twin
check "of sensitivity" record sensitivity mask --row fig3-sharedtlb --key l1tlb.mshrs --workload GUPS+MM --cycles 20000 --twin
check "of a search" record search -w BP+SCP --cycles 20000
# The window of latencies is the reference set's: one cell of what is recorded, with the value of this build.
cut() {
    python3 - "$work/latency.json" "$@" << 'END'
import json, subprocess, sys
to, value = sys.argv[1], sys.argv[2]
file = json.loads(subprocess.check_output(["zstd", "-dqc", "host/latency/results/latency.json.zst"]))
image = next(i for i in file["images"] if i["name"] == "mask-tlb")
point = next(p for p in image["points"] if p["name"] == "no policy")
image["workloads"], image["points"], point["speedups"] = image["workloads"][:1], [point], [[float(value)]]
json.dump({**file, "images": [image]}, open(to, "w"))
END
}
cut 9.87654
recheck each=1 "$work/latency.json" > "$work/out" 2>&1
cut "$(sed -n 's/.* recorded, \(.*\) now$/\1/p' "$work/out")"

digit() { # FILE: the last digit of the first number of a cell is another
    python3 - "$1" << 'END'
import json, subprocess, sys
def other(v):
    return round(v * 1.00001, 12) if abs(v) > 1e-9 else 0.001
def change(at):
    for key in at if isinstance(at, dict) else range(len(at)):
        if key == "cells":
            at[key] = [[c if c is None else other(c) for c in row] for row in at[key]]
        elif key == "ours" and "shift" in at:
            at[key] = other(at[key])
        elif key == "speedups":
            at[key] = [[other(v) for v in row] for row in at[key]]
        elif key == "surface":
            for row in at[key]["rows"]:
                row[-1] = other(row[-1])
        elif isinstance(at[key], (dict, list)):
            change(at[key])
file = json.load(open(sys.argv[1]))
change(file)
json.dump(file, open(sys.argv[1], "w"))
END
}
for kind in "${kinds[@]}"; do
    check "$kind: what this build recorded is what it measures" recheck each=2 "$work/$kind.json"
    cp "$work/$kind.json" "$work/other-$kind.json"
    digit "$work/other-$kind.json"
    fails "$kind: another last digit has moved" 1 "recorded, .* now .*other-$kind.json: .*MOVED.*make results STUDIES=.other-$kind" \
        recheck each=2 "$work/other-$kind.json"
done
altered() { # SED: a cell of the altered recording
    sed "$1" "$work/reproduce.json" > "$work/altered.json"
    ! cmp -s "$work/reproduce.json" "$work/altered.json" && recheck each=1 "$work/altered.json"
}
fails "a row that is gone" 1 'the study does not run that row now.*MOVED' altered 's/"id": "/"id": "un/'
fails "another window" 1 'the window was 1[0-9]*, and is [0-9]* now.*MOVED' altered 's/"cycles": /"cycles": 1/'
fails "a study that is gone" 1 'there is no such study now.*MOVED' altered 's/"study": "/"study": "un/'
fails "no recording" 2 'is no schema of a recording' altered 's/"schema": "/"schema": "un/'

drawn() { # SEED
    "$recorded" recheck "$1" each=3 results="$work/results.sqlite" "$work/search.json" > "$work/cells" 2> /dev/null
    "$recorded" recheck "$1" each=3 results="$work/results.sqlite" "$work/other-search.json" 2> /dev/null | grep CTAs
}
drawn a > "$work/a"
drawn a > "$work/again"
drawn b > "$work/b"
check "a seed draws the same cells each time" cmp "$work/a" "$work/again"
check "another seed others" bash -c '[ -s "$0" ] && ! cmp -s "$0" "$1"' "$work/a" "$work/b"
finish
