#!/usr/bin/env bash
# quick: one of the scripts of make check
# The machine itself, with bare images of its own and QEMU started by hand: time, sleep, the end, loops, bad images.
# alone: it sends signals
. "$(dirname "$0")/lib.sh" "$1"
here=$(dirname "$0")
qemu=$build/qemu-system-riscv32

cc=(riscv64-unknown-elf-gcc -march=rv32imc_zicsr_zifencei -msmall-data-limit=0 -mabi=ilp32 -Os -ffreestanding -nostdlib -Wall -Wextra -Werror
    -Ihwmodel/include -Wl,-n -Wl,--build-id=none -Wl,-Ttext=0x100000 -Wl,-Tdata=0x200000 -Wl,-Tbss=0x200000)

config() { # directory, mcu.hz, quantum, bus latency
    mkdir -p "$1"
    printf '%s\n' 'preset: mask' "mcu: {core: ipc1, hz: $2, quantum: $3, bus_latency: $4}" \
        'run: {cycles: 101500, log_registers: 1}' 'tenants: [{kernel: GUPS}]' >"$1/config.yaml"
}

source=image
# machine DIR IMAGE ARGUMENT..: runs bare image IMAGE of $source.c in DIR.
machine() {
    local dir=$1 image=$2
    shift 2
    [ -e "$work/$image.elf" ] || "${cc[@]}" -Wno-unused-function "-DIMAGE=$image" "$here/machine/$source.c" -o "$work/$image.elf" || return 99
    timeout 60 "$qemu" -M "memhelm,run=$dir" -kernel "$work/$image.elf" -icount shift=0,sleep=off,align=off \
        -nodefaults -display none -serial "file:$dir/uart" "$@"
}

