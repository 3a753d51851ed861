/*
 * The mcu's timing: what its instructions take beyond one cycle each.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * QEMU's clock moves by one cycle per instruction. The plugin of qemu/plugin
 * adds up what the mcu takes more; here it is folded into the clock. That
 * happens where the mcu meets something else and nowhere else: at its accesses,
 * when it falls asleep, at a tick of the GPU, at the end. Not whenever QEMU
 * leaves its loop: a breakpoint would move the next tick then, and a debugged
 * run would not be that of no debugger.
 *
 * So an access is at its exact cycle, since its own cycles come before it acts.
 * A sleeping mcu sees an interrupt on time, an awake one at most a quantum of
 * instructions late, with their cycles. mtime and mcycle lag by the cycles
 * since the last of the four places, and so do the firmware's DECISIONs.
 */
#include "qemu/osdep.h"
#include <dlfcn.h>
#include "cpu.h"
#include "exec/address-spaces.h"
#include "qapi/error.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/cpus.h"
#include "memhelm.h"
#include "trace-memhelm.h"
#include "../plugin/mcu_port.h"

/* The core whose every instruction takes one cycle needs no plugin. */
#define PLAIN_CORE "ipc1"

/* From the mcu's memories alone: a read of a device has effects. */
static uint32_t memhelm_mcu_fetch(uint32_t address, void *to, uint32_t size)
{
    MemoryRegionSection s = memory_region_find(get_system_memory(), address,
                                               size);
    uint32_t bytes = 0;

    if (s.mr && memory_region_is_ram(s.mr)) {
        bytes = int128_get64(s.size);
        memcpy(to, (char *)memory_region_get_ram_ptr(s.mr) +
               s.offset_within_region, bytes);
    }
    memory_region_unref(s.mr);
    return bytes;
}

bool memhelm_mcu_open(MemhelmMcuState *m, CPUState *mcu, const char *plugin,
                      const char *name, Error **errp)
{
    CPURISCVState *env = &RISCV_CPU(mcu)->env;
    void *library;

    if (!plugin) {
        if (strcmp(name, PLAIN_CORE)) {
            error_setg(errp, "mcu.core: core %s takes a plugin that knows its "
                       "times: -plugin PATH,table=..,out=.. and "
                       "-M memhelm,core-plugin=PATH; or mcu.core: "
                       PLAIN_CORE, name);
            return false;
        }
        return true;
    }
    library = dlopen(plugin, RTLD_LAZY | RTLD_NOLOAD);
    m->port = library ? dlsym(library, MH_MCU_PORT) : NULL;
    if (!m->port || m->port->abi != MH_MCU_ABI) {
        error_setg(errp, "core-plugin=%s is not loaded, or not of this build: "
                   "add -plugin with the same path", plugin);
        return false;
    }
    m->port->sp = &env->gpr[xSP];
    m->port->mtvec = &env->mtvec;
    m->port->fetch = memhelm_mcu_fetch;
    m->port->data = m->port->guard = MH_DTCM_BASE;
    return true;
}

/*
 * BQL held. The vCPU executes no instruction meanwhile: this is its own
 * thread, or it sleeps, or it has used up its budget.
 */
void memhelm_mcu_sync(MemhelmMcuState *m)
{
    int64_t owed = m->port ? m->port->extra - m->applied : 0;

    if (owed <= 0) {
        return;
    }
    m->applied += owed;
    trace_memhelm_mcu_sync(memhelm_now(), owed);
    if (qemu_in_vcpu_thread() && current_cpu->running) {
        icount_stall(owed);
    } else {
        icount_advance(owed);
    }
}

void memhelm_mcu_stalled(MemhelmMcuState *m, uint32_t cycles)
{
    if (m->port) {
        m->port->stalls += cycles;
    }
}

int64_t memhelm_mcu_busy(MemhelmMcuState *m)
{
    return memhelm_executed() + m->applied;
}

/* The first sleep or decision ends the boot, which is neither. */
#define BOOTING INT64_MAX

int64_t memhelm_mcu_began(MemhelmMcuState *m)
{
    int64_t busy = memhelm_mcu_busy(m);

    return busy - MEMHELM_BETWEEN > m->anchor ? m->anchor : busy;
}

void memhelm_mcu_slept(MemhelmMcuState *m)
{
    int64_t busy = memhelm_mcu_busy(m);

    m->undecided += busy - memhelm_mcu_began(m);
    m->anchor = busy;
}

void memhelm_mcu_begin(MemhelmMcuState *m, uint32_t source)
{
    if (m->port) {
        m->port->begin(source);
    }
}

void memhelm_mcu_finish(MemhelmMcuState *m, uint32_t source)
{
    m->anchor = memhelm_mcu_busy(m);
    if (m->port) {
        m->port->finish(source);
    }
}

void memhelm_mcu_reset(MemhelmMcuState *m)
{
    m->anchor = BOOTING;
    if (m->port) {
        m->port->reset();
    }
}

bool memhelm_mcu_end(MemhelmMcuState *m, bool passed, uint64_t undone,
                     Error **errp)
{
    uint64_t executed = memhelm_executed();
    int error;

    if (!m->port) {
        return true;
    }
    /* The plugin sees only those that trap to the image's own entry. */
    m->port->faulted = undone;
    error = m->port->end(executed);
    if (error) {
        error_setg(errp, "core.json cannot be written: %s", strerror(error));
        return false;
    }
    if (passed && m->port->instructions - undone != executed) {
        error_setg(errp, "the plugin counted %" PRIu64 " instructions and %"
                   PRIu64 " that faulted, the machine %" PRIu64,
                   m->port->instructions, undone, executed);
        return false;
    }
    return true;
}
