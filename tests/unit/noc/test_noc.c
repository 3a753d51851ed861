/* The crossbars: latency, wires, credits, by hand. Requests are put into a sleeping GPU. */
#include "unit/test.h"
#include "requests.h"

/* Preset `mask`: latency 8; a line is a header flit and four of 32 bytes. */
enum { LATENCY = 8, FLITS = 5, MOST = 64 };

static struct mh_gpu *gpu_with(uint32_t sms, uint32_t tenants, uint32_t bank_queue)
{
    struct mh_config cfg = script_config(sms, tenants);
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

TEST(test_zero_load)
{
    LOCAL_GPU(g) = gpu_with(2, 1, 0);
    assert_int_equal(g->noc->reply_flits[MH_REQ_READ][ALL_SECTORS], FLITS);
    send_read(g, 0, bank_line(g, 0, 3, 0));
    assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY}); /* one flit: head = tail */
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, 1), true);
    assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY + FLITS - 1}); /* the tail */
    send_write(g, 0, MH_REQ_ATOMIC, bank_line(g, 0, 3, 2), false);
    assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY + FLITS - 1});
}

TEST(test_flits_follow_the_width)
{
    static const uint32_t width[] = {8, 16, 40, 63, 64, 128, 256}, flits[] = {17, 9, 5, 4, 3, 2, 2};
    for (uint32_t i = 0; i < sizeof width / sizeof *width; i++) {
        struct mh_config cfg = script_config(1, 1);
        cfg.noc.flit_bytes = width[i];
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        assert_int_equal(g->noc->reply_flits[MH_REQ_READ][ALL_SECTORS], flits[i]);
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 0, 0), true);
        assert_look_ups(g, 0, 1, (uint64_t[]){LATENCY + flits[i] - 1});
    }
}

/* A port's wire carries one flit a cycle. */
TEST(test_injection)
{
    LOCAL_GPU(g) = gpu_with(1, 1, 0);
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
}

/* Each wire into a bank carries one flit a cycle, from whatever port; a packet takes the first one that is free. */
TEST(test_bank_wires)
{
    static const uint64_t reads[][3] = {{8, 9, 10}, {8, 8, 9}, {8, 8, 8}};
    static const uint64_t writes[][3] = {{12, 17, 22}, {12, 12, 17}, {12, 12, 12}};
    for (uint32_t ports = 1; ports <= 3; ports++) {
        LOCAL_GPU(g) = wired_gpu(3, ports);
        for (uint32_t sm = 0; sm < 3; sm++)
            send_read(g, sm, bank_line(g, 0, 5, sm));
        assert_look_ups(g, 0, 3, reads[ports - 1]);
        for (uint32_t sm = 0; sm < 3; sm++)
            send_write(g, sm, MH_REQ_WRITE, bank_line(g, 0, 5, 3 + sm), true);
        assert_look_ups(g, 0, 3, writes[ports - 1]);
    }
}

/*
 * Two wires. A write holds one of them for its five flits, 8..12; meanwhile the reads of two other SMs, a cycle apart,
 * both take the other one and are looked up before the write, of which only the tail counts.
 */
TEST(test_reads_pass_a_write)
{
    LOCAL_GPU(g) = gpu_with(3, 3, 0);
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 5, 0), true);
    send_read(g, 1, bank_line(g, 1, 5, 0));
    send_read(g, 2, bank_line(g, 2, 5, 0));
    uint64_t start = mh_gpu_now(g);
    static const uint64_t want[][3] = {{0, 1, 0}, {0, 1, 1}, {0, 1, 1}, {0, 1, 1}, {1, 1, 1}}; /* cycles 8 .. 12 */
    for (uint32_t c = 0; c < 5; c++) {
        mh_gpu_advance(g, start + LATENCY + c);
        for (uint32_t t = 0; t < 3; t++)
            assert_int_equal(accesses(g, t), want[c][t]);
    }
}

/* Two credits: the third read of a bank leaves its port when the first is looked up. */
TEST(test_credits)
{
    LOCAL_GPU(g) = gpu_with(1, 1, 2);
    for (uint32_t i = 0; i < 5; i++)
        send_read(g, 0, bank_line(g, 0, 7, i));
    assert_look_ups(g, 0, 5, (uint64_t[]){8, 9, 16, 17, 24});
    assert_int_equal(g->noc->bank[7].credits, 2);
}

/* One credit: the second read of bank 0 holds up the read of bank 1 behind it, but no other port's. */
TEST(test_head_of_line)
{
    LOCAL_GPU(g) = gpu_with(2, 2, 1);
    send_read(g, 0, bank_line(g, 0, 0, 0));
    send_read(g, 0, bank_line(g, 0, 0, 1));
    send_read(g, 0, bank_line(g, 0, 1, 0));
    send_read(g, 1, bank_line(g, 1, 2, 0));
    assert_look_ups(g, 1, 1, (uint64_t[]){8});
    assert_int_equal(accesses(g, 0), 1);
    assert_look_ups(g, 0, 2, (uint64_t[]){16 - 8, 17 - 8}); /* bank 0 again at 16, bank 1 a cycle behind it */
}

/* Ports that wait for one bank are served in turn. */
TEST(test_credits_in_turn)
{
    LOCAL_GPU(g) = gpu_with(3, 3, 1);
    for (uint32_t n = 0; n < 3; n++)
        for (uint32_t sm = 0; sm < 3; sm++)
            send_read(g, sm, bank_line(g, sm, 9, n));
    for (uint64_t turn = 0; turn < 9; turn++) {
        uint64_t before = accesses(g, turn % 3);
        mh_gpu_advance(g, mh_gpu_now(g) + LATENCY);
        assert_int_equal(accesses(g, turn % 3), before + 1);
        assert_int_equal(accesses(g, 0) + accesses(g, 1) + accesses(g, 2), turn + 1);
    }
}

/* Bank out of credits -> port queue full -> no room: nothing is dropped, nothing overflows. */
TEST(test_back_pressure)
{
    LOCAL_GPU(g) = gpu_with(1, 1, 1);
    uint32_t sent = 0;
    for (; mh_noc_room(g->noc, 0); sent++)
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 4, sent), true);
    assert_int_equal(sent, 1 + g->cfg.l1d.miss_queue); /* one has left */
    assert_int_equal(g->noc->live, sent);
    mh_gpu_advance(g, mh_gpu_now(g) + 12);
    assert_int_equal(accesses(g, 0), 1);
    assert_true(mh_noc_room(g->noc, 0));
    mh_gpu_advance(g, mh_gpu_now(g) + 12 * (sent - 1)); /* tail to tail */
    assert_int_equal(accesses(g, 0), sent);
    assert_int_equal(g->noc->live, 0);
}

/* Every power-of-two stride spreads evenly over the banks, up to where the folded bits end. */
TEST(test_bank_hash)
{
    LOCAL_GPU(g) = gpu_with(1, 1, 0);
    for (uint32_t shift = 0; shift <= 12; shift++) {
        uint32_t count[16] = {0};
        for (uint32_t i = 0; i < 4096; i++)
            count[mh_noc_bank(g->noc, 0, i << shift)]++;
        for (uint32_t b = 0; b < 16; b++)
            assert_int_equal(count[b], 256);
    }
}
