#!/usr/bin/env bash
# A run under a debugger is the run without one, byte for byte: results, accesses, epochs, counts.
. "$(dirname "$0")/lib.sh" "$1"
here=$(dirname "$0")

if ! command -v gdb-multiarch > /dev/null; then
    echo "ok 1 - a debugged run is the run without # SKIP gdb-multiarch is not installed"
    echo "1..1"
    exit 0
fi

# run NAME CORE OPTION..: NAME.json, .registers, .epochs, .core
run() {
    local name=$1 core=$2
    shift 2
    timeout 120 "$memhelm" run -i mask -w MVT+GUPS --no-alone --cycles 1600000 -s run.epoch=30000 --core "$core" \
        --json "$work/$name.json" --registers "$work/$name.registers" --epochs "$work/$name.epochs" \
        --counts "$work/$name.core" "$@" > "$work/$name.out" 2>&1
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# drive NAME CORE: the same with gdb attached, which does what machine/drive.py says.
drive() {
    local port pid i
    port=$(free_port)
    run "$1" "$2" --gdb="$port" &
    pid=$!
    for ((i = 0; i < 100; i++)); do
        timeout 100 gdb-multiarch -nx -batch "$build/firmware/mask.elf" -x "$build/gdb/memhelm.py" \
            -ex "target remote 127.0.0.1:$port" -x "$here/machine/drive.py" > "$work/$1.gdb" 2>&1
        grep -q 'could not connect\|Connection refused\|Connection timed out' "$work/$1.gdb" || break
        sleep 0.1
    done
    wait $pid || { cat "$work/$1.out" "$work/$1.gdb"; return 1; }
    grep -q '^seen breakpoint 100 step 500 counter 20 watch 11 sleep 3$' "$work/$1.gdb" || { cat "$work/$1.gdb"; return 1; }
}

same() {
    local kind
    for kind in json registers epochs core; do
        cmp "$work/free-$1.$kind" "$work/debugged-$1.$kind" || return
    done
}

for core in ipc1 ibex; do
    check "$core: a run without a debugger" run "free-$core" "$core"
    check "$core: 100 stops, 500 steps, counters, sleeps, watchpoints" drive "debugged-$core" "$core"
    check "$core: the same bytes" same "$core"
done

finish
