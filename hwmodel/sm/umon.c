#include "sm/umon.h"
#include "engine/gpu.h"
#include "sm/l1d.h"
#include "engine/tags.h"
#include "pages/page_table.h"

struct mh_umon *mh_umon_create(const struct mh_config *cfg, uint32_t sm)
{
    struct mh_umon *u = calloc(1, sizeof *u);
    const struct mh_sets l1d = mh_l1d_sets(cfg);
    const uint32_t sets = l1d.by.by;

    if (!u)
        return NULL;
    u->every = sets < MH_UMON_EVERY ? sets : MH_UMON_EVERY;
    u->first = sm % u->every;
    u->sampled = (sets + u->every - 1) / u->every;
    u->l1d = l1d;
    if (mh_tags_init(&u->dir, u->sampled * cfg->tenants_count, cfg->l1d.ways)) {
        mh_umon_destroy(u);
        return NULL;
    }
    return u;
}

void mh_umon_destroy(struct mh_umon *u)
{
    if (!u)
        return;
    mh_tags_free(&u->dir);
    free(u);
}

void mh_umon_clear(struct mh_umon *u)
{
    memset(u->dir.entry, 0, (size_t)u->dir.sets * u->dir.stride * sizeof *u->dir.entry);
}

/* NULL: it is not sampled. */
static uint32_t *set_of(const struct mh_umon *u, uint32_t line, uint32_t tenant)
{
    uint32_t set = mh_set_of_line(&u->l1d, line);

    return set % u->every == u->first ? mh_tags_set(&u->dir, tenant * u->sampled + set / u->every) : NULL;
}

void mh_umon_load(struct mh_umon *u, uint32_t line, uint32_t tenant, uint8_t sectors, uint8_t fetched)
{
    uint32_t *set = set_of(u, line, tenant), there = 0;

    if (!set)
        return;
    int way = mh_tags_find(&u->dir, set, line);

    if (way >= 0)
        there = set[way] & MH_TAG_STATE;
    if (!(sectors & ~there) && (uint32_t)way < MH_L1D_POSITIONS)
        u->hits[tenant][way]++;
    mh_tags_front(set, way < 0 ? u->dir.ways - 1 : (uint32_t)way, line << MH_TAG_BITS | there | fetched);
}

void mh_umon_drop(struct mh_umon *u, uint32_t line, uint32_t tenant)
{
    uint32_t *set = set_of(u, line, tenant);
    int way = set ? mh_tags_find(&u->dir, set, line) : -1;

    if (way >= 0)
        mh_tags_drop(&u->dir, set, (uint32_t)way);
}

/* Of the L1D's set of which set `i` of the directories is the sample. */
static uint32_t line_of(const struct mh_umon *u, uint32_t i, uint32_t entry)
{
    return mh_set_line(&u->l1d, i % u->sampled * u->every + u->first, entry >> MH_TAG_BITS);
}

void mh_umon_drop_page(struct mh_umon *u, uint32_t ppn, uint32_t page_shift)
{
    for (uint32_t i = 0; i < u->dir.sets; i++) {
        uint32_t *set = mh_tags_set(&u->dir, i);

        for (uint32_t w = u->dir.ways; w--;)
            if (set[w] && line_of(u, i, set[w]) >> page_shift == ppn)
                mh_tags_drop(&u->dir, set, w);
    }
}

void mh_umon_apply(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < g->cfg.sm.count; i++) {
        struct mh_sm *sm = &g->sm[i];

        sm->monitored = g->knobs.l1d_monitor;
        sm->count_loads = sm->monitored || sm->count_stalls;
        if (sm->monitored)
            mh_umon_clear(sm->umon);
    }
}

uint32_t mh_umon_status(const struct mh_gpu *g, uint32_t offset)
{
    uint32_t tenant = (offset - MH_REG_L1D_HITS_0) / MH_REG_L1D_HITS_0_STRIDE, hits = 0;
    uint32_t position = (offset - MH_REG_L1D_HITS_0) % MH_REG_L1D_HITS_0_STRIDE / 4;

    for (uint32_t i = 0; i < g->cfg.sm.count; i++)
        hits += g->sm[i].umon->hits[tenant][position];
    return hits;
}

/* Whose line an entry of the L1D's set `s` is. */
static uint32_t tenant_of(const struct mh_gpu *g, uint32_t s, uint32_t entry)
{
    return mh_line_tenant(g, mh_tags_line(&g->sm->l1d, s, entry));
}

static uint32_t ways_of(const struct mh_gpu *g, uint32_t tenant)
{
    return g->tenant[tenant].presence == MH_PRESENT ? g->knobs.l1d_ways[tenant] : 0;
}

void mh_ways_apply(struct mh_gpu *g)
{
    g->l1d_apart = false;
    for (uint32_t t = 0; t < g->tenants; t++)
        g->l1d_apart |= g->knobs.l1d_ways[t] != 0;
}

/* Least recently used line in set `s` of a tenant in the mask. Pre: there is one. */
static uint32_t last_of(const struct mh_gpu *g, uint32_t s, const uint32_t *set, uint32_t tenants)
{
    uint32_t w = g->cfg.l1d.ways - 1;

    while (!set[w] || !(tenants >> tenant_of(g, s, set[w]) & 1))
        w--;
    return w;
}

uint32_t mh_ways_victim(const struct mh_gpu *g, const uint32_t *set, uint32_t line)
{
    uint32_t held[MH_MAX_TENANTS] = {0}, there = 0, beyond = 0, empty = MH_NONE;
    uint32_t tenant = mh_line_tenant(g, line), own = ways_of(g, tenant), s = mh_set_of_line(&g->sm->l1d.index, line);

    for (uint32_t w = 0; w < g->cfg.l1d.ways; w++) {
        if (set[w])
            held[tenant_of(g, s, set[w])]++;
        else
            empty = w;
    }
    if (own && held[tenant] >= own)
        return last_of(g, s, set, 1u << tenant);
    if (empty != MH_NONE)
        return empty;
    for (uint32_t t = 0; t < g->tenants; t++) {
        there |= (uint32_t)(held[t] > 0) << t;
        beyond |= (uint32_t)(held[t] > ways_of(g, t)) << t;
    }
    return last_of(g, s, set, beyond ? beyond : there & ~(1u << tenant));
}
