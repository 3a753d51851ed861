/* The rules of `memhelm classes` at, below and above each threshold; its measures by hand; its rows against the
 * kernels. */
#include "unit/test.h"

#include "classes/classes.h"
#include "memhelm/config_file.h"
#include "workload/workload.h"
#include "unit/near.h"

static const char *by_values(enum class_paper paper, const struct class_values v)
{
    return class_of(paper, &v, &v);
}

TEST(test_mask)
{
    const double below = nextafter(0.20, 0);
    assert_string_equal(by_values(PAPER_MASK, (struct class_values){.l1tlb_miss = 0, .l2tlb_miss = 0}), "low/low");
    assert_string_equal(by_values(PAPER_MASK, (struct class_values){.l1tlb_miss = below, .l2tlb_miss = below}),
                        "low/low");
    assert_string_equal(by_values(PAPER_MASK, (struct class_values){.l1tlb_miss = below, .l2tlb_miss = 0.20}),
                        "low/high");
    assert_string_equal(by_values(PAPER_MASK, (struct class_values){.l1tlb_miss = 0.20, .l2tlb_miss = below}),
                        "high/low");
    assert_string_equal(by_values(PAPER_MASK, (struct class_values){.l1tlb_miss = 0.20, .l2tlb_miss = 0.20}),
                        "high/high");
    assert_string_equal(by_values(PAPER_MASK, (struct class_values){.l1tlb_miss = 1, .l2tlb_miss = 1}), "high/high");
}

TEST(test_dws)
{
    assert_string_equal(by_values(PAPER_DWS, (struct class_values){.mpmi = 0}), "light");
    assert_string_equal(by_values(PAPER_DWS, (struct class_values){.mpmi = nextafter(25, 0)}), "light");
    assert_string_equal(by_values(PAPER_DWS, (struct class_values){.mpmi = 25}), "medium");
    assert_string_equal(by_values(PAPER_DWS, (struct class_values){.mpmi = 80}), "medium");
    assert_string_equal(by_values(PAPER_DWS, (struct class_values){.mpmi = nextafter(80, 100)}), "heavy");
}

TEST(test_ccbp)
{
    const double noc = CLASS_SUSTAINED_NOC / 2, dram = CLASS_SUSTAINED_DRAM / 2; /* even shares of two kernels */
    const double less_noc = noc * 0.9999, less_dram = dram * 0.9999;
    NEAR(class_ccbp_demand(noc, 0), 1);
    NEAR(class_ccbp_demand(0, dram), 1);
    NEAR(class_ccbp_demand(noc, dram / 2), 1);
    NEAR(class_ccbp_demand(1.5 * noc, 2 * dram), 2);
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = less_noc, .dram = 0}), "LS");
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = noc, .dram = 0}), "NBI");
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = 0, .dram = less_dram}), "LS");
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = 0, .dram = dram}), "DBI");
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = less_noc, .dram = less_dram}),
                        "LS"); /* a share of each is not added up */
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = 2 * noc, .dram = 2 * less_dram}), "NBI");
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = 2 * less_noc, .dram = 2 * dram}), "DBI");
    assert_string_equal(by_values(PAPER_CCBP, (struct class_values){.noc = 2 * noc, .dram = 2 * dram}),
                        "DBI"); /* equal: inequation 6 does not hold */
}

TEST(test_etc)
{
    assert_string_equal(by_values(PAPER_ETC, (struct class_values){.lines = 1}), "regular");
    assert_string_equal(by_values(PAPER_ETC, (struct class_values){.lines = 10}), "regular");
    assert_string_equal(by_values(PAPER_ETC, (struct class_values){.lines = nextafter(10, 11)}), "irregular");
}

TEST(test_simt)
{
    assert_string_equal(by_values(PAPER_SIMT, (struct class_values){.walks = 0}), "regular");
    assert_string_equal(by_values(PAPER_SIMT, (struct class_values){.walks = 0.25}), "regular");
    assert_string_equal(by_values(PAPER_SIMT, (struct class_values){.walks = nextafter(0.25, 1)}), "irregular");
}

