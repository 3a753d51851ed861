#!/usr/bin/env bash
# `memhelm sweep`: two of one name at once, and what is said of one that has not run to its end.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"
cd "$work" || exit 1
memhelm=$OLDPWD/$memhelm

small=(sweep --results "$work/results.sqlite" --set sm.count=2 -w BP:4096+SCP -i baseline --twin)

# ask FILE SQL: the first value
ask() {
    python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone()[0])' "$@"
}

# begin ARGUMENTS..: a sweep in the background, until it has its file; its number is in $pid.
begin() {
    "$memhelm" "${small[@]}" "$@" > begun.out 2>&1 &
    pid=$!
    for _ in $(seq 100); do
        [ -n "$(ask sweep.sqlite 'select writer from sweep' 2> /dev/null)" ] && return
        sleep 0.05
    done
}

# --- Two at once.
begin --cycles 400M --vary l2tlb.entries=64,128 --jobs 1
fails "a second sweep of the same file is refused, with who has it and the remedy" 2 \
    "sweep.sqlite: another sweep writes it now \(process $pid.*\); choose another file with --output" \
    "$memhelm" "${small[@]}" --cycles 3000 --vary walk.walkers=2,4
check "another file is free" "$memhelm" "${small[@]}" --cycles 3000 --vary walk.walkers=2,4 --output other.sqlite
check "the first one's columns are as they were" [ "$(ask sweep.sqlite "select count(*) from columns where name = 'l2tlb.entries'")" = 1 ]
{ kill -KILL $pid; wait $pid; } 2> /dev/null
fails "of a killed one the file is free at once" 0 '2 points, ' "$memhelm" "${small[@]}" --cycles 3000 --vary walk.walkers=2,4

# --- Ctrl-C after some of its points.
grid=(--cycles 3M --vary l2tlb.entries=64,128,256 --seeds 1-3 --jobs 1 --metric ipc)
interrupted() {
    rm -f sweep.sqlite results.sqlite
    begin "${grid[@]}"
    until [ "$(kept_runs results.sqlite)" -ge 3 ]; do sleep 0.1; done
    kill -INT $pid
    wait $pid
    [ $? -eq 130 ] && ! grep -q 'without a value' begun.out && grep -q "^$(ask sweep.sqlite 'select count(*) from points') points\? of 9, " begun.out
}
check "a sweep is interrupted, and its summary counts what has run" interrupted
there=$(ask sweep.sqlite "select count(*) from points")
check "some of its points are there" [ "$there" -ge 1 -a "$there" -lt 9 ]
fails "a table says how many are missing, and that the sweep goes on" 0 \
    "^Sweep sweep: $there of 9 points .*$((9 - there)) of the sweep's 9 points (is|are) missing: .* goes on with the same call" \
    "$memhelm" table sweep.sqlite --rows l2tlb.entries
fails "so does a table of points" 0 " $((9 - there)) of the sweep's 9 points (is|are) missing" "$memhelm" table sweep.sqlite
fails "and JSON" 0 "\"points\": 9, +\"missing\": $((9 - there))," "$memhelm" table sweep.sqlite --format json
check "a report is made" "$memhelm" report sweep.sqlite --output page.html
check "it says so, too" grep -rq "$there of 9 points" page.html
check "the same call goes on" "$memhelm" "${small[@]}" "${grid[@]}"
"$memhelm" table sweep.sqlite --rows l2tlb.entries > whole.out
check "then all are there, and nothing is missing" bash -c 'grep -q "^Sweep sweep: 9 of 9 points" whole.out && ! grep -q missing whole.out'

# A seed that no cell has is missing in each.
python3 -c 'import sqlite3; db = sqlite3.connect("sweep.sqlite"); db.execute("delete from points where seed = 3"); db.commit()'
"$memhelm" table sweep.sqlite --rows l2tlb.entries > seeds.out
check "means of fewer seeds than were asked for are marked" [ "$(grep -c '^[0-9]* .*(2 of 3)$' seeds.out)" = 3 ]
check "and counted" grep -q '^- 3: not in the file: its sweep was interrupted' seeds.out
fails "also of the axis that is a column" 0 '\(2 of 3\) .*\(2 of 3\)' "$memhelm" table sweep.sqlite --rows image --columns l2tlb.entries
"$memhelm" table sweep.sqlite --rows l2tlb.entries --where seed=1 > part.out
check "not so of a part that was asked for" bash -c '! grep -q "(. of" part.out'
finish
