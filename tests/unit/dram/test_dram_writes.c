/* A queue of their own for writes (dram.write_queue), and dram.queue_latency: cycles by hand, with the `mask` timings.
 */
#include "unit/test.h"
#include "dram_tiers.h"

enum { CLOSED = ACTIVATE + OPEN, TURN_TO_READ = 8 + 2 + 10 }; /* cwl + a burst + wtr, from the last write command */

static struct mh_dram_cfg apart(uint32_t write_queue, uint32_t high, uint32_t low)
{
    struct mh_dram_cfg cfg = tiered();
    cfg.write_queue = write_queue;
    cfg.write_high = high;
    cfg.write_low = low;
    return cfg;
}

static struct mh_dram_cfg late(uint32_t latency)
{
    struct mh_dram_cfg cfg = apart(16, 12, 3);
    cfg.queue_latency = latency;
    return cfg;
}

/* Neither direction takes the other's places. */
TEST(test_room)
{
    struct mh_dram_cfg cfg = apart(3, 3, 1);
    cfg.queue = 4;
    struct channel *c = open_cfg(cfg);
    struct mh_dram_request read = request(c, 0, NORMAL, 0, 0, 0);
    assert_int_equal(mh_dram_free(c->d), 3);
    for (uint32_t i = 0; i < 4; i++)
        push(c, 0, i, NORMAL, 0, 1 + i, 0);
    assert_int_equal(mh_dram_free(c->d), 0);
    assert_false(mh_dram_takes(c->d, &read, 0));
    assert_true(mh_dram_takes(c->d, NULL, 3));
    assert_false(mh_dram_takes(c->d, NULL, 4));
    push(c, 0, 4, WRITE, 1, 9, 0);
    push(c, 0, 5, WRITE, 1, 9, 1);
    assert_true(mh_dram_takes(c->d, NULL, 1));
    push(c, 0, 6, WRITE, 1, 9, 2); /* write_high: the first two go before all reads, down to write_low */
    assert_false(mh_dram_takes(c->d, NULL, 1));
    assert_true(mh_dram_check(c->d));
    close_all(c);
    static const uint32_t order[] = {4, 5, 0, 1, 2, 3, 6};
    assert_int_equal(c->served, 7);
    assert_memory_equal(c->order, order, sizeof order);
}

/* A read waits for what a drain has left to write: 8 of 12 hits, and the bus turns round. */
TEST(test_read_during_a_drain)
{
    struct channel *c = open_cfg(apart(12, 12, 4));
    push(c, 0, 0, NORMAL, 3, 7, 0);
    for (uint32_t i = 0; i < 12; i++)
        push(c, 1000, 1 + i, WRITE, 3, 7, i);
    push(c, 1000, 13, NORMAL, 3, 7, 13);
    close_all(c);
    uint64_t last = 1000 + 8 * LINE_CYCLES - 2; /* write command of the drain */
    assert_int_equal(c->finish[8], last + 8 + 2);
    assert_int_equal(c->finish[13], last + TURN_TO_READ + OPEN);
    assert_true(c->finish[9] > c->finish[13]);
}

/* What waits to be written is read from there; only until its last write command. */
TEST(test_read_of_a_waiting_write)
{
    struct channel *c = open_cfg(apart(16, 12, 3));
    push(c, 0, 0, WRITE, 3, 7, 5);
    push(c, 10, 1, NORMAL, 3, 7, 5);
    assert_int_equal(mh_dram_waiting(c->d), 2);
    assert_queue(c, 1, "write queue");
    assert_true(mh_dram_check(c->d));
    run_to(c, 11);
    assert_int_equal(mh_dram_waiting(c->d), 1);
    struct mh_dram_request half = request(c, 2, NORMAL, 3, 7, 5);
    half.addr += 64; /* of the same line */
    push_request(c, 12, &half);
    push(c, 24, 3, NORMAL, 3, 7, 5); /* in the cycle of the last write command: before it */
    push(c, 1000, 4, NORMAL, 3, 7, 5);
    close_all(c);
    assert_int_equal(c->finish[0], 22 + 2 + 8 + 2);
    assert_int_equal(c->finish[1], 11);
    assert_int_equal(c->finish[2], 13);
    assert_int_equal(c->finish[4], 1000 + OPEN);
    assert_false(c->hit[1]);
    assert_true(c->hit[4]);
}

