#!/usr/bin/env bash
# Runs that do not go on, and what stands in their way: time, a QEMU that is stopped, a debugger that was killed, a full
# disk, what a killed memhelm left behind. Each is named with its remedy, and nothing waits for ever.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"
export TMPDIR=$work/tmp
mkdir -p "$TMPDIR" "$work/small"
trap 'umount "$work/small" 2> /dev/null; rm -rf "$work"' EXIT
long=(-w GUPS --no-alone --cycles 4000000000)

empty() {
    [ -z "$(ls -A "$TMPDIR")" ] || { ls -A "$TMPDIR"; return 1; }
}

# --- Time.

fails "a run over its time" 1 'memhelm: baseline: not finished after 1 s, and ended .--timeout.: allow more seconds' \
    timeout 20 "$memhelm" run baseline "${long[@]}" --timeout 1
fails "of a twin, too" 1 'memhelm: baseline: not finished after 1 s' timeout 20 "$memhelm" run baseline --twin "${long[@]}" --timeout 1
fails "the others of compare go on" 1 'baseline +lost +fault:fault.divide=1 +fault ' \
    timeout 60 "$memhelm" compare baseline "$(faulty fault.divide)" "${long[@]}" --timeout 4 --json "$work/c.json"
check "and are in the results" bash -c 'grep -q "\"end\": \"fault\"" "$0"' "$work/c.json"
fails "classes" 1 'mask-SAD@cuda, seed 1, in no time: baseline: not finished after 1 s' timeout 30 "$memhelm" classes --paper mask --kernel SAD@cuda --cycles 4000000000 --timeout 1
reproduce=(reproduce mask --row fig11-mask --twin --workload GUPS+HISTO --results "$work/runs.sqlite")
fails "reproduce" 1 'some runs have no result' timeout 60 "$memhelm" "${reproduce[@]}" --cycles 40000000 --timeout 1 --jobs 2
check "what was over its time is not kept" python3 - "$work/runs.sqlite" <<'PY'
import sqlite3, sys
tables = [n for n, in sqlite3.connect(sys.argv[1]).execute("select name from sqlite_master where type = 'table'")]
rows = sum(sqlite3.connect(sys.argv[1]).execute(f"select count(*) from {t}").fetchone()[0] for t in tables if t == "runs")
sys.exit(f"{rows} runs kept" if rows else 0)
PY
fails "no seconds" 2 "timeout: 'soon'; allowed: 1.." "$memhelm" run baseline "${long[@]}" --timeout soon

# --- A QEMU that is stopped.

# background ARGUMENTS..: memhelm, its id in $pid and that of its child in $child, once there is one
background() {
    "$memhelm" "$@" > "$work/back.out" 2>&1 &
    pid=$!
    local i
    for ((i = 0; i < 100; i++)); do
        child=$(pgrep -P "$pid") && sleep 0.3 && return
        sleep 0.1
    done
    return 1
}

stopped() {
    background run baseline "${long[@]}" --timeout 8 || return
    kill -STOP "$child"
    sleep 5
    grep -q "memhelm: baseline: QEMU (pid $child) is stopped; .kill -CONT $child. lets it go on" "$work/back.out" || { kill $pid; cat "$work/back.out"; return 1; }
    wait $pid
    [ $? = 1 ] && grep -q "not finished after 8 s, and ended (--timeout): QEMU (pid $child) was stopped" "$work/back.out" || { cat "$work/back.out"; return 1; }
    ! kill -0 "$child" 2> /dev/null
}
check "stopped: said within seconds, and ended" stopped

goes_on() {
    background run baseline -w GUPS --no-alone --cycles 4000000 || return
    kill -STOP "$child"
    sleep 3
    kill -CONT "$child"
    wait $pid && grep -q "is stopped" "$work/back.out" && grep -q "GPU cycles/s" "$work/back.out" || { cat "$work/back.out"; return 1; }
}
check "stopped and let go on: the run ends as ever" goes_on

# --- A debugger that is killed.

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

