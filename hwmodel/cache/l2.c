#include "cache/l2.h"

#include "gpu/gpu.h"

static int init_bank(struct mh_l2 *l2, struct mh_l2_bank *b, const struct mh_config *cfg)
{
    b->mshr = calloc(l2->mshrs, sizeof *b->mshr);
    if (!b->mshr)
        return -1;
    for (uint32_t i = 0; i < l2->mshrs; i++)
        b->mshr[i].next_free = i + 1 < l2->mshrs ? i + 1 : MH_NONE;
    return mh_index_init(&b->index, l2->mshrs) || mh_ring_init(&b->stalled, cfg->noc.bank_queue);
}

static int init_bypass(struct mh_l2 *l2, const struct mh_config *cfg)
{
    l2->sample = cfg->l2.sample;
    l2->bypass = calloc(l2->banks, sizeof *l2->bypass);
    for (uint32_t b = 0; l2->bypass && b < l2->banks; b++)
        if (mh_index_init(&l2->bypass[b], l2->mshrs))
            return -1;
    return l2->bypass ? 0 : -1;
}

int mh_l2_init(struct mh_l2 *l2, const struct mh_config *cfg)
{
    l2->banks = cfg->l2.banks;
    mh_interleave_tenants(l2->interleave, cfg);
    l2->sets = cfg->l2.bytes / l2->banks / cfg->l2.ways / cfg->memory.line_bytes;
    l2->set_bits = l2->sets & (l2->sets - 1) ? 0 : (uint32_t)__builtin_ctz(l2->sets);
    l2->by_sets = mh_divisor(l2->sets);
    l2->ports = cfg->l2.ports;
    l2->latency = cfg->l2.latency;
    l2->partition = cfg->l2.partition;
    l2->mshrs = cfg->l2.mshrs;
    l2->bank = mh_aligned_zeros(l2->banks * sizeof *l2->bank);
    for (uint32_t b = 0; l2->bank && b < l2->banks; b++)
        if (init_bank(l2, &l2->bank[b], cfg))
            return -1;
    return l2->bank ? mh_tags_init(&l2->tags, l2->banks * l2->sets, cfg->l2.ways) || init_bypass(l2, cfg) : -1;
}

void mh_l2_free(struct mh_l2 *l2)
{
    for (uint32_t b = 0; l2->bank && b < l2->banks; b++) {
        mh_index_free(&l2->bank[b].index);
        mh_ring_free(&l2->bank[b].stalled);
        free(l2->bank[b].mshr);
    }
    for (uint32_t b = 0; l2->bypass && b < l2->banks; b++)
        mh_index_free(&l2->bypass[b]);
    free(l2->bypass);
    free(l2->bank);
    mh_tags_free(&l2->tags);
}

/* Folded once; sets that are no power of two add their digits as banks do. */
static inline uint32_t set_number(const struct mh_l2 *l2, uint32_t tenant, uint32_t line)
{
    uint32_t x = mh_interleave_local(&l2->interleave[tenant], line);

    return l2->set_bits ? (x ^ x >> l2->set_bits) & (l2->sets - 1)
                        : mh_remainder(&l2->by_sets, x + mh_quotient(&l2->by_sets, x));
}

static inline uint32_t *set_of(const struct mh_l2 *l2, uint32_t bank, uint32_t tenant, uint32_t line)
{
    return mh_tags_set(&l2->tags, bank * l2->sets + set_number(l2, tenant, line));
}

static inline void count(struct mh_gpu *g, const struct mh_req *r, bool hit)
{
    struct mh_counters *c = &g->tenant[r->tenant].count;

    if (!r->depth) {
        c->l2_access++;
        c->l2_hit += hit;
    } else {
        uint64_t *pair = &c->pte1_access + 2 * (r->depth - 1);

        pair[0]++;
        pair[1] += hit;
    }
}

static bool is_write(const struct mh_req *r)
{
    return r->kind == MH_REQ_WRITE || r->kind == MH_REQ_ATOMIC;
}

/* Hands the line to whoever waits for it. For writes and atomics only a store buffer waits. */
static inline void answer(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    if (is_write(&g->noc.req[req]) && !g->noc.acks)
        mh_noc_release(&g->noc, req);
    else
        mh_noc_reply(g, bank, req, g->wheel.now + g->l2.latency);
}

