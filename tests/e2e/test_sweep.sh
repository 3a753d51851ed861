#!/usr/bin/env bash
# `memhelm sweep`: points and their values, samples, shards, kill -9, and what is refused.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"
cd "$work" || exit 1
build=$OLDPWD/$build memhelm=$OLDPWD/$memhelm

sweep() {
    timeout 300 "$memhelm" sweep --results "$work/results.sqlite" "$@"
}
small=(--set sm.count=2 --cycles 3000 -w BP:4096+SCP -i baseline,mask-tlb)
grid=("${small[@]}" --vary l2tlb.entries=64,128 --vary walk.walkers=2..8*2 --seeds 1-2)

# ask FILE SQL: the rows, columns joined by |
ask() {
    python3 -c '
import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print("|".join("-" if v is None else str(v) for v in row))' "$@"
}
is() { # is EXPECTED FILE SQL
    local got
    got=$(ask "$2" "$3")
    [ "$got" = "$1" ] || { echo "got: $got"; return 1; }
}

fails "--dry-run counts points, runs, cycles; runs nothing" 0 '^24 points, 48 runs, 0 of them kept from before 0 million GPU cycles are to be simulated: less than a minute' \
    sweep "${grid[@]}" --twin --dry-run
check "and leaves no file" [ ! -e sweep.sqlite ]
fails "a grid" 0 "^24 points, 48 runs, 0 of them kept from before +memhelm table sweep.sqlite --rows l2tlb.entries --columns image --value weighted_speedup" sweep "${grid[@]}" --twin
locked() { # a store that another has for 3 seconds: said once, then all goes on
    python3 -c 'import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1])
db.execute("begin exclusive")
open("locked", "w").close()
time.sleep(3)' shared.sqlite &
    until [ -e locked ]; do sleep 0.05; done
    "$memhelm" sweep -i baseline -w GUPS --twin --vary l2.ways=8 --cycles 5000 --results shared.sqlite --output shared.points > shared.out 2> shared.err || return 1
    wait $!
    [ "$(grep -c '^memhelm: shared.sqlite: another memhelm writes to it; this one waits, for 60 s at most$' shared.err)" = 1 ]
}
check "a store that another writes to: it is said, and waited for" locked
check "48 runs are kept" [ "$(kept_runs results.sqlite)" -eq 48 ]
check "in the order of the axes, the image the fastest" is "1|baseline|1|64|2
2|mask-tlb|1|64|2
3|baseline|2|64|2
4|mask-tlb|2|64|2
5|baseline|1|64|4" sweep.sqlite 'select point, image, seed, "l2tlb.entries", "walk.walkers" from points limit 5'
"$memhelm" compare -i baseline -i mask-tlb --twin "${small[@]:0:6}" --set l2tlb.entries=128 --set walk.walkers=4 --seed 2 -o compare.json > compare.out 2>&1
check "a point has what compare measures" python3 -c '
import json, sqlite3
want = {r["image"]["name"]: r["metrics"] for r in json.load(open("compare.json"))["results"]}
got = list(sqlite3.connect("sweep.sqlite").execute("""select image, weighted_speedup, max_slowdown, ipc from points
    where seed = 2 and "l2tlb.entries" = 128 and "walk.walkers" = 4"""))
assert len(got) == 2
for image, ws, slowdown, ipc in got:
    m = want[image]
    for a, b in (ws, m["weighted_speedup"]), (slowdown, m["maximum_slowdown"]), (ipc, m["ipc"]):
        assert abs(a / b - 1) < 1e-4, (image, a, b)'
ask sweep.sqlite 'select * from points' > first
fails "the second call runs nothing" 0 '48 runs, 48 of them kept' sweep "${grid[@]}" --twin
ask sweep.sqlite 'select * from points' > second
check "and writes the same points" cmp first second
fails "a sweep that overlaps runs what is new" 0 '32 points, 64 runs, 48 of them kept' sweep "${grid[@]/#walk.walkers=*/walk.walkers=2..16*2}" --twin

