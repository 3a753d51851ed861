/* The L2: hits, misses, merges, write-backs, ports, stalls; cycles by hand. Requests are put into a sleeping GPU. */
#include "unit/test.h"

#include "requests.h"
#include "script.h"

/*
 * Preset `mask`, DRAM clock = GPU clock. There: crossbar 8. Back: look-up 10, crossbar 8, the line's four flits behind
 * the head, and L1 TLB 1 and L1D 1, which a miss pays when its line comes. DRAM, bank closed: activate 22, two column
 * commands 2 apart, CL 22, burst 2.
 */
enum { THERE = 8, BACK = 10 + 8 + 4 + 1 + 1, CLOSED = 22 + 2 + 22 + 2, OPEN = CLOSED - 22, LINE_FLITS = 5 };

static struct mh_gpu *default_gpu(uint32_t sms)
{
    struct mh_config cfg = script_config(sms, 1);
    return sleeping_gpu(&cfg);
}

/* One channel, two banks of the L2, one set each of `ways` ways. */
static struct mh_gpu *tiny_gpu(uint32_t ways, uint32_t mshrs)
{
    struct mh_config cfg = script_config(2, 1);
    cfg.dram.channels = 1;
    cfg.l2.banks = 2;
    cfg.l2.ways = ways;
    cfg.l2.bytes = 2 * ways * MH_LINE_BYTES;
    cfg.l2.mshrs = mshrs;
    return sleeping_gpu(&cfg);
}

TEST(test_miss_then_hit)
{
    LOCAL_GPU(g) = default_gpu(1);
    uint32_t line = bank_line(g, 0, 3, 0);
    assert_int_equal(timed_read(g, 0, line), THERE + CLOSED + BACK);
    assert_int_equal(timed_read(g, 0, line), THERE + BACK);
    assert_int_equal(count(g)->l2_access, 2);
    assert_int_equal(count(g)->l2_hit, 1);
    assert_int_equal(count(g)->dram_read, 1);
    assert_int_equal(count(g)->dram_cycles, CLOSED);
    assert_int_equal(count(g)->dram_row_hit, 0);
}

/* The way between L2 and DRAM: a miss takes longer by it, a hit does not, and so many may be on it at once. */
TEST(test_way_to_memory)
{
    struct mh_config cfg = script_config(1, 1);
    cfg.memory.latency = 100;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    uint32_t line = bank_line(g, 0, 3, 0);
    assert_int_equal(timed_read(g, 0, line), THERE + CLOSED + 100 + BACK);
    assert_int_equal(timed_read(g, 0, line), THERE + BACK);
    assert_int_equal(count(g)->dram_cycles, CLOSED + 100);
    uint64_t start = mh_gpu_now(g);
    uint32_t other = bank_line(g, 0, 5, 0), third = bank_line(g, 0, 9, 0); /* behind two other channels */
    send_read(g, 0, other);
    send_read(g, 0, third);
    assert_int_equal(arrival(g, 0, other) - start, THERE + CLOSED + 100 + BACK);
    assert_int_equal(arrival(g, 0, third) - start, THERE + CLOSED + 100 + BACK + LINE_FLITS);
}

/*
 * Three SMs miss the same line five cycles apart: one fetch. The replies leave in the order of the requests, as many at
 * once as the bank has wires.
 */
