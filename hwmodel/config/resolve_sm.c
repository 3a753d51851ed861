/* Refuses SMs that cannot work, with the reason. */
#include <stdbool.h>
#include <stddef.h>

#include "config/resolve.h"

static int check_shared(const struct mh_sm_cfg *c, struct mh_error *err)
{
    if (c->conflict_cycles && !c->shared_latency)
        return mh_fail(err,
                       "sm.conflict_cycles: %u, but shared memory takes no time (sm.shared_latency 0): give it a "
                       "latency, or 0 here",
                       c->conflict_cycles);
    return 0;
}

/* What needs the order of events in each cycle; `key` names the first such. */
static bool needs_each_cycle(const struct mh_config *c, const char **key)
{
    *key = c->sm.stall_reasons                    ? "sm.stall_reasons 1"
           : c->sm.wait_reasons                   ? "sm.wait_reasons 1"
           : c->sm.lsu_order == MH_LSU_PER_KERNEL ? "sm.lsu_order per-kernel"
           : c->l1d.subqueues                     ? "l1d.subqueues"
           : c->l1tlb.on_miss == MH_ON_MISS_HOLD  ? "l1tlb.on_miss hold"
           : c->noc.queues == MH_QUEUES_INPUT     ? "noc.queues input"
                                                  : NULL;
    return *key != NULL;
}

static int check_lines(const struct mh_config *c, struct mh_error *err)
{
    const char *key;

    if (c->sm.lsu_lines > 1 && needs_each_cycle(c, &key))
        return mh_fail(err, "sm.lsu_lines: %u beside %s, which looks at each line in its cycle: set it to 1",
                       c->sm.lsu_lines, key);
    return 0;
}

int mh_resolve_sm(const struct mh_config *cfg, struct mh_error *err)
{
    return check_shared(&cfg->sm, err) || check_lines(cfg, err) ? -1 : 0;
}