cat > tlb.yaml <<'YAML'
# what a larger L2 TLB is worth
preset: mask
image: [baseline, mask-tlb]
workload: "@mine"
lists: {mine: ["BP:4096+SCP", "@other"], other: ["SCP+BP:4096"]}
seeds: 1-2
cycles: 3000
set: sm.count=2
twin: true
vary:
  l2tlb.entries: [64, 128]
  walk.walkers: 1..16*2
sample: {random: 3, seed: 5}
metrics: {ws: weighted_speedup, walks per kilo: 1000 * walks / thread_instructions}
YAML
sed -i "s/ \/ thread_instructions/ \/ cycles/" tlb.yaml
fails "a file: lists in lists, a sample, metrics with names" 0 '^24 points, ' sweep tlb.yaml
check "three of ten combinations" is 3 tlb.sqlite 'select count(*) from (select distinct "l2tlb.entries", "walk.walkers" from points)'
check "a metric has its name" is 24 tlb.sqlite 'select count(*) from points where ws > 0 and "walks per kilo" > 0'
check "both workloads of the lists" is 2 tlb.sqlite "select count(distinct workload) from points"
fails "options replace what the file says" 0 '^4 points, ' sweep tlb.yaml -i baseline --latin 4 --seeds 1 -w BP:4096+SCP --output latin.sqlite
check "another output leaves the first file as it was" is 24 tlb.sqlite 'select count(*) from points'
cat > points.yaml <<'YAML'
image: baseline
workload: BP:4096+SCP
cycles: 3000
set: [sm.count=2]
twin: true
points:
- {l2tlb.entries: 64}
- {l2tlb.entries: 128, walk.walkers: 4}
metrics: ipc
YAML
fails "a list of points" 0 '^2 points, 2 runs' sweep points.yaml
check "a key that a point leaves out has no value" is "64|-
128|4" points.sqlite 'select "l2tlb.entries", "walk.walkers" from points'

fails "a point that cannot be run has a reason; the others have values" 1 '^2 points, .*1 point cannot be run. The first: --set l2tlb.entries=2000: l2tlb.entries: 2000' \
    sweep "${small[@]:0:6}" -i baseline --twin --vary l2tlb.entries=64,2000 --metric ipc --output some.sqlite
check "in the file, too" is "64|1|0
2000|0|1" some.sqlite 'select "l2tlb.entries", ipc is not null, reason is not null from points'
fails "a run that fails" 1 '1 point failed. The first: .*(hang|watchdog|no COMMIT|timed out|stands)' \
    sweep --set sm.count=2 --cycles 300000 -w BP:4096 -i "$(faulty fault.hang)" --metric ipc --output hang.sqlite
check "has its reason" is 1 hang.sqlite 'select count(*) from points where reason is not null and ipc is null'

fails "a metric without a value is said for what it is" 1 '^1 point, .*1 point has a metric without a value. The first: metric none: it divides by 0 here; metric much: it is infinite here' \
    sweep --set sm.count=2 --cycles 3000 -w BP:4096+SCP -i baseline --twin --metric ipc --metric 'none=1 / (ipc - ipc)' --metric 'much=ipc * 1e308 * 1e10' --output none.sqlite
check "in the file, too" is "1|-|-|metric none: it divides by 0 here; metric much: it is infinite here" none.sqlite \
    'select ipc is not null, none, much, reason from points'
fails "a tenant that only one of two workloads has" 1 '^2 points, .*1 point has a metric without a value. The first: metric ipc.1.: ipc.1.: there is one tenant, .0.' \
    sweep --set sm.count=2 --cycles 3000 -w BP:4096+SCP,BP:4096 -i baseline --twin --metric 'ipc[1]' --output one.sqlite

# The next command, as it stands there, is one that works, and of an axis that has several values.
goes_on() { # goes_on WORDS ARGUMENTS..
    local words=$1 next
    shift
    sweep --set sm.count=2 --cycles 3000 --twin "$@" > next.out || return 1
    next=$(sed -n 's/^  memhelm table /table /p' next.out)
    echo "$next"
    [[ $next == *"$words"* ]] && eval "\"$memhelm\" $next"
}
check "the next command: quotes in names" goes_on " --value 'it'\\''s'" -w BP:4096 -i baseline,mask-tlb --vary l2tlb.entries=64,128 --metric "it's=ipc" --output "it's.sqlite"
check "the next command: an axis of one value is none" goes_on "--rows walk.walkers --columns image" -w BP:4096 -i baseline,mask-tlb --vary l2tlb.entries=64 --vary walk.walkers=2,4 --output next.sqlite
check "the next command: workloads" goes_on "--rows workload --value ipc" -w BP:4096,SCP -i baseline --vary l2tlb.entries=64 --metric ipc --output workloads.sqlite
check "the next command: images" goes_on "--rows image --value ipc" -w BP:4096 -i baseline,mask-tlb --metric ipc --output images.sqlite