/* Makes room in the set for a line in state `state`. The caller has checked that it can be done. */
static void replace(struct mh_gpu *g, uint32_t bank, uint32_t *set, int way, uint32_t line, uint32_t state)
{
    if (set[way] & MH_TAG_DIRTY)
        mh_mem_write(g, bank, set[way] >> MH_TAG_BITS);
    mh_tags_front(set, (uint32_t)way, line << MH_TAG_BITS | state);
}

/* A write is done when the bank has it: its data stays with the MSHR. */
static void wait_for(struct mh_gpu *g, uint32_t bank, struct mh_l2_mshr *e, uint32_t req)
{
    if (is_write(&g->noc.req[req])) {
        e->dirty = true;
        answer(g, bank, req);
        return;
    }
    g->noc.req[req].next = MH_NONE;
    if (e->head == MH_NONE)
        e->head = req;
    else
        g->noc.req[e->tail].next = req;
    e->tail = req;
}

static void ask_memory(struct mh_gpu *g, uint32_t bank, uint32_t req, struct mh_index *index)
{
    struct mh_l2_bank *b = &g->l2.bank[bank];
    const struct mh_req *r = &g->noc.req[req];
    uint32_t m = b->free_mshr;
    struct mh_l2_mshr *e = &b->mshr[m];

    b->free_mshr = e->next_free;
    *e = (struct mh_l2_mshr){.line = r->line,
                             .head = MH_NONE,
                             .since = g->wheel.now,
                             .tenant = r->tenant,
                             .walk = r->kind == MH_REQ_PTE,
                             .bypass = r->bypass};
    mh_index_put(index, r->line, m);
    wait_for(g, bank, e, req);
    mh_mem_read(g, bank, m);
}

static void merge(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    struct mh_l2_bank *b = &g->l2.bank[bank];
    int m = mh_index_find(&b->index, g->noc.req[req].line);

    MH_CHECK(m >= 0);
    wait_for(g, bank, &b->mshr[m], req);
}

/* The least recently used of the tenant's own lines, or an empty way if it has fewer of them than its part of the set.
 */
static int own_victim(const struct mh_gpu *g, uint32_t tenant, const uint32_t *set)
{
    uint32_t ways = g->l2.tags.ways, own = 0;
    int oldest = -1;

    for (uint32_t w = 0; w < ways && set[w]; w++) {
        if (mh_line_tenant(g, set[w] >> MH_TAG_BITS) != tenant)
            continue;
        own++;
        if (!(set[w] & MH_TAG_PENDING))
            oldest = (int)w;
    }
    if (own == mh_config_part(ways, g->tenants, tenant))
        return oldest;
    MH_CHECK(!set[ways - 1]);
    return (int)ways - 1;
}

/* Way for a new line of the tenant, or -1: all that it may have are reserved. */
static inline int victim(const struct mh_gpu *g, uint32_t tenant, const uint32_t *set)
{
    return g->l2.partition ? own_victim(g, tenant, set) : mh_tags_victim(&g->l2.tags, set);
}

static bool fetches(const struct mh_req *r)
{
    return !(r->kind == MH_REQ_WRITE && r->full);
}

/* Places in the channel's queue: for its own line, and for a dirty victim. */
static uint32_t places(const struct mh_req *r, const uint32_t *set, int way)
{
    return (uint32_t)fetches(r) + (set[way] & MH_TAG_DIRTY ? 1 : 0);
}

static inline enum mh_l2_need need_of(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r,
                                      const uint32_t *set, int way)
{
    if (way < 0)
        return MH_L2_NEEDS_WAY;
    if (fetches(r) && g->l2.bank[bank].free_mshr == MH_NONE)
        return MH_L2_NEEDS_MSHR;
    if (mh_mem_free(g, bank) >= places(r, set, way))
        return MH_L2_NEEDS_NOTHING;
    bool room = mh_mem_takes(g, bank, fetches(r), r->kind == MH_REQ_PTE, r->tenant, set[way] & MH_TAG_DIRTY ? 1 : 0);

    return room ? MH_L2_NEEDS_NOTHING : MH_L2_NEEDS_DRAM;
}

