#!/usr/bin/env bash
# Verified boot: sign and run, keys, versions, what an attacker may do to a signed file, resets in the middle of a boot. All
# in QEMU, with the boot ROM; tests/unit/boot has the same code natively, with more attacks.
. "$(dirname "$0")/lib.sh" "$1"

cp "$build"/firmware/{mask,baseline,selftest/boot,selftest/fault}.elf "$work"

sign() {
    "$memhelm" sign "$@" > "$work/sign.out" 2>&1 || { cat "$work/sign.out"; return 1; }
}

run() { # image, further arguments
    timeout 120 "$memhelm" run --image "$1" --workload MVT+GUPS --preset mask --cycles 300000 --no-alone "${@:2}"
}

# --- Sign and run: what ran is measured, and it ran as without the ROM.

fails "not signed yet" 2 'image mask is not signed.*mask.signed.*memhelm sign mask' run "$work/mask.elf" --verify
check "sign" sign "$work/mask.elf" --image-version 3
cp "$work/mask.signed" "$work/first.signed"
check "again" sign "$work/mask.elf" --image-version 3
check "the same bytes" cmp "$work/mask.signed" "$work/first.signed"

runs_verified() {
    run "$work/mask.elf" --verify --json "$work/verified.json" --console > "$work/out" 2>&1 &&
        run "$work/mask.elf" --json "$work/plain.json" > "$work/plain.out" 2>&1 || { cat "$work/out"; return 1; }
    grep -q '^boot ROM: slot A: verified, runs$' "$work/out" && ! grep -q 'boot ROM' "$work/plain.out"
}
check "run --verify" runs_verified
check "measured, timed; all else as without" python3 - "$work" <<'PY'
import hashlib, json, sys
work = sys.argv[1]
verified, plain = (json.load(open(f"{work}/{name}.json")) for name in ("verified", "plain"))
boot = verified.pop("boot")
signed = open(f"{work}/mask.signed", "rb").read()
assert boot["sha256"] == hashlib.sha256(signed[:-64]).hexdigest(), boot
assert (boot["slot"], boot["version"], boot["counter"], boot["boots"]) == ("A", 3, 0, 1), boot
a, b = verified["run"]["core"], plain["run"]["core"]
assert 10e6 < boot["rom_cycles"] < 40e6, boot
for key in ("boot", "awake"):
    assert a.pop(key) - b.pop(key) == boot["rom_cycles"] + 3, (key, boot)  # a jump out of the ROM
assert verified == plain
PY
check "and printed at two clocks" grep -Eq 'boot ROM [0-9]{8} mcu cycles: [0-9]+\.[0-9] ms at 100 MHz, [0-9]+\.[0-9] ms at 500 MHz$' "$work/out"
check "FILE.signed stands for its image" run "$work/mask.signed" --verify
fails "but not without --verify" any 'is a signed image: add --verify' run "$work/mask.signed"
check "infinitely fast" run "$work/mask.elf" --verify --mcu-hz inf
check "on ipc1" run "$work/mask.elf" --verify --core ipc1
fails "a twin has no ROM" any '\-\-twin has no QEMU' "$memhelm" run mask --twin --verify -w GUPS
check "list says that it is signed" bash -c "'$memhelm' sign baseline -o '$work/x.signed' && '$memhelm' list images | grep -c '(signed)' | grep -qx '$(find "$build/firmware" -maxdepth 1 -name '*.signed' | wc -l)'"

# --- Images that are good, but other ones.

fails "another build beside it" 2 'signed, but of another build or other parameters' bash -c "cp '$work/mask.elf' '$work/other.elf'; '$memhelm' sign '$work/baseline.elf' -o '$work/other.signed' && '$memhelm' run '$work/other.elf' --verify -w GUPS"
fails "parameters that it was not signed with" 2 'other parameters' run "$work/mask.elf:tokens.initial=50" --verify
check "signed with them" sign "$work/mask.elf:tokens.initial=50" -o "$work/tokens.signed"

# --- Keys and versions.

refused() { # text, image, further arguments: no image runs, for the reason that console, result and terminal give
    local text=$1
    shift
    rm -rf "$work/kept" "$work/refused.json"
    run "$@" --verify --keep "$work/kept" --json "$work/refused.json" > "$work/out" 2>&1
    [ $? -eq 1 ] && cat "$work/out" && grep -Eq "ended in a fault at GPU cycle 0: boot ROM: slot A: $text" "$work/out" &&
        grep -Eqx "boot ROM: slot A: $text.*" "$work"/kept/*/uart.log && ! grep -q 'memhelm: boot' "$work"/kept/*/uart.log &&
        python3 - "$work/refused.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["boot"]["slot"] is None and r["boot"]["sha256"] is None and r["run"]["end"] == "fault", r["boot"]
PY
}