# --- Shards: together they run each run once.
for i in 1 2 3; do
    fails "shard $i of 3" 0 "this is part $i of 3" timeout 300 "$memhelm" sweep "${grid[@]}" --twin --shard $i/3 --results shard$i.sqlite
done
check "nothing twice" [ $(($(kept_runs shard1.sqlite) + $(kept_runs shard2.sqlite) + $(kept_runs shard3.sqlite))) -eq 48 ]
check "shares are equal" [ "$(kept_runs shard1.sqlite)$(kept_runs shard2.sqlite)$(kept_runs shard3.sqlite)" = 161616 ]
fails "merged, with one lost: the others are taken over, the rest is run" 0 'shard1.sqlite: 16 runs taken over.*shard3.sqlite: 16 runs.*24 points, 48 runs, 32 of them kept' \
    timeout 300 "$memhelm" sweep "${grid[@]}" --twin --merge shard1.sqlite --merge shard3.sqlite --results merged.sqlite --output merged.points
ask merged.points 'select * from points' > merged
check "the same points" cmp first merged
check "a sample was run again" grep -q 'shard3.sqlite: 16 runs taken over, 1 of them run again, with the same result$' "$work/fails.out"

# forge FROM TO KEYS: all results, or those after the first KEYS, are others, with the checksums of these.
forge() {
    cp "$1" "$2" && python3 - "$2" "$3" <<'PY'
import hashlib, re, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for key, text in db.execute("select key, result from kept_runs order by key").fetchall()[int(sys.argv[2]):]:
    other = re.sub('"walks": *', '"walks": 1', text)
    assert other != text
    sum = hashlib.sha256(key.encode() + b"\0" + other.encode()).hexdigest()
    db.execute("update kept_runs set result = ?, checksum = ? where key = ?", (other, sum, key))
db.commit()
PY
}
merging() { # with a store of one's own choice
    timeout 300 "$memhelm" sweep "$@"
}
forge shard1.sqlite forged.sqlite 0
fails "results of another's own making are refused" 2 "memhelm: forged.sqlite: '(baseline|mask)[^']*' has another result when it is run here: this store is wrong, and nothing of it is taken over" \
    merging "${grid[@]}" --twin --merge forged.sqlite --results clean.sqlite --output clean.points
check "nothing of them is kept" python3 -c '
import sqlite3
rows = [dict(sqlite3.connect(f).execute("select key, result from kept_runs")) for f in ("clean.sqlite", "shard1.sqlite")]
assert len(rows[0]) == 1 and rows[0].items() <= rows[1].items()'
check "nor has a file of points" test ! -e clean.points
forge shard1.sqlite few.sqlite 15
fails "one that is known to be another is enough" 2 'few.sqlite: .* has another result when it is run here' merging "${grid[@]}" --twin --merge few.sqlite --results shard1.sqlite --output clean.points
python3 -c '
import sqlite3
db = sqlite3.connect("twofold.sqlite")
db.execute("attach \"shard1.sqlite\" as a")
db.execute("attach \"forged.sqlite\" as b")
db.execute("create table main.kept_bursts as select * from a.kept_bursts")
db.execute("create table main.kept_runs as select * from a.kept_runs")
db.execute("insert into main.kept_runs select * from b.kept_runs")
db.commit()'
fails "of two results with a name the one that was looked at is taken" 0 'twofold.sqlite: 16 runs taken over' \
    merging "${grid[@]}" --twin --merge twofold.sqlite --results one.kept --output one.points
