/* Why warps do not issue (sm.stall_reasons): cycles by hand, and random mixes against a count that looks each cycle. */
#include "unit/test.h"
#include "sm_fixture.h"
#include "script.h"

/*
 * Preset `mask`, DRAM clock = GPU clock: a load whose page is in the L1 TLB and whose line is in DRAM, bank closed. The
 * LSU takes it, and it misses the L1D, in the cycle after its issue; there 8, DRAM 22 + 2 + 22 + 2, L2 10, back 8 and
 * four flits, L1 TLB and L1D 2.
 */
enum { MISS = 1 + 8 + 48 + 10 + 8 + 4 + 2 };

static struct mh_config counting(uint32_t sms, uint32_t tenants)
{
    struct mh_config cfg = script_config(sms, tenants);
    cfg.sm.stall_reasons = 1;
    return cfg;
}

static void assert_stalls(struct mh_gpu *g, const struct mh_counters *before, uint64_t raw, uint64_t lsu,
                          uint64_t other)
{
    const struct mh_counters *c = &mh_gpu_stats(g)->tenant[0];
    assert_int_equal(c->stall_raw_long - before->stall_raw_long, raw);
    assert_int_equal(c->stall_lsu_full - before->stall_lsu_full, lsu);
    assert_int_equal(c->stall_other - before->stall_other, other);
}

/* Runs the second launch of a warm script, and checks what its warps were stalled for. */
static void stalls_of(const struct mh_config *cfg, struct script *s, uint64_t raw, uint64_t lsu, uint64_t other)
{
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    script_until(g, &g->tenant[0].count.launches, 1);
    struct mh_counters before = mh_gpu_stats(g)->tenant[0];
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_stalls(g, &before, raw, lsu, other);
}

/* Two warps of ten instructions on one port: the younger waits for the older's burst, or both in turn. */
TEST(test_another_is_chosen)
{
    static const char *const schedulers[] = {"gto", "lrr"};
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = counting(1, 1);
        set_word(&cfg, "sm.scheduler", schedulers[i]);
        struct script *s = warm_script(2);
        for (uint32_t w = 0; w < 2; w++)
            script_add(s, 1, 0, w, op_after(9, op_barrier()));
        /* Barriers at 9 and 19, or at 18 and 19; both end at 20, when the port is free: 2 x (20 - 10). */
        stalls_of(&cfg, s, 0, 0, 20);
    }
}

/* The data of a hit are there at 3: stalled in 1 and 2. Of a miss they are long: it is known from cycle 1 on. */
TEST(test_hit_and_miss)
{
    const struct mh_config cfg = counting(1, 1);
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(hot(0)), op_wait(op_barrier()));
    stalls_of(&cfg, s, 0, 0, WARM_HIT - 1);
    s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_wait(op_barrier()));
    stalls_of(&cfg, s, MISS - 1, 0, 0);
    /* Five instructions may go ahead. */
    s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_needs(1, 5, op_after(5, op_barrier())));
    stalls_of(&cfg, s, MISS - 1 - 5, 0, 0);
    /* Of two lines the second misses, a cycle later. */
    s = warm_script(1);
    const uint64_t addr[MH_MAX_LANES] = {hot(0), in_page(0, 1024)};
    script_add_list(s, 1, 0, 0, op_lanes(MH_OP_LOAD, 4, 3, 0, 0), addr);
    script_add(s, 1, 0, 0, op_wait(op_barrier()));
    stalls_of(&cfg, s, MISS - 1, 0, 1);
}

/* A hit is waited for, while a miss that is not needed is on its way; then the end waits for that. */
TEST(test_only_what_is_needed)
{
    const struct mh_config cfg = counting(1, 1);
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(hot(0)));              /* 0, data at 3 */
    script_add(s, 1, 0, 0, op_load(in_page(0, 1024)));    /* 1 */
    script_add(s, 1, 0, 0, op_needs(2, 0, op_barrier())); /* 3 */
    stalls_of(&cfg, s, 1 + MISS - 4, 0, 1);
}

