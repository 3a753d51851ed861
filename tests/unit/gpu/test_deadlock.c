/* invariants: of the debug build alone */
/* The report on a model that has stopped names the oldest request, and all that it waits for. */
#include "script.h"
#include "unit/test.h"
#include "broken_gpu.h"
#include "sm/block.h"
#include "translate/walk.h"

/* As many stores of a line each by one warp. */
static struct mh_gpu *stores_gpu(const struct mh_config *cfg, uint32_t count)
{
    struct script *s = script_paged(1, 1);
    for (uint32_t i = 0; i < count; i++)
        script_add(s, 0, 0, 0, op_store(SCRIPT_BASE + i * 512));
    return script_gpu(cfg, &s);
}

/* One load of page 2, after the loss of the n-th event of a kind; returns the GPU, which must have stopped. */
static struct mh_gpu *stopped_gpu(uint32_t kind, uint32_t number)
{
    struct mh_gpu *g = one_load();
    lose(g, kind, number);
    assert_int_equal(mh_gpu_advance(g, 5000), 5000);
    assert_true(mh_gpu_ended(g));
    assert_has(mh_gpu_deadlock(g), "no event is left, but requests are outstanding; the oldest request: load that warp "
                                   "0 of SM 0 issued at cycle 0 (tenant 0: script, launch ");
    assert_has(mh_gpu_deadlock(g), "CTA 0, warp 0)");
    assert_has(mh_gpu_deadlock(g), "not of the firmware: please report it with the configuration");
    assert_int_equal(mh_gpu_stats(g)->cycles, 5000);
    assert_int_equal(mh_gpu_advance(g, 9000), 5000); /* the end of the run, as any other */
    return g;
}

/* Every place between the warp and DRAM; four levels are walked, so the fifth line from DRAM is the load's own. */
TEST(test_every_lost_event_is_placed)
{
    static const struct {
        uint32_t kind, number;
        const char *says[3];
    } rows[] = {
        {EV_LSU, 1, {"still in the LSU; the LSU of SM 0, at line 0x", "could go on, but its step (EV_LSU) never came"}},
        {EV_L2TLB, 1, {"; L1 TLB MSHR 0 of SM 0 waits for page 0x", "its look-up (EV_L2TLB) or the answer"}},
        {EV_WALK, 1, {"; L1 TLB MSHR 0 of", "; walk 0 of page 0x", "at depth 1: reads physical line 0x"}},
        {EV_L2,
         2,
         {"; walk 0 of page 0x", "at depth 2: reads",
          "its look-up (EV_L2, EV_L2_BYPASS) or its reply (EV_REPLY, EV_PTE)"}},
        {EV_L2_FILL,
         3,
         {"at depth 3: reads", "asked DRAM channel ", "has served it: the line (EV_L2_FILL) never came"}},
        {EV_DRAM, 1, {"at depth 1: reads", "asked DRAM channel ", "which has it in its queue and does not serve it"}},
        {EV_PTE, 4, {"at depth 4: reads", "its reply (EV_REPLY, EV_PTE) never came"}},
        {EV_TLB_FILL, 1, {"; L1 TLB MSHR 0 of SM 0 waits", "the answer (EV_TLB_FILL) never came"}},
        {EV_L2_FILL,
         5,
         {"; L1D MSHR 0 of SM 0 waits for physical line 0x", "MSHR 0: asked DRAM", "(EV_L2_FILL) never"}},
        {EV_L1_FILL, 1, {"; L1D MSHR 0 of SM 0", ", sent to L2 bank ", "its reply (EV_REPLY, EV_L1_FILL) never came"}},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_GPU(g) = stopped_gpu(rows[i].kind, rows[i].number);
        for (uint32_t k = 0; k < 3 && rows[i].says[k]; k++)
            assert_has(mh_gpu_deadlock(g), rows[i].says[k]);
    }
}

/* Lost events of reads past the L2, all but those of the root: the event, and the place of the walk. */
TEST(test_lost_bypass)
{
    static const struct {
        uint32_t kind, number;
        const char *says;
    } rows[] = {
        {EV_L2_BYPASS, 1, "at depth 2: reads physical line 0x"},
        {EV_L2_BYPASS, 1, "its look-up (EV_L2, EV_L2_BYPASS) or its reply (EV_REPLY, EV_PTE) never came"},
        {EV_BYPASS_FILL, 2, "at depth 3: reads physical line 0x"},
        {EV_BYPASS_FILL, 2, "MSHR 0: asked DRAM channel "},
        {EV_BYPASS_FILL, 2, "which has served it: the line (EV_BYPASS_FILL) never came"},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LOCAL_GPU(g) = one_load();
        script_knob(g, MH_REG_L2_BYPASS, 14);
        lose(g, rows[i].kind, rows[i].number);
        mh_gpu_advance(g, 5000);
        assert_has(mh_gpu_deadlock(g), rows[i].says);
    }
}

