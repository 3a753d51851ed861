#!/usr/bin/env bash
# Budgets: every image of the repository is within its limits of bytes, and images that have every policy within those of
# cycles, and as their baselines say; one that is not is flagged, with
# the function; what has no bound is refused. Started at the top of the tree.
. "$(dirname "$0")/lib.sh" "$1"

selftest=$build/firmware/selftest

# --- The gate.

fails "every image is within its limits of bytes" 0 'translation' "$memhelm" budget --all --static --check --json "$work/static.json"
fails "images with every policy are within those of cycles" 0 'mcu cycles on .* walk_epoch up to [0-9]+ with workload eight crowd for .*translation: .*; needs ' \
    "$memhelm" budget $(representatives) --check --json "$work/all.json"

cat > "$work/sums.py" <<'PY'
"""sums.py BUDGET.json [status]: the stack that was measured is never more than the worst case; owners add up to the image,
functions to the run; decisions and calls of hooks are part of it, and the longest of them. status: with status lines, whose
loop over tenants lies on the way of interrupts and so leaves their cycles unknown."""
import json
import sys
from collections import Counter

def mix(of):
    return Counter(of["classes"], mmio=of["mmio"])

budget = json.load(open(sys.argv[1]))
around, status = [], len(sys.argv) > 2
assert budget["schema"] == "memhelm-budget-1" and budget["images"], "no budget"
for image in budget["images"]:
    name, stack = image["name"], image["stack"]
    assert 0 < stack["measured"] <= stack["worst"], f"{name}: measured {stack}"
    assert stack["worst"] == max(stack[root]["bytes"] for root in ("boot", "handler", "fault")), f"{name}: {stack}"
    for root in ("boot", "handler", "fault"):
        assert stack[root]["bytes"] == sum(bytes for _, bytes in stack[root]["path"]), f"{name}: {root}"
    for kind, bytes in image["sizes"].items():
        assert bytes == sum(owner[kind] for owner in image["owners"].values()), f"{name}: {kind}"
    for policy, own in stack["policies"].items():
        assert own["bytes"] == sum(bytes for _, bytes in own["path"]), f"{name}: {policy}"
        callers = stack["handler"]["path"][:2] if own["hook"] != "init" else stack["boot"]["path"][:2]
        below = own["bytes"] + sum(bytes for _, bytes in callers)
        assert below <= stack["worst"], f"{name}: {policy} under {callers}"
    policies = {policy for run in image["runs"] for policy in run["policies"]}
    assert policies == {*stack["policies"]}, f"{name}: {policies}"
    assert image["runs"] and all(run["sources"]["epoch"]["count"] for run in image["runs"]), f"{name}: no decision"
    assert (image["checks"]["bytes"] > 0) == (image["checks"]["sites"] > 0), f"{name}: {image['checks']}"
    for run in image["runs"]:
        # longer than its part up to the first read of IRQ_PENDING, when the mcu slept; none is measured where status
        # lines saw to all that was due
        assert run["interrupt_cycles"] > run["irq_latency"]["max"] or run["irq_latency"]["max"] > 100 or \
            (status and not run["interrupt_cycles"]), f"{name}: {run}"
        for source, s in run["sources"].items():
            # none where no interrupt of the run ended with the source: another was always served behind it
            cycles, most = s["interrupt_cycles"], s["interrupt_count"]
            assert cycles is None or 150 < cycles < 480, f"{name}: {source} {cycles}"
            assert most <= s["count"] and (cycles is None or most > 0), f"{name}: {source} {cycles}, {most} interrupts"
            assert (cycles is None) == (most == 0) or status, f"{name}: {source} {cycles}, {most} interrupts"
            around.append(cycles)
        checks = run["checks"]
        assert checks["cycles"] >= checks["instructions"] >= sum(s["instructions"] for s in checks["sources"].values())
        assert image["checks"]["sites"] or not checks["instructions"], f"{name}: {checks}"
        functions = run["functions"].values()
        assert run["instructions"] == sum(f["instructions"] for f in functions), f"{name}: instructions"
        assert all(f["instructions"] == sum(f["classes"].values()) for f in functions), f"{name}: classes"
        summed = Counter()
        for f in functions:
            summed.update(f["classes"], mmio=f["mmio"])
        assert summed == mix(run["mix"]), f"{name}: {summed} and {run['mix']}"
        assert run["interrupts"] == run["mix"]["interrupts"] == run["functions"]["trap_entry"]["calls"] > 0, f"{name}: interrupts"
        low = min(f["stack_low"] for f in functions if f["stack_low"])
        assert stack["measured"] >= 0x203400 - low > 0, f"{name}: stack down to {low:#x}"
        hooks = [series for hooks in run["policies"].values() for series in hooks.values()]
        assert sum((mix(s["mix"]) for s in run["sources"].values()), Counter()) <= summed, f"{name}: decisions"
        for series in [*run["sources"].values(), *hooks]:
            total, worst, count = mix(series["mix"]), mix(series["worst_mix"]), series["count"]
            executed = sum(series["mix"]["classes"].values())
            assert abs(executed - series["instructions"]["mean"] * count) <= 1e-5 * executed, f"{name}: {total}"
            assert series["instructions"]["min"] <= sum(series["worst_mix"]["classes"].values()), f"{name}: {worst}"
            assert sum(series["worst_mix"]["classes"].values()) <= series["instructions"]["max"], f"{name}: {worst}"
            assert series["mix"]["interrupts"] == series["worst_mix"]["interrupts"] == 0, f"{name}: they do not nest"
            assert (series["stack_low"] or low) >= low, f"{name}: stack down to {series['stack_low']:#x}"
            assert worst <= total and (count > 1 or worst == total), f"{name}: {worst} of {total}"
            assert total["mmio"] <= total["load"] + total["store"], f"{name}: {total}"
            for spread in (series["instructions"], series["cycles"], series["stalls"]):
                assert spread["min"] <= spread["mean"] * 1.00001 and spread["p99"] <= spread["max"], f"{name}: {spread}"
                assert spread["min"] <= spread["p99"] and spread["mean"] <= spread["max"] * 1.00001, f"{name}: {spread}"
            depth = -1
            for at, step in enumerate(series["path"]):
                below = []
                for other in series["path"][at + 1:]:
                    if other[0] <= step[0]:
                        break
                    below += [other]
                assert step[3] == step[4] + sum(s[4] for s in below), f"{name}: {step} and {below}"
                assert 0 <= step[0] <= depth + 1 and (step[2] is None or step[2] > 0), f"{name}: {step}"
                depth = step[0]
            assert sum(s[4] for s in series["path"]) == series["cycles"]["max"], f"{name}: {series['path']}"
            own = Counter()
            for step in series["path"]:
                own[step[1]] += step[4]
            assert all(own[function] == cycles for function, cycles in series["worst"]), f"{name}: {own}"
            worst = sum(cycles for _, cycles in series["worst"])
            assert worst <= series["cycles"]["max"], f"{name}: worst path of {worst} cycles"
            assert len(series["worst"]) == 32 or worst == series["cycles"]["max"], f"{name}: path {worst}"
