/*
 * Quotas and limits on one shared SM, against a second implementation that looks at every warp in every cycle: random
 * warps, schedulers, ports and knobs, which change now and then. MH_SEED=n runs seed n alone.
 */
#include "unit/test.h"
#include "sm_fixture.h"
#include "script.h"

enum { SEEDS = 400, CYCLES = 500, TENANTS = 3, WARPS = 4, OPS = 6, NOBODY = -1, PIPE = 64, FIRST = 9 };

struct op {
    uint32_t gap, lines; /* then a store of so many */
};

struct warp {
    struct op op[OPS];
    uint32_t ops, at, gap_left;
    uint32_t tenant, port;
    bool ended;
};

struct quota {
    uint32_t of[TENANTS], left[TENANTS];
};

struct plain {
    uint32_t tenants, ports, warps, room;
    enum { GTO, LRR, LRR_GTO, TWO_LEVEL } scheduler;
    uint32_t group;
    struct warp warp[TENANTS * WARPS];
    struct quota all, memory;
    uint32_t limit[TENANTS], in_flight[TENANTS], peak[TENANTS];
    bool throttled[TENANTS];
    /* The LSU: stores in order. */
    uint32_t store_of[PIPE], lines_of[PIPE], stores;
    /* The ports. */
    bool issued[4], accepted;
    int last[4], greedy[4][TENANTS];
    uint32_t turn[4], first;
    uint64_t instr[TENANTS], mem_instr[TENANTS];
};

static bool holds(const struct plain *p, const struct quota *q, uint32_t tenant)
{
    bool there = false;
    for (uint32_t w = 0; w < p->warps; w++)
        there |= p->warp[w].tenant == tenant && !p->warp[w].ended;
    return there && q->of[tenant] && !p->throttled[tenant];
}

static bool is_spent(const struct quota *q, uint32_t tenant)
{
    return q->of[tenant] && !q->left[tenant];
}

static void look(const struct plain *p, struct quota *q)
{
    bool any = false;
    for (uint32_t t = 0; t < p->tenants; t++) {
        any |= is_spent(q, t);
        if (holds(p, q, t) && q->left[t])
            return;
    }
    if (any)
        memcpy(q->left, q->of, sizeof q->left);
}

static void spend(const struct plain *p, struct quota *q, uint32_t tenant)
{
    if (!q->of[tenant] || !q->left[tenant])
        return;
    q->left[tenant]--;
    look(p, q);
}

static bool at_memory(const struct warp *w)
{
    return !w->gap_left && w->at < w->ops;
}

static bool is_ready(const struct plain *p, const struct warp *w)
{
    uint32_t t = w->tenant;
    if (w->ended || p->throttled[t] || is_spent(&p->all, t))
        return false;
    if (!at_memory(w))
        return true;
    return !p->accepted && p->stores < p->room && (!p->limit[t] || p->in_flight[t] < p->limit[t]);
}

/* The first that `may` from `from` on, in the order of slots, around the end. */
static int next_of(const struct plain *p, const bool *may, uint32_t from)
{
    for (uint32_t i = 0; i < p->warps; i++)
        if (may[(from + i) % p->warps])
            return (int)((from + i) % p->warps);
    return NOBODY;
}

static int greedy_or_oldest(const struct plain *p, const bool *may, int greedy)
{
    return greedy != NOBODY && may[greedy] ? greedy : next_of(p, may, 0);
}

static int choose_among_tenants(const struct plain *p, uint32_t port, const bool *may)
{
    for (uint32_t i = 1; i <= p->tenants; i++) {
        uint32_t t = (p->turn[port] + i) % p->tenants;
        bool its[TENANTS * WARPS];
        for (uint32_t w = 0; w < p->warps; w++)
            its[w] = may[w] && p->warp[w].tenant == t;
        int chosen = greedy_or_oldest(p, its, p->greedy[port][t]);
        if (chosen != NOBODY)
            return chosen;
    }
    return NOBODY;
}

/* Groups of `group` of the port's slots: the last one's group first, then the group of the next that may. */
static int choose_in_groups(const struct plain *p, const bool *may, int last)
{
    if (last == NOBODY)
        return next_of(p, may, 0);
    uint32_t slots = p->group * p->ports, begin = (uint32_t)last / slots * slots;
    bool inside[TENANTS * WARPS];
    for (uint32_t w = 0; w < p->warps; w++)
        inside[w] = may[w] && w >= begin && w < begin + slots;
    int chosen = next_of(p, inside, (uint32_t)last + 1);
    return chosen != NOBODY ? chosen : next_of(p, may, begin + slots < p->warps ? begin + slots : 0);
}

static int choose(const struct plain *p, uint32_t port, const bool *may)
{
    if (p->scheduler == GTO)
        return greedy_or_oldest(p, may, p->last[port]);
    if (p->scheduler == LRR_GTO)
        return choose_among_tenants(p, port, may);
    if (p->scheduler == TWO_LEVEL)
        return choose_in_groups(p, may, p->last[port]);
    return next_of(p, may, p->last[port] == NOBODY ? 0 : (uint32_t)p->last[port] + 1);
}

