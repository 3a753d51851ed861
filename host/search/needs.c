#include "needs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const struct mh_config *cfg, uint32_t t, const struct mh_cta_room *needs, struct mh_error *err)
{
    const struct mh_sm_cfg *sm = &cfg->sm;
    return mh_fail(err,
                   "%s: a CTA needs %" PRIu64 " warps, %" PRIu64 " registers and %" PRIu64 " bytes of shared memory; "
                   "an SM has %u, %u and %u: raise sm.warps, sm.registers or sm.shared_bytes with --set",
                   cfg->tenants[t].kernel, needs->warps, needs->registers, needs->shared_bytes, sm->warps,
                   sm->registers, sm->shared_bytes);
}

static int add(struct cta_kernel *kernel, const struct mh_cta_room *needs, uint32_t ctas, struct mh_error *err)
{
    for (unsigned i = 0; i < kernel->count; i++) {
        struct cta_launch *known = &kernel->launch[i];
        if (memcmp(&known->needs, needs, sizeof *needs))
            continue;
        known->ctas = ctas > known->ctas ? ctas : known->ctas;
        return 0;
    }
    void *more = realloc(kernel->launch, (kernel->count + 1) * sizeof *kernel->launch);
    if (!more)
        return mh_fail(err, "out of memory");
    kernel->launch = more;
    kernel->launch[kernel->count++] = (struct cta_launch){*needs, ctas};
    return 0;
}

int needs_add(struct cta_kernel *kernel, const struct mh_config *cfg, uint32_t t, const struct mh_workload *work,
              struct mh_error *err)
{
    const struct mh_cta_room sm = mh_room_of_sm(cfg);
    uint32_t count;
    const struct mh_launch *launches = mh_workload_launches(work, &count);
    for (uint32_t i = 0; i < count; i++) {
        struct mh_cta_room needs = mh_room_of_cta(cfg, &launches[i]);
        if (cta_fit(&sm, &needs) ? add(kernel, &needs, launches[i].ctas, err) : refuse(cfg, t, &needs, err))
            return -1;
    }
    return 0;
}

void needs_free(struct cta_kernel *kernel)
{
    free(kernel->launch);
    *kernel = (struct cta_kernel){0};
}