/* The fifth load waits for one of the four slots, three of which have hits. */
TEST(test_no_slot)
{
    const struct mh_config cfg = counting(1, 1);
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(in_page(0, 1024)));
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 1, 0, 0, op_load(hot(i)));
    /* Issues at 0..3, the fifth at 4, when the hit of 1 is there; its end waits for the miss. */
    stalls_of(&cfg, s, MISS - 5, 0, 0);
}

/* Stores of eight lines, a line a cycle; the LSU holds two. At 0 and 1, when the first has left at 8, the next at 16.
 */
TEST(test_lsu_full)
{
    struct mh_config cfg = counting(1, 1);
    cfg.sm.lsu_queue = 2;
    struct script *s = warm_script(1);
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 1, 0, 0, op_lanes(MH_OP_STORE, 4, 0xff, in_page(0, 0), MH_LINE_BYTES));
    stalls_of(&cfg, s, 0, 8 - 2 + 16 - 9, 0);
}

/* It holds one, from 0 to 8. A burst that ends before counts from its end on; one that ends later finds room. */
TEST(test_lsu_full_after_a_burst)
{
    static const char *const schedulers[] = {"gto", "lrr"};
    static const uint32_t gap[] = {3, 7, 20};
    static const uint64_t full[] = {8 - 4, 0, 0};
    for (uint32_t i = 0; i < 6; i++) {
        struct mh_config cfg = counting(1, 1);
        cfg.sm.lsu_queue = 1;
        set_word(&cfg, "sm.scheduler", schedulers[i / 3]);
        struct script *s = warm_script(1);
        script_ops(s, 1, 0, 0, op_lanes(MH_OP_STORE, 4, 0xff, in_page(0, 0), MH_LINE_BYTES),
                   op_after(gap[i % 3], op_store(hot(0))));
        stalls_of(&cfg, s, 0, full[i % 3], 0);
    }
}

/* One warp has issued its barrier at 0, the other at 10. */
TEST(test_barrier)
{
    struct mh_config cfg = counting(1, 1);
    cfg.sm.schedulers = 2;
    struct script *s = warm_script(2);
    script_add(s, 1, 0, 0, op_barrier());
    script_add(s, 1, 0, 1, op_after(10, op_barrier()));
    stalls_of(&cfg, s, 0, 0, 9);
}

/* What a throttle holds is not counted as what it waits for. */
TEST(test_throttled)
{
    const struct mh_config cfg = counting(1, 1);
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    uint64_t start = script_until(g, &g->tenant[0].count.launches, 1);
    struct mh_counters before = mh_gpu_stats(g)->tenant[0];
    mh_gpu_advance(g, start + 20);
    script_knob(g, MH_REG_SM_THROTTLE_0, 1);
    mh_gpu_advance(g, start + 50);
    assert_stalls(g, &before, 19, 0, 30);
    script_knob(g, MH_REG_SM_THROTTLE_0, 0);
    script_until(g, &g->tenant[0].count.completions, 1);
    assert_stalls(g, &before, MISS - 1 - 30, 0, 30);
}

TEST(test_off)
{
    struct mh_config cfg = counting(1, 1);
    cfg.sm.stall_reasons = 0;
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_wait(op_barrier()));
    stalls_of(&cfg, s, 0, 0, 0);
}

enum { SMS = 2, SEEDS = 60, CYCLES = 3000 };

struct seen {
    uint64_t raw, lsu, other, issuing;
};

struct watch {
    struct mh_gpu *g;
    struct seen of[MH_MAX_TENANTS];
    bool missed[SMS][MH_MAX_WARPS][MH_MAX_LOADS];
    uint32_t issued[SMS][MH_MAX_WARPS][MH_MAX_LOADS]; /* the load that it was */
};

