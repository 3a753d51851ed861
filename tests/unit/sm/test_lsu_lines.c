/*
 * The lines of an instruction, by hand: several in one event (sm.lsu_lines), each in its cycle as with an event for
 * each; look-ups of the L1D that are refused; what the coalescer makes, in which order, which of them whole.
 */
#include "script.h"
#include "unit/test.h"
#include "sm_fixture.h"
#include "sm/coalesce.h"

enum { LINE = 128, PAGES = 16, LOADS = 4 };

/* `n` lines from line `first` on, a lane each. */
static struct mh_op op_lines(uint32_t first, uint32_t n)
{
    return op_lanes(MH_OP_LOAD, 4, n == 64 ? ~0ull : (1ull << n) - 1, SCRIPT_BASE + (uint64_t)first * LINE, LINE);
}

static struct mh_config with_lines(uint32_t lines, uint32_t mshrs)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.l1tlb.ideal = 1;
    cfg.l1d.mshrs = mshrs;
    cfg.sm.lsu_lines = lines;
    return cfg;
}

/* A warp that loads `n` lines, again, and more of which some are there; each needs the data of the one before. */
static struct mh_gpu *loads_gpu(uint32_t lines, uint32_t mshrs, uint32_t n, struct script **s)
{
    struct mh_config cfg = with_lines(lines, mshrs);
    *s = script_paged(PAGES, 1);
    script_ops(*s, 0, 0, 0, op_lines(0, n), op_wait(op_lines(0, n)), op_wait(op_lines(n / 2, n)),
               op_wait(op_barrier()));
    return script_gpu(&cfg, s);
}

/* A hit in the L1 TLB and L1D takes 3 cycles from issue; the n-th line n - 1 more. */
TEST(test_hits_in_their_cycles)
{
    for (uint32_t lines = 1; lines <= 8; lines++)
        for (uint32_t n = 1; n <= 64; n += n < 20 ? 1 : 11) {
            struct script *s;
            LOCAL_GPU(g) = loads_gpu(lines, 64, n, &s);
            script_until(g, &g->tenant[0].count.completions, 1);
            assert_int_equal(script_issued(s, 0, 0, 0, 2) - script_issued(s, 0, 0, 0, 1), 3 + n - 1);
        }
}

/* Misses are sent in their cycles: with MSHRs for all, and with so few that lines are refused. */
TEST(test_misses_in_their_cycles)
{
    for (uint32_t mshrs = 1; mshrs <= 64; mshrs *= 2)
        for (uint32_t n = 1; n <= 64; n += n < 20 ? 1 : 11) {
            struct script *a, *b;
            LOCAL_GPU(one) = loads_gpu(1, mshrs, n, &a);
            LOCAL_GPU(eight) = loads_gpu(8, mshrs, n, &b);
            for (uint64_t t = 1; !one->tenant[0].count.completions; t++) {
                mh_gpu_advance(one, t);
                mh_gpu_advance(eight, t);
                /* Also in the middle of what has been taken ahead. */
                assert_int_equal(mh_gpu_stats(eight)->tenant[0].reservation_fails,
                                 mh_gpu_stats(one)->tenant[0].reservation_fails);
            }
            for (uint32_t i = 0; i < LOADS; i++)
                assert_int_equal(script_issued(b, 0, 0, 0, i), script_issued(a, 0, 0, 0, i));
            const struct mh_counters *x = &mh_gpu_stats(one)->tenant[0], *y = &mh_gpu_stats(eight)->tenant[0];
            assert_int_equal(y->l1d_access, x->l1d_access);
            assert_int_equal(y->l2_access, x->l2_access);
            assert_true(mh_gpu_stats(eight)->events < mh_gpu_stats(one)->events || n == 1);
        }
}

/* Pages that miss the L1 TLB: their lines are replayed, several in an event, too. */
TEST(test_replays_in_their_cycles)
{
    uint64_t issued[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = with_lines(i ? 8 : 1, 64);
        struct script *s = script_paged(PAGES, 1);
        cfg.l1tlb.ideal = 0;
        script_ops(s, 0, 0, 0, op_lines(0, 20), op_wait(op_barrier()));
        struct mh_gpu *g = script_gpu(&cfg, &s);
        script_until(g, &g->tenant[0].count.completions, 1);
        issued[i] = script_issued(s, 0, 0, 0, 1);
        script_end(g);
    }
    assert_int_equal(issued[1], issued[0]);
}

/* Preset `mask`, DRAM clock = GPU clock, bank closed: LSU 1, there 8, DRAM 48, L2 10, back 8 + 4, L1 TLB and L1D 2. */
enum { MISS = 1 + 8 + 48 + 10 + 8 + 4 + 2 };