static enum mh_l2_need bypass_need(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r)
{
    if (mh_l2_mshr_of(&g->l2, bank, r->line, true) >= 0)
        return MH_L2_NEEDS_NOTHING;
    if (g->l2.bank[bank].free_mshr == MH_NONE)
        return MH_L2_NEEDS_MSHR;
    return mh_mem_takes(g, bank, true, true, r->tenant, 0) ? MH_L2_NEEDS_NOTHING : MH_L2_NEEDS_DRAM;
}

enum mh_l2_need mh_l2_need(const struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_tags *tags = &g->l2.tags;
    const struct mh_req *r = &g->noc.req[req];

    if (r->bypass)
        return bypass_need(g, bank, r);
    const uint32_t *set = set_of(&g->l2, bank, r->tenant, r->line);

    if (mh_tags_find(tags, set, r->line) >= 0)
        return MH_L2_NEEDS_NOTHING;
    return need_of(g, bank, r, set, victim(g, r->tenant, set));
}

static inline bool miss(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set)
{
    const struct mh_req *r = &g->noc.req[req];
    struct mh_l2_bank *b = &g->l2.bank[bank];
    int way = victim(g, r->tenant, set);
    enum mh_l2_need need = need_of(g, bank, r, set, way);
    bool fetch = fetches(r);

    if (need != MH_L2_NEEDS_NOTHING) {
        /* Of which queue the place must be is not for a number to say. */
        b->places = need != MH_L2_NEEDS_DRAM ? UINT32_MAX : g->knobs.dram_queues ? 0 : places(r, set, way);
        return false;
    }
    count(g, r, false);
    replace(g, bank, set, way, r->line, fetch ? MH_TAG_PENDING : MH_TAG_VALID | MH_TAG_DIRTY);
    if (fetch)
        ask_memory(g, bank, req, &b->index);
    else
        answer(g, bank, req);
    return true;
}

/* False: the bank cannot take it now. */
static inline __attribute__((always_inline)) bool look_up(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->noc.req[req];
    uint32_t *set = set_of(&g->l2, bank, r->tenant, r->line);
    int way = mh_tags_find(&g->l2.tags, set, r->line);

    if (way < 0)
        return miss(g, bank, req, set);
    uint32_t entry = set[way];

    if (is_write(r) && entry & MH_TAG_VALID)
        entry |= MH_TAG_DIRTY;
    mh_tags_front(set, (uint32_t)way, entry);
    count(g, r, entry & MH_TAG_VALID);
    if (entry & MH_TAG_PENDING)
        merge(g, bank, req);
    else
        answer(g, bank, req);
    return true;
}

void mh_l2_access(struct mh_gpu *g, uint32_t req)
{
    uint32_t bank = g->noc.req[req].bank;

    if (!g->l2.stops[bank] && look_up(g, bank, req)) {
        mh_noc_credit(g, bank);
        return;
    }
    mh_ring_push(&g->l2.bank[bank].stalled, req);
    g->l2.stops[bank] = true;
}

/*
 * The sample has other sets in each bank. A node of a page table has lines in all banks, but in two sets of each: were
 * these the same ones everywhere, a small page table would have 16 of its lines in the sample, or mostly none.
 */
static bool sampled(const struct mh_l2 *l2, uint32_t bank, uint32_t set)
{
    uint32_t step = l2->sample / l2->banks;

    return (set + bank * (step ? step : 1)) % l2->sample == 0;
}

bool mh_l2_bypasses(const struct mh_gpu *g, const struct mh_req *r)
{
    if (g->cfg.walk.uncached)
        return true;
    if (!(g->knobs.l2_bypass >> (r->depth - 1) & 1))
        return false;
    return !sampled(&g->l2, mh_noc_bank(&g->noc, r->tenant, r->line), set_number(&g->l2, r->tenant, r->line));
}

/* False: the bank cannot take it now. */
static bool pass(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->noc.req[req];
    int m = mh_l2_mshr_of(&g->l2, bank, r->line, true);

    if (bypass_need(g, bank, r) != MH_L2_NEEDS_NOTHING)
        return false;
    g->tenant[r->tenant].count.pte_bypass++;
    if (m >= 0)
        wait_for(g, bank, &g->l2.bank[bank].mshr[m], req);
    else
        ask_memory(g, bank, req, &g->l2.bypass[bank]);
    return true;
}

