/* The crossbars: latency, wires, credits, by hand. Requests are put into a sleeping GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "requests.h"

/* Preset `mask`: latency 8; a line is a header flit and four of 32 bytes. */
enum { LATENCY = 8, FLITS = 5, MOST = 64 };

static struct mh_gpu *gpu_with(uint32_t sms, uint32_t tenants, uint32_t bank_queue)
{
    struct mh_config cfg;
    script_config(&cfg, sms, tenants);
    if (bank_queue)
        cfg.noc.bank_queue = bank_queue;
    return sleeping_gpu(&cfg);
}

static uint64_t accesses(const struct mh_gpu *g, uint32_t tenant)
{
    return g->tenant[tenant].count.l2_access;
}

/* Cycles, counted from now, at which the tenant's next `count` requests are looked up. */
static void look_ups(struct mh_gpu *g, uint32_t tenant, uint32_t count, uint64_t *at)
{
    uint64_t start = mh_gpu_now(g), before = accesses(g, tenant), seen = 0;
    while (seen < count) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        for (; seen < accesses(g, tenant) - before && seen < count; seen++)
            at[seen] = mh_gpu_now(g) - start;
        assert_true(mh_gpu_now(g) < start + 100000);
    }
}

static void assert_look_ups(struct mh_gpu *g, uint32_t tenant, uint32_t count, const uint64_t *want)
{
    uint64_t at[MOST];
    look_ups(g, tenant, count, at);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(at[i], want[i]);
}

static void test_zero_load(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(2, 1, 0);
    assert_int_equal(g->noc.data_flits, FLITS);
    send_read(g, 0, bank_line(g, 0, 3, 0));
    assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY}); /* one flit: head = tail */
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, 1), true);
    assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY + FLITS - 1}); /* the tail */
    send_write(g, 0, MH_REQ_ATOMIC, bank_line(g, 0, 3, 2), false);
    assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY + FLITS - 1});
    mh_gpu_destroy(g);
}

static void test_flits_follow_the_width(void **state)
{
    (void)state;
    static const uint32_t width[] = {8, 16, 64, 128, 256}, flits[] = {17, 9, 3, 2, 2};
    for (uint32_t i = 0; i < 5; i++) {
        struct mh_config cfg;
        script_config(&cfg, 1, 1);
        cfg.noc.flit_bytes = width[i];
        struct mh_gpu *g = sleeping_gpu(&cfg);
        assert_int_equal(g->noc.data_flits, flits[i]);
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 0, 0), true);
        assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY + flits[i] - 1});
        mh_gpu_destroy(g);
    }
}

/* A port's wire carries one flit a cycle. */
static void test_injection(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(1, 1, 0);
    uint64_t want[8];
    for (uint32_t i = 0; i < 8; i++) {
        send_read(g, 0, bank_line(g, 0, i, 0));
        want[i] = LATENCY + i;
    }
    assert_look_ups(g, 0, 8, want);
    for (uint32_t i = 0; i < 8; i++) {
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, i, 1), true);
        want[i] = (LATENCY + FLITS - 1) + i * FLITS;
    }
    assert_look_ups(g, 0, 8, want);
    /* A read behind a write waits for the write's five flits. */
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 0, 2), true);
    send_read(g, 0, bank_line(g, 0, 1, 2));
    assert_look_ups(g, 0, 2, (uint64_t[]){LATENCY + FLITS - 1, FLITS + LATENCY});
    mh_gpu_destroy(g);
}

/* The wire into a bank carries one flit a cycle, from whatever port. */
static void test_bank_wire(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(3, 1, 0);
    for (uint32_t sm = 0; sm < 3; sm++)
        send_read(g, sm, bank_line(g, 0, 5, sm));
    assert_look_ups(g, 0, 3, (uint64_t[]){LATENCY, LATENCY + 1, LATENCY + 2});
    for (uint32_t sm = 0; sm < 3; sm++)
        send_write(g, sm, MH_REQ_WRITE, bank_line(g, 0, 5, 3 + sm), true);
    assert_look_ups(g, 0, 3, (uint64_t[]){12, 17, 22});
    mh_gpu_destroy(g);
}

/* Two credits: the third read of a bank leaves its port when the first is looked up. */
static void test_credits(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(1, 1, 2);
    for (uint32_t i = 0; i < 5; i++)
        send_read(g, 0, bank_line(g, 0, 7, i));
    assert_look_ups(g, 0, 5, (uint64_t[]){8, 9, 16, 17, 24});
    assert_int_equal(g->noc.bank[7].credits, 2);
    mh_gpu_destroy(g);
}

/* One credit: the second read of bank 0 holds up the read of bank 1 behind it, but nobody else's. */
static void test_head_of_line(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(2, 2, 1);
    send_read(g, 0, bank_line(g, 0, 0, 0));
    send_read(g, 0, bank_line(g, 0, 0, 1));
    send_read(g, 0, bank_line(g, 0, 1, 0));
    send_read(g, 1, bank_line(g, 1, 2, 0));
    assert_look_ups(g, 1, 1, (uint64_t[]){8});
    assert_int_equal(accesses(g, 0), 1);
    assert_look_ups(g, 0, 2, (uint64_t[]){16 - 8, 17 - 8}); /* bank 0 again at 16, bank 1 a cycle behind it */
    mh_gpu_destroy(g);
}

