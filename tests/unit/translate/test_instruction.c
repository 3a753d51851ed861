/* What is counted of memory instructions with walks; the two TLBs of an IOMMU; cycles by hand. */
#include "unit/test.h"
#include "gpu/gpu.h"
#include "walk_fixture.h"
#include "translate_fixture.h"

static struct mh_counters counters(struct mh_gpu *g)
{
    struct mh_counters c[MH_MAX_TENANTS];

    mh_blocks_counters(g, c);
    return c[0];
}

/* A walk of four reads that begins and ends, by hand. */
static void walk(struct mh_gpu *g, uint32_t instruction, uint64_t latency)
{
    uint32_t record = mh_instruction_walk(g, instruction, 0, 0);

    g->instructions->record[record].reads += 4;
    mh_instruction_walked(g->instructions, record, latency);
}

/* Reads of an instruction's walks at, below and above each edge; instructions that are not over are not counted. */
TEST(test_reads)
{
    static const uint32_t walks[] = {1, 4, 5, 8, 9, 12, 13, 16, 17, 40};
    struct bench b = bench_open(0);

    for (uint32_t i = 0; i < sizeof walks / sizeof walks[0]; i++)
        for (uint32_t n = 0; n < walks[i]; n++)
            walk(b.g, 100 + i, 1);
    uint32_t live = mh_instruction_walk(b.g, 99, 0, 0);
    struct mh_counters c = counters(b.g);

    assert_int_equal(c.walk_instr, 10);
    assert_int_equal(c.walk_instr_many, 9);
    assert_int_equal(c.walk_reads_16, 2);
    assert_int_equal(c.walk_reads_32, 2);
    assert_int_equal(c.walk_reads_48, 2);
    assert_int_equal(c.walk_reads_64, 2);
    assert_int_equal(c.walk_reads_more, 2);
    b.g->instructions->record[live].reads = 1;
    mh_instruction_walked(b.g->instructions, live, 1);
    assert_int_equal(counters(b.g).walk_instr, 11);
    assert_int_equal(counters(b.g).walk_instr, 11); /* once */
    bench_close(&b);
}

/* A B A: A's are mixed, B has one only. C C: not. D E D E: both. Latencies: of the first and the last that ended. */
TEST(test_mixed)
{
    static const char order[] = "ABACCDEDE";
    struct bench b = bench_open(0);

    for (uint32_t i = 0; order[i]; i++)
        walk(b.g, (uint32_t)order[i], 100 + i);
    struct mh_counters c = counters(b.g);

    assert_int_equal(c.walk_instr, 5);
    assert_int_equal(c.walk_instr_many, 4);
    assert_int_equal(c.walk_instr_mixed, 3);
    assert_int_equal(c.walk_first_cycles, 100 + 103 + 105 + 106);
    assert_int_equal(c.walk_last_cycles, 102 + 104 + 107 + 108);
    bench_close(&b);
}

/* The table is full of records that are over again and again; IDs are used a second time; nothing is lost. */
TEST(test_places_are_used_again)
{
    struct bench b = bench_open(0);
    const uint32_t often = 5 * b.g->instructions->capacity;

    for (uint32_t i = 0; i < often; i++)
        walk(b.g, i, 1);
    assert_int_equal(counters(b.g).walk_instr, often);
    walk(b.g, 7, 1);
    b.g->instructions->accepted += 1u << (MH_WALK_INSTR_BITS - 1); /* half a turn: it cannot be that one any more */
    walk(b.g, 7, 1);
    assert_int_equal(counters(b.g).walk_instr, often + 2);
    assert_int_equal(counters(b.g).walk_instr_many, 0);
    bench_close(&b);
}

/*
 * One walker: six pages in one instruction. Page k is looked up k cycles after the first; walk k ends (k + 1) walks
 * after the look-up of the first is done. Under the SIMT order each but the first costs a search more.
 */
