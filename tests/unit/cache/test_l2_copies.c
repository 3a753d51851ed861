/* l2.far copy: the bank of the SM's own half keeps what the line's bank has sent. Cycles by hand. */
#include "unit/test.h"
#include "memhelm/config_file.h"
#include "requests.h"

/* Preset `mask`: 16 banks, crossbar 8. Bank 8 is that of bank 0's place in the other half. SM 0 is near to bank 0. */
enum { BANKS = 16, NEAR = 0, FAR = BANKS / 2, CROSSBAR = 8 };

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
