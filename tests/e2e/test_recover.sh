#!/usr/bin/env bash
# Faults, hangs and the watchdog: with `stop` they end the run and name the function; with `recover` the GPU goes on
# under its last knobs, the knobs go to reset when the watchdog bites, and the mcu alone boots again.
. "$(dirname "$0")/lib.sh" "$1"

image() { # fault or image, further arguments
    local image=$1
    [[ $image == */* || $image != *.* ]] || image=$(faulty "$image")
    shift
    timeout 120 "$memhelm" run --image "$image" --preset mask --workload "${workload:-MVT+GUPS}" --cycles 600000 --no-alone "$@"
}

# --- A fault is reported with pc, cause and function.

fails "stop: a store to a hole" any 'store access fault.*pc 0x0010.* in store_to_hole.*mcause 0x00000007' image fault.store
fails "stop: a wild jump, its caller named" any 'instruction access fault.*pc 0x00abcdee in no function, called from 0x0010.* in call_hole.*mcause 0x00000001' image fault.jump
fails "stop: a division by zero" any 'breakpoint.*pc 0x0010.* in divide_by_zero.*mcause 0x00000003' image fault.divide
fails "stop: a stack overflow" any 'store access fault.*pc 0x0010.* in deeper.*mcause 0x00000007' image fault.stack
fails "stop: a hang, found by the watchdog" any 'watchdog: no finished COMMIT in 150000 GPU cycles.*mcu.watchdog=0.*in hang' image fault.hang:fault.once
fails "kicks without a COMMIT are none" any 'watchdog.kick=1 hangs at GPU cycle 150[01].. *: watchdog' image watchdog.kick --json "$work/kick.json"
check "and are counted" python3 - "$work/kick.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))["run"]
assert r["core"]["bad_kicks"] > 1000 and r["recovery"]["bites"] == 0, r
PY
fails "without the watchdog a hang is found at the end" any 'hangs at GPU cycle 600000: the firmware did not answer' image fault.hang:fault.once --set mcu.watchdog=0
check "a watchdog of an epoch and a half bites nobody who decides" image mask --set mcu.on_fault=stop
fails "mcu.on_fault is one of two words" any 'mcu.on_fault.*stop, recover' image mask --on-fault perhaps

# --- Who hangs cannot talk the watchdog out of it, whatever it wrote before; found when it hangs, not at the end.

for hz in 500000000 inf; do
    fails "$hz Hz: asleep in init" any 'watchdog.sleep=1 hangs at GPU cycle 15000[0-9]: watchdog: no COMMIT since reset, and 150000 GPU cycles have passed .*the mcu sleeps.*in sleep_for_ever' image watchdog.sleep --cycles 20000000 --mcu-hz $hz
done
fails "a hang in init" any 'watchdog.init=1 hangs at GPU cycle 1500[0-9]{2}: watchdog: no COMMIT since reset.*the mcu is awake.*in hang' image watchdog.init --cycles 20000000
fails "a hang in init, infinitely fast" any 'watchdog.init=1 hangs at GPU cycle 0: the firmware never slept' image watchdog.init --mcu-hz inf
for image in watchdog.off watchdog.long; do
    fails "$image: refused" any "$image=1 hangs at GPU cycle 150[0-9]{3}: watchdog: no finished COMMIT in 150000 GPU cycles.*in hang" image $image --cycles 20000000 --json "$work/$image.json"
    check "$image: and counted" grep -q '"bad_periods": 2$' "$work/$image.json"
done
fails "COMMITs and kicks that answer no epoch" any 'watchdog.commit=1 hangs at GPU cycle 25[01][0-9]{3}: watchdog: [0-9]{4} COMMITs in 150000 GPU cycles, none in time for an epoch.*in hang' image watchdog.commit --cycles 20000000

fails "SNAPSHOTs, COMMITs and kicks that decide nothing" any 'watchdog.snapshot=1 hangs at GPU cycle 25[0-9]{4}: watchdog: [0-9]{4} COMMITs in 150000 GPU cycles, and no DECISION.*in hang' image watchdog.snapshot --cycles 20000000

# resets IMAGE OF..: the mcu is reset again and again, in time that passes, and the run ends.
resets() {
    image "$1" --on-fault recover --json "$work/resets.json" > "$work/out" 2>&1
    cat "$work/out"
    python3 - "$work/resets.json" "${@:2}" <<'PY'
import json, sys
run, (end, bites, text) = json.load(open(sys.argv[1]))["run"], sys.argv[2:]
r = run["recovery"]
assert (run["end"], r["bites"], r["resets"]) == (end, int(bites), int(bites)) and run["cycles"] == 600000, (run["end"], r)
assert text in r["first"]["reason"], r
PY
}
check "recover: a hang in init" resets watchdog.init hang 1 "no COMMIT since reset"
check "and its end says that it never came to a COMMIT" grep -q 'no EXIT within 200000 mcu cycles, and no COMMIT since the mcu.s reset' "$work/out"
check "recover: asleep in init" resets watchdog.sleep hang 1 "no COMMIT since reset"
check "recover: WATCHDOG 0" resets watchdog.off pass 3 "no finished COMMIT"
check "recover: WATCHDOG 0xffffffff" resets watchdog.long pass 3 "no finished COMMIT"
check "recover: COMMITs and kicks" resets watchdog.commit pass 2 "none in time for an epoch"
check "recover: SNAPSHOTs, COMMITs and kicks" resets watchdog.snapshot pass 2 "and no DECISION"

# --- An mcu that is too slow for its epochs: bitten, and called slow; without the watchdog the table says it, and a line.

storm() { # further arguments
    image mask --set run.epoch=1000 "$@"
}
fails "epochs that are too short for the mcu" any 'mask hangs at GPU cycle 1[0-9]{3}: watchdog: no finished COMMIT in 1500 GPU cycles' storm
missed() {
    storm --set mcu.watchdog=0 > "$work/out" 2>&1 || { cat "$work/out"; return 1; }
    grep -E '^mask: [0-9]{3} of [0-9]{3} epochs missed: at 500 MHz the mcu decides more slowly than they come; memhelm budget shows where$' "$work/out"
}
check "without the watchdog a line says how many are missed" missed
quiet() {
    image mask > "$work/out" 2>&1 && ! grep missed: "$work/out"
}
check "who misses nothing reads nothing" quiet

# --- Recovery.

recovers() { # image, name of the results, further arguments
    local name=$2 image=$1
    shift 2
    image "$image" --on-fault recover --json "$work/$name.json" --epochs "$work/$name.csv" --keep "$work/$name" \
        --trace 'memhelm_guard_*' "$@" > "$work/$name.out" 2> "$work/$name.trace" || {
        tail -n 3 "$work/$name.trace"
        return 1
    }
}

# check_recovery.py NAME FAULTS BITES: what happened, in which order, and under which knobs.
cat > "$work/check_recovery.py" <<'PY'
import csv, json, math, re, sys
name, faults, bites = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
run = json.load(open(f"{name}.json"))["run"]
events = [(e[0], int(e[1])) for e in re.findall(r"memhelm_guard_(\w+) t \d+ gpu (\d+)", open(f"{name}.trace").read())]
assert run["end"] == "pass", run
r = run["recovery"]
assert (r["faults"], r["bites"], r["resets"]) == (faults, bites, 1), r
assert "resets=1" in open(sys.argv[4]).read(), "the second boot does not say so"

# The bite: one epoch and a half after the last kick, rounded up to a core cycle of 2.04 GPU cycles; on a core whose
# loop takes two cycles an instruction, what a quantum of it takes longer.
reset = next(i for i, e in enumerate(events) if e[0] == "reset")
kick = max(cycle for what, cycle in events[:reset] if what == "kick")
if bites:
    mcu = json.load(open(f"{name}.json"))["config"]["mcu"]
    late = 2 + (0 if mcu["core"] == "ipc1" else 2.04 * mcu["quantum"])
    assert kick + 150000 <= events[reset][1] <= kick + 150000 + late, events
first = next(cycle for what, cycle in events if what in ("fault", "bite"))
assert r["first_cycle"] == first, (r, events)

# Without a policy: from the fault, or the last kick before a hang, to the COMMIT before the first kick after the reset.
back = next(cycle for what, cycle in events[reset:] if what == "kick")
lost = back - (first if faults else kick)
assert lost - 200 <= r["cycles_lost"] <= lost, (lost, r)

# The decision that did not come is missed, its row has the knobs of the one before; then the policy's own again.
rows = [row for row in csv.DictReader(open(f"{name}.csv")) if row["tenant"] == "0"]
missed = [i for i, row in enumerate(rows) if not row["latency"]]
knobs = list(rows[0])[list(rows[0]).index("tokens"):]
assert missed == [2], missed
assert all(rows[2][k] == rows[1][k] for k in knobs), rows
assert rows[1]["tokens"] != "32" and rows[1]["dram_queues"] == "1", rows
assert len(rows) > 3 and rows[3]["tokens"] == rows[1]["tokens"], rows
assert run["sources"]["epoch"]["missed"] == 1, run["sources"]
PY
behaves() { # name, faults, bites
    python3 "$work/check_recovery.py" "$work/$1" "$2" "$3" "$(find "$work/$1" -name uart.log)"
}

check "a hang: the run passes" recovers fault.hang:fault.once hang
check "a hang: bitten on the cycle, booted again, knobs" behaves hang 0 1
check "a hang: a line says so" grep -q 'fault.once=1 recovered 1 time; at GPU cycle 3.*watchdog.*in hang.*epochs) without a policy' "$work/hang.out"
check "on ipc1: the run passes" recovers fault.hang:fault.once ipc1 --core ipc1
check "on ipc1: bitten on the cycle, booted again, knobs" behaves ipc1 0 1
check "a fault: the run passes" recovers fault.divide:fault.once fault
check "a fault: the GPU goes on under the last knobs until the bite" behaves fault 1 1
check "a fault: a line says so" grep -q 'fault.once=1 recovered 1 time.*breakpoint.*in divide_by_zero' "$work/fault.out"
check "a trap loop: the run passes" recovers trap.loop:trap.once loop
check "a trap loop: reset at once" behaves loop 1 0

# A slow mcu needs longer to boot than to the next expiry: that epoch is missed under the safe knobs, all at reset.
safe_knobs() {
    recovers fault.hang:fault.once slow --mcu-hz 100000000 --cycles 900000 && python3 - "$work/slow.csv" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["tenant"] == "0"]
safe = rows[3]
assert safe["latency"] == "" and safe["tokens"] == "32" and safe["l2_bypass"] == "0", safe
assert any(row["tokens"] == rows[1]["tokens"] != "32" for row in rows[4:]), rows
PY
}
check "between bite and boot the knobs are safe" safe_knobs

# With no watchdog the last knobs stay until the end, which nobody answers.
last_knobs_stay() {
    image fault.divide:fault.once --on-fault recover --set mcu.watchdog=0 --epochs "$work/stay.csv" > "$work/stay.out" 2>&1
    [ $? -ne 0 ] && grep -q 'did not answer the end.*after an unexpected trap.*breakpoint' "$work/stay.out" &&
        grep -q 'in divide_by_zero' "$work/stay.out" && python3 - "$work/stay.csv" <<'PY'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["tenant"] == "0"]
knobs = list(rows[0])[list(rows[0]).index("tokens"):]
assert len(rows) >= 4 and all(rows[i][k] == rows[1][k] for i in range(2, len(rows)) for k in knobs), rows
PY
}
check "no watchdog: the last knobs stay to the end" last_knobs_stay
check "an infinitely fast mcu that hangs" recovers fault.hang:fault.once inf1 --mcu-hz inf
check "an infinitely fast mcu that faults" recovers fault.divide:fault.once inf2 --mcu-hz inf

fails "a fault before GPU time has begun ends the run" any 'ended in a fault at GPU cycle 0:.*in trap_in_init' image trap.init --on-fault recover
fails "who hangs again and again hangs at the end" any 'fault.hang=1 hangs at GPU cycle 660000: the firmware did not answer' image fault.hang --cycles 660000 --on-fault recover --json "$work/again.json"
check "and was reset each time" python3 - "$work/again.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))["run"]["recovery"]
assert r["bites"] == r["resets"] >= 2 and r["faults"] == 0, r
PY

# --- Not bitten yet when the run ends: what it is, whatever would have followed.

for on_fault in stop recover; do
    fails "$on_fault: a fault shortly before the end is a fault" 1 'fault.once=1 ended in a fault.*unexpected trap, reported by the firmware: breakpoint.*in divide_by_zero.*mcause 0x00000003' image fault.divide:fault.once --cycles 350000 --on-fault $on_fault --json "$work/late-$on_fault.json"
    check "$on_fault: and its result says so" grep -q '"end": "fault"' "$work/late-$on_fault.json"
    fails "$on_fault: a hang shortly before the end is one" 1 'fault.once=1 hangs at GPU cycle 350000: the firmware did not answer the end of the run.*no finished COMMIT since GPU cycle 20[0-9]{4}; the mcu is awake.*in hang' image fault.hang:fault.once --cycles 350000 --on-fault $on_fault
done

# --- Everything goes back: what acts without a COMMIT, CSRs (test_machine.sh has all of them).

# CTAs of HISTO end soon, and with them the drains of the SMs that it was given.
roots_go_back() {
    workload=HISTO+MM image watchdog.roots --cycles 1000000 --on-fault recover --epochs "$work/roots.csv" > "$work/out" 2>&1 && python3 - "$work/roots.csv" <<'PY'
import csv, sys
issued = [int(r["warp_instr"]) for r in csv.DictReader(open(sys.argv[1])) if r["tenant"] == "1"]
assert min(issued) > issued[1] / 3, issued
PY
}
check "SMs of a hung firmware go back to their tenants" roots_go_back
fails "mcycle counts again" 0 'watchdog.cycles=1 recovered 1 time' image watchdog.cycles --cycles 1000000 --on-fault recover
fails "a CSR that the mcu does not have is an illegal instruction" 1 'trap.csr=1 ended in a fault at GPU cycle 10[0-9]{4}: unexpected trap, reported by the firmware: illegal instruction.*in write_trigger' image trap.csr
fails "and the next firmware finds the mcu as it was" 0 'trap.csr=1 recovered [0-9] times.*illegal instruction' image trap.csr --on-fault recover
fails "who handles illegal instructions runs: all CSRs, random values" 0 'csr-fuzz: ' image "$build/firmware/selftest/csr-fuzz.elf" --cycles 200000

# --- Traps after each reset: one reset at once, then as the watchdog bites; with short periods an end is put to it.

in_a_loop() { # resets, further arguments
    local most=$1
    shift
    image trap.reset --on-fault recover --json "$work/loops.json" "$@" > "$work/out" 2>&1
    python3 - "$work/loops.json" "$most" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))["run"]
assert run["end"] == "fault" and "trap loop" in run["fault"]["reason"], run["fault"]
assert 1 <= run["recovery"]["resets"] <= int(sys.argv[2]), run["recovery"]
PY
}
check "a trap loop after each reset" in_a_loop 4 --cycles 4000000
check "and the diagnosis says how many" grep -Eq 'trap.reset=1 ended in a fault.*[(][2-4] resets[)], after a trap loop' "$work/out"
check "the same, infinitely fast" in_a_loop 30 --cycles 4000000 --mcu-hz inf
# Without an end to it 200 resets of 10 M cycles would be awaited.
endless() {
    image fault.hang --on-fault recover --mcu-hz inf --set run.epoch=3000 --json "$work/endless.json" > "$work/out" 2>&1
    grep 'left in reset after it had not slept 20 times (20 resets)' "$work/out" && python3 - "$work/endless.json" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))["run"]
assert run["end"] == "hang" and run["recovery"]["bites"] == 20 and run["core"]["awake"] < 50e6, run
PY
}
check "a hang after each reset, infinitely fast" endless
check "the same, with short epochs" in_a_loop 200 --set run.epoch=1000 --mcu-hz inf --cycles 2000000

# --- What the firmware tells the machine: when the work for a source begins and ends, and of every COMMIT.

marks() {
    "$memhelm" run --image dwspp --preset dws --workload GUPS+MVT --cycles 300000 --no-alone --set 'tenants[1].leave=150000' \
        --json "$work/marks.json" --trace 'memhelm_*_write' > "$work/out" 2> "$work/marks.trace" && python3 - "$work/marks.trace" "$work/marks.json" <<'PY'
import json, re, sys
decision = {0: 0x08, 1: 0x20, 2: 0x24, 3: 0x2c}  # by number of the source
run, open_source, ended, commits, kicks = json.load(open(sys.argv[2]))["run"], None, [0] * 4, 0, 0
for kind, offset, value in re.findall(r"memhelm_(gpu|block)_write .*W (0x\w+) .*value (0x\w+)", open(sys.argv[1]).read()):
    offset, value = int(offset, 16), int(value, 16)
    if kind == "gpu":
        commits += offset == 0x110
    elif offset == 0x28:
        assert open_source is None, "a source begins within another"
        open_source = value
    elif offset in decision.values():
        assert decision[open_source] == offset, (open_source, offset)
        ended[open_source] += 1
        open_source = None
    elif offset == 0x34:
        kicks += 1
        assert kicks == commits, "a kick that is not the COMMIT's"
assert kicks == commits and run["core"]["bad_kicks"] == 0
core, sources = run["core"], run["sources"]
assert ended == [core["decisions"], core["walk_decisions"], 0, core["event_decisions"]] and core["event_decisions"] == 1, ended
assert sources["tenant"]["raised"] == sources["tenant"]["answered"] == 1 and sources["tenant"]["latency_max"] < 10000, sources
assert ended[0] > 1 and ended[1] > 10 and core["irq_latency_count"] > ended[0], core
for s in sources.values():
    assert 0 <= s["raised"] - s["answered"] - s["missed"] <= 1, sources
PY
}
check "marks of the work for each source, and a kick per COMMIT" marks

# --- What the hang moved: less than the policy gains. On a GPU where the policy does gain.

ipc() { # image, name
    image "$1" --set l1tlb.mshrs=32 --on-fault recover --json "$work/$2.json" > "$work/out" 2>&1 || return 1
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["metrics"]["ipc"])' "$work/$2.json"
}
costs_little() {
    python3 - "$(ipc baseline none)" "$(ipc mask whole)" "$(ipc fault.hang:fault.once once)" <<'PY'
import sys
none, whole, once = map(float, sys.argv[1:])
print(f"# IPC: no policy {none}, mask {whole}, mask that hangs once {once}:", end=" ")
print(f"the hang cost {100 * (whole - once) / (whole - none):.1f} % of the gain, {100 * (1 - once / whole):.2f} % of the IPC")
assert abs(whole - once) < whole - none
PY
}
check "a hang costs less than the policy gains" costs_little
grep '^# IPC' "$work/check.out"

# --- The same bytes, alone and four at a time.

same_bytes() {
    local i
    for i in 1 2 3 4; do
        recovers "$1" "$2$i" &
    done
    wait
    for i in 1 2 3 4; do
        cmp "$work/$2.json" "$work/$2$i.json" && cmp "$work/$2.csv" "$work/$2$i.csv" || return 1
    done
}
check "a hang, four at a time: the same bytes" same_bytes fault.hang:fault.once hang
check "a fault, four at a time: the same bytes" same_bytes fault.divide:fault.once fault
check "a trap loop, four at a time: the same bytes" same_bytes trap.loop:trap.once loop
finish