TEST(test_merge)
{
    for (uint32_t ports = 1; ports <= 3; ports++) {
        struct mh_config cfg = script_config(3, 1);
        cfg.l2.ports = ports;
        struct mh_gpu *g = sleeping_gpu(&cfg);
        uint32_t line = bank_line(g, 0, 3, 0);
        uint64_t start = mh_gpu_now(g);
        for (uint32_t sm = 0; sm < 3; sm++) {
            mh_gpu_advance(g, start + 5 * sm);
            send_read(g, sm, line);
        }
        for (uint32_t sm = 0; sm < 3; sm++)
            assert_int_equal(arrival(g, sm, line) - start, THERE + CLOSED + BACK + sm / ports * LINE_FLITS);
        /* Each waits for DRAM from its own look-up on; what is not DRAM ends at the SM's port, before its L1s. */
        uint64_t wires = ports == 1 ? 3 * LINE_FLITS : ports == 2 ? LINE_FLITS : 0;
        assert_int_equal(count(g)->latency_dram, 3 * CLOSED - 5 - 10);
        assert_int_equal(count(g)->latency_l2, 3 * (THERE + BACK - 2) + wires);
        assert_int_equal(count(g)->latency_reads, 3);
        assert_int_equal(count(g)->l2_access, 3);
        assert_int_equal(count(g)->l2_hit, 0);
        assert_int_equal(count(g)->dram_read, 1);
        script_end(g);
    }
}

/* Hits of two SMs in one bank, at the same time: no slower than each alone if there are two ports. */
TEST(test_hits_side_by_side)
{
    for (uint32_t ports = 1; ports <= 2; ports++) {
        struct mh_config cfg = script_config(2, 1);
        cfg.l2.ports = ports;
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        uint32_t line[2] = {bank_line(g, 0, 3, 0), bank_line(g, 0, 3, 1)};
        send_write(g, 0, MH_REQ_WRITE, line[0], true);
        send_write(g, 1, MH_REQ_WRITE, line[1], true);
        settle(g);
        uint64_t start = mh_gpu_now(g);
        send_read(g, 0, line[0]);
        send_read(g, 1, line[1]);
        assert_int_equal(arrival(g, 0, line[0]) - start, THERE + BACK);
        /* One port: looked up a cycle later, but then behind the other's five flits. */
        assert_int_equal(arrival(g, 1, line[1]) - start, THERE + BACK + (ports == 1 ? LINE_FLITS : 0));
    }
}

TEST(test_full_write_does_not_fetch)
{
    struct mh_gpu *g = default_gpu(1);
    uint32_t line = bank_line(g, 0, 3, 0);
    send_write(g, 0, MH_REQ_WRITE, line, true);
    settle(g);
    assert_int_equal(count(g)->l2_access, 1);
    assert_int_equal(count(g)->l2_hit, 0);
    assert_int_equal(count(g)->dram_read + count(g)->dram_write, 0);
    assert_int_equal(timed_read(g, 0, line), THERE + BACK);
    script_end(g);
}

TEST(test_partial_write_and_atomic_fetch)
{
    struct mh_gpu *g = default_gpu(1);
    uint32_t line = bank_line(g, 0, 3, 0), other = bank_line(g, 0, 4, 0);
    send_write(g, 0, MH_REQ_WRITE, line, false);
    send_write(g, 0, MH_REQ_ATOMIC, other, false);
    settle(g);
    assert_int_equal(count(g)->dram_read, 2);
    assert_int_equal(count(g)->l2_hit, 0);
    assert_int_equal(timed_read(g, 0, line), THERE + BACK);
    assert_int_equal(timed_read(g, 0, other), THERE + BACK);
    send_write(g, 0, MH_REQ_WRITE, line, false); /* the line is there: no second fetch */
    settle(g);
    assert_int_equal(count(g)->dram_read, 2);
    assert_int_equal(count(g)->l2_hit, 3);
    script_end(g);
}

