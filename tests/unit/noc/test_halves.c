/* l2.halves 2: what the other half costs, and copies of its lines, by hand. Requests are put into a sleeping GPU. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "requests.h"

/* Preset `mask`: 16 banks, latency 8, flits of 32 bytes, a line is five of them. */
enum { LATENCY = 8, FLITS = 5, FLIT = 32, BANKS = 16, NEAR = 0, FAR = BANKS / 2 };

static struct mh_gpu *halved(uint32_t sms, uint32_t far_latency, uint32_t link_bytes)
{
    struct mh_config cfg = script_config(sms, 1);
    cfg.l2.halves = 2;
    cfg.l2.far_latency = far_latency;
    cfg.l2.link_bytes = link_bytes;
    cfg.noc.bank_queue = 64;
    return sleeping_gpu(&cfg);
}

/* A line of the bank that the L2 has. */
static uint32_t cached(struct mh_gpu *g, uint32_t bank, uint32_t n)
{
    uint32_t line = bank_line(g, 0, bank, n);
    timed_read(g, 0, line);
    return line;
}

static uint64_t look_up(struct mh_gpu *g, uint32_t sm, uint32_t line)
{
    const uint64_t start = mh_gpu_now(g), before = g->tenant[0].count.l2_access;
    send_write(g, sm, MH_REQ_WRITE, line, true);
    while (g->tenant[0].count.l2_access == before)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    return mh_gpu_now(g) - start;
}

/* Either half is far from the other; the way there has the odd cycle. */
TEST(test_far_latency)
{
    static const uint32_t far[] = {0, 1, 7, 150};
    for (uint32_t i = 0; i < sizeof far / sizeof *far; i++) {
        LOCAL_GPU(g) = halved(2, far[i], 0);
        const uint32_t first = cached(g, FAR - 1, 0), second = cached(g, FAR, 0);
        const uint64_t near = timed_read(g, 0, first);
        assert_int_equal(g->tenant[0].count.l2_far, 1); /* second, when it was fetched */
        assert_int_equal(timed_read(g, 0, second), near + far[i]);
        assert_int_equal(timed_read(g, 1, second), near);
        assert_int_equal(timed_read(g, 1, first), near + far[i]);
        assert_int_equal(g->tenant[0].count.l2_far, 3);
        assert_int_equal(look_up(g, 0, first), LATENCY + FLITS - 1);
        assert_int_equal(look_up(g, 0, second), LATENCY + FLITS - 1 + far[i] - far[i] / 2);
    }
}

/* Of seven SMs three are of the first half. */
TEST(test_odd_sms)
{
    LOCAL_GPU(g) = halved(7, 100, 0);
    const uint32_t line = cached(g, 0, 0);
    const uint64_t near = timed_read(g, 0, line);
    for (uint32_t sm = 1; sm < 7; sm++)
        assert_int_equal(timed_read(g, sm, line), near + (sm < 3 ? 0 : 100));
}

/* With a crossbar at twice or a third of the GPU's clock the link's cycles are the crossbar's; the latency is not. */
TEST(test_far_clock)
{
    static const uint32_t num[] = {2, 1}, den[] = {1, 3};
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_config cfg = script_config(2, 1);
        cfg.l2.halves = 2;
        cfg.l2.far_latency = 120;
        cfg.clock.noc_hz = cfg.clock.gpu_hz * num[i] / den[i];
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        const uint32_t first = cached(g, NEAR, 0), second = cached(g, FAR, 0);
        mh_gpu_advance(g, (mh_gpu_now(g) / 6 + 1) * 6); /* both reads start with a cycle of either clock */
        const uint64_t near = timed_read(g, 0, first);
        mh_gpu_advance(g, (mh_gpu_now(g) / 6 + 1) * 6);
        assert_int_equal(timed_read(g, 0, second), near + 120);
    }
}

/* Cycles until all of the lines that SMs 0 .. sms - 1 read, four each from banks of their own, are there. */
static uint64_t timed_reads(struct mh_gpu *g, uint32_t sms, uint32_t first_bank)
{
    uint32_t line[8][4];
    for (uint32_t sm = 0; sm < sms; sm++)
        for (uint32_t i = 0; i < 4; i++)
            line[sm][i] = cached(g, first_bank + (sm * 4 + i) % (BANKS / 2), sm);
    const uint64_t start = mh_gpu_now(g);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t sm = 0; sm < sms; sm++)
            send_read(g, sm, line[sm][i]);
    for (uint32_t sm = 0; sm < sms; sm++)
        for (uint32_t i = 0; i < 4; i++)
            arrival(g, sm, line[sm][i]);
    return mh_gpu_now(g) - start;
}