assert around.count(None) <= len(around) / 10 or status, f"{around.count(None)} of {len(around)} sources without an interrupt of their own"
PY
check "no stack is deeper than its worst case, and bytes add up" python3 "$work/sums.py" "$work/all.json"
all_listed() { [ "$(grep -c '"sha256"' "$work/static.json")" = "$(find "$build/firmware" -maxdepth 1 -name '*.elf' | wc -l)" ]; }
check "--all is all images" all_listed
# Status lines use most of the stack in images without deep policies.
fails "nor with status lines" 0 'mask' "$memhelm" budget baseline mask simt-scored --check --mcu-hz 2G --set run.status_every=140000 --json "$work/status.json"
check "whose depth is measured" python3 "$work/sums.py" "$work/status.json" status

# --- What checks of divisions and interrupts take, beside the counts they are made from.

fails "an image without a check of a division" 0 'division checks: none' "$memhelm" budget mask --static
fails "one with two" 0 'division checks: 2, 8 B of code; what they took:.* other +[1-9][0-9]* +[1-9]' \
    "$memhelm" budget dwspp --mcu-hz 500M --json "$work/dwspp.json" --keep "$work/dwspp"
cat > "$work/counted.py" <<'PY'
"""counted.py BUDGET.json DIR IMAGE.elf: checks of divisions and interrupts once more, from core.json of the runs and from
objdump, which finds the branches around and to an ebreak."""
import json
import re
import subprocess
import sys