TEST(test_through_the_model)
{
    enum { N = 6, SCAN = 8 };
    static const uint64_t pages[N] = {0, 1, 2, 3, 4, 5};

    for (uint32_t order = MH_WALK_FCFS; order <= MH_WALK_SIMT; order += MH_WALK_SIMT) {
        struct mh_config cfg = walking_config(1);
        uint32_t scan = order ? SCAN : 0;

        cfg.walk.walkers = 1;
        LOCAL_GPU(g) = warm_list_gpu(&cfg, N, N, pages);
        struct mh_counters before = counters(g);
        uint64_t first = mh_gpu_now(g) + ASK;

        g->knobs.walk_order = order;
        for (uint32_t k = 1; k <= N; k++) {
            mh_gpu_advance(g, first + L2TLB + k * WALK + (k - 1) * scan - 1);
            assert_int_equal(g->tenant[0].count.walks, before.walks + k - 1);
        }
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
        struct mh_counters c = counters(g);

        assert_int_equal(c.walk_instr - before.walk_instr, 1);
        assert_int_equal(c.walk_instr_many, 1);
        assert_int_equal(c.walk_instr_mixed, 0);
        assert_int_equal(c.walk_first_cycles, L2TLB + WALK);
        assert_int_equal(c.walk_last_cycles, L2TLB + N * WALK + (N - 1) * scan);
        assert_int_equal(c.walk_reads_32, 1); /* 24 */
    }
}

/* One warp that waits for each of its loads: it issues at four cycles and at no other. */
TEST(test_stalls)
{
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 0), in_page(0, 0)};
    struct mh_config cfg = small_config(1);
    struct script *s;

    LOCAL_GPU(g) = chain_gpu(&cfg, 3, addr, &s);
    uint64_t second;

    mh_gpu_advance(g, 50);
    assert_int_equal(counters(g).sm_stalls, 50 - script_issued(s, 0, 0, 0, 0) - 1); /* it goes on */
    chain_run(g);
    second = script_issued(s, 0, 0, 0, 3);
    assert_int_equal(counters(g).sm_stalls, second - script_issued(s, 0, 0, 0, 0) - 3);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000); /* without warps nothing stalls */
    assert_int_equal(counters(g).sm_stalls, second - script_issued(s, 0, 0, 0, 0) - 3);
}

/* 1024 look-ups of two warps, 64 pages an instruction; one less is no window. */
TEST(test_window)
{
    for (uint32_t lanes = 63; lanes <= 64; lanes++) {
        struct mh_config cfg = walking_config(1);
        uint64_t addr[MH_MAX_LANES];
        struct script *s = script_paged(CHAIN_PAGES, 2);

        for (uint32_t i = 0; i < 16; i++) {
            for (uint32_t l = 0; l < 64; l++)
                addr[l] = in_page(i * 64 + l, 0);
            script_add_list(s, 0, 0, i % 2, op_wait(op_lanes(MH_OP_LOAD, 4, UINT64_MAX >> (i ? 0 : 64 - lanes), 0, 0)),
                            addr);
        }
        LOCAL_GPU(g) = script_gpu(&cfg, &s);

        chain_run(g);
        assert_int_equal(counters(g).l2tlb_access, 1024 - 64 + lanes);
        assert_int_equal(counters(g).l2tlb_windows, lanes == 64);
        assert_int_equal(counters(g).l2tlb_warps, lanes == 64 ? 2 : 0);
    }
}

/* The way there and back, and the look-ups. */
enum { FAR = 40, FIRST = 3, SECOND = 7 };
/* Cycles of a load apart from the IOMMU's part; the cycle of the IOMMU's look-up. */
enum { AROUND = ASK + L2TLB + FAR + FAR + WIRE + HIT, REACH = ASK + L2TLB + FAR };

static struct mh_config iommu_config(uint32_t sms, uint32_t first, uint32_t second)
{
    struct mh_config cfg = walking_config(sms);

