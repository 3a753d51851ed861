#!/usr/bin/env bash
# Runs every validator of a build directory, as many at a time as there are cores, and prints one table.
#   run.sh BUILD     exits non-zero when a row is a MISS or a program did not come to its end
set -uo pipefail
programs=() good=0 rows=0 broken=0

for p in "$1"/validate/validate_*; do
    [[ $p == *.log ]] || programs+=("$p")
done
printf '%s\n' "${programs[@]}" | xargs -P "$(nproc)" -I '{}' sh -c 'timeout 600 "$1" --rows > "$1.log" 2>&1' - '{}'

printf '%-20s %-64s %14s %14s %9s\n' layer what expected measured tolerance
for p in "${programs[@]}"; do
    sum=$(sed -n '$s/^.*: \([0-9]*\) of \([0-9]*\) as expected$/\1 \2/p' "$p.log")
    if [ -z "$sum" ]; then
        cat "$p.log"
        echo "$(basename "$p"): did not come to its end"
        broken=1
        continue
    fi
    sed '$d' "$p.log"
    good=$((good + ${sum% *})) rows=$((rows + ${sum#* }))
done
echo "validate: $good of $rows as expected"
[ $broken -eq 0 ] && [ "$rows" -gt 0 ] && [ "$good" -eq "$rows" ]
