/*
 * What the mcu does, for a run's timeline (run.log_timeline): slices from its
 * waking to its sleep, of interrupts, of the work for event sources and of
 * policies' hooks. It only looks: a run with it is the run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "hw/core/cpu.h"
#include "memhelm.h"
#include "../plugin/mcu_port.h"

static const char *const memhelm_source_names[MH_SOURCES] = {
#define MH_SOURCE(name, field, ...) #field " decision",
#include "memhelm/registers.def"
};

bool memhelm_timeline_on(MemhelmGpuState *s)
{
    return s->record && s->cfg.run.log_timeline;
}

static void memhelm_timeline_slice(MemhelmGpuState *s, enum mh_mcu_work work,
                                   const char *name, int64_t from, int64_t to)
{
    mh_record_mcu(s->record, work, name, memhelm_gpu_at(s, from),
                  memhelm_gpu_at(s, to));
}

void memhelm_timeline_woken(MemhelmGpuState *s, int64_t t)
{
    if (s->woken < 0) {
        s->woken = t;
    }
}

/* Boot is before GPU cycle 0: nothing of it is on the timeline. */
void memhelm_timeline_asleep(MemhelmGpuState *s, int64_t t)
{
    if (memhelm_timeline_on(s) && s->woken >= 0 && t > s->start) {
        memhelm_timeline_slice(s, MH_MCU_AWAKE, NULL, s->woken, t);
    }
    s->woken = -1;
}

void memhelm_timeline_irq(MemhelmGpuState *s, int64_t from, int64_t to)
{
    if (memhelm_timeline_on(s)) {
        memhelm_timeline_slice(s, MH_MCU_INTERRUPT, NULL, from, to);
    }
}

void memhelm_timeline_swap(MemhelmGpuState *s, const struct mh_swap *swap)
{
    if (memhelm_timeline_on(s)) {
        mh_record_mcu(s->record, MH_MCU_SOURCE, swap->image, swap->began,
                      swap->committed);
    }
}

void memhelm_timeline_source(MemhelmGpuState *s, uint32_t source,
                             int64_t from, int64_t to)
{
    if (memhelm_timeline_on(s) && source < MH_SOURCES) {
        memhelm_timeline_slice(s, MH_MCU_SOURCE, memhelm_source_names[source],
                               from, to);
    }
}

/*
 * From within an instruction of the mcu, where no clock can be read: its
 * cycles since the last anchor tell the time.
 */
static void memhelm_timeline_called(void *opaque, const char *name,
                                    uint64_t from, uint64_t to)
{
    MemhelmGpuState *s = opaque;
    int64_t begin = s->anchor + (int64_t)(from - s->anchor_busy);

    if (from >= s->anchor_busy && memhelm_timeline_on(s)) {
        memhelm_timeline_slice(s, MH_MCU_HOOK, name, begin,
                               begin + (int64_t)(to - from));
    }
}

void memhelm_timeline_anchor(MemhelmGpuState *s, int64_t t)
{
    struct mh_mcu_port *port = s->timing.port;

    if (!memhelm_timeline_on(s) || !port) {
        return;
    }
    port->called = memhelm_timeline_called;
    port->opaque = s;
    s->anchor = t;
    s->anchor_busy = port->instructions + port->extra + port->stalls;
}