/* 2 SMs x 4 ports x 32 lanes: 256 thread instructions a cycle. Crossbar at half the core clock: 2 flits in 2 cycles. */
TEST(test_measure)
{
    const struct mh_config cfg = {.clock = {.gpu_hz = 1000000000, .noc_hz = 500000000, .dram_hz = 500000000},
                                  .sm = {.count = 2, .schedulers = 4, .issue_cycles = 1, .lanes = 32},
                                  .memory = {.line_bytes = 128},
                                  .dram = {.channels = 2, .bus_bytes = 8, .data_rate = 4}};
    struct mh_stats s = {.cycles = 1000, .tenants = 1};
    s.tenant[0] = (struct mh_counters){.lane_instr = 64000,
                                       .mem_instr = 200,
                                       .mem_lines = 500,
                                       .l1tlb_access = 450,
                                       .l1tlb_hit = 210,
                                       .l1tlb_merge = 130, /* on its way to this SM */
                                       .l2tlb_access = 100,
                                       .l2tlb_hit = 60,
                                       .bypass_hit = 10,
                                       .l2tlb_merge = 20, /* on its way to another */
                                       .walks = 15,
                                       .walks_live = 1,
                                       .reply_flits = 600,
                                       .l2_access = 100,
                                       .l2_hit = 25,
                                       .dram_read = 60,
                                       .dram_write = 20};
    struct class_values v;
    class_measure(&v, &cfg, &s);
    NEAR(v.l1tlb_miss, 240 / 450.0);
    NEAR(v.l2tlb_miss, 0.3);
    NEAR(v.mpmi, 16 / 0.064);
    NEAR(v.throughput, 0.25);
    NEAR(v.noc, 0.6);
    NEAR(v.dram, 80 * 128.0 / 32000); /* 32 bytes a cycle at most */
    NEAR(v.l2_miss, 0.75);
    NEAR(v.lines, 2.5);
    NEAR(v.pages, 2.25);
    NEAR(v.walks, 0.08);
    memset(&s.tenant[0], 0, sizeof s.tenant[0]);
    class_measure(&v, &cfg, &s);
    for (enum class_paper p = 0; p < PAPERS; p++)
        if (p != PAPER_CCBP) /* nothing asked for is a demand of 0 */
            assert_null(class_of(p, &v, &v));
}

/* CCBP looks at the half of the CTAs, the others at the whole. */
TEST(test_of)
{
    const struct class_values idle = {0}, busy = {1, 1, 100, 1, 1, 0.1, 1, 64, 64, 64};
    static const char *const want[PAPERS] = {"high/high", "heavy", "LS", "irregular", "irregular"};
    for (enum class_paper p = 0; p < PAPERS; p++)
        assert_string_equal(class_of(p, &busy, &idle), want[p]);
    assert_string_equal(class_of(PAPER_CCBP, &idle, &busy), "NBI");
}

static bool can_be(enum class_paper paper, const char *class)
{
    static const char *const classes[PAPERS][5] = {
        [PAPER_MASK] = {"low/low", "low/high", "high/low", "high/high"},
        [PAPER_DWS] = {"light", "medium", "heavy"},
        [PAPER_CCBP] = {"LS", "NBI", "DBI"},
        [PAPER_ETC] = {"regular", "irregular"},
        [PAPER_SIMT] = {"regular", "irregular"},
    };
    for (size_t i = 0; classes[paper][i]; i++)
        if (!strcmp(classes[paper][i], class))
            return true;
    return false;
}

/* 27 + 13 + 13 + 15 + 12 kernels, each once, all of them there, in a preset that is there. */
TEST(test_rows)
{
    unsigned count[PAPERS] = {0};
    static const unsigned want[PAPERS] = {27, 13, 13, 15, 12};
    for (size_t i = 0; i < class_row_count; i++) {
        const struct class_row *r = &class_rows[i];
        const struct mh_kernel *k = mh_kernel_find(r->kernel);
        assert_non_null(k);
        assert_true(mh_kernel_variant(k, r->kernel, NULL) >= 0);
        assert_true(!r->size || (r->size >= k->size_min && r->size <= k->size_max));
        assert_true(can_be(r->paper, r->class));
        for (size_t j = 0; j < i; j++)
            assert_false(class_rows[j].paper == r->paper && mh_kernel_find(class_rows[j].kernel) == k);
        count[r->paper]++;
    }
    assert_memory_equal(count, want, sizeof want);
    for (enum class_paper p = 0; p < PAPERS; p++) {
        struct mh_config cfg;
        struct mh_error err;
        assert_int_equal(mh_config_preset(&cfg, class_tables[p].name, &err), 0);
    }
}