code = re.findall(r"^ +([0-9a-f]+):\t([a-z.]+)\t?(?:.*?\b([0-9a-f]+) <)?", subprocess.run(
    ["riscv64-unknown-elf-objdump", "-d", "--no-show-raw-insn", sys.argv[3]], capture_output=True, text=True,
    check=True).stdout, re.M)
ebreaks = {at for at, name, _ in code if name in ("ebreak", "c.ebreak")}
branches = {int(at, 16) for (at, name, to), after in zip(code, [*code[1:], ("", "", "")])
            if name.startswith("b") and (to in ebreaks or after[0] in ebreaks)}

image, = json.load(open(sys.argv[1]))["images"]
for run in image["runs"]:
    folder = f"{sys.argv[2]}/{image['name']}-{run['workload']}-{run['mcu_hz']}"
    core = json.load(open(f"{folder}/core.json"))
    words = [line.split() for line in open(f"{folder}/core.table")]
    names = {int(word[1]): word[4] for word in words if word[0] == "f"}
    checks = [at for at in core["at"] if at[0] in branches]
    assert len(checks) <= image["checks"]["sites"] and not any(at[2] for at in checks), "checks that were taken"
    # on ibex a branch that is not taken is one cycle
    assert run["checks"]["cycles"] == run["checks"]["instructions"] == sum(at[1] for at in checks) > 0, run["checks"]

    # All that interrupts took, but for what ends the run.
    way = [None]
    for node in core["nodes"][1:]:
        way.append((way[node[1]] or ()) + (names[node[2]],))
    spent = sum(node[5] for node, path in zip(core["nodes"][1:], way[1:])
                if path[0] == "trap_entry" and not {"finish", "gpu_pop_event"} & {*path}
                and not {"events", "gpu_take_irqs"} <= {*path})
    decisions = [sample for span in core["spans"] if span["kind"] == "source" for sample in span["samples"]]
    outside = spent - sum(sample[1] for sample in decisions)
    assert abs(outside - core["traps"] * run["interrupt_cycles"]) < 0.02 * outside, f"{outside}, {core['traps']} traps"

    # The longest interrupt: no shorter than what it took, but for that of the run's end, and where interrupts differ
    # little hardly longer.
    most = sum(source["count"] * (source["interrupt_cycles"] or 0) for source in run["sources"].values())
    assert outside * (core["traps"] - 1) / core["traps"] <= most, f"{outside}, at most {most}"
    assert run["workload"] != "two" or most < 1.05 * outside, f"{outside}, at most {most}"
PY
check "as counted in the runs" python3 "$work/counted.py" "$work/dwspp.json" "$work/dwspp" "$build/firmware/dwspp.elf"

# --- The path of the longest decision, and limits of what is no epoch: on the workload in which tenants come at once.

sed '/^workloads:/,$d' host/budget/reference.yaml > "$work/crowd.yaml"
{ echo workloads: && sed -n '/^- name: crowd/,$p' host/budget/reference.yaml; } >> "$work/crowd.yaml"
sed 's/^  tenant: .*/  tenant: 1000/; /^- images: simt-scored/,$d' firmware/budget/limits.yaml > "$work/tighter.yaml"
fails "a tenant's event and walk arrivals that take too long are over" 1 \
    'over: mask.dws: tenant [0-9]+ of 1000 mcu cycles on ibex, workload crowd: interrupt [0-9]+, decision [0-9]+: walk_partition_owner .*over: simt-scored: arrival [0-9]+ of 725 mcu cycles' \
    "$memhelm" budget mask+dws simt-scored --mcu-hz 500M --reference "$work/crowd.yaml" --limits "$work/tighter.yaml"
