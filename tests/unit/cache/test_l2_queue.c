/* l2.queue_latency: the pipeline between crossbar and look-up; cycles by hand, on top of those of test_l2.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "requests.h"
#include "translate_fixture.h"

enum {
    QUEUE = 85,
    THERE = 8,
    BACK = 10 + 8 + 4 + 1 + 1,
    CLOSED = 22 + 2 + 22 + 2,
    OPEN = CLOSED - 22,
    LEAF = 8,
    PROBE = 10
};

static const struct mh_counters *count(const struct mh_gpu *g)
{
    return &g->tenant[0].count;
}

static struct mh_gpu *queued_gpu(uint32_t sms, uint32_t bank_queue)
{
    struct mh_config cfg;
    script_config(&cfg, sms, 1);
    cfg.l2.queue_latency = QUEUE;
    cfg.noc.bank_queue = bank_queue;
    return sleeping_gpu(&cfg);
}

/* Hits and misses alike; a written line is looked up so much after its tail. */
static void test_one_request(void **state)
{
    (void)state;
    struct mh_gpu *g = queued_gpu(1, 16);
    uint32_t line = bank_line(g, 0, 3, 0);
    assert_int_equal(timed_read(g, 0, line), THERE + QUEUE + CLOSED + BACK);
    assert_int_equal(timed_read(g, 0, line), THERE + QUEUE + BACK);
    uint64_t at = mh_gpu_now(g);
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, 1), true);
    assert_int_equal(script_until(g, &count(g)->l2_access, 3) - at, THERE + 4 + QUEUE);
    send_write(g, 0, MH_REQ_ATOMIC, line, true);
    assert_int_equal(script_until(g, &count(g)->l2_access, 4) - at, 2 * (THERE + 4 + QUEUE));
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    script_end(g);
}

/*
 * Writes of two flits from 40 SMs to one bank: its two wires bring two of them every second cycle, and so they are
 * looked up, although the bank itself has a single place. Who waits in the pipeline holds up nobody.
 */
static void test_many_requests(void **state)
{
    (void)state;
    enum { SMS = 40, EACH = 4, ALL = SMS * EACH };
    struct mh_gpu *g = queued_gpu(SMS, 1);
    struct mh_req r = request_of(g, 0, MH_REQ_WRITE, bank_line(g, 0, 5, 0));
    uint64_t at = mh_gpu_now(g);
    r.full = false;
    r.sectors = 1;
    for (uint32_t i = 0; i < ALL; i++) {
        r.port = (uint16_t)(i % SMS);
        mh_noc_send(g, &r);
    }
    for (uint32_t i = 0; i < ALL / 2; i++)
        assert_int_equal(script_until(g, &count(g)->l2_access, 2 * i + 1) - at, THERE + 1 + QUEUE + 2 * i);
    assert_int_equal(count(g)->l2_access, ALL);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    script_end(g);
}

/* Of a walk's four reads, all that look the L2 up wait; one that goes past it does not, nor for a look-up. */
static void test_walks(void **state)
{
    (void)state;
    for (uint32_t masked = 0; masked < 2; masked++) {
        struct mh_config cfg;
        struct script *s;
        walking_config(&cfg, 1);
        cfg.l2.queue_latency = QUEUE;
        struct mh_gpu *g = to_and_fro_gpu(&cfg, &s);
        script_knob(g, MH_REG_L2_BYPASS, masked ? LEAF : 0);
        chain_run(g);
        assert_int_equal(chain_cycles(s, 3),
                         ASK + L2TLB + WIRE + HIT + WALK + (masked ? 3 * QUEUE + OPEN - PROBE : 4 * QUEUE));
        script_end(g);
    }
}

int test_l2_queue(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_request),
        cmocka_unit_test(test_many_requests),
        cmocka_unit_test(test_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