/*
 * Eight replies of five flits, from banks of their own to two SMs, come to the link in less time than it takes for one.
 * The last begins when the link has taken seven, and so it is later than an only one by that. Without a limit it waits
 * for three at its SM's wire. Near banks do not care.
 */
TEST(test_link_bandwidth)
{
    enum { SMS = 4, REPLIES = 8, FAR_LATENCY = 30 };
    for (uint32_t bytes = 16; bytes <= 64; bytes *= 2) {
        LOCAL_GPU(g) = halved(SMS, FAR_LATENCY, bytes);
        const uint64_t far = timed_reads(g, 2, FAR), near = timed_reads(g, 2, NEAR);
        const uint64_t one = timed_read(g, 0, cached(g, FAR, 0));
        assert_int_equal(far, one + (REPLIES - 1) * FLITS * FLIT / bytes);
        LOCAL_GPU(h) = halved(SMS, FAR_LATENCY, 0);
        const uint64_t open = timed_reads(h, 2, FAR), open_one = timed_read(h, 0, cached(h, FAR, 0));
        assert_int_equal(open, open_one + (REPLIES / 2 - 1) * FLITS);
        assert_int_equal(open, near + FAR_LATENCY);
        /* Narrower than a flit the link holds up what is alone, too: 16 bytes, a request by a cycle, a reply by 5. */
        assert_int_equal(one, open_one + (bytes == 16 ? 1 + FLITS : 0));
    }
}

/* Each direction has a link of its own, which writes of one half and replies to the other share. */
TEST(test_link_directions)
{
    enum { FAR_LATENCY = 10 };
    LOCAL_GPU(g) = halved(2, FAR_LATENCY, FLIT);
    const uint32_t near = cached(g, NEAR, 0), far = cached(g, FAR, 0);
    const uint64_t alone = timed_read(g, 0, far);
    /* SM 1 writes to the first half while SM 0's reply comes from the second: the same direction. The bank's data are
     * ready when the write has left the link; the write leaves its port then, five flits before. */
    const uint64_t ready = LATENCY + FAR_LATENCY / 2 + g->cfg.l2.latency;
    const uint64_t start = mh_gpu_now(g);
    send_read(g, 0, far);
    mh_gpu_advance(g, start + ready - 1);
    send_write(g, 1, MH_REQ_WRITE, near, true);
    assert_int_equal(arrival(g, 0, far) - start, alone + FLITS - 1);
    /* SM 0 writes to the second half: the other direction. */
    mh_gpu_advance(g, mh_gpu_now(g) + 100);
    const uint64_t again = mh_gpu_now(g);
    send_read(g, 0, far);
    mh_gpu_advance(g, again + ready - 1);
    send_write(g, 0, MH_REQ_WRITE, far, true);
    assert_int_equal(arrival(g, 0, far) - again, alone);
}

/* A near reply that is ready while a far one is on its way to the same SM does not wait for it. */
TEST(test_near_passes_far)
{
    LOCAL_GPU(g) = halved(2, 200, 0);
    const uint32_t first = cached(g, NEAR, 0), second = cached(g, FAR, 0);
    const uint64_t near = timed_read(g, 0, first), start = mh_gpu_now(g);
    send_read(g, 0, second);
    mh_gpu_advance(g, start + 120); /* the far reply has left its bank */
    assert_int_equal(timed_read(g, 0, first), near);
    assert_int_equal(arrival(g, 0, second) - start, near + 200);
}

/* l2.far copy: the bank of the SM's own half keeps what the line's bank has sent. Cycles by hand. */

/* Bank 8 is that of bank 0's place in the other half. SM 0 is near to bank 0. */
enum { CROSSBAR = LATENCY };

static struct mh_gpu *copying(uint32_t far_latency)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.dram.bus_bytes = 4; /* a burst of 32 bytes */
    cfg.l2.sector_bytes = 32;
    cfg.l2.halves = 2;
    cfg.l2.far = MH_FAR_COPY;
    cfg.l2.far_latency = far_latency;
    return sleeping_gpu(&cfg);
}

static uint64_t crossings(const struct mh_gpu *g)
{
    return g->tenant[0].count.l2_far;
}

