/* Page table roots of SMs: an SM drains, is flushed and moves, and no request is lost; TLB_FLUSH. */
#include "unit/test.h"
#include "chain.h"
#include "mix.h"

#define ROOT(sm) (MH_REG_SM_ROOT + (sm)*MH_REG_SM_ROOT_STRIDE)

/* Two tenants with an SM each. */
static struct mh_gpu *pair(struct mh_config *cfg, struct script *a, struct script *b)
{
    struct script *s[] = {a, b};
    return script_gpu(cfg, s);
}

static void assert_tenants(struct mh_gpu *g, uint32_t sm, uint32_t root, uint32_t draining, uint32_t ctas0,
                           uint32_t ctas1)
{
    assert_int_equal(script_read(g, ROOT(sm)), root);
    assert_int_equal(script_read(g, MH_REG_SM_DRAINING) >> sm & 1, draining);
    assert_int_equal(g->sm[sm].tenant_ctas[0], ctas0);
    assert_int_equal(g->sm[sm].tenant_ctas[1], ctas1);
    mh_gpu_check(g);
}

/* A CTA of 1001 cycles at 0 on SM 0, others after it; written at 300, the SM is the other tenant's at 1000, when the
 * CTA ends, and gets its CTAs in that cycle. */
TEST(test_ctas_finish_first)
{
    struct mh_config cfg = script_config(2, 2);
    cfg.sm.cta_slots = 1;
    LOCAL_GPU(g) = pair(&cfg, script_computing_on(8, 1000), script_computing_on(8, 5000));
    mh_gpu_advance(g, 300);
    assert_tenants(g, 0, 0, 0, 1, 0);
    script_write(g, ROOT(0), 1);
    assert_tenants(g, 0, 1, 1, 1, 0);
    mh_gpu_advance(g, 999);
    assert_tenants(g, 0, 1, 1, 1, 0);
    mh_gpu_advance(g, 1000);
    assert_tenants(g, 0, 1, 0, 0, 1);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].ctas, 1);
    mh_gpu_advance(g, 19000);
    assert_int_equal(mh_gpu_stats(g)->tenant[0].ctas, 1); /* it has no SM */
    assert_tenants(g, 1, 1, 0, 0, 1);
    script_write(g, ROOT(1), 0);
    mh_gpu_advance(g, 40000);
    assert_tenants(g, 1, 0, 0, 1, 0);
    assert_true(mh_gpu_stats(g)->tenant[0].ctas > 10);
    assert_int_equal(script_read(g, MH_REG_BAD_WRITES), 0);
}

/* Nothing to drain: at once. The tenant that has it starts in the cycle of the write. */
TEST(test_idle_sm_moves_at_once)
{
    struct mh_config cfg = script_config(3, 2);
    cfg.tenants[0].sm_count = cfg.tenants[1].sm_count = 1; /* nobody has SM 2 */
    LOCAL_GPU(g) = pair(&cfg, script_computing_on(64, 50000), script_computing_on(64, 50000));
    mh_gpu_advance(g, 100);
    assert_int_equal(script_read(g, ROOT(2)), MH_NO_ROOT);
    script_write(g, ROOT(2), 1);
    assert_tenants(g, 2, 1, 0, 0, 32);
    script_write(g, ROOT(2), 1); /* its own */
    assert_tenants(g, 2, 1, 0, 0, 32);
}

