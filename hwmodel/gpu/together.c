#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "memhelm/hwmodel.h"
#include "memhelm/kernels.h"
#include "workload/workload.h"

static const struct resource {
    const char *name, *key;
    size_t at;
} resources[] = {
    {"CTA slots", "sm.cta_slots", offsetof(struct mh_cta_room, slots)},
    {"warps", "sm.warps", offsetof(struct mh_cta_room, warps)},
    {"registers", "sm.registers", offsetof(struct mh_cta_room, registers)},
    {"bytes of shared memory", "sm.shared_bytes", offsetof(struct mh_cta_room, shared_bytes)},
};
enum { RESOURCES = sizeof resources / sizeof *resources };

/* Of each resource what the launch that takes least of it takes: which launches meet is the run's business. */
struct least {
    uint64_t of[MH_MAX_TENANTS][RESOURCES];
};

struct mh_cta_room mh_room_of_sm(const struct mh_config *cfg)
{
    return (struct mh_cta_room){cfg->sm.cta_slots, cfg->sm.warps, cfg->sm.registers, cfg->sm.shared_bytes};
}

struct mh_cta_room mh_room_of_cta(const struct mh_config *cfg, const struct mh_launch *l)
{
    return (struct mh_cta_room){1, (l->threads + cfg->sm.lanes - 1) / cfg->sm.lanes,
                                (uint64_t)l->registers * l->threads, l->shared_bytes};
}

static uint64_t amount(const struct mh_cta_room *room, const struct resource *r)
{
    return *(const uint64_t *)((const char *)room + r->at);
}

static void find_least(struct least *least, const struct mh_config *cfg, struct mh_workload *const work[])
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        for (uint32_t l = 0; l < work[t]->launch_count; l++) {
            const struct mh_cta_room needs = mh_room_of_cta(cfg, &work[t]->launches[l]);

            for (uint32_t r = 0; r < RESOURCES; r++) {
                uint64_t n = amount(&needs, &resources[r]);

                least->of[t][r] = l && least->of[t][r] < n ? least->of[t][r] : n;
            }
        }
}

static bool is_there(const struct mh_tenant_cfg *t, uint32_t sm, uint64_t cycle)
{
    return sm - t->sm_first < t->sm_count && t->arrive <= cycle && (!t->leave || cycle < t->leave);
}

/* Of those that are on the SM in the cycle. */
static uint64_t sum(const struct least *least, const struct mh_config *cfg, uint32_t r, uint32_t sm, uint64_t cycle)
{
    uint64_t sum = 0;

    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        sum += is_there(&cfg->tenants[t], sm, cycle) ? least->of[t][r] : 0;
    return sum;
}

/* The resource of which the SM has too little for a CTA of each; RESOURCES: of none. */
static uint32_t lacking(const struct least *least, const struct mh_config *cfg, uint32_t sm, uint64_t cycle)
{
    const struct mh_cta_room has = mh_room_of_sm(cfg);
    uint32_t r = 0;

    while (r < RESOURCES && sum(least, cfg, r, sm, cycle) <= amount(&has, &resources[r]))
        r++;
    return r;
}

static int refuse(const struct least *least, const struct mh_config *cfg, uint32_t sm, uint64_t cycle,
                  struct mh_error *err)
{
    const uint32_t r = lacking(least, cfg, sm, cycle);
    const struct mh_cta_room has = mh_room_of_sm(cfg);
    char who[512] = "";

    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (is_there(&cfg->tenants[t], sm, cycle)) {
            size_t used = strlen(who);

            snprintf(who + used, sizeof who - used, "%s%s", used ? "+" : "", cfg->tenants[t].kernel);
        }
    return mh_fail(
        err,
        "%s: one CTA of each does not fit an SM that they share: they need %" PRIu64 " %s, an SM has %" PRIu64
        ": raise %s, or set sm.share to 0, and each has SMs of its own, or to 2, and they take turns",
        who, sum(least, cfg, r, sm, cycle), resources[r].name, amount(&has, &resources[r]), resources[r].key);
}

/* One of the tenant's SMs is enough. */
static int check(const struct least *least, const struct mh_config *cfg, uint32_t tenant, uint64_t cycle,
                 struct mh_error *err)
{
    const struct mh_tenant_cfg *t = &cfg->tenants[tenant];

    if (!is_there(t, t->sm_first, cycle))
        return 0;
    for (uint32_t sm = t->sm_first; sm < t->sm_first + t->sm_count; sm++)
        if (lacking(least, cfg, sm, cycle) == RESOURCES)
            return 0;
    return refuse(least, cfg, t->sm_first, cycle, err);
}

/* SMs are fullest when somebody has come. */
int mh_gpu_fits_together(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err)
{
    struct least least = {0};

    if (cfg->sm.share != 1)
        return 0;
    find_least(&least, cfg, work);
    for (uint32_t came = 0; came < cfg->tenants_count; came++)
        for (uint32_t t = 0; t < cfg->tenants_count; t++)
            if (check(&least, cfg, t, cfg->tenants[came].arrive, err))
                return -1;
    return 0;
}
