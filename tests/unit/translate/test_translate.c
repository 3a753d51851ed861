/* Translation: L1 TLB, L2 TLB, walks; cycles by hand. */
#include "unit/test.h"
#include "translate_fixture.h"

/* An L2 hit of data: crossbar 8, L2 10, crossbar 8, four flits behind the head, and then L1 TLB and L1D as a hit. */
enum { DATA = 8 + 10 + 8 + 4 + HIT };

TEST(test_l1tlb_hit)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s;
    LOCAL_GPU(g) = chain_ended(&cfg, 2, (uint64_t[]){in_page(0, 0), in_page(0, 4)}, &s);
    assert_int_equal(chain_cycles(s, 1), LSU + HIT);
    assert_int_equal(g->tenant[0].count.l1tlb_access, 2);
    assert_int_equal(g->tenant[0].count.l1tlb_hit, 1);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 1);
}

TEST(test_l2tlb_hit)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    struct mh_gpu *g = to_and_fro_ended(&cfg, &s);
    assert_int_equal(chain_cycles(s, 2), ASK + L2TLB + WIRE + HIT); /* 30 */
    assert_int_equal(chain_cycles(s, 3), ASK + L2TLB + WIRE + HIT);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 4);
    assert_int_equal(g->tenant[0].count.l2tlb_hit, 2);
    assert_int_equal(g->tenant[0].count.walks, 2);
    mh_gpu_destroy(g);
    cfg.l1d.bytes = MH_LINE_BYTES; /* one line: the data come from the L2 */
    cfg.l1d.ways = 1;
    g = to_and_fro_ended(&cfg, &s);
    assert_int_equal(chain_cycles(s, 2), ASK + L2TLB + WIRE + DATA); /* 60 */
    mh_gpu_destroy(g);
}

/*
 * Slow L1s, T and D. Every way of a load pays both once where its line is used: hits, lines that come from the L2,
 * lines that waited for a translation. A miss in the L1 TLB pays T before it leaves as well.
 */
TEST(test_l1_latencies)
{
    enum { T = 5, D = 30, L2 = 8 + 10 + 8 + 4 };
    struct mh_config cfg;
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0),   in_page(1, 128), in_page(0, 0),   in_page(0, 0),
                             in_page(0, 256), in_page(0, 0),   in_page(1, 128), in_page(1, 384)};
    cfg = small_config(1);
    cfg.l1tlb.latency = T;
    cfg.l1d.latency = D;
    cfg.l1d.bytes = MH_LINE_BYTES; /* one line */
    cfg.l1d.ways = 1;
    LOCAL_GPU(g) = chain_ended(&cfg, 8, addr, &s);
    assert_int_equal(chain_cycles(s, 2), LSU + T + WIRE + L2TLB + WIRE + L2 + T + D); /* L1 TLB and L1D miss */
    assert_int_equal(chain_cycles(s, 3), LSU + T + D);                                /* both hit */
    assert_int_equal(chain_cycles(s, 5), LSU + L2 + T + D);                           /* L1D misses */
    assert_int_equal(chain_cycles(s, 6), LSU + T + WIRE + L2TLB + WIRE + L2 + T + D);
    assert_int_equal(g->tenant[0].count.dram_read, 4); /* lines 0 and 2 of page 0, 1 and 3 of page 1 */
}

/* An ideal L1 TLB hits at the first touch of a page, in the time of any hit, without a walk. */
TEST(test_ideal_l1tlb)
{
    enum { T = 5, CLOSED = 22 + 2 + 22 + 2 }; /* tRCD, the line's second column command, CL, its burst */
    struct mh_config cfg = small_config(1);
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(0, 4), in_page(1, 132), in_page(1, 128)};
    cfg.l1tlb.ideal = 1;
    cfg.l1tlb.latency = T;
    LOCAL_GPU(g) = chain_gpu(&cfg, 5, addr, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    chain_run(g);
    assert_int_equal(chain_cycles(s, 0), LSU + 8 + CLOSED + 10 + 8 + 4 + T + 1);
    for (uint32_t i = 2; i < 5; i++)
        assert_int_equal(chain_cycles(s, i), LSU + T + 1);
    assert_int_equal(c->l1tlb_access, 5);
    assert_int_equal(c->l1tlb_hit, 5);
    assert_int_equal(c->l2tlb_access + c->walks + c->pte1_access + c->dram_walk, 0);
    assert_int_equal(c->dram_read, 2); /* lines 0 of page 0 and 1 of page 1, wherever those are */
}