check "a key of one's own" "$memhelm" sign --new-key "$work/own.pem"
fails "is not written over" 2 'own.pem: the key cannot be written: File exists' "$memhelm" sign --new-key "$work/own.pem"
check "wrong key" refused 'signed with another key' "$work/mask.elf" --key "$work/own.pem"
check "signed with it" sign "$work/baseline.elf" --key "$work/own.pem" --image-version 4294967295
check "and run: --key implies --verify" bash -c "'$memhelm' run '$work/baseline.elf' -w GUPS --cycles 50000 --no-alone --key '$work/own.pem' | grep -q 'version 4294967295'"
check "the development key does not run it" refused 'signed with another key' "$work/baseline.elf"
check "roll-back" refused 'version below the monotonic counter' "$work/mask.elf" --counter 4
check "and recovery does not help" refused 'version below the monotonic counter' "$work/mask.elf" --counter 4 --on-fault recover
check "its own version is not one" run "$work/mask.elf" --counter 3
fails "no key" 2 'none.pem.*--new-key' run "$work/mask.elf" --key "$work/none.pem"
fails "no key in it" 2 'own.txt: no key in PEM.*--new-key' bash -c "echo x > '$work/own.txt'; '$memhelm' run '$work/mask.elf' --key '$work/own.txt' -w GUPS"

# --- Attacks on the file. Each line: name, what the ROM says, and what is done to the bytes.