    cfg.iommu.latency = FAR;
    cfg.iommu.l1_entries = first;
    cfg.iommu.l1_latency = FIRST;
    cfg.iommu.l2_entries = second;
    cfg.iommu.l2_ways = second ? second : 1;
    cfg.iommu.l2_latency = SECOND;
    return cfg;
}

/* Two entries in the first TLB hold what the L2 TLB, with one, has lost. */
TEST(test_first_tlb_hit)
{
    struct mh_config cfg;
    struct script *s;
    for (uint32_t second = 0; second <= 4; second += 4) {
        cfg = iommu_config(1, 2, second);
        LOCAL_GPU(g) = to_and_fro_ended(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        assert_int_equal(chain_cycles(s, 2), AROUND + FIRST);
        assert_int_equal(chain_cycles(s, 3), AROUND + FIRST);
        assert_int_equal(c->iommu_l1_access, 4);
        assert_int_equal(c->iommu_l1_hit, 2);
        assert_int_equal(c->iommu_l2_access, second ? 2 : 0);
        assert_int_equal(c->iommu_l2_hit, 0);
        assert_int_equal(c->walks, 2);
        assert_int_equal(c->l2tlb_fill, 4); /* hit or walk, the translation fills the L2 TLB */
    }
}

/* One entry in the first TLB, four in the second. */
TEST(test_second_tlb_hit)
{
    struct mh_config cfg = iommu_config(1, 1, 4);
    struct script *s;
    LOCAL_GPU(g) = to_and_fro_ended(&cfg, &s);
    const struct mh_counters *c = &g->tenant[0].count;
    assert_int_equal(chain_cycles(s, 2), AROUND + FIRST + SECOND);
    assert_int_equal(chain_cycles(s, 3), AROUND + FIRST + SECOND);
    assert_int_equal(c->iommu_l1_hit, 0);
    assert_int_equal(c->iommu_l2_access, 4);
    assert_int_equal(c->iommu_l2_hit, 2);
    assert_int_equal(c->walks, 2);
}

/* A hit in the second TLB fills the first, where the least recently used makes room: page 1, then page 2. */
TEST(test_second_fills_first)
{
    struct mh_config cfg;
    struct script *s;
    static const uint32_t page[] = {0, 1, 2, 0, 2, 0, 1, 2}, second[] = {1, 1, 1, 1, 0, 0, 1, 1};
    uint64_t addr[8];
    for (uint32_t i = 0; i < 8; i++)
        addr[i] = in_page(page[i], page[i] * 128);
    cfg = iommu_config(1, 2, 4);
    LOCAL_GPU(g) = chain_ended(&cfg, 8, addr, &s);
    for (uint32_t i = 3; i < 8; i++)
        assert_int_equal(chain_cycles(s, i), AROUND + FIRST + second[i] * SECOND);
    assert_int_equal(g->tenant[0].count.walks, 3);
}

/* One entry each: every load walks. 4 reads without a page walk cache, 1 with all levels in it. */
TEST(test_walks)
{
    struct mh_config cfg;
    struct script *s;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t pwc = i & 1, second = i / 2;
        uint64_t tlbs = FIRST + second * SECOND, walk = pwc ? PWC + READ : WALK;
        cfg = iommu_config(1, 1, second);
        cfg.walk.pwc_bytes = pwc * 1024;
        LOCAL_GPU(g) = to_and_fro_gpu(&cfg, &s);
        const struct mh_counters *c = &g->tenant[0].count;
        script_until(g, &c->walks, 2);
        uint64_t cold = c->walk_cycles;
        chain_run(g);
        assert_int_equal(chain_cycles(s, 2), AROUND + tlbs + walk);
        assert_int_equal(chain_cycles(s, 3), AROUND + tlbs + walk);
        assert_int_equal(c->walk_cycles - cold, 2 * (tlbs + walk)); /* from the IOMMU's look-up on */
        assert_int_equal(c->iommu_l1_hit + c->iommu_l2_hit, 0);
    }
}

