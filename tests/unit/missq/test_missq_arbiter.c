/* The arbiter of an L1D's sub-queues: latency, order, banks without a credit; cycles by hand. */
#include "unit/test.h"

#include "subqueues.h"

/* Preset `mask`: a read is looked up 8 cycles after it enters the crossbar, a write of five flits 12. */
enum { THERE = 8, WRITE = 12, FLITS = 5 };

static struct mh_gpu *gpu_with(uint32_t tenants, uint32_t arbiter, uint32_t bank_queue)
{
    struct mh_config cfg = subqueues_config(2, tenants);
    cfg.l1d.arbiter = arbiter;
    cfg.noc.bank_queue = bank_queue ? bank_queue : cfg.noc.bank_queue;
    return subqueues_gpu(&cfg);
}

/* Queue empty, everything free: the latency is paid all the same. Then one a cycle: it is a pipeline. */
TEST(test_latency)
{
    for (uint32_t latency = 1; latency <= 4; latency++) {
        struct mh_gpu *g = gpu_with(1, latency, 0);
        uint64_t start = mh_gpu_now(g), at[8];
        int who[8] = {0};
        assert_true(queue_read(g, 0, 0, 3, 0));
        assert_order(g, start, 1, who, (uint64_t[]){latency + THERE});
        mh_gpu_advance(g, 1000);
        for (uint32_t i = 0; i < 8; i++) {
            queue_read(g, 0, 0, i, 1);
            at[i] = latency + THERE + i;
        }
        assert_order(g, 1000, 8, who, at);
        mh_gpu_advance(g, 5000);
        script_end(g);
    }
}

/* MISS_QUEUES 0: the port's own queue, no arbiter. */
TEST(test_fifo_has_no_latency)
{
    struct mh_config cfg = subqueues_config(1, 1);
    cfg.l1d.arbiter = 4;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    uint64_t start = mh_gpu_now(g);
    assert_true(queue_read(g, 0, 0, 3, 0));
    assert_order(g, start, 1, (int[]){0}, (uint64_t[]){THERE});
}

/* GPU cycle at which a read that is queued at `cycle` is looked up, with so many GPU and NoC cycles in the same time.
 */
static uint64_t look_up_at(uint32_t gpu, uint32_t noc, uint32_t latency, uint64_t cycle)
{
    struct mh_config cfg = subqueues_config(1, 1);
    uint64_t at = 0;
    cfg.l1d.arbiter = latency;
    cfg.clock.gpu_hz = cfg.clock.dram_hz = gpu * 100000000ull;
    cfg.clock.noc_hz = noc * 100000000ull;
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    mh_gpu_advance(g, cycle);
    assert_true(queue_read(g, 0, 0, 3, 0));
    assert_int_equal(next_look_up(g, 0, &at), 0);
    return at;
}

/* The latency is NoC cycles, from the first one that starts in or after the GPU cycle. */
TEST(test_clocks)
{
    /* Half: NoC cycle n starts at GPU cycle 2 n, noc.latency 8 is 4 of them. */
    assert_int_equal(look_up_at(2, 1, 1, 100), 2 * (50 + 1 + 4));
    assert_int_equal(look_up_at(2, 1, 3, 100), 2 * (50 + 3 + 4));
    assert_int_equal(look_up_at(2, 1, 1, 101), 2 * (51 + 1 + 4));
    /* Double: 16 of them, and what ends between two GPU cycles is seen in the second. */
    assert_int_equal(look_up_at(1, 2, 2, 100), 100 + 1 + 8);
    assert_int_equal(look_up_at(1, 2, 1, 100), (200 + 1 + 16 + 1) / 2);
    /* 1.8 GHz : 1.2 GHz, as in `ccbp`: 8 cycles are 5.3 and thus 6; cycle 100 is 66.7 and thus 67. */
    assert_int_equal(look_up_at(18, 12, 1, 100), (67 + 1 + 6) * 3 / 2);
    assert_int_equal(look_up_at(18, 12, 4, 99), (66 + 4 + 6) * 3 / 2);
}

