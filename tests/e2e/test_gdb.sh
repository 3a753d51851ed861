#!/usr/bin/env bash
# A run under a debugger is the run without one, byte for byte: results, accesses, epochs, counts.
. "$(dirname "$0")/lib.sh" "$1"
here=$(dirname "$0")

if ! command -v gdb-multiarch > /dev/null; then
    echo "ok 1 - a debugged run is the run without # SKIP gdb-multiarch is not installed"
    echo "1..1"
    exit 0
fi

# run NAME CORE OPTION..: NAME.json, .registers, .epochs, .core, and what the firmware wrote to its uart
run() {
    local name=$1 core=$2
    shift 2
    timeout 120 "$memhelm" run -i mask -w MVT+GUPS --no-alone --cycles 1600000 -s run.epoch=30000 --core "$core" \
        --json "$work/$name.json" --registers "$work/$name.registers" --epochs "$work/$name.epochs" \
        --counts "$work/$name.core" --keep "$work/$name" "$@" > "$work/$name.out" 2>&1 &&
        find "$work/$name" -name uart.log -exec cp {} "$work/$name.console" \;
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
    grep -q '^seen breakpoint 100 step 500 counter 20 watch 11 sleep 3 shown [1-9][0-9]*$' "$work/$1.gdb" || { cat "$work/$1.gdb"; return 1; }
}

same() { # NAME NAME
    local kind
    for kind in json registers epochs core console; do
        [ -s "$work/$1.$kind" ] && cmp "$work/$1.$kind" "$work/$2.$kind" || return
    done
}

# What the commands showed is what the mcu read after the same SNAPSHOT, and wrote before the same COMMIT.
as_the_core() {
    python3 - "$build/gdb" "$work/debugged-$1" <<'PY'
import json, sys
sys.path.insert(0, sys.argv[1])
import memhelm_registers as table
offset = {r[0]: r[1] for r in table.REGISTERS}
counters = [c[0] for c in table.COUNTERS]
read, written, tokens = {}, {}, {}  # by SNAPSHOT: (counter, tenant, word) -> value; by COMMIT: tenant -> TOKENS
snapshots = commits = 0
for line in open(sys.argv[2] + ".registers"):
    _, access, at, value, _ = line.split()
    at, value = int(at, 16), int(value, 16)
    tenant, index = divmod(at - table.COUNTER_BASE, table.COUNTER_STRIDE)
    if access == "W" and at == offset["SNAPSHOT"]:
        snapshots += 1
    elif access == "W" and at == offset["COMMIT"]:
        written[commits] = dict(tokens)
        commits += 1
    elif access == "W" and (at - offset["TOKENS"]) % table.TENANT_STRIDE == 0 and 0 <= at - offset["TOKENS"] < 0x800:
        tokens[(at - offset["TOKENS"]) // table.TENANT_STRIDE] = value
    elif access == "R" and 0 <= tenant < 2 and index // 8 < len(counters):
        read[snapshots, counters[index // 8], tenant, index // 4 % 2] = value
compared = {"counters": 0, "knobs": 0}
for line in open(sys.argv[2] + ".gdb"):
    if not line.startswith("shown "):
        continue
    what, number, values = json.loads(line[6:])
    for name, row in values.items() if what == "counters" else ():
        assert len(row) == 2, (name, row)
        for tenant, value in enumerate(row):
            for high in (0, 1):
                if (number, name, tenant, high) in read:
                    assert read[number, name, tenant, high] == value >> 32 * high & 0xffffffff, (number, name, row)
                    compared[what] += value != 0
    if what == "knobs":
        assert {t: values["TOKENS"][t] for t in written[number]} == written[number], (number, values["TOKENS"], written[number])
        compared[what] += bool(written[number])
print(compared)
assert min(compared.values()) >= 10, compared
PY
}

for core in ipc1 ibex; do
    check "$core: a run without a debugger" run "free-$core" "$core"
    check "$core: 100 stops, 500 steps, counters, sleeps, watchpoints" drive "debugged-$core" "$core"
    check "$core: the same bytes" same "free-$core" "debugged-$core"
    check "$core: what was shown is what the mcu read and wrote" as_the_core "$core"
done

# The line that `run` prints attaches, in a shell; whoever detaches again leaves a run that is the free one.
detached() {
    local pid i
    run detached ibex --gdb="$(free_port)" &
    pid=$!
    for ((i = 0; i < 100; i++)); do
        sed -n "s/^  gdb-multiarch /&-nx -batch /p" "$work/detached.out" > "$work/attach.sh"
        [ -s "$work/attach.sh" ] && break
        sleep 0.1
    done
    sed -i "s/$/ -ex 'break gpu_commit' -ex continue -ex 'memhelm tenants' -ex detach/" "$work/attach.sh"
    for ((i = 0; i < 100; i++)); do
        timeout 60 bash "$work/attach.sh" > "$work/attach.out" 2>&1
        grep -q 'could not connect\|Connection refused\|Connection timed out' "$work/attach.out" || break
        sleep 0.1
    done
    wait $pid && grep -q 'tenants at GPU cycle' "$work/attach.out" || { cat "$work/attach.out"; return 1; }
}
check "the line that is printed attaches, and whoever detaches leaves the run" detached
check "detached: the same bytes" same free-ibex detached

finish
