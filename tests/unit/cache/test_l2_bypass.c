/* invariants: of the debug build alone */
/* Page walks that go past the L2 (MASK sec. 5.3); cycles by hand. The knob is set as firmware does it. */
#include "unit/test.h"

#include "requests.h"
#include "translate_fixture.h"

/* Cycles of a load apart from its walk; DRAM as in test_l2.c. */
enum { AROUND = ASK + L2TLB + WIRE + HIT, CLOSED = 22 + 2 + 22 + 2, OPEN = CLOSED - 22, LEAF = 8, PROBE = 10 };

/*
 * Pages 0 and 1 share their page table lines, and from the third load on nothing else goes to DRAM. The leaf's entry
 * comes from the open row each time, where it would have hit. With wires of its own it does not take the time of the
 * look-up; without, what a miss takes.
 */
TEST(test_latency)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t masked = i & 1, wires = i >> 1;
        struct mh_config cfg = walking_config(1);
        struct script *s;
        cfg.l2.bypass_wires = wires;
        struct mh_gpu *g = to_and_fro_gpu(&cfg, &s);
        script_knob(g, MH_REG_L2_BYPASS, masked ? LEAF : 0);
        chain_run(g);
        assert_int_equal(chain_cycles(s, 3), AROUND + WALK + (masked ? OPEN - wires * PROBE : 0));
        assert_int_equal(count(g)->pte_bypass, masked ? 4 : 0);
        assert_int_equal(count(g)->pte4_access, masked ? 0 : 4);
        assert_int_equal(count(g)->pte4_hit, masked ? 0 : 3);
        assert_int_equal(count(g)->pte3_hit, 3);
        assert_int_equal(count(g)->dram_walk, masked ? 3 + 4 : 4);
        script_end(g);
    }
}

/* Set to `mask` before each load in turn; what the leaf's reads then are. */
static void run_masks(const struct mh_config *cfg, const uint32_t *mask, uint32_t loads)
{
    uint64_t addr[CHAIN_MOST];
    struct script *s;
    for (uint32_t i = 0; i < loads; i++)
        addr[i] = in_page(i % 2, 128 * (i % 2));
    LOCAL_GPU(g) = chain_gpu(cfg, loads, addr, &s);
    uint32_t passed = 0, looked_up_leaves = 0, hits = 0;
    bool in_l2 = false;
    for (uint32_t i = 0; i < loads; i++) {
        script_knob(g, MH_REG_L2_BYPASS, mask[i]);
        while (script_issued(s, 0, 0, 0, i + 1) == SCRIPT_NEVER)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        passed += mask[i] == LEAF;
        looked_up_leaves += mask[i] != LEAF;
        hits += mask[i] != LEAF && in_l2;
        in_l2 |= mask[i] != LEAF;
        assert_int_equal(count(g)->pte_bypass, passed);
        assert_int_equal(count(g)->pte4_access, looked_up_leaves);
        assert_int_equal(count(g)->pte4_hit, hits);
    }
}

/* It fills nothing: the first read that is looked up misses. It probes nothing: what is there is read from DRAM. */
TEST(test_neither_fills_nor_probes)
{
    struct mh_config cfg = walking_config(1);
    run_masks(&cfg, (const uint32_t[]){LEAF, LEAF, 0, 0}, 4);
    run_masks(&cfg, (const uint32_t[]){0, LEAF, LEAF, 0, LEAF, 0}, 6);
}

TEST(test_every_depth_has_a_bit)
{
    for (uint32_t mask = 0; mask < 16; mask++) {
        struct mh_config cfg = walking_config(1);
        struct script *s;
        LOCAL_GPU(g) = to_and_fro_gpu(&cfg, &s);
        script_knob(g, MH_REG_L2_BYPASS, mask);
        chain_run(g);
        const uint64_t access[] = {count(g)->pte1_access, count(g)->pte2_access, count(g)->pte3_access,
                                   count(g)->pte4_access};
        for (uint32_t d = 0; d < 4; d++)
            assert_int_equal(access[d], mask >> d & 1 ? 0 : 4);
        assert_int_equal(count(g)->pte_bypass, 4 * mh_bits(mask));
    }
}

/* Walks of an IOMMU outside the GPU: none of their reads is in the L2, whatever knob and sample say. */
TEST(test_uncached)
{
    struct mh_config cfg = walking_config(1);
    struct script *s;
    cfg.walk.uncached = 1;
    cfg.l2.sample = 1;
    struct mh_gpu *g = to_and_fro_ended(&cfg, &s);
    assert_int_equal(count(g)->pte_bypass, 16);
    assert_int_equal(count(g)->dram_walk, 16);
    assert_int_equal(count(g)->pte1_access + count(g)->pte4_access, 0);
    assert_true(chain_cycles(s, 3) >= AROUND + WALK + 4 * (OPEN - PROBE));
    script_end(g);
}

