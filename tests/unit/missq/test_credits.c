/* Issue credits: what a tenant may send in each interval, by hand and against a count of every interval. */
#include "script.h"
#include "unit/test.h"

#include "missq/missq.h"
#include "subqueues.h"

enum { THERE = 8, INTERVAL = 200 };

/* --- The count alone. */

/* Written again without closed forms: each interval is a step. */
static void step(uint64_t *credits, bool *limited, uint32_t rate)
{
    uint64_t fraction = *limited ? *credits & 255 : 0;
    *limited = rate != MH_RATE_FREE;
    *credits = *limited ? rate + fraction : 0;
}

TEST(test_beside_steps)
{
    uint64_t rng = 5;
    for (uint32_t run = 0; run < 300; run++) {
        struct mh_issue_credits c = mh_credits_free();
        uint64_t credits = 0, interval = 0;
        bool limited = false;
        for (uint32_t i = 0; i < 60; i++) {
            static const uint32_t most[] = {3, 256, 2000, 65535};
            uint32_t rate = pick(&rng, 0, 7) ? pick(&rng, 1, most[pick(&rng, 0, 3)]) : MH_RATE_FREE;
            uint32_t passed = pick(&rng, 0, 1) ? pick(&rng, 1, 40) : 1;
            for (uint32_t k = 0; k < passed; k++)
                step(&credits, &limited, rate);
            interval += passed;
            mh_credits_at(&c, interval, rate);
            assert_int_equal(c.left, credits);
            for (uint32_t take = pick(&rng, 0, 9); take && (!limited || credits >= 256); take--) {
                assert_true(mh_credits_enough(&c));
                mh_credits_take(&c);
                credits -= limited ? 256 : 0;
            }
            assert_int_equal(mh_credits_enough(&c), !limited || credits >= 256);
        }
    }
}

/* The next interval with a whole credit, found by walking there. */
TEST(test_next)
{
    for (uint32_t rate = 1; rate < 700; rate += rate < 20 ? 1 : 13)
        for (uint32_t left = 0; left < 256; left += 5) {
            struct mh_issue_credits c = {.interval = 9, .quota = rate, .left = left, .carried = 0};
            uint64_t credits = left, want = 9;
            bool limited = true;
            do
                step(&credits, &limited, rate);
            while (want++, credits < 256);
            assert_int_equal(mh_credits_next(&c, rate), want);
        }
    struct mh_issue_credits c = {.interval = 9, .quota = 1};
    assert_int_equal(mh_credits_next(&c, MH_RATE_FREE), 10);
}

/* --- In the GPU. */

/* Tenant 0 of one, its rate from interval 1 on, with sixteen reads queued well before. The arbiter takes a cycle. */
static struct mh_gpu *limited_gpu(uint32_t rate, bool gpu_clock)
{
    struct mh_config cfg = subqueues_config(1, 2);
    set_word(&cfg, "l1d.rate_clock", gpu_clock ? "gpu" : "noc");
    cfg.l1d.rate_interval = INTERVAL;
    cfg.clock.noc_hz = cfg.clock.gpu_hz / 2;
    struct mh_gpu *g = subqueues_gpu(&cfg);
    set_rate(g, 0, rate);
    mh_gpu_advance(g, gpu_clock ? INTERVAL : 2 * INTERVAL); /* the first interval has no limit yet */
    return g;
}

static void queue_sixteen(struct mh_gpu *g)
{
    for (uint32_t i = 0; i < 16; i++)
        assert_true(queue_read(g, 0, 0, i, 0));
}

/*
 * 0.8 requests per interval of 200 NoC cycles, 400 of the GPU's: NoC cycle 201 is the first after the arbiter's, but
 * the credits of interval 1 are 0.8. So the requests enter at the starts of intervals 2 to 5, and 7.
 */
static void assert_starts_of_intervals(bool gpu_clock)
{
    static const uint64_t interval[] = {2, 3, 4, 5, 7};
    LOCAL_GPU(g) = limited_gpu(205, gpu_clock);
    uint64_t at;
    queue_sixteen(g);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(next_look_up(g, 0, &at), 0);
        assert_int_equal(at, (gpu_clock ? 1 : 2) * interval[i] * INTERVAL + THERE);
    }
}

TEST(test_starts_of_intervals)
{
    assert_starts_of_intervals(false);
}

/* Twice as many intervals in the same time. */
TEST(test_gpu_clock)
{
    assert_starts_of_intervals(true);
}