/* Tenants that may issue at the port; unless `late`, without memory instructions beyond MEM_QUOTA. */
static void who_may(const struct plain *p, uint32_t port, bool late, bool *may)
{
    for (uint32_t w = 0; w < p->warps; w++) {
        const struct warp *x = &p->warp[w];
        may[w] = x->port == port && is_ready(p, x) && (late || !at_memory(x) || !is_spent(&p->memory, x->tenant));
    }
}

/* Those with MEM_QUOTA left would not take the LSU in this cycle. */
static bool late_may(const struct plain *p)
{
    for (uint32_t port = 0; port < p->ports; port++) {
        bool may[TENANTS * WARPS];
        if (p->issued[port])
            continue;
        who_may(p, port, false, may);
        int w = choose(p, port, may);
        if (w != NOBODY && at_memory(&p->warp[w]) && p->memory.of[p->warp[w].tenant])
            return false;
    }
    return true;
}

static void store(struct plain *p, struct warp *w, uint32_t port)
{
    uint32_t t = w->tenant;
    p->mem_instr[t]++;
    p->accepted = true;
    p->first = (port + 1) % p->ports;
    p->store_of[p->stores] = t;
    p->lines_of[p->stores++] = w->op[w->at].lines;
    p->in_flight[t]++;
    if (p->in_flight[t] > p->peak[t])
        p->peak[t] = p->in_flight[t];
    w->at++;
    w->gap_left = w->at < w->ops ? w->op[w->at].gap : 0;
}

static void issue(struct plain *p, struct warp *w, uint32_t port)
{
    bool memory = at_memory(w);
    p->instr[w->tenant]++;
    p->issued[port] = true;
    p->turn[port] = w->tenant;
    p->greedy[port][w->tenant] = (int)(w - p->warp);
    if (memory)
        store(p, w, port);
    else
        w->gap_left--;
    spend(p, &p->all, w->tenant);
    if (memory)
        spend(p, &p->memory, w->tenant);
}

static void end(struct plain *p, struct warp *w, uint32_t port)
{
    w->ended = true;
    if (p->scheduler == GTO)
        p->last[port] = NOBODY;
    look(p, &p->all);
    look(p, &p->memory);
}

/* The port's turn. False: it had nothing to do. */
static bool take_turn(struct plain *p, uint32_t port)
{
    bool done = false;
    while (!p->issued[port]) {
        bool may[TENANTS * WARPS];
        who_may(p, port, late_may(p), may);
        int w = choose(p, port, may);
        if (w == NOBODY)
            break;
        done = true;
        p->last[port] = w;
        if (p->warp[w].gap_left || at_memory(&p->warp[w]))
            issue(p, &p->warp[w], port);
        else
            end(p, &p->warp[w], port);
    }
    return done;
}

/* Until no warp can any more: the end of a round lets others issue in its cycle. */
static void take_turns(struct plain *p)
{
    for (bool done = true; done;) {
        uint32_t first = p->first;
        done = false;
        for (uint32_t i = 0; i < p->ports; i++)
            done |= take_turn(p, (first + i) % p->ports);
    }
}

static void take_line(struct plain *p)
{
    if (!p->stores || --p->lines_of[0])
        return;
    p->in_flight[p->store_of[0]]--;
    p->stores--;
    memmove(p->store_of, p->store_of + 1, p->stores * sizeof *p->store_of);
    memmove(p->lines_of, p->lines_of + 1, p->stores * sizeof *p->lines_of);
}

static void cycle(struct plain *p)
{
    memset(p->issued, 0, sizeof p->issued);
    p->accepted = false;
    take_line(p);
    take_turns(p);
}

static void set(struct mh_gpu *g, struct quota *q, uint32_t reg, const uint32_t *of, uint32_t tenants)
{
    for (uint32_t t = 0; t < tenants; t++)
        script_write(g, reg + t * MH_REG_WARP_QUOTA_STRIDE, of[t]);
    if (q && memcmp(q->of, of, sizeof q->of)) {
        memcpy(q->of, of, sizeof q->of);
        memcpy(q->left, of, sizeof q->left);
    }
}

/* Small ones often, none often. */
static void roll(uint64_t *rng, uint32_t tenants, const uint32_t *now, uint32_t *next)
{
    memset(next, 0, TENANTS * sizeof *next);
    for (uint32_t t = 0; t < tenants; t++)
        next[t] = pick(rng, 0, 1) ? now[t] : pick(rng, 0, 3) ? pick(rng, 1, 9) : 0;
}

static void commit(struct mh_gpu *g, struct plain *p, uint64_t *rng)
{
    uint32_t next[TENANTS];
    roll(rng, p->tenants, p->all.of, next);
    if (p->scheduler == GTO && !next[0])
        next[0] = FIRST;
    set(g, &p->all, MH_REG_WARP_QUOTA, next, p->tenants);
    roll(rng, p->tenants, p->memory.of, next);
    set(g, &p->memory, MH_REG_MEM_QUOTA, next, p->tenants);
    roll(rng, p->tenants, p->limit, next);
    set(g, NULL, MH_REG_MEM_LIMIT, next, p->tenants);
    memcpy(p->limit, next, sizeof next);
    for (uint32_t t = 0; t < p->tenants; t++) {
        p->throttled[t] = pick(rng, 0, 7) == 0;
        script_write(g, MH_REG_CTA_THROTTLE + t * MH_REG_CTA_THROTTLE_STRIDE, p->throttled[t] ? 0 : 4);
    }
    script_commit(g);
    look(p, &p->all);
    look(p, &p->memory);
    take_turns(p);
}