/* With a faster NoC several go in one GPU cycle, one in each of its own. */
TEST(test_several_in_one_cycle)
{
    struct mh_config cfg = subqueues_config(1, 2);
    cfg.clock.noc_hz = 2 * cfg.clock.gpu_hz;
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    mh_gpu_advance(g, 100);
    for (uint32_t i = 0; i < 6; i++)
        queue_read(g, 0, i % 2, i, 0); /* enter at NoC cycles 201 .. 206, are there 16 later: 217 .. 222 */
    for (uint32_t i = 0; i < 4; i++) {
        mh_gpu_advance(g, 108 + i);
        assert_int_equal(looked_up_of(g, 0), i);
        assert_int_equal(looked_up_of(g, 1), i); /* 217 and 218 are seen at GPU cycle 109, and so on */
    }
}

/* --- Figure 5 of the paper: kernel 1 has 2 requests, kernel 2 has 6, and five are served in a period. */

enum { ONE, TWO, SERVED = 5, SNAPSHOT = 8 };
static const int snapshot[SNAPSHOT] = {TWO, TWO, ONE, TWO, TWO, TWO, ONE, TWO};

/* Requests of each kernel that the crossbar carries in the first five of its cycles, and their order. */
static void five_served(bool subqueues, bool priority, uint32_t count[2], int order[SERVED])
{
    struct mh_config cfg = subqueues_config(1, 2);
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    if (subqueues)
        script_knob(g, MH_REG_MISS_QUEUES, 1);
    if (priority)
        set_first(g, ONE);
    uint64_t start = mh_gpu_now(g), at;
    for (uint32_t i = 0; i < SNAPSHOT; i++)
        assert_true(queue_read(g, 0, (uint32_t)snapshot[i], i, 0));
    count[ONE] = count[TWO] = 0;
    for (uint32_t i = 0; i < SERVED; i++) {
        order[i] = next_look_up(g, start, &at);
        count[order[i]]++;
        assert_int_equal(at, THERE + subqueues + i); /* one a cycle: the period is five cycles long */
    }
}

TEST(test_figure_5)
{
    uint32_t count[2];
    int order[SERVED];
    five_served(false, false, count, order);
    assert_int_equal(count[ONE], 1);
    assert_int_equal(count[TWO], 4);
    assert_memory_equal(order, snapshot, sizeof order);
    five_served(true, true, count, order);
    assert_int_equal(count[ONE], 2);
    assert_int_equal(count[TWO], 3);
    assert_memory_equal(order, ((int[]){ONE, ONE, TWO, TWO, TWO}), sizeof order);
    /* Sub-queues without priority take turns. */
    five_served(true, false, count, order);
    assert_memory_equal(order, ((int[]){ONE, TWO, ONE, TWO, TWO}), sizeof order);
}

/* Two of each kind: the latency-sensitive ones in turn, then the others in turn. */
TEST(test_turns)
{
    LOCAL_GPU(g) = gpu_with(4, 1, 0);
    int want[16];
    uint64_t at[16];
    set_first(g, 1);
    set_first(g, 2);
    mh_gpu_advance(g, 10);
    for (uint32_t i = 0; i < 16; i++) {
        queue_read(g, 0, i / 4, i, 0);
        want[i] = (int)(i < 8 ? 1 + i % 2 : 3 * (i % 2));
        at[i] = 1 + THERE + i;
    }
    assert_order(g, 10, 16, want, at);
}

/* A write holds the wire for five cycles. What comes meanwhile and is latency-sensitive goes before what came first. */
TEST(test_wire)
{
    LOCAL_GPU(g) = gpu_with(2, 1, 0);
    set_first(g, 1);
    mh_gpu_advance(g, 10);
    queue_write(g, 0, 0, 0, 0);
    queue_write(g, 0, 0, 1, 0);
    mh_gpu_advance(g, 14);
    queue_read(g, 0, 1, 2, 0);
    assert_order(g, 10, 3, (int[]){0, 1, 0}, (uint64_t[]){1 + WRITE, 1 + FLITS + THERE, 1 + FLITS + 1 + WRITE});
}

/* --- Banks without a credit. */

