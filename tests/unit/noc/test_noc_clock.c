/* Crossbars with a clock of their own, and replies from banks to SMs and walkers; by hand. */
#include "unit/test.h"
#include "requests.h"

/* Preset `mask`: latency 8 GPU cycles; a line is a header flit and four of 32 bytes. */
enum { FLITS = 5, L1 = 1 + 1 };

/* `gpu` cycles of the GPU last as long as `noc` of the crossbars. */
static struct mh_gpu *gpu_with_clocks(uint32_t sms, uint32_t gpu, uint32_t noc)
{
    struct mh_config cfg = script_config(sms, 1);
    cfg.clock.gpu_hz = gpu * 100000000ull;
    cfg.clock.dram_hz = cfg.clock.gpu_hz;
    cfg.clock.noc_hz = noc * 100000000ull;
    cfg.l2.ports = 1;
    cfg.l1d.mshrs = 256;
    return sleeping_gpu(&cfg);
}

/* GPU cycle of the next look-up. */
static uint64_t look_up(struct mh_gpu *g)
{
    uint64_t before = g->tenant[0].count.l2_access;
    while (g->tenant[0].count.l2_access == before)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    assert_int_equal(g->tenant[0].count.l2_access, before + 1);
    return mh_gpu_now(g);
}

static void read_at(struct mh_gpu *g, uint64_t cycle, uint32_t n)
{
    mh_gpu_advance(g, cycle);
    send_read(g, 0, bank_line(g, 0, 3, n));
}

static void write_at(struct mh_gpu *g, uint64_t cycle, uint32_t n)
{
    mh_gpu_advance(g, cycle);
    send_write(g, 0, MH_REQ_WRITE, bank_line(g, 0, 3, n), true);
}

/* NoC cycle n starts at GPU cycle 2 n; the latency is 4 of them. */
TEST(test_half)
{
    LOCAL_GPU(g) = gpu_with_clocks(1, 2, 1);
    read_at(g, 100, 0); /* NoC cycle 50; the only flit there at 54 */
    assert_int_equal(look_up(g), 108);
    read_at(g, 201, 1); /* waits for the NoC's cycle 101 */
    assert_int_equal(look_up(g), 210);
    write_at(g, 300, 2); /* tail at 150 + 4 + 4 */
    assert_int_equal(look_up(g), 316);
    write_at(g, 400, 3); /* the wire is free again at 205 */
    send_read(g, 0, bank_line(g, 0, 4, 0));
    assert_int_equal(look_up(g), 416);
    assert_int_equal(look_up(g), 418);
}

/* NoC cycles 2 n and 2 n + 1 start in GPU cycle n; the latency is 16 of them. What ends in between is seen at the end.
 */
TEST(test_double)
{
    LOCAL_GPU(g) = gpu_with_clocks(1, 1, 2);
    read_at(g, 100, 0);
    assert_int_equal(look_up(g), 108);
    write_at(g, 200, 1); /* tail at 400 + 16 + 4 */
    assert_int_equal(look_up(g), 210);
    mh_gpu_advance(g, 300);
    for (uint32_t n = 0; n < 4; n++) /* two flits a GPU cycle: at 616, 617, 618, 619 */
        send_read(g, 0, bank_line(g, 0, 4 + n, 0));
    mh_gpu_advance(g, 307);
    static const uint64_t seen[] = {3, 5, 6}; /* at 308, 309, 310; two were before */
    for (uint32_t i = 0; i < 3; i++) {
        mh_gpu_advance(g, 308 + i);
        assert_int_equal(g->tenant[0].count.l2_access, seen[i]);
    }
}

/*
 * One MSHR: a miss stops the bank, with six hits behind it that come while it waits. When the line of the MSHR comes,
 * all seven are looked up, one in each NoC cycle.
 */
TEST(test_retries)
{
    for (uint32_t noc = 1; noc <= 4; noc *= 2) { /* half the GPU's clock, as fast, twice as fast */
        struct mh_config cfg = script_config(8, 1);
        cfg.clock.noc_hz = cfg.clock.gpu_hz / 2 * noc;
        cfg.l2.ports = 1;
        cfg.l2.mshrs = 1;
        LOCAL_GPU(g) = sleeping_gpu(&cfg);
        uint32_t line = bank_line(g, 0, 3, 0);
        const struct mh_counters *c = &g->tenant[0].count;
        send_read(g, 0, line);
        mh_gpu_advance(g, 12);
        send_read(g, 1, bank_line(g, 0, 3, 1));
        mh_gpu_advance(g, 24);
        for (uint32_t sm = 2; sm < 8; sm++)
            send_read(g, sm, line);
        assert_int_equal(c->l2_access, 1);
        while (c->l2_access == 1)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        uint64_t first = mh_gpu_now(g);
        while (c->l2_access < 8)
            mh_gpu_advance(g, mh_gpu_now(g) + 1);
        static const uint64_t want[] = {[1] = 6 * 2, [2] = 6, [4] = 7 / 2};
        assert_int_equal(mh_gpu_now(g) - first, want[noc]);
        assert_int_equal(c->l2_hit, 6);
    }
}

/* Preset `mask`: latency 8; a line is a header flit and four of 32 bytes. */
enum { LATENCY = 8, REPLY_FLITS = 5, MOST = 64 };

