#!/usr/bin/env bash
# Images that take over while the GPU works: --swap of run, and --warm of compare.
# quick: one of the scripts of make check
. "$(dirname "$0")/lib.sh" "$1"

run() { # name, arguments
    local name=$1
    shift
    "$memhelm" run baseline --preset dws --workload GUPS+3DS --cycles 260000 -s run.epoch=50000 --no-alone --json "$work/$name.json" \
        --registers "$work/$name.log" --epochs "$work/$name.csv" "$@" > "$work/$name.out" 2>&1 || { cat "$work/$name.out"; return 1; }
}

# --- Twin and QEMU agree; an infinitely fast mcu loses no cycle. Twice the same image, and parameters of its own.
agree() {
    local swaps=(--swap 70000:dws --swap 120000:mask:tokens.initial=40 --swap 170001:dws --swap 220000:baseline)
    run twin --twin --mcu-hz inf "${swaps[@]}" && run qemu --mcu-hz inf "${swaps[@]}" && cmp "$work/twin.log" "$work/qemu.log" &&
        cmp "$work/twin.csv" "$work/qemu.csv" && same_but_core "$work/twin.json" "$work/qemu.json" &&
        [ "$(grep -Ec '^(dws|mask:tokens.initial=40|baseline) +[0-9]{5,6} +0 +[0-9.]+ +- +[0-9.-]+$' "$work/qemu.out")" = 4 ]
}
check "twin and QEMU with an infinitely fast mcu agree" agree

by_counter() {
    local swaps=(--swap 'walks>4000:dws' --swap 200000:baseline)
    run twin --twin --mcu-hz inf "${swaps[@]}" && run qemu --mcu-hz inf "${swaps[@]}" && cmp "$work/twin.log" "$work/qemu.log" &&
        same_but_core "$work/twin.json" "$work/qemu.json" && run finite "${swaps[@]}" && python3 - "$work/twin.json" "$work/finite.json" <<'PY'
import json, sys
for path in sys.argv[1:]:
    first, second = json.load(open(path))["run"]["swaps"]
    assert 10000 <= first["asked"] < 200000 and first["asked"] % 10000 == 0 and second["asked"] == 200000, (first, second)
    assert first["asked"] <= first["began"] < first["asked"] + 1000, first
PY
}
check "a counter asks for it" by_counter

# --- Up to the swap it is the run without it; afterwards it is not.
prefix() {
    run plain --twin && run swapped --twin --swap 120000:dws &&
        python3 - "$work/plain.csv" "$work/swapped.csv" <<'PY'
import csv, sys
plain, swapped = (list(csv.DictReader(open(f))) for f in sys.argv[1:])
before = [r for r in plain if int(r["cycle"]) <= 100000]
assert len(before) == 4 and swapped[:4] == before, (before, swapped[:4])
later = [int(r["cycle"]) for r in swapped[4:]]
assert later[0] == 170000 and swapped[4:] != plain[4:], later  # the image's own epochs begin with it
PY
}
check "up to the swap it is the run without it" prefix

# --- What it costs: an epoch before and one after, by the epoch log of a twin, whose decisions take no time; and with a boot.
cost() {
    run cost --twin --swap 120000:dws && run boot --swap 120000:dws && python3 - "$work" <<'PY'
import csv, json, sys
work = sys.argv[1]
result = lambda name: json.load(open(f"{work}/{name}.json"))
near = lambda ipc, span: abs(ipc * span["cycles"] / span["lane_instr"] - 1) < 1e-5  # six digits
epochs = {}
for r in csv.DictReader(open(f"{work}/cost.csv")):
    epochs[int(r["cycle"])] = epochs.get(int(r["cycle"]), 0) + int(r["lane_instr"])
(swap,) = result("cost")["run"]["swaps"]
assert swap["before"] == {"cycles": 50000, "lane_instr": epochs[100000]}, (swap, epochs)
# The log's first row of an image begins at the epoch before it.
(shown,) = result("cost")["metrics"]["swaps"]
assert swap["during"] == {"cycles": 0, "lane_instr": 0} and swap["after"]["cycles"] == 50000, swap
assert shown["no_policy"] == 0 and shown["ipc_during"] is None and near(shown["ipc_after"], swap["after"]), shown
(swap,), (shown,) = result("boot")["run"]["swaps"], result("boot")["metrics"]["swaps"]
during, after = swap["during"], swap["after"]
assert during["cycles"] == swap["committed"] - swap["began"] == shown["no_policy"] and during["lane_instr"] > 0, swap
assert 50000 <= after["cycles"] < 60000 and abs(swap["before"]["cycles"] - 50000) < 6000, swap
assert near(shown["ipc_during"], during), (shown, swap)
PY
}
check "what a swap costs" cost

