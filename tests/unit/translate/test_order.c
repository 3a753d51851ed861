/* Order of walks: which of those that wait goes next, by hand. */
#include "unit/test.h"
#include "walk_fixture.h"

/* Arrivals and services as letters: one instruction a letter. */
static void arrive(struct bench *b, const char *letters)
{
    for (; *letters; letters++)
        bench_arrive(b, (uint32_t)*letters, 0, 0);
}

static void assert_served(struct bench *b, const char *letters)
{
    for (uint32_t i = 0; letters[i]; i++) {
        uint32_t got = bench_walk(b, bench_serve(b))->instruction;

        if (got != (uint32_t)letters[i])
            fail_msg("service %u of \"%s\" is %c", i, letters, (char)got);
    }
}

static void assert_order(enum mh_walk_order order, bool batch, const char *arrivals, const char *services)
{
    struct bench b = bench_open(0);

    b.g->knobs.walk_order = order;
    b.g->knobs.walk_batch = batch;
    arrive(&b, arrivals);
    assert_served(&b, services);
    assert_int_equal(mh_order_pick(b.g, &b.q), MH_NO_WALK);
    bench_close(&b);
}

/* Without a page walk cache every walk costs 4: the instruction with the fewest walks first, of equals the oldest. */
TEST(test_selection)
{
    assert_order(MH_WALK_FCFS, true, "ABBACCC", "ABBACCC");
    assert_order(MH_WALK_SIMT, true, "ABBACCC", "AABBCCC");
    assert_order(MH_WALK_SIMT, false, "ABBACCC", "ABBACCC"); /* A is not cheaper when one of its walks is gone */
    assert_order(MH_WALK_SIMT, true, "CACBCBA", "AABBCCC");
    assert_order(MH_WALK_SIMT, false, "CACBCBA", "ABBACCC");
    assert_order(MH_WALK_SIMT, true, "AAAB", "BAAA");
    assert_order(MH_WALK_SIMT, true, "ABCD", "ABCD");
    assert_order(MH_WALK_SCORED, true, "AAAB", "BAAA"); /* no score from firmware */
}

/* All walks of an instruction have one score, it grows with each arrival, and starts anew when none waits. */
TEST(test_score)
{
    struct bench b = bench_open(0);

    arrive(&b, "ABA");
    assert_int_equal(bench_score(&b, 'A'), 8);
    assert_int_equal(bench_score(&b, 'B'), 4);
    assert_served(&b, "B");
    arrive(&b, "B");
    assert_int_equal(bench_score(&b, 'B'), 4);
    assert_served(&b, "BA");
    arrive(&b, "A");
    assert_int_equal(bench_score(&b, 'A'), 12); /* its second walk was still waiting */
    bench_close(&b);
}

TEST(test_score_saturates)
{
    struct bench b = bench_open(0);

    for (uint32_t walks = 1; walks <= 70; walks++) {
        arrive(&b, "A");
        assert_int_equal(bench_score(&b, 'A'), walks < 64 ? 4 * walks : MH_WALK_SCORE_MAX);
    }
    bench_close(&b);
}

/* Cost of the estimated reads plus bias of the tenant; never below 1. */
TEST(test_cost_and_bias)
{
    static const struct {
        uint32_t cost, bias, score;
    } cases[] = {{4, 0, 4},     {0, 0, 1},     {0, 1, 1},     {1, 1, 2},
                 {255, 0, 255}, {255, 1, 256}, {255, 2, 256}, {255, 255, 256}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench b = bench_open(0);

        b.g->knobs.walk_cost_4 = cases[i].cost;
        b.g->knobs.walk_bias[1] = cases[i].bias;
        bench_arrive(&b, 'X', 1, 0);
        assert_int_equal(bench_score(&b, 'X'), cases[i].score);
        bench_close(&b);
    }
}

/* Tenant 1 is biased by one read: its single walk comes after tenant 0's, but before two of them. */
TEST(test_bias_between_tenants)
{
    struct bench b = bench_open(0);

    b.g->knobs.walk_bias[1] = 1;
    bench_arrive(&b, 'T', 1, 0);
    arrive(&b, "AAB");
    assert_served(&b, "BTAA");
    bench_close(&b);
}

/* The same in every run, another one with another seed; nobody is left; ageing holds here, too. */
static void draw(uint64_t seed, uint32_t age, char *services, uint32_t count)
{
    struct bench b = bench_open(0);

    b.g->cfg.run.seed = seed;
    b.g->knobs.walk_order = MH_WALK_RANDOM;
    b.g->knobs.walk_age = age;
    for (uint32_t i = 0; i < count; i++)
        bench_arrive(&b, 'A' + i, 0, 0);
    for (uint32_t i = 0; i < count; i++)
        services[i] = (char)bench_walk(&b, bench_serve(&b))->instruction;
    services[count] = 0;
    assert_int_equal(b.q.count, 0);
    bench_close(&b);
}

