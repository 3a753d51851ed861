/*
 * Counts what the mcu executes: exactly, per address and per call.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 *   -plugin libmemhelm-core.so,table=DIR/core.table,out=DIR/core.json
 *
 * One callback per executed instruction, its argument the table's entry: there
 * is no state per translation block, so it does not matter where QEMU lets
 * blocks begin and end. What decides more than the instruction itself, where a
 * jump goes and whether the mcu trapped, is known at the next instruction.
 */
#include <stdio.h>
#include <string.h>

#include <qemu-plugin.h>

#include "calls.h"
#include "mcu_port.h"
#include "out.h"
#include "spans.h"
#include "table.h"

/* Devices are above the memories, see memhelm/registers.h. */
#define FIRST_DEVICE 0x02000000u

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

static void port_begin(uint32_t source);
static void port_finish(uint32_t source);
static void port_reset(void);
static int port_end(uint64_t executed);

QEMU_PLUGIN_EXPORT struct mh_mcu_port mh_mcu_port = {
    .abi = MH_MCU_ABI,
    .begin = port_begin, .finish = port_finish,
    .reset = port_reset, .end = port_end,
};

#define port mh_mcu_port

static struct mh_table table;
static struct mh_insn reset; /* stands for what jumps to the reset address */
static struct mh_insn *pending = &reset; /* jumped; where to is not known yet */
static struct mh_insn *unfinished;       /* its access has not been made yet */
static struct mh_mix mix;
static uint32_t stack_low = UINT32_MAX;
static const char *out_path;

static struct mh_totals totals(void)
{
    return (struct mh_totals){
        .instructions = port.instructions,
        .cycles = port.instructions + port.extra,
        .mmio = mix.count[MH_MIX_MMIO],
    };
}

/* 'from' went on at 'to', at once or after a trap that came in between. */
static void landed(struct mh_insn *from, struct mh_insn *to)
{
    struct mh_totals now;

    if (((from->flags & CODE_BRANCH) && to->pc == from->pc + from->size) ||
        (from->flags & CODE_WFI)) {
        return; /* not taken, or slept and went on */
    }
    if (from == &reset) { /* the landing is already the first function's */
        now = totals();
        mh_calls_start(to, &now);
        port.extra += to->land_extra;
        return;
    }
    from->taken++;
    mix.count[MH_MIX_TAKEN] += (from->flags & CODE_BRANCH) != 0;
    port.extra += from->taken_extra + to->land_extra;
    now = totals();
    if (!(from->flags & CODE_MRET)) {
        mh_calls_jump(from, to, &now);
    } else {
        from = mh_calls_mret(&now);
        if (from) {
            landed(from, to);
        }
    }
}

static void trapped(struct mh_insn *from, struct mh_insn *to)
{
    const struct mh_totals now = totals();
    bool slept = from && (from->flags & CODE_WFI);

    if (from == &reset) { /* at the very first instruction */
        mh_calls_start(to, &now);
    }
    port.faulted += unfinished != NULL;
    mix.count[MH_MIX_TRAPS]++;
    mh_calls_trap(from == &reset || slept ? NULL : from, to, &now);
    port.extra += slept ? table.wake_extra : table.entry_extra;
    port.extra += to->land_extra;
}

/* Where mtvec sends traps: to its base, or, of interrupts, by their number. */
static bool is_vector(uint32_t pc)
{
    uint32_t mtvec = *port.mtvec;

    return pc - (mtvec & ~3u) < (mtvec & 3 ? 32 * 4 : 1);
}

static void arrived(struct mh_insn *at)
{
    struct mh_insn *from = pending;

    pending = NULL;
    if (is_vector(at->pc)) { /* nothing jumps there */
        trapped(from, at);
    } else {
        landed(from, at);
    }
}

/*
 * Before each instruction. A debugger's watchpoint stops the mcu before the
 * access: the same instruction begins again then, at once.
 */
static void executed(unsigned cpu, void *opaque)
{
    struct mh_insn *i = opaque;

    if (i == unfinished) {
        return;
    }
    if (pending || is_vector(i->pc)) {
        arrived(i);
    }
    unfinished = i->flags & MH_INSN_MEMORY ? i : NULL;
    i->count++;
    mix.count[i->cls]++;
    port.instructions++;
    port.extra += i->extra;
    if (i->flags & MH_INSN_LEAVES) {
        pending = i;
    }
}