/* Four reads of the page table that hit in the L2, one after the other. */
TEST(test_walk)
{
    struct mh_config cfg = walking_config(1);
    struct script *s;
    LOCAL_GPU(g) = to_and_fro_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    script_until(g, &c->walks, 2);
    uint64_t cold = c->walk_cycles;
    chain_run(g);
    assert_int_equal(chain_cycles(s, 2), ASK + L2TLB + WALK + WIRE + HIT); /* 138 */
    assert_int_equal(chain_cycles(s, 3), ASK + L2TLB + WALK + WIRE + HIT);
    assert_int_equal(c->walk_cycles - cold, 2 * (L2TLB + WALK));
    assert_int_equal(c->l2tlb_hit, 0);
    assert_int_equal(c->walks, 4);
    /* Pages 0 and 1 share all four lines of the page table: the first walk missed each, the other three hit. */
    const uint64_t *pte = &c->pte1_access;
    for (uint32_t depth = 0; depth < 4; depth++) {
        assert_int_equal(pte[2 * depth], 4);
        assert_int_equal(pte[2 * depth + 1], 3);
    }
    assert_int_equal(c->dram_walk, 4);
}

/* Two SMs miss the same page at the same time: two look-ups, one walk, and both go on in the same cycle. */
TEST(test_merge)
{
    for (uint32_t ports = 1; ports <= 2; ports++) {
        struct mh_config cfg = script_config(2, 1);
        cfg.l2.ports = ports;
        struct script *s = script_new();
        script_buffer(s, SCRIPT_BASE, 8 * SCRIPT_PAGE);
        script_launch(s, (struct mh_launch){.ctas = 2, .threads = 64});
        for (uint32_t cta = 0; cta < 2; cta++)
            script_ops(s, 0, cta, 0, op_load(in_page(3, 0)), op_wait(op_barrier()));
        LOCAL_GPU(g) = script_gpu(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        script_until(g, &c->completions, 1);
        assert_int_equal(c->l1tlb_access, 2);
        assert_int_equal(c->l2tlb_access, 2);
        assert_int_equal(c->walks, 1);
        assert_int_equal(c->l2tlb_fill + c->bypass_fill, 1);
        /* Both loads are of one line: its two copies leave together or, through one port, one behind the other. */
        assert_int_equal(script_issued(s, 0, 1, 0, 1) - script_issued(s, 0, 0, 0, 1), ports == 1 ? 5 : 0);
    }
}

enum { N = 8 };

/*
 * One load of N pages, whose page table lines are in the L2. Returns the GPU when all are walked; *start: their first
 * look-up, *cycles: their part of walk_cycles.
 */
static struct mh_gpu *n_walks(uint32_t walkers, uint32_t ports, uint64_t *start, uint64_t *cycles)
{
    static const uint64_t page[N] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct mh_config cfg = walking_config(1);
    cfg.walk.walkers = walkers;
    cfg.l2.ports = ports;
    struct mh_gpu *g = warm_list_gpu(&cfg, N, N, page);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t cold = c->walk_cycles;
    *start = mh_gpu_now(g) + ASK;
    script_until(g, &c->walks, 2 + N);
    *cycles = c->walk_cycles - cold;
    return g;
}

/* Page k is looked up k cycles after the first (one line a cycle); one walker takes the walks one after the other. */
TEST(test_one_walker)
{
    uint64_t start, cycles, sum = 0;
    LOCAL_GPU(g) = n_walks(1, 2, &start, &cycles);
    assert_int_equal(mh_gpu_now(g), start + L2TLB + N * WALK);
    for (uint64_t k = 0; k < N; k++)
        sum += L2TLB + (k + 1) * WALK - k;
    assert_int_equal(cycles, sum);
}

/*
 * Enough walkers: all at once, a cycle apart. Their first reads are of one line: its bank takes a read a cycle, and
 * sends two entries of two flits in two cycles. With one port it sends one in two, and from there on the walks stay two
 * cycles apart.
 */
TEST(test_many_walkers)
{
    for (uint64_t apart = 1; apart <= 2; apart++) {
        uint64_t start, cycles, sum = 0;
        LOCAL_GPU(g) = n_walks(64, apart == 1 ? 2 : 1, &start, &cycles);
        assert_int_equal(mh_gpu_now(g), start + L2TLB + WALK + apart * (N - 1));
        for (uint64_t k = 0; k < N; k++)
            sum += L2TLB + WALK + apart * k - k;
        assert_int_equal(cycles, sum);
    }
}

/* Pairs, a cycle apart. */
TEST(test_two_walkers)
{
    uint64_t start, cycles;
    LOCAL_GPU(g) = n_walks(2, 2, &start, &cycles);
    assert_int_equal(mh_gpu_now(g), start + L2TLB + N / 2 * WALK + 1);
}

/*
 * One walker, taken. A miss that is looked up one cycle before the walker is free still pays the look-up's latency
 * before its walk starts.
 */
TEST(test_walker_freed_during_look_up)
{
    struct mh_config cfg = walking_config(1);
    cfg.walk.walkers = 1;
    struct script *s = script_paged(8, 1);
    script_add(s, 0, 0, 0, op_load(in_page(0, 0)));                /* warms the page table's lines */
    script_add(s, 0, 0, 0, op_wait(op_load(in_page(1, 0))));       /* looked up at 10, walks from 20 to 128 */
    script_add(s, 0, 0, 0, op_after(116, op_load(in_page(2, 0)))); /* issued at 117, looked up at 127 */
    script_add(s, 0, 0, 0, op_wait(op_barrier()));
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    uint64_t third = script_until(g, &g->tenant[0].count.walks, 3), start = script_issued(s, 0, 0, 0, 1);
    assert_int_equal(script_issued(s, 0, 0, 0, 2) - start, 117);
    assert_int_equal(third - start, 117 + ASK + L2TLB + WALK); /* 245; walker to walker it were 236 */
}

/* Five SMs ask in the same cycle; `ports` look-ups start at that cycle and at each that follows. */
TEST(test_ports)
{
    for (uint32_t ports = 1; ports <= 3; ports++) {
        struct mh_config cfg = script_config(5, 1);
        cfg.l2tlb.ports = ports;
        LOCAL_GPU(g) = one_load_each(&cfg, 1);
        for (uint32_t c = 0; c < 5; c++) {
            mh_gpu_advance(g, ASK + c);
            uint32_t done = ports * (c + 1);
            assert_int_equal(g->tenant[0].count.l2tlb_access, done < 5 ? done : 5);
        }
    }
}

/* One credit: the next request goes through the L1 TLB and to the L2 TLB when the one before is looked up. */
TEST(test_queue_pushes_back)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l2tlb.queue = 1;
    LOCAL_GPU(g) = list_gpu(&cfg, 6);
    for (uint64_t k = 0; k < 6; k++) {
        uint64_t at = LSU + (k + 1) * (L1TLB + WIRE);
        mh_gpu_advance(g, at - 1);
        assert_int_equal(g->tenant[0].count.l2tlb_access, k);
        mh_gpu_advance(g, at);
        assert_int_equal(g->tenant[0].count.l2tlb_access, k + 1);
    }
}