tr '\n' ' ' < "$work/fails.out" > "$work/paths"
check "their paths: in the order of the image's policies" grep -Eq \
    'longest tenant, .* mask_tokens_on_event +1 .* mask_dram_on_event +1 +[0-9]+ +[0-9]+ +mask_dram_decide +1 .* walk_partition_on_event +1 .* walk_partition_owner +~16 .*simt-scored' "$work/paths"
check "with calls" grep -Eq \
    'longest arrival, .* in the order of calls .* arrivals +- .* mcu_now +1 .* walk_scored_on_arrival +1 .* gpu_pop_arrival +64 .* gpu_score_walks +64 .* mcu_cycles_since +1 ' "$work/paths"
fails "each policy has its stack" 0 ' bytes +code +rodata +data +bss +stack .* mask_cache +[0-9 ]+ 64 .* mask_tokens +[0-9 ]+ [0-9]+ .* newlib +[0-9 ]+ - ' \
    "$memhelm" budget mask --static

# --- Images that are over.

fails "a stack that is too deep is flagged, with its path" 1 \
    'over: fat-stack: stack 11[0-9]+ of 1024 B, handler: trap_entry 80,.* fat_first 240, fat_second 240' \
    "$memhelm" budget "$selftest/fat-stack.elf" --static
fails "a decision that is too long is flagged, with its functions" 1 \
    'over: slow: epoch [0-9]+ of 10000 mcu cycles.* workload eight: interrupt [0-9]+, decision [0-9]+: __udivdi3 [0-9]+, ' \
    "$memhelm" budget "$selftest/slow.elf" --mcu-hz 500M
cp "$work/fails.out" "$work/slow.text"
fails "the same with one division for each tenant fits" 0 'longest epoch, workload eight, [0-9]+ cycles: quick_on_epoch' \
    "$memhelm" budget "$selftest/quick.elf" --mcu-hz 500M
cp "$work/fails.out" "$work/quick.text"
cat > "$work/samples.py" <<'PY'
"""samples.py README.md DIR: the commands of "Does my policy fit?" print what stands there. Numbers may differ by 1 %: where
the linker puts a function, a branch takes a cycle more or less."""
import re
import sys

def form(line):
    return " ".join(line.split()).removesuffix(" ...")

def number(word):
    return float(word.rstrip(",:")) if re.fullmatch(r"[0-9.]+[,:]?", word) else None

def shows(text, line):
    have, want = text.split(), line.split()
    return len(have) >= len(want) and all(h == w or number(w) is not None and number(h) is not None
        and abs(number(h) - number(w)) <= max(3, number(w) / 100) for h, w in zip(have, want))

readme = open(sys.argv[1]).read()
section = readme[readme.index("## Does my policy fit?"):].split("\n## ")[0]
compared = 0
for line in section.splitlines():
    if not line.startswith("    "):
        continue
    if "$ " in line:
        image, = re.findall(r"^ +\$ build/memhelm budget build/firmware/selftest/(\w+)\.elf --mcu-hz 500M$", line)
        printed = [form(line) for line in open(f"{sys.argv[2]}/{image}.text")]
    elif line.strip() != "...":
        assert any(shows(text, form(line)) for text in printed), f"{image} does not print: {line}"
        compared += 1
assert compared >= 4, "no samples"
PY
check "as the README shows it" python3 "$work/samples.py" firmware/selftest/README.md "$work"
fails "recursion is refused" 1 'over: fault: .*deeper calls itself: deeper -> deeper' \
    "$memhelm" budget "$selftest/fault.elf" --static
fails "so is a pointer of newlib's" 1 'over: console: .*_vfiprintf_r, called by iprintf: at 0x[0-9a-f]+: a call through a pointer' \
    "$memhelm" budget "$selftest/console.elf" --static
