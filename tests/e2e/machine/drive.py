"""What a person does in gdb, a hundred times: breakpoints, steps, looks at counters, a sleep, watchpoints."""

import json

import gdb

STOPS = 100
seen = {"breakpoint": 0, "step": 0, "counter": 0, "watch": 0, "sleep": 0, "shown": 0}


def run(command):
    return gdb.execute(command, to_string=True)


def pc():
    return int(gdb.parse_and_eval("$pc"))


def table(text):
    """What a command printed: its first line, and the others by their first word."""
    first, *rows = text.splitlines()
    return first, {row.split()[0]: [int(word) for word in row.split()[1:]] for row in rows if row.split()[1].isdigit()}


def shown(what, text):
    """For the test, which has what the mcu itself read and wrote. N: SNAPSHOTs or COMMITs so far."""
    first, values = table(text)
    number = int(first.split()[-1] if what == "counters" else first.split()[1])
    print("shown", json.dumps([what, number, values]))
    seen["shown"] += 1


def at_breakpoint(number):
    """What one looks at, at one stop more than at another."""
    if gdb.selected_frame().name() == "gpu_commit":
        shown("knobs", run("memhelm knobs"))
    seen["breakpoint"] += 1
    for _ in range(5):
        run("stepi")
        seen["step"] += 1
    run("x/4wx 0x40000000")
    if number % 10 == 0:
        shown("counters", run("memhelm counters"))
        assert "WARP_INSTR" in run("memhelm counters 1")
        seen["counter"] += 2
    if number % 25 == 0:
        assert "TOKENS" in run("memhelm knobs"), run("memhelm knobs")
        assert len(run("memhelm tenants").splitlines()) == 4, run("memhelm tenants")
        assert "timer 0: periodic, 30000 GPU cycles" in run("memhelm irq"), run("memhelm irq")
        run("backtrace")
        run("finish")


def breakpoints():
    """What policies call most, in all places where it is inlined, and a function by a hardware breakpoint."""
    points = [gdb.Breakpoint("gpu_count"), gdb.Breakpoint("gpu_commit", type=gdb.BP_HARDWARE_BREAKPOINT)]
    points[0].ignore_count = 3
    for number in range(STOPS):
        if number % 7 == 0:
            points[0].ignore_count = number
        run("continue")
        at_breakpoint(number)
    for point in points:
        point.delete()


def asleep():
    """Steps over the WFI of the boot code: the mcu sleeps meanwhile, and is woken."""
    line = next(x for x in run("disassemble _start").splitlines() if "wfi" in x)
    wfi = int(line.split()[0], 16)
    for _ in range(3):
        gdb.Breakpoint(f"*{wfi:#x}", temporary=True)
        run("continue")
        assert pc() == wfi
        run("stepi")
        assert pc() != wfi
        run("stepi")
        seen["sleep"] += 1


def watchpoints():
    """The epochs that were decided: written once in each."""
    watch = gdb.Breakpoint("fw.epochs", gdb.BP_WATCHPOINT, gdb.WP_WRITE)
    before = int(gdb.parse_and_eval("fw.epochs"))
    for number in range(10):
        run("continue")
        assert int(gdb.parse_and_eval("fw.epochs")) == before + number + 1
        seen["watch"] += 1
    watch.delete()
    watch = gdb.Breakpoint("*(unsigned *)0x40000100", gdb.BP_WATCHPOINT, gdb.WP_ACCESS)
    run("continue")
    seen["watch"] += 1
    watch.delete()


def refused(command, why):
    try:
        run(command)
    except gdb.error as error:
        assert why in str(error), error
    else:
        raise AssertionError(command)


for command in "counters", "knobs", "tenants", "irq":
    assert f"memhelm {command}" in run("help memhelm"), run("help memhelm")
refused("memhelm counters 2", "tenant 2: this GPU has 2, numbered from 0")
run("hbreak fw_init")
run("continue")
run("delete")
breakpoints()
asleep()
watchpoints()
assert "2 tenants" in run("print fw.caps") and "epoch 30000" in run("print fw.caps"), run("print fw.caps")
hooks = run("print *fw.image->policies[1]")
assert "mask_tokens: init on_epoch" in hooks, hooks
try:
    run("continue")
except gdb.error as error:
    print(error)
print("seen", " ".join(f"{what} {count}" for what, count in seen.items()))