static bool waits_at(const struct mh_sm *sm, const struct mh_l1_mshr *e, uint32_t warp, uint32_t slot)
{
    bool there = e->first.sectors && e->first.warp == warp && e->first.slot == slot;
    for (uint32_t id = e->head; id != MH_NONE; id = sm->pending[id].next)
        there |= sm->pending[id].use.warp == warp && sm->pending[id].use.slot == slot;
    return there;
}

static bool waits_for_data(const struct watch *w, const struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    for (uint32_t m = 0; m < w->g->cfg.l1d.mshrs; m++)
        if (mh_index_find(&sm->l1_index, sm->l1_mshr[m].line) == (int)m && waits_at(sm, &sm->l1_mshr[m], warp, slot))
            return true;
    return false;
}

/* Once a load has been seen to wait for a line, it has missed until it is done. */
static bool has_missed(struct watch *w, const struct mh_sm *sm, uint32_t warp, uint32_t slot)
{
    const struct mh_warp *x = &sm->warp[warp];
    bool *missed = &w->missed[sm->id][warp][slot], same = w->issued[sm->id][warp][slot] == x->load[slot].issued;
    bool outstanding = !(x->free_slots >> slot & 1);
    *missed = outstanding && ((*missed && same) || waits_for_data(w, sm, warp, slot));
    w->issued[sm->id][warp][slot] = x->load[slot].issued;
    return *missed;
}

static void look_at(struct watch *w, const struct mh_sm *sm, uint32_t warp)
{
    const struct mh_warp *x = &sm->warp[warp];
    const struct mh_issue_port *port = &sm->port[warp % sm->ports];
    struct seen *s = &w->of[x->tenant];
    uint32_t left = mh_warp_gap(sm, x), slots = 0, missed = 0;
    for (uint32_t i = 0; i < w->g->cfg.sm.loads_per_warp; i++)
        missed |= (uint32_t)has_missed(w, sm, warp, i) << i;
    if (x->needs && x->op.gap - left >= x->op.ahead)
        slots = x->needs;
    if (!left && ((x->op.kind == MH_OP_LOAD && !x->free_slots) || (x->op.kind == MH_OP_EXIT && x->loads)))
        slots = 0xff;
    if (port->last == x->position && port->busy_until > mh_gpu_now(w->g))
        s->issuing++;
    else if (!(sm->allowed >> x->position & 1) || x->stopped)
        s->other++;
    else if (slots)
        *(slots & missed ? &s->raw : &s->other) += 1;
    else if (!left && x->op.kind <= MH_OP_ATOMIC && sm->lsu_count == w->g->cfg.sm.lsu_queue)
        s->lsu++;
    else
        s->other++;
}

static void look(struct watch *w)
{
    for (uint32_t i = 0; i < w->g->cfg.sm.count; i++)
        for (uint32_t slot = 0; slot < w->g->cfg.sm.warps; slot++)
            if (!(w->g->sm[i].free_warps >> slot & 1))
                look_at(w, &w->g->sm[i], slot);
}

/* Counters cover the cycles before this one. */
static void compare(const struct watch *w)
{
    for (uint32_t t = 0; t < w->g->tenants; t++) {
        const struct mh_counters *c = &mh_gpu_stats(w->g)->tenant[t];
        assert_int_equal(c->stall_raw_long, w->of[t].raw);
        assert_int_equal(c->stall_lsu_full, w->of[t].lsu);
        assert_int_equal(c->stall_other, w->of[t].other);
    }
}

/*
 * What a COMMIT releases issues in the COMMIT's cycle, but after the count: that cycle is left out. So are those
 * before the first look.
 */
static void start_from(struct watch *w)
{
    for (uint32_t t = 0; t < w->g->tenants; t++) {
        const struct mh_counters *c = &mh_gpu_stats(w->g)->tenant[t];
        w->of[t].raw = c->stall_raw_long;
        w->of[t].lsu = c->stall_lsu_full;
        w->of[t].other = c->stall_other;
    }
}