fails "and a call to where no function is" 1 'call_data, called by trap_on_epoch: at 0x[0-9a-f]+: a call to 0x20[0-9a-f]+, where no function' \
    "$memhelm" budget "$selftest/trap.elf" --static

fails "so are interrupts where the stack is not empty" 1 \
    'over: restart: .*interrupts are enabled with work still to do' "$memhelm" budget "$selftest/restart.elf" --static

# --- Baselines. Numbers are those of the image as it is: whoever changes the firmware need not change them here.

baselines=$work/baselines.json
fails "an image without a baseline is new, and passes" 0 'mask: new, so that nothing can have grown; .make budget-accept' \
    "$memhelm" budget mask --check --baselines "$baselines"
check "what fits is accepted" "$memhelm" budget mask --accept --baselines "$baselines"
# as_accepted N: the check has nothing to say, and N figures were accepted so far.
as_accepted() {
    "$memhelm" budget mask --check --baselines "$baselines" > "$work/check" && ! grep 'not as in' "$work/check" &&
        [ "$(grep -c '"code"' "$baselines")" = "$1" ]
}
check "and is the baseline then" as_accepted 1

cat > "$work/shrink.py" <<'PY'
"""shrink.py BASELINES: halves the bytes and cycles of the function of mask that takes most cycles, and says NAME BYTES CYCLES of
it, CODE EPOCH of the image before."""
import json
import sys

baselines = json.load(open(sys.argv[1]))
baseline = baselines["images"]["mask"]
needs = baseline["accepted"][-1]
name, function = max(baseline["functions"].items(), key=lambda item: item[1]["cycles"])
print(name, function["bytes"], function["cycles"], needs["code"], needs["epoch"])
needs["code"] -= function["bytes"] - function["bytes"] // 2
function["bytes"] //= 2
function["cycles"] //= 2
json.dump(baselines, open(sys.argv[1], "w"))
PY
read -r name bytes cycles code epoch <<< "$(python3 "$work/shrink.py" "$baselines")"
shorter=$((code - bytes + bytes / 2))
sed "s/^  code: .*/  code: $shorter/" firmware/budget/limits.yaml > "$work/smaller.yaml"
sed "s/^  epoch: .*/  epoch: $((epoch - 1))/" firmware/budget/limits.yaml > "$work/faster.yaml"
fails "growth over a limit names the function" 1 "over: mask: code .* $code of $shorter B; $name grew $((bytes / 2)) -> $bytes B" \
    "$memhelm" budget mask --static --check --baselines "$baselines" --limits "$work/smaller.yaml"
fails "so does a decision that became longer" 1 \
    "over: mask: epoch $epoch of $((epoch - 1)) .*: $name [0-9]+.*; $name grew $((cycles / 2)) -> $cycles cycles" \
    "$memhelm" budget mask --check --baselines "$baselines" --limits "$work/faster.yaml"
fails "growth within limits is a note" 0 \
    "mask: not as in the baseline: code $shorter -> $code;.* $name grew $((bytes / 2)) -> $bytes B; .make budget-accept" \
    "$memhelm" budget mask --check --baselines "$baselines"
cp "$baselines" "$work/before.json"
fails "what is over is not accepted" 1 'over: mask' \
    "$memhelm" budget mask --accept --baselines "$baselines" --limits "$work/smaller.yaml"
check "and changes nothing" cmp "$baselines" "$work/before.json"
check "what fits is accepted again" "$memhelm" budget mask --accept --baselines "$baselines"
check "beside what was before" as_accepted 2

# --- Compiler and code must agree; without .ci files the code alone speaks.