/* Ports that wait for one bank are served in turn. */
static void test_credits_in_turn(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(3, 3, 1);
    for (uint32_t n = 0; n < 3; n++)
        for (uint32_t sm = 0; sm < 3; sm++)
            send_read(g, sm, bank_line(g, sm, 9, n));
    for (uint64_t turn = 0; turn < 9; turn++) {
        uint64_t before = accesses(g, turn % 3);
        mh_gpu_advance(g, mh_gpu_now(g) + LATENCY);
        assert_int_equal(accesses(g, turn % 3), before + 1);
        assert_int_equal(accesses(g, 0) + accesses(g, 1) + accesses(g, 2), turn + 1);
    }
    mh_gpu_destroy(g);
}

/* Bank out of credits -> port queue full -> no room: nothing is dropped, nothing overflows. */
static void test_back_pressure(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(1, 1, 1);
    uint32_t sent = 0;
    for (; mh_noc_room(&g->noc, 0); sent++)
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 4, sent), true);
    assert_int_equal(sent, 1 + g->cfg.l1d.miss_queue); /* one has left */
    assert_int_equal(g->noc.live, sent);
    mh_gpu_advance(g, mh_gpu_now(g) + 12);
    assert_int_equal(accesses(g, 0), 1);
    assert_true(mh_noc_room(&g->noc, 0));
    mh_gpu_advance(g, mh_gpu_now(g) + 12 * (sent - 1)); /* tail to tail */
    assert_int_equal(accesses(g, 0), sent);
    assert_int_equal(g->noc.live, 0);
    mh_gpu_destroy(g);
}

static void test_replies(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(4, 1, 0);
    uint64_t t = 1000; /* data ready */
    assert_int_equal(mh_noc_reply(g, 0, 0, t, FLITS), t + LATENCY + FLITS - 1);
    /* Another bank, the same SM: behind it on the SM's wire. */
    assert_int_equal(mh_noc_reply(g, 1, 0, t, FLITS), t + LATENCY + 2 * FLITS - 1);
    /* The same bank, another SM: behind the first on the bank's wire. */
    assert_int_equal(mh_noc_reply(g, 0, 1, t, FLITS), t + LATENCY + 2 * FLITS - 1);
    /* Another bank, another SM: alone. */
    assert_int_equal(mh_noc_reply(g, 2, 2, t, FLITS), t + LATENCY + FLITS - 1);
    /* A page table entry to a walkers' port: header and one flit. */
    assert_int_equal(mh_noc_reply(g, 3, 4, t, 2), t + LATENCY + 1);
    assert_int_equal(mh_noc_reply(g, 3, 4, t, 2), t + LATENCY + 3);
    /* Later, when the wires are free again. */
    assert_int_equal(mh_noc_reply(g, 0, 0, t + 100, FLITS), t + 100 + LATENCY + FLITS - 1);
    mh_gpu_destroy(g);
}

/* `each` writes from every SM, SM i to bank first + i * step: the cycles from the first look-up to the last. */
static uint64_t write_stream(uint32_t sms, uint32_t each, uint32_t step)
{
    struct mh_gpu *g = gpu_with(sms, 1, 0);
    uint64_t start = 0;
    uint32_t sent[8] = {0};
    while (accesses(g, 0) < (uint64_t)sms * each) {
        for (uint32_t sm = 0; sm < sms; sm++)
            for (; sent[sm] < each && mh_noc_room(&g->noc, sm); sent[sm]++)
                send_write(g, sm, MH_REQ_WRITE, bank_line(g, 0, sm * step, sm + 8 * sent[sm]), true);
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        if (!start && accesses(g, 0))
            start = mh_gpu_now(g);
    }
    uint64_t cycles = mh_gpu_now(g) - start;
    mh_gpu_destroy(g);
    return cycles;
}

/* Peak: a line in five cycles on every wire, all wires at once; one bank takes a line in five cycles from them all. */
static void test_peak(void **state)
{
    (void)state;
    assert_int_equal(write_stream(1, 20, 1), 5 * 19);
    assert_int_equal(write_stream(4, 20, 1), 5 * 19);
    assert_int_equal(write_stream(4, 20, 0), 5 * 79);
}

/* Every power-of-two stride spreads evenly over the banks, up to where the folded bits end. */
static void test_bank_hash(void **state)
{
    (void)state;
    struct mh_gpu *g = gpu_with(1, 1, 0);
    for (uint32_t shift = 0; shift <= 12; shift++) {
        uint32_t count[16] = {0};
        for (uint32_t i = 0; i < 4096; i++)
            count[mh_noc_bank(&g->noc, i << shift)]++;
        for (uint32_t b = 0; b < 16; b++)
            assert_int_equal(count[b], 256);
    }
    mh_gpu_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zero_load),       cmocka_unit_test(test_flits_follow_the_width),
        cmocka_unit_test(test_injection),       cmocka_unit_test(test_bank_wire),
        cmocka_unit_test(test_credits),         cmocka_unit_test(test_head_of_line),
        cmocka_unit_test(test_credits_in_turn), cmocka_unit_test(test_back_pressure),
        cmocka_unit_test(test_replies),         cmocka_unit_test(test_peak),
        cmocka_unit_test(test_bank_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