/* Two ways. Line 0 is touched in the way of the test, then lines 1 and 2 push it out. */
static uint64_t write_backs(enum mh_req_kind kind, bool full, bool while_pending)
{
    struct mh_gpu *g = tiny_gpu(2, 8);
    uint32_t line[3];
    for (uint32_t i = 0; i < 3; i++)
        line[i] = bank_line(g, 0, 0, i);
    if (while_pending)
        send_read(g, 0, line[0]);
    if (kind == MH_REQ_READ)
        send_read(g, 1, line[0]);
    else
        send_write(g, 1, kind, line[0], full);
    settle(g);
    timed_read(g, 0, line[1]);
    settle(g);
    assert_int_equal(count(g)->dram_write, 0); /* both are still there */
    timed_read(g, 0, line[2]);
    settle(g);
    uint64_t writes = count(g)->dram_write, reads = count(g)->dram_read;
    timed_read(g, 0, line[0]); /* it really is gone; line 1 goes now, and is clean */
    settle(g);
    assert_int_equal(count(g)->dram_read, reads + 1);
    assert_int_equal(count(g)->dram_write, writes);
    script_end(g);
    return writes;
}

TEST(test_dirty_lines_are_written_back)
{
    assert_int_equal(write_backs(MH_REQ_READ, false, false), 0);
    assert_int_equal(write_backs(MH_REQ_WRITE, true, false), 1);
    assert_int_equal(write_backs(MH_REQ_WRITE, false, false), 1);
    assert_int_equal(write_backs(MH_REQ_ATOMIC, false, false), 1);
    assert_int_equal(write_backs(MH_REQ_WRITE, true, true), 1); /* merged into a line that is on its way */
    assert_int_equal(write_backs(MH_REQ_ATOMIC, false, true), 1);
}

/* l2.stores through: each store goes to DRAM when it is looked up, whatever it finds, and no line leaves dirty. */
TEST(test_stores_through)
{
    struct mh_config cfg = script_config(1, 1);
    set_word(&cfg, "l2.stores", "through");
    cfg.l2.ways = 1;
    cfg.l2.bytes = cfg.l2.banks * MH_LINE_BYTES;
    struct mh_gpu *g = sleeping_gpu(&cfg);
    uint32_t line[3];
    for (uint32_t i = 0; i < 3; i++)
        line[i] = bank_line(g, 0, 0, i);
    send_read(g, 0, line[0]);
    send_write(g, 0, MH_REQ_WRITE, line[0], false); /* merges */
    settle(g);
    send_write(g, 0, MH_REQ_WRITE, line[0], true); /* hits */
    send_write(g, 0, MH_REQ_ATOMIC, line[0], false);
    settle(g);
    assert_int_equal(count(g)->dram_read, 1);
    assert_int_equal(count(g)->dram_write, 3);
    send_write(g, 0, MH_REQ_WRITE, line[1], false); /* misses: the rest of the line is fetched */
    settle(g);
    send_write(g, 0, MH_REQ_WRITE, line[2], true);
    settle(g);
    timed_read(g, 0, line[2]);
    assert_int_equal(count(g)->dram_read, 2);
    assert_int_equal(count(g)->dram_write, 5);
    assert_int_equal(count(g)->dram_caused, 1 + 3 + 2 + 1);
    timed_read(g, 0, line[0]); /* pushes a clean line out */
    settle(g);
    assert_int_equal(count(g)->dram_write, 5);
    script_end(g);
}

/* Four ways: 0 1 2 3, 0 again, 4 pushes out 1. */
TEST(test_lru)
{
    LOCAL_GPU(g) = tiny_gpu(4, 8);
    static const uint32_t order[] = {0, 1, 2, 3, 0, 4, 0, 2, 3, 4}, hit[] = {0, 0, 0, 0, 1, 0, 1, 1, 1, 1};
    for (uint32_t i = 0; i < 10; i++) {
        uint64_t hits = count(g)->l2_hit;
        timed_read(g, 0, bank_line(g, 0, 1, order[i]));
        assert_int_equal(count(g)->l2_hit - hits, hit[i]);
    }
    uint64_t hits = count(g)->l2_hit;
    timed_read(g, 0, bank_line(g, 0, 1, 1));
    assert_int_equal(count(g)->l2_hit, hits);
}

