#!/usr/bin/env bash
# Times of the core: loops whose cycles documents give; counts; that the clock has them where the core meets the GPU; that
# nothing of it depends on the machine that simulates, and that a core of one cycle for each instruction is as ever.
. "$(dirname "$0")/lib.sh" "$1"
here=$(dirname "$0")

for name in loops calls spans; do
    riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -Os -ffreestanding -nostdlib -Wall -Wextra -Werror \
        -Ihwmodel/include -Wl,-n -Wl,--build-id=none -Wl,-Ttext=0x100000 -Wl,-Tdata=0x200000 -Wl,-Tbss=0x200000 \
        "$here/machine/$name.c" -o "$work/$name.elf" || exit 99
done
loops=$work/loops.elf

# documented CORE: runs the loops; each has to take what the core's document says.
documented() {
    "$memhelm" run -i "$loops" -w GUPS --cycles 20000 --no-alone --core "$1" --counts "$work/$1.core" --trace 'memhelm_*_read' \
        > /dev/null 2> "$work/$1.trace" || { cat "$work/$1.trace"; return 1; }
    riscv64-unknown-elf-nm -S "$loops" > "$work/symbols"
    python3 - "$1" "$work/$1.trace" "$work/$1.core" "$work/symbols" <<'PY'
import json, re, sys

core, trace, counts, symbols = sys.argv[1], open(sys.argv[2]).read(), json.load(open(sys.argv[3])), open(sys.argv[4])
N = 1000
NAMES = """none turn xor_ shift_31 shift_6 load load_use_1 load_use_2 store mul mulhu divu never call_return jump read_csr
    write_mie none_odd turn_odd turn_compressed""".split()
# Instructions of a turn.
TURN = dict(turn=2, xor_=3, shift_31=3, shift_6=3, load=3, load_use_1=4, load_use_2=5, store=3, mul=3, mulhu=3, divu=3,
            never=3, call_return=3, jump=3, read_csr=3, write_mie=3, turn_odd=2, turn_compressed=2)

# Cycles (a, b) for a * N - b. None: the document has no such thing. A turn is its body, addi and bnez.
# Ibex, doc/03_reference/pipeline_details.rst: "Integer Computational | 0" stall cycles, "Load/Store | 1 - N", "Jump | 1 -
# N", "Any branch where the condition is met will stall for 2 cycles", "Any branch where the condition is not met will not
# stall"; instruction_decode_execute.rst: "A MUL instruction takes 3 cycles, MULH takes 4", division "takes 37 cycles to
# compute". A turn is 1 + 3; the last branch takes 1 instead of 3.
ibex = dict(turn=(4, 2), xor_=(5, 2), shift_31=(5, 2), shift_6=(5, 2), load=(6, 2), load_use_1=(7, 2), load_use_2=(8, 2),
            store=(6, 2), mul=(7, 2), mulhu=(8, 2), divu=(41, 2), never=(5, 2), call_return=(8, 2), jump=(6, 2),
            read_csr=(5, 2),
            # rtl/ibex_id_stage.sv: "A pipeline flush is needed to let the controller react after modifying certain CSRs"
            write_mie=(7, 2),
            # rtl/ibex_fetch_fifo.sv: "An uncompressed unaligned instruction is only valid if both parts are available":
            # one cycle more for each of the N - 1 jumps to it.
            turn_odd=(5, 3), turn_compressed=(4, 2))
# The slow multiplier: "Completes multiply in clog2(op_b) + 1 cycles (for MUL) or 33 cycles (for MULH)"; op_b is not known
# to the count: 33 is the bound.
ibex_slow = dict(ibex, mul=(37, 2), mulhu=(37, 2))
# The same with a branch target ALU ("1 - N (Branch Target ALU enabled)"), a multiplier of one cycle and a write-back stage,
# where a load is waited for by its use alone.
ibex_max = dict(turn=(3, 1), xor_=(4, 1), shift_31=(4, 1), shift_6=(4, 1), load=(4, 1), load_use_1=(6, 1), load_use_2=(6, 1),
                store=(4, 1), mul=(4, 1), mulhu=(5, 1), divu=(40, 1), never=(4, 1), call_return=(7, 1), jump=(5, 1),
                read_csr=(4, 1), write_mie=(6, 1), turn_odd=(4, 2), turn_compressed=(3, 1))
# PicoRV32, README: "ALU reg + immediate | 3", "ALU reg + reg | 3", "branch (not taken) | 3", "branch (taken) | 5", "memory
# load | 5", "memory store | 5", "direct jump (jal) | 3", "indirect jump (jalr) | 6", "shift operations | 4-14" ("first
# shifts in units of 4 bits and then shifts in units of 1 bit"), "a MUL instruction will execute in 40 cycles and a
# MULH[SU|U] instruction will execute in 72 cycles", "a DIV[U]/REM[U] instruction will execute in 40 cycles". COMPRESSED_ISA:
# a 32-bit instruction on an odd half word needs two words (picorv32.v).
pico = dict(turn=(8, 2), xor_=(11, 2), shift_31=(22, 2), shift_6=(15, 2), load=(13, 2), load_use_1=(16, 2),
            load_use_2=(19, 2), store=(13, 2), mul=(48, 2), mulhu=(80, 2), divu=(48, 2), never=(11, 2),
            call_return=(17, 2), jump=(11, 2), read_csr=(12, 2), write_mie=None, turn_odd=(10, 2), turn_compressed=(8, 2))
# "When BARREL_SHIFTER is activated, a shift operation takes as long as any other ALU operation"; the fast multiplier: 6.
pico_fast = dict(pico, shift_31=(11, 2), shift_6=(11, 2), mul=(14, 2), mulhu=(14, 2))
# MicroBlaze V, UG1629: one cycle for what is not named here; "3 If branch is taken, 3-, 4-, 5-stage pipeline"; "JAL, JALR |
# 3"; a load's use stalls for 2 cycles at a distance of one instruction and 1 at two ("1-2 cycle stall", "1 cycle stall");
# UG984: division "34 cycles with C_AREA_OPTIMIZED=0".
inorder5 = dict(turn=(4, 2), xor_=(5, 2), shift_31=(5, 2), shift_6=(5, 2), load=(5, 2), load_use_1=(8, 2),
                load_use_2=(8, 2), store=(5, 2), mul=(5, 2), mulhu=(5, 2), divu=(38, 2), never=(5, 2), call_return=(10, 2),
                jump=(7, 2), read_csr=(5, 2), write_mie=(5, 2), turn_odd=(4, 2), turn_compressed=(4, 2))
ipc1 = {name: (k + (name == "call_return"), 0) for name, k in TURN.items()}
# Two accesses of the window, a mul between: mul + lw.
cycles, apart = {"ibex": (ibex, 3 + 2), "ibex-slow": (ibex_slow, 33 + 2), "ibex-max": (ibex_max, 1 + 1),
                 "picorv32": (pico, 40 + 5), "picorv32-fast": (pico_fast, 6 + 5), "inorder5": (inorder5, 1 + 1), "ipc1": (ipc1, 1 + 1)}[core]

t = [int(x) for x in re.findall(r"block_read t (\d+) R 0x04", trace)]
assert len(t) == 2 * len(NAMES), len(t)
took = {name: t[2 * i + 1] - t[2 * i] for i, name in enumerate(NAMES)}
none = {name: took["none_odd" if name == "turn_odd" else "none"] for name in TURN}
wrong = [f"{n}: {took[n] - none[n]} cycles, the document says {c[0]} * {N} - {c[1]}" for n, c in cycles.items()
         if c and took[n] - none[n] != c[0] * N - c[1]]
window = [int(x) for x in re.findall(r"gpu_read t (\d+)", trace)]
if window[1] - window[0] != 20 + apart:
    wrong.append(f"accesses {window} are not 20 + {apart} cycles apart")

symbol = {f[3]: (int(f[0], 16), int(f[1], 16)) for f in (line.split() for line in symbols) if len(f) == 4}
for name, k in TURN.items():
    start, size = symbol[name]
    inside = [a for a in counts["at"] if start <= a[0] < start + size and a[1] >= N - 1]
    if sum(a[1] for a in inside) != k * N:
        wrong.append(f"{name}: {inside}, not {k} * {N} instructions")
    branch = [a[2] for a in inside if a[2]]
    if not branch or branch[-1] != N - 1:
        wrong.append(f"{name}: taken {branch}, not {N - 1} times")
sys.exit("\n".join(wrong) or 0)
PY
}

