/* Replies on the wires from banks to SMs and walkers, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "requests.h"

/* Preset `mask`: latency 8; a line is a header flit and four of 32 bytes. */
enum { LATENCY = 8, FLITS = 5, MOST = 64 };

/* From a bank to an SM, ready at a cycle; all cycles from the first on. */
struct sent {
    uint32_t bank, sm;
    uint64_t ready;
};

/* The cycle at which reply `i` has arrived with its last flit; the L1D has the line two cycles later. */
static void replies(uint32_t ports, uint32_t count, const struct sent *reply, uint64_t *at)
{
    struct mh_gpu *g = wired_gpu(4, ports);
    uint64_t start = mh_gpu_now(g) + 10;
    uint32_t line[MOST];
    for (uint32_t i = 0; i < count; i++) {
        line[i] = bank_line(g, 0, reply[i].bank, i);
        uint32_t id = looked_up(g, read_of(g, reply[i].sm, line[i]));
        mh_noc_reply(g, reply[i].bank, id, start + reply[i].ready);
        at[i] = 0;
    }
    for (uint32_t left = count; left; mh_gpu_advance(g, mh_gpu_now(g) + 1))
        for (uint32_t i = 0; i < count; i++)
            if (!at[i] && mh_index_find(&g->sm[reply[i].sm].l1_index, line[i]) < 0) {
                at[i] = mh_gpu_now(g) - start - (1 + 1);
                left--;
            }
    assert_int_equal(g->tenant[0].count.reply_flits, count * FLITS);
    script_end(g);
}

static void assert_replies(uint32_t ports, uint32_t count, const struct sent *reply, const uint64_t *want)
{
    uint64_t at[MOST];
    replies(ports, count, reply, at);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(at[i], want[i]);
}

static void test_replies(void **state)
{
    (void)state;
    static const struct sent reply[] = {
        {0, 0, 0},   /* alone: the head at 8, four flits behind it */
        {1, 0, 0},   /* another bank, the same SM: behind the first on the SM's wire */
        {0, 1, 0},   /* the same bank, another SM: on the bank's second wire */
        {0, 2, 0},   /* the third of that bank leaves when a wire is free, at 5 */
        {2, 3, 0},   /* another bank, another SM: alone */
        {0, 0, 100}, /* later, when the wires are free again */
    };
    assert_replies(2, 6, reply, (uint64_t[]){12, 17, 12, 17, 12, 112});
}

/* Four lines of one bank at once, to four SMs: as many leave together as it has wires. */
static void test_wires_out_of_a_bank(void **state)
{
    (void)state;
    static const struct sent reply[] = {{4, 0, 0}, {4, 1, 0}, {4, 2, 0}, {4, 3, 0}};
    assert_replies(1, 4, reply, (uint64_t[]){12, 17, 22, 27});
    assert_replies(2, 4, reply, (uint64_t[]){12, 12, 17, 17});
    assert_replies(3, 4, reply, (uint64_t[]){12, 12, 12, 17});
    assert_replies(4, 4, reply, (uint64_t[]){12, 12, 12, 12});
}

/*
 * Bank 0 has a line for SM 0, but its wires are busy until 10 with lines for others. What bank 1 sends meanwhile is at
 * SM 0's wire first and does not wait. Only what really is in the way delays: bank 1's line of cycle 7 is on the wire
 * at 15..19, when the head of bank 0's comes at 18.
 */
static void test_busy_bank_holds_no_place(void **state)
{
    (void)state;
    for (uint32_t later = 0; later < 2; later++) {
        uint64_t ready = later ? 7 : 1, own = later ? 7 + 12 : 1 + 12, other = later ? 20 + 4 : 10 + 12;
        const struct sent one[] = {{0, 1, 0}, {0, 2, 0}, {0, 0, 0}, {1, 0, ready}};
        assert_replies(1, 4, one, (uint64_t[]){12, 17, other, own});
        const struct sent two[] = {{0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, ready}};
        assert_replies(2, 6, two, (uint64_t[]){12, 12, 17, 17, other, own});
    }
}

/* First flit of what would come next at a walkers' port, after two entries have left bank 3 for `port` and `other`. */
static uint64_t two_entries(uint32_t ports, uint32_t port, uint32_t other)
{
    struct mh_gpu *g = wired_gpu(1, ports);
    uint64_t start = mh_gpu_now(g) + 10;
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_req r = request_of(g, 0, MH_REQ_PTE, bank_line(g, 0, 3, i));
        r.port = (uint16_t)(1 + (i ? other : port));
        mh_noc_reply(g, 3, looked_up(g, r), start);
    }
    mh_gpu_advance(g, start + LATENCY); /* both have left, none has arrived: no walk waits for them */
    assert_int_equal(g->noc->live, 0);
    uint64_t free_at = g->noc->port[1 + other].eject_free - start;
    mh_gpu_destroy(g);
    return free_at;
}

/* A page table entry is a header and one flit. */
static void test_page_table_entries(void **state)
{
    (void)state;
    assert_int_equal(two_entries(1, 0, 1), 2 + LATENCY + 2); /* behind the first on the bank's wire */
    assert_int_equal(two_entries(2, 0, 1), LATENCY + 2);     /* on its other wire */
    assert_int_equal(two_entries(2, 1, 1), LATENCY + 4);     /* on one wire of the port after all */
}

/* Out of one bank to four SMs, 40 lines: `ports` in five cycles. */
static void test_peak_of_replies(void **state)
{
    (void)state;
    struct sent reply[40];
    for (uint32_t i = 0; i < 40; i++)
        reply[i] = (struct sent){.bank = 6, .sm = i % 4};
    for (uint32_t ports = 1; ports <= 4; ports *= 2) {
        uint64_t want[40];
        for (uint32_t i = 0; i < 40; i++)
            want[i] = LATENCY + FLITS - 1 + FLITS * (i / ports);
        assert_replies(ports, 40, reply, want);
    }
}

int test_noc_replies(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replies),
        cmocka_unit_test(test_wires_out_of_a_bank),
        cmocka_unit_test(test_busy_bank_holds_no_place),
        cmocka_unit_test(test_page_table_entries),
        cmocka_unit_test(test_peak_of_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
