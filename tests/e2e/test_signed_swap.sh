#!/usr/bin/env bash
# Swaps of signed images: verified at power-on, booted from slot B while the GPU works, rolled back, refused.
. "$(dirname "$0")/lib.sh" "$1"

cp "$build"/firmware/{mask,dws,baseline,selftest/fault}.elf "$work"
hang=$work/fault.elf:fault.hang=1

sign() {
    "$memhelm" sign "$@" > "$work/sign.out" 2>&1 || { cat "$work/sign.out"; return 1; }
}

run() { # arguments
    timeout 120 "$memhelm" run "$work/mask.elf" --workload MVT+GUPS --preset mask --cycles 800000 --no-alone --verify --json "$work/r.json" \
        "$@" > "$work/out" 2>&1 || { cat "$work/out"; return 1; }
}

# Of the result r: swaps, boot, and the SHA-256 of a signed image.
holds() { # each line or part between ; is a condition
    python3 - "$work" "$1" <<'PY'
import hashlib, json, re, sys
work, what = sys.argv[1:]
r = json.load(open(f"{work}/r.json"))
swaps, boot = r["run"].get("swaps", []), r["boot"]
measured = lambda name: hashlib.sha256(open(f"{work}/{name}.signed", "rb").read()[:-64]).hexdigest()
for condition in re.split(r"[;\n]", what):
    assert eval(condition.strip()), (condition.strip(), swaps, boot)
PY
}

sign "$work/mask.elf" --image-version 3 && sign "$work/dws.elf" --image-version 3 && sign "$hang" --image-version 5

# --- It takes over, in less GPU time than a signature takes, and is measured.

takes_over() {
    run --swap 200K:"$work/dws.elf" --console && holds 'swaps[0]["confirmed"] == 0 or swaps[0]["confirmed"] > swaps[0]["committed"]
        swaps[0]["committed"] - swaps[0]["began"] < 300000; boot["slot"] == "B"; boot["boots"] == 2
        boot["sha256"] == measured("dws"); boot["rom_cycles"] > 50e6; 50e3 < boot["rom_cycles_again"] < 100e3' &&
        grep -q '^boot ROM: slot B: verified, may run later$' "$work/out" && grep -q '^boot ROM: slot B: verified, runs$' "$work/out" &&
        grep -q 'PASS image=dws' "$work/out"
}
check "a signed image takes over" takes_over

# The second swap's image is filled into slot A: it is hashed, and its signature known.
more_than_two() {
    run --swap 100K:"$work/dws.elf" --swap 500K:"$work/mask.elf" --cycles 3M --probation 1 && holds 'swaps[0]["confirmed"] > 0
        swaps[1]["confirmed"] > swaps[1]["committed"] > swaps[1]["began"] > 500000; boot["slot"] == "A"; boot["boots"] == 3
        boot["sha256"] == measured("mask"); 500e3 < boot["rom_cycles_again"] < 1e6; boot["rom_cycles"] < 58e6; boot["counter"] == 3'
}
check "and a third one" more_than_two
same() { run --swap 200K:"$work/dws.elf" && cp "$work/r.json" "$work/again.json" && run --swap 200K:"$work/dws.elf" && cmp "$work/r.json" "$work/again.json"; }
check "the same bytes again" same
named() { run --swap 200K:"$work/dws.signed" && cmp "$work/r.json" "$work/again.json"; }
check "named by its signed file" named
check "infinitely fast: no GPU time" bash -c "'$memhelm' run '$work/mask.elf' -w MVT+GUPS -p mask --cycles 300K --no-alone --verify --mcu-hz inf \
    --swap '100K:$work/dws.elf' | grep -Eq '^dws +[0-9]+ +0 '"

# --- What must not run does not: the image that is there goes on, as if nothing had been asked for.

fails "a swap of what is not signed" 2 'image hang2 is not signed' bash -c "cp '$work/fault.elf' '$work/hang2.elf' &&
    '$memhelm' run '$work/mask.elf' --verify -w GUPS --cycles 300K --swap '100K:$work/hang2.elf'"