# The tree of calls of machine/calls.c, counted by hand: calls and instructions of each node.
tree() {
    "$memhelm" run -i "$work/calls.elf" -w GUPS --cycles 20000 --no-alone --counts "$work/calls.core" --keep "$work/calls" > /dev/null || return
    python3 - "$work/calls.core" "$work"/calls/calls-0/core.table <<'PY'
import json, sys
c = json.load(open(sys.argv[1]))
name = {-1: ""}
for line in open(sys.argv[2]):
    if line.startswith("f "):
        name[int(line.split()[1])] = line.split()[4]
parent = {n[0]: n[1] for n in c["nodes"]}
function = {n[0]: name[n[2]] for n in c["nodes"]}
def path(n):
    return (path(parent[n]) + "/" if parent[n] else "") + function[n]
tree = {path(n[0]): (n[3], n[4]) for n in c["nodes"] if n[0]}
again = "_start/again"
want = {
    "_start": (1, 9), "end_of_run": (1, 13), "_start/outer": (1, 7), "_start/outer/tail": (2, 4), "_start/outer/leaf": (2, 6),
    again: (1, 8), again + "/again": (1, 8), again + "/again/again": (1, 8), again + 3 * "/again": (1, 2),
    "_start/leaf": (1, 3), "_start/interrupted": (1, 15), "_start/turns": (1, 2002),
    "trap_entry": (50, 49 * 6 + 7), "trap_entry/again_later": (50, 200),
}
assert tree == want, {k: (tree.get(k), want.get(k)) for k in tree.keys() | want.keys() if tree.get(k) != want.get(k)}
assert c["traps"] == 50 and c["resyncs"] == c["faulted"] == 0
loop = [a for a in c["at"] if a[1] == 1000]
assert [a[2] for a in loop] == [0, 999], loop
PY
}