TEST(test_random)
{
    char a[27], b[27], c[27], d[27];
    uint32_t letters = 0;

    draw(1, 1000, a, 26);
    draw(1, 1000, b, 26);
    draw(2, 1000, c, 26);
    draw(1, 1, d, 26);
    assert_string_equal(a, b);
    assert_string_not_equal(a, c);
    assert_string_not_equal(a, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (const char *p = a; *p; p++)
        letters |= 1u << (*p - 'A');
    assert_int_equal(letters, (1u << 26) - 1);
    for (int i = 0; i + 1 < 26; i++) /* passed once, the oldest goes: its place is not that of its age */
        assert_true(d[i] - 'A' - i <= 25 && strchr(d, 'A' + i / 2) - d <= i + 1);
}

/* Firmware's score, where there is one; it holds for walks that come later, and goes with the last that waits. */
TEST(test_given_scores)
{
    struct bench b = bench_open(0);

    b.g->knobs.walk_order = MH_WALK_SCORED;
    arrive(&b, "ABBC");
    assert_true(mh_order_score(b.g, 'A', 9));
    assert_true(mh_order_score(b.g, 'B', 1));
    assert_false(mh_order_score(b.g, 'D', 1));
    arrive(&b, "B");
    assert_served(&b, "BBBC");
    assert_false(mh_order_score(b.g, 'B', 1)); /* late */
    arrive(&b, "BB");
    assert_served(&b, "BBA"); /* 8 and 9 */
    arrive(&b, "AA");
    assert_true(mh_order_score(b.g, 'A', 1));
    b.g->knobs.walk_order = MH_WALK_SIMT;
    arrive(&b, "B");
    assert_served(&b, "AA"); /* the batch */
    bench_close(&b);
}

/* The arrival that firmware sees: reads, tenant, instruction; only in order 3. */
TEST(test_arrivals)
{
    struct bench b = bench_open(4);

    bench_arrive(&b, 5, 1, 0);
    assert_int_equal(script_read(b.g, MH_REG_WALK_ARRIVALS), 0);
    b.g->knobs.walk_order = MH_WALK_SCORED;
    bench_arrive(&b, 0xfffff, 1, 0);
    mh_pwc_fill(b.g, 0, b.g->tenant[0].page_root, (uint32_t)(SCRIPT_BASE / SCRIPT_PAGE), 1);
    bench_arrive(&b, 6, 0, 0);
    assert_int_equal(script_read(b.g, MH_REG_WALK_ARRIVALS), 2);
    assert_int_equal(script_read(b.g, MH_REG_IRQ_PENDING), MH_IRQ_WALK_ARRIVAL);
    assert_int_equal(script_read(b.g, MH_REG_WALK_ARRIVAL), 0x80000000u | 4u << 28 | 1u << 24 | 0xfffff);
    assert_int_equal(script_read(b.g, MH_REG_WALK_ARRIVAL), 0x80000000u | 3u << 28 | 6);
    assert_int_equal(script_read(b.g, MH_REG_WALK_ARRIVAL), 0);
    script_write(b.g, MH_REG_WALK_SCORE, 7u << 20 | 6);
    assert_int_equal(mh_instruction_find(b.g->instructions, 6)->told, 7);
    script_write(b.g, MH_REG_WALK_SCORE, 7u << 20 | 7);
    assert_int_equal(script_read(b.g, MH_REG_WALK_SCORES_LATE), 1);
    mh_gpu_safe(b.g); /* the firmware is gone, and its scores with it */
    assert_int_equal(mh_instruction_find(b.g->instructions, 6)->told, 0);
    bench_close(&b);
}

/* What came while another order was in force has no score, and goes before what has one. */
TEST(test_order_changes)
{
    struct bench b = bench_open(0);

    b.g->knobs.walk_order = MH_WALK_FCFS;
    arrive(&b, "AABB");
    b.g->knobs.walk_order = MH_WALK_SIMT;
    arrive(&b, "CB");
    assert_int_equal(bench_score(&b, 'A'), 0);
    assert_int_equal(bench_score(&b, 'B'), 4);
    assert_served(&b, "AABBBC");
    bench_close(&b);
}

/* Two queues: each has its own last instruction, both the same scores. */
TEST(test_two_queues)
{
    struct bench b = bench_open(0), other = b;

    mh_walk_queue_init(&other.q);
    arrive(&b, "ABB");
    other.next = b.next;
    arrive(&other, "CBA");
    assert_int_equal(bench_score(&b, 'A'), 8);
    assert_int_equal(bench_score(&b, 'B'), 12);
    assert_served(&other, "C");
    assert_served(&b, "A");
    assert_served(&other, "A");
    assert_served(&b, "BB");
    assert_served(&other, "B");
    bench_close(&b);
}