/* 2.5 per interval, from the start of interval 2 on; the half of interval 1, which sent nothing, has carried. */
TEST(test_burst_of_an_interval)
{
    LOCAL_GPU(g) = limited_gpu(640, false);
    uint64_t at, start = 2 * INTERVAL;
    mh_gpu_advance(g, 2 * start - 10);
    queue_sixteen(g);
    /* Two whole credits of interval 1 are there still: they go after the arbiter's cycle. */
    static const uint64_t want[][2] = {{196, 1}, {197, 1}, {200, 2}, {201, 2}, {202, 2}, {200, 3}, {201, 3}};
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(next_look_up(g, 0, &at), 0);
        uint64_t enters = want[i][1] == 1 ? want[i][0] + INTERVAL : want[i][0] + (want[i][1] - 1) * INTERVAL;
        assert_int_equal(at, 2 * (enters + THERE / 2));
    }
}

/* Latency-sensitive ones hold credits, too: without one the other goes. */
TEST(test_first_needs_credits)
{
    LOCAL_GPU(g) = limited_gpu(256, false);
    set_first(g, 0);
    uint64_t start = mh_gpu_now(g);
    for (uint32_t i = 0; i < 3; i++) {
        queue_read(g, 0, 1, 4 + i, 0);
        queue_read(g, 0, 0, i, 0);
    }
    /* NoC cycle 201, 202, 203, 204; the next interval's at 400 and 600. */
    assert_order(g, start, 6, (int[]){0, 1, 1, 1, 0, 0},
                 (uint64_t[]){2 + THERE, 4 + THERE, 6 + THERE, 8 + THERE, 400 + THERE, 800 + THERE});
}

/* Nothing waits: no event comes for intervals that pass. Someone does: one comes, for the interval with the credit. */
TEST(test_no_polling)
{
    LOCAL_GPU(g) = limited_gpu(1, false);
    uint64_t before = g->wheel.executed;
    mh_gpu_advance(g, 40000);
    assert_int_equal(g->wheel.executed, before);
    queue_read(g, 0, 0, 0, 0);
    mh_gpu_advance(g, 40010);
    before = g->wheel.executed;
    /* The first whole credit of 1/256 per interval comes at the start of interval 256. */
    mh_gpu_advance(g, 2 * 256 * INTERVAL - 1);
    assert_int_equal(g->wheel.executed, before);
    assert_int_equal(queued(g, 0, 0), 1);
    mh_gpu_advance(g, 2 * 256 * INTERVAL);
    assert_int_equal(queued(g, 0, 0), 0);
}

/* A COMMIT counts from the next interval on, and wakes waiting requests. */
TEST(test_commit)
{
    LOCAL_GPU(g) = limited_gpu(1, false);
    queue_read(g, 0, 0, 0, 0);
    mh_gpu_advance(g, 450);
    set_rate(g, 0, MH_RATE_FREE);
    mh_gpu_advance(g, 799);
    assert_int_equal(queued(g, 0, 0), 1);
    mh_gpu_advance(g, 800);
    assert_int_equal(queued(g, 0, 0), 0);
    /* And the other way: what comes in the interval of the COMMIT has no limit yet. */
    mh_gpu_advance(g, 1000);
    set_rate(g, 0, 1);
    queue_sixteen(g);
    mh_gpu_advance(g, 1100);
    assert_int_equal(queued(g, 0, 0), 0);
    mh_gpu_advance(g, 1200);
    queue_sixteen(g);
    mh_gpu_advance(g, 50000);
    assert_int_equal(queued(g, 0, 0), 16);
}

/* MISS_QUEUES 0 keeps to no rate: what is queued leaves at once, a request a cycle. */
TEST(test_fifo_has_no_rate)
{
    struct mh_gpu *g = limited_gpu(1, false);
    queue_sixteen(g);
    mh_gpu_advance(g, 600);
    assert_int_equal(queued(g, 0, 0), 16);
    script_knob(g, MH_REG_MISS_QUEUES, 0);
    assert_false(queue_read(g, 0, 1, 0, 1));
    mh_gpu_advance(g, 600 + 2 * 16 - 1);
    assert_int_equal(queued(g, 0, 0), 0);
    assert_true(queue_read(g, 0, 1, 0, 1)); /* empty: the knob has taken effect */
    assert_int_equal(queued(g, 0, 1), 0);
    mh_gpu_advance(g, 2000);
    script_end(g);
}