/* Sectors in pairs, as many as a burst has here. */
static void some_sectors(struct mh_dram_request *req, uint32_t pairs, uint32_t filled)
{
    static const uint8_t sectors[] = {0, 3, 12, 15};
    req->parts = sectors[pairs];
    req->filled = sectors[pairs & filled];
    req->bursts = pairs == 3 ? 2 : 1;
}

static void push_sectors(struct channel *c, uint64_t now, uint32_t tag, enum kind kind, uint32_t pairs, uint32_t filled)
{
    struct mh_dram_request req = request(c, tag, kind, 3, 7, 5);
    some_sectors(&req, pairs, filled);
    push_request(c, now, &req);
}

/* A read finds what the write has every byte of, all or nothing. */
TEST(test_read_of_waiting_sectors)
{
    struct channel *c = open_cfg(apart(16, 12, 3));
    push_sectors(c, 0, 0, WRITE, 3, 1);
    push_sectors(c, 1, 1, NORMAL, 1, 0);
    push_sectors(c, 2, 2, NORMAL, 2, 0); /* it has only some bytes of these */
    push_sectors(c, 3, 3, NORMAL, 3, 0);
    push(c, 4, 4, NORMAL, 3, 7, 5);
    assert_true(mh_dram_check(c->d));
    close_all(c);
    assert_int_equal(c->finish[1], 2);
    assert_int_equal(c->finish[2], CLOSED - 2); /* reads go first, one burst each or two */
    assert_int_equal(c->finish[3], CLOSED + 2);
    assert_int_equal(c->finish[4], CLOSED + 6);
    assert_true(c->finish[0] > c->finish[4]);
}

/* Writes of a line become one, of as many bursts as they have sectors; then reads find the bytes of both. */
TEST(test_writes_of_sectors)
{
    for (uint32_t second = 1; second <= 2; second++) {
        struct channel *c = open_cfg(apart(16, 12, 3));
        push_sectors(c, 0, 0, WRITE, 1, 1);
        push_sectors(c, 1, 1, WRITE, second, second);
        push_sectors(c, 2, 2, NORMAL, 3, 0);
        close_all(c);
        assert_int_equal(c->finish[1], 2);
        if (second == 1) {
            assert_int_equal(c->finish[2], 2 + CLOSED - 2);
        } else {
            assert_int_equal(c->finish[2], 3);
            assert_int_equal(c->finish[0], 22 + 2 + 8 + 2);
        }
    }
}

/* With bank groups a write is decided burst by burst: once it has begun it takes no more. */
TEST(test_write_that_has_begun)
{
    for (uint32_t more = 1; more <= 2; more++) {
        struct mh_dram_cfg cfg = apart(16, 12, 3);
        cfg.banks = 16;
        cfg.groups = 4;
        cfg.ccd_l = 6;
        struct channel *c = open_cfg(cfg);
        push_sectors(c, 0, 0, WRITE, 3, 3);
        struct mh_dram_request late = request(c, 1, WRITE, 3, 7, 5);
        some_sectors(&late, more, more);
        push_request(c, 23, &late); /* its first burst went at 22, its second is to go at 28 */
        assert_int_equal(mh_dram_waiting(c->d), 2);
        close_all(c);
        assert_int_equal(c->finish[1], 24);
    }
    struct mh_dram_cfg cfg = apart(16, 12, 3);
    cfg.banks = 16;
    cfg.groups = 4;
    cfg.ccd_l = 6;
    cfg.bus_bytes = 4; /* a line has four bursts */
    struct channel *c = open_cfg(cfg);
    struct mh_dram_request half = request(c, 0, WRITE, 3, 7, 5), other = request(c, 1, WRITE, 3, 7, 5);
    some_sectors(&half, 1, 1);
    some_sectors(&other, 2, 2);
    half.bursts = other.bursts = 2;
    push_request(c, 0, &half);
    push_request(c, 23, &other);
    close_all(c);
    assert_int_equal(c->finish[0], 22 + 6 + 8 + 2);
    assert_int_equal(c->finish[1], c->finish[0] + 12); /* a write of its own */
}

