/* The L2 with sectors: what is read, written back and waited for; cycles by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sectors.h"

/*
 * As in test_l2.c, but a burst has 32 bytes. Reading n sectors of a closed row: activate 22, n column commands 2 apart,
 * CL 22, burst 2. The reply has n flits behind its head.
 */
enum { THERE = 8, BACK = 10 + 8 + 1 + 1, FIRST = 22 + 2, ACTIVATE = 22, NEXT = 2 };

static uint64_t timed(struct mh_gpu *g, uint32_t line, uint32_t sectors)
{
    uint64_t start = mh_gpu_now(g);
    read_sectors(g, 0, line, sectors);
    return arrival(g, 0, line) - start;
}

static void store_at(struct mh_gpu *g, uint32_t line, uint32_t from, uint32_t bytes)
{
    struct mh_bytes b = {{0}};
    mh_bytes_add(&b, from, bytes);
    store_bytes(g, 1, line, b);
    settle(g);
}

static void assert_moved(const struct mh_gpu *g, uint64_t reads, uint64_t read_sectors_, uint64_t writes,
                         uint64_t write_sectors)
{
    assert_int_equal(count(g)->dram_read, reads);
    assert_int_equal(count(g)->dram_read_sectors, read_sectors_);
    assert_int_equal(count(g)->dram_write, writes);
    assert_int_equal(count(g)->dram_write_sectors, write_sectors);
}

/* A miss of the line, of a sector of it, of two at once, and hits of all. */
static void test_latency(void **state)
{
    (void)state;
    struct mh_config cfg;
    sector_config(&cfg, 1, "fetch");
    struct mh_gpu *g = sleeping_gpu(&cfg);
    uint32_t line = bank_line(g, 0, 3, 0);
    assert_int_equal(timed(g, line, 1), THERE + ACTIVATE + FIRST + BACK + 1);
    assert_int_equal(timed(g, line, 2), THERE + FIRST + BACK + 1);
    assert_moved(g, 2, 2, 0, 0);
    assert_int_equal(count(g)->dram_cycles, ACTIVATE + 2 * FIRST);
    assert_int_equal(timed(g, line, 3), THERE + BACK + 2);
    assert_int_equal(timed(g, line, 15), THERE + FIRST + NEXT + BACK + 4); /* the two that are not there, at once */
    assert_moved(g, 3, 4, 0, 0);
    assert_int_equal(timed(g, line, 15), THERE + BACK + 4);
    assert_int_equal(count(g)->l2_access, 5);
    assert_int_equal(count(g)->l2_hit, 2);
    assert_int_equal(count(g)->dram_row_hit, 2);
    mh_gpu_destroy(g);
}

/* Sectors that are not neighbours cost what neighbours cost: their row is open. */
static void test_apart(void **state)
{
    (void)state;
    static const uint32_t sectors[] = {1, 3, 9, 10, 7, 13, 15};
    struct mh_config cfg;
    sector_config(&cfg, 1, "fetch");
    for (uint32_t i = 0; i < 7; i++) {
        struct mh_gpu *g = sleeping_gpu(&cfg);
        uint32_t n = (uint32_t)__builtin_popcount(sectors[i]);
        assert_int_equal(timed(g, bank_line(g, 0, 3, 0), sectors[i]),
                         THERE + ACTIVATE + FIRST + (n - 1) * NEXT + BACK + n);
        assert_moved(g, 1, n, 0, 0);
        mh_gpu_destroy(g);
    }
}

/*
 * One MSHR. SM 0 wants sector 0; five cycles later SM 1 wants 0 and 1: it merges and asks for 1 alone, which comes with
 * the next free column command, and waits for both. Both are misses. Nothing of another line is taken meanwhile.
 */
static void test_mshr_asks_again(void **state)
{
    (void)state;
    struct mh_gpu *g = tiny_gpu("fetch", 2, 1);
    uint32_t line = bank_line(g, 0, 0, 0);
    uint64_t start = mh_gpu_now(g);
    read_sectors(g, 0, line, 1);
    mh_gpu_advance(g, start + 5);
    read_sectors(g, 1, line, 3);
    assert_int_equal(arrival(g, 0, line) - start, THERE + ACTIVATE + FIRST + BACK + 1);
    assert_int_equal(arrival(g, 1, line) - start, THERE + ACTIVATE + FIRST + NEXT + BACK + 2);
    assert_moved(g, 2, 2, 0, 0);
    assert_int_equal(count(g)->l2_hit, 0);
    assert_int_equal(count(g)->dram_cycles, 2 * (ACTIVATE + FIRST) + NEXT - 5);
    script_assert_idle(g);
    mh_gpu_destroy(g);
}