/* Two L1 TLB MSHRs: the third page stops the LSU until a translation comes. */
TEST(test_l1tlb_mshrs)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1tlb.mshrs = 2;
    LOCAL_GPU(g) = list_gpu(&cfg, 6);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = script_until(g, &c->walks, 1);
    assert_int_equal(c->l1tlb_access, 2);
    assert_int_equal(c->l2tlb_access, 2);
    assert_true(g->sm[0].lsu_stalled);
    /*
     * Both walks waited for the same lines from DRAM and end together. Their two lines go first, one a cycle, the third
     * page in the cycle behind them.
     */
    assert_int_equal(c->walks, 2);
    mh_gpu_advance(g, first + WIRE + 1);
    assert_int_equal(c->l1tlb_access, 2);
    mh_gpu_advance(g, first + WIRE + 2);
    assert_int_equal(c->l1tlb_access, 3);
    script_until(g, &c->completions, 1);
    assert_int_equal(c->walks, 6);
}

/* One L2 TLB MSHR: later misses wait, in order, for the end of the walk; they count once. */
TEST(test_l2tlb_mshrs)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l2tlb.mshrs = 1;
    struct mh_gpu *g = list_gpu(&cfg, 5);
    const struct mh_counters *c = &g->tenant[0].count;
    for (uint64_t k = 1; k <= 5; k++) {
        script_until(g, &c->walks, k);
        /* The next look-up succeeds in the cycle in which the walk ends. */
        assert_int_equal(c->l2tlb_access, k < 5 ? k + 1 : 5);
        assert_int_equal(c->walks_live, k < 5);
    }
    /* Alone on the GPU the last walks find everything in the L2: each takes exactly a walk. */
    assert_int_equal(c->pte4_hit, 4);
    uint64_t end = mh_gpu_now(g);
    mh_gpu_destroy(g);
    g = list_gpu(&cfg, 5);
    uint64_t before = script_until(g, &g->tenant[0].count.walks, 4);
    assert_int_equal(end - before, L2TLB + WALK);
    mh_gpu_destroy(g);
}