cp "$work/mask.elf" "$work/attacked.elf"
attack() { # what the ROM says, Python on `b`
    python3 - "$work" "$2" <<'PY' && refused "$1" "$work/attacked.elf"
import struct, sys
work, what = sys.argv[1:]
b = bytearray(open(f"{work}/mask.signed", "rb").read())
other = open(f"{work}/first.signed", "rb").read()
word = lambda i, v: b.__setitem__(slice(4 * i, 4 * i + 4), struct.pack("<I", v))
flip = lambda bit: b.__setitem__(bit // 8, b[bit // 8] ^ 1 << bit % 8)
exec(what)
open(f"{work}/attacked.signed", "wb").write(b)
PY
}
changed='signature does not match'
check "attack: a bit of the magic number" attack 'no signed image' 'flip(3)'
check "attack: of the format" attack 'header of another format' 'flip(32)'
check "attack: of the length" attack "header's length" 'flip(64 + 2)'
check "attack: of the entry point" attack "$changed" 'flip(96 + 1)'
check "attack: an entry in data" attack 'entry point' 'word(3, 0x200000)'
check "attack: of the version" attack "$changed" 'flip(128 + 7)'
check "attack: of the register table's" attack 'built for another version' 'flip(160)'
check "attack: of the key ID" attack 'signed with another key' 'flip(192 + 40)'
check "attack: no segments" attack 'header has no segments' 'word(8, 0)'
check "attack: a segment outside" attack 'a segment lies outside' 'word(9, 0x300000)'
check "attack: a segment over the machine block" attack 'a segment lies outside' 'word(9, 0x10001000)'
check "attack: of a segment's address" attack 'entry point' 'flip(32 * 9 + 5)'
check "attack: all of the image 64 bytes further" attack "$changed" 'word(3, 0x100040), word(9, 0x100040)'
for place in 68 500 2000; do
    check "attack: of code, byte $place" attack "$changed" "flip(8 * $place + 2)"
done
check "attack: of the signature's r" attack "$changed" 'flip(8 * (len(b) - 64))'
check "attack: of its s" attack "$changed" 'flip(8 * len(b) - 1)'
check "attack: a signature of zeros" attack "$changed" 'b[-64:] = bytes(64)'
check "attack: cut in the code" attack "$changed" 'del b[len(b) // 2:]'
check "attack: cut in the header" attack '(header|a segment)' 'del b[40:]'
check "attack: nothing" attack 'empty' 'b.clear()'
check "attack: two parts of the code change places" attack "$changed" 'b[100:164], b[200:264] = b[200:264], b[100:164]'
check "another image" sign "$work/mask.elf" --image-version 4 -o "$work/first.signed"
check "attack: its signature" attack "$changed" 'b[-64:] = other[-64:]'
check "attack: its header" attack "$changed" 'b[:68] = other[:68]'
fails "a file that no slot holds" 2 'it is no signed image' bash -c "head -c 70000 /dev/zero > '$work/attacked.signed'; '$memhelm' run '$work/attacked.elf' --verify -w GUPS"

# --- What has booted cannot change what was published, nor lower the counter.

check "an image that tries" sign "$work/boot.elf" --image-version 7
check "its boot" run "$work/boot.elf" --counter 5 --json "$work/registers.json"
check "raises the counter by one" grep -q '"counter": 6,' "$work/registers.json"
fails "without a ROM there is nothing to read" 1 'load access fault at 0x00010000 .nothing is there.' run "$work/boot.elf"
check "an image that reads the ROM's memory" sign "$work/boot.elf:boot.ram=1"
fails "has nothing to read there" 1 'load access fault at 0x00301000 .nothing is there.' run "$work/boot.elf:boot.ram=1" --verify

# --- A reset in the middle of a boot: the next one is whole. After a hang the ROM knows what it has verified, and GPU time
# goes on.

machine() { # ROM, further properties: by hand, in $work/cut
    local dir=$work/cut
    rm -rf "$dir"
    cp -r "$work/whole" "$dir"
    rm "$dir/result.json"
    timeout 60 "$build/qemu-system-riscv32" -M "memhelm,run=$dir,core-plugin=$build/libmemhelm-core.so,rom=$1,slot-a=$work/mask.signed,key=$dir/fuses.bin$2" \
        -plugin "$build/libmemhelm-core.so,table=$dir/core.table,out=$dir/core.json" -icount shift=0,sleep=off,align=off \
        -nodefaults -display none -serial "file:$dir/uart" -trace memhelm_boot_cut -D "$dir/trace"
}
cut() { # mcu cycle
    local dir=$work/cut
    machine "$build/firmware/rom/rom.bin" ",power-cut=$1" && python3 - "$work/whole" "$dir" "$1" <<'PY'
import json, re, sys
whole, cut, asked = sys.argv[1], sys.argv[2], int(sys.argv[3])
at = int(re.search(r"boot_cut t (\d+)", open(f"{cut}/trace").read())[1])
assert at >= asked, (at, asked)
a, b = (json.load(open(f"{d}/result.json")) for d in (whole, cut))
x, y = (json.load(open(f"{d}/boot.json")) for d in (whole, cut))
cycles, again = x.pop("rom_cycles"), y.pop("rom_cycles")
assert x == y and y["boots"] == 1, (x, y)  # that came to their end
# A cut behind the signature: the ROM knows that it matched.
assert again == cycles if asked < 20e6 else again < 100e3, (at, cycles, again)
# What is left: the image's first line says that it was reset, too.
left = b["core"]["boot"] - again - (a["core"]["boot"] - cycles) - at
assert 0 <= left < 1000, (a["core"]["boot"], b["core"]["boot"], at)
assert b["recovery"]["resets"] == 1 and a["recovery"]["resets"] == 0
for r in (a, b):
    r["core"].pop("boot"), r["core"].pop("awake"), r.pop("recovery")
assert a == b
PY
}
resets() {
    run "$work/mask.elf" --verify --keep "$work/resets" > /dev/null && cp -r "$work"/resets/mask-0 "$work/whole"
    local at end
    end=$(sed 's/.*"rom_cycles": \([0-9]*\).*/\1/' "$work/whole/boot.json")
    for at in 1 500 40000 200000 900000 2300000 2500000 9999999 17000000 $((end - 8000)) $((end - 600)); do
        cut $at || { echo "reset at mcu cycle $at"; return 1; }
    done
}
check "resets in the middle of a boot" resets

# A ROM with an illegal instruction where it would begin to look at slots: it says so, and no image runs.
traps() {
    local at
    at=$(riscv64-unknown-elf-nm "$build/firmware/rom/rom.elf" | sed -n 's/ T rom_main$//p')
    python3 -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); at = int(sys.argv[3], 16) - 0x10000; b[at:at + 4] = bytes(4); open(sys.argv[2], "wb").write(b)' \
        "$build/firmware/rom/rom.bin" "$work/broken.bin" "$at"
    machine "$work/broken.bin" ''
    [ $? -eq 2 ] && [ "$(cat "$work/cut/uart")" = 'boot ROM: slot A: the boot ROM trapped' ] && grep '"end": "fault"' "$work/cut/result.json"
}
check "a trap in the ROM" traps

boots_twice() {
    local once=$work/fault.elf:fault.hang=1:fault.once=1
    sign "$once" && timeout 120 "$memhelm" run "$once" --verify -w MM -p mask --mcu-hz 10G --on-fault recover \
        --cycles 4M --no-alone --json "$work/twice.json" > "$work/out" 2>&1 || { cat "$work/out"; return 1; }
    python3 - "$work/twice.json" <<'PY'
import json, sys
r = json.load(open(sys.argv[1]))
assert r["boot"]["boots"] == 2 and r["run"]["recovery"]["resets"] == 1, r["boot"]
assert 50e3 < r["boot"]["rom_cycles_again"] < 100e3 < r["boot"]["rom_cycles"], r["boot"]
lost = r["run"]["recovery"]["cycles_lost"]
assert lost > r["boot"]["rom_cycles_again"] * r["config"]["clock"]["gpu_hz"] // 10**10, lost
PY
}
check "after a hang the ROM boots again, in GPU time" boots_twice
finish