static struct mh_config config(void)
{
    struct mh_config cfg = script_config(1, 1);
    return cfg;
}

static uint64_t fails(struct mh_gpu *g, uint32_t tenant)
{
    return mh_gpu_stats(g)->tenant[tenant].reservation_fails;
}

/* In the second launch of a warm script, and until all that it has sent is done. */
static void assert_refused(const struct mh_config *cfg, struct script *s, uint64_t cycles)
{
    struct mh_gpu *g = script_gpu(cfg, &s);
    script_until(g, &g->tenant[0].count.launches, 1);
    uint64_t before = fails(g, 0);
    script_until(g, &g->tenant[0].count.completions, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_int_equal(fails(g, 0) - before, cycles);
    script_end(g);
}

static struct script *two_misses(void)
{
    struct script *s = warm_script(1);
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_load(in_page(1, 1024)));
    return s;
}

/* The LSU takes the first at 1, and tries the second from 2 until the first one's line is there. */
TEST(test_no_mshr)
{
    struct mh_config cfg = config();
    assert_refused(&cfg, two_misses(), 0);
    cfg.l1d.mshrs = 1;
    assert_refused(&cfg, two_misses(), MISS - 2);
}

/* An instruction that the LSU accepts in the cycle in which the line comes: it tries a cycle later. */
TEST(test_tries_a_cycle_later)
{
    struct mh_config cfg = config();
    struct script *s = warm_script(2);
    cfg.l1d.mshrs = 1;
    cfg.sm.schedulers = 2;
    script_ops(s, 1, 0, 0, op_load(in_page(0, 1024)), op_load(in_page(1, 1024)));
    script_add(s, 1, 0, 1, op_after(MISS, op_store(hot(0))));
    assert_refused(&cfg, s, MISS + 1 - 2);
}

TEST(test_no_pending_place)
{
    struct mh_config cfg = config();
    cfg.sm.pending = 1;
    assert_refused(&cfg, two_misses(), MISS - 2);
}

/* Whole lines take five flits each: the first goes at 1, the next at 6 and 11; one can wait for its turn. */
TEST(test_no_place_in_the_miss_queue)
{
    struct mh_config cfg = config();
    struct script *s = warm_script(1);
    cfg.l1d.miss_queue = 1;
    for (uint32_t i = 0; i < 4; i++)
        script_add(s, 1, 0, 0, op_store_lines(in_page(0, 1024 + 128 * i), 1));
    assert_refused(&cfg, s, (6 - 3) + (11 - 7));
}

/* The second waits until the first is acknowledged, but a store is no miss. */
TEST(test_no_store_buffer_entry)
{
    struct mh_config cfg = config();
    struct script *s = warm_script(1);
    cfg.l1d.store_buffer = 1;
    for (uint32_t i = 0; i < 2; i++)
        script_add(s, 1, 0, 0, op_store(in_page(0, 1024 + 128 * i)));
    assert_refused(&cfg, s, 0);
}

/* Pages without an MSHR of the L1 TLB are not looked up in the L1D. */
TEST(test_no_tlb_mshr)
{
    struct mh_config cfg = config();
    struct script *s = warm_script(1);
    cfg.l1tlb.mshrs = 1;
    for (uint32_t i = 0; i < 3; i++)
        script_add(s, 1, 0, 0, op_load(in_page(100 + i, 0)));
    assert_refused(&cfg, s, 0);
}