/* Look-ups keep their order: a hit behind a miss that finds no MSHR waits with it. */
TEST(test_stalled_look_ups_keep_their_order)
{
    struct mh_config cfg = small_config(1);
    uint64_t addr[MH_MAX_LANES] = {in_page(10, 0), in_page(11, 0), in_page(0, 256)};
    cfg.l2tlb.mshrs = 1;
    struct script *s = script_paged(64, 1);
    script_add(s, 0, 0, 0, op_load(in_page(0, 0)));
    script_add(s, 0, 0, 0, op_wait(op_load(in_page(1, 0)))); /* page 0 is in the L2 TLB, no longer in the L1 TLB */
    script_add_list(s, 0, 0, 0, op_wait(op_lanes(MH_OP_LOAD, 4, 7, 0, 0)), addr);
    LOCAL_GPU(g) = script_gpu(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t before = 0;
    for (; c->walks < 3; mh_gpu_advance(g, mh_gpu_now(g) + 1))
        before = c->l2tlb_access;
    assert_int_equal(before, 3);          /* pages 0, 1 and 10; page 11 stands before page 0 */
    assert_int_equal(c->l2tlb_access, 5); /* both in the cycle in which the walk ends: there are two ports */
    assert_int_equal(c->l2tlb_hit, 1);
}

/* Four entries, two ways: even pages share a set, and the least recently used of three goes. */
TEST(test_l2tlb_lru)
{
    struct mh_config cfg = small_config(1);
    struct script *s;
    static const uint32_t page[] = {0, 2, 1, 0, 4, 1, 0, 2}, walks[] = {1, 1, 1, 0, 1, 0, 0, 1};
    uint64_t addr[8];
    cfg.l2tlb.entries = 4;
    cfg.l2tlb.ways = 2;
    cfg.l2tlb.bypass_entries = 0;
    for (uint32_t i = 0; i < 8; i++)
        addr[i] = in_page(page[i], 128 * i);
    LOCAL_GPU(g) = chain_gpu(&cfg, 8, addr, &s);
    uint64_t want = 0;
    for (uint32_t i = 0; i < 8; i++) {
        while (script_issued(s, 0, 0, 0, i + 1) == SCRIPT_NEVER)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        want += walks[i];
        assert_int_equal(g->tenant[0].count.walks, want);
    }
}
