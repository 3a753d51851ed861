/* DRAM accesses that requests cause (DRAM_CAUSED): each case by hand, and the sum of a random mix to the last access.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "requests.h"
#include "shared_sms.h"

/* Banks of one line each: whatever misses evicts. SM i is tenant i's. */
static struct mh_gpu *tiny_gpu(uint32_t tenants, uint32_t store_buffer)
{
    struct mh_config cfg;
    script_config(&cfg, 4, tenants);
    cfg.dram.channels = 1;
    cfg.l2.banks = 2;
    cfg.l2.ways = 1;
    cfg.l2.bytes = 2 * MH_LINE_BYTES;
    cfg.l1d.store_buffer = store_buffer;
    return sleeping_gpu(&cfg);
}

/* What the request caused, once all of it has happened. */
static uint64_t caused(struct mh_gpu *g, uint32_t sm, enum mh_req_kind kind, uint32_t n, bool full)
{
    const uint32_t tenant = sm % g->tenants, line = bank_line(g, tenant, 0, n);
    const uint64_t before = g->tenant[tenant].count.dram_caused;
    if (kind == MH_REQ_READ) {
        send_read(g, sm, line);
    } else {
        g->sm[sm].stores += g->cfg.l1d.store_buffer != 0;
        send_write(g, sm, kind, line, full);
    }
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    return g->tenant[tenant].count.dram_caused - before;
}

static void test_each_case(void **state)
{
    (void)state;
    for (uint32_t store_buffer = 0; store_buffer < 2; store_buffer++) {
        struct mh_gpu *g = tiny_gpu(1, store_buffer);
        assert_int_equal(caused(g, 0, MH_REQ_READ, 0, false), 1);   /* an empty way */
        assert_int_equal(caused(g, 0, MH_REQ_READ, 0, false), 0);   /* hit */
        assert_int_equal(caused(g, 0, MH_REQ_READ, 1, false), 1);   /* clean victim */
        assert_int_equal(caused(g, 0, MH_REQ_WRITE, 1, false), 0);  /* hit: dirty now */
        assert_int_equal(caused(g, 0, MH_REQ_READ, 2, false), 2);   /* dirty victim */
        assert_int_equal(caused(g, 0, MH_REQ_WRITE, 3, true), 0);   /* nothing is fetched, clean victim */
        assert_int_equal(caused(g, 0, MH_REQ_WRITE, 4, true), 1);   /* dirty victim */
        assert_int_equal(caused(g, 0, MH_REQ_WRITE, 5, false), 2);  /* a part of a line is fetched */
        assert_int_equal(caused(g, 0, MH_REQ_ATOMIC, 6, false), 2); /* so is an atomic's */
        assert_int_equal(caused(g, 0, MH_REQ_ATOMIC, 6, false), 0);
        assert_int_equal(g->tenant[0].count.dram_read, 5);
        assert_int_equal(g->tenant[0].count.dram_write, 4);
        script_end(g);
    }
}

/* The second and third find the line on its way: the first has caused the access, whoever it is. */
static void test_merge(void **state)
{
    (void)state;
    struct mh_gpu *g = tiny_gpu(1, 0);
    uint32_t line = bank_line(g, 0, 0, 0);
    for (uint32_t sm = 0; sm < 3; sm++)
        send_read(g, sm, line);
    send_write(g, 3, MH_REQ_WRITE, line, false);
    mh_gpu_advance(g, mh_gpu_now(g) + 30); /* looked up, no line yet */
    assert_int_equal(g->tenant[0].count.l2_access, 4);
    assert_int_equal(g->tenant[0].count.dram_caused, 0); /* no reply has departed */
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_int_equal(g->tenant[0].count.dram_caused, 1);
    assert_int_equal(caused(g, 0, MH_REQ_READ, 1, false), 2); /* the write that merged has made it dirty */
    script_end(g);
}

/* DRAM_WRITE is the victim's, DRAM_CAUSED that of whoever needs its place. */
static void test_who_evicts_pays(void **state)
{
    (void)state;
    struct mh_gpu *g = tiny_gpu(2, 0);
    assert_int_equal(caused(g, 0, MH_REQ_WRITE, 0, true), 0);
    assert_int_equal(caused(g, 1, MH_REQ_READ, 0, false), 2);
    assert_int_equal(g->tenant[0].count.dram_caused, 0);
    assert_int_equal(g->tenant[0].count.dram_write, 1);
    assert_int_equal(g->tenant[1].count.dram_write, 0);
    script_end(g);
}

enum { LAUNCHES = 3, CTAS = 6 };

/* Two tenants on the same SMs, with an L2 that is too small. No walk evicts: there are none, or they pass the L2. */
static void random_mix(uint64_t seed, uint32_t ideal, uint32_t store_buffer)
{
    struct mh_config cfg;
    struct mix mix[2];
    struct script *s[2];
    shared_config(&cfg, 2);
    cfg.l1tlb.ideal = ideal;
    cfg.walk.uncached = !ideal;
    cfg.l1d.store_buffer = store_buffer;
    cfg.l2.bytes = 16 * 4 * 2 * MH_LINE_BYTES;
    cfg.l2.ways = 4;
    for (uint32_t t = 0; t < 2; t++) {
        mix[t] = (struct mix){.seed = seed + t, .bytes = 1 << 20, .ops = 30, .lanes = 64, .threads = 128};
        s[t] = mix_script(&mix[t], LAUNCHES, CTAS);
    }
    struct mh_gpu *g = script_gpu(&cfg, s);
    uint64_t sum = 0, seen = 0;
    while (!mix_done(g, LAUNCHES))
        mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    mix_settle(g);
    for (uint32_t t = 0; t < 2; t++) {
        const struct mh_counters *c = &g->tenant[t].count;
        mix_check(g, t, &mix[t], LAUNCHES, CTAS);
        sum += c->dram_caused;
        seen += c->dram_read + c->dram_write;
        assert_true(c->dram_read > 500 && c->dram_write > 500);
    }
    assert_int_equal(sum, seen);
    mh_gpu_destroy(g);
}

static void test_sum_of_a_mix(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        random_mix(100 + i, i % 2, i / 2 % 2 * 4);
}

int test_l2_caused(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_case),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_who_evicts_pays),
        cmocka_unit_test(test_sum_of_a_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