# --- With a finite mcu the image boots while the GPU works; the same bytes again.
finite() {
    run a --swap 120000:dws && run b --swap 120000:dws && cmp "$work/a.json" "$work/b.json" && cmp "$work/a.log" "$work/b.log" &&
        python3 - "$work/a.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
(swap,) = r["run"]["swaps"]
assert swap["image"] == "dws" and swap["asked"] == 120000 and [i["name"] for i in r["swapped"]] == ["dws"], r
assert 120000 <= swap["began"] < 121000 and 1000 < swap["committed"] - swap["began"] < 50000, swap
PY
}
check "a finite mcu boots while the GPU works" finite

# A decision that is due at the swap's cycle is made first.
decision() {
    run c --swap 150000:dws && python3 - "$work/c.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))["run"]
assert r["swaps"][0]["began"] > 150100 and r["core"]["decisions"] >= 3 and r["control"]["missed"] == 0, r
PY
}
check "a decision that is due is made first" decision

check "what goes wrong is said of the image that runs then" bash -c "
    '$memhelm' run baseline -p mask -w MVT+GUPS --cycles 300000 --no-alone --swap '100000:$(faulty fault.store)' 2>&1 |
        grep -q 'in store_to_hole'"

# --- Probation: an image that fails in it goes, and the one before it is there again.
# fails_in PATTERN IMAGE..: IMAGE takes over from mask and fails, as PATTERN says of it; the run passes.
fails_in() {
    "$memhelm" run mask -p mask -w MVT+GUPS --cycles 1000000 --no-alone --on-fault recover --swap "${at:-300000}:$(faulty "$2")" \
        "${@:3}" --json "$work/failed.json" > "$work/out" && cat "$work/out" && tr '\n' ' ' < "$work/out" | grep -Eq "$1" && python3 - "$work/failed.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))["run"]
(swap,) = r["swaps"]
assert r["end"] == "pass" and swap["confirmed"] == 0 and swap["rolled_back"] > swap["began"] and r["recovery"]["resets"] == 1, r
assert r["sources"]["epoch"]["answered"] >= 7, r["sources"]
PY
}
check "a fault in its boot" fails_in 'trap:trap.init=1 failed, and at GPU cycle [0-9]+ the mcu booted mask again.*breakpoint; pc .* in trap_in_init' trap.init
check "a fault" fails_in 'fault:fault.store=1 failed, and at GPU cycle 4[0-9]{5} the mcu booted mask again.*in store_to_hole' fault.store
check "a trap loop" fails_in 'the mcu booted mask again.*trap loop' trap.loop
check "a hang" fails_in 'the mcu booted mask again.*watchdog: no finished COMMIT' fault.hang
check "a rejected COMMIT" fails_in 'the mcu booted mask again.*knob CTA_LIMIT.0. was 33' registers.knob
at=50000 check "an EXIT at its second epoch" fails_in 'the mcu booted mask again.*wrote EXIT at GPU cycle' registers.exit
check "a hang in its boot" fails_in 'the mcu booted mask again.*no COMMIT since reset' watchdog.init --mcu-hz 5G
check "an image that fails later is reset itself" bash -c "
    '$memhelm' run mask -p mask -w MVT+GUPS --cycles 1M --no-alone --on-fault recover --probation 1 \
        --swap '300000:$(faulty fault.once:fault.store)' | tr '\n' ' ' | grep -Eq 'fault.store=1 +30[0-9]{4} [0-9. ]+ mask recovered 1 time.*in store_to_hole'"
fails "both fail" 1 'left in reset: fault:fault.hang=1 failed in its probation, then image.elf, which was there before it.*in .*hang' \
    "$memhelm" run "$(faulty fault.store)" -p mask -w MVT+GUPS --cycles 1M --no-alone --on-fault recover \
    --swap "10000:$(faulty fault.hang)"
