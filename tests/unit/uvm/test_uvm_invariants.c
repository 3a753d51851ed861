/* invariants: of the debug build alone */
/* Invariants of demand paging stop a run with a broken unit; a lost event is found, a slow link is no deadlock. */
#include "unit/test.h"
#include "broken_gpu.h"
#include "translate/walk.h"
#include "uvm/internal.h"
#include "uvm_fixture.h"

/* Memory for three units of eight, in the middle of its traffic: two units are there, at least. */
static struct mh_gpu *migrating(void)
{
    static struct mix mix;
    struct mh_config cfg = script_config(4, 1);
    cfg.memory.page_bytes = 65536;
    cfg.uvm.evict_bytes = 65536;
    uvm_units(&cfg, 3);
    mix = (struct mix){.seed = 5, .bytes = 8 * 65536, .ops = 12, .lanes = 64, .threads = 256};
    struct script *s = mix_script(&mix, 1, 8);
    struct mh_gpu *g = script_gpu(&cfg, &s);
    script_until(g, &g->tenant[0].count.uvm_in_bytes, 10 * 65536);
    while (g->uvm->here < 2)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return g;
}

static void set_lost(struct mh_gpu *g)
{
    g->uvm->sets++;
}

static void unit_lost(struct mh_gpu *g)
{
    g->uvm->unit[g->uvm->oldest].state = MH_UNIT_PLACED;
}

static void two_in_one_place(struct mh_gpu *g)
{
    g->uvm->unit[g->uvm->oldest].frames = g->uvm->unit[g->uvm->newest].frames;
}

static void freed_and_there(struct mh_gpu *g)
{
    g->uvm->free_sets[g->uvm->free_count++] = g->uvm->unit[g->uvm->oldest].frames;
}

/* The page table lets go of it, the TLBs and the list of units do not. */
static void not_mapped(struct mh_gpu *g)
{
    mh_pt_lift(g->pages, g->tenant[0].page_root, g->uvm->unit[g->uvm->oldest].vpn);
}

/* It has left, and lines of it are in the caches. */
static void freed_and_cached(struct mh_gpu *g)
{
    mh_pt_give_back(g->pages, mh_unit_frames(g->uvm, &g->uvm->unit[g->uvm->oldest])[0]);
}

static void forgotten_waiter(struct mh_gpu *g)
{
    for (uint32_t u = 0; u < g->uvm->units; u++)
        if (g->uvm->unit[u].head != MH_NONE)
            g->uvm->unit[g->uvm->oldest].head = g->uvm->unit[u].head;
}

TEST(test_invariants_bite)
{
    static fault *const faults[] = {set_lost,   unit_lost,        two_in_one_place, freed_and_there,
                                    not_mapped, freed_and_cached, forgotten_waiter};
    assert_false(child_aborts(migrating, no_fault));
    for (uint32_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (!child_aborts(migrating, faults[i]))
            fail_msg("fault %u is not found", i);
}

/* ---- Reports. */

/*
 * A model that loses an event of demand paging says which unit somebody waits for, where it is and what is ahead of it;
 * one whose link is slow is not taken for one that has stopped.
 */
/* `warps` warps of one SM load from a unit each, the last one after `gap`; memory has room for `units`. */
static struct mh_gpu *warps_gpu(struct mh_config *cfg, uint32_t warps, uint32_t units, uint32_t gap)
{
    struct script *s = script_new();
    cfg->memory.page_bytes = 65536;
    cfg->uvm.evict_amount = MH_EVICT_MOST;
    cfg->uvm.evict_bytes = 65536 * units;
    uvm_units(cfg, units);
    script_buffer(s, SCRIPT_BASE, warps * 65536ull);
    script_warps(s, warps);
    for (uint32_t w = 0; w < warps; w++)
        script_ops(s, 0, 0, w, op_after(w + 1 == warps ? gap : 0, op_load(SCRIPT_BASE + w * 65536ull)),
                   op_wait(op_barrier()));
    return script_gpu(cfg, &s);
}

static struct mh_config config(void)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.sm.lsu_queue = 64;
    return cfg;
}