/* The tenant that drains gets its SM back, or another one gets it. */
TEST(test_change_of_mind)
{
    struct mh_config cfg = script_config(3, 3);
    cfg.sm.cta_slots = 1;
    struct script *s[] = {script_computing_on(8, 1000), script_computing_on(8, 5000), script_computing_on(8, 3000)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    mh_gpu_advance(g, 300);
    script_write(g, ROOT(0), 1);
    mh_gpu_advance(g, 400);
    script_write(g, ROOT(0), 0);
    assert_tenants(g, 0, 0, 0, 1, 0);
    mh_gpu_advance(g, 1000);
    assert_tenants(g, 0, 0, 0, 1, 0); /* its next */
    script_write(g, ROOT(0), 1);
    script_write(g, ROOT(0), 2);
    assert_tenants(g, 0, 2, 1, 1, 0);
    mh_gpu_advance(g, 2500);
    assert_tenants(g, 0, 2, 0, 0, 0);
    assert_int_equal(g->sm[0].tenant_ctas[2], 1);
}

/*
 * A warp's stores outlive it: their translation (a walk, at cycle 100 still under way), then their turn on the wire,
 * then the acknowledgement. Two whole lines.
 */
static uint64_t drained_at(uint32_t store_buffer)
{
    struct mh_config cfg = script_config(2, 2);
    cfg.l1d.store_buffer = store_buffer;
    struct script *s = script_paged(CHAIN_PAGES, 1);
    script_add(s, 0, 0, 0, op_store_lines(in_page(3, 0), 2));
    LOCAL_GPU(g) = pair(&cfg, s, script_computing_on(64, 50000));
    mh_gpu_advance(g, 100);
    assert_int_equal(g->sm[0].standing, 0);
    script_write(g, ROOT(0), 1);
    while (script_read(g, MH_REG_SM_DRAINING)) {
        assert_int_equal(g->sm[0].tenant_ctas[1], 0);
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    assert_int_equal(mh_gpu_stats(g)->tenant[0].walks, 1);
    assert_int_equal(g->sm[0].stores, 0);
    assert_int_equal(mh_assoc_used(&g->sm[0].tlb), 0);
    assert_int_equal(g->sm[0].tenant_ctas[1], 32);
    uint64_t now = mh_gpu_now(g);
    return now;
}

/* Without a store buffer the drain ends when the second line enters the crossbar; with one, when it is acknowledged:
 * crossbar, the four flits behind the first, L2, crossbar. */
TEST(test_stores_drain)
{
    uint64_t sent = drained_at(0), acknowledged = drained_at(4);
    assert_true(sent > 20 + 4 * 27 + 8); /* a look-up in the L2 TLB, and more than a walk in the L2 */
    assert_int_equal(acknowledged - sent, 8 + 4 + 10 + 8);
}

static void assert_refused(struct mh_gpu *g, uint32_t offset, uint32_t value)
{
    uint32_t before = script_read(g, MH_REG_BAD_WRITES), was = script_read(g, offset);
    script_write(g, offset, value);
    assert_int_equal(script_read(g, MH_REG_BAD_WRITES), before + 1);
    assert_int_equal(script_read(g, offset), was);
}

TEST(test_refused)
{
    struct mh_config cfg = script_config(3, 3);
    cfg.tenants[1].arrive = 1000;
    cfg.tenants[2].leave = 1000;
    struct script *s[] = {script_computing_on(1, 100), script_computing_on(1, 100), script_computing_on(1, 100)};
    struct mh_gpu *g = script_gpu(&cfg, s);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_SM_ROOT);
    mh_gpu_advance(g, 999);
    assert_refused(g, ROOT(0), 1);
    assert_refused(g, ROOT(0), 3);
    mh_gpu_advance(g, 1000);
    assert_refused(g, ROOT(0), 2);
    script_write(g, ROOT(2), 1);
    assert_int_equal(script_read(g, ROOT(2)), 1); /* of one that has left, to one that is there */
    assert_int_equal(script_read(g, MH_REG_SM_DRAINING), 0);
    mh_gpu_destroy(g);

    for (uint32_t t = 0; t < 3; t++)
        cfg.tenants[t] = (struct mh_tenant_cfg){.kernel = "script", .asid = t + 1, .sm_count = 3};
    struct script *shared[] = {script_computing_on(1, 100), script_computing_on(1, 100), script_computing_on(1, 100)};
    g = script_gpu(&cfg, shared);
    assert_false(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_SM_ROOT);
    assert_int_equal(script_read(g, ROOT(0)), MH_NO_ROOT);
    assert_refused(g, ROOT(0), 0);
    mh_gpu_destroy(g);
}

/* Firmware gives tenant 0 SM 1 (of a tenant that is to come), SM 2 (draining) and SM 3 (of no tenant), and is gone.
 */
TEST(test_a_reset_of_the_mcu_gives_back)
{
    struct mh_config cfg = script_config(4, 3);
    cfg.sm.cta_slots = 1;
    for (uint32_t t = 0; t < 3; t++)
        cfg.tenants[t].sm_count = 1;
    cfg.tenants[1].arrive = 5000;
    struct script *s[] = {script_computing_on(64, 1000), script_computing_on(64, 1000), script_computing_on(64, 3000)};
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    mh_gpu_advance(g, 300);
    for (uint32_t sm = 1; sm < 4; sm++)
        script_write(g, ROOT(sm), 0);
    assert_tenants(g, 1, 0, 0, 1, 0);
    assert_tenants(g, 2, 0, 1, 0, 0);
    assert_tenants(g, 3, 0, 0, 1, 0);
    mh_gpu_safe(g);
    assert_tenants(g, 1, 1, 1, 1, 0);
    assert_tenants(g, 2, 2, 0, 0, 0);
    assert_tenants(g, 3, MH_NO_ROOT, 1, 1, 0);
    mh_gpu_advance(g, 4000);
    assert_tenants(g, 1, 1, 0, 0, 0);
    assert_int_equal(g->sm[2].tenant_ctas[2], 1);
    assert_tenants(g, 3, MH_NO_ROOT, 0, 0, 0);
    mh_gpu_advance(g, 5500);
    assert_tenants(g, 1, 1, 0, 0, 1);
    assert_tenants(g, 3, MH_NO_ROOT, 0, 0, 0);
    assert_int_equal(script_read(g, MH_REG_BAD_WRITES), 0);
}

struct looks {
    uint64_t l1, l2, walks;
};

/* Look-ups that hit, and walks, that five loads more have taken. */
static struct looks loads(struct mh_gpu *g, uint32_t tenant, uint64_t until)
{
    struct mh_counters was = mh_gpu_stats(g)->tenant[tenant], is;
    mh_gpu_advance(g, until);
    is = mh_gpu_stats(g)->tenant[tenant];
    assert_int_equal(is.mem_instr - was.mem_instr, 5);
    return (struct looks){is.l1tlb_hit - was.l1tlb_hit, is.l2tlb_hit - was.l2tlb_hit, is.walks - was.walks};
}

static void assert_looks(struct looks is, uint64_t l1, uint64_t l2, uint64_t walks)
{
    assert_int_equal(is.l1, l1);
    assert_int_equal(is.l2, l2);
    assert_int_equal(is.walks, walks);
}

/* Five pages in turn, one load in 2000 cycles, for ever. */
static bool five_pages(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)c, (void)addr;
    *op = op_wait(op_after(i ? 1999 : 0, op_load(in_page(i % 5, i % 5 * MH_LINE_BYTES))));
    return true;
}

