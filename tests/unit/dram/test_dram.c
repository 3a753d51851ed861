/* Cycles of one DRAM channel by hand, in command-clock cycles of the `mask` timings (tests/dram_fixture.h). */
#include "unit/test.h"
#include "dram_channel.h"

static struct channel *open_plain(void)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.refi = 0;
    return open_cfg(cfg);
}

static void push(struct channel *c, uint64_t now, uint32_t tag, bool write, uint32_t bank, uint32_t row, uint32_t line)
{
    push_addr(c, now, tag, write, dram_addr(&c->cfg, bank, row, line));
}

/* Activate, column command, CAS latency, then two bursts CCD apart: 22 + 22 + 2 + 2. */
enum { CLOSED = 22 + 22 + 2 + 2, OPEN = 22 + 2 + 2 };

/* A request, the cycle in which it is finished, and whether it hits the open row. */
struct ask {
    uint64_t now;
    bool write;
    uint32_t bank, row, line;
    uint64_t finish;
    bool hit;
};

static void check_asks(struct channel *c, uint32_t count, const struct ask *asks)
{
    for (uint32_t i = 0; i < count; i++)
        push(c, asks[i].now, i, asks[i].write, asks[i].bank, asks[i].row, asks[i].line);
    close_all(c);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(c->finish[i], asks[i].finish);
        assert_int_equal(c->hit[i], asks[i].hit);
    }
}

#define ASKS(channel, ...)                                                                                             \
    check_asks(channel, sizeof((struct ask[]){__VA_ARGS__}) / sizeof(struct ask), (struct ask[]){__VA_ARGS__})

TEST(test_idle_read)
{
    struct mh_dram_cfg one = mask_dram; /* the line in one burst of 8 cycles */
    struct channel *c = open_plain();

    push(c, 0, 0, false, 3, 7, 5);
    assert_int_equal(c->next, 22); /* nothing is served before tRCD */
    close_all(c);
    ASKS(open_plain(), {0, false, 3, 7, 5, CLOSED, false});
    one.bus_bytes = 4;
    one.burst = 32;
    ASKS(open_cfg(one), {1000, false, 0, 0, 0, 1000 + 22 + 22 + 8, false});
}

TEST(test_two_requests)
{
    /* The row is open; another is. */
    ASKS(open_plain(), {0, false, 3, 7, 5, CLOSED, false}, {500, false, 3, 7, 6, 500 + OPEN, true});
    ASKS(open_plain(), {0, false, 3, 7, 5, CLOSED, false}, {500, false, 3, 8, 5, 500 + 22 + CLOSED, false});
    /* PRE at tRAS, ACT tRP later. */
    ASKS(open_plain(), {0, false, 3, 7, 5, CLOSED, false}, {1, false, 3, 8, 5, 51 + 22 + CLOSED, false});
    /* CWL instead of CL. Last WR at 24, its data ends at 34, tWR 22 -> PRE at 56, tRP 22 -> ACT at 78. */
    ASKS(open_plain(), {0, true, 3, 7, 5, 22 + 8 + 2 + 2, false}, {1, true, 3, 8, 5, 78 + 22 + 8 + 2 + 2, false});
    /* Two banks: second ACT at tRRD. */
    ASKS(open_plain(), {0, false, 0, 1, 0, CLOSED, false}, {0, false, 1, 1, 0, 11 + CLOSED, false});
    /* Refresh: PRE at tRAS (6551), REF at tRP (6573), ACT after tRFC. */
    ASKS(open_cfg(mask_dram), {6500, false, 0, 1, 0, 6500 + CLOSED, false},
         {6530, false, 0, 1, 1, 6500 + 51 + 22 + 109 + CLOSED, false});
}

TEST(test_row_hits_go_first)
{
    struct channel *c = open_plain();
    push(c, 0, 0, false, 0, 1, 0);
    push(c, 0, 1, false, 0, 2, 0);
    push(c, 0, 2, false, 0, 1, 1);
    push(c, 0, 3, false, 0, 1, 2);
    close_all(c);
    const uint32_t want[] = {0, 2, 3, 1};
    assert_memory_equal(c->order, want, sizeof want);
    assert_int_equal(c->finish[2], CLOSED + 4); /* the bus is full: a line each 4 cycles */
    assert_int_equal(c->finish[3], CLOSED + 8);
    assert_int_equal(c->finish[1], 51 + 22 + CLOSED);
}

TEST(test_activate_window)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.refi = 0;
    cfg.rrd = 4;
    struct channel *c = open_cfg(cfg);
    for (uint32_t b = 0; b < 8; b++)
        push(c, 0, b, false, b, 1, 0);
    close_all(c);
    const uint64_t act[] = {0, 4, 8, 12, 44, 48, 52, 56};
    for (uint32_t b = 0; b < 8; b++)
        assert_int_equal(c->finish[b], act[b] + CLOSED);
}

TEST(test_turnaround)
{
    struct channel *c = open_plain();
    push(c, 0, 0, false, 0, 1, 0); /* RD at 22 and 24: data until 48 */
    push(c, 0, 1, true, 0, 1, 1);  /* WR when no read is left: data at 48 + rtrs 2, so WR at 42 and 44 */
    run_to(c, 42);
    assert_int_equal(c->finish[0], 48);
    assert_int_equal(c->finish[1], 50 + 4);
    push(c, 43, 2, false, 0, 1, 2); /* tWTR after the last beat at 54: RD at 64 */
    close_all(c);
    assert_int_equal(c->finish[2], 54 + 10 + OPEN);
}