/* From a bank to an SM, ready at a cycle; all cycles from the first on. */
struct sent {
    uint32_t bank, sm;
    uint64_t ready;
};

/* The cycle at which reply `i` has arrived with its last flit; the L1D has the line two cycles later. */
static void replies(uint32_t ports, uint32_t count, const struct sent *reply, uint64_t *at)
{
    struct mh_gpu *g = wired_gpu(4, ports);
    uint64_t start = mh_gpu_now(g) + 10;
    uint32_t line[MOST];
    for (uint32_t i = 0; i < count; i++) {
        line[i] = bank_line(g, 0, reply[i].bank, i);
        uint32_t id = looked_up(g, read_of(g, reply[i].sm, line[i]));
        mh_noc_reply(g, reply[i].bank, id, start + reply[i].ready);
        at[i] = 0;
    }
    for (uint32_t left = count; left; mh_gpu_advance(g, mh_gpu_now(g) + 1))
        for (uint32_t i = 0; i < count; i++)
            if (!at[i] && mh_index_find(&g->sm[reply[i].sm].l1_index, line[i]) < 0) {
                at[i] = mh_gpu_now(g) - start - (1 + 1);
                left--;
            }
    assert_int_equal(g->tenant[0].count.reply_flits, count * REPLY_FLITS);
    script_end(g);
}

static void assert_replies(uint32_t ports, uint32_t count, const struct sent *reply, const uint64_t *want)
{
    uint64_t at[MOST];
    replies(ports, count, reply, at);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(at[i], want[i]);
}

TEST(test_replies)
{
    static const struct sent reply[] = {
        {0, 0, 0},   /* alone: the head at 8, four flits behind it */
        {1, 0, 0},   /* another bank, the same SM: behind the first on the SM's wire */
        {0, 1, 0},   /* the same bank, another SM: on the bank's second wire */
        {0, 2, 0},   /* the third of that bank leaves when a wire is free, at 5 */
        {2, 3, 0},   /* another bank, another SM: alone */
        {0, 0, 100}, /* later, when the wires are free again */
    };
    assert_replies(2, 6, reply, (uint64_t[]){12, 17, 12, 17, 12, 112});
}

/* Four lines of one bank at once, to four SMs: as many leave together as it has wires. */
TEST(test_wires_out_of_a_bank)
{
    static const struct sent reply[] = {{4, 0, 0}, {4, 1, 0}, {4, 2, 0}, {4, 3, 0}};
    assert_replies(1, 4, reply, (uint64_t[]){12, 17, 22, 27});
    assert_replies(2, 4, reply, (uint64_t[]){12, 12, 17, 17});
    assert_replies(3, 4, reply, (uint64_t[]){12, 12, 12, 17});
    assert_replies(4, 4, reply, (uint64_t[]){12, 12, 12, 12});
}

/*
 * Bank 0 has a line for SM 0, but its wires are busy until 10 with lines for others. What bank 1 sends meanwhile is at
 * SM 0's wire first and does not wait. Only what really is in the way delays: bank 1's line of cycle 7 is on the wire
 * at 15..19, when the head of bank 0's comes at 18.
 */
TEST(test_busy_bank_holds_no_place)
{
    for (uint32_t later = 0; later < 2; later++) {
        uint64_t ready = later ? 7 : 1, own = later ? 7 + 12 : 1 + 12, other = later ? 20 + 4 : 10 + 12;
        const struct sent one[] = {{0, 1, 0}, {0, 2, 0}, {0, 0, 0}, {1, 0, ready}};
        assert_replies(1, 4, one, (uint64_t[]){12, 17, other, own});
        const struct sent two[] = {{0, 1, 0}, {0, 2, 0}, {0, 3, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, ready}};
        assert_replies(2, 6, two, (uint64_t[]){12, 12, 17, 17, other, own});
    }
}

/* First flit of what would come next at a walkers' port, after two entries have left bank 3 for `port` and `other`. */
static uint64_t two_entries(uint32_t ports, uint32_t port, uint32_t other)
{
    LOCAL_GPU(g) = wired_gpu(1, ports);
    uint64_t start = mh_gpu_now(g) + 10;
    for (uint32_t i = 0; i < 2; i++) {
        struct mh_req r = request_of(g, 0, MH_REQ_PTE, bank_line(g, 0, 3, i));
        r.port = (uint16_t)(1 + (i ? other : port));
        mh_noc_reply(g, 3, looked_up(g, r), start);
    }
    mh_gpu_advance(g, start + LATENCY); /* both have left, none has arrived: no walk waits for them */
    assert_int_equal(g->noc->live, 0);
    uint64_t free_at = g->noc->port[1 + other].eject_free - start;
    return free_at;
}

/* A page table entry is a header and one flit. */
TEST(test_page_table_entries)
{
    assert_int_equal(two_entries(1, 0, 1), 2 + LATENCY + 2); /* behind the first on the bank's wire */
    assert_int_equal(two_entries(2, 0, 1), LATENCY + 2);     /* on its other wire */
    assert_int_equal(two_entries(2, 1, 1), LATENCY + 4);     /* on one wire of the port after all */
}