/* Five SMs send a read to one bank in the same cycle. With two ports two cycles take two each, the third the last. */
TEST(test_ports)
{
    static const uint64_t want[3][5] = {{1, 2, 3, 4, 5}, {2, 4, 5, 5, 5}, {3, 5, 5, 5, 5}};
    for (uint32_t ports = 1; ports <= 3; ports++) {
        struct mh_config cfg = script_config(5, 1);
        cfg.l2.ports = ports;
        struct mh_gpu *g = sleeping_gpu(&cfg);
        uint64_t at = mh_gpu_now(g) + THERE;
        for (uint32_t sm = 0; sm < 5; sm++)
            send_read(g, sm, bank_line(g, 0, 6, sm));
        mh_gpu_advance(g, at - 1);
        assert_int_equal(count(g)->l2_access, 0);
        for (uint32_t c = 0; c < 5; c++) {
            mh_gpu_advance(g, at + c);
            assert_int_equal(count(g)->l2_access, want[ports - 1][c]);
        }
        settle(g);
        script_end(g);
    }
}

/*
 * Two MSHRs, four misses of one DRAM row and a hit behind them. The first two go to DRAM; the others wait in order, the
 * hit as well. Look-ups at 8 and 9; the first line is there at 8 + 48, the second, a row hit, one line's transfer (two
 * column commands of 2 cycles) later. Each line that comes frees an MSHR in that very cycle.
 */
TEST(test_mshrs_used_up)
{
    struct mh_gpu *g = tiny_gpu(8, 2);
    uint32_t line[6], warm = bank_line(g, 0, 0, 100), n = 0;
    struct script_place first = script_place(g, bank_line(g, 0, 0, 0));
    for (uint32_t i = 0; n < 4; i++) {
        struct script_place p = script_place(g, bank_line(g, 0, 0, i));
        if (p.bank == first.bank && p.row == first.row)
            line[n++] = bank_line(g, 0, 0, i);
    }
    assert_int_not_equal(script_place(g, warm).bank, first.bank);
    timed_read(g, 0, warm);
    uint64_t start = mh_gpu_now(g), ask0 = THERE, ask1 = THERE + 1, fill0 = ask0 + CLOSED, fill1 = fill0 + 4;
    for (uint32_t i = 0; i < 4; i++)
        send_read(g, 0, line[i]);
    send_read(g, 0, warm);
    mh_gpu_advance(g, start + ask1 + 3);
    assert_int_equal(g->l2->bank[0].stalled.count, 3);
    assert_int_equal(count(g)->l2_access, 1 + 2); /* refused look-ups do not count */
    assert_int_equal(arrival(g, 0, line[0]) - start, fill0 + BACK);
    /* On the bank's other wire, four cycles later; but the SM's wire has the first line for five. */
    assert_int_equal(arrival(g, 0, line[1]) - start, fill1 + BACK + LINE_FLITS - 4);
    /* The third asks at fill0: its row is open, CL + burst later it is there. */
    uint64_t fill2 = fill0 + OPEN, fill3 = fill1 + OPEN;
    /* The hit is looked up behind the fourth, at fill1, and its reply is the next on the SM's wire. */
    assert_int_equal(arrival(g, 0, warm) - start, fill1 + BACK + LINE_FLITS + 1);
    assert_int_equal(arrival(g, 0, line[2]) - start, fill2 + BACK);
    assert_int_equal(arrival(g, 0, line[3]) - start, fill3 + BACK + 1);
    assert_int_equal(count(g)->l2_access, 1 + 5);
    script_end(g);
}

