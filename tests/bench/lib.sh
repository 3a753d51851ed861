# shellcheck shell=bash disable=SC2034,SC2154
# Shared by the benchmarks: samples, medians, rows beside floors, the record. Sourced.
# A sample is one line of `name value` pairs.
set -euo pipefail
below=0
measures=()

# field NAME: its value in each line of samples.
field() { awk -v k="$1" '{for (i = 1; i < NF; i += 2) if ($i == k) print $(i + 1)}'; }

# median NAME: the line of samples whose NAME is the median.
median() { awk -v k="$1" '{for (i = 1; i < NF; i += 2) if ($i == k) print $(i + 1) " " $0}' | sort -n | awk '{v[NR] = $0} END {print v[int((NR + 1) / 2)]}' | cut -d' ' -f2-; }

# calc EXPRESSION: awk's.
calc() { awk "BEGIN {printf \"%.6g\", $1}"; }

# repeat COMMAND..: RUNS samples.
repeat() { for _ in $(seq "$runs"); do "$@"; done; }

# wall COMMAND..: a sample of the seconds it took.
wall() {
    local start=$EPOCHREALTIME
    "$@" > /dev/null
    echo "seconds $(calc "$EPOCHREALTIME - $start")"
}

# doing TEXT: what is measured now, for a person at a terminal.
doing() { if [ -t 2 ]; then printf '\r\033[K%3d s  %s ..' "$SECONDS" "$1" >&2; fi; }

# note KEY VALUE: for the record.
note() {
    [ -t 2 ] && printf '\r\033[K' >&2
    measures+=("\"$1\": $2")
}

# row KEY NAME VALUE UNIT at-least|at-most FLOOR: prints it, notes it, and whether it is good enough.
row() {
    local verdict=ok sign='>='
    [ "$5" = at-least ] || sign='<='
    awk "BEGIN {exit !($3 $sign $6)}" || verdict=BELOW
    [ $verdict = ok ] || below=1
    note "$1" "$3"
    printf '%-52s %12s %-15s %s %9s  %s\n' "$2" "$3" "$4" "$sign" "$6" "$verdict"
}

# record FILE: appends what rows have noted.
record() {
    local commit cpu IFS=,
    commit=$(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- || echo -dirty)
    cpu=$(awk -F': ' '/^model name/ {print $2; exit}' /proc/cpuinfo)
    printf '{"commit": "%s", "cpu": "%s", "runs": %d, %s}\n' "$commit" "$cpu" "$runs" "${measures[*]}" | sed 's/,"/, "/g' >> "$1"
    echo "recorded in $1"
}