static struct script *five_page_script(uint32_t ctas)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, CHAIN_PAGES * SCRIPT_PAGE);
    script_launch(s, (struct mh_launch){.ctas = ctas, .threads = 64});
    script_generate(s, five_pages, NULL);
    return s;
}

TEST(test_flush_makes_its_misses)
{
    struct mh_config cfg = script_config(2, 2);
    LOCAL_GPU(g) = pair(&cfg, five_page_script(1), five_page_script(1));
    assert_looks(loads(g, 0, 10500), 0, 0, 5);
    mh_gpu_advance(g, 21500);
    assert_looks(loads(g, 0, 32000), 5, 0, 0);
    script_write(g, MH_REG_TLB_FLUSH, 0);
    struct mh_counters other = mh_gpu_stats(g)->tenant[1];
    assert_looks(loads(g, 0, 42500), 0, 0, 5);
    assert_int_equal(mh_gpu_stats(g)->tenant[1].l1tlb_hit - other.l1tlb_hit, 5); /* is not touched */
    assert_looks(loads(g, 0, 52800), 5, 0, 0);
    /* Of the other SM: what is there is not this tenant's. */
    script_write(g, MH_REG_TLB_FLUSH, 1);
    assert_looks(loads(g, 0, 62800), 5, 0, 0);
    assert_int_equal(mh_gpu_stats(g)->tenant[1].walks, 10);
}