# What the decisions and the hook of machine/spans.c execute, counted by hand: of all of them, and of the longest.
mixes() {
    "$memhelm" run -i "$work/spans.elf" -w GUPS --cycles 20000 --no-alone --counts "$work/spans.core" --keep "$work/spans" > /dev/null || return
    python3 - "$work/spans.core" "$work"/spans/spans-0/core.table <<'PY' || return
import json, sys
from collections import Counter
c = json.load(open(sys.argv[1]))
rows = [line.split()[2] for line in open(sys.argv[2]) if line.startswith("k ")] # events behind the classes
names = rows[:rows.index("wfi") + 1] + ["unknown"]
def read(mix):
    assert len(mix["classes"]) == len(names)
    return Counter(dict(zip(names, mix["classes"])), taken=mix["taken"], mmio=mix["mmio"], traps=mix["traps"])
def hook(n):
    return Counter(alu=1 + n, mul=n, div=n, load=2 * n, store=n, shift_imm=n, branch_not_taken=n, jalr=1, taken=n - 1, mmio=n)
def epoch(n):
    return hook(n) + Counter(jal=1, store=1, mmio=1)
spans = {s["kind"]: s for s in c["spans"]}
assert len(c["spans"]) == 2 and {s["id"] for s in c["spans"]} == {0}, c["spans"]
for kind, of, around in ("hook", hook, 2), ("source", epoch, 4):
    s = spans[kind]
    assert [x[0] for x in s["samples"]] == [8 * n + around for n in (5, 9, 2)], s["samples"]
    all, worst = read(s["mix"]), read(s["worst_mix"])
    assert +all == of(5) + of(9) + of(2), (kind, all)
    assert +worst == of(9), (kind, worst)
run = read(c["mix"])
end_of_run = Counter(jal=1, store=1, load=1, mmio=2, branch_not_taken=1, csr=1, csr_flush=1, wfi=1) # and constants
want = sum((epoch(n) for n in (5, 9, 2)), Counter(alu=6, store=3, mmio=3, jal=3, jalr=3)) + end_of_run + Counter(store=1) # EXIT ends the count
start = run["alu"] - want["alu"] # addresses take one or two each, of _start and of the end
want["alu"] = run["alu"]
assert +run == want and 14 <= start <= 20, (run, want, start)
PY
    adds_up "$work/spans.core"
}