# GPU time begins at mcu cycle `start`, and the timer at GPU cycle g0: expiry k has to show at mcu cycle
# start + ceil((g0 + k * 3331) * H / gpu_hz). The run ends far enough from an expiry to find the core asleep, too.
exact() { # directory, H
    machine "$1" sleeper -trace 'memhelm_gpu_*' -D "$1/trace" || return
    python3 - "$1/trace" "$2" <<'EOF'
import re, sys
hz, gpu_hz, end = int(sys.argv[2]), 1020000000, 101500
text = open(sys.argv[1]).read()
start = int(re.search(r"gpu_start t (\d+)", text)[1])
g0 = int(re.search(r"gpu_write t \d+ gpu (\d+) W 0x0144", text)[1])
shown = [int(t) for t in re.findall(r"gpu_irq t (\d+) gpu \d+ level 1", text)]
due = list(range(g0 + 3331, end, 3331)) + [end]
assert shown == [start - (-g * hz // gpu_hz) for g in due], (start, g0, shown)
EOF
}

# Two loads, one behind the other: one instruction and the bus latency.
latency() {
    machine "$1" two_loads -trace 'memhelm_gpu_read' -D "$1/trace" || return
    python3 - "$1/trace" "$2" <<'EOF'
import re, sys
a, b = (int(t) for t in re.findall(r"gpu_read t (\d+)", open(sys.argv[1]).read())[:2])
assert b - a == int(sys.argv[2]) + 1, (a, b)
EOF
}

stopped_at_once() {
    machine "$work/f" fails
    [ $? -eq 1 ] && [ "$(cat "$work/f/uart")" = x ] && grep -q '"FAIL"\|fail' "$work/f/result.json"
}

# Core cycle of GPU cycle 0.
start_of() {
    sed -n 's/.*gpu_start t \([0-9]*\)$/\1/p' "$1"
}

begins_at_commit() {
    machine "$work/b" boots -trace 'memhelm_gpu_*' -D "$work/b/trace" &&
        [ "$(start_of "$work/b/trace")" = "$(sed -n 's/.*gpu_write t \([0-9]*\) .*W 0x0110.*/\1/p' "$work/b/trace")" ] &&
        grep -q "\"boot\": *$(start_of "$work/b/trace")" "$work/b/result.json"
}

begins_without() {
    machine "$work/f" never_sleeps -trace 'memhelm_gpu_*' -D "$work/f/trace"
    [ $? -eq 3 ] && [ "$(start_of "$work/f/trace")" = 1000000 ]
}

twice_the_same() {
    config "$work/t1" 333000000 64 17 && config "$work/t2" 333000000 64 17
    machine "$work/t1" sleeper && machine "$work/t2" sleeper -trace 'memhelm_*' -D /dev/null &&
        cmp "$work/t1/result.json" "$work/t2/result.json" && cmp "$work/t1/registers.log" "$work/t2/registers.log"
}

# meanwhile COMMAND..: with the process of a QEMU that sleeps in a long run; its exit status.
meanwhile() {
    local pid
    config "$work/i" 500000000 64 0
    sed -i 's/cycles: 101500/cycles: 4000000000/; s/core: ipc1/&, watchdog: 0/' "$work/i/config.yaml"
    machine "$work/i" sleeps_for_ever 2> "$work/i/errors" & pid=$!
    sleep 1
    "$@" "$(pgrep -P "$(pgrep -P $pid -x timeout || echo $pid)")"
    wait $pid
}

interrupted() {
    meanwhile kill -INT
    [ $? -eq 5 ] && [ ! -e "$work/i/result.json" ]
}

crashed() {
    meanwhile kill -ABRT
    [ $? -ne 0 ] && grep 'QEMU crashed by signal 6; the mcu was at or behind pc 0x001000' "$work/i/errors"
}

look_at() {
    grep Seccomp: "/proc/$1/status" > "$work/i/seccomp"
    kill -INT "$1"
}

# 2: by a filter. There is none where QEMU has no libseccomp, or the kernel does not answer SECCOMP_GET_ACTION_AVAIL.
sandboxed() {
    ldd "$qemu" | grep -q libseccomp || return 0
    meanwhile look_at
    grep -w 2 "$work/i/seccomp" || ! python3 -c '
import ctypes
raise SystemExit(ctypes.CDLL(None).syscall(317, 2, 0, ctypes.byref(ctypes.c_uint32(0x7fff0000))) != 0)'
}

config "$work/a" 500000000 64 0
config "$work/b" 333333333 64 20
config "$work/c" 2333000000 1 7
config "$work/f" 500000000 64 20
config "$work/inf" 0 64 20
config "$work/s" 500000000 64 20
sed -i 's/cycles: 101500/epoch: 10000, &/' "$work/s/config.yaml"
check "asleep, every interrupt comes on its cycle (500 MHz, no bus latency)" exact "$work/a" 500000000
check "asleep, every interrupt comes on its cycle (333.333333 MHz, latency 20)" exact "$work/b" 333333333
check "asleep, every interrupt comes on its cycle (2333 MHz, latency 7)" exact "$work/c" 2333000000
check "two loads are an instruction and a bus latency apart (20)" latency "$work/b" 20
check "two loads are an instruction and a bus latency apart (0)" latency "$work/a" 0
check "two loads are an instruction apart, infinitely fast" latency "$work/inf" 0
check "the mcu's own timer wakes it in time, with the model behind it" machine "$work/a" alarm_clock
check "the same, infinitely fast" machine "$work/inf" alarm_clock
check "GPU time begins at the first COMMIT" begins_at_commit
check "a boot that never ends holds it for a million mcu cycles" begins_without
check "two runs are alike, traced or not" twice_the_same
fails "EXIT with 0 before the run's end is no pass" 1 'FAIL: the firmware wrote EXIT at GPU cycle 0, before the run.s end at 101500' machine "$work/f" passes_at_once
check "EXIT stops the mcu at that store" stopped_at_once
fails "FAULT ends the run with what the firmware wrote" 2 'store access fault at 0x00000000 .nothing is there.; pc 0x00001234 ra 0x00005678' machine "$work/f" reports_fault
fails "an mcu that sleeps for ever: hang" 3 'HANG: .*no EXIT.*the mcu sleeps; pc 0x0010' machine "$work/f" sleeps_for_ever
fails "an mcu that never sleeps: hang" 3 'HANG: .*no EXIT.*awake; pc 0x0010' machine "$work/f" never_sleeps
fails "the same, infinitely fast: GPU time stands still" 3 'HANG: the firmware never slept' machine "$work/inf" never_sleeps
fails "a hang in the trap handler, infinitely fast" 3 'HANG: .*mcause 0x0000000b' machine "$work/inf" hangs_in_handler
fails "an interrupt that nobody acknowledges is called so" 3 'HANG: watchdog: no finished COMMIT in 15000 .*IRQ_PENDING was read [0-9]+ times and not acknowledged' machine "$work/s" never_acknowledges
fails "a trap in the trap handler" 2 'trap loop.*illegal instruction.*store access fault; pc 0x0010' machine "$work/f" trap_in_handler
fails "a trap vector in a hole" 2 'trap loop.*mtvec 0x30000000.*instruction access fault; pc 0x0010' machine "$work/f" vector_in_hole
fails "the same, infinitely fast" 2 'trap loop' machine "$work/inf" vector_in_hole
check "traps that are left without an mret are no loop" machine "$work/f" probes
sed 's/hz: 0/on_fault: recover, &/' "$work/inf/config.yaml" > "$work/f/config.yaml"
source=csr
check "a reset of the mcu alone does to each CSR what the table says" machine "$work/f" resets
check "each CSR number, random values: what is not in the table traps" machine "$work/f" fuzz
fails "without instruction counting: refused" 1 'add -icount' "$qemu" -M "memhelm,run=$work/f" -kernel "$work/fails.elf" -display none
fails "no RV32 image: refused" 1 'not an RV32 ELF' "$qemu" -M "memhelm,run=$work/f" -kernel /bin/true -icount shift=0,sleep=off -display none
"${cc[@]}" -Wl,-Ttext=0x107f80 -Wno-unused-function -DIMAGE=sleeper "$here/machine/image.c" -o "$work/big.elf"
fails "an image that does not fit: refused" 1 'does not fit' "$qemu" -M "memhelm,run=$work/f" -kernel "$work/big.elf" -icount shift=0,sleep=off -display none
check "SIGINT: exit status 5 and no result" interrupted
check "a crash of QEMU says where the mcu was" crashed
check "QEMU runs in its sandbox" sandboxed
finish
