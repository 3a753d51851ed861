#include "workload/trace/traceg_deps.h"

/* The newest load among those that wrote `count` registers. */
static uint64_t newest(const struct mh_traceg_deps *d, uint32_t first, uint32_t count)
{
    uint64_t load = 0;

    for (uint32_t r = first; r < first + count && r < MH_TRACEG_ZERO; r++)
        load = d->loaded_by[r] > load ? d->loaded_by[r] : load;
    return load;
}

static void close_group(struct mh_traceg_deps *d)
{
    if (d->open)
        d->last_of_group[d->groups++ % MH_TRACEG_GROUPS] = d->open;
    d->open = 0;
}

/*
 * At most `immediate` groups may be left; one that is still open is not waited for. Of groups that are forgotten the
 * oldest known one stands for them: too much, never too little.
 */
static uint64_t last_of_groups(const struct mh_traceg_deps *d, int64_t immediate)
{
    uint64_t left = immediate < 0 ? 0 : (uint64_t)immediate;

    if (d->groups <= left)
        return 0;
    left = left < MH_TRACEG_GROUPS ? left : MH_TRACEG_GROUPS - 1;
    return d->last_of_group[(d->groups - 1 - left) % MH_TRACEG_GROUPS];
}

void mh_traceg_use(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes,
                   uint32_t ahead)
{
    if (kind == MH_SASS_ASYNC_GROUP)
        close_group(d);
    if (kind == MH_SASS_DEPBAR)
        mh_need_load(&d->need, last_of_groups(d, inst->immediate), ahead);
    for (uint32_t i = 0; i < inst->source_count; i++)
        mh_need_load(&d->need, newest(d, inst->source[i], mh_sass_source_registers(inst->opcode, kind, i, bytes)),
                     ahead);
    for (uint32_t i = 0; i < inst->dest_count; i++)
        mh_need_load(&d->need, newest(d, inst->dest[i], kind != MH_SASS_OTHER ? (bytes + 3) / 4 : 1), ahead);
}

void mh_traceg_loaded(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes)
{
    if (kind != MH_SASS_ATOMIC)
        d->need.issued++;
    if (kind == MH_SASS_ASYNC) {
        d->open = d->need.issued;
        return;
    }
    for (uint32_t i = 0; i < inst->dest_count; i++)
        for (uint32_t r = inst->dest[i]; r < inst->dest[i] + (bytes + 3) / 4 && r < MH_TRACEG_ZERO; r++)
            d->loaded_by[r] = d->need.issued;
}