# A node, an address and the whole agree, and with the instructions that QEMU itself counts.
adds_up() {
    python3 - "$@" <<'PY'
import json, sys
for name in sys.argv[1:]:
    c = json.load(open(name))
    assert c["instructions"] == c["executed"] == sum(a[1] for a in c["at"]) == sum(n[4] for n in c["nodes"]), name
    assert c["instructions"] + c["extra"] == sum(n[5] for n in c["nodes"]), name
    assert c["resyncs"] == c["unknown"] == c["lost_spans"] == 0, name
    assert sum(a[3] for a in c["at"]) == sum(n[6] for n in c["nodes"]) > 0, name
    for s in c["spans"]:
        worst = max(x[1] for x in s["samples"])
        assert sum(w[2] for w in s["worst"]) == worst, (name, s["id"], worst)
        longest = next(x[0] for x in s["samples"] if x[1] == worst)
        assert sum(s["mix"]["classes"]) == sum(x[0] for x in s["samples"]), (name, s["id"], s["mix"])
        assert sum(s["worst_mix"]["classes"]) == longest, (name, s["id"], s["worst_mix"])
    assert sum(c["mix"]["classes"]) == c["instructions"] and c["mix"]["classes"][-1] == 0, (name, c["mix"])
    assert c["mix"]["mmio"] == sum(a[3] for a in c["at"]) and c["mix"]["traps"] == c["traps"], (name, c["mix"])
    sources = [s["mix"] for s in c["spans"] if s["kind"] == "source"]
    for k, of_run in enumerate([*c["mix"]["classes"], c["mix"]["taken"], c["mix"]["mmio"], c["mix"]["traps"]]):
        of_sources = sum([*m["classes"], m["taken"], m["mmio"], m["traps"]][k] for m in sources)
        assert of_sources <= of_run, (name, k, of_sources, of_run)
PY
}

# run NAME OPTION..: NAME.json, NAME.core (of --counts) and NAME.registers. A policy that is awake all the time, or with
# sleeps=y one that sleeps between its epochs.
run() {
    local name=$1 image=(-i simt-scored --preset simt --cycles 60000)
    shift
    [ -z "${sleeps:-}" ] || image=(-i mask --preset mask --cycles 300000)
    "$memhelm" run "${image[@]}" -w MVT+GUPS --no-alone -j 1 --json "$work/$name.json" \
        --registers "$work/$name.registers" "$@" > "$work/$name.out" 2>&1 || { cat "$work/$name.out"; return 1; }
}

same() { # kind of file, names
    local kind=$1 first=$2 name
    shift 2
    for name; do
        cmp "$work/$first.$kind" "$work/$name.$kind" || return
    done
}

plugin_changes_nothing() {
    run without --core ipc1 && run with --core ipc1 --counts "$work/with.core" && same json without with &&
        same registers without with && adds_up "$work/with.core" && grep -q '"extra": 0' "$work/with.core"
}

traced() {
    run ibex --core ibex --counts "$work/ibex.core" && run traced --core ibex --counts "$work/traced.core" --trace 'memhelm_*' &&
        same json ibex traced && same registers ibex traced && same core ibex traced && adds_up "$work/ibex.core"
}

# The clock is what the core executed, what it took beyond that, what it waited and what it slept.
clock_adds_up() {
    python3 - "$work/ibex.json" "$work/ibex.core" <<'PY'
import json, sys
r, c = (json.load(open(f)) for f in sys.argv[1:])
core = r["run"]["core"]
assert core["awake"] == c["instructions"] + c["extra"] + core["stall_cycles"], (core, c["instructions"], c["extra"])
assert c["extra"] > c["instructions"] // 4
PY
}

four_at_a_time() { # how many runs
    local i j pids failed=0
    run ibex --core ibex --counts "$work/ibex.core" || return
    for ((i = 0; i < $1; i += 4)); do
        pids=()
        for ((j = i; j < i + 4; j++)); do
            run "n$j" --core ibex --counts "$work/n$j.core" > /dev/null &
            pids+=($!)
        done
        for j in "${pids[@]}"; do
            wait "$j" || failed=1
        done
        for ((j = i; j < i + 4; j++)); do
            same json ibex "n$j" && same core ibex "n$j" && same registers ibex "n$j" || failed=1
        done
    done
    return $failed
}