mkdir -p "$work/tree/firmware"
cp "$build/firmware/mask.elf" "$work/tree/firmware"
check "an image without a map" "$memhelm" budget "$work/tree/firmware/mask.elf" --static
fails "says so" 0 'frames are of the instructions alone' "$memhelm" budget "$work/tree/firmware/mask.elf" --static
cp "$build/firmware/mask.map" "$work/tree/firmware"
fails "one without .ci files is told how to get them" 1 'c.ci is missing' "$memhelm" budget "$work/tree/firmware/mask.elf" --static
(cd "$build/firmware" && find obj -name '*.ci' -exec cp --parents {} "$work/tree/firmware" \;)
ci=$work/tree/firmware/obj/policy/mask_tokens.c.ci
frame=$(sed -n '/"mask_tokens_decide" label/s/.*n\([0-9]*\) bytes.*/\1/p' "$ci")
sed -i "/\"mask_tokens_decide\" label/s/n[0-9]* bytes/n$((frame + 16)) bytes/" "$ci"
fails "frames that differ are refused" 1 \
    "mask_tokens_decide, called by mask_tokens_on_epoch: a frame of $((frame + 16)) bytes by the compiler and of $frame by" \
    "$memhelm" budget "$work/tree/firmware/mask.elf" --static

# --- For other programs.

fails "instruction mixes, flame graph and callgrind file" 0 \
    'mean of .*instructions +alu .* mask_cache on_epoch +[a-z]+ +3 +[1-9][0-9.]+ .*longest epoch' \
    "$memhelm" budget mask --mcu-hz 500M --json "$work/mask.json" --flame "$work/folded" --callgrind "$work/callgrind.out.mask"
cat > "$work/flames.py" <<'PY'
"""flames.py FOLDED CALLGRIND: both have all cycles, each call what is below it; lines are those of the files."""
import re
import sys
from collections import Counter

own, below = Counter(), Counter()
for line in open(sys.argv[1]):
    path, cycles = line.rsplit(" ", 1)
    names = path.split(";")
    own[names[-1]] += int(cycles)
    for at in range(len(names) - 1):
        below[names[at], names[at + 1]] += int(cycles)
summary = 0
lines, calls, spent = set(), Counter(), Counter()
name = file = callee = None
for line in open(sys.argv[2]):
    key, _, value = line.strip().partition("=")
    if line.startswith("summary: "):
        summary = int(line.split()[1])
    elif key in ("fl", "fi", "fe"):
        file = value
    elif key == "fn":
        name = value
    elif key == "cfn":
        callee = value
    elif line[0].isdigit():
        number, cycles = [int(word) for word in line.split()[:2]]
        lines.add((file, number))
        if callee:
            calls[name, callee] += cycles
        else:
            spent[name] += cycles
        callee = None
assert summary == sum(own.values()) > 0, f"{summary} cycles and {sum(own.values())}"
assert +spent == +own, f"{spent - own} {own - spent}"
assert all(calls[pair] == below[pair] for pair in {*calls, *below}), f"{calls - below} {below - calls}"
ours = {file for file, _ in lines if file.startswith("firmware/")}
assert {"firmware/policy/mask/mask_tokens.c", "firmware/boot/start.S", "firmware/platform/mmio.h"} <= ours, ours
for file in ours:
    length = sum(1 for _ in open(file))
    assert all(0 < number <= length for name, number in lines if name == file), f"{file}: lines of {length}"
assert len([1 for file, _ in lines if file == "firmware/policy/mask/mask_tokens.c"]) > 5, "hardly a line"
PY
check "add up to each other, line by line" python3 "$work/flames.py" "$work/folded" "$work/callgrind.out.mask"
if command -v callgrind_annotate > "$work/which"; then
    fails "callgrind_annotate shows it beside the source" 0 'Auto-annotated source: firmware/policy/mask/mask_tokens.c' \
        callgrind_annotate "$work/callgrind.out.mask"
fi
fails "of one image" 2 'are of one image' "$memhelm" budget mask dws --flame "$work/folded"

# --- Results name the core.

cat > "$work/core.py" <<'PY'
"""core.py RESULT.json NAME FILE: the core of a result; `null` for NAME: none."""
import hashlib
import json
import sys