/* On the same chip: no way. */
TEST(test_no_distance)
{
    struct mh_config cfg = iommu_config(1, 2, 0);
    struct script *s;
    const uint64_t addr[] = {in_page(0, 0), in_page(1, 128), in_page(0, 0)};
    cfg.iommu.latency = 0;
    LOCAL_GPU(g) = chain_ended(&cfg, 3, addr, &s);
    assert_int_equal(chain_cycles(s, 2), AROUND - 2 * FAR + FIRST);
}

/* Five SMs miss the L2 TLB two a cycle; the IOMMU starts one look-up a cycle, in order of arrival. */
TEST(test_port)
{
    struct mh_config cfg = iommu_config(5, 1, 0);
    LOCAL_GPU(g) = one_load_each(&cfg, 1);
    mh_gpu_advance(g, ASK + 2);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 5);
    for (uint32_t k = 0; k < 6; k++) {
        mh_gpu_advance(g, REACH + k - 1);
        assert_int_equal(g->tenant[0].count.iommu_l1_access, k < 5 ? k : 5);
    }
    chain_run(g);
}

/* Two SMs, one page: one request. */
TEST(test_merge)
{
    struct mh_config cfg = iommu_config(2, 1, 1);
    LOCAL_GPU(g) = one_load_each(&cfg, 0);
    chain_run(g);
    assert_int_equal(g->tenant[0].count.l2tlb_access, 2);
    assert_int_equal(g->tenant[0].count.iommu_l1_access, 1);
    assert_int_equal(g->tenant[0].count.walks, 1);
}

/*
 * One walker, a buffer of one. Of pages 0, 1, 2 and the warm one the first walks, the second is in the buffer, the
 * third finds it full, and the last waits behind it although the first TLB has it. When the first walk ends the third
 * is looked up, and the last a cycle later.
 */
TEST(test_full_buffer)
{
    static const uint64_t page[] = {0, 1, 2, 5};
    struct mh_config cfg = iommu_config(1, 8, 0);
    cfg.walk.walkers = 1;
    cfg.walk.buffer = 1;
    LOCAL_GPU(g) = warm_list_gpu(&cfg, 5, 4, page);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t first = mh_gpu_now(g) + REACH, cold = c->walk_cycles;
    mh_gpu_advance(g, first + FIRST + WALK - 1);
    assert_int_equal(c->iommu_l1_access, 2 + 2);
    assert_true(g->iommu->stalled);
    mh_gpu_advance(g, first + FIRST + WALK);
    assert_int_equal(c->iommu_l1_access, 2 + 3);
    assert_int_equal(c->iommu_l1_hit, 0);
    mh_gpu_advance(g, first + FIRST + WALK + 1);
    assert_int_equal(c->iommu_l1_access, 2 + 4);
    assert_int_equal(c->iommu_l1_hit, 1);
    script_until(g, &c->walks, 2 + 3);
    assert_int_equal(mh_gpu_now(g), first + FIRST + 3 * WALK);
    assert_int_equal(c->walk_cycles - cold, (FIRST + WALK) + (FIRST + 2 * WALK - 1) + 2 * WALK);
}

/* Two L2 TLB MSHRs: a third page is looked up in the L2 TLB when the first translation is back. */
TEST(test_bounded_by_mshrs)
{
    static const uint64_t page[] = {0, 1, 2};
    struct mh_config cfg = iommu_config(1, 1, 0);
    cfg.l2tlb.mshrs = 2;
    LOCAL_GPU(g) = warm_list_gpu(&cfg, 5, 3, page);
    const struct mh_counters *c = &g->tenant[0].count;
    uint64_t back = mh_gpu_now(g) + REACH + FIRST + WALK + FAR;
    mh_gpu_advance(g, back - 1);
    assert_int_equal(c->walks, 2 + 2);
    assert_int_equal(c->l2tlb_access, 2 + 2);
    mh_gpu_advance(g, back);
    assert_int_equal(c->l2tlb_access, 2 + 3);
}