# The decisions that the firmware times are spans, of about that length: its own reading lags by the cycles behind its
# last access.
decisions_are_spans() {
    counted decides mask --preset mask --cycles 400000 || return
    python3 - "$work/decides.json" "$work/decides.core" <<'PY'
import json, sys
r, c = (json.load(open(f)) for f in sys.argv[1:])
core, span = r["run"]["core"], next(s for s in c["spans"] if s["kind"] == "source" and s["id"] == 0)
assert len(span["samples"]) == core["decisions"] == 4, (len(span["samples"]), core)
apart = sum(s[1] for s in span["samples"]) - core["decision_sum"]
assert 0 < apart < 4 * 100, apart
assert max(s[1] for s in span["samples"]) < 10000, span["samples"]
hooks = sum(s[1] for h in c["spans"] if h["kind"] == "hook" for s in h["samples"] if len(h["samples"]) == 4)
assert hooks < sum(s[1] for s in span["samples"])
PY
}

counted() { # name, image, options
    local name=$1 image=$2
    shift 2
    "$memhelm" run -i "$image" -w MVT+GUPS --no-alone --core ibex --json "$work/$name.json" --counts "$work/$name.core" \
        "$@" > "$work/$name.out" 2>&1 || { cat "$work/$name.out"; return 1; }
}

# A core that is reset in the middle of everything is still counted to the instruction, or the run would be refused.
recovered() {
    local image
    for image in fault.hang:fault.once fault.divide:fault.once trap.loop:trap.once; do
        counted "$image" "$(faulty $image)" --preset mask --cycles 600000 --on-fault recover &&
            counted "again" "$(faulty $image)" --preset mask --cycles 600000 --on-fault recover &&
            same json "$image" again && same core "$image" again && grep -q '"resets": 1' "$work/$image.json" || return
    done
}

# How late an interrupt may be found does not move the result.
quantum() { # core
    local q
    for q in 64 32; do
        "$memhelm" run -i mask -w MVT+GUPS --cycles 400000 --no-alone --core "$1" -s mcu.quantum=$q --json "$work/q$q.json" \
            > /dev/null || return
    done
    python3 - "$work/q64.json" "$work/q32.json" <<'PY'
import json, sys
a, b = (sum(t["warp_instr"] for t in json.load(open(f))["run"]["tenants"]) for f in sys.argv[1:])
assert abs(a / b - 1) < 0.005, (a, b)
PY
}

# 400 divisions cost what they cost, whatever code they are in: the decisions of machine/costs.c, counted from its BEGIN.
costs() { # core, least cycles of a decision
    local image
    for image in typed untyped in_data written late after honest; do
        [ -e "$work/$image.elf" ] || riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -Os -ffreestanding -nostdlib \
            -Wall -Wextra -Werror -Ihwmodel/include -Wl,-n -Wl,--build-id=none -Wl,-Ttext=0x100000 -Wl,-Tdata=0x200000 \
            -Wl,-Tbss=0x200000 -DIMAGE=$image "$here/machine/costs.c" -o "$work/$image.elf" || return
        "$memhelm" run -i "$work/$image.elf" -w GUPS --cycles 250000 --no-alone --core "$1" -s mcu.watchdog=0 --json "$work/$image.json" \
            --counts "$work/$image.core" > "$work/$image.out" || return
    done
    python3 - "$work" "$2" <<'PY'
import json, sys
work, least = sys.argv[1], int(sys.argv[2])
def core(image):
    return json.load(open(f"{work}/{image}.json"))["run"]["core"]
def said(image):
    return open(f"{work}/{image}.out").read()
for image in "typed", "untyped", "in_data", "written", "late":
    c = core(image)
    assert c["decisions"] == c["underreported"] == c["underreported_claim"] == 2, (image, c)
    assert least <= c["decision_min"] <= c["decision_max"] < 1.02 * least, (image, c)
    assert c["decision_sum"] == c["underreported_cycles"], (image, c)
    assert f"{c['decision_sum']} mcu cycles were counted, 2 reported" in said(image), said(image)
assert core("typed")["decision_sum"] == core("untyped")["decision_sum"] == core("written")["decision_sum"]
c = core("after")
assert c["decision_sum"] == 2 and 2 * least < c["undecided_cycles"] < 2.1 * least, c
assert f"awake for {c['undecided_cycles']} more mcu cycles" in said("after"), said("after")
c = core("honest")
assert least <= c["decision_min"] and not {"underreported", "undecided_cycles"} & {*c}, c
assert "were counted" not in said("honest") and "awake" not in said("honest"), said("honest")
for image in "untyped", "in_data":
    assert json.load(open(f"{work}/{image}.core"))["unknown"] > 600, image
PY
}