path, name, file = sys.argv[1:]
want = None if name == "null" else {"name": name, "sha256": hashlib.sha256(open(file, "rb").read()).hexdigest()}
assert json.load(open(path))["core"] == want, json.load(open(path))["core"]
PY
# core_of NAME FILE OPTION..: of a short run.
core_of() {
    "$memhelm" run -i baseline -w MM --cycles 20000 --no-alone "${@:3}" --json "$work/core.json" &&
        python3 "$work/core.py" "$work/core.json" "$1" "$2"
}
sed 's/^core: picorv32$/core: mine/' host/mcu/cores/picorv32.yaml > "$work/mine.yaml"
check "a result names the core and its table" core_of ibex-max host/mcu/cores/ibex-max.yaml --core ibex-max
check "also that of a file" core_of mine "$work/mine.yaml" --core "$work/mine.yaml"
check "and one cycle for everything" core_of ipc1 host/mcu/cores/ipc1.yaml --core ipc1
check "a twin has none" core_of null "" --twin

# --- Same input, same bytes; bad input.

# budget_in CACHE NAME ARGUMENTS..: with the runs that CACHE keeps, the report into NAME and NAME.json.
budget_in() {
    local cache=$work/$1 name=$2
    shift 2
    XDG_CACHE_HOME=$cache "$memhelm" budget dwspp simt-scored --check --json "$work/$name.json" "$@" > "$work/$name" 2> "$work/$name.err"
}
budget_in first one --jobs 1
budget_in second two --jobs 2
check "the same bytes twice" cmp "$work/one.json" "$work/two.json"
check "and the same table" cmp "$work/one" "$work/two"
printf '#!/bin/sh\necho run >> "%s"\nexec "%s" "$@"\n' "$work/runs" "$(realpath "$build")/qemu-system-riscv32" > "$work/qemu"
chmod +x "$work/qemu"
MEMHELM_QEMU=$work/qemu budget_in third three
check "each run starts QEMU" eval "[ \$(wc -l < '$work/runs') = 8 ]"
MEMHELM_QEMU=$work/qemu budget_in third three
check "what was run is not run again" eval "[ \$(wc -l < '$work/runs') = 8 ]"
check "and is the same bytes" cmp "$work/one.json" "$work/three.json"
python3 - "$work/first/memhelm/results.sqlite" <<'PY'
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as db:
    db.execute("update kept_counts set counts = replace(counts, '1', '2') where key = (select min(key) from kept_counts)")
PY
budget_in first four
check "counts that are damaged are made again" grep -q '1 kept run was damaged and is run again' "$work/four.err"
check "and are right then" cmp "$work/one.json" "$work/four.json"
check "with --keep everything is run" eval "budget_in first five --keep '$work/five.d' && ls '$work'/five.d/*/uart.log"
fails "no image" 2 'which image' "$memhelm" budget
fails "an unknown image" 2 'unknown image' "$memhelm" budget nosuch
fails "a clock that is none" 2 "5X' is no clock" "$memhelm" budget mask --mcu-hz 5X
fails "nor is nothing" 2 "'' is no clock" "$memhelm" budget mask --mcu-hz 5M,
fails "nine clocks" 2 'more than 8 clocks' "$memhelm" budget mask --mcu-hz 1M,2M,3M,4M,5M,6M,7M,8M,9M
for clocks in "25M 50M" "25M,25M 5X" "25M,50M,100M "; do # LeakSanitizer ends a program that leaks with another code
    fails "clocks twice ($clocks): the debug build loses no memory" 2 'mcu-hz|unknown image' \
        "$build/memhelm-debug" budget nosuch --static --mcu-hz "${clocks% *}" --mcu-hz "${clocks#* }"
done
fails "names beside --all" 2 'one or the other' "$memhelm" budget mask --all
printf 'limits: 5\n' > "$work/bad.yaml"
fails "limits that are none" 2 'bad.yaml:1: ' "$memhelm" budget mask --static --limits "$work/bad.yaml"
fails "no baselines there" 2 'start at the top of the tree' "$memhelm" budget mask --static --check --baselines "$work/nosuch/baselines.json"

finish