fails "without --verify" any 'dws.signed is a signed image: add --verify' "$memhelm" run mask -w GUPS --cycles 300K --swap "100K:$work/dws.signed"
check "undisturbed" run
cp "$work/r.json" "$work/plain.json"
cp "$work/dws.elf" "$work/attacked.elf"
refused() { # what the ROM says, arguments
    local text=$1
    shift
    run --swap 200K:"$work/attacked.elf" --console "$@" && cat "$work/out" && grep -q "^boot ROM: slot B: $text" "$work/out" &&
        [ "$(grep -c "^at GPU cycle 200000 attacked was to take over, and mask goes on: $text" "$work/out")" = 1 ] &&
        python3 - "$work" "$text" <<'PY'
import json, sys
work, text = sys.argv[1:]
r, plain = (json.load(open(f"{work}/{name}.json")) for name in ("r", "plain"))
(swap,) = r["run"].pop("swaps")
assert swap["refused"].startswith(text) and swap["asked"] == 200000 and not any(swap[k] for k in ("began", "committed", "confirmed", "rolled_back")), swap
assert r["boot"]["slot"] == "A" and r["boot"]["sha256"] == plain["boot"]["sha256"] and r["boot"]["boots"] == 1, r["boot"]
for one in (r, plain):  # only the boot differs: the ROM has looked at one more image
    one["run"]["core"].pop("boot"), one["run"]["core"].pop("awake")
assert r["run"] == plain["run"], "the run is another one"
PY
}
attack() { # what the ROM says, Python on `b`
    python3 - "$work" "$2" <<'PY' && refused "$1"
import sys
work, what = sys.argv[1:]
b = bytearray(open(f"{work}/dws.signed", "rb").read())
exec(what)
open(f"{work}/attacked.signed", "wb").write(b)
PY
}
changed='signature does not match'
check "attack: a bit of the signature" attack "$changed" 'b[-10] ^= 4'
check "attack: a bit of the code" attack "$changed" 'b[1000] ^= 1'
check "attack: the version" attack "$changed" 'b[16] = 9'
check "attack: a cut slot" attack "$changed" 'del b[len(b) // 2:]'
check "attack: nothing" attack 'empty' 'b.clear()'
check "another key" "$memhelm" sign --new-key "$work/own.pem"
check "signed with it" sign "$work/attacked.elf" --key "$work/own.pem" --image-version 3
check "attack: another key" refused 'signed with another key'
check "an old version" sign "$work/attacked.elf" --image-version 2
check "attack: an old version" refused 'version below the monotonic counter' --counter 3

# The counter moves when a probation is over, not before.
counter_moves() {
    sign "$work/attacked.elf" --image-version 7 && run --swap 200K:"$work/attacked.elf" --swap 1200K:"$work/mask.elf" --cycles 1500K --probation 1 &&
        cat "$work/out" && holds 'boot["counter"] == 7; swaps[0]["confirmed"] > 0; swaps[1]["refused"].startswith("version below"); boot["slot"] == "B"' &&
        run --swap 200K:"$work/attacked.elf" --cycles 600K --probation 9 && holds 'boot["counter"] == 0; swaps[0]["confirmed"] == 0'
}
check "a swap back behind the counter" counter_moves

# --- Roll-back: the image before is still in its slot.

rolls_back() {
    run --swap 200K:"$hang" --on-fault recover --cycles 1500K && cat "$work/out" && holds 'swaps[0]["rolled_back"] > swaps[0]["committed"] > 0
        boot["slot"] == "A"; boot["boots"] == 3; boot["counter"] == 0; boot["sha256"] == measured("mask")
        r["run"]["end"] == "pass"; r["run"]["recovery"]["resets"] == 1; r["run"]["recovery"]["cycles_lost"] < 400000' &&
        grep -q '^fault:fault.hang=1 failed, and at GPU cycle [0-9]* the mcu booted mask again' "$work/out"
}
check "an image that hangs in its probation" rolls_back

# --- A host that fills in another image than it offered.

by_hand() { # further properties of the machine
    rm -rf "$work/hand"
    cp -r "$work/kept/mask-0" "$work/hand"
    rm "$work/hand/result.json" "$work/hand/boot.json"
    timeout 60 "$build/qemu-system-riscv32" -M "memhelm,run=$work/hand,core-plugin=$build/libmemhelm-core.so,rom=$build/firmware/rom/rom.bin,slot-a=$work/mask.signed,key=$work/hand/fuses.bin,$1" \
        -plugin "$build/libmemhelm-core.so,table=$work/hand/core.table,out=$work/hand/core.json" -icount shift=0,sleep=off,align=off \
        -nodefaults -display none -serial "file:$work/hand/uart" || { cat "$work/hand/uart"; return 1; }
    python3 -c 'import json, sys; d = sys.argv[1]; json.dump({"run": json.load(open(d + "/hand/result.json")), "boot": json.load(open(d + "/hand/boot.json"))}, open(d + "/r.json", "w"))' "$work"
}
# At 10 GHz, so that the ROM's 27 M mcu cycles are 3 M GPU cycles.
python3 -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); b[500] ^= 8; open(sys.argv[2], "wb").write(b)' "$work/dws.signed" "$work/bad.signed"
check "the run with what was offered" run --swap 200K:"$work/dws.elf" --mcu-hz 10G --cycles 5M --keep "$work/kept"
lies() {
    by_hand "refill=$work/bad.signed" && cat "$work/hand/uart" && holds 'swaps[0]["refused"].startswith("signature does not match")
        swaps[0]["rolled_back"] > swaps[0]["began"] > 0; swaps[0]["committed"] == 0; boot["slot"] == "A"; boot["sha256"] == measured("mask")
        r["run"]["end"] == "pass"; r["run"]["sources"]["epoch"]["answered"] > 10'
}
check "attack: a slot that is changed behind its verification" lies
other() {
    sign "$work/baseline.elf" && by_hand "refill=$work/baseline.signed" && holds '2.5e6 < swaps[0]["committed"] - swaps[0]["began"] < 4e6
        boot["rom_cycles_again"] > 26e6; boot["slot"] == "B"; boot["sha256"] == measured("baseline"); r["run"]["end"] == "pass"'
}
check "a good image that was not offered is verified in mid-run" other
at_the_end() { run --swap 600K:"$work/dws.elf" --swap 700K:"$work/mask.elf" --cycles 900K --probation 1 && cat "$work/out" && holds 'swaps[1]["committed"] == 900000; r["run"]["end"] == "pass"'; }
check "the run ends while the ROM hashes" at_the_end

