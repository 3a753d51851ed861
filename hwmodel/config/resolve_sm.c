/* Refuses SMs, TLBs, page walk caches and walkers that cannot work, with the reason. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "config/internal.h"

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

/* `total` units in `ways` ways of a power of two of sets. */
static int check_sets(const char *what, uint64_t total, uint64_t per_set, const char *unit, struct mh_error *err)
{
    if (total % per_set || !mh_power_of_two(total / per_set))
        return mh_fail(err, "%s: %" PRIu64 " %s do not make a power of two of sets of %" PRIu64 " %s (ways%s)", what,
                       total, unit, per_set, unit, strcmp(unit, "bytes") ? "" : " x line");
    return 0;
}

/* A TLB with `covers` looks into 64 ways at most (translate/tlb.h). */
static int check_covers(const char *section, uint32_t covers, uint32_t ways, struct mh_error *err)
{
    enum { MOST_WAYS = 64 };

    if (!mh_power_of_two(covers))
        return mh_fail(err, "%s.covers: %u pages; allowed: 1, 2, 4, 8, 16", section, covers);
    if (covers > 1 && ways > MOST_WAYS)
        return mh_fail(err,
                       "%s.covers: %u pages beside sets of %u entries; with more than 1 page a set has at most %d: set "
                       "%s.ways, or %s.covers to 1",
                       section, covers, ways, MOST_WAYS, section, section);
    return 0;
}

static int check_gpcs(const struct mh_config *c, struct mh_error *err)
{
    if (c->sm.gpcs > c->sm.count)
        return mh_fail(err, "sm.gpcs: %u clusters of %u SMs (sm.count); each needs one", c->sm.gpcs, c->sm.count);
    return c->gpctlb.entries ? check_sets("gpctlb.entries", c->gpctlb.entries, c->gpctlb.ways, "entries", err) : 0;
}

static int check_tlbs(const struct mh_config *c, struct mh_error *err)
{
    const struct mh_l1tlb_cfg *l1 = &c->l1tlb;

    if ((l1->ways && check_sets("l1tlb.entries by l1tlb.ways", l1->entries, l1->ways, "entries", err)) ||
        (c->l2tlb.entries && check_sets("l2tlb.entries", c->l2tlb.entries, c->l2tlb.ways, "entries", err)))
        return -1;
    return check_gpcs(c, err) || check_covers("l1tlb", l1->covers, l1->ways ? l1->ways : l1->entries, err) ||
           check_covers("gpctlb", c->gpctlb.covers, c->gpctlb.ways, err) ||
           check_covers("l2tlb", c->l2tlb.covers, c->l2tlb.ways, err);
}

static int check_walks(const struct mh_config *c, struct mh_error *err)
{
    const struct mh_iommu_cfg *m = &c->iommu;

    if (!mh_power_of_two(c->walk.pte_bytes))
        return mh_fail(err, "walk.pte_bytes: %u; allowed: 8, 16, 32, 64, 128", c->walk.pte_bytes);
    if (c->walk.pwc_bytes &&
        check_sets("walk.pwc_bytes", c->walk.pwc_bytes, (uint64_t)c->walk.pwc_ways * 8, "bytes", err))
        return -1;
    if (c->walk.buffer > c->l2tlb.mshrs)
        return mh_fail(err, "walk.buffer: %u walks, but l2tlb.mshrs is %u, and each walk has one: raise that, or 0",
                       c->walk.buffer, c->l2tlb.mshrs);
    if (!m->l1_entries && m->l2_entries)
        return mh_fail(err,
                       "iommu.l2_entries: %u, but iommu.l1_entries is 0: there is no IOMMU; set both, or both to 0",
                       m->l2_entries);
    return m->l2_entries ? check_sets("iommu.l2_entries", m->l2_entries, m->l2_ways, "entries", err) : 0;
}

int mh_resolve_translation(const struct mh_config *cfg, struct mh_error *err)
{
    return check_tlbs(cfg, err) || check_walks(cfg, err) ? -1 : 0;
}