/* One credit: tenant 0's second read waits for bank 0 until its first is looked up; tenant 1 passes it. */
TEST(test_passes_a_head_without_credit)
{
    struct mh_gpu *g = gpu_with(2, 1, 1);
    mh_gpu_advance(g, 10);
    queue_read(g, 0, 0, 0, 0);
    queue_read(g, 0, 0, 0, 1);
    queue_read(g, 0, 0, 1, 0);
    queue_read(g, 0, 1, 2, 0);
    /* The third of tenant 0 stays behind the second: a queue is a FIFO. */
    assert_order(g, 10, 4, (int[]){0, 1, 0, 0},
                 (uint64_t[]){1 + THERE, 2 + THERE, 1 + THERE + THERE, 1 + THERE + 1 + THERE});
    mh_gpu_advance(g, 5000);
    script_end(g);
}

/* The port's own queue does not pass it. */
TEST(test_fifo_passes_nothing)
{
    struct mh_config cfg = subqueues_config(1, 2);
    cfg.noc.bank_queue = 1;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    mh_gpu_advance(g, 10);
    queue_read(g, 0, 0, 0, 0);
    queue_read(g, 0, 0, 0, 1);
    queue_read(g, 0, 1, 2, 0);
    assert_order(g, 10, 3, (int[]){0, 0, 1}, (uint64_t[]){THERE, 2 * THERE, 2 * THERE + 1});
}

/*
 * SM 0's wire carries writes of tenant 1, so that its second read of bank 0, in line since cycle 17, cannot go when the
 * credit comes back at 19. It keeps the credit: SM 1, in line since 18, does not get it, though its wire is free.
 */
TEST(test_credit_is_kept)
{
    struct mh_gpu *g = gpu_with(2, 1, 1);
    mh_gpu_advance(g, 10);
    queue_read(g, 0, 0, 0, 0); /* enters at 11, is looked up at 19 */
    queue_read(g, 0, 0, 0, 1);
    for (uint32_t i = 0; i < 3; i++)
        queue_write(g, 0, 1, 1 + i, 0); /* wire: 12 .. 16, 17 .. 21 */
    mh_gpu_advance(g, 17);
    queue_read(g, 1, 0, 0, 2);
    mh_gpu_advance(g, 19);
    assert_true(g->missq->sm[0].of[0].paid);
    assert_int_equal(g->noc->bank[0].credits, 0);
    /* At 22 it is tenant 0's turn; SM 1 has the credit after it. */
    uint64_t at[3];
    for (uint64_t seen = 1, i = 0; i < 2; seen = looked_up_of(g, 0))
        for (mh_gpu_advance(g, mh_gpu_now(g) + 1); looked_up_of(g, 0) > seen; seen++)
            at[i++] = mh_gpu_now(g);
    assert_int_equal(at[0], 22 + THERE);
    assert_int_equal(at[1], 22 + 2 * THERE);
    mh_gpu_advance(g, 5000);
    script_end(g);
}

/* SMs that wait for one bank are served in the order in which they came to its head, whatever else they send. */
TEST(test_line_at_a_bank)
{
    struct mh_config cfg = subqueues_config(3, 3);
    cfg.noc.bank_queue = 1;
    struct mh_gpu *g = subqueues_gpu(&cfg);
    mh_gpu_advance(g, 10);
    for (uint32_t n = 0; n < 3; n++)
        for (uint32_t sm = 0; sm < 3; sm++)
            queue_read(g, sm, sm, 9, n);
    int want[9];
    uint64_t at[9];
    for (uint32_t i = 0; i < 9; i++) {
        want[i] = (int)(i % 3);
        at[i] = 1 + THERE * (i + 1);
    }
    assert_order(g, 10, 9, want, at);
    mh_gpu_advance(g, 5000);
    script_end(g);
}

/* Two tenants of one SM in line at one bank: the latency-sensitive one takes the first credit, though it came later. */
TEST(test_first_in_line)
{
    LOCAL_GPU(g) = gpu_with(2, 1, 1);
    set_first(g, 1);
    mh_gpu_advance(g, 10);
    queue_read(g, 0, 0, 0, 0);
    queue_read(g, 0, 0, 0, 1);
    mh_gpu_advance(g, 13);
    queue_read(g, 0, 1, 0, 0);
    assert_order(g, 10, 3, (int[]){0, 1, 0}, (uint64_t[]){1 + THERE, 1 + 2 * THERE, 1 + 3 * THERE});
}