# --- Power cuts around a swap, in ROM and images: one of the two boots, and ends the run.
cuts() { # how many
    local at
    rm -rf "$work/kept" && run --swap 200K:"$work/dws.elf" --probation 1 --keep "$work/kept" || return
    for at in $(python3 - "$work" "$1" <<'PY'
import json, random, sys
r, draw = json.load(open(f"{sys.argv[1]}/r.json")), random.Random(1)
(swap,), clock = r["run"]["swaps"], r["config"]["mcu"]["hz"] / r["config"]["clock"]["gpu_hz"]
mcu = lambda gpu: int(r["run"]["core"]["boot"] + gpu * clock)
print(*sorted(draw.randrange(mcu(swap["asked"]), mcu(swap["confirmed"]) + 5000) for _ in range(int(sys.argv[2]))))
PY
    ); do
        by_hand "power-cut=$at" && holds 'r["run"]["end"] == "pass"; r["run"]["recovery"]["resets"] == 1; boot["boots"] in (2, 3)
            (swaps[0]["confirmed"] == 0 or swaps[0]["rolled_back"] == 0) and swaps[0]["began"] > 0
            boot["slot"] == ("A" if swaps[0]["rolled_back"] else "B"); r["run"]["sources"]["epoch"]["answered"] >= 2
            boot["sha256"] == measured("mask" if swaps[0]["rolled_back"] else "dws")' || { echo "cut at $at"; return 1; }
    done
}
check "power cuts around it" cuts "${POWER_CUTS:-10}"

# --- A ROM that writes anything to the mailbox: each run ends in order.
any_rom() { # seed
    riscv64-unknown-elf-gcc -march=rv32imc_zicsr -msmall-data-limit=0 -mabi=ilp32 -Os -fno-toplevel-reorder -ffreestanding -nostdlib -Wall -Wextra -Werror -Ihwmodel/include \
        -Wl,-n -Wl,--build-id=none -Wl,-Ttext=0x10000 -Wl,-Tdata=0x200000 -Wl,-Tbss=0x200000 "-DSEED=$1" "$(dirname "$0")/machine/rom.c" -o "$work/rom.elf" &&
        riscv64-unknown-elf-objcopy -O binary "$work/rom.elf" "$work/rom.bin" || return
    rm -rf "$work/hand"
    mkdir "$work/hand"
    printf '%s\n' 'preset: mask' 'mcu: {core: ipc1, hz: 500000000, on_fault: recover}' 'run: {cycles: 400000}' 'tenants: [{kernel: GUPS}]' > "$work/hand/config.yaml"
    printf '3\n100000 first\n200000 second\n' > "$work/hand/swaps"
    cp "$work/dws.signed" "$work/hand/swap-0.signed"
    cp "$work/bad.signed" "$work/hand/swap-1.signed"
    timeout 60 "$build/qemu-system-riscv32" -M "memhelm,run=$work/hand,rom=$work/rom.bin,slot-a=$work/mask.signed,key=$work/kept/mask-0/fuses.bin" \
        -icount shift=0,sleep=off,align=off -nodefaults -display none -serial null -trace memhelm_block_write -D "$work/hand/trace" 2> "$work/hand/errors"
    [ $? -le 4 ] && [ -s "$work/hand/result.json" ] && [ -s "$work/hand/boot.json" ] || { cat "$work/hand/errors"; return 1; }
    cat "$work/hand/trace" >> "$work/writes"
    cat "$work/hand/result.json" >> "$work/results"
}
any_roms() { # how many
    local seed
    for ((seed = 1; seed <= $1; seed++)); do
        any_rom $seed || { echo "seed $seed"; return 1; }
    done
    [ "$(wc -l < "$work/writes")" -gt 1000 ] && grep -q '"began": [1-9]' "$work/results" && grep -q '"resets": [1-9]' "$work/results"
}
check "a ROM that writes anything" any_roms "${ROMS:-20}"
finish