check "and a third one may follow" bash -c "'$memhelm' run '$(faulty fault.store)' -p mask -w MVT+GUPS --cycles 1500K --no-alone \
    --on-fault recover --swap '10000:$(faulty fault.hang)' --swap 700K:mask | grep -Eq '^mask +70[0-9]{4} +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$'"
check "with --on-fault stop the run ends" bash -c "! '$memhelm' run mask -p mask -w MVT+GUPS --cycles 1M --no-alone \
    --swap '300000:$(faulty fault.store)' > '$work/out' 2>&1 && grep -q 'fault at GPU cycle 4' '$work/out'"
check "the next swap takes place" bash -c "'$memhelm' run mask -p mask -w MVT+GUPS --cycles 1500K --no-alone --on-fault recover \
    --swap '300000:$(faulty fault.hang)' --swap 800K:dws | grep -Eq '^dws +80[0-9]{4} +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$'"

# --- State that an image leaves for the next one: tokens that fall by one in each epoch, from 32 on.
tokens() { # those of the first epoch behind the swap; images and arguments
    local want=$1
    shift
    "$memhelm" run "$build/$1" -p mask -w MVT+GUPS --cycles 500000 -s run.epoch=50000 --no-alone --epochs "$work/state.csv" --registers "$work/state.log" \
        "${@:2}" > "$work/out" 2>&1 || { cat "$work/out"; return 1; }
    python3 - "$work/state.csv" "$want" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["tenant"] == "0"]
found = [int(r["tokens"]) for r in rows]
assert found[:4] == [31, 30, 29, 28] and found[4:] == [int(sys.argv[2]) - i for i in range(len(found) - 4)], found
PY
}
state=firmware/selftest/state.elf
check "goes on where it was" tokens 27 $state --swap "220K:$build/$state"
check "of another version: anew" tokens 31 $state --swap "220K:$build/$state:state.version=2"
check "of another length: anew" tokens 31 $state --swap "220K:$build/$state:state.length=2"
check "an image between that knows nothing of it" tokens 27 $state --swap 200001:mask --swap "220K:$build/$state"
state_agrees() {
    tokens 27 $state --mcu-hz inf --swap "220K:$build/$state" && cp "$work/state.csv" "$work/qemu.csv" && cp "$work/state.log" "$work/qemu.log" &&
        tokens 27 twin/selftest/state.so --mcu-hz inf --twin --swap "220K:$build/twin/selftest/state.so" && cmp "$work/state.csv" "$work/qemu.csv" &&
        cmp "$work/state.log" "$work/qemu.log"
}
check "twin and QEMU agree on it" state_agrees
# The row of the epoch in which it fails has knobs at reset.
check "who fails leaves nothing" tokens 32 $state --on-fault recover --swap "220K:$(faulty trap.init)"

# --- Power cuts at random instants around a swap: an image boots, answers its epochs and ends the run.
cuts() { # how many
    run kept --swap 60000:dws --cycles 160000 --probation 1 --keep "$work/cut" && python3 - "$build" "$work/cut" "$1" <<'PY'
import glob, json, os, random, re, subprocess, sys
build, kept, count = sys.argv[1:]
(run,) = glob.glob(f"{kept}/*/config.yaml")
run = os.path.dirname(run)
assert os.path.exists(f"{run}/swaps")
key = {k: int(v) for k, v in re.findall(r"(\w+): (\d+)", open(f"{run}/config.yaml").read()) if k in ("gpu_hz", "hz")}
end = json.load(open(f"{run}/result.json"))["core"]["boot"] + 160000 * key["hz"] // key["gpu_hz"]
draw, seen = random.Random(1), set()
for _ in range(int(count)):
    at = draw.randrange(1, end - 200) # mcu cycles, and the GPU's run has not ended
    subprocess.run([f"{build}/qemu-system-riscv32", "-M", f"memhelm,run={run},core-plugin={build}/libmemhelm-core.so,power-cut={at}",
                    "-plugin", f"{build}/libmemhelm-core.so,table={run}/core.table,out={run}/core.json",
                    "-kernel", f"{build}/firmware/baseline.elf", "-icount", "shift=0,sleep=off,align=off", "-nodefaults",
                    "-display", "none", "-serial", "null"], check=True, timeout=60)
    r = json.load(open(f"{run}/result.json"))
    (swap,) = r["swaps"]
    assert r["end"] == "pass" and r["recovery"]["resets"] == 1, (at, r["end"], r["recovery"])
    assert (swap["confirmed"] == 0 or swap["rolled_back"] == 0) and swap["began"], (at, swap)
    assert r["sources"]["epoch"]["answered"] >= 1, (at, r["sources"]["epoch"])
    seen.add((swap["committed"] != 0, swap["confirmed"] != 0, swap["rolled_back"] != 0))
assert {rolled for *_, rolled in seen} == {True, False}, seen
PY
}
check "power cuts around a swap" cuts "${POWER_CUTS:-40}"

