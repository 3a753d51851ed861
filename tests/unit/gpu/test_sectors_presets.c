/* invariants: of the debug build alone */
/* Real kernels on the GPU of every preset, its L2 with sectors: invariants of the debug build, and sums. */
#include "unit/test.h"
#include "cache/l2.h"
#include "memhelm/config_file.h"
#include "script.h"

static struct mh_gpu *preset_gpu(const char *preset, const char *partial_stores, uint32_t kernel, bool ideal)
{
    static const char *const pairs[][2] = {{"MVT", "GUPS"}, {"HISTO", "BFS"}, {"FDTD", "SAD"}};
    struct mh_config cfg = script_preset(preset, 4, 2);
    struct mh_error err;

    uint32_t burst = cfg.dram.bus_bytes * cfg.dram.burst;

    cfg.l2.sector_bytes = burst > 32 ? burst : 32;
    cfg.l2.bytes = cfg.l2.banks * cfg.l2.ways * 4 * cfg.memory.line_bytes; /* lines leave early */
    set_word(&cfg, "l2.partial_stores", partial_stores);
    cfg.l1tlb.ideal = ideal;
    for (uint32_t t = 0; t < 2; t++)
        strcpy(cfg.tenants[t].kernel, pairs[kernel][t]);
    struct mh_gpu *g = mh_gpu_create(&cfg, &err);
    if (!g)
        fail_msg("%s: %s", preset, err.text);
    return g;
}

/* Look-ups that may have asked DRAM for something: once each at most. */
static uint64_t missed(const struct mh_counters *c)
{
    return c->l2_access - c->l2_hit + pte_accesses(c).sum - pte_hits(c).sum + c->pte_bypass;
}

/* More was read than the L2 holds. */
static bool has_turned_over(const struct mh_gpu *g)
{
    uint64_t sectors = 0;

    for (uint32_t t = 0; t < g->tenants; t++)
        sectors += g->tenant[t].count.dram_read_sectors;
    return sectors > g->cfg.l2.bytes / 32;
}

/* Each read and write moves a sector or more, a line at most. Without walks the L2 turns over. */
static void check_sums(const struct mh_gpu *g, bool busy)
{
    uint64_t unit = g->cfg.l2.sector_bytes / 32, line = g->cfg.memory.line_bytes / 32, sectors = 0, dirty = 0;

    for (uint32_t t = 0; t < g->tenants; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        uint64_t reads = c->dram_read + c->dram_walk;

        assert_true(reads <= missed(c));
        assert_true(c->dram_read_sectors >= unit * reads && c->dram_read_sectors <= line * reads);
        assert_true(c->dram_write_sectors >= unit * c->dram_write && c->dram_write_sectors <= line * c->dram_write);
        assert_int_equal((c->dram_read_sectors | c->dram_write_sectors) % unit, 0);
        sectors += c->dram_read_sectors;
        dirty += c->dram_write_sectors;
    }
    /* DRAM counts what it has decided, the L2 what has come and what it has sent. */
    assert_true(g->l2->sectors->filled <= sectors && sectors <= g->l2->sectors->asked_for);
    assert_true(dirty <= g->l2->sectors->cleaned);
    assert_true(busy ? has_turned_over(g) : sectors > 0);
}

TEST(test_presets)
{
    uint32_t kernel = 0;

    for (const char *const *name = mh_preset_names(); *name; name++, kernel = (kernel + 1) % 3)
        for (uint32_t i = 0; i < 4; i++) {
            LOCAL_GPU(g) = preset_gpu(*name, i & 1 ? "lazy" : "fetch", kernel, i & 2);

            /* 4 SMs take longer to fill the L2 of a GPU of today. */
            for (uint64_t c = 500; c <= 8000 || (i & 2 && c <= 100000 && !has_turned_over(g)); c += 500) {
                mh_gpu_advance(g, c);
                mh_l2_check(g);
            }
            check_sums(g, i & 2);
        }
}
