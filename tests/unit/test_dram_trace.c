/* The independent checker over long command traces of several traffics and timings; and that it finds violations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram_check.h"
#include "dram_fixture.h"

struct run {
    struct dram_check check;
    uint64_t served, rng;
    uint8_t *seen; /* by tag: times served */
    uint64_t now;
};

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;
    (void)finish, (void)row_hit;
    r->served++;
    r->seen[tag]++;
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;
    dram_check_command(&r->check, cycle, cmd, bank, row);
}

/* Lines of a few hot rows among random ones, one in three a write. */
static void mixed(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    if (dram_random(ctx) % 2)
        req->addr %= 64 * 2048;
    req->write = dram_random(ctx) % 3 == 0;
}

static void writes(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    req->write = 1;
}

static void push(struct run *r, struct mh_dram *d, dram_stream *stream, uint64_t i, uint64_t *next)
{
    struct mh_dram_request req = {0};
    stream(&r->rng, i, &req);
    req.tag = (uint32_t)i;
    *next = mh_dram_push(d, r->now, &req);
}

/* Bursts and pauses: the queue is full at times, empty at others; step() is called late, as another clock would. */
static void run(const struct mh_dram_cfg *cfg, dram_stream *stream, uint32_t count)
{
    struct run r = {.rng = 42, .seen = calloc(count, 1)};
    dram_check_init(&r.check, cfg);
    struct mh_dram_hooks hooks = {&r, done, command};
    struct mh_dram *d = mh_dram_create(cfg, &hooks);
    assert_non_null(d);
    uint64_t next = MH_DRAM_NEVER;
    for (uint64_t pushed = 0; r.served < count || next != MH_DRAM_NEVER;) {
        uint64_t burst = dram_random(&r.rng) % 300;
        for (; burst && pushed < count && mh_dram_free(d); burst--)
            push(&r, d, stream, pushed++, &next);
        uint64_t late = dram_random(&r.rng) % 3;
        r.now = next == MH_DRAM_NEVER || next + late < r.now ? r.now + 200 : next + late;
        next = mh_dram_step(d, r.now);
    }
    assert_string_equal(r.check.violation, "");
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(r.seen[i], 1);
    assert_int_equal(mh_dram_free(d), cfg->queue);
    uint32_t columns = MH_LINE_BYTES / (cfg->bus_bytes * cfg->burst);
    assert_int_equal(r.check.count[MH_DRAM_RD] + r.check.count[MH_DRAM_WR], (uint64_t)count * columns);
    if (cfg->refi) /* one each refi, but for those that an idle end leaves undone */
        assert_in_range(r.check.count[MH_DRAM_REF], r.now / cfg->refi - 1, r.now / cfg->refi);
    mh_dram_destroy(d);
    free(r.seen);
}

static void test_random_traffic(void **state)
{
    (void)state;
    run(&mask_dram, dram_scattered, 300000);
}

static void test_mixed_traffic(void **state)
{
    (void)state;
    run(&mask_dram, mixed, 400000);
}

static void test_writes(void **state)
{
    (void)state;
    run(&mask_dram, writes, 100000);
}

static void test_sequential(void **state)
{
    (void)state;
    run(&mask_dram, dram_sequential, 300000);
}

static void test_other_timings(void **state)
{
    (void)state;
    struct mh_dram_cfg one_slot = mask_dram; /* a line is one command, a command one cycle of data */
    one_slot.bus_bytes = 32;
    one_slot.burst = 4;
    one_slot.ccd = 1;
    run(&one_slot, mixed, 100000);
    struct mh_dram_cfg narrow = mask_dram; /* DDR3-like: 16 commands a line, 4 cycles of data each, few banks */
    narrow.bus_bytes = 1;
    narrow.data_rate = 2;
    narrow.ccd = 4;
    narrow.banks = 4;
    run(&narrow, mixed, 100000);
    struct mh_dram_cfg dense = mask_dram; /* four commands a line, in successive slots */
    dense.bus_bytes = 8;
    dense.burst = 4;
    dense.ccd = 1;
    dense.banks = 32;
    dense.rrd = 1;
    dense.faw = 4;
    dense.refi = 700;
    run(&dense, mixed, 100000);
    struct mh_dram_cfg long_rc = mask_dram;
    long_rc.rc = 90;
    run(&long_rc, mixed, 50000);
    struct mh_dram_cfg slow_bus = mask_dram; /* turnaround limits, one request at a time */
    slow_bus.rtrs = 40;
    slow_bus.wtr = 1;
    slow_bus.queue = 1;
    slow_bus.write_high = 1;
    slow_bus.write_low = 0;
    run(&slow_bus, mixed, 20000);
}

struct step {
    uint64_t cycle;
    enum mh_dram_command cmd;
    uint32_t bank, row;
};