/*
 * Sixteen banks of 64 sets: set = local line folded once, local line = line / 16. The sample has other sets in each
 * bank.
 */
TEST(test_sample)
{
    static const uint32_t samples[] = {1, 2, 8, 64, 65536};
    enum { LOADS = 200 };
    uint64_t addr[LOADS];
    for (uint32_t i = 0; i < LOADS; i++)
        addr[i] = in_page(i * 8, 0); /* two of each line of leaves */
    for (uint32_t k = 0; k < 5; k++) {
        struct mh_config cfg = walking_config(1);
        struct script *s;
        cfg.l2.sample = samples[k];
        LOCAL_GPU(g) = chain_gpu(&cfg, LOADS, addr, &s);
        script_knob(g, MH_REG_L2_BYPASS, LEAF);
        chain_run(g);
        uint32_t measured = 0, root = g->tenant[0].page_root;
        for (uint32_t i = 0; i < LOADS; i++) {
            uint32_t vpn = (uint32_t)(addr[i] / SCRIPT_PAGE), node = root;
            for (uint32_t d = 1; d < 4; d++)
                node = mh_pt_entry(g->pages, node, vpn, d);
            uint32_t line = mh_pt_line(g->pages, node, vpn, 4), local = line / 16;
            uint32_t step = samples[k] < 16 ? 1 : samples[k] / 16, bank = mh_noc_bank(g->noc, 0, line);
            measured += ((local ^ local / 64) % 64 + bank * step) % samples[k] == 0;
        }
        assert_int_equal(count(g)->pte4_access, measured);
        assert_int_equal(count(g)->pte_bypass, LOADS - measured);
        assert_int_equal(count(g)->pte4_hit, measured / 2);
        assert_true(k == 0 ? measured == LOADS : measured < LOADS);
        assert_true(measured || k == 4); /* a single set may hold none */
    }
}

/* Two walks of one instruction, a cycle apart, in the same line of leaves: DRAM is asked once, and both have it. */
TEST(test_walks_share_a_line)
{
    struct mh_config cfg = walking_config(1);
    const uint64_t pages[] = {2, 3};
    struct mh_gpu *g = warm_list_gpu(&cfg, 0, 2, pages);
    script_knob(g, MH_REG_L2_BYPASS, LEAF);
    uint64_t walks = count(g)->walks, reads = count(g)->dram_walk;
    script_until(g, &g->tenant[0].count.walks, walks + 2);
    assert_int_equal(count(g)->pte_bypass, 2);
    assert_int_equal(count(g)->dram_walk, reads + 1);
    chain_run(g);
    script_end(g);
}

/* --- A read by hand, without a receiver for its reply. */

enum { PTE = 8 + CLOSED + 8 + 1 };

/* One channel, two banks of the L2, one set each of one way. */
static struct mh_gpu *tiny_gpu(uint32_t mshrs, bool wires)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.dram.channels = 1;
    cfg.l2.banks = 2;
    cfg.l2.ways = 1;
    cfg.l2.bytes = 2 * MH_LINE_BYTES;
    cfg.l2.mshrs = mshrs;
    cfg.l2.bypass_wires = wires;
    return sleeping_gpu(&cfg);
}

static void send_bypass(struct mh_gpu *g, uint32_t line)
{
    struct mh_req r = {.line = line, .port = (uint16_t)g->cfg.sm.count, .kind = MH_REQ_PTE, .depth = 4, .bypass = true};
    *g->loss = (struct mh_loss){.kind = EV_PTE, .number = 1};
    send_request(g, &r);
}

static uint64_t answered(struct mh_gpu *g)
{
    while (g->loss->number)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return mh_gpu_now(g);
}

/* A line of the bank whose DRAM bank is none that a[] and b are in. */
static uint32_t line_elsewhere(const struct mh_gpu *g, uint32_t bank, uint32_t a, uint32_t b)
{
    for (uint32_t n = 0;; n++) {
        uint32_t line = bank_line(g, 0, bank, n), in = script_place(g, line).bank;
        if (in != script_place(g, a).bank && in != script_place(g, b).bank)
            return line;
    }
}