/* One write command goes for all writes of a line that wait. */
TEST(test_writes_of_one_line)
{
    struct channel *c = open_cfg(apart(16, 12, 3));
    push(c, 0, 0, WRITE, 3, 7, 5);
    push(c, 1, 1, WRITE, 3, 7, 5);
    push(c, 2, 2, WRITE, 3, 7, 6);
    close_all(c);
    assert_int_equal(c->served, 3);
    assert_int_equal(c->finish[1], 2);
    assert_int_equal(c->finish[2], c->finish[0] + LINE_CYCLES);
    assert_int_equal(c->last, c->finish[2]);
}

/* Without a queue of their own they are two, and a read goes to the bank. */
TEST(test_shared_queue)
{
    struct channel *c = open_cfg(apart(0, 12, 3));
    push(c, 0, 0, WRITE, 3, 7, 5);
    push(c, 0, 1, WRITE, 3, 7, 5);
    close_all(c);
    assert_int_equal(c->finish[1], c->finish[0] + LINE_CYCLES);
}

/* The normal queue has reads alone; a page walk, too, is answered from a write. */
TEST(test_three_queues)
{
    struct mh_dram_cfg cfg = apart(4, 4, 0);
    cfg.golden = cfg.normal = 2;
    struct channel *c = open_tiers(cfg);
    struct mh_dram_request read = request(c, 0, NORMAL, 0, 0, 0);
    push(c, 0, 0, NORMAL, 0, 1, 0);
    push(c, 0, 1, NORMAL, 0, 2, 0);
    assert_false(mh_dram_takes(c->d, &read, 0));
    assert_true(mh_dram_takes(c->d, NULL, 4));
    for (uint32_t i = 0; i < 3; i++)
        push(c, 0, 2 + i, WRITE, 1, 7, i);
    push(c, 0, 5, GOLDEN, 1, 7, 0);
    push(c, 0, 6, SILVER, 1, 7, 1);
    assert_true(mh_dram_takes(c->d, NULL, 1));
    assert_false(mh_dram_takes(c->d, NULL, 2));
    assert_true(mh_dram_check(c->d));
    close_tiers(c);
    assert_int_equal(c->finish[5], 1);
    assert_int_equal(c->finish[6], 1);
    assert_int_equal(c->served, 7);
}

TEST(test_queue_latency)
{
    for (uint32_t latency = 0; latency <= 30; latency += 10) {
        struct channel *c = open_cfg(late(latency));
        push(c, 1000, 0, NORMAL, 3, 7, 0);
        push(c, 2000, 1, NORMAL, 3, 7, 1);
        push(c, 3000, 2, NORMAL, 3, 8, 0);
        push(c, 4000, 3, WRITE, 3, 8, 0);
        push(c, 4005, 4, NORMAL, 3, 8, 0); /* its write is being written, or has not come yet, as it has */
        assert_true(mh_dram_check(c->d));
        close_all(c);
        assert_int_equal(c->finish[0], 1000 + latency + CLOSED);
        assert_int_equal(c->finish[1], 2000 + latency + OPEN);
        assert_int_equal(c->finish[2], 3000 + latency + CLOSE + CLOSED);
        assert_int_equal(c->finish[3], 4000 + latency + 2 + 8 + 2);
        assert_int_equal(c->finish[4], 4005 + latency + 17 + OPEN); /* wtr after the write, whose line is not there */
    }
}

/* Nothing is decided for a request before its time: tag 1 hits the row that tag 0 opened, not its own first. */
TEST(test_arrivals_keep_their_order)
{
    struct channel *c = open_cfg(late(40));
    push(c, 0, 0, NORMAL, 3, 7, 0);
    push(c, 39, 1, NORMAL, 3, 8, 0);
    push(c, 41, 2, NORMAL, 3, 7, 1);
    assert_int_equal(mh_dram_waiting(c->d), 3);
    close_all(c);
    assert_int_equal(c->finish[0], 40 + CLOSED);
    assert_int_equal(c->finish[2], 81 + OPEN); /* the row is open until tRAS */
    assert_int_equal(c->finish[1], 40 + 51 + CLOSE + CLOSED);
}

