#include "memhelm/sharing.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "memhelm/kernels.h"
#include "uvm/uvm.h"
#include "workload/op_stats.h"

const struct mh_sharing mh_sharing[] = {
#define MH_SHARING(kernel, paper, note) {kernel, paper, note},
#include "uvm/sharing.def"
#undef MH_SHARING
    {NULL, false, NULL},
};

const struct mh_sharing *mh_sharing_find(const char *spec)
{
    const struct mh_kernel *k = mh_kernel_find(spec);

    for (const struct mh_sharing *s = mh_sharing; k && s->kernel; s++)
        if (!strcmp(s->kernel, k->name))
            return s;
    return NULL;
}

int mh_sharing_derive(const char *spec, uint32_t lanes, struct mh_error *err)
{
    struct mh_workload *w = mh_workload_create(spec, 0, 1, lanes, err);
    int shares;

    if (!w)
        return -1;
    shares = mh_workload_shares(w, lanes);
    w->destroy(w);
    return shares < 0 ? mh_fail(err, "%s: out of memory", spec) : shares;
}

int mh_uvm_shares(const struct mh_config *c, uint32_t tenant, const struct mh_workload *w)
{
    const char *spec = c->tenants[tenant].kernel;
    const bool paper = !strcmp(c->uvm.sharing, "paper") && !*mh_launches_part(spec); /* it lists whole programs */
    const struct mh_sharing *s = paper ? mh_sharing_find(spec) : NULL;

    return s ? s->paper : mh_workload_shares(w, c->sm.lanes);
}