/* With queues apart: which one; and how many came since, for a lower one may wait for long. */
TEST(test_dram_queues_apart)
{
    LOCAL_GPU(g) = one_load();
    script_knob(g, MH_REG_DRAM_QUEUES, 1);
    lose(g, EV_DRAM, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "at depth 1: reads");
    assert_has(mh_gpu_deadlock(g), "has it in its golden queue and does not serve it; 1 requests have come");
}

/* A reply that does not leave its bank at once has an event of its own. */
TEST(test_lost_reply)
{
    LOCAL_GPU(g) = one_load();
    g->noc->port[0].replies = 1; /* as if another waited for its bank's wire */
    lose(g, EV_REPLY, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "; L1D MSHR 0 of SM 0");
    assert_has(mh_gpu_deadlock(g), "its reply (EV_REPLY, EV_L1_FILL) never came");
}

/* Queues at the inputs: a request that does not cross, of a walk and of an SM, and a reply. */
TEST(test_lost_crossing)
{
    static const struct {
        uint32_t ideal, number;
        const char *says[2];
    } rows[] = {
        {0,
         1,
         {"at depth 1: reads physical line 0x", "in the queue of its port; port 0 of the walkers is about to send"}},
        {0,
         2,
         {", its reply in the queue of its bank; L2 bank ", "to the port 0 of the walkers (EV_CROSS), and does not"}},
        {1,
         1,
         {", in the queue of its port; port of SM 0 is about to send physical line 0x", "(EV_CROSS), and does not"}},
        {1, 2, {", its reply in the queue of its bank; L2 bank ", "to the port of SM 0 (EV_CROSS), and does not"}},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mh_config cfg = script_config(1, 1);
        struct script *s;
        uint64_t addr = in_page(2, 3);

        set_word(&cfg, "noc.queues", "input");
        cfg.noc.vcs = 1 + i % 2;
        cfg.l1tlb.ideal = rows[i].ideal;
        LOCAL_GPU(g) = chain_gpu(&cfg, 1, &addr, &s);
        lose(g, EV_CROSS, rows[i].number);
        mh_gpu_advance(g, 5000);
        for (uint32_t k = 0; k < 2; k++)
            assert_has(mh_gpu_deadlock(g), rows[i].says[k]);
    }
}

/* A load that hits waits for its latency alone. */
TEST(test_lost_end_of_a_load)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s;
    uint64_t addr[] = {in_page(2, 3), in_page(2, 3)};
    LOCAL_GPU(g) = chain_gpu(&cfg, 2, addr, &s);
    lose(g, EV_LOAD_DONE, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g),
               "all its data have come, but the end of the load (EV_LOAD_DONE, EV_ATOMIC_BACK) never did");
}

/* No warp waits for a store; its requests are outstanding all the same. */
TEST(test_store_that_nobody_waits_for)
{
    struct mh_config cfg = script_config(1, 1);
    LOCAL_GPU(g) = stores_gpu(&cfg, 1);
    lose(g, EV_TLB_FILL, 1);
    mh_gpu_advance(g, 5000);
    assert_int_equal(g->tenant[0].count.completions, 1);
    assert_has(mh_gpu_deadlock(g), "the oldest request: L1 TLB MSHR 0 of SM 0 waits for page 0x");
}

/* `warps` warps of one load each, of page 0 or, with `pages`, of a page each. The root's line never comes. */
static struct mh_gpu *crowd(const struct mh_config *cfg, uint32_t warps, bool pages)
{
    struct script *s = script_paged(64, warps);
    for (uint32_t w = 0; w < warps; w++)
        script_ops(s, 0, 0, w, op_load(in_page(pages ? w : 0, pages ? 0 : w * MH_LINE_BYTES)), op_wait(op_barrier()));
    return script_gpu(cfg, &s);
}

/* Where the load of the warp is. */
static const char *path_of(const struct mh_gpu *g, uint32_t warp, char text[2000])
{
    FILE *out = fmemopen(text, 2000, "w");
    mh_path_load(g, 0, warp, 0, out);
    fclose(out);
    return text;
}

/* Two walkers, four MSHRs in the L2 TLB and two credits: later requests wait for earlier ones. */
TEST(test_followers_of_a_lost_walk)
{
    struct mh_config cfg = script_config(1, 1);
    char text[2000];
    cfg.sm.lsu_queue = 32;
    cfg.walk.walkers = 2;
    cfg.l2tlb.mshrs = 4;
    cfg.l2tlb.queue = 2;
    cfg.l1tlb.mshrs = 8;
    LOCAL_GPU(g) = crowd(&cfg, 12, true);
    lose(g, EV_L2_FILL, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "load that warp 0 of SM 0 issued at cycle 0 ");
    assert_has(path_of(g, 1, text), "; walk 1 of page 0x");
    assert_has(path_of(g, 2, text), "; walk 2 waits for a walker; walk 0 of page 0x");
    assert_has(path_of(g, 4, text),
               "stalled at the L2 TLB without an MSHR there or room in the walk buffer; walk 0 of");
    assert_has(path_of(g, 6, text), "without a credit of the L2 TLB; walk 0 of page 0x");
    assert_has(path_of(g, 8, text), "still in the LSU; the LSU of SM 0, at line 0x");
    assert_has(text, "of warp 8, is stopped: no L1 TLB MSHR is free; L1 TLB MSHR 0 of SM 0 waits for page 0x");
    assert_has(text, "which has served it: the line (EV_L2_FILL) never came");
}