/* Its bank has the line, as an SM near to it has read it; the other half has no copy. */
static uint32_t at_home(struct mh_gpu *g, uint32_t bank, uint32_t n)
{
    uint32_t line = bank_line(g, 0, bank, n);
    timed_read(g, bank >= FAR, line);
    return line;
}

/* A miss of the copy goes on: half of the latency there, at least the crossbar's, then a look-up, then the rest. */
TEST(test_copy)
{
    static const uint32_t far[] = {200, 17, 16, 6};
    for (uint32_t i = 0; i < sizeof far / sizeof *far; i++) {
        LOCAL_GPU(g) = copying(far[i]);
        const uint32_t first = at_home(g, NEAR, 0), second = at_home(g, FAR, 0);
        const uint64_t near = timed_read(g, 0, first), there = mh_max64(far[i] - far[i] / 2, CROSSBAR);
        assert_int_equal(crossings(g), 0);
        assert_int_equal(timed_read(g, 0, second), near + there + far[i] / 2);
        assert_int_equal(crossings(g), 1);
        assert_int_equal(timed_read(g, 0, second), near); /* the copy */
        assert_int_equal(timed_read(g, 1, second), near); /* the line itself */
        assert_int_equal(crossings(g), 1);
        /* A request counts once, where it is served. */
        assert_int_equal(g->tenant[0].count.l2_access, 6);
        assert_int_equal(g->tenant[0].count.l2_hit, 4);
        settle(g);
    }
}

/* Writes and atomics, from either half, drop the copy; those of other lines do not. */
TEST(test_coherence)
{
    static const enum mh_req_kind kinds[] = {MH_REQ_WRITE, MH_REQ_ATOMIC};
    for (uint32_t i = 0; i < 4; i++) {
        LOCAL_GPU(g) = copying(100);
        const uint32_t line = at_home(g, FAR, 0), other = at_home(g, FAR, 1);
        timed_read(g, 0, line);
        const uint64_t near = timed_read(g, 0, line);
        send_write(g, i % 2, MH_REQ_WRITE, other, true);
        settle(g);
        assert_int_equal(timed_read(g, 0, line), near);
        send_write(g, i % 2, kinds[i / 2], line, true);
        settle(g);
        assert_int_equal(timed_read(g, 0, line), near + 100);
        assert_int_equal(timed_read(g, 0, line), near);
    }
}

/* A line that no bank has comes from DRAM to its own bank; a reader of the other half leaves a copy as well. */
TEST(test_miss_of_both)
{
    LOCAL_GPU(g) = copying(100);
    const uint32_t line = bank_line(g, 0, FAR, 0);
    const uint64_t far = timed_read(g, 0, line);
    const struct mh_counters before = g->tenant[0].count;
    assert_int_equal(before.dram_read_sectors, 4);
    assert_int_equal(before.l2_access, 1);
    assert_int_equal(before.l2_hit, 0);
    const uint64_t near = timed_read(g, 1, line);
    assert_int_equal(timed_read(g, 0, line), near);
    assert_int_equal(g->tenant[0].count.dram_read_sectors, 4);
    LOCAL_GPU(h) = copying(100);
    assert_int_equal(timed_read(h, 1, bank_line(h, 0, FAR, 0)) + 100, far);
    settle(g);
}

/* Copies and lines share the sets: a set of two ways has one line of each half, or two of one. */
TEST(test_capacity)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.dram.bus_bytes = 4;
    cfg.dram.channels = 2;
    cfg.l2.banks = 2;
    cfg.l2.ways = 2;
    cfg.l2.bytes = 2 * 2 * MH_LINE_BYTES;
    cfg.l2.sector_bytes = 32;
    cfg.l2.halves = 2;
    cfg.l2.far = MH_FAR_COPY;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    const uint32_t own = bank_line(g, 0, 0, 0), far = bank_line(g, 0, 1, 0), more = bank_line(g, 0, 1, 1);
    timed_read(g, 0, own);
    timed_read(g, 0, far);
    const uint64_t hits = g->tenant[0].count.l2_hit;
    timed_read(g, 0, own);
    timed_read(g, 0, far);
    assert_int_equal(g->tenant[0].count.l2_hit, hits + 2);
    timed_read(g, 0, more); /* replaces the own line */
    timed_read(g, 0, far);
    assert_int_equal(g->tenant[0].count.l2_hit, hits + 3);
    timed_read(g, 0, own);
    assert_int_equal(g->tenant[0].count.l2_hit, hits + 3);
    settle(g);
}