static void compare(struct mh_gpu *g, const struct plain *p, uint64_t seed)
{
    mh_gpu_check(g);
    for (uint32_t t = 0; t < p->tenants; t++) {
        const struct mh_counters *c = &mh_gpu_stats(g)->tenant[t];
        const struct mh_quota *q = &g->sm[0].quota;
        if (c->warp_instr != p->instr[t] || c->mem_instr != p->mem_instr[t])
            fail_msg("seed %llu, cycle %llu: tenant %u has issued %llu (%llu), not %llu (%llu)",
                     (unsigned long long)seed, (unsigned long long)mh_gpu_now(g), t, (unsigned long long)c->warp_instr,
                     (unsigned long long)c->mem_instr, (unsigned long long)p->instr[t],
                     (unsigned long long)p->mem_instr[t]);
        assert_int_equal(q->left[t], p->all.left[t]);
        assert_int_equal(q->mem_left[t], p->memory.left[t]);
        assert_int_equal(q->in_flight[t], p->limit[t] ? p->in_flight[t] : 0);
    }
}

static const char *const names[] = {"gto", "lrr", "lrr-gto", "two-level"};

static void configure(struct mh_config *cfg, struct plain *p, uint64_t *rng)
{
    *p = (struct plain){.tenants = pick(rng, 2, TENANTS), .ports = pick(rng, 1, 4), .room = pick(rng, 1, 4)};
    p->scheduler = pick(rng, 0, 3);
    p->group = pick(rng, 1, 4);
    *cfg = script_config(1, p->tenants);
    script_share_sms(cfg);
    set_word(cfg, "sm.scheduler", names[p->scheduler]);
    cfg->sm.schedulers = p->ports;
    cfg->sm.group = p->group;
    cfg->sm.lsu_queue = p->room;
    cfg->l1tlb.ideal = 1;
    cfg->l1d.miss_queue = 512;
    for (uint32_t i = 0; i < 4; i++) {
        p->last[i] = NOBODY;
        p->turn[i] = p->tenants - 1;
        for (uint32_t t = 0; t < TENANTS; t++)
            p->greedy[i][t] = NOBODY;
    }
}

static void add_warp(struct plain *p, struct script *s, uint32_t tenant, uint32_t index, uint64_t *rng)
{
    struct warp *w = &p->warp[p->warps];
    *w = (struct warp){.ops = pick(rng, 1, OPS), .tenant = tenant, .port = p->warps % p->ports};
    for (uint32_t i = 0; i < w->ops; i++) {
        w->op[i] = (struct op){pick(rng, 0, 2) ? pick(rng, 0, 9) : 0, pick(rng, 1, 4)};
        script_add(s, 0, 0, index,
                   op_after(w->op[i].gap, op_lanes(MH_OP_STORE, 4, (1u << w->op[i].lines) - 1, in_page(i, 0), 512)));
    }
    w->gap_left = w->op[0].gap;
    p->warps++;
}

/*
 * Events of the LSU come before those of issue in each cycle if no issue is scheduled long before. So there is always a
 * WARP_QUOTA under GTO, which has no bursts then, and knobs change while the LSU is busy.
 */
static struct mh_gpu *build(struct mh_config *cfg, struct plain *p, uint64_t *rng)
{
    struct script *s[TENANTS];
    configure(cfg, p, rng);
    for (uint32_t t = 0; t < p->tenants; t++) {
        uint32_t warps = pick(rng, 1, WARPS);
        s[t] = script_paged(CHAIN_PAGES, warps);
        for (uint32_t w = 0; w < warps; w++)
            add_warp(p, s[t], t, w, rng);
    }
    struct mh_gpu *g = script_gpu(cfg, s);
    if (p->scheduler == GTO)
        set(g, &p->all, MH_REG_WARP_QUOTA, (uint32_t[TENANTS]){FIRST}, p->tenants);
    script_commit(g);
    return g;
}

static void one(uint64_t seed)
{
    struct mh_config cfg;
    struct plain p;
    uint64_t rng = seed * 7919;
    LOCAL_GPU(g) = build(&cfg, &p, &rng);
    cycle(&p);
    for (uint64_t c = 1; c < CYCLES; c++) {
        mh_gpu_advance(g, c);
        cycle(&p);
        compare(g, &p, seed);
        if (p.stores && pick(&rng, 0, 11) == 0)
            commit(g, &p, &rng);
    }
}

TEST(test_second_implementation)
{
    const struct seeds seeds = seeds_of(SEEDS);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        one(seed);
}

TEST_GROUP(.slow = true);