/* The other SM of the tenant keeps its L1 TLB, and would miss in the L2 TLB. */
TEST(test_flush_is_of_one_sm)
{
    struct mh_config cfg = script_config(2, 1);
    struct script *s = five_page_script(2);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 21500);
    assert_int_equal(mh_assoc_used(&g->sm[0].tlb), 5);
    assert_int_equal(mh_assoc_used(&g->sm[1].tlb), 5);
    script_write(g, MH_REG_TLB_FLUSH, 0);
    assert_int_equal(mh_assoc_used(&g->sm[0].tlb), 0);
    assert_int_equal(mh_assoc_used(&g->sm[1].tlb), 5);
    for (uint32_t i = 0; i < g->cfg.l2tlb.entries; i++)
        assert_int_equal(g->l2tlb->copy[0].tlb.key[i], MH_TLB_EMPTY);
}

static void random_command(struct mh_gpu *g, uint64_t *rng)
{
    uint32_t sms = g->cfg.sm.count, tenants = g->tenants;
    uint64_t r = random_next(rng);
    switch (r % 6) {
    case 0:
        script_write(g, MH_REG_TLB_FLUSH, r / 8 % (sms + 1));
        break;
    case 1:
        for (uint32_t i = 0; i < 20; i++)
            (void)mh_gpu_remap(g, r / 8 % tenants, (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE + random_next(rng) % 64));
        script_write(g, MH_REG_PTE_CHANGED, r / 8 % tenants);
        break;
    case 2:
        script_write(g, MH_REG_SM_THROTTLE_0, r / 8 % 2 ? 0 : (uint32_t)(r / 16 & ((1u << sms) - 1)));
        script_write(g, MH_REG_COMMIT, 1);
        break;
    default:
        script_write(g, ROOT(r / 8 % sms), r / 64 % (tenants + 1));
        break;
    }
}

/* Three tenants come, move, and are killed; nothing is lost, and no stale translation is used (MH_CHECK). */
static uint64_t random_life(uint64_t seed, const char *preset)
{
    struct mh_config cfg = script_preset(preset, 5, 3);
    struct mix mix[3];
    struct script *s[3];
    uint64_t rng = seed;
    cfg.memory.page_bytes = SCRIPT_PAGE, cfg.walk.levels = 4;
    cfg.l1tlb.ideal = 0;
    cfg.l1tlb.entries = 8, cfg.l1tlb.mshrs = 4;
    cfg.l2tlb.entries = 32, cfg.l2tlb.ways = 4, cfg.l2tlb.mshrs = 12;
    cfg.walk.walkers = 8, cfg.walk.buffer = 0;
    cfg.sm.pending = 64, cfg.sm.lsu_queue = 2;
    for (uint32_t t = 0; t < 3; t++) {
        mix[t] = (struct mix){.seed = seed + t,
                              .bytes = 64 * SCRIPT_PAGE,
                              .ops = 6,
                              .lanes = cfg.sm.lanes,
                              .threads = 128,
                              .line_bytes = cfg.memory.line_bytes};
        s[t] = mix_script(&mix[t], 2, 6);
        script_repeat(s[t]);
        cfg.tenants[t].arrive = t == 1 ? 3000 : 0;
        cfg.tenants[t].leave = t == 2 ? 30000 : 60000;
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    while (mh_gpu_now(g) < 60000) {
        mh_gpu_advance(g, mh_gpu_now(g) + random_next(&rng) % 500);
        random_command(g, &rng);
        mh_gpu_check(g);
    }
    uint64_t ctas = g->tenant[0].count.ctas + g->tenant[1].count.ctas + g->tenant[2].count.ctas;
    mh_gpu_advance(g, 200000);
    assert_null(mh_gpu_deadlock(g));
    script_assert_idle(g);
    assert_int_equal(script_read(g, MH_REG_SM_DRAINING), 0);
    for (uint32_t t = 0; t < 3; t++)
        assert_false(g->tenant[t].draining);
    return ctas;
}

TEST(test_random_life)
{
    static const char *const presets[] = {"mask", "fermi", "simt", "dws", "etc", "ccbp"};
    uint64_t ctas = 0;
    for (uint64_t seed = 0; seed < 24; seed++)
        ctas += random_life(100 * seed, presets[seed % 6]);
    assert_true(ctas > 1000);
}

TEST_GROUP(.slow = true);