/* One way: while its line is on its way, another line of the set cannot have it. */
TEST(test_all_ways_pending)
{
    struct mh_gpu *g = tiny_gpu(1, 8);
    uint32_t a = bank_line(g, 0, 0, 0), b = 0;
    for (uint32_t i = 1; !b; i++) { /* in another DRAM bank, so that it finds that one closed */
        b = bank_line(g, 0, 0, i);
        b = script_place(g, b).bank == script_place(g, a).bank ? 0 : b;
    }
    uint64_t start = mh_gpu_now(g);
    send_read(g, 0, a);
    send_read(g, 0, b);
    assert_int_equal(arrival(g, 0, a) - start, THERE + CLOSED + BACK);
    assert_int_equal(arrival(g, 0, b) - start, THERE + CLOSED + CLOSED + BACK);
    script_end(g);
}

/*
 * DRAM queue of two. Writes of whole lines evict dirty lines as fast as they come, or go through; the bank stops when
 * the channel is full, the crossbar stops behind it, and all of it drains.
 */
static void fill_dram_queue(const char *stores, uint64_t lines, uint64_t writes)
{
    struct mh_config cfg = script_config(2, 1);
    set_word(&cfg, "l2.stores", stores);
    cfg.dram.channels = 1;
    cfg.dram.queue = 2;
    cfg.dram.write_high = 2;
    cfg.dram.write_low = 0;
    cfg.l2.banks = 2;
    cfg.l2.ways = 1;
    cfg.l2.bytes = 2 * MH_LINE_BYTES;
    struct mh_gpu *g = sleeping_gpu(&cfg);
    uint32_t sent = 0, stalled = 0;
    while (sent < 200) {
        for (; sent < 200 && mh_noc_room(g->noc, 0); sent++)
            send_write(g, 0, sent % 3 ? MH_REQ_WRITE : MH_REQ_ATOMIC, bank_line(g, 0, 0, sent % lines), sent % 3);
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
        stalled += g->l2->bank[0].stalled.count == cfg.noc.bank_queue;
        assert_true(mh_mem_free(g, 0) <= 2);
    }
    mh_gpu_advance(g, mh_gpu_now(g) + 200 * 200);
    assert_true(lines < 200 || stalled > 100); /* one line is written as fast as the crossbar brings it */
    assert_int_equal(count(g)->l2_access, 200);
    assert_int_equal(count(g)->dram_write, writes);
    assert_int_equal(count(g)->dram_read, lines < 200 ? 1 : 67); /* atomics fetch */
    script_end(g);
}

TEST(test_dram_queue_full)
{
    fill_dram_queue("back", 200, 199); /* the last one is still in the L2 */
    fill_dram_queue("through", 200, 200);
    fill_dram_queue("through", 1, 200); /* all but one hit */
}

/* Walk requests are counted by depth, and not as data. */
TEST(test_walks_are_counted_by_depth)
{
    LOCAL_GPU(g) = default_gpu(1);
    for (uint32_t depth = 1; depth <= 4; depth++)
        for (uint32_t i = 0; i < depth; i++) {
            struct mh_req r = request_of(g, 0, MH_REQ_WRITE, bank_line(g, 0, 2, depth));
            r.depth = (uint8_t)depth;
            send_request(g, &r);
        }
    settle(g);
    const uint64_t *c = &count(g)->pte1_access;
    for (uint32_t depth = 1; depth <= 4; depth++) {
        assert_int_equal(c[2 * (depth - 1)], depth);
        assert_int_equal(c[2 * (depth - 1) + 1], depth - 1);
    }
    assert_int_equal(count(g)->l2_access, 0);
}

/* Lines of one bank use all of its sets evenly, and no two lines are taken for each other. */
TEST(test_sets)
{
    LOCAL_GPU(g) = default_gpu(1);
    uint32_t lines = 8 * 16; /* fewer than the ways of any set could fail to hold */
    for (uint32_t i = 0; i < lines; i++) {
        send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 11, i), true);
        if (i % 8 == 7)
            settle(g);
    }
    settle(g);
    assert_int_equal(count(g)->dram_write, 0);
    for (uint32_t i = 0; i < lines; i++)
        assert_int_equal(timed_read(g, 0, bank_line(g, 0, 11, i)), THERE + BACK);
}
