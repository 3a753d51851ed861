/* Several lines in one event (sm.lsu_lines): each in its cycle, as with an event for each. */
#include "script.h"
#include "unit/test.h"

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
    script_add(*s, 0, 0, 0, op_lines(0, n));
    script_add(*s, 0, 0, 0, op_wait(op_lines(0, n)));
    script_add(*s, 0, 0, 0, op_wait(op_lines(n / 2, n)));
    script_add(*s, 0, 0, 0, op_wait(op_barrier()));
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
        script_add(s, 0, 0, 0, op_lines(0, 20));
        script_add(s, 0, 0, 0, op_wait(op_barrier()));
        struct mh_gpu *g = script_gpu(&cfg, &s);
        script_until(g, &g->tenant[0].count.completions, 1);
        issued[i] = script_issued(s, 0, 0, 0, 1);
        script_end(g);
    }
    assert_int_equal(issued[1], issued[0]);
}