check "  and no other" python3 -c '
import sqlite3
a, b = (set(sqlite3.connect(f).execute("select key, result from kept_runs")) for f in ("one.kept", "shard1.sqlite"))
assert len(a) == 48 and b < a'
python3 -c '
import sqlite3
db = sqlite3.connect("view.sqlite")
db.execute("attach \"shard1.sqlite\" as s")
for table in "kept_runs", "kept_bursts", "kept_counts":
    db.execute(f"create table main.of_{table} as select * from s.{table}")
    db.execute(f"create view main.{table} as select * from of_{table}")
db.commit()'
fails "a store of views" 2 'view.sqlite: is no store of finished runs' merging "${grid[@]}" --twin --merge view.sqlite --results clean.sqlite
fails "with --dry-run none is run or taken over" 0 'shard1.sqlite: 16 runs could be taken over.*48 runs, 0 of them kept' merging "${grid[@]}" --twin --merge shard1.sqlite --results dry.sqlite --dry-run
fails "runs that no point needs stay" 0 'shard1.sqlite: 0 runs taken over; 16 left there, which no point needs' \
    merging --set sm.count=2 --cycles 3000 -w BP:4096 -i baseline --twin --metric ipc --merge shard1.sqlite --results other.sqlite --output other.points
long=(--set sm.count=30 --cycles 10M -w GUPS -i baseline --twin --metric ipc)
check "a long run" merging "${long[@]}" --results long.sqlite --output long.points
fails "one of the sample that has no time" 2 "long.sqlite: 'baseline GUPS' is of the sample and did not finish here; nothing is taken over" \
    merging "${long[@]}" --merge long.sqlite --results short.sqlite --output short.points --timeout 1
small_run=(--set sm.count=2 --cycles 3000 -w BP:4096 -i baseline --twin --metric ipc --output other.points)
ln -s other.sqlite link.sqlite
: > other.sqlite-journal && chmod o+w other.sqlite-journal
fails "a store whose journal others may write to" 2 'other.sqlite-journal: others may write to it' merging "${small_run[@]}" --results link.sqlite
rm other.sqlite-journal
chmod o+w other.sqlite
fails "a store that others may write to" 2 'other.sqlite: others may write to it, see .chmod go-w.*--merge' merging "${small_run[@]}" --results other.sqlite
printf 'no database at all, but a text that is long enough to be read' > text
fails "what is no store is refused" 2 'text: is no store of finished runs|text: file is not a database' sweep "${grid[@]}" --twin --merge text
fails "what is not there, too" 2 'nothing.sqlite: No such file' sweep "${grid[@]}" --twin --merge nothing.sqlite

# --- kill -9 at fifty moments: all that had finished is kept.
cat > qemu <<SH
#!/bin/sh
echo >> "$work/starts"
exec "$(sed -n 1p "$build/qemu.path" | sed "s|^\([^/]\)|$build/\1|")" "\$@"
SH
chmod +x qemu
killed() {
    local i pid
    RANDOM=1
    for i in $(seq 50); do
        MEMHELM_QEMU=$work/qemu "$memhelm" sweep "${grid[@]}" --seeds 1-5 --jobs 2 --results killed.sqlite --output killed.points > /dev/null 2>&1 &
        pid=$!
        sleep "0.$((RANDOM % 150 + 100))"
        kill -9 $pid
        wait $pid
    done 2> /dev/null
    MEMHELM_QEMU=$work/qemu timeout 300 "$memhelm" sweep "${grid[@]}" --seeds 1-5 --jobs 2 --results killed.sqlite --output killed.points || return 1
    echo "starts $(wc -l < starts), kept $(kept_runs killed.sqlite)"
    [ "$(kept_runs killed.sqlite)" -eq 120 ] && [ "$(wc -l < starts)" -le $((120 + 50 * 2)) ]
}
check "kill -9 at fifty moments loses what was running and no more" killed
check "and the points are whole" is 60 killed.points 'select count(*) from points where weighted_speedup > 0'

# --- Ctrl-C.
interrupted() {
    "$memhelm" sweep -i baseline -w GUPS --twin --vary walk.walkers=2..64*2 --cycles 50M --results int.sqlite --output int.points > int.out 2>&1 &
    local pid=$!
    sleep 1
    kill -INT $pid
    wait $pid
    [ $? -eq 130 ] && grep -q 'interrupted; what is finished is kept, the same call goes on' int.out
}
check "Ctrl-C ends it and says what is kept" interrupted

