#!/usr/bin/env bash
# Twin and QEMU are the same machine but for time: with an infinitely fast mcu they agree in every register access and
# in the whole result. With a finite mcu, the quantum is only a matter of precision.
. "$(dirname "$0")/lib.sh" "$1"

run() { # name, arguments
    local name=$1
    shift
    "$memhelm" run --preset mask --workload MVT+GUPS --cycles 430000 --seed 3 --no-alone --json "$work/$name.json" \
        --registers "$work/$name.log" --epochs "$work/$name.csv" "$@" > "$work/$name.out" 2>&1 || cat "$work/$name.out"
}

agree() { # image
    run twin --image "$1" --twin --mcu-hz inf && run qemu --image "$1" --mcu-hz inf &&
        [ -s "$work/twin.log" ] && cmp "$work/twin.log" "$work/qemu.log" && cmp "$work/twin.csv" "$work/qemu.csv" &&
        same_but_core "$work/twin.json" "$work/qemu.json"
}

# Halving the quantum moves no headline by more than 0.5 %.
quantum() {
    run q64 --image mask-tlb --set mcu.quantum=64 && run q32 --image mask-tlb --set mcu.quantum=32 &&
        python3 - "$work/q64.json" "$work/q32.json" <<'PY'
import json, sys
def numbers(x, path=""):
    if isinstance(x, dict):
        for k, v in x.items(): yield from numbers(v, path + "/" + k)
    elif isinstance(x, list):
        for i, v in enumerate(x): yield from numbers(v, f"{path}/{i}")
    elif isinstance(x, (int, float)) and not isinstance(x, bool):
        yield path, x
a, b = (dict(numbers(json.load(open(f)))) for f in sys.argv[1:])
heads = [k for k in a if k.endswith(("/warp_instr", "/lane_instr", "/walks", "/dram_read", "/l2tlb_access"))]
bad = [(k, a[k], b[k]) for k in heads if abs(a[k] - b[k]) > 0.005 * max(a[k], 1)]
print("\n".join(f"{k}: {a[k]} {b[k]}" for k in heads))
sys.exit(1 if bad or not heads else 0)
PY
}

for elf in "$build"/firmware/*.elf; do
    image=$(basename "$elf" .elf)
    check "$image: twin and QEMU with an infinitely fast mcu agree" agree "$image"
done
check "halving the quantum moves nothing by more than 0.5 %" quantum
finish