/* The stalled ones wait for the cache, or are of those that found the same short: it does not wait behind them. */
void mh_l2_bypass_access(struct mh_gpu *g, uint32_t req)
{
    uint32_t bank = g->noc.req[req].bank;

    if (pass(g, bank, req)) {
        mh_noc_credit(g, bank);
        return;
    }
    mh_ring_push(&g->l2.bank[bank].stalled, req);
    g->l2.stops[bank] = true;
}

static bool retry(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    return g->noc.req[req].bypass ? pass(g, bank, req) : look_up(g, bank, req);
}

/* Look-ups of stalled requests in this cycle. With a clock of its own the NoC may have several cycles to it. */
static uint32_t most_retries(const struct mh_gpu *g)
{
    uint64_t cycles = mh_noc_seen(&g->noc, g->wheel.now) - (g->wheel.now ? mh_noc_seen(&g->noc, g->wheel.now - 1) : 0);

    return g->l2.ports * (cycles ? (uint32_t)cycles : 1);
}

/* What the first request needs stays the same until a line comes: while it is stalled nothing else changes the tags. */
void mh_l2_retry(struct mh_gpu *g, uint32_t bank)
{
    struct mh_l2_bank *b = &g->l2.bank[bank];

    b->retry_event = false;
    if (mh_mem_free(g, bank) < b->places) {
        MH_CHECK(mh_l2_need(g, bank, mh_ring_peek(&b->stalled)) != MH_L2_NEEDS_NOTHING);
        return;
    }
    uint32_t done = 0, most = most_retries(g);

    b->places = 0;
    while (b->stalled.count && done < most && retry(g, bank, mh_ring_peek(&b->stalled))) {
        mh_ring_pop(&b->stalled);
        mh_noc_credit(g, bank);
        done++;
    }
    g->l2.stops[bank] = b->stalled.count;
    if (b->stalled.count && done == most) {
        uint64_t next = mh_noc_leave(&g->noc, mh_noc_seen(&g->noc, g->wheel.now) + 1);

        b->retry_event = true;
        mh_wheel_add(&g->wheel, next, MH_EVENT(EV_L2_RETRY, bank));
    }
}

void mh_l2_kick(struct mh_gpu *g, uint32_t bank)
{
    struct mh_l2_bank *b = &g->l2.bank[bank];

    if (g->l2.stops[bank] && !b->retry_event) {
        b->retry_event = true;
        mh_wheel_add(&g->wheel, mh_noc_leave(&g->noc, mh_noc_enter(&g->noc, g->wheel.now)),
                     MH_EVENT(EV_L2_RETRY, bank));
    }
}

/* Answers all that wait at an MSHR, and frees it. */
static inline void deliver(struct mh_gpu *g, uint32_t bank, uint32_t m, struct mh_index *index)
{
    struct mh_l2_bank *b = &g->l2.bank[bank];
    struct mh_l2_mshr *e = &b->mshr[m];

    /* The look-up's latency is charged here: tag check, miss and data then add up as on a hit. */
    for (uint32_t req = e->head, next; req != MH_NONE; req = next) {
        next = g->noc.req[req].next;
        answer(g, bank, req);
    }
    mh_index_del(index, e->line);
    e->next_free = b->free_mshr;
    b->free_mshr = m;
    b->places = 0;
    mh_l2_kick(g, bank);
}

void mh_l2_fill(struct mh_gpu *g, uint32_t mshr)
{
    uint32_t bank = mh_quotient(&g->l2_mshrs, mshr), m = mshr - bank * g->l2.mshrs;
    const struct mh_l2_mshr *e = &g->l2.bank[bank].mshr[m];
    uint32_t *set = set_of(&g->l2, bank, e->tenant, e->line);
    int way = mh_tags_find(&g->l2.tags, set, e->line);

    MH_CHECK(way >= 0 && set[way] & MH_TAG_PENDING);
    set[way] = e->line << MH_TAG_BITS | MH_TAG_VALID | (e->dirty ? MH_TAG_DIRTY : 0u);
    deliver(g, bank, m, &g->l2.bank[bank].index);
}

void mh_l2_bypass_fill(struct mh_gpu *g, uint32_t mshr)
{
    uint32_t bank = mh_quotient(&g->l2_mshrs, mshr);

    deliver(g, bank, mshr - bank * g->l2.mshrs, &g->l2.bypass[bank]);
}