/* Two data reads of one bank with one way: the second stalls until the first has come. The walk's read passes it. */
TEST(test_passes_a_stalled_bank)
{
    for (uint32_t wires = 0; wires < 2; wires++) {
        struct mh_gpu *g = tiny_gpu(4, wires);
        uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1), c = line_elsewhere(g, 0, a, b);
        uint64_t start = mh_gpu_now(g);
        send_read(g, 0, a);
        send_read(g, 1, b);
        mh_gpu_advance(g, start + 20);
        assert_true(g->l2->stops[0]);
        send_bypass(g, c);
        assert_int_equal(answered(g) - start, 20 + PTE + (wires ? 0 : PROBE));
        assert_int_equal(g->l2->bank[0].stalled.count, 0); /* the first line came at 8 + CLOSED */
        assert_int_equal(count(g)->pte_bypass, 1);
        mh_gpu_advance(g, start + 1000);
        script_end(g);
    }
}

/* The bank's only MSHR is taken: it waits for that, and goes to DRAM in the cycle in which it is free. */
TEST(test_needs_an_mshr)
{
    for (uint32_t wires = 0; wires < 2; wires++) {
        struct mh_gpu *g = tiny_gpu(1, wires);
        const struct mh_l2_bank *bank = &g->l2->bank[0];
        uint32_t a = bank_line(g, 0, 0, 0), c = line_elsewhere(g, 0, a, a);
        uint64_t start = mh_gpu_now(g);
        send_read(g, 0, a);
        mh_gpu_advance(g, start + 20);
        send_bypass(g, c);
        mh_gpu_advance(g, start + 30);
        assert_true(g->l2->stops[0] == !wires);
        assert_int_equal(mh_l2_need(g, 0, mh_ring_peek(wires ? &bank->passing : &bank->stalled)), MH_L2_NEEDS_MSHR);
        assert_int_equal(answered(g) - start, CLOSED + PTE + (wires ? 0 : PROBE));
        mh_gpu_advance(g, start + 1000);
        script_end(g);
    }
}

/* One port for all that is looked up, and one place. */
static struct mh_gpu *narrow_gpu(bool wires)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.l2.ports = 1;
    cfg.noc.bank_queue = 1;
    cfg.l2.bypass_wires = wires;
    return sleeping_gpu(&cfg);
}

/* A write holds the bank's place and its wire until cycle 12; behind it the walk's read would be at the bank at 20. */
TEST(test_does_not_wait_for_a_port)
{
    for (uint32_t wires = 0; wires < 2; wires++) {
        struct mh_gpu *g = narrow_gpu(wires);
        uint32_t a = bank_line(g, 0, 0, 0);
        uint64_t start = mh_gpu_now(g);
        send_write(g, 0, MH_REQ_WRITE, a, true);
        send_bypass(g, line_elsewhere(g, 0, a, a));
        assert_int_equal(answered(g) - start, PTE + (wires ? 0 : 12 + PROBE));
        mh_gpu_advance(g, start + 1000);
        script_end(g);
    }
}

/* Replies of hits hold the bank's wire from 50 to 60: its line is there at 8 + CLOSED = 56. */
TEST(test_does_not_wait_for_replies)
{
    struct mh_gpu *g = narrow_gpu(true);
    uint32_t a = bank_line(g, 0, 0, 0);
    timed_read(g, 0, a);
    timed_read(g, 1, a);
    uint64_t start = mh_gpu_now(g);
    send_bypass(g, line_elsewhere(g, 0, a, a));
    mh_gpu_advance(g, start + 50 - 10 - 8);
    send_read(g, 0, a);
    send_read(g, 1, a);
    mh_gpu_advance(g, start + 56);
    assert_true(g->noc->bank[0].free[0][MH_WIRE_OUT] > start + 56);
    assert_int_equal(answered(g) - start, PTE);
    mh_gpu_advance(g, start + 1000);
    script_end(g);
}

/* A walk's read that left in the same cycle, and would hold wire and place, does not delay a hit. */
TEST(test_holds_no_port)
{
    for (uint32_t wires = 0; wires < 2; wires++) {
        struct mh_gpu *g = narrow_gpu(wires);
        uint32_t a = bank_line(g, 0, 0, 0);
        timed_read(g, 0, a);
        uint64_t alone = timed_read(g, 0, a);
        send_bypass(g, line_elsewhere(g, 0, a, a));
        assert_int_equal(timed_read(g, 0, a) - alone, wires ? 0 : 8);
        answered(g);
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
        script_end(g);
    }
}

TEST(test_commit_knows_the_levels)
{
    for (uint32_t levels = 3; levels <= 4; levels++) {
        struct mh_config cfg = script_config(1, 1);
        cfg.walk.levels = levels;
        cfg.memory.page_bytes = levels == 3 ? 2 << 20 : 4096;
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        assert_int_equal(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_L2_BYPASS, MH_FEATURE_L2_BYPASS);
        script_knob(g, MH_REG_L2_BYPASS, (1u << levels) - 1);
        script_refused(g, MH_REG_L2_BYPASS, 1u << levels);
        assert_int_equal(g->knobs.l2_bypass, (1u << levels) - 1);
    }
}
