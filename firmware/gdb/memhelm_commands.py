"""gdb commands for firmware on memhelm: `help memhelm` lists them.

What they read they read as a debugger does: nothing of the run changes, no read takes an event from a queue, and no
time passes. Counters are those of the last SNAPSHOT.
"""

import os

import gdb
import memhelm_registers as table

# How many copies a register has on this GPU, by the word that the table says.
COPIES = {
    "MH_MAX_TENANTS": "CAP_TENANTS",
    "MH_STEERED_SMS": "CAP_SMS",
    "MH_MAX_WALKER_QUEUES": "CAP_WALKERS",
    "MH_TIMERS": "CAP_TIMERS",
}
STEERED_SMS = 128  # a GPU of more has no registers of single SMs
OFFSET = {r[0]: r[1] for r in table.REGISTERS}
IRQS = ["timer 0", "timer 1", "event", "walk epoch", "walk arrival", "page fault", "timer 2"]


def word(offset):
    """A register of the GPU window."""
    data = gdb.selected_inferior().read_memory(table.GPU_BASE + offset, 4)
    return int.from_bytes(bytes(data), "little")


def register(name):
    return word(OFFSET[name])


def counter(tenant, index):
    at = table.COUNTER_BASE + tenant * table.COUNTER_STRIDE + 8 * index
    return word(at) | word(at + 4) << 32


def tenants():
    """How many, after making sure that this is the GPU of this table."""
    if register("VERSION") != table.VERSION:
        raise gdb.GdbError(f"the GPU window has register table {register('VERSION')}, this script {table.VERSION}: "
                           "build both again")
    return register("CAP_TENANTS")


def copies(name, text):
    """SM_CTA_LIMIT_2 is there if tenant 2 is."""
    if name.startswith("SM_CTA_LIMIT_") and int(name.rsplit("_", 1)[1]) >= register("CAP_TENANTS"):
        return 0
    if text in ("MH_SM_WORDS", "MH_STEERED_SMS") and register("CAP_SMS") > STEERED_SMS:
        return 0
    if text == "MH_SM_WORDS":
        return (register("CAP_SMS") + 31) // 32
    return register(COPIES[text]) if text in COPIES else int(text, 0)


def snapshot_cycle():
    return register("SNAP_CYCLE_LO") | register("SNAP_CYCLE_HI") << 32


