#include "gpu/gpu.h"

/*
 * Page walkers: a walk holds one from its first read to its last. Each level is a read of the page table through the
 * L2, one after the other, unless the page walk cache has the entry (upper levels only; off in MASK's SharedTLB).
 */

void mh_walk_begin(struct mh_gpu *g, uint32_t walk, uint64_t cycle)
{
    struct mh_l2tlb *t = &g->l2tlb;

    if (!t->idle_walkers) {
        mh_ring_push(&t->waiting, walk);
        return;
    }
    t->idle_walkers--;
    mh_wheel_add(&g->wheel, cycle, MH_EVENT(EV_WALK, walk));
}

/* The next walk may still be in the look-up that found the miss. */
static void release_walker(struct mh_gpu *g)
{
    struct mh_l2tlb *t = &g->l2tlb;

    if (!t->waiting.count) {
        t->idle_walkers++;
        return;
    }
    uint32_t walk = mh_ring_pop(&t->waiting);
    uint64_t looked_up = t->walk[walk].since + g->cfg.l2tlb.latency;

    mh_wheel_add(&g->wheel, looked_up > g->wheel.now ? looked_up : g->wheel.now, MH_EVENT(EV_WALK, walk));
}

/* Identifies the entry in the page walk cache as its physical address would. */
static uint32_t pwc_tag(const struct mh_gpu *g, const struct mh_walk *w)
{
    return w->node * MH_PT_ENTRIES + mh_pt_index(&g->pages, w->vpn, w->depth);
}

static bool pwc_applies(const struct mh_gpu *g, const struct mh_walk *w)
{
    return g->l2tlb.pwc_sets && w->depth < g->pages.levels;
}

static bool pwc_hit(struct mh_gpu *g, const struct mh_walk *w)
{
    struct mh_tags *pwc = &g->l2tlb.pwc;
    uint32_t tag = pwc_tag(g, w), *set = mh_tags_set(pwc, tag % pwc->sets);
    int way = mh_tags_find(pwc, set, tag);

    if (way >= 0)
        mh_tags_front(set, (uint32_t)way, set[way]);
    return way >= 0;
}

static void pwc_fill(struct mh_gpu *g, const struct mh_walk *w)
{
    struct mh_tags *pwc = &g->l2tlb.pwc;
    uint32_t tag = pwc_tag(g, w), *set = mh_tags_set(pwc, tag % pwc->sets);
    int way = mh_tags_find(pwc, set, tag);

    mh_tags_front(set, way >= 0 ? (uint32_t)way : pwc->ways - 1, tag << MH_TAG_BITS | MH_TAG_VALID);
}

static void read_entry(struct mh_gpu *g, uint32_t walk)
{
    const struct mh_walk *w = &g->l2tlb.walk[walk];
    struct mh_req r = {.line = mh_pt_line(&g->pages, w->node, w->vpn, w->depth),
                       .owner = walk,
                       .port = (uint16_t)(g->cfg.sm.count + walk % g->cfg.noc.walker_ports),
                       .kind = MH_REQ_PTE,
                       .tenant = w->tenant,
                       .depth = w->depth};

    mh_noc_send(g, &r);
}

static void descend(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];
    uint32_t entry = mh_pt_entry(&g->pages, w->node, w->vpn, w->depth);

    MH_CHECK(entry != MH_PT_NONE);
    if (w->depth == g->pages.levels) {
        mh_l2tlb_walked(g, walk, entry);
        release_walker(g);
        return;
    }
    w->node = entry;
    w->depth++;
    w->pwc_missed = false;
    mh_walk_step(g, walk);
}

/* With a page walk cache, a step is a look-up that takes its latency and then either the next level or a read. */
void mh_walk_step(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];

    if (w->pwc_hit) {
        w->pwc_hit = false;
        descend(g, walk);
    } else if (!w->pwc_missed && pwc_applies(g, w)) {
        w->pwc_hit = pwc_hit(g, w);
        w->pwc_missed = !w->pwc_hit;
        mh_wheel_add(&g->wheel, g->wheel.now + g->cfg.walk.pwc_latency, MH_EVENT(EV_WALK, walk));
    } else {
        read_entry(g, walk);
    }
}

void mh_walk_entry(struct mh_gpu *g, uint32_t walk)
{
    struct mh_walk *w = &g->l2tlb.walk[walk];

    if (pwc_applies(g, w))
        pwc_fill(g, w);
    descend(g, walk);
}
