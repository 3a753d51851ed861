#!/usr/bin/env bash
# What the model costs a host, counted by callgrind instead of timed: the same numbers on every machine and at any load.
#   cost.sh BUILD [PAIR..]      (make bench-cost)
# SET="l2.sector_bytes=64 ..": with these keys of preset `mask`.
# Per L2 request: instructions, misses of a first-level data cache of 48 KiB, mispredicted branches, and an estimate of
# host cycles from the three; then which folder of the model it goes to.
set -euo pipefail
build=$1 cycles=50000 warm_up=10000
shift
[ $# -gt 0 ] || set -- MVT+GUPS 2DCONV+FDTD MM+LUD
command -v valgrind > /dev/null || {
    echo "cost.sh: needs callgrind: install the package valgrind" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Sums of the events of each file: lines of cost follow their file (fl, fi, fe); the line after `calls=` is the callee's.
events() {
    awk '
        /^events:/ {for (i = 2; i <= NF; i++) at[$i] = i; next}
        /^c?f[lie]=/ {
            id = $1; sub(/.*\(/, "", id); sub(/\)/, "", id)
            if (NF > 1) name[id] = $2
            if (!/^c/) file = id
            next
        }
        /^calls=/  {skip = 1; next}
        /^[-+*0-9]/ {
            if (skip) {skip = 0; next}
            n[file, "ir"] += $at["Ir"]; n[file, "d1"] += $at["D1mr"] + $at["D1mw"]; n[file, "b"] += $at["Bcm"] + $at["Bim"]
            seen[file] = 1
        }
        END {for (f in seen) print name[f], n[f, "ir"] + 0, n[f, "d1"] + 0, n[f, "b"] + 0}' "$1"
}

# A miss that the second level serves costs some 12 cycles, a mispredicted branch 18, and four instructions one.
report() {
    awk -v pair="$1" -v l2="$2" '
        {
            part = "other"
            if (match($1, /hwmodel\/[a-z]+\//)) part = substr($1, RSTART + 8, RLENGTH - 9)
            c = $2 / 4 + 12 * $3 + 18 * $4; cost[part] += c; all += c; ir += $2; d1 += $3; b += $4
        }
        END {
            printf "%-12s %6.0f instructions  %5.1f L1 misses  %5.1f mispredicted  about %5.0f host cycles per L2 request;", pair, ir / l2, d1 / l2, b / l2, all / l2
            split("engine sm translate noc cache dram gpu workload other", order, " ")
            for (i = 1; i in order; i++) printf " %s %.0f %%", order[i], 100 * cost[order[i]] / all
            print ""
        }'
}

for pair in "$@"; do
    [ -t 2 ] && printf '\r\033[Kcounting %s ..' "$pair" >&2
    # shellcheck disable=SC2086 # settings are words
    valgrind --tool=callgrind --callgrind-out-file="$work/out" --cache-sim=yes --branch-sim=yes --D1=49152,12,64 \
        --LL=2097152,16,64 "$build/bench/bench_model" "$pair" $cycles $warm_up mask ${SET-} > "$work/line" 2> "$work/log" || {
        cat "$work/log" >&2
        exit 1
    }
    [ -t 2 ] && printf '\r\033[K' >&2
    l2=$(awk -v all=$((cycles + warm_up)) -v window=$cycles '{for (i = 1; i < NF; i += 2) if ($i == "l2") print $(i + 1) * all / window}' "$work/line")
    events "$work/out" | report "$pair" "$l2"
done