/* Boot paints the stack: what is written before anybody is called is no use. */
static void stacked(struct mh_insn *i, uint32_t address)
{
    if (mh_calls_depth() < 2) {
        return;
    }
    if (address < i->stack_low) {
        i->stack_low = address;
    }
    if (address < stack_low) {
        stack_low = address;
    }
    mh_spans_stack(address);
}

/* After each access that did not fault. */
static void accessed(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t vaddr,
                     void *opaque)
{
    struct mh_insn *i = opaque;
    uint32_t address = vaddr;

    unfinished = NULL;
    if (address >= FIRST_DEVICE) {
        i->mmio++;
        mix.count[MH_MIX_MMIO]++;
    }
    if (*port.sp - port.data < port.guard - port.data && !port.over_pc) {
        port.over_pc = i->pc;
        port.over_sp = *port.sp;
    }
    if (address - table.stack_from < table.stack_to - table.stack_from &&
        qemu_plugin_mem_is_store(info)) {
        stacked(i, address);
    }
}

/* The instruction in memory at an address; size 0: the memories end there. */
static void behind(uint32_t pc, struct insn *i)
{
    uint32_t word = 0;
    uint32_t size = port.fetch(pc, &word, sizeof(word));

    insn_decode(word, i);
    if (i->size > size) {
        i->size = 0;
    }
}

/* What is here now: another program may have been, or another instruction. */
static void decode(struct mh_insn *i, struct qemu_plugin_insn *insn)
{
    struct cost_window w = { 0 };
    uint32_t word = 0;

    memcpy(&word, qemu_plugin_insn_data(insn), qemu_plugin_insn_size(insn));
    insn_decode(word, &w.at[0]);
    behind(i->pc + w.at[0].size, &w.at[1]);
    if (w.at[1].size) {
        behind(i->pc + w.at[0].size + w.at[1].size, &w.at[2]);
    }
    mh_table_translated(&table, i, &w);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    for (size_t k = 0; k < qemu_plugin_tb_n_insns(tb); k++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, k);
        struct mh_insn *i = mh_table_at(&table, qemu_plugin_insn_vaddr(insn));

        decode(i, insn);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, executed,
                                               QEMU_PLUGIN_CB_NO_REGS, i);
        if (i->flags & MH_INSN_MEMORY) {
            qemu_plugin_register_vcpu_mem_cb(insn, accessed,
                                             QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_RW, i);
        }
    }
}

static void hook_ended(uint32_t hook, uint64_t from, uint64_t to)
{
    if (port.called) {
        port.called(port.opaque, table.hook_name[hook], from, to);
    }
}

static void port_begin(uint32_t source)
{
    struct mh_totals now = totals();

    mh_calls_settle(&now);
    mh_spans_forget(mh_spans_of(source));
    mh_spans_open(MH_SPAN_SOURCE, source, &now);
}

static void port_finish(uint32_t source)
{
    struct mh_totals now = totals();

    mh_calls_settle(&now);
    mh_spans_close(mh_spans_of(source), &now);
}

static void port_reset(void)
{
    pending = &reset;
    unfinished = NULL;
    port.over_pc = 0;
}

static int port_end(uint64_t count)
{
    struct mh_totals now = totals();
    const struct mh_run_counts run = {
        .instructions = port.instructions, .faulted = port.faulted,
        .executed = count, .extra = port.extra, .stack_low = stack_low,
        .mix = &mix,
    };

    mh_calls_settle(&now);
    return mh_out_write(out_path, &table, &run);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                                           const qemu_info_t *info, int argc,
                                           char **argv)
{
    const char *table_path = NULL;

    for (int i = 0; i < argc; i++) {
        if (!strncmp(argv[i], "table=", 6)) {
            table_path = argv[i] + 6;
        } else if (!strncmp(argv[i], "out=", 4)) {
            out_path = argv[i] + 4;
        }
    }
    if (!table_path || !out_path) {
        fputs("memhelm-core: add table=FILE,out=FILE\n", stderr);
        return -1;
    }
    if (!mh_table_load(&table, table_path)) {
        return -1;
    }
    memcpy(port.core, table.core, sizeof(port.core));
    mh_spans_init(table.hooks, &port.stalls, &mix);
    mh_spans_tell(hook_ended);
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
