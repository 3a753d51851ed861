/* L1D: merging, writes, sectors, store buffer; cycles by hand. */
#include "unit/test.h"
#include "sm_fixture.h"
#include "script.h"

/* Many small loads of one line that is on its way: one request to the L2, and all are done with its arrival. */
TEST(test_l1d_merges)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s = warm_script(4);
    for (uint32_t w = 0; w < 4; w++)
        script_ops(s, 1, 0, w, op_load(in_page(0, 1024 + 4 * w)), op_wait(op_barrier()));
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(g->tenant[0].count.l2_access, 8 + 1);
    /* Reading takes the first warp's request as long as any; they go on together, one issue after the other. */
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t w = 0; w < 4; w++) {
        uint64_t at = issued(s, w, 1);
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    assert_int_equal(last - first, 3);
}

/* L1D: write-through without allocation, an atomic drops the line. */
TEST(test_l1d_writes)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "l1d.store_hit", "keep");
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_store(hot(0)));                  /* in the L1D: stays, and goes to the L2 */
    script_add(s, 1, 0, 0, op_store(in_page(0, 512)));         /* not in the L1D: not allocated */
    script_add(s, 1, 0, 0, op_load(hot(0)));                   /* hit */
    script_add(s, 1, 0, 0, op_wait(op_load(in_page(0, 512)))); /* miss */
    script_add(s, 1, 0, 0, op_wait(op_atomic(hot(0))));
    script_add(s, 1, 0, 0, op_load(hot(0))); /* miss */
    LOCAL_GPU(g) = run(&cfg, s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->l1d_access, 8 + 3);
    assert_int_equal(c->l1d_hit, 1);
    assert_int_equal(c->l2_access, 8 + 2 + 1 + 1 + 1);
}

/* How many of the loads hit an L1D of one set, empty at first. */
static uint64_t hits_of(const char *store_hit, uint32_t ways, const struct mh_op *op, uint32_t count)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "l1d.store_hit", store_hit);
    cfg.l1d.ways = ways;
    cfg.l1d.bytes = ways * MH_LINE_BYTES;
    struct script *s = script_paged(CHAIN_PAGES, 1);
    script_add_ops(s, 0, 0, 0, op, count);
    LOCAL_GPU(g) = run(&cfg, s);
    uint64_t hits = g->tenant[0].count.l1d_hit;
    return hits;
}

static uint64_t allocated(const char *store_miss, const struct mh_op *op, uint32_t count, uint32_t sectors)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "l1d.store_hit", "keep");
    set_word(&cfg, "l1d.store_miss", store_miss);
    cfg.l1d.sector_bytes = sectors;
    cfg.l2.sector_bytes = sectors;
    cfg.dram.bus_bytes = 4;
    struct script *s = script_paged(CHAIN_PAGES, 1);
    script_add_ops(s, 0, 0, 0, op, count);
    LOCAL_GPU(g) = run(&cfg, s);
    return g->tenant[0].count.l1d_hit;
}

/* l1d.store_miss allocate: what a store covers whole is there; of lines, whole ones; with an L2 of sectors, sectors. */
TEST(test_store_misses)
{
    const struct mh_op whole = op_store_lines(hot(0), 1);                       /* 128 bytes */
    const struct mh_op sector = op_lanes(MH_OP_STORE, 4, 0xff, hot(1) + 32, 4); /* 32 of them */
    const struct mh_op part = op_lanes(MH_OP_STORE, 4, 0x7f, hot(2), 4);
    const struct mh_op op[] = {
        op_wait(whole),
        op_wait(op_load(hot(0))),
        op_wait(sector),
        op_wait(op_load(hot(1) + 32)),
        op_wait(op_load(hot(1))),
        op_wait(op_load(hot(1) + 96)),
        op_wait(part),
        op_wait(op_load(hot(2))),
        op_wait(op_load(hot(2))),
        op_wait(sector),
        op_wait(op_barrier()),
    };
    /* Lines: the store of a whole one alone leaves it; then all of lines 1 and 2 come at the first load. */
    assert_int_equal(allocated("no_allocate", op, sizeof op / sizeof *op, 0), 3);
    assert_int_equal(allocated("allocate", op, sizeof op / sizeof *op, 0), 4);
    /* Sectors: the loads of the first and the last of line 1 miss whatever was stored; the second load of line 2 hits.
     */
    assert_int_equal(allocated("no_allocate", op, sizeof op / sizeof *op, 32), 1);
    assert_int_equal(allocated("allocate", op, sizeof op / sizeof *op, 32), 3);
}

