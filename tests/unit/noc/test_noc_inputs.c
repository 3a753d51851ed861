/* noc.queues: input, in the model: by hand, and at saturation by a random source. Requests into a sleeping GPU. */
#include "unit/test.h"
#include "requests.h"
#include "script.h"

/* Preset `mask`: latency 8; a line is a header flit and four of 32 bytes. Banks get one port. */
enum { LATENCY = 8, FLITS = 5, MOST = 64 };

static void config(struct mh_config *cfg, uint32_t sms, uint32_t vcs, uint32_t speedup)
{
    *cfg = script_config(sms, 1);
    set_word(cfg, "noc.queues", "input");
    cfg->noc.vcs = vcs;
    cfg->noc.input_speedup = speedup;
    cfg->l2.ports = 1;
}

static struct mh_gpu *gpu_with(uint32_t sms, uint32_t vcs, uint32_t bank_queue)
{
    struct mh_config cfg;

    config(&cfg, sms, vcs, 1);
    cfg.noc.bank_queue = bank_queue;
    return sleeping_gpu(&cfg);
}

static uint64_t accesses(const struct mh_gpu *g)
{
    return g->tenant[0].count.l2_access;
}

/* Cycles, counted from now, of the next look-ups. */
static void assert_look_ups(struct mh_gpu *g, uint32_t count, const uint64_t *want)
{
    uint64_t start = mh_gpu_now(g), before = accesses(g), seen = 0;

    while (seen < count) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        mh_gpu_check(g);
        for (; seen < accesses(g) - before && seen < count; seen++)
            assert_int_equal(mh_gpu_now(g) - start, want[seen]);
        assert_true(mh_gpu_now(g) < start + 1000);
    }
}

/* Without contention: as with queues at the outputs. */
TEST(test_zero_load)
{
    for (uint32_t vcs = 1; vcs <= 8; vcs += 7) {
        LOCAL_GPU(g) = gpu_with(2, vcs, 16);

        send_read(g, 0, bank_line(g, 0, 3, 0));
        assert_look_ups(g, 1, (uint64_t[]){LATENCY});
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, 1), true);
        assert_look_ups(g, 1, (uint64_t[]){LATENCY + FLITS - 1});
        send_read(g, 0, bank_line(g, 0, 3, 2)); /* the wires are free again in this cycle */
        send_read(g, 1, bank_line(g, 0, 4, 2));
        assert_look_ups(g, 2, (uint64_t[]){LATENCY, LATENCY});
    }
}

/* GPU cycles of the look-ups of reads and writes sent one at a time, when all is quiet, with clocks of their own. */
static void quiet_look_ups(const char *queues, uint64_t gpu_hz, uint64_t noc_hz, uint64_t *at)
{
    struct mh_config cfg;

    config(&cfg, 1, 1, 1);
    set_word(&cfg, "noc.queues", queues);
    cfg.clock.gpu_hz = cfg.clock.dram_hz = gpu_hz;
    cfg.clock.noc_hz = noc_hz;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    for (uint32_t i = 0; i < MOST; i++) {
        uint64_t before = accesses(g);

        mh_gpu_advance(g, 1000 + i * 101);
        if (i % 2)
            send_read(g, 0, bank_line(g, 0, i % 16, i / 16));
        else
            send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, i % 16, i / 16), true);
        while (accesses(g) == before)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        at[i] = mh_gpu_now(g);
    }
}

TEST(test_zero_load_with_clocks)
{
    static const uint64_t noc[] = {500, 667, 1000, 1400, 2000, 3500};
    for (uint32_t i = 0; i < 6; i++) {
        uint64_t output[MOST], input[MOST];

        quiet_look_ups("output", 1000000000, noc[i] * 1000000, output);
        quiet_look_ups("input", 1000000000, noc[i] * 1000000, input);
        assert_memory_equal(output, input, sizeof output);
    }
}

/* One wire out of a port, one into a bank: a flit a cycle, in turn. */
TEST(test_wires)
{
    LOCAL_GPU(g) = gpu_with(3, 1, 64);

    for (uint32_t i = 0; i < 4; i++)
        send_read(g, 0, bank_line(g, 0, i, 0));
    assert_look_ups(g, 4, (uint64_t[]){8, 9, 10, 11});
    for (uint32_t sm = 0; sm < 3; sm++)
        send_write(g, sm, MH_REQ_WRITE, bank_line(g, 0, 5, 3 + sm), true);
    assert_look_ups(g, 3, (uint64_t[]){12, 17, 22});
}

/*
 * SMs 0 and 1 write a line to bank 2; SM 1's next read is for bank 3, and idle all the time. With one queue it begins
 * at 10, behind the write of 5..9. With two it has its own, and the write follows it: of 4 flits the wire 2 is idle
 * at 5.
 */