/* Two warps, memory for one unit: the second one's unit has to wait for the first one's. */
TEST(test_every_lost_event_is_placed)
{
    static const struct {
        uint32_t kind, number;
        const char *says[4];
    } rows[] = {
        {EV_UVM_HANDLED, 1, {" with unit 0 of tenant 0, which is with the handler (EV_UVM_HANDLED), in place 1"}},
        {EV_UVM_IN, 1, {" with unit 0 of", "on the link (EV_UVM_IN), in place 1", "at line 0 of the unit that comes"}},
        {EV_UVM_IN, 200, {" with unit 0 of", "(EV_UVM_IN), in place 1", "at line 199 of the unit that comes"}},
        {EV_UVM_HANDLED, 2, {" with unit 1 of tenant 0, which is with the handler (EV_UVM_HANDLED), in place 1"}},
        {EV_UVM_DRAIN, 1, {"unit 1 of", "waits for frames, in place 1", ", 1 units drain (EV_UVM_DRAIN)"}},
        {EV_UVM_OUT, 1, {"unit 1 of", "frames, in place 1", "at line 0 of the unit that leaves (EV_UVM_OUT), 0 to w"}},
        {EV_UVM_READ, 7, {"unit 1 of", "frames, in place 1", "at line 512 of the unit that leaves", "511 read"}},
        {EV_UVM_LEFT, 1, {"unit 1 of", "frames, in place 1", "at line 512 of the unit that leaves", "512 read"}},
        {EV_UVM_IN, 513, {"unit 1 of", "on the link (EV_UVM_IN), in place 1", "at line 0 of the unit that comes"}},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mh_config cfg = config();
        LOCAL_GPU(g) = warps_gpu(&cfg, 2, 1, 30000);
        lose(g, rows[i].kind, rows[i].number);
        mh_gpu_advance(g, 3000000); /* units that want frames look for them for ever: it is age that tells */
        if (!mh_gpu_deadlock(g))
            fail_msg("row %u: no report", i);
        assert_has(mh_gpu_deadlock(g), "; the oldest request: load that");
        assert_has(mh_gpu_deadlock(g), ", parked since cycle ");
        for (uint32_t k = 0; k < 4 && rows[i].says[k]; k++)
            assert_has(mh_gpu_deadlock(g), rows[i].says[k]);
    }
}

static const char *path_of(const struct mh_gpu *g, uint32_t mshr, char text[2000])
{
    FILE *out = fmemopen(text, 2000, "w");
    mh_path_translation(g, 0, mshr, out);
    fclose(out);
    return text;
}

/* A handler that never answers the first: the others wait behind it, two in the buffer, the rest before it. */
TEST(test_places_in_the_buffer)
{
    struct mh_config cfg = config();
    char text[2000];
    cfg.uvm.buffer = 2;
    LOCAL_GPU(g) = warps_gpu(&cfg, 5, 5, 0);
    lose(g, EV_UVM_HANDLED, 1);
    mh_gpu_advance(g, 300000);
    assert_has(mh_gpu_deadlock(g), "with the handler");
    assert_has(path_of(g, 1, text), "which is in the fault buffer, in place 1");
    assert_has(path_of(g, 2, text), "which is in the fault buffer, in place 2");
    assert_has(path_of(g, 3, text), "which waits for an entry of the fault buffer, in place 1");
    assert_has(path_of(g, 4, text), "which waits for an entry of the fault buffer, in place 2");
}

/* A unit that leaves is asked for again, and cannot come before it has left. */
TEST(test_place_of_one_that_leaves)
{
    struct mh_config cfg = config();
    cfg.uvm.out_rate = 1000000;
    struct script *s = script_new();
    cfg.memory.page_bytes = 65536;
    cfg.uvm.evict_amount = MH_EVICT_MOST;
    cfg.uvm.evict_bytes = 3 * 65536;
    uvm_units(&cfg, 3);
    script_buffer(s, SCRIPT_BASE, 4 * 65536);
    script_warps(s, 1);
    for (uint32_t i = 0; i < 3; i++)
        script_add(s, 0, 0, 0, op_load(SCRIPT_BASE + i * 65536));
    script_ops(s, 0, 0, 0, op_after(60000, op_load(SCRIPT_BASE + 3 * 65536)),
               op_after(30000, op_load(SCRIPT_BASE + 2 * 65536)), op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    char text[2000];
    /* 65 ms, and as many for the two before it. None of that is a stop. */
    mh_gpu_advance(g, 1000000);
    assert_int_equal(g->tenant[0].count.uvm_evictions, 3);
    for (uint32_t m = 0; m < cfg.l1tlb.mshrs && !strstr(path_of(g, m, text), "leaves over the link"); m++)
        ;
    assert_has(text, "with unit 2 of tenant 0, which leaves over the link, in place 3");
    mh_gpu_advance(g, 260000000);
    assert_null(mh_gpu_deadlock(g));
    assert_int_equal(g->tenant[0].count.completions, 1);
    assert_int_equal(g->tenant[0].count.uvm_faults, 5);
}

/* The slowest link and handler that there are. */
TEST(test_slow_is_not_stopped)
{
    struct mh_config cfg = config();
    cfg.uvm.in_rate = cfg.uvm.out_rate = 1000000;
    cfg.uvm.fault_ns = 100000000;
    cfg.uvm.link_ns = 1000000;
    cfg.uvm.batch = 1;
    LOCAL_GPU(g) = warps_gpu(&cfg, 3, 1, 0);
    mh_gpu_advance(g, 2000000000);
    assert_null(mh_gpu_deadlock(g));
    assert_int_equal(g->tenant[0].count.completions, 1);
}