# QEMU of this build, behind a program that writes down its arguments.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" >> "%s"\nexec "%s" "$@"\n' "$work/arguments" \
    "$(realpath "$build")/qemu-system-riscv32" > "$work/qemu"
chmod +x "$work/qemu"
no_plugin() {
    MEMHELM_QEMU=$work/qemu run plain --core ipc1 && ! grep -qx -e -plugin "$work/arguments" &&
        MEMHELM_QEMU=$work/qemu run timed --core ibex && grep -qx -e -plugin "$work/arguments"
}

# Alone runs are kept under what they depend on: a core's times are part of it, its file's name is not enough.
own_core() {
    local before
    sed 's/\(name: csr,.*cycles: \)1/\15/' host/mcu/cores/ibex.yaml > "$work/changed.yaml"
    cp host/mcu/cores/ibex.yaml "$work/own.yaml"
    ! cmp -s "$work/own.yaml" "$work/changed.yaml" && own "$work/own.yaml" && before=$(kept_runs "$kept") && own "$work/own.yaml" &&
        [ "$(kept_runs "$kept")" = "$before" ] && mv "$work/changed.yaml" "$work/own.yaml" && own "$work/own.yaml" &&
        [ "$(kept_runs "$kept")" = $((before + 1)) ]
}

kept=$XDG_CACHE_HOME/memhelm/results.sqlite
own() {
    "$memhelm" run -i mask -w GUPS --cycles 20000 --core "$1"
}

# machine DIR ARGUMENT..: QEMU by hand, on core ibex.
machine() {
    local dir=$work/$1
    shift
    mkdir -p "$dir"
    printf '%s\n' 'preset: mask' 'mcu: {core: ibex}' 'tenants: [{kernel: GUPS}]' > "$dir/config.yaml"
    "$build/qemu-system-riscv32" -M "memhelm,run=$dir${extra:-}" -kernel "$loops" -icount shift=0,sleep=off,align=off \
        -nodefaults -display none "$@"
}

damaged() { # line of a table
    printf 'memhelm-core-table 3\ncore x\nstack 0 0\nk 0 alu 1\n%s\n' "$1" > "$work/bad.table"
    extra=,core-plugin=$build/libmemhelm-core.so machine bad \
        -plugin "$build/libmemhelm-core.so,table=$work/bad.table,out=$work/bad.core"
}

for core in ipc1 ibex ibex-slow ibex-max picorv32 picorv32-fast inorder5; do
    check "$core: loops take what its documents say, and 20 cycles of bus are on top" documented "$core"
done
check "loops: what is counted adds up" adds_up "$work"/[ip]*.core
check "the tree of calls, with tail calls, recursion and 50 interrupts" tree
check "what decisions and calls of hooks execute, by class, of all and of the longest" mixes
check "ibex: code without a type, copied or overwritten costs what it is; decisions are counted" costs ibex 15200
check "picorv32: the same" costs picorv32 16800
check "ipc1: the plugin changes no result" plugin_changes_nothing
check "trace events change neither results nor counts" traced
check "the clock is instructions, their cycles, waiting and sleep" clock_adds_up
check "8 runs, four at a time: the same counts and results" four_at_a_time 8
sleeps=y
check "8 more, of a core that sleeps" four_at_a_time 8
sleeps=
check "decisions are spans" decisions_are_spans
check "recovered runs are counted exactly" recovered
check "ibex: the quantum does not move the result" quantum ibex
check "picorv32: the quantum does not move the result" quantum picorv32
check "ipc1 runs without a plugin" no_plugin
check "a result is kept with the times of its core" own_core
fails "an unknown core is refused, with the names there are" 2 'mcu.core: .*nosuch.*ibex' "$memhelm" run -i mask -w GUPS --core nosuch
fails "a core that takes more than a cycle needs the plugin" any 'mcu.core: core ibex takes a plugin' machine none
fails "a table is checked" any 'bad.table:5: not a line of a core table' damaged 'f 1 0x00100000 4 main'
fails "so are its times" any 'bad.table:5: not a line' damaged 'k 1 shift_imm 0'
fails "each of which has its place" any 'bad.table:5: not a line' damaged 'k 2 mul 3'
fails "and all of which it must have" any 'bad.table: it ends too early' damaged 'irq 5 6'

finish