TEST(test_head_of_line)
{
    struct mh_gpu *one = gpu_with(2, 1, 64), *two = gpu_with(2, 2, 64);
    struct mh_gpu *both[] = {one, two};

    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t sm = 0; sm < 2; sm++) {
            send_write(both[i], sm, MH_REQ_WRITE, bank_line(both[i], 0, 2, sm), true);
            if (sm)
                send_read(both[i], sm, bank_line(both[i], 0, 3, 0));
        }
    assert_look_ups(one, 3, (uint64_t[]){12, 17, 10 + LATENCY});
    assert_look_ups(two, 3, (uint64_t[]){LATENCY, 12, 17});
    mh_gpu_destroy(one);
    mh_gpu_destroy(two);
}

/* Two credits: the third read of a bank leaves its port when the first is looked up. */
TEST(test_credits)
{
    LOCAL_GPU(g) = gpu_with(1, 1, 2);

    for (uint32_t i = 0; i < 5; i++)
        send_read(g, 0, bank_line(g, 0, 7, i));
    assert_look_ups(g, 5, (uint64_t[]){8, 9, 16, 17, 24});
    assert_int_equal(g->noc->bank[7].credits, 2);
}

/* One credit: the second read of bank 0 holds up the read of bank 1 behind it, unless that has a queue of its own. */
TEST(test_credit_blocks_the_queue)
{
    static const uint64_t want[][3] = {{8, 16, 17}, {8, 9, 16}};
    for (uint32_t vcs = 1; vcs <= 2; vcs++) {
        LOCAL_GPU(g) = gpu_with(1, vcs, 1);

        send_read(g, 0, bank_line(g, 0, 0, 0));
        send_read(g, 0, bank_line(g, 0, 0, 1));
        send_read(g, 0, bank_line(g, 0, 1, 0));
        assert_look_ups(g, 3, want[vcs - 1]);
    }
}

/* The places of a port are those of all its queues together. Nothing is dropped, nothing overflows. */
TEST(test_back_pressure)
{
    LOCAL_GPU(g) = gpu_with(1, 4, 1);
    uint32_t sent = 0;

    for (; mh_noc_room(g->noc, 0); sent++)
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, sent % 4, sent / 4), true);
    assert_int_equal(sent, g->cfg.l1d.miss_queue);
    mh_gpu_advance(g, mh_gpu_now(g) + 1);
    assert_true(mh_noc_room(g->noc, 0) && !mh_noc_idle(g->noc, 0));
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    assert_int_equal(accesses(g), sent);
    assert_true(mh_noc_idle(g->noc, 0));
    assert_int_equal(g->noc->live, 0);
    mh_gpu_check(g);
}

/* Lines of banks for SMs, all ready at once: when reply i has arrived with its last flit. */
static void assert_replies(uint32_t vcs, uint32_t speedup, uint32_t count, const uint32_t reply[][2],
                           const uint64_t *want)
{
    struct mh_config cfg;
    uint32_t line[MOST];

    config(&cfg, 4, vcs, speedup);
    struct mh_gpu *g = sleeping_gpu(&cfg);
    uint64_t start = mh_gpu_now(g) + 10;
    for (uint32_t i = 0; i < count; i++) {
        line[i] = bank_line(g, 0, reply[i][0], i);
        mh_noc_reply(g, reply[i][0], looked_up(g, read_of(g, reply[i][1], line[i])), start);
    }
    for (uint64_t c = 0; c < 100; c++) {
        mh_gpu_advance(g, start + c);
        mh_gpu_check(g);
        for (uint32_t i = 0; i < count; i++) /* the L1D has it two cycles later */
            assert_int_equal(mh_index_find(&g->sm[reply[i][1]].l1_index, line[i]) < 0, c >= want[i] + 2);
    }
    assert_int_equal(g->tenant[0].count.reply_flits, count * FLITS);
    script_end(g);
}

/*
 * Banks 0 and 1 have a line for SM 0; behind bank 1's is one for SM 1. Bank 0 goes first. The other line for SM 0
 * crosses from 5 on, that for SM 1 behind it from 10 on, or at once if it has a queue of its own.
 */
TEST(test_replies)
{
    static const uint32_t reply[][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 3}};
    assert_replies(1, 1, 4, reply, (uint64_t[]){12, 17, 22, 12});
    assert_replies(2, 1, 4, reply, (uint64_t[]){12, 17, 12, 12});
    /* Three lines of bank 1, for three SMs: one after the other, or two at once. */
    static const uint32_t one_bank[][2] = {{1, 0}, {1, 1}, {1, 1}};
    assert_replies(1, 2, 3, one_bank, (uint64_t[]){12, 17, 22});
    assert_replies(2, 2, 3, one_bank, (uint64_t[]){12, 12, 17});
}
