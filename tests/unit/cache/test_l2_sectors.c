/* The L2 with sectors: what is read, written back and waited for; cycles by hand.
 */
#include "unit/test.h"

#include "requests.h"
#include "translate_fixture.h"
#include "sm_fixture.h"

/*
 * As in test_l2.c, but a burst has 32 bytes. Reading n sectors of a closed row: activate 22, n column commands 2 apart,
 * CL 22, burst 2. The reply has n flits behind its head.
 */
enum { THERE = 8, BACK = 10 + 8 + 1 + 1, FIRST = 22 + 2, ACTIVATE = 22, NEXT = 2 };

static uint64_t timed(struct mh_gpu *g, uint32_t line, uint32_t sectors)
{
    uint64_t start = mh_gpu_now(g);
    read_sectors(g, 0, line, sectors);
    return arrival(g, 0, line) - start;
}

static void store_at(struct mh_gpu *g, uint32_t line, uint32_t from, uint32_t bytes)
{
    struct mh_bytes b = {{0}};
    mh_bytes_add(&b, from, bytes);
    store_bytes(g, 1, line, b);
    settle(g);
}

static void assert_moved(const struct mh_gpu *g, uint64_t reads, uint64_t read_sectors_, uint64_t writes,
                         uint64_t write_sectors)
{
    assert_int_equal(count(g)->dram_read, reads);
    assert_int_equal(count(g)->dram_read_sectors, read_sectors_);
    assert_int_equal(count(g)->dram_write, writes);
    assert_int_equal(count(g)->dram_write_sectors, write_sectors);
}

/* A miss of the line, of a sector of it, of two at once, and hits of all. */
TEST(test_latency)
{
    struct mh_config cfg = sector_config(1, "fetch");
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    uint32_t line = bank_line(g, 0, 3, 0);
    assert_int_equal(timed(g, line, 1), THERE + ACTIVATE + FIRST + BACK + 1);
    assert_int_equal(timed(g, line, 2), THERE + FIRST + BACK + 1);
    assert_moved(g, 2, 2, 0, 0);
    assert_int_equal(count(g)->dram_cycles, ACTIVATE + 2 * FIRST);
    assert_int_equal(timed(g, line, 3), THERE + BACK + 2);
    assert_int_equal(timed(g, line, 15), THERE + FIRST + NEXT + BACK + 4); /* the two that are not there, at once */
    assert_moved(g, 3, 4, 0, 0);
    assert_int_equal(timed(g, line, 15), THERE + BACK + 4);
    assert_int_equal(count(g)->l2_access, 5);
    assert_int_equal(count(g)->l2_hit, 2);
    assert_int_equal(count(g)->dram_row_hit, 2);
}

/* Sectors that are not neighbours cost what neighbours cost: their row is open. */
TEST(test_apart)
{
    static const uint32_t sectors[] = {1, 3, 9, 10, 7, 13, 15};
    struct mh_config cfg = sector_config(1, "fetch");
    for (uint32_t i = 0; i < 7; i++) {
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        uint32_t n = (uint32_t)__builtin_popcount(sectors[i]);
        assert_int_equal(timed(g, bank_line(g, 0, 3, 0), sectors[i]),
                         THERE + ACTIVATE + FIRST + (n - 1) * NEXT + BACK + n);
        assert_moved(g, 1, n, 0, 0);
    }
}

/*
 * One MSHR. SM 0 wants sector 0; five cycles later SM 1 wants 0 and 1: it merges and asks for 1 alone, which comes with
 * the next free column command, and waits for both. Both are misses. Nothing of another line is taken meanwhile.
 */
TEST(test_mshr_asks_again)
{
    LOCAL_GPU(g) = tiny_sectors_gpu("fetch", 2, 1);
    uint32_t line = bank_line(g, 0, 0, 0);
    uint64_t start = mh_gpu_now(g);
    read_sectors(g, 0, line, 1);
    mh_gpu_advance(g, start + 5);
    read_sectors(g, 1, line, 3);
    assert_int_equal(arrival(g, 0, line) - start, THERE + ACTIVATE + FIRST + BACK + 1);
    assert_int_equal(arrival(g, 1, line) - start, THERE + ACTIVATE + FIRST + NEXT + BACK + 2);
    assert_moved(g, 2, 2, 0, 0);
    assert_int_equal(count(g)->l2_hit, 0);
    assert_int_equal(count(g)->dram_cycles, 2 * (ACTIVATE + FIRST) + NEXT - 5);
    script_assert_idle(g);
}