# --- A debugger sees the other image begin, and the run is the same.
debugged() {
    local i port
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    run free --swap 120000:dws || return
    run gdb --swap 120000:dws --gdb="$port" &
    for ((i = 0; i < 100; i++)); do
        timeout 60 gdb-multiarch -nx -batch "$build/firmware/baseline.elf" -ex "target remote 127.0.0.1:$port" -ex 'break _start' \
            -ex continue -ex "file $build/firmware/dws.elf" -ex 'break walk_partition_init' -ex continue -ex 'delete' -ex continue > "$work/session" 2>&1
        grep -q 'could not connect\|Connection refused\|Connection timed out' "$work/session" || break
        sleep 0.1
    done
    wait $! || { cat "$work/session"; return 1; }
    grep -q 'Breakpoint 2, .*walk_partition_init' "$work/session" || { cat "$work/session"; return 1; }
    cmp "$work/free.json" "$work/gdb.json" && cmp "$work/free.log" "$work/gdb.log"
}
if command -v gdb-multiarch > /dev/null; then
    check "a debugger across a swap" debugged
fi

# --- From one warm state: the first image goes on as without a swap, and all others begin where it is.
warm() {
    local on=(--preset dws --workload GUPS+3DS --no-alone --cycles 300000 -s run.epoch=50000)
    "$memhelm" compare baseline dws "${on[@]}" "$@" --warm 150K --json "$work/warm.json" > "$work/out" &&
        "$memhelm" run baseline "${on[@]}" "$@" --warmup 150K --json "$work/cold.json" > /dev/null && python3 - "$work/warm.json" "$work/cold.json" <<'PY'
import json, sys
warm, cold = (json.load(open(f)) for f in sys.argv[1:])
base, dws = warm["results"]
assert base["run"]["tenants"] == cold["run"]["tenants"] and base["run"]["warmup"] == 150000, "baseline differs"
assert dws["run"]["tenants"] != cold["run"]["tenants"] and dws["run"]["swaps"][0]["asked"] == 150000
PY
}
check "compare --warm: the first image goes on" warm --twin
check "compare --warm in QEMU" warm --mcu-hz inf

# --- Bad input.
say() { "$memhelm" run baseline -w GUPS --cycles 300000 "$@"; }
fails "no image" 2 'swap 2M:.*when, and an image, such as 2M:dws' say --swap 2M:
fails "no cycle" 2 "swap dws: when, and an image" say --swap dws
fails "no such counter" 2 "swap wlks>5:dws: 'wlks' is no counter" say --swap 'wlks>5:dws'
fails "no value" 2 "swap walks>:dws: '' is no whole number" say --swap 'walks>:dws'
fails "an unknown image" 2 "dsw.*dws" say --swap 100K:dsw
fails "behind the end" 2 'swap 300000: the run ends at GPU cycle 300000: give --cycles more' say --swap 300K:dws
fails "out of order" 2 'swap 100K:mask: not after the swap before it, at cycle 200000' say --swap 200K:dws --swap 100K:mask
fails "with --counts" 2 'counts tells instructions of one image' say --swap 100K:dws --counts "$work/counts"
fails "--warm behind the end" 2 'warmup 300000: .* the run ends at 300000' "$memhelm" compare baseline dws -w GUPS+3DS --cycles 300000 --warm 300K
finish