/* While a sector is on its way, those that are there hit: they do not wait for it. */
static void test_hit_beside_a_miss(void **state)
{
    (void)state;
    struct mh_gpu *g = tiny_gpu("fetch", 2, 1);
    uint32_t line = bank_line(g, 0, 0, 0);
    timed(g, line, 1);
    uint64_t start = mh_gpu_now(g);
    read_sectors(g, 0, line, 2);
    mh_gpu_advance(g, start + 2);
    read_sectors(g, 1, line, 1);
    assert_int_equal(arrival(g, 1, line) - start, 2 + THERE + BACK + 1);
    assert_int_equal(arrival(g, 0, line) - start, THERE + FIRST + BACK + 1);
    assert_int_equal(count(g)->l2_hit, 1);
    mh_gpu_destroy(g);
}

/* Only dirty sectors go back, in one write. */
static void test_write_back(void **state)
{
    (void)state;
    struct mh_gpu *g = tiny_gpu("fetch", 1, 4);
    uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1);
    timed(g, a, 15);
    store_at(g, a, 4, 4);
    store_at(g, a, 100, 4);
    assert_moved(g, 1, 4, 0, 0);
    timed(g, b, 2);
    settle(g);
    assert_moved(g, 2, 5, 1, 2);
    atomic_on(g, b, 8); /* fetches its sector */
    timed(g, a, 1);
    settle(g);
    assert_moved(g, 4, 7, 2, 3);
    timed(g, b, 1); /* a is clean */
    settle(g);
    assert_moved(g, 5, 8, 2, 3);
    mh_gpu_destroy(g);
}

/* Bytes 60..67 of a line that is not there touch two sectors; 32..63 are one. */
static void test_partial_stores(void **state)
{
    (void)state;
    for (uint32_t lazy = 0; lazy < 2; lazy++) {
        struct mh_gpu *g = tiny_gpu(lazy ? "lazy" : "fetch", 1, 4);
        uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1);
        store_at(g, a, 60, 8);
        assert_moved(g, !lazy, lazy ? 0 : 2, 0, 0);
        store_at(g, a, 32, 28); /* with lazy that fills sector 1 */
        store_at(g, a, 96, 32); /* a whole sector: not fetched */
        assert_int_equal(count(g)->l2_hit, 1);
        timed(g, a, 2 | 8);
        assert_int_equal(count(g)->l2_hit, 2);
        assert_moved(g, !lazy, lazy ? 0 : 2, 0, 0);
        timed(g, a, 4); /* stored in part */
        assert_moved(g, 1, lazy ? 1 : 2, 0, 0);
        store_at(g, b, 0, 128);
        assert_moved(g, 1, lazy ? 1 : 2, 1, 3);
        mh_gpu_destroy(g);
    }
}

/* With lazy a sector that is stored in part and leaves has never been read; an atomic reads it. */
static void test_lazy_reads_late(void **state)
{
    (void)state;
    struct mh_gpu *g = tiny_gpu("lazy", 1, 4);
    uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1);
    store_at(g, a, 0, 4);
    store_at(g, b, 0, 4); /* takes its place */
    assert_moved(g, 0, 0, 1, 1);
    atomic_on(g, b, 1);
    assert_moved(g, 1, 1, 1, 1);
    timed(g, b, 1);
    assert_moved(g, 1, 1, 1, 1);
    mh_gpu_destroy(g);
}

int test_l2_sectors(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),         cmocka_unit_test(test_apart),
        cmocka_unit_test(test_mshr_asks_again), cmocka_unit_test(test_hit_beside_a_miss),
        cmocka_unit_test(test_write_back),      cmocka_unit_test(test_partial_stores),
        cmocka_unit_test(test_lazy_reads_late),

    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