/* While a sector is on its way, those that are there hit: they do not wait for it. */
TEST(test_hit_beside_a_miss)
{
    LOCAL_GPU(g) = tiny_sectors_gpu("fetch", 2, 1);
    uint32_t line = bank_line(g, 0, 0, 0);
    timed(g, line, 1);
    uint64_t start = mh_gpu_now(g);
    read_sectors(g, 0, line, 2);
    mh_gpu_advance(g, start + 2);
    read_sectors(g, 1, line, 1);
    assert_int_equal(arrival(g, 1, line) - start, 2 + THERE + BACK + 1);
    assert_int_equal(arrival(g, 0, line) - start, THERE + FIRST + BACK + 1);
    assert_int_equal(count(g)->l2_hit, 1);
}

/* Only dirty sectors go back, in one write. */
TEST(test_write_back)
{
    LOCAL_GPU(g) = tiny_sectors_gpu("fetch", 1, 4);
    uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1);
    timed(g, a, 15);
    store_at(g, a, 4, 4);
    store_at(g, a, 100, 4);
    assert_moved(g, 1, 4, 0, 0);
    timed(g, b, 2);
    settle(g);
    assert_moved(g, 2, 5, 1, 2);
    atomic_on(g, b, 8); /* fetches its sector */
    timed(g, a, 1);
    settle(g);
    assert_moved(g, 4, 7, 2, 3);
    timed(g, b, 1); /* a is clean */
    settle(g);
    assert_moved(g, 5, 8, 2, 3);
}

/* Bytes 60..67 of a line that is not there touch two sectors; 32..63 are one. */
TEST(test_partial_stores)
{
    for (uint32_t lazy = 0; lazy < 2; lazy++) {
        LOCAL_GPU(g) = tiny_sectors_gpu(lazy ? "lazy" : "fetch", 1, 4);
        uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1);
        store_at(g, a, 60, 8);
        assert_moved(g, !lazy, lazy ? 0 : 2, 0, 0);
        store_at(g, a, 32, 28); /* with lazy that fills sector 1 */
        store_at(g, a, 96, 32); /* a whole sector: not fetched */
        assert_int_equal(count(g)->l2_hit, 1);
        timed(g, a, 2 | 8);
        assert_int_equal(count(g)->l2_hit, 2);
        assert_moved(g, !lazy, lazy ? 0 : 2, 0, 0);
        timed(g, a, 4); /* stored in part */
        assert_moved(g, 1, lazy ? 1 : 2, 0, 0);
        store_at(g, b, 0, 128);
        assert_moved(g, 1, lazy ? 1 : 2, 1, 3);
    }
}

/* With lazy a sector that is stored in part and leaves has never been read; an atomic reads it. */
TEST(test_lazy_reads_late)
{
    LOCAL_GPU(g) = tiny_sectors_gpu("lazy", 1, 4);
    uint32_t a = bank_line(g, 0, 0, 0), b = bank_line(g, 0, 0, 1);
    store_at(g, a, 0, 4);
    store_at(g, b, 0, 4); /* takes its place */
    assert_moved(g, 0, 0, 1, 1);
    atomic_on(g, b, 1);
    assert_moved(g, 1, 1, 1, 1);
    timed(g, b, 1);
    assert_moved(g, 1, 1, 1, 1);
}

/* --- l2.queue_latency: the pipeline between crossbar and look-up; cycles by hand, on top of those of test_l2.c. */

enum {
    QUEUE = 85,
    THERE_QUEUE = 8,
    BACK_QUEUE = 10 + 8 + 4 + 1 + 1,
    CLOSED = 22 + 2 + 22 + 2,
    OPEN = CLOSED - 22,
    LEAF = 8,
    PROBE = 10
};

static const struct mh_counters *count_queue(const struct mh_gpu *g)
{
    return &g->tenant[0].count;
}

static struct mh_gpu *queued_gpu(uint32_t sms, uint32_t bank_queue)
{
    struct mh_config cfg = script_config(sms, 1);
    cfg.l2.queue_latency = QUEUE;
    cfg.noc.bank_queue = bank_queue;
    return sleeping_gpu(&cfg);
}