/* The page is walked by then; its 16 lines of one bank each want the one MSHR of theirs. */
TEST(test_followers_of_a_lost_line)
{
    struct mh_config cfg = script_config(1, 1);
    char text[2000];
    cfg.sm.lsu_queue = 32;
    cfg.l2.banks = cfg.dram.channels = 1;
    cfg.l2.mshrs = 1;
    cfg.l2.bytes = 128 * 1024;
    cfg.noc.bank_queue = 2;
    cfg.l1d.miss_queue = 3;
    cfg.l1d.mshrs = 8;
    LOCAL_GPU(g) = crowd(&cfg, 12, false);
    lose(g, EV_L2_FILL, 5); /* four of the walk */
    mh_gpu_advance(g, 5000);
    assert_has(path_of(g, 0, text), "; L2 bank 0, MSHR 0: asked DRAM channel 0 for physical line 0x");
    assert_has(path_of(g, 1, text), "stalled at bank 0; L2 bank 0: the head of its stalled queue, a read of physical");
    assert_has(text, "needs an MSHR; L2 bank 0, MSHR 0: asked DRAM channel 0");
    assert_has(path_of(g, 3, text), ", in the queue of its port; port of SM 0 has no credit of bank 0; L2 bank 0: the");
    assert_has(path_of(g, 6, text), "is stopped: the miss queue is full; port of SM 0 has no credit of bank 0");
}

/* One walker and one place in the buffer, behind an IOMMU. */
TEST(test_followers_in_the_iommu)
{
    struct mh_config cfg = script_config(1, 1);
    char text[2000];
    cfg.sm.lsu_queue = 32;
    cfg.walk.walkers = cfg.walk.buffer = 1;
    cfg.iommu.l1_entries = 16;
    cfg.iommu.latency = 50;
    LOCAL_GPU(g) = crowd(&cfg, 4, true);
    lose(g, EV_IOMMU, 4);
    mh_gpu_advance(g, 100);
    lose(g, EV_PTE, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g), "; walk 0 of page 0x");
    assert_has(path_of(g, 1, text), "; walk 1 waits for a walker; walk 0 of page 0x");
    assert_has(path_of(g, 2, text),
               "; walk 2 waits in the IOMMU, whose head has no room in the walk buffer; walk 0 of");
    assert_has(path_of(g, 3, text),
               "; walk 3 was sent to the IOMMU, and its way there or back (EV_IOMMU, EV_IOMMU_BACK)");
}

TEST(test_store_without_acknowledgement)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1d.store_buffer = 1;
    LOCAL_GPU(g) = stores_gpu(&cfg, 2);
    lose(g, EV_STORE_ACK, 1);
    mh_gpu_advance(g, 5000);
    assert_has(mh_gpu_deadlock(g),
               "the oldest request: the LSU of SM 0, at line 0x100000200 of warp 0, is stopped; the "
               "store buffer of SM 0 waits for acknowledgements (EV_STORE_ACK)");
}

/* Two of tenant 1's walks wait in the queue of walker 1, which has lost an entry; tenant 0's goes on. */
TEST(test_walker_with_a_queue)
{
    struct mh_config cfg = script_config(2, 2);
    struct script *s[2];
    cfg.walk.walkers = 2;
    cfg.walk.buffer = 2;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(8, 1);
        for (uint32_t i = 0; i < 3 * t + 1; i++)
            script_add(s[t], 0, 0, 0, op_after(t ? 0 : 4000, op_load(in_page(i, 0))));
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    script_knob(g, MH_REG_WALK_QUEUES, 1);
    lose(g, EV_PTE, 1);
    mh_gpu_advance(g, 20000);
    assert_int_equal(g->tenant[0].count.completions, 1);
    assert_true(mh_gpu_ended(g));
    char path[MH_DEADLOCK_PATH_MAX] = "";
    FILE *out = fmemopen(path, sizeof path, "w");
    mh_path_walk(g, g->steal->queue[1].oldest, out);
    fclose(out);
    assert_has(path, " waits for a walker, where it is walker 1 that is waited for; walk 0 of page 0x");
    out = fmemopen(path, sizeof path, "w");
    mh_path_translation(g, 1, 2, out);
    fclose(out);
    assert_has(path, ", stalled at the L2 TLB without an MSHR there or room in the walk buffer; walk 0 of page 0x");
    assert_has(path, "at depth 1: reads");
}