gone() {
    local port debugger i
    port=$(free_port)
    background run baseline "${long[@]}" --gdb="$port" --timeout 14 || return
    bash -c 'for ((i = 0; i < 50; i++)); do exec 3<> "/dev/tcp/127.0.0.1/$0" && break; sleep 0.1; done 2> /dev/null; sleep 60' "$port" &
    debugger=$!
    sleep 3
    grep -q 'gone away' "$work/back.out" && { echo "too early"; cat "$work/back.out"; return 1; }
    pkill -P $debugger
    kill -9 $debugger
    sleep 4
    grep -q "memhelm: baseline: the debugger has gone away and the mcu stands still; attach again (target remote 127.0.0.1:$port)" "$work/back.out" || { kill $pid; cat "$work/back.out"; return 1; }
    wait $pid
    [ $? = 1 ] && grep -q 'ended (--timeout): its debugger went away while the mcu stood still' "$work/back.out" || { cat "$work/back.out"; return 1; }
}
check "a debugger that is killed: said within seconds, and ended" gone
check "nothing is left of all these" empty

# --- What kill -9 leaves.

swept() {
    local dead live
    background run baseline "${long[@]}" || return
    dead=$pid
    background run baseline --twin "${long[@]}" || return
    live=$pid
    [ "$(ls "$TMPDIR" | wc -l)" = 2 ] || { ls "$TMPDIR"; return 1; }
    kill -9 $dead
    wait $dead
    mkdir "$TMPDIR/memhelm-source"
    : > "$TMPDIR/memhelm-source/mine.c"
    "$memhelm" run baseline --twin -w GUPS --no-alone --cycles 5000 > "$work/sweep.out" 2>&1 || return
    grep -q "memhelm: removed 1 directory of runs that were killed from $TMPDIR" "$work/sweep.out" || { cat "$work/sweep.out"; return 1; }
    [ "$(ls "$TMPDIR" | wc -l)" = 2 ] && [ -e "$TMPDIR/memhelm-source/mine.c" ] || { ls "$TMPDIR"; return 1; }
    kill -0 $live || return
    kill -TERM $live
    wait $live
    rm -r "$TMPDIR/memhelm-source"
    empty
}
check "kill -9: the next run sweeps what it left, and nothing else" swept

many() {
    local i pids=()
    for i in 1 2 3 4 5 6; do
        "$memhelm" run baseline --twin -w GUPS --no-alone --cycles 20000 > "$work/many$i" 2>&1 &
        pids+=($!)
    done
    for i in "${pids[@]}"; do wait "$i" || { cat "$work"/many*; return 1; }; done
    ! grep removed "$work"/many* && empty
}
check "runs that start together do not sweep each other" many

# --- No room.

limited() { # blocks of 1024 bytes
    (ulimit -f "$1" && "$memhelm" run baseline -w GUPS --no-alone --cycles 20000)
}
for blocks in 2 10; do # the configuration; what the mcu executed
    fails "ulimit -f $blocks: named" 1 'memhelm: .*memhelm-.*: a limit on the size of files .`ulimit -f`. is too low' limited $blocks
done
if mount -t tmpfs -o size=1m memhelm "$work/small" 2> /dev/null; then
    full() { # size OPTION..
        mount -o "remount,size=$1" "$work/small" && TMPDIR=$work/small "$memhelm" run baseline -w GUPS --no-alone --cycles 150000 "${@:2}"
    }
    room="small/memhelm-.*: no room for the files of a run .No space left on device.: make room, or have runs elsewhere with TMPDIR=DIR or --keep DIR"
    fails "a full disk: named, with the remedy" 1 "$room" full 16k
    fails "one that a run fills" 1 "$room" full 300k --registers "$work/registers" -s run.epoch=1000 -s run.cycles=2000000 --twin
    fails "one without even a place for a directory" any 'set TMPDIR|no room' bash -c 'mount -o remount,nr_inodes=1 "$1" && TMPDIR=$1 "$0" run baseline -w GUPS --no-alone' "$memhelm" "$work/small"
    check "nothing is left there" bash -c '[ -z "$(ls -A "$0")" ]' "$work/small"
else
    echo "ok $((tests += 1)) - a full disk: named, with the remedy # SKIP cannot mount a small disk"
fi
check "nothing is left" empty
finish