/* l1d.store_hit drop: the store of a line that is there takes it out; that of another one does nothing. */
TEST(test_store_hits)
{
    const struct mh_op op[] = {
        op_load(hot(0)),           op_wait(op_load(hot(1))), /* two lines */
        op_wait(op_store(hot(0))), op_load(hot(0)),          /* a miss with drop */
        op_wait(op_load(hot(0))),                            /* which has brought it back */
        op_wait(op_store(hot(2))), op_load(hot(0)),          /* not there: others stay */
        op_wait(op_load(hot(2))),                            /* and it is not allocated */
        op_wait(op_load(hot(1))),  op_wait(op_barrier()),
    };
    assert_int_equal(hits_of("keep", 8, op, sizeof op / sizeof *op), 4);
    assert_int_equal(hits_of("drop", 8, op, sizeof op / sizeof *op), 3);
}

/* What a store or an atomic has dropped leaves room: the next fill replaces nothing. */
TEST(test_drop_leaves_room)
{
    struct mh_op op[] = {
        op_wait(op_load(hot(0))), op_wait(op_load(hot(1))), op_wait(op_store(hot(1))), op_wait(op_load(hot(2))),
        op_wait(op_load(hot(0))), op_wait(op_load(hot(2))), op_wait(op_barrier()),
    };
    assert_int_equal(hits_of("keep", 2, op, sizeof op / sizeof *op), 1); /* line 0 has made room */
    assert_int_equal(hits_of("drop", 2, op, sizeof op / sizeof *op), 2);
    op[2] = op_wait(op_atomic(hot(1)));
    assert_int_equal(hits_of("keep", 2, op, sizeof op / sizeof *op), 2);
}

/* A line that is on its way when it is stored stays when it has come. */
TEST(test_store_of_line_on_its_way)
{
    const struct mh_op op[] = {op_load(hot(0)), op_store(hot(0)), op_wait(op_load(hot(1))), op_wait(op_load(hot(0))),
                               op_wait(op_barrier())};
    assert_int_equal(hits_of("keep", 8, op, sizeof op / sizeof *op), 1);
    assert_int_equal(hits_of("drop", 8, op, sizeof op / sizeof *op), 1);
}

/*
 * The words of two lines, stored by a list in any order: the L2 needs nothing from DRAM. With a lane less, the line of
 * the missing word is fetched; at bytes that are not words, all three lines are.
 */
TEST(test_list_stores_of_whole_lines)
{
    static const uint32_t fetched[] = {0, 1, 3};
    for (uint32_t kind = 0; kind < 3; kind++) {
        struct mh_config cfg = script_config(1, 1);
        uint64_t addr[MH_MAX_LANES];
        struct script *s = script_paged(4, 1);
        for (uint32_t l = 0; l < 64; l++)
            addr[l] = in_page(1, 4 * (l * 37 % 64) + (kind == 2 ? 2 : 0));
        uint64_t mask = kind == 1 ? UINT64_MAX >> 1 : UINT64_MAX;
        script_add_list(s, 0, 0, 0, op_lanes(MH_OP_STORE, 4, mask, 0, 0), addr);
        LOCAL_GPU(g) = run(&cfg, s);
        mh_gpu_advance(g, mh_gpu_now(g) + 2000);
        script_assert_idle(g);
        const struct mh_counters *c = &g->tenant[0].count;
        assert_int_equal(c->l2_access, kind == 2 ? 3 : 2);
        assert_int_equal(c->l2_hit, 0);
        assert_int_equal(c->dram_read, fetched[kind]);
        assert_int_equal(c->dram_write, 0);
    }
}

/* Two L1D MSHRs, a miss queue of one: everything arrives all the same, nothing is counted twice. */
TEST(test_narrow_l1d)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1d.mshrs = 2;
    cfg.l1d.miss_queue = 1;
    cfg.sm.pending = 2;
    cfg.l1tlb.mshrs = 1;
    struct script *s = script_paged(512, 4);
    for (uint32_t w = 0; w < 4; w++)
        for (uint32_t i = 0; i < 4; i++)
            script_add(s, 0, 0, w,
                       op_lanes(i % 2 ? MH_OP_STORE : MH_OP_LOAD, 8, UINT64_MAX, in_page(64 * w + 16 * i, 0), 1024));
    LOCAL_GPU(g) = run(&cfg, s);
    mh_gpu_advance(g, mh_gpu_now(g) + 20000); /* the last stores are still on their way */
    script_assert_idle(g);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(c->mem_instr, 16);
    assert_int_equal(c->l1d_access, 8 * 64);
    assert_int_equal(c->l2_access, 16 * 64 - c->l1d_hit);
}

/*
 * A load that misses the L1D and hits the L2: LSU 1, crossbar 8, L2 10, crossbar 8, as many flits behind the head as
 * there are sectors of 32 bytes, L1 TLB and L1D 1 each.
 */