def show(rows):
    """Rows of texts as a table: the first column left, the others right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())


def names(bits):
    return ", ".join(name for i, name in enumerate(IRQS) if bits >> i & 1) or "none"


class Memhelm(gdb.Command):
    """The GPU behind the register window: counters, knobs, tenants, irq; what CCBP has learnt: alone."""

    def __init__(self):
        super().__init__("memhelm", gdb.COMMAND_DATA, prefix=True)


class Counters(gdb.Command):
    """memhelm counters [TENANT] -- all counters, of one tenant or of each, at the last SNAPSHOT."""

    def __init__(self):
        super().__init__("memhelm counters", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        count = tenants()
        which = [int(gdb.parse_and_eval(argument))] if argument else list(range(count))
        if which[0] not in range(count):
            raise gdb.GdbError(f"tenant {which[0]}: this GPU has {count}, numbered from 0")
        print(f"counters at GPU cycle {snapshot_cycle()}, SNAPSHOT {register('SNAP_COUNT')}")
        rows = [["counter"] + [f"tenant {t}" for t in which]]
        for index, (name, _, _) in enumerate(table.COUNTERS):
            rows.append([name] + [str(counter(t, index)) for t in which])
        show(rows)


class Knobs(gdb.Command):
    """memhelm knobs -- the shadow of each knob: what the next COMMIT applies."""

    def __init__(self):
        super().__init__("memhelm knobs", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        tenants()
        print(f"knobs; {register('COMMITS')} COMMITs applied, {register('REJECTS')} rejected")
        rows = []
        for name, offset, count, stride, access, unit, _ in table.REGISTERS:
            if access == "KNOB":
                values = [str(word(offset + i * stride)) for i in range(copies(name, count))]
                if values:
                    rows.append([name, " ".join(values)])
        for name, values in rows:
            print(f"{name.ljust(max(len(r[0]) for r in rows))}  {values}")


class Tenants(gdb.Command):
    """memhelm tenants -- a line for each: progress, TLB hits, walks, tokens."""

    def __init__(self):
        super().__init__("memhelm tenants", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        index = {name: i for i, (name, _, _) in enumerate(table.COUNTERS)}
        cycle = snapshot_cycle()
        print(f"tenants at GPU cycle {cycle}, {register('CAP_SMS')} SMs")
        rows = [["tenant", "warp instr", "IPC", "L2 TLB hit", "walks", "tokens", "completions"]]
        for t in range(tenants()):
            def value(name, tenant=t):
                return counter(tenant, index[name])
            looked = value("L2TLB_ACCESS")
            hit = f"{100 * value('L2TLB_HIT') / looked:.1f} %" if looked else "-"
            ipc = f"{value('LANE_INSTR') / cycle:.2f}" if cycle else "-"
            tokens = word(OFFSET["TOKENS"] + t * table.TENANT_STRIDE)
            rows.append([str(t), str(value("WARP_INSTR")), ipc, hit, str(value("WALKS")), str(tokens),
                         str(value("COMPLETIONS"))])
        show(rows)


class Irq(gdb.Command):
    """memhelm irq -- what is pending and enabled, the timers, what waits in the queues."""

    def __init__(self):
        super().__init__("memhelm irq", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        tenants()
        pending, enabled = register("IRQ_PENDING"), register("IRQ_ENABLE")
        print(f"pending: {names(pending)}; enabled: {names(enabled)}; line {'high' if pending & enabled else 'low'}")
        for timer in range(register("CAP_TIMERS")):
            mode = ["off", "one-shot", "periodic"][word(OFFSET["TIMER_CTRL"] + 8 * timer)]
            print(f"timer {timer}: {mode}, {word(OFFSET['TIMER_INTERVAL'] + 8 * timer)} GPU cycles")
        print(f"events queued: {register('EVENT_COUNT')}; walk arrivals queued: {register('WALK_ARRIVALS')}; "
              f"page faults queued: {register('PAGE_FAULTS')}")


class Alone(gdb.Command):
    """memhelm alone -- stand-alone IPCs as policy ccbp estimates them, in 1/65536 warp instructions per GPU cycle, from the
    stage after the one in which it runs kernels alone: break ccbp_begin_allocation."""

    def __init__(self):
        super().__init__("memhelm alone", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        plan, corun = gdb.parse_and_eval("ccbp_state"), gdb.parse_and_eval("corun_state")["corun"]
        rows = [["tenant", "IPC alone", "of 65536", "with CTAs", "with half"]]
        for k in range(int(plan["count"])):
            known = plan["known"][k]
            ipc = int(known["alone_ipc"])
            rows.append([str(int(corun["tenant"][k])), f"{ipc / 65536:.4f}", str(ipc), str(int(known["ipc"][0])),
                         str(int(known["ipc"][1]))])
        show(rows)


class CapsPrinter:
    """struct gpu_caps: one line, in the words of the table."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        v = self.value
        return (f"{int(v['sms'])} SMs x {int(v['warps'])} warps, {int(v['tenants'])} tenants, "
                f"{int(v['walkers'])} walkers, epoch {int(v['epoch'])}")


class PolicyPrinter:
    """struct policy: its name and the hooks that it has."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        hooks = [f.name for f in self.value.type.fields() if f.name != "name" and int(self.value[f.name])]
        return f"{self.value['name'].string()}: {' '.join(hooks)}"


PRINTERS = {"gpu_caps": CapsPrinter, "policy": PolicyPrinter}


def printer(value):
    kind = value.type.strip_typedefs().unqualified()
    return PRINTERS[kind.tag](value) if kind.code == gdb.TYPE_CODE_STRUCT and kind.tag in PRINTERS else None


gdb.pretty_printers.append(printer)
for command in (Memhelm, Counters, Knobs, Tenants, Irq, Alone):
    command()
gdb.execute("set architecture riscv:rv32", to_string=True)
# Sources are named from the top of the tree: the build directory's parent, where the build does not say otherwise.
gdb.execute("directory " + os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."), to_string=True)
