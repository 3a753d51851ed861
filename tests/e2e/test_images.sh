#!/usr/bin/env bash
# Every image boots in QEMU and as a twin and reports PASS: marker on the uart, status in the result, exit code 0.
. "$(dirname "$0")/lib.sh" "$1"

passes() { # extra arguments
    "$memhelm" run --preset mask --workload GUPS+HISTO --cycles 250000 --seed 1 --console --json "$work/r.json" "$@" > "$work/console" 2>&1 || {
        cat "$work/console"
        return 1
    }
    grep -q '^memhelm: PASS' "$work/console" && grep -q '"end": *"pass"' "$work/r.json"
}

for elf in "$build"/firmware/*.elf; do
    image=$(basename "$elf" .elf)
    check "$image passes in QEMU" passes --image "$image"
    check "$image passes as a twin" passes --image "$image" --twin
done
check "an ELF by its path" passes --image "$build/firmware/baseline.elf"
check "newlib's printf after boot" passes --image "$build/firmware/selftest/stdio.elf"
finish
