/* invariants: of the debug build alone */
/* The report on a model that has stopped names sub-queue, tenant, and what its head waits for. */
#include "unit/test.h"

#include "broken_gpu.h"
#include "missq/missq.h"
#include "sm/block.h"
#include "subqueues.h"

/* Tenant 0 loads `loads` lines of bank 0 or, elsewhere, of any bank; tenant 1 sleeps. Every page hits. */
static struct mh_gpu *loads_gpu(struct mh_config *cfg, uint32_t loads, uint32_t apart)
{
    struct script *s[2];
    uint64_t addr[MH_MAX_LANES] = {0};
    cfg->l1tlb.ideal = 1;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(BUFFER_PAGES, 1);
    }
    for (uint32_t l = 0; l < loads; l++)
        addr[l] = SCRIPT_BASE + (uint64_t)l * apart;
    script_add_list(s[0], 0, 0, 0, op_after(1000, op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (64 - loads), 0, 0)), addr);
    script_add(s[0], 0, 0, 0, op_wait(op_barrier()));
    struct mh_gpu *g = script_gpu(cfg, s);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    return g;
}

TEST(test_lost_turn)
{
    struct mh_config cfg = subqueues_config(1, 2);
    LOCAL_GPU(g) = loads_gpu(&cfg, 3, 512);
    lose(g, EV_MISSQ, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "load that warp ");
    assert_has(mh_gpu_deadlock(g), "; L1D MSHR 0 of SM 0 waits for physical line 0x");
    assert_has(mh_gpu_deadlock(g),
               ", in a sub-queue behind 0; the head of tenant 0 (script) in the sub-queues of SM 0");
    assert_has(mh_gpu_deadlock(g), " could go, but the arbiter's turn (EV_MISSQ) never came");
}

/* Where a load is, as its path tells. */
static const char *path_of(const struct mh_gpu *g, char text[2000])
{
    uint32_t warp = 0;
    FILE *out = fmemopen(text, 2000, "w");
    while (!g->sm[0].warp[warp].loads)
        warp++;
    mh_path_load(g, 0, warp, 0, out);
    fclose(out);
    return text;
}

/* One bank whose DRAM never answers: its credits are all taken, and the rest of the lines wait for one. */
TEST(test_no_credit_of_a_bank)
{
    struct mh_config cfg = subqueues_config(1, 2);
    char text[2000];
    cfg.l2.banks = cfg.dram.channels = 1;
    cfg.l2.mshrs = 1;
    cfg.l2.bytes = 128 * 1024;
    cfg.noc.bank_queue = 2;
    LOCAL_GPU(g) = loads_gpu(&cfg, 8, 512);
    lose(g, EV_L2_FILL, 1);
    mh_gpu_advance(g, 5000);
    assert_int_equal(queued(g, 0, 0), 5);
    assert_has(mh_gpu_deadlock(g), "; L2 bank 0, MSHR 0: asked DRAM channel 0");
    mh_missq_check(g);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_true(mh_missq_left(g, out));
    fclose(out);
    assert_has(text, "; the head of tenant 0 (script) in the sub-queues of SM 0, request ");
    assert_has(text, " has no credit of bank 0; L2 bank 0: the head of its stalled queue, a read of physical");
}

/* A rate of 1/256 per 1000 cycles: a GPU that waits is not stuck, and says for which interval it waits. */
TEST(test_no_issue_credit)
{
    struct mh_config cfg = subqueues_config(1, 2);
    char text[2000];
    cfg.l1d.rate_interval = 1000;
    LOCAL_GPU(g) = loads_gpu(&cfg, 3, 512);
    set_rate(g, 0, 1);
    mh_gpu_advance(g, 2000);
    assert_has(path_of(g, text), "; the head of tenant 0 (script) in the sub-queues of SM 0, request ");
    assert_has(text, " has no issue credit before interval 256 of 1000 cycles (ISSUE_RATE 1)");
    char later[2000];
    mh_gpu_advance(g, 200000);
    assert_string_equal(text, path_of(g, later)); /* nothing has moved */
    mh_gpu_advance(g, 260000);
    assert_has(path_of(g, later), " before interval 512 of 1000 cycles");
    /* A load of two million cycles is slow, and no deadlock. */
    mh_gpu_advance(g, 2000000);
    assert_null(mh_gpu_deadlock(g));
}

/* Strict priority: the report names the tenant that passes it, and the key. */
TEST(test_passed)
{
    struct mh_config cfg = subqueues_config(1, 2);
    char text[2000];
    LOCAL_GPU(g) = loads_gpu(&cfg, 3, 512);
    set_first(g, 1);
    for (uint32_t i = 0; i < 2000; i++) {
        while (queue_write(g, 0, 1, 0, 0))
            ;
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    assert_has(path_of(g, text), " could go, but requests of tenant 1, which has ISSUE_FIRST, pass it "
                                 "(ISSUE_PATIENCE 0)");
}

/* The LSU names what its tenant's queue waits for, and not a queue of others. */
TEST(test_full_share)
{
    struct mh_config cfg = subqueues_config(1, 2);
    char text[2000];
    cfg.l1d.subqueues = 2;
    cfg.l1d.miss_queue = 16;
    cfg.l1d.rate_interval = 100;
    LOCAL_GPU(g) = loads_gpu(&cfg, 12, 512);
    set_rate(g, 0, 1);
    mh_gpu_advance(g, 2000);
    FILE *out = fmemopen(text, sizeof text, "w");
    mh_sm_left(g, out);
    fclose(out);
    assert_has(text, "; the LSU of SM 0, at line 0x");
    assert_has(text, "is stopped: the sub-queues of its tenant are full; the head of tenant 0 (script)");
    script_knob(g, MH_REG_MISS_QUEUES, 0);
    mh_gpu_advance(g, 2002);
    out = fmemopen(text, sizeof text, "w");
    mh_sm_left(g, out);
    fclose(out);
    assert_has(text, ": the miss queue empties, as MISS_QUEUES has changed; the head of tenant 0");
}