/* Hits and misses alike; a written line is looked up so much after its tail. */
TEST(test_one_request)
{
    struct mh_gpu *g = queued_gpu(1, 16);
    uint32_t line = bank_line(g, 0, 3, 0);
    assert_int_equal(timed_read(g, 0, line), THERE_QUEUE + QUEUE + CLOSED + BACK_QUEUE);
    assert_int_equal(timed_read(g, 0, line), THERE_QUEUE + QUEUE + BACK_QUEUE);
    uint64_t at = mh_gpu_now(g);
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, 1), true);
    assert_int_equal(script_until(g, &count_queue(g)->l2_access, 3) - at, THERE_QUEUE + 4 + QUEUE);
    send_write(g, 0, MH_REQ_ATOMIC, line, true);
    assert_int_equal(script_until(g, &count_queue(g)->l2_access, 4) - at, 2 * (THERE_QUEUE + 4 + QUEUE));
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    script_end(g);
}

/*
 * Writes of two flits from 40 SMs to one bank: its two wires bring two of them every second cycle, and so they are
 * looked up, although the bank itself has a single place. A look-up in the pipeline holds up no other.
 */
TEST(test_many_requests)
{
    enum { SMS = 40, EACH = 4, ALL = SMS * EACH };
    struct mh_gpu *g = queued_gpu(SMS, 1);
    struct mh_req r = request_of(g, 0, MH_REQ_WRITE, bank_line(g, 0, 5, 0));
    uint64_t at = mh_gpu_now(g);
    r.full = false;
    r.sectors = 1;
    for (uint32_t i = 0; i < ALL; i++) {
        r.port = (uint16_t)(i % SMS);
        send_request(g, &r);
    }
    for (uint32_t i = 0; i < ALL / 2; i++)
        assert_int_equal(script_until(g, &count_queue(g)->l2_access, 2 * i + 1) - at, THERE_QUEUE + 1 + QUEUE + 2 * i);
    assert_int_equal(count_queue(g)->l2_access, ALL);
    mh_gpu_advance(g, mh_gpu_now(g) + 1000);
    script_end(g);
}

/* Of a walk's four reads, all that look the L2 up wait; one that goes past it does not, nor for a look-up. */
TEST(test_walks)
{
    for (uint32_t masked = 0; masked < 2; masked++) {
        struct mh_config cfg = walking_config(1);
        struct script *s;
        cfg.l2.queue_latency = QUEUE;
        struct mh_gpu *g = to_and_fro_gpu(&cfg, &s);
        script_knob(g, MH_REG_L2_BYPASS, masked ? LEAF : 0);
        chain_run(g);
        assert_int_equal(chain_cycles(s, 3),
                         ASK + L2TLB + WIRE + HIT + WALK + (masked ? 3 * QUEUE + OPEN - PROBE : 4 * QUEUE));
        script_end(g);
    }
}

/* --- DRAM accesses that requests cause (DRAM_CAUSED): each case by hand, and the sum of a random mix to the last
 * access.
 */

/* Banks of one line each: whatever misses evicts. SM i is tenant i's. */
static struct mh_gpu *tiny_gpu_caused(uint32_t tenants, uint32_t store_buffer)
{
    struct mh_config cfg = script_config(4, tenants);
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

TEST(test_each_case)
{
    for (uint32_t store_buffer = 0; store_buffer < 2; store_buffer++) {
        struct mh_gpu *g = tiny_gpu_caused(1, store_buffer);
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

/* The second and third find the line in flight: the first one has caused the access, of whichever tenant. */
TEST(test_merge)
{
    struct mh_gpu *g = tiny_gpu_caused(1, 0);
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

/* DRAM_WRITE counts for the victim's tenant, DRAM_CAUSED for the tenant that needs its place. */
TEST(test_who_evicts_pays)
{
    struct mh_gpu *g = tiny_gpu_caused(2, 0);
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
    struct mh_config cfg = shared_config(2);
    struct mix mix[2];
    struct script *s[2];
    cfg.l1tlb.ideal = ideal;
    cfg.walk.uncached = !ideal;
    cfg.l1d.store_buffer = store_buffer;
    cfg.l2.bytes = 16 * 4 * 2 * MH_LINE_BYTES;
    cfg.l2.ways = 4;
    for (uint32_t t = 0; t < 2; t++) {
        mix[t] = (struct mix){.seed = seed + t, .bytes = 1 << 20, .ops = 30, .lanes = 64, .threads = 128};
        s[t] = mix_script(&mix[t], LAUNCHES, CTAS);
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
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
}

TEST(test_sum_of_a_mix)
{
    for (uint32_t i = 0; i < 8; i++)
        random_mix(100 + i, i % 2, i / 2 % 2 * 4);
}