static uint64_t l2_hit(uint32_t sectors)
{
    return 1 + 8 + 10 + 8 + sectors + 1 + 1;
}

/* The warm launch has brought the first sector of each line alone. */
TEST(test_sectors)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1d.sector_bytes = 32;
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(hot(0)));               /* hit */
    script_add(s, 1, 0, 0, op_wait(op_load(hot(0) + 32))); /* its line is there, its sector is not */
    script_add(s, 1, 0, 0, op_wait(op_load(hot(0) + 60))); /* now it is */
    script_add(s, 1, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, UINT32_MAX, hot(0), 4))); /* two of four are there */
    script_add(s, 1, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, UINT32_MAX, hot(0), 4))); /* all are */
    script_add(s, 1, 0, 0, op_wait(op_barrier()));
    struct mh_gpu *g = run(&cfg, s);
    uint64_t want[] = {WARM_HIT, l2_hit(1), WARM_HIT, l2_hit(2), WARM_HIT};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(issued(s, 0, i + 1) - issued(s, 0, i), want[i]);
    assert_int_equal(g->tenant[0].count.l2_access, 8 + 1 + 1);
    assert_int_equal(g->tenant[0].count.l1d_hit, 3);
    script_end(g);
}

/* A fetch of half a line: the neighbour comes along, the other half does not. */
TEST(test_half_lines)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1d.sector_bytes = 64;
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(hot(0) + 32));          /* came with the first sector */
    script_add(s, 1, 0, 0, op_wait(op_load(hot(0) + 96))); /* brings sector 2 too */
    script_ops(s, 1, 0, 0, op_wait(op_load(hot(0) + 64)), op_wait(op_barrier()));
    LOCAL_GPU(g) = run(&cfg, s);
    uint64_t want[] = {WARM_HIT, l2_hit(2), WARM_HIT};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(issued(s, 0, i + 1) - issued(s, 0, i), want[i]);
}

/* Three loads of one line under way: the second wants a sector more, which is asked for; the third finds its own. */
TEST(test_sectors_merge)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1d.sector_bytes = 32;
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(hot(0) + 32));
    script_add(s, 1, 0, 0, op_lanes(MH_OP_LOAD, 4, 0xffff, hot(0) + 32, 4)); /* sectors 1 and 2 */
    script_ops(s, 1, 0, 0, op_load(hot(0) + 64), op_wait(op_barrier()));
    struct mh_gpu *g = run(&cfg, s);
    assert_int_equal(g->tenant[0].count.l2_access, 8 + 2);
    assert_int_equal(issued(s, 0, 3), l2_hit(1) + 2); /* the second reply's two flits behind the first's */
    script_end(g);
}

/*
 * Two stores without an acknowledgement at most. A store of one sector: LSU 1, crossbar 8 and a flit behind the head,
 * L2 10, crossbar 8: 28 cycles after its issue the third may go, and the load behind it a cycle later.
 */
TEST(test_store_buffer)
{
    static const struct {
        uint32_t buffer;
        uint64_t load;
    } rows[] = {{0, 3 + WARM_HIT}, {3, 3 + WARM_HIT}, {2, 28 + WARM_HIT}, {1, 2 * 27 + 1 + WARM_HIT}};
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct mh_config cfg = script_config(1, 1);
        cfg.l1d.store_buffer = rows[i].buffer;
        struct script *s = warm_script(1);
        for (uint32_t k = 0; k < 3; k++)
            script_add(s, 1, 0, 0, op_store(hot(k)));
        script_ops(s, 1, 0, 0, op_load(hot(3)), op_wait(op_barrier()));
        struct mh_gpu *g = run(&cfg, s);
        assert_int_equal(issued(s, 0, 4), rows[i].load);
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
        script_end(g);
    }
}

/* Lines of 64 bytes: 128 bytes are two of them, each comes in a packet of three flits. */
TEST(test_lines_of_64_bytes)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.memory.line_bytes = 64;
    struct script *s = warm_script(1);
    script_add(s, 1, 0, 0, op_load(hot(0) + 60));          /* hit */
    script_add(s, 1, 0, 0, op_wait(op_load(hot(0) + 64))); /* another line, not fetched before */
    script_add(s, 1, 0, 0, op_wait(op_atomic(hot(0))));    /* drops the L1D's copy; the L2 keeps its own */
    script_ops(s, 1, 0, 0, op_load(hot(0)), op_wait(op_barrier()));
    LOCAL_GPU(g) = run(&cfg, s);
    assert_int_equal(issued(s, 0, 1) - issued(s, 0, 0), WARM_HIT);
    assert_int_equal(issued(s, 0, 4) - issued(s, 0, 3), l2_hit(2) + 1); /* behind the atomic's second flit */
    assert_int_equal(g->tenant[0].count.dram_read, 8 + 1);
}
