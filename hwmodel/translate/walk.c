#include "translate/walk.h"

#include "gpu/gpu.h"

int mh_walkers_init(struct mh_walkers *w, const struct mh_config *cfg)
{
    uint32_t ways = cfg->walk.pwc_ways;

    w->idle = mh_config_walkers(cfg);
    w->ports = mh_divisor(cfg->noc.walker_ports);
    w->places = cfg->walk.buffer ? cfg->walk.buffer : cfg->l2tlb.mshrs;
    mh_walk_queue_init(&w->waiting);
    return mh_tags_init(&w->pwc, cfg->walk.pwc_bytes / MH_PTE_BYTES / ways, ways);
}

void mh_walkers_free(struct mh_walkers *w)
{
    mh_tags_free(&w->pwc);
}

/* A walk may get its walker while it is still in the look-up that found the miss. */
static void start(struct mh_gpu *g, uint32_t walk)
{
    uint64_t ready = g->l2tlb.walk[walk].ready;

    mh_wheel_add(&g->wheel, ready > g->wheel.now ? ready : g->wheel.now, MH_EVENT(EV_WALK, walk));
}

static void from_root(const struct mh_gpu *g, struct mh_walk *w)
{
    w->node = g->tenant[w->tenant].page_root;
    w->depth = 1;
    w->looked_up = w->restart = false;
}

void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_tenant *t = &g->tenant[w->tenant];

    w->since = g->wheel.now;
    w->ready = cycle;
    from_root(g, w);
    t->count.walks_area -= w->since;
    if (++t->count.walks_live > t->count.walks_peak)
        t->count.walks_peak = t->count.walks_live;
    MH_CHECK(mh_walk_room(&g->walkers));
    if (!g->walkers.idle) {
        w->waits = true;
        mh_walk_queue_push(&g->walkers.waiting, g->l2tlb.walk, walk);
        return;
    }
    g->walkers.idle--;
    start(g, walk);
}

static void release_walker(struct mh_gpu *g)
{
    struct mh_walkers *k = &g->walkers;
    uint32_t next = k->waiting.oldest;

    if (next == MH_NO_WALK) {
        k->idle++;
        return;
    }
    mh_walk_queue_remove(&k->waiting, g->l2tlb.walk, next);
    g->l2tlb.walk[next].waits = false;
    start(g, next);
}

/* Identifies the entry in the page walk cache as its physical address would, or level and prefix of the page. */
static uint32_t pwc_tag(const struct mh_gpu *g, uint32_t node, uint32_t vpn, uint32_t depth)
{
    return node * MH_PT_ENTRIES + mh_pt_index(&g->pages, vpn, depth);
}

/*
 * One look-up of all upper levels at once: the walk goes on below the deepest entry that is there, whether or not those
 * above it are. All that are there have been used.
 */
static void pwc_look_up(struct mh_gpu *g, struct mh_walk *w)
{
    struct mh_tags *pwc = &g->walkers.pwc;
    uint32_t node = w->node;

    for (uint32_t depth = 1; depth < g->pages.levels; depth++) {
        uint32_t tag = pwc_tag(g, node, w->vpn, depth), *set = mh_tags_set(pwc, tag & (pwc->sets - 1));
        int way = mh_tags_find(pwc, set, tag);

        node = mh_pt_entry(&g->pages, node, w->vpn, depth);
        MH_CHECK(node != MH_PT_NONE);
        if (way < 0)
            continue;
        mh_tags_front(set, (uint32_t)way, set[way]);
        w->node = node;
        w->depth = (uint8_t)(depth + 1);
    }
}

static void pwc_fill(struct mh_gpu *g, const struct mh_walk *w)
{
    struct mh_tags *pwc = &g->walkers.pwc;
    uint32_t tag = pwc_tag(g, w->node, w->vpn, w->depth), *set = mh_tags_set(pwc, tag & (pwc->sets - 1));
    int way = mh_tags_find(pwc, set, tag);

    mh_tags_front(set, way >= 0 ? (uint32_t)way : pwc->ways - 1, tag << MH_TAG_BITS | MH_TAG_VALID);
}

static void read_entry(struct mh_gpu *g, uint32_t walk)
{
    const struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_req r = {.line = mh_pt_line(&g->pages, w->node, w->vpn, w->depth),
                       .owner = walk,
                       .port = (uint16_t)(g->cfg.sm.count + mh_remainder(&g->walkers.ports, walk)),
                       .kind = MH_REQ_PTE,
                       .tenant = w->tenant,
                       .depth = w->depth};

    if (g->knobs.l2_bypass)
        r.bypass = mh_l2_bypasses(g, &r);
    mh_noc_send(g, &r);
}

static void finish(struct mh_gpu *g, uint32_t walk, uint32_t ppn)
{
    const struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_counters *c = &g->tenant[w->tenant].count;

    c->walks++;
    c->walks_live--;
    c->walks_area += g->wheel.now;
    c->walk_cycles += g->wheel.now - w->since;
    if (g->cfg.iommu.l1_entries)
        mh_iommu_walked(g, walk, ppn);
    else
        mh_l2tlb_translated(g, walk, ppn);
    release_walker(g);
}

/* A walk's first step is its look-up in the page walk cache; from then on it reads, one entry after the other. */
void mh_walk_step(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];

    if (w->restart)
        from_root(g, w);
    if (!g->walkers.pwc.sets || w->looked_up) {
        read_entry(g, walk);
        return;
    }
    w->looked_up = true;
    pwc_look_up(g, w);
    mh_wheel_add(&g->wheel, g->wheel.now + g->cfg.walk.pwc_latency, MH_EVENT(EV_WALK, walk));
}

void mh_walk_entry(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];

    if (w->restart) {
        mh_walk_step(g, walk);
        return;
    }
    uint32_t entry = mh_pt_entry(&g->pages, w->node, w->vpn, w->depth);

    MH_CHECK(entry != MH_PT_NONE);
    if (w->depth == g->pages.levels) {
        finish(g, walk, entry);
        return;
    }
    if (g->walkers.pwc.sets)
        pwc_fill(g, w);
    w->node = entry;
    w->depth++;
    read_entry(g, walk);
}
