/* GPUs at the limits of the configuration: 256 SMs, 128 DRAM channels, 256 L2 banks, 64 DRAM banks in a channel. */
#include "unit/test.h"
#include <unistd.h>
#include "memhelm/config_file.h"
#include "mix.h"

enum { SMS = 256, CHANNELS = 128, BANKS = 256, LAUNCHES = 2 };

static struct mh_config largest(uint32_t tenants)
{
    struct mh_config cfg = script_config(SMS, tenants);
    cfg.dram.channels = CHANNELS;
    cfg.l2.banks = BANKS;
    cfg.l2.bytes = BANKS * 16384;
    cfg.dram.banks = 16;
    cfg.dram.ranks = 4;
    *cfg.dram.mapping = 0; /* row rank bank group column */
    cfg.noc.walker_ports = 64;
    return cfg;
}

/* The configuration passes the rules between values, too. */
static void checks(const struct mh_config *cfg)
{
    struct mh_config copy = *cfg;
    struct mh_error err = {""};
    for (uint32_t t = 0; t < copy.tenants_count; t++)
        snprintf(copy.tenants[t].kernel, sizeof copy.tenants[t].kernel, "GUPS");
    if (mh_config_resolve(&copy, &err))
        fail_msg("%s", err.text);
}

/* One CTA for each SM, whose warp loads a line of its own. */
TEST(test_every_sm_and_bank_is_used)
{
    enum { LINES = 8 * BANKS };
    struct mh_config cfg = largest(1);
    checks(&cfg);
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, LINES * MH_LINE_BYTES);
    script_launch(s, (struct mh_launch){.ctas = SMS, .threads = 64, .shared_bytes = cfg.sm.shared_bytes});
    for (uint32_t cta = 0; cta < SMS; cta++)
        for (uint32_t i = 0; i < LINES / SMS; i++)
            script_add(s, 0, cta, 0, op_load(SCRIPT_BASE + (cta * (LINES / SMS) + i) * MH_LINE_BYTES));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_advance(g, 1);
    for (uint32_t sm = 0; sm < SMS; sm++)
        assert_int_equal(g->sm[sm].tenant_ctas[0], 1);
    script_finish(g, 0);
    assert_int_equal(g->tenant[0].count.l2_access, LINES);
    for (uint32_t b = 0; b < BANKS; b++) {
        uint32_t there = 0;
        for (uint32_t set = 0; set < g->l2->sets; set++)
            there += *mh_tags_set(&g->l2->tags, b * g->l2->sets + set) != 0;
        assert_true(there > 0);
    }
    script_assert_idle(g);
}

/* All that a random mix asks for is done, once. */
static void mixed(struct mh_config *cfg, enum mh_noc_queues queues)
{
    struct mix mix[2];
    struct script *s[2];
    cfg->noc.queues = queues;
    checks(cfg);
    for (uint32_t t = 0; t < 2; t++) {
        mix[t] = (struct mix){.seed = 7 + t, .bytes = 1 << 22, .ops = 8, .lanes = cfg->sm.lanes, .threads = 192};
        s[t] = mix_script(&mix[t], LAUNCHES, 300);
    }
    LOCAL_GPU(g) = script_gpu(cfg, s);
    while (!mix_done(g, LAUNCHES)) {
        mh_gpu_advance(g, mh_gpu_now(g) + 2000);
        mh_gpu_check(g);
        assert_true(mh_gpu_now(g) < 1000000);
    }
    mix_settle(g);
    for (uint32_t t = 0; t < 2; t++)
        mix_check(g, t, &mix[t], LAUNCHES, 300);
}

TEST(test_random_mix)
{
    struct mh_config cfg = largest(2);
    mixed(&cfg, MH_QUEUES_OUTPUT);
    mixed(&cfg, MH_QUEUES_INPUT);
    script_share_sms(&cfg);
    cfg.sm.share = 1;
    mixed(&cfg, MH_QUEUES_OUTPUT);
}

/* A line of each page: the first or the second, which are different channels'. */
static uint64_t line_in_page(uint32_t page)
{
    return SCRIPT_BASE + page * SCRIPT_PAGE + (page & 1) * MH_LINE_BYTES;
}