TEST(test_reads_before_writes)
{
    struct channel *c = open_plain();
    for (uint32_t i = 0; i < 63; i++)
        push(c, 0, i, true, 0, 1, i % 16);
    for (uint32_t i = 100; i < 150; i++)
        push(c, 0, i, false, 1, 1, i % 16);
    close_all(c);
    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(c->order[i], 100 + i);
    assert_int_equal(c->order[50], 0);
}

TEST(test_write_drain_between_watermarks)
{
    struct channel *c = open_plain();
    for (uint32_t i = 100; i < 150; i++)
        push(c, 0, i, false, 1, 1, i % 16);
    for (uint32_t i = 0; i < 64; i++)
        push(c, 0, i, true, 0, 1, i % 16);
    close_all(c);
    /* 64 waiting: drains until 16 are left, that is 48 writes; then the reads; then the rest. */
    for (uint32_t i = 0; i < 48; i++)
        assert_int_equal(c->order[i], i);
    for (uint32_t i = 0; i < 50; i++)
        assert_int_equal(c->order[48 + i], 100 + i);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(c->order[98 + i], 48 + i);
}

TEST(test_queue_full)
{
    struct channel *c = open_plain();
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(mh_dram_free(c->d), 256 - i);
        push(c, 0, i, false, i % 8, i, 0);
    }
    assert_int_equal(mh_dram_free(c->d), 0);
    run_to(c, 22); /* an ACT of another bank: the data bus is idle, so the row hit gives way */
    assert_int_equal(mh_dram_free(c->d), 0);
    run_to(c, 23); /* the first column command */
    assert_int_equal(mh_dram_free(c->d), 1);
    close_all(c);
    assert_int_equal(c->served, 256);
}

/* So many hits pass the request of tag 1000: tags 1 .. cap, after tag 0 that was older. The rest is served after it. */
static void check_cap(uint32_t cap)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.hit_cap = cap;
    struct channel *c = open_cfg(cfg);
    push(c, 0, 0, false, 0, 1, 0);
    push(c, 0, 1000, false, 0, 2, 0);
    for (uint32_t i = 1; i < 200; i++)
        push(c, 0, i, false, 0, 1, i % 16);
    close_all(c);
    assert_int_equal(c->order[cap], cap);
    assert_int_equal(c->order[cap + 1], 1000);
    assert_int_equal(c->order[cap + 2], cap + 1);
    assert_int_equal(c->order[200], 199);
}

TEST(test_hit_cap)
{
    check_cap(1);
    check_cap(4);
    check_cap(64);
    check_cap(198);
}

/*
 * Two ranks have a row open. Of rank 0's hits so many go before the hit of rank 1, tag 1000, which waits for the gap.
 * Tag 2 is not among them: when it goes no other waits.
 */
static void check_rank_hits(uint32_t hits)
{
    struct mh_dram_cfg cfg = mask_dram;
    cfg.ranks = 2;
    cfg.rank_gap = 2;
    cfg.rank_hits = hits;
    struct channel *c = open_cfg(cfg);
    const uint64_t other = (uint64_t)cfg.row_bytes * cfg.banks; /* row rank bank column */
    push_addr(c, 0, 0, false, other);
    push_addr(c, 50, 1, false, 0);
    push_addr(c, 200, 2, false, MH_LINE_BYTES);
    push_addr(c, 200, 1000, false, other + MH_LINE_BYTES);
    for (uint32_t i = 3; i < 100; i++)
        push_addr(c, 200, i, false, i % 16 * MH_LINE_BYTES);
    close_all(c);
    assert_int_equal(c->order[2], 2);
    assert_int_equal(c->order[2 + hits], 2 + hits);
    assert_int_equal(c->order[3 + hits], 1000);
    assert_int_equal(c->order[100], 99);
}

TEST(test_rank_hits)
{
    check_rank_hits(1);
    check_rank_hits(4);
    check_rank_hits(64);
}

TEST(test_refresh_of_an_idle_channel)
{
    struct channel *c = open_cfg(mask_dram);
    push(c, 100, 0, false, 0, 1, 0);
    run_to(c, 1000);
    assert_true(c->next == MH_DRAM_NEVER); /* no request is waiting: no event for a refresh */
    push(c, 10 * 6528 + 40, 1, false, 0, 1, 0);
    close_all(c);
    assert_int_equal(c->finish[1], 10 * 6528 + 109 + CLOSED); /* the tenth refresh had begun on time */
    assert_false(c->hit[1]);
}

/* The same requests with step() called late give the same service, as a slower clock in front of the channel would. */
TEST(test_late_steps_change_nothing)
{
    static uint64_t finish[2][512];
    for (int late = 0; late < 2; late++) {
        struct channel *c = open_cfg(mask_dram);
        uint64_t rng = 9, step = 0;
        for (uint32_t i = 0; i < 512; i++) {
            uint64_t now = i * 13;
            while (late ? c->next + 7 < now : c->next < now) {
                step = late ? c->next + 7 : c->next;
                c->next = mh_dram_step(c->d, step);
            }
            struct mh_dram_request req = {.tag = i, .write = random_next(&rng) % 4 == 0};
            req.addr = random_next(&rng) % 4096 * MH_LINE_BYTES;
            assert_true(mh_dram_free(c->d) > 0);
            c->next = mh_dram_push(c->d, now, &req);
        }
        close_all(c);
        memcpy(finish[late], c->finish, sizeof finish[late]);
    }
    assert_memory_equal(finish[0], finish[1], sizeof finish[0]);
}