static void assert_caught(const char *rule, const struct step *steps, int n)
{
    struct dram_check c;
    struct mh_dram_cfg cfg = mask_dram;
    cfg.rc = 80; /* longer than tRAS + tRP, and tFAW than 4 tRRD, so that each can be broken alone */
    cfg.faw = 50;
    dram_check_init(&c, &cfg);
    for (int i = 0; i < n - 1; i++)
        dram_check_command(&c, steps[i].cycle, steps[i].cmd, steps[i].bank, steps[i].row);
    assert_string_equal(c.violation, "");
    struct step last = steps[n - 1];
    struct dram_check good = c;
    dram_check_command(&c, last.cycle, last.cmd, last.bank, last.row);
    if (!strstr(c.violation, rule))
        fail_msg("%s: found \"%s\"", rule, c.violation);
    if (strncmp(rule, "t", 1) && strncmp(rule, "data", 4))
        return;
    dram_check_command(&good, last.cycle + 1, last.cmd, last.bank, last.row); /* one cycle later is right */
    assert_string_equal(good.violation, "");
}

#define CAUGHT(rule, ...)                                                                                              \
    do {                                                                                                               \
        static const struct step steps[] = {__VA_ARGS__};                                                              \
        assert_caught(rule, steps, sizeof steps / sizeof steps[0]);                                                    \
    } while (0)

#define ACT MH_DRAM_ACT
#define PRE MH_DRAM_PRE
#define RD  MH_DRAM_RD
#define WR  MH_DRAM_WR
#define REF MH_DRAM_REF

static void test_checker_catches(void **state)
{
    (void)state;
    CAUGHT("one command per cycle", {0, ACT, 0, 5}, {22, RD, 0, 5}, {22, PRE, 0, 5});
    CAUGHT("ACT of an open bank", {0, ACT, 0, 5}, {100, ACT, 0, 6});
    CAUGHT("PRE of a closed bank", {0, PRE, 0, 5});
    CAUGHT("not open", {0, ACT, 0, 5}, {30, RD, 0, 6});
    CAUGHT("not open", {0, ACT, 0, 5}, {30, RD, 1, 5});
    CAUGHT("REF with an open bank", {0, ACT, 7, 5}, {200, REF, 0, 0});
    CAUGHT("no such bank", {0, ACT, 8, 5});
    CAUGHT("tRCD", {0, ACT, 0, 5}, {21, RD, 0, 5});
    CAUGHT("tRAS", {0, ACT, 0, 5}, {50, PRE, 0, 5});
    CAUGHT("tRP", {0, ACT, 0, 5}, {60, PRE, 0, 5}, {81, ACT, 0, 6});
    CAUGHT("tRC", {0, ACT, 0, 5}, {51, PRE, 0, 5}, {79, ACT, 0, 6});
    CAUGHT("tRRD", {0, ACT, 0, 5}, {10, ACT, 1, 5});
    CAUGHT("tFAW", {0, ACT, 0, 5}, {11, ACT, 1, 5}, {22, ACT, 2, 5}, {33, ACT, 3, 5}, {49, ACT, 4, 5});
    CAUGHT("tRTP", {0, ACT, 0, 5}, {60, RD, 0, 5}, {63, PRE, 0, 5});
    CAUGHT("tWR", {0, ACT, 0, 5}, {60, WR, 0, 5}, {60 + 8 + 2 + 21, PRE, 0, 5});
    CAUGHT("tCCD after a read", {0, ACT, 0, 5}, {60, RD, 0, 5}, {61, RD, 0, 5});
    CAUGHT("tCCD after a write", {0, ACT, 0, 5}, {60, WR, 0, 5}, {61, WR, 0, 5});
    CAUGHT("data bus after a read", {0, ACT, 0, 5}, {60, RD, 0, 5}, {60 + 22 + 2 + 2 - 8 - 1, WR, 0, 5});
    CAUGHT("tWTR", {0, ACT, 0, 5}, {60, WR, 0, 5}, {60 + 8 + 2 + 9, RD, 0, 5});
    CAUGHT("tRFC to ACT", {0, REF, 0, 0}, {108, ACT, 0, 5});
    CAUGHT("tRFC to REF", {0, REF, 0, 0}, {108, REF, 0, 0});
    CAUGHT("tRP to REF", {0, ACT, 0, 5}, {60, PRE, 0, 5}, {81, REF, 0, 0});
    CAUGHT("tRC to REF", {0, ACT, 0, 5}, {51, PRE, 0, 5}, {79, REF, 0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_traffic), cmocka_unit_test(test_mixed_traffic),
        cmocka_unit_test(test_writes),         cmocka_unit_test(test_sequential),
        cmocka_unit_test(test_other_timings),  cmocka_unit_test(test_checker_catches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