static void random_sm(struct mh_config *c, uint64_t *rng)
{
    static const char *const schedulers[] = {"gto", "lrr", "two-level", "lrr-gto"};
    set_word(c, "sm.scheduler", schedulers[pick(rng, 0, 3)]);
    c->sm.schedulers = pick(rng, 1, 4);
    c->sm.issue_cycles = pick(rng, 0, 1) ? 1 : pick(rng, 1, 5);
    c->sm.lsu_queue = pick(rng, 1, 3);
    c->sm.loads_per_warp = pick(rng, 1, 4);
    c->sm.warps = 16;
    c->l1d.mshrs = pick(rng, 1, 8);
    c->l1d.miss_queue = pick(rng, 1, 8);
    c->l1d.sector_bytes = pick(rng, 0, 1) * 32;
    c->l1d.store_buffer = pick(rng, 0, 1) * 2;
    c->l1tlb.ideal = pick(rng, 0, 1);
}

/* Numbers of their own: without results to wait for the runs are those of before. */
static void random_results(struct mh_config *c, uint64_t rng)
{
    c->sm.alu_latency = pick(&rng, 0, 1) * pick(&rng, 1, 9);
    c->sm.shared_latency = pick(&rng, 0, 1) * pick(&rng, 1, 30);
    c->sm.conflict_cycles = c->sm.shared_latency ? pick(&rng, 0, 3) : 0;
}

static void random_throttle(struct mh_gpu *g, uint64_t *rng)
{
    script_write(g, MH_REG_CTA_THROTTLE, pick(rng, 0, 3) ? 32 : pick(rng, 0, 2));
    script_write(g, MH_REG_SM_THROTTLE_0, pick(rng, 0, 3) ? 0 : pick(rng, 0, 3));
    script_write(g, MH_REG_WARP_QUOTA, pick(rng, 0, 1) * pick(rng, 1, 9));
    script_write(g, MH_REG_WARP_QUOTA + MH_REG_WARP_QUOTA_STRIDE, pick(rng, 0, 1) * pick(rng, 1, 9));
    script_write(g, MH_REG_MEM_QUOTA, pick(rng, 0, 1) * pick(rng, 1, 3));
    script_write(g, MH_REG_MEM_LIMIT, pick(rng, 0, 1) * pick(rng, 1, 3));
    script_commit(g);
}

static struct seen watched(uint64_t seed)
{
    uint64_t rng = seed * 7919;
    struct mix mix[2];
    struct mh_config cfg = counting(SMS, 2);
    script_share_sms(&cfg);
    random_sm(&cfg, &rng);
    random_results(&cfg, rng);
    struct watch w = {.g = mixed_gpu(&cfg, mix)};
    bool start = true;
    for (uint64_t t = 1; t < CYCLES; t++) {
        mh_gpu_advance(w.g, t);
        if (start)
            start_from(&w);
        else if (pick(&rng, 0, 99) == 0)
            compare(&w);
        start = pick(&rng, 0, 149) == 0;
        if (start)
            random_throttle(w.g, &rng);
        else
            look(&w);
    }
    mh_gpu_advance(w.g, CYCLES);
    compare(&w);
    mh_gpu_destroy(w.g);
    return (struct seen){.raw = w.of[0].raw, .lsu = w.of[0].lsu, .other = w.of[0].other, .issuing = w.of[0].issuing};
}

TEST(test_beside_a_count_of_each_cycle)
{
    struct seen sum = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct seen s = watched(seed);
        sum.raw += s.raw;
        sum.lsu += s.lsu;
        sum.other += s.other;
        sum.issuing += s.issuing;
    }
    assert_true(sum.raw > 10000 && sum.lsu > 10000 && sum.other > 10000 && sum.issuing > 10000);
}