# A GPU of the user's own beside built-in ones: the same numbers as with its keys; the file's contents are part of the sweep.
own() {
    printf 'preset: dws\nl1tlb: {mshrs: 1}\nsm: {count: 4}\n' > own.yaml
    sweep -p dws,own.yaml -i baseline -w BP+SCP --twin --cycles 20000 --metric ipc --output own.sqlite -s sm.count=4 &&
        sweep -p dws -i baseline -w BP+SCP --twin --cycles 20000 --metric ipc --output keys.sqlite -s sm.count=4 --vary l1tlb.mshrs=1 &&
        python3 - <<'PY'
import sqlite3
points = lambda f, where: sqlite3.connect(f).execute("select ipc from points where " + where).fetchall()
assert points("own.sqlite", "preset = 'own.yaml'") == points("keys.sqlite", "1") != points("own.sqlite", "preset = 'dws'")
PY
}
check "a file in the place of a preset" own
sed -i 's/mshrs: 1/mshrs: 2/' own.yaml
fails "a file that has changed: nothing of before is taken for it" 0 '2 points, ' sweep -p dws,own.yaml -i baseline -w BP+SCP --twin \
    --cycles 20000 --metric ipc --output own.sqlite -s sm.count=4
check "its points are anew" python3 -c 'import sqlite3
(a,), (b,) = sqlite3.connect("own.sqlite").execute("select ipc from points order by preset").fetchall()
(c,), = sqlite3.connect("keys.sqlite").execute("select ipc from points").fetchall()
assert c not in (a, b)'
fails "a file that is not there" 2 'no.yaml: cannot open' sweep -p no.yaml -i baseline -w BP
fails "a run's title names it" 0 'baseline on dws as changed by own.yaml and 1 key: BP, ' "$memhelm" run baseline -p own.yaml -w BP --twin \
    --cycles 3000 --no-alone -s l2.ways=8
fails "a file, and another" 2 'two configurations; give one' "$memhelm" run baseline -p own.yaml -c own.yaml -w BP

# Each point's words are those of `explain` on the same two runs, whichever image it is; the first image has none.
why() {
    printf 'image: [baseline, mask, dws]\npreset: dws\nworkload: [RED+MVT, GUPS]\ncycles: 20000\ntwin: true\nwhy: true\nmetrics: ipc\n' > why.yaml
    sweep why.yaml && "$memhelm" table why.sqlite --show image,workload,why --output why.csv || return 1
    [ "$(grep -c '^baseline,.*,$' why.csv)" = 2 ] || return 1
    for image in mask dws; do
        for workload in RED+MVT GUPS; do
            "$memhelm" explain baseline $image -p dws -w $workload --twin --cycles 20000 > explain.out || return 1
            words=$(grep -E '^[A-Z]+ (runs|issued)' explain.out | paste -sd ' ')
            [ -n "$words" ] && grep -F "$image,$workload," why.csv | grep -qF "$words" || { echo "$words"; cat why.csv; return 1; }
        done
    done
    "$memhelm" report why.sqlite -o why.page && grep -q 'Why</h' why.page/index.html && grep -qF "dws, GUPS: GUPS runs" why.page/index.html
}
check "why: explain's words at each point" why
fails "why of one image" 2 'why says what another image changes: it needs two' sweep -i baseline -w BP --why
fails "why of one image that counts already" 2 'it needs two' sweep -i baseline -w BP --why --set sm.wait_reasons=1
fails "a metric that is called so" 2 'a column has that name' sweep -i baseline,mask -w BP --why --metric why=ipc
fails "no words where waits were not counted" 0 '^4 points' sweep -i baseline,mask -w BP --twin --cycles 20000 --why --vary sm.wait_reasons=0,1 --metric ipc --output unsaid.sqlite
check "but where they were" bash -c '[ "$("$0" table unsaid.sqlite --show sm.wait_reasons,image,why --format csv | grep -c "BP runs")" = 1 ]' "$memhelm"
fails "which image?" 2 'which image\? --image' sweep -w BP
fails "which workload?" 2 'which workload\? --workload' sweep -i baseline
fails "an unknown image" 2 "unknown image 'nope'" sweep -i nope -w BP
fails "an unknown kernel, before anything runs" 2 "unknown kernel 'NOPE'" sweep -i baseline -w NOPE
fails "an unknown key" 2 "unknown key 'entires' in l2tlb; nearest: l2tlb.entries" sweep -i baseline -w BP --vary l2tlb.entires=4
fails "more seeds than are allowed" 2 "--seeds: '1-1001' are 1001; at most 1000 are allowed" sweep -i baseline -w BP --seeds 1-1001
fails "as many as are allowed" 0 '^1000 points, ' sweep -i baseline -w BP --set sm.count=2 --cycles 3000 --metric ipc --twin --seeds 1-1000 --dry-run
fails "a key twice" 2 "--vary: l2tlb.entries is given twice; write its values with commas: --vary l2tlb.entries=128,256" \
    sweep -i baseline -w BP --vary l2tlb.entries=128 --vary walk.walkers=4 --vary l2tlb.entries=256