/* Banks in every rank of a channel are used, above the 32nd, too. */
TEST(test_sixty_four_banks_of_a_channel)
{
    enum { LINES = 4000 };
    struct mh_config cfg = largest(1);
    uint64_t used[CHANNELS] = {0};
    cfg.dram.channels = 2;
    cfg.l2.banks = 2;
    struct script *s = script_paged(4096, 1);
    for (uint32_t i = 0; i < LINES; i++)
        script_add(s, 0, 0, 0, op_load(line_in_page(i)));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    for (uint32_t i = 0; i < LINES; i++) {
        struct script_place p = script_place(g, script_line(g, 0, line_in_page(i)));
        used[p.channel] |= 1ull << p.bank;
    }
    assert_int_equal(used[0], UINT64_MAX);
    assert_int_equal(used[1], UINT64_MAX);
    script_finish(g, 0);
    assert_true(g->tenant[0].count.dram_read >= LINES);
    script_assert_idle(g);
}

static enum mh_access read_of(struct mh_gpu *g, uint32_t offset)
{
    uint32_t value;
    return mh_gpu_read(g, offset, 4, &value);
}

/* Firmware that steers single SMs finds their registers, or neither them nor the features that promise them. */
TEST(test_registers_of_single_sms)
{
    const uint32_t features = MH_FEATURE_CTA_LIMIT | MH_FEATURE_SM_THROTTLE | MH_FEATURE_SM_ROOT;
    const uint32_t offsets[] = {MH_REG_SM_ROOT,       MH_REG_SM_HOLDS,    MH_REG_SM_CTAS_0,
                                MH_REG_SM_THROTTLE_0, MH_REG_SM_DRAINING, MH_REG_SM_CTA_LIMIT_0};
    for (uint32_t sms = MH_STEERED_SMS; sms <= MH_STEERED_SMS + 1; sms++) {
        struct mh_config cfg = script_config(sms, 1);
        struct script *s = script_paged(1, 1);
        bool steered = sms == MH_STEERED_SMS;
        script_add(s, 0, 0, 0, op_load(SCRIPT_BASE));
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & features, steered ? features : 0);
        for (uint32_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
            assert_int_equal(read_of(g, offsets[i]), steered ? MH_ACCESS_OK : MH_ACCESS_ERROR);
        script_knob(g, MH_REG_CTA_LIMIT, 1); /* of the tenant: no register of an SM */
        script_finish(g, 0);
        assert_int_equal(g->tenant[0].count.ctas, 1);
    }
}

TEST(test_missing_registers_say_why)
{
    struct mh_config cfg = script_config(SMS, 1);
    struct script *s = script_paged(1, 1);
    char text[160];
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    mh_gpu_describe(g, MH_REG_SM_ROOT + 4, text, sizeof text);
    assert_string_equal(text, "register SM_ROOT[1], which this GPU does not have: it has 1 tenants and 256 SMs, too "
                              "many for registers of single SMs");
}

/* Memory that the process has of the host. */
static uint64_t resident_bytes(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*u %lu", &pages), 1);
    fclose(f);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* 80 GiB, of which one tenant has 12 and touches few pages: the host's memory grows with those. */
TEST(test_eighty_gibibytes)
{
    enum { LOADS = 2000 };
    const uint64_t gib = 1ull << 30, bytes = 12 * gib;
    struct mh_config cfg = script_config(108, 1);
    cfg.dram.channels = 80, cfg.l2.banks = 80, cfg.l2.bytes = 80 << 19;
    cfg.memory.bytes = 80 * gib;
    cfg.memory.owned = MH_OWNED_WHOLE;
    cfg.memory.page_bytes = 2 << 20, cfg.walk.levels = 3;
    checks(&cfg);
    uint64_t before = resident_bytes(), rng = 80;
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, bytes);
    script_warps(s, 1);
    for (uint32_t i = 0; i < LOADS; i++)
        script_add(s, 0, 0, 0, op_load(SCRIPT_BASE + random_next(&rng) % bytes / 128 * 128));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_finish(g, 0);
    assert_true(g->tenant[0].count.dram_read > LOADS - LOADS / 100); /* as good as none twice */
    assert_true(resident_bytes() - before < 256 << 20);
    script_assert_idle(g);
}
