/* l2.atomics bank: when a bank performs atomics, and when their results are there. By hand. */
#include "unit/test.h"
#include "requests.h"

/* Preset `mask`: latency 8, a line is a flit and four; the L2's latency 10. The load slot's warp does not exist. */
enum { LATENCY = 8, CYCLES = 7, RESULT = 20 };

static struct mh_gpu *gpu_with(uint32_t sms, uint32_t cycles, uint32_t latency)
{
    struct mh_config cfg = script_config(sms, 1);
    cfg.l2.atomics = MH_ATOMICS_BANK;
    cfg.l2.atomic_cycles = cycles;
    cfg.l2.atomic_latency = latency;
    return sleeping_gpu(&cfg);
}

/* A chain of `n` operations, each waiting for the one before, of one warp: the cycles that they take, behind one that
 * brings page and line. */
static uint64_t chain(struct mh_config *cfg, struct mh_op op, uint32_t n)
{
    struct script *s = script_new();
    script_buffer(s, SCRIPT_BASE, SCRIPT_PAGE);
    script_warps(s, 1);
    for (uint32_t i = 0; i <= n + 1; i++)
        script_add(s, 0, 0, 0, op_wait(op));
    script_add(s, 0, 0, 0, op_wait(op_exit()));
    LOCAL_GPU(g) = script_gpu(cfg, &s);
    script_finish(g, 0);
    return script_issued(s, 0, 0, 0, n + 1) - script_issued(s, 0, 0, 0, 1);
}

/*
 * A dependent atomic is a round trip: a load that hits the L2 takes 33 cycles, of which the reply's four flits behind
 * the header are 4. The atomic's request has a flit of 32 bytes behind its header, its reply one instead of four.
 */
TEST(test_chain)
{
    enum { N = 50, LOAD = 33 };
    struct mh_config cfg = script_config(1, 1);
    assert_int_equal(chain(&cfg, op_atomic(SCRIPT_BASE), N), N); /* off: it waits for nothing but its turn to issue */
    cfg.l2.atomics = MH_ATOMICS_BANK;
    cfg.l2.atomic_cycles = CYCLES;
    assert_int_equal(chain(&cfg, op_atomic_read(SCRIPT_BASE), N), N * (LOAD + 1 - 3));
    cfg.l2.atomic_latency = RESULT;
    assert_int_equal(chain(&cfg, op_atomic_read(SCRIPT_BASE), N), N * (LOAD + 1 - 3 + RESULT));
    assert_int_equal(chain(&cfg, op_atomic(SCRIPT_BASE), N), N);
}

/* Atomics of one lane from SM `sm` on one sector. */
static void send_atomic(struct mh_gpu *g, uint32_t sm, uint32_t line, uint32_t sectors)
{
    struct mh_req r = request_of(g, sm, MH_REQ_ATOMIC, line);
    r.sectors = (uint8_t)sectors;
    r.full = false;
    send_request(g, &r);
}

static uint32_t cached(struct mh_gpu *g, uint32_t bank, uint32_t n)
{
    uint32_t line = bank_line(g, 0, bank, n);
    timed_read(g, 0, line);
    return line;
}

/* Cycles until no request exists any more: until the last atomic has been performed. */
static uint64_t drained(struct mh_gpu *g)
{
    const uint64_t start = mh_gpu_now(g);
    while (g->noc->live) {
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        assert_true(mh_gpu_now(g) < start + 10000);
    }
    const uint64_t took = mh_gpu_now(g) - start;
    mh_gpu_advance(g, mh_gpu_now(g) + 100); /* none waits for those of before */
    return took;
}

/*
 * Eight SMs, an atomic each at once: the bank's two wires bring two of two flits every two cycles, the first two at
 * 8 + 1. On one sector they begin every CYCLES cycles from there; on sectors of their own one begins per cycle and
 * sector; another bank's do not wait for them.
 */
TEST(test_same_address)
{
    enum { SMS = 8, FIRST = LATENCY + 1 };
    for (uint32_t cycles = 1; cycles <= 64; cycles += CYCLES) {
        LOCAL_GPU(g) = gpu_with(SMS, cycles, RESULT);
        const uint32_t line = cached(g, 0, 0), other = cached(g, 0, 1);
        for (uint32_t sm = 0; sm < SMS; sm++)
            send_atomic(g, sm, line, 1);
        assert_int_equal(drained(g), FIRST + (SMS - 1) * cycles);
        /* The last of four pairs comes at FIRST + 6; two lines' sectors do not meet. */
        for (uint32_t sm = 0; sm < SMS; sm++)
            send_atomic(g, sm, sm < 4 ? line : other, 1u << sm % 4);
        assert_int_equal(drained(g), FIRST + SMS - 1);
        /* Two sectors take the unit for two cycles; one of them meets. */
        send_atomic(g, 0, line, 1);
        send_atomic(g, 1, line, 3);
        assert_int_equal(drained(g), mh_max64(FIRST + cycles, FIRST + 1));
    }
}

/* In order: one that waits for its sector holds up those behind it that do not. */
TEST(test_order)
{
    enum { FIRST = LATENCY + 1 };
    LOCAL_GPU(g) = gpu_with(3, 20, 0);
    const uint32_t line = cached(g, 0, 0), other = cached(g, 0, 1);
    send_atomic(g, 0, line, 1);
    send_atomic(g, 1, line, 1);
    send_atomic(g, 2, other, 1);
    assert_int_equal(drained(g), FIRST + 20 + 1);
}

/* A bank that has fallen behind takes no more than it has places for; the others wait at their ports. */
TEST(test_back_pressure)
{
    enum { SMS = 8, PLACES = 3 };
    struct mh_config cfg = script_config(SMS, 1);
    cfg.l2.atomics = MH_ATOMICS_BANK;
    cfg.l2.atomic_cycles = 50;
    cfg.noc.bank_queue = PLACES;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    const uint32_t line = cached(g, 0, 0);
    uint32_t waiting = 0;
    for (uint32_t sm = 0; sm < SMS; sm++)
        send_atomic(g, sm, line, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 40);
    for (uint32_t sm = 0; sm < SMS; sm++)
        waiting += mh_noc_waiting(g->noc, sm);
    assert_int_equal(waiting, SMS - 1 - PLACES); /* the first has been performed */
    assert_int_equal(drained(g) + 40, LATENCY + 1 + (SMS - 1) * 50);
    assert_int_equal(g->noc->bank[0].credits, PLACES);
}