fails "a range that is none" 2 "l2tlb.entries: '9..4' is no range: write 1..8" sweep -i baseline -w BP --vary l2tlb.entries=9..4
fails "an unknown list" 2 'workload @dws:NO: study dws has no such list; there are: LL ML' sweep -i baseline -w @dws:NO
fails "an unknown study" 2 'no list of yours, and nobody is no study; there are: mask' sweep -i baseline -w @nobody:NO
fails "an unknown metric" 2 "no counter or metric 'speed'" sweep -i baseline -w BP --metric speed
fails "an unknown metric that is near to none" 2 "no counter or metric 'foo'; .memhelm list metrics. has all" sweep -i baseline -w BP --metric foo
# Each name of the list is one, with [0] where the list has that; what is written large stands for others.
listed() {
    local metrics
    "$memhelm" list metrics > metrics.out || return 1
    mapfile -t metrics < <(awk 'NR > 1 && $1 !~ /[A-Z]/ {print $1; if ($2 == "[t]") print $1 "[0]"}' metrics.out)
    [ ${#metrics[@]} -gt 100 ] || return 1
    printf 'image: baseline\nworkload: BP:4096\nset: sm.count=2\ncycles: 3000\ntwin: true\nmetrics: {all: "%s"}\n' \
        "$(IFS=+; echo "${metrics[*]:0:20}")" > all.yaml
    sweep all.yaml --dry-run || return 1
    for m in "${metrics[@]}"; do
        "$memhelm" sweep --results results.sqlite -i baseline -w BP:4096 --twin --dry-run --metric "$m" > metric.out 2>&1 || { cat metric.out; return 1; }
    done
}
check "each name of list metrics is one" listed
fails "a metric of a key that is none" 2 "metric config.sm.cout: .*nearest: sm.count" sweep -i baseline -w BP --metric config.sm.cout
fails "a metric of a tenant that is not there, before anything runs" 2 'metric ipc\[5\]: ipc\[5\]: there are 2 tenants, \[0\] to \[1\]' sweep -i baseline -w BP+SCP --metric 'ipc[5]'
fails "a metric's name that is a column" 2 'a column has that name' sweep -i baseline -w BP --metric seed=ipc
fails "a sample of nothing" 2 'a sample of what\?' sweep -i baseline -w BP --latin 4
fails "more than there are" 2 'random: 9 of 2 combinations' sweep -i baseline -w BP --vary sm.count=1,2 --random 9
fails "a part that is none" 2 '--shard: .5/4.; write 1/4' sweep -i baseline -w BP --shard 5/4
printf 'image: baseline\nvarry: {}\n' > bad.yaml
fails "a file with a wrong key, with its line" 2 "bad.yaml:2: a sweep has no key 'varry'; nearest: vary; there are: preset" sweep bad.yaml
fails "points of another sweep stay" 2 'holds the points of another sweep' sweep tlb.yaml --output some.sqlite
fails "an output that cannot be written, before anything runs" 2 'choose another file with --output' sweep "${small[@]}" --twin --output /dev/full
finish
