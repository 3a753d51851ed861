/* Crossbars with a clock of their own, by hand: flits take its cycles, latencies those of the GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "requests.h"

/* Preset `mask`: latency 8 GPU cycles; a line is a header flit and four of 32 bytes. */
enum { FLITS = 5, L1 = 1 + 1 };

/* `gpu` cycles of the GPU last as long as `noc` of the crossbars. */
static struct mh_gpu *gpu_with_clocks(uint32_t sms, uint32_t gpu, uint32_t noc)
{
    struct mh_config cfg;
    script_config(&cfg, sms, 1);
    cfg.clock.gpu_hz = gpu * 100000000ull;
    cfg.clock.dram_hz = cfg.clock.gpu_hz;
    cfg.clock.noc_hz = noc * 100000000ull;
    cfg.l2.ports = 1;
    cfg.l1d.mshrs = 256;
    return sleeping_gpu(&cfg);
}

/* GPU cycle of the next look-up. */
static uint64_t look_up(struct mh_gpu *g)
{
    uint64_t before = g->tenant[0].count.l2_access;
    while (g->tenant[0].count.l2_access == before)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    assert_int_equal(g->tenant[0].count.l2_access, before + 1);
    return mh_gpu_now(g);
}

static void read_at(struct mh_gpu *g, uint64_t cycle, uint32_t n)
{
    mh_gpu_advance(g, cycle);
    send_read(g, 0, bank_line(g, 0, 3, n));
}

static void write_at(struct mh_gpu *g, uint64_t cycle, uint32_t n)
{
    mh_gpu_advance(g, cycle);
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, n), true);
}

/* NoC cycle n starts at GPU cycle 2 n; the latency is 4 of them. */
static void test_half(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with_clocks(1, 2, 1);
    read_at(g, 100, 0); /* NoC cycle 50; the only flit there at 54 */
    assert_int_equal(look_up(g), 108);
    read_at(g, 201, 1); /* waits for the NoC's cycle 101 */
    assert_int_equal(look_up(g), 210);
    write_at(g, 300, 2); /* tail at 150 + 4 + 4 */
    assert_int_equal(look_up(g), 316);
    write_at(g, 400, 3); /* the wire is free again at 205 */
    send_read(g, 0, bank_line(g, 0, 4, 0));
    assert_int_equal(look_up(g), 416);
    assert_int_equal(look_up(g), 418);
    mh_gpu_destroy(g);
}

/* NoC cycles 2 n and 2 n + 1 start in GPU cycle n; the latency is 16 of them. What ends in between is seen at the end.
 */
static void test_double(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with_clocks(1, 1, 2);
    read_at(g, 100, 0);
    assert_int_equal(look_up(g), 108);
    write_at(g, 200, 1); /* tail at 400 + 16 + 4 */
    assert_int_equal(look_up(g), 210);
    mh_gpu_advance(g, 300);
    for (uint32_t n = 0; n < 4; n++) /* two flits a GPU cycle: at 616, 617, 618, 619 */
        send_read(g, 0, bank_line(g, 0, 4 + n, 0));
    mh_gpu_advance(g, 307);
    static const uint64_t seen[] = {3, 5, 6}; /* at 308, 309, 310; two were before */
    for (uint32_t i = 0; i < 3; i++) {
        mh_gpu_advance(g, 308 + i);
        assert_int_equal(g->tenant[0].count.l2_access, seen[i]);
    }
    mh_gpu_destroy(g);
}

/* First GPU cycle that starts with NoC cycle n or after it, at 7 to 6. */
static uint64_t seen_at(uint64_t n)
{
    return (n * 7 + 5) / 6;
}

/*
 * 1.2 GHz beside 1.4: out of 16 banks of one port, 40 lines each, one after the other: 16 ports x 32 bytes x 1.2 GHz =
 * 614 GB/s with the headers. Of the latency of 8 GPU cycles there are 7 NoC cycles, rounded up from 6.9.
 */
static void test_peak(void **state)
{
    enum { BANKS = 16, LINES = 40, START = 700 };
    (void)state;
    struct mh_gpu *g = gpu_with_clocks(BANKS, 7, 6);
    uint32_t line[BANKS][LINES];
    mh_gpu_advance(g, START - 10);
    for (uint32_t b = 0; b < BANKS; b++)
        for (uint32_t i = 0; i < LINES; i++) {
            line[b][i] = bank_line(g, 0, b, i);
            mh_noc_reply(g, b, looked_up(g, read_of(g, b, line[b][i])), START);
        }
    for (uint32_t i = 0; i < LINES; i++) {
        uint64_t tail = START * 6 / 7 + 7 + (uint64_t)FLITS * (i + 1) - 1;
        for (uint32_t b = 0; b < BANKS; b++)
            assert_int_equal(arrival(g, b, line[b][i]), seen_at(tail) + L1);
    }
    for (uint32_t b = 0; b < BANKS; b++)
        assert_int_equal(g->noc->port[b].eject_free - (START * 6 / 7 + 7), FLITS * LINES); /* never idle */
    script_end(g);
}

/* The same out of a port: look-ups are five NoC cycles apart, whatever the GPU's cycles make of it. */
static void test_peak_of_a_port(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with_clocks(1, 7, 6);
    write_at(g, 700, 0);
    for (uint32_t i = 1; mh_noc_room(g->noc, 0); i++)
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, i % 16, i / 16), true);
    uint32_t sent = g->noc->live;
    assert_int_equal(sent, 1 + g->cfg.l1d.miss_queue);
    for (uint32_t i = 0; i < sent; i++)
        assert_int_equal(look_up(g), seen_at(600 + 7 + (uint64_t)FLITS * (i + 1) - 1));
    mh_gpu_destroy(g);
}

/*
 * One MSHR: a miss stops the bank, with six hits behind it that come while it waits. When the line of the MSHR comes,
 * all seven are looked up, one in each NoC cycle.
 */
static void test_retries(void **state)
{
    (void)state;
    for (uint32_t noc = 1; noc <= 4; noc *= 2) { /* half the GPU's clock, as fast, twice as fast */
        struct mh_config cfg;
        script_config(&cfg, 8, 1);
        cfg.clock.noc_hz = cfg.clock.gpu_hz / 2 * noc;
        cfg.l2.ports = 1;
        cfg.l2.mshrs = 1;
        struct mh_gpu *g = sleeping_gpu(&cfg);
        uint32_t line = bank_line(g, 0, 3, 0);
        const struct mh_counters *c = &g->tenant[0].count;
        send_read(g, 0, line);
        mh_gpu_advance(g, 12);
        send_read(g, 1, bank_line(g, 0, 3, 1));
        mh_gpu_advance(g, 24);
        for (uint32_t sm = 2; sm < 8; sm++)
            send_read(g, sm, line);
        assert_int_equal(c->l2_access, 1);
        while (c->l2_access == 1)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        uint64_t first = mh_gpu_now(g);
        while (c->l2_access < 8)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        static const uint64_t want[] = {[1] = 6 * 2, [2] = 6, [4] = 7 / 2};
        assert_int_equal(mh_gpu_now(g) - first, want[noc]);
        assert_int_equal(c->l2_hit, 6);
        mh_gpu_destroy(g);
    }
}

int test_noc_clock(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half),           cmocka_unit_test(test_double),  cmocka_unit_test(test_peak),
        cmocka_unit_test(test_peak_of_a_port), cmocka_unit_test(test_retries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