/* Steps that come late change nothing, with both. */
TEST(test_late_steps)
{
    static uint64_t finish[2][512];
    for (int slow = 0; slow < 2; slow++) {
        struct channel *c = open_cfg(late(3));
        uint64_t rng = 9;
        for (uint32_t i = 0; i < 512; i++) {
            uint64_t now = i * 17;
            while (slow ? c->next + 7 < now : c->next < now)
                c->next = mh_dram_step(c->d, slow ? c->next + 7 : c->next);
            struct mh_dram_request req = {.tag = i, .write = random_next(&rng) % 4 == 0};
            req.addr = random_next(&rng) % 512 * MH_LINE_BYTES;
            assert_true(dram_takes(c->d, &req));
            c->next = mh_dram_push(c->d, now, &req);
        }
        close_all(c);
        memcpy(finish[slow], c->finish, sizeof finish[slow]);
    }
    assert_memory_equal(finish[0], finish[1], sizeof finish[0]);
}

enum { LINES = 64, ROUNDS = 60, ACTIONS = 3000 };

static struct mh_dram_cfg random_cfg(uint64_t *rng)
{
    struct mh_dram_cfg cfg = apart(pick(rng, 0, 3) * pick(rng, 1, 9), 1, 0);
    cfg.queue = pick(rng, 2, 20);
    cfg.golden = pick(rng, 2, 5);
    cfg.silver = pick(rng, 1, 9);
    cfg.normal = pick(rng, 2, 20);
    cfg.queue_latency = pick(rng, 0, 1) * pick(rng, 1, 70);
    cfg.opened_first = pick(rng, 0, 1);
    cfg.refi = pick(rng, 0, 1) * 1200;
    if (pick(rng, 0, 1)) {
        cfg.banks = 16;
        cfg.groups = 4;
        cfg.ccd_l = 3;
    }
    uint32_t most = cfg.write_queue ? cfg.write_queue : cfg.queue < cfg.normal ? cfg.queue : cfg.normal;
    cfg.write_high = pick(rng, 1, most);
    cfg.write_low = pick(rng, 0, cfg.write_high - 1);
    return cfg;
}

static void random_push(struct channel *c, uint64_t now, uint64_t *rng, uint32_t *tag)
{
    struct mh_dram_request req = {.tag = *tag, .tenant = (uint8_t)pick(rng, 0, 2), .write = pick(rng, 0, 2) == 0};
    req.walk = !req.write && pick(rng, 0, 4) == 0;
    req.addr = pick(rng, 0, LINES - 1) * 5ull * MH_LINE_BYTES;
    if (pick(rng, 0, 1))
        some_sectors(&req, pick(rng, 1, 3), pick(rng, 0, 3));
    if (!dram_takes(c->d, &req))
        return;
    c->next = mh_dram_push(c->d, now, &req);
    ++*tag;
}

static void random_switch(struct channel *c, uint64_t now, uint64_t *rng)
{
    uint32_t rank[MH_MAX_TENANTS] = {pick(rng, 0, 1), pick(rng, 0, 1)};
    switch (pick(rng, 0, 3)) {
    case 0:
        c->next = mh_dram_set_queues(c->d, now, pick(rng, 0, 1));
        break;
    case 1:
        c->next = mh_dram_set_ranks(c->d, now, rank);
        break;
    case 2:
        c->next = mh_dram_set_watch(c->d, now, pick(rng, 0, 1));
        break;
    case 3:
        set_turns(c, pick(rng, 0, 3), pick(rng, 0, 30), pick(rng, 0, 3));
        break;
    }
}

TEST(test_random)
{
    static const uint32_t none[MH_MAX_TENANTS];
    for (uint64_t round = 0; round < ROUNDS; round++) {
        uint64_t rng = round, now = 0;
        struct channel *c = open_cfg(random_cfg(&rng));
        uint32_t tag = 0;
        for (uint32_t i = 0; i < ACTIONS; i++) {
            now += pick(&rng, 0, 3) ? pick(&rng, 0, 2) : pick(&rng, 0, 60);
            run_to(c, now);
            if (pick(&rng, 0, 20))
                random_push(c, now, &rng, &tag);
            else
                random_switch(c, now, &rng);
            if (!mh_dram_check(c->d))
                fail_msg("round %u, action %u", (unsigned)round, i);
        }
        mh_dram_set_ranks(c->d, now, none);
        mh_dram_set_watch(c->d, now, false);
        c->next = mh_dram_set_queues(c->d, now, false);
        close_all(c);
        assert_int_equal(c->served, tag);
        assert_in_range(tag, ACTIONS / 20, ACTIONS);
    }
}
