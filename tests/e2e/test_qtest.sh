#!/usr/bin/env bash
# quick: one of the scripts of make check
# The running device over QEMU's bus (tests/qtest).
. "$(dirname "$0")/lib.sh" "$1"

"$memhelm" run --image baseline --preset mask --workload MVT+GUPS --core ipc1 --cycles 200000 --no-alone --keep "$work/run" > "$work/out" 2>&1 ||
    cat "$work/out"
config=$(find "$work/run" -name config.yaml | head -n 1)
MEMHELM_QEMU=$build/qemu-system-riscv32 QTEST_RUN=$(dirname "$config") "$build/qtest"
