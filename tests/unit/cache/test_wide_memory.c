/* Memory of more lines than a tag tells apart (engine/sets.h): caches mistake no line for another. */
#include "unit/test.h"
#include "cache/l2_bank.h"
#include "script.h"

#define GIB (1ull << 30)

/* 256 GiB, where eight lines have the low bits of a tag in common. */
static struct mh_config wide_config(uint32_t tenants)
{
    struct mh_config cfg = script_config(tenants, tenants);
    cfg.memory.bytes = 256 * GIB;
    cfg.memory.owned = MH_OWNED_WHOLE;
    cfg.memory.page_bytes = 2 << 20;
    cfg.walk.levels = 3;
    return cfg;
}

/* Set and tag give back the line, whatever the number of banks and sets. */
static void gives_back(const struct mh_config *cfg)
{
    struct script *s[MH_MAX_TENANTS];
    uint64_t rng = cfg->l2.banks;
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        s[t] = script_paged(1, 1);
    LOCAL_GPU(g) = script_gpu(cfg, s);
    const struct mh_l2 *l2 = g->l2;
    for (uint32_t n = 0; n < 20000; n++) {
        uint32_t line = (uint32_t)random_next(&rng) & INT32_MAX, tenant = n % cfg->tenants_count;
        uint32_t bank = mh_interleave_bank(&l2->interleave[tenant], line);
        const uint32_t *set = mh_l2_any_set(l2, bank, tenant, line);
        assert_int_equal(mh_tags_number(&l2->tags, set) / l2->sets, bank);
        assert_int_equal(mh_l2_line(l2, set, line << MH_TAG_BITS | MH_TAG_VALID), line);
        for (uint32_t high = 0; high < 8; high++) {
            uint32_t other = (line & MH_TAG_LINE) | high << MH_TAG_LINE_BITS;
            bool here = mh_interleave_bank(&l2->interleave[tenant], other) == bank;
            assert_false(other != line && here && mh_l2_any_set(l2, bank, tenant, other) == set);
        }
    }
}

TEST(test_l2_gives_lines_back)
{
    struct mh_config cfg = wide_config(1);
    gives_back(&cfg);
    cfg.l2.slice_hash = MH_SLICES_IPOLY;
    gives_back(&cfg);
    cfg.l2.banks = 80, cfg.dram.channels = 40, cfg.l2.bytes = 80 * 320 * 128 * cfg.l2.ways;
    gives_back(&cfg);
    cfg = wide_config(3);
    cfg.dram.partition = 1;
    gives_back(&cfg);
}

/* Two pages whose lines have the same low bits: the seed's first pair. */
static void find_pair(const struct mh_gpu *g, uint32_t pages, uint64_t address[2])
{
    for (uint32_t a = 0; a < pages; a++)
        for (uint32_t b = 0; b < a; b++) {
            address[0] = SCRIPT_BASE + ((uint64_t)b << 21), address[1] = SCRIPT_BASE + ((uint64_t)a << 21);
            if (((script_line(g, 0, address[0]) ^ script_line(g, 0, address[1])) & MH_TAG_LINE) == 0)
                return;
        }
    fail_msg("no pair among %u pages", pages);
}

enum { PAGES = 1000 };

static struct script *of_pages(void)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, (uint64_t)PAGES << 21);
    script_warps(s, 1);
    return s;
}

/* Load A, load B, load A, load B: each misses once, in both caches. */
TEST(test_no_false_hit)
{
    struct mh_config cfg = wide_config(1);
    uint64_t address[2];
    struct script *s = of_pages();
    LOCAL_GPU(probe) = script_gpu(&cfg, &s);
    find_pair(probe, PAGES, address);
    s = of_pages();
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 0, 0, 0, op_wait(op_load(address[i % 2])));
    script_add(s, 0, 0, 0, op_wait(op_exit()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_finish(g, 0);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->l1d_access, 4);
    assert_int_equal(c->l1d_hit, 2);
    assert_int_equal(c->l2_access, 2);
    assert_int_equal(c->l2_hit, 0);
    script_assert_idle(g);
}

/* Dirty lines go back to where they belong: each write-back is one of a line that was stored. */
TEST(test_dirty_lines_go_home)
{
    struct mh_config cfg = wide_config(1);
    struct script *s = of_pages();
    cfg.l2.bytes = cfg.l2.banks * 8 * cfg.memory.line_bytes * cfg.l2.ways; /* eight sets in a bank */
    for (uint32_t i = 0; i < PAGES; i++)
        for (uint32_t k = 0; k < 8; k++)
            script_add(s, 0, 0, 0, op_store_lines(SCRIPT_BASE + ((uint64_t)i << 21) + k * 128, 1));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    script_finish(g, 0);
    mh_gpu_advance(g, mh_gpu_now(g) + 100000); /* stores that are still on their way */
    uint64_t dirty = 0;
    for (uint32_t i = 0; i < g->l2->tags.sets; i++)
        for (uint32_t w = 0; w < g->l2->tags.ways; w++) {
            const uint32_t *set = mh_tags_set(&g->l2->tags, i);
            if (!(set[w] & MH_TAG_DIRTY))
                continue;
            uint32_t line = mh_l2_line(g->l2, set, set[w]);
            assert_int_equal(g->pages->owner[line >> g->page_shift], 1);
            assert_true((line & (g->lines_per_page - 1)) < 8);
            dirty++;
        }
    assert_true(dirty > 0);
    assert_int_equal(g->tenant[0].count.dram_write + dirty, PAGES * 8);
}
