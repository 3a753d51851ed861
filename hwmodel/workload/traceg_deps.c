#include "workload/traceg_deps.h"

#include <string.h>

static bool any(const struct mh_traceg_deps *d, uint32_t first, uint32_t count)
{
    for (uint32_t r = first; r < first + count && r < MH_TRACEG_ZERO; r++)
        if (d->outstanding[r / 64] >> (r % 64) & 1)
            return true;
    return false;
}

static void wait_for_all(struct mh_traceg_deps *d)
{
    memset(d, 0, sizeof *d);
    d->wait = true;
}

/* A group that is still open is not waited for. */
static bool depends_on_groups(const struct mh_traceg_deps *d, const struct mh_traceg_inst *inst)
{
    return inst->immediate < 0 || d->groups > (uint64_t)inst->immediate;
}

void mh_traceg_use(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes)
{
    bool needs = false;

    if (kind == MH_SASS_ASYNC_GROUP) {
        d->groups += d->open > 0;
        d->open = 0;
    }
    if (kind == MH_SASS_DEPBAR)
        needs = d->groups && depends_on_groups(d, inst);
    for (uint32_t i = 0; i < inst->source_count && !needs; i++)
        needs = any(d, inst->source[i], mh_sass_source_registers(inst->opcode, kind, i, bytes));
    for (uint32_t i = 0; i < inst->dest_count && !needs; i++)
        needs = any(d, inst->dest[i], kind != MH_SASS_OTHER ? (bytes + 3) / 4 : 1);
    if (needs)
        wait_for_all(d);
}

bool mh_traceg_wait(struct mh_traceg_deps *d)
{
    bool wait = d->wait;

    d->wait = false;
    return wait;
}

void mh_traceg_loaded(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes)
{
    if (kind == MH_SASS_ASYNC) {
        d->open++;
        return;
    }
    for (uint32_t i = 0; i < inst->dest_count; i++)
        for (uint32_t r = inst->dest[i]; r < inst->dest[i] + (bytes + 3) / 4 && r < MH_TRACEG_ZERO; r++)
            d->outstanding[r / 64] |= (uint64_t)1 << (r % 64);
}