/* The tenant of the refused line counts, not the holder of the resource; up to the cycle of the look. */
TEST(test_of_the_tenant_that_waits)
{
    struct mh_config cfg = script_config(1, 2);
    struct script *s[2];
    script_share_sms(&cfg);
    cfg.l1tlb.ideal = 1;
    cfg.l1d.mshrs = 1;
    for (uint32_t t = 0; t < 2; t++) {
        s[t] = script_paged(1, 1);
        script_add(s[t], 0, 0, 0, op_load(in_page(0, 0)));
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    mh_gpu_advance(g, 40);
    assert_int_equal(fails(g, 1), 40 - 2);
    assert_int_equal(fails(g, 1), 40 - 2);
    mh_gpu_advance(g, 1000);
    assert_int_equal(fails(g, 0), 0);
    assert_int_equal(fails(g, 1), MISS - 2);
    script_end(g);
}

enum { LINE_SHIFT = 7, PAGE_SHIFT = 5 };

static void assert_lines(const struct mh_op *op, const uint64_t *addr, uint32_t count, const uint32_t *line,
                         uint64_t full)
{
    struct mh_lines out;
    mh_coalesce(op, addr, LINE_SHIFT, PAGE_SHIFT, &out);
    assert_int_equal(out.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(out.at[i].line, SCRIPT_BASE / LINE + line[i]);
        assert_int_equal(out.at[i].full, full >> i & 1);
    }
}

TEST(test_by_hand)
{
    const uint64_t base = SCRIPT_BASE;
    struct mh_op op = op_lanes(MH_OP_LOAD, 4, UINT64_MAX, base, 4); /* 64 floats */
    assert_lines(&op, NULL, 2, (uint32_t[]){0, 1}, 3);
    op.base = base + 4; /* misaligned by one element: the last one falls into a third line */
    assert_lines(&op, NULL, 3, (uint32_t[]){0, 1, 2}, 2);
    op.mask = UINT32_MAX << 1; /* lanes 1..31 */
    op.base = base;
    assert_lines(&op, NULL, 1, (uint32_t[]){0}, 0);
    op = op_lanes(MH_OP_LOAD, 4, UINT64_MAX, base + 8, 0); /* broadcast */
    assert_lines(&op, NULL, 1, (uint32_t[]){0}, 0);
    op = op_lanes(MH_OP_LOAD, 8, 7, base + 4096, -2048); /* backwards */
    assert_lines(&op, NULL, 3, (uint32_t[]){32, 16, 0}, 0);
    op = op_lanes(MH_OP_LOAD, 4, 0x9, base, 128); /* lanes 0 and 3 */
    assert_lines(&op, NULL, 2, (uint32_t[]){0, 3}, 0);
}

/* Lines 0, 40 and 1, 33 of pages 0 and 1 come by page: 0, 1, 40, 33. */
TEST(test_groups_by_page)
{
    uint64_t addr[MH_MAX_LANES] = {SCRIPT_BASE, SCRIPT_BASE + 40 * LINE, SCRIPT_BASE + 1 * LINE,
                                   SCRIPT_BASE + 33 * LINE, SCRIPT_BASE + 8};
    struct mh_op op = op_lanes(MH_OP_LOAD, 4, 0x1f, 0, 0);
    op.list = true;
    assert_lines(&op, addr, 4, (uint32_t[]){0, 1, 40, 33}, 0);
}

/* Lists that cover lines: in whole words, and not. */
TEST(test_whole_lines_by_hand)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = op_lanes(MH_OP_STORE, 4, UINT64_MAX, 0, 0);
    op.list = true;
    for (uint32_t l = 0; l < 64; l++) /* 64 words backwards: line 1, then line 0 */
        addr[l] = SCRIPT_BASE + 4 * (63 - l);
    assert_lines(&op, addr, 2, (uint32_t[]){1, 0}, 3);
    op.mask = UINT64_MAX & ~(1ull << 40); /* a word of line 0 is missing */
    assert_lines(&op, addr, 2, (uint32_t[]){1, 0}, 1);
    addr[0] = addr[40]; /* now lane 0 has it, and the last word of line 1 is missing */
    assert_lines(&op, addr, 2, (uint32_t[]){0, 1}, 1);
    op.mask = UINT64_MAX;
    for (uint32_t l = 0; l < 64; l++) /* off the words: no word is inside a lane, though every byte is written */
        addr[l] = SCRIPT_BASE + 4 * l + 2;
    assert_lines(&op, addr, 3, (uint32_t[]){0, 1, 2}, 0);
    op.bytes = 2;
    for (uint32_t l = 0; l < 64; l++) /* every byte of a line, by halves of words */
        addr[l] = SCRIPT_BASE + 2 * l;
    assert_lines(&op, addr, 1, (uint32_t[]){0}, 0);
    op.bytes = 16;
    for (uint32_t l = 0; l < 64;
         l++) /* on words, not on their own size: the last lane of a line reaches into the next */
        addr[l] = SCRIPT_BASE + 16 * l + 4;
    assert_lines(&op, addr, 9, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7, 8}, 0xfe);
}

/* Lines 0 and 1 of page 0 wholly, between them a part of page 1: `full` follows the lines into their order by page. */
TEST(test_full_follows_the_grouping)
{
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op = op_lanes(MH_OP_STORE, 32, 0x1ff, 0, 0);
    op.list = true;
    for (uint32_t l = 0; l < 9; l++)
        addr[l] = SCRIPT_BASE + 32 * (l < 4 ? l : l - 1);
    addr[4] = SCRIPT_BASE + SCRIPT_PAGE;
    assert_lines(&op, addr, 3, (uint32_t[]){0, 1, 32}, 3);
    addr[4] = SCRIPT_BASE + 3 * LINE; /* and without another page */
    assert_lines(&op, addr, 3, (uint32_t[]){0, 3, 1}, 5);
}
