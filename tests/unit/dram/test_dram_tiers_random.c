/*
 * Golden, silver and normal queue under random traffic of three tenants that switches them on and off: every command
 * keeps its timing (tests/dram_check.h), every request is served once, higher tiers do not wait for lower ones, and
 * each read waits in the queue in which it has to.
 */
#include "unit/test.h"
#include "dram/channel.h"
#include "dram_check.h"
#include "dram_fixture.h"
#include "dram_queues.h"
#include "memhelm/config_file.h"

struct run {
    struct mh_dram *d;
    struct mh_dram_cfg cfg;
    struct mh_dram_map map;
    struct dram_check check;
    struct dram_queues q;
    uint64_t rng, now, next, served, golden_served, lower_served;
    uint32_t latency[2], span;
    bool exact; /* the order of tiers is checked, too */
};

/* Could a read of that request have been issued at `cycle`, after what has been issued before? */
static bool possible(const struct run *r, uint64_t cycle, const struct dram_shadow *s)
{
    const struct dram_check_bank *b = &r->check.bank[s->bank];

    if (s->arrival > cycle || !b->open || b->row != s->row)
        return false;
    struct dram_check after = r->check;

    dram_check_command(&after, cycle, MH_DRAM_RD, s->bank, s->row);
    return !after.violation[0];
}

static bool golden_in_bank(const struct run *r, uint64_t cycle, uint32_t bank)
{
    for (uint32_t i = 0; i < r->q.of[GOLDEN].count; i++) {
        const struct dram_shadow *s = &r->q.shadow[r->q.of[GOLDEN].tag[i]];

        if (s->bank == bank && s->arrival <= cycle)
            return true;
    }
    return false;
}

/*
 * A request of a lower tier has had its first column command at `cycle`. Silver waits for the gap that its rank leaves
 * for a golden request of another one, so it is looked at in channels of one rank.
 */
static void check_order(const struct run *r, uint64_t cycle, const struct dram_shadow *s)
{
    if (r->q.of[GOLDEN].count && possible(r, cycle, &r->q.shadow[r->q.of[GOLDEN].tag[0]]))
        fail_msg("cycle %llu: a golden read could have been issued", (unsigned long long)cycle);
    assert_false(golden_in_bank(r, cycle, s->bank));
    if (s->tier == SILVER || s->write || r->cfg.ranks > 1)
        return;
    for (uint32_t i = 0; i < r->q.of[SILVER].count; i++) {
        const struct dram_shadow *silver = &r->q.shadow[r->q.of[SILVER].tag[i]];

        if (!golden_in_bank(r, cycle, silver->bank) && possible(r, cycle, silver))
            fail_msg("cycle %llu: a silver read could have been issued", (unsigned long long)cycle);
        assert_false(silver->bank == s->bank && silver->arrival <= cycle);
    }
}

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;
    struct dram_shadow *s = &r->q.shadow[tag];

    dram_queues_insert(&r->q, r->d->inbox_count);
    r->served++;
    s->served++;
    if (s->tier == GOLDEN)
        assert_int_equal(r->q.of[GOLDEN].tag[0], tag); /* in order of arrival */
    dram_queues_take(&r->q, tag);
    *(s->tier == GOLDEN ? &r->golden_served : &r->lower_served) += 1;
    if (r->exact && s->tier != GOLDEN)
        check_order(r, finish - r->latency[s->write] - r->span, s);
    dram_queues_taken(&r->q, tag);
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;

    dram_check_command(&r->check, cycle, cmd, bank, row);
    if (cmd != MH_DRAM_ACT || !r->exact)
        return;
    for (uint32_t i = 0; i < r->q.of[GOLDEN].count; i++) { /* a row is opened for the oldest golden one of the bank */
        const struct dram_shadow *s = &r->q.shadow[r->q.of[GOLDEN].tag[i]];

        if (s->bank != bank || s->arrival > cycle)
            continue;
        assert_int_equal(s->row, row);
        return;
    }
}

/* A few hot rows among many, walks, writes, and a tenant that has half of the data. */
static struct mh_dram_request draw(struct run *r, uint32_t tag)
{
    struct mh_dram_request req = {.tag = tag};

    dram_scattered(&r->rng, 0, &req);
    if (random_next(&r->rng) % 2)
        req.addr %= 64 * r->cfg.row_bytes;
    req.walk = random_next(&r->rng) % 6 == 0;
    req.write = !req.walk && random_next(&r->rng) % 4 == 0;
    req.tenant = (uint8_t)(random_next(&r->rng) % 4 % 3);
    return req;
}

static enum tier tier_of(const struct run *r, uint32_t tag)
{
    static const char *const names[] = {"golden queue", "silver queue", "normal queue", "queue"};
    const char *queue = mh_dram_holds(r->d, tag);
    enum tier t = GOLDEN;

    assert_non_null(queue);
    while (strcmp(queue, names[t]))
        t++;
    return t;
}

static void push(struct run *r, const struct mh_dram_request *req)
{
    struct dram_shadow *s = &r->q.shadow[req->tag];
    enum tier expected = dram_queues_enters(&r->q, req);

    s->arrival = r->now;
    s->tenant = req->tenant;
    s->row = mh_dram_map_row(&r->map, req->addr);
    s->bank = mh_dram_map_bank(&r->map, req->addr, s->row);
    s->write = req->write;
    r->next = mh_dram_push(r->d, r->now, req);
    s->tier = (uint8_t)(req->write ? r->q.apart ? NORMAL : ONE_QUEUE : tier_of(r, req->tag));
    if (r->q.apart && !req->write)
        s->tier = (uint8_t)expected; /* at its insertion it may have moved up */
    dram_queues_pushed(&r->q, req);
    dram_queues_insert(&r->q, r->d->inbox_count);
    if (!req->write && s->tier != ONE_QUEUE)
        assert_int_equal(tier_of(r, req->tag), s->tier);
}

/* Each read is where the rules have it. */
static void check_places(const struct run *r)
{
    for (enum tier t = GOLDEN; t < NORMAL; t++)
        for (uint32_t i = 0; i < r->q.of[t].count; i++)
            assert_int_equal(tier_of(r, r->q.of[t].tag[i]), t);
    for (uint32_t t = 0; t < DRAM_QUEUES_TENANTS; t++)
        for (uint32_t i = 0; i < r->q.data[t].count; i++)
            assert_true(tier_of(r, r->q.data[t].tag[i]) >= NORMAL);
}

static void switch_at_random(struct run *r)
{
    uint32_t thresh[MH_MAX_TENANTS] = {0};
    uint64_t dice = random_next(&r->rng);

    if (dice % 32 == 0) {
        for (uint32_t t = 0; t < DRAM_QUEUES_TENANTS; t++)
            thresh[t] = (uint32_t)(random_next(&r->rng) % 40 % 30);
        mh_dram_set_turns(r->d, thresh);
        memcpy(r->q.turn.thresh, thresh, sizeof thresh);
        mh_turn_pass(&r->q.turn);
    }
    if (dice / 32 % 1024 == 0) {
        mh_dram_step(r->d, r->now);
        dram_queues_insert(&r->q, r->d->inbox_count);
        dram_queues_switch(&r->q, !r->q.apart);
        r->next = mh_dram_set_queues(r->d, r->now++, r->q.apart); /* commands of that cycle are out */
    }
}

static void drive(struct run *r, uint32_t count)
{
    uint32_t pushed = 0;

    r->q.apart = true;
    r->next = mh_dram_set_queues(r->d, 0, true);
    while (pushed < count || mh_dram_waiting(r->d)) {
        uint64_t burst = random_next(&r->rng) % (random_next(&r->rng) % 8 ? 6 : 300);

        switch_at_random(r);
        assert_true(mh_dram_check(r->d));
        while (burst-- && pushed < count) {
            struct mh_dram_request req = draw(r, pushed);

            if (!mh_dram_takes(r->d, req.write ? NULL : &req, req.write))
                break;
            push(r, &req);
            pushed++;
        }
        uint64_t late = random_next(&r->rng) % 3;
        r->next = mh_dram_step(r->d, r->now);
        dram_queues_insert(&r->q, r->d->inbox_count);
        if (random_next(&r->rng) % 16 == 0)
            check_places(r);
        r->now = r->next == MH_DRAM_NEVER || r->next < r->now ? r->now + 1 + late * 50 : r->next + late;
    }
    mh_dram_step(r->d, r->now + 10000); /* the last commands are told */
}

static uint64_t run(struct mh_dram_cfg cfg, uint64_t seed, uint32_t count, bool exact)
{
    struct run r = {.cfg = cfg, .rng = seed, .next = MH_DRAM_NEVER, .exact = exact, .q.places = cfg.silver};
    struct mh_dram_hooks hooks = {&r, done, command};
    uint32_t columns = MH_LINE_BYTES / (cfg.bus_bytes * cfg.burst),
             bl = (cfg.burst + cfg.data_rate - 1) / cfg.data_rate;
    uint32_t stride = cfg.ccd > bl ? cfg.ccd : bl;

    if (cfg.ccd_l > stride)
        stride = cfg.ccd_l;
    r.span = cfg.groups > 1 || columns < 2 ? 0 : (columns - 1) * stride;
    r.latency[0] = cfg.cl + bl;
    r.latency[1] = cfg.cwl + bl;
    r.q.moves = cfg.silver_moves;
    dram_check_init(&r.check, &cfg);
    r.q.shadow = calloc(count, sizeof *r.q.shadow);
    r.d = mh_dram_create(&cfg, &hooks);
    assert_non_null(r.d);
    assert_int_equal(mh_dram_map_init(&r.map, &cfg, NULL), 0);
    drive(&r, count);
    assert_string_equal(r.check.violation, "");
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(r.q.shadow[i].served, 1);
    assert_true(r.golden_served && r.lower_served && !r.q.moved == !cfg.silver_moves);
    mh_dram_set_queues(r.d, r.now + 10000, false);
    assert_int_equal(mh_dram_free(r.d), cfg.queue);
    uint64_t commands = 0;
    for (int i = 0; i <= MH_DRAM_REFB; i++)
        commands += r.check.count[i];
    mh_dram_destroy(r.d);
    free(r.q.shadow);
    return commands;
}

static struct mh_dram_cfg tiered(struct mh_dram_cfg cfg)
{
    cfg.golden = 16;
    cfg.silver = 64;
    cfg.normal = 192;
    cfg.silver_moves = 1;
    return cfg;
}

/* The order of tiers needs refreshes of all banks at once: a bank that is due for its own serves no request. */
TEST(test_higher_tiers_do_not_wait)
{
    uint64_t commands = run(tiered(mask_dram), 1, 120000, true);
    struct mh_dram_cfg small = tiered(mask_dram);
    small.golden = 3;
    small.silver = 5;
    small.normal = 16;
    small.queue = 12;
    small.write_high = 8;
    small.write_low = 2;
    commands += run(small, 2, 60000, true);
    small.silver_moves = 0;
    commands += run(small, 9, 60000, true);
    small.silver_moves = 1;
    small.rows = MH_ROWS_CLOSED;
    commands += run(small, 3, 60000, true);
    struct mh_dram_cfg odd = tiered(mask_dram); /* 2 ranks x 4 groups x 4 banks */
    odd.banks = 16;
    odd.ranks = 2;
    odd.groups = 4;
    odd.ccd_l = 4;
    odd.rrd_l = 17;
    odd.wtr_l = 14;
    odd.rank_gap = 5;
    commands += run(odd, 4, 60000, true);
    struct mh_dram_cfg narrow = tiered(mask_dram); /* 8 commands a line: activates are scarcer than the data bus */
    narrow.bus_bytes = 2;
    narrow.ccd = 2;
    narrow.rrd = 20;
    narrow.faw = 80;
    commands += run(narrow, 5, 40000, true);
    assert_true(commands > 1000000);
}

/*
 * The commands of a line, of which there are more than two, are decided at once, and may start a cycle later than that
 * for an ACT: a request that could have gone only in that cycle was not looked at (dram/command.c).
 */
static bool starts_late(const struct mh_dram_cfg *cfg)
{
    return cfg->groups < 2 && MH_LINE_BYTES > 2 * cfg->bus_bytes * cfg->burst;
}

TEST(test_standards)
{
    for (const char *const *name = mh_dram_preset_names(); *name; name++) {
        struct mh_config c = {0};
        struct mh_error err;

        assert_int_equal(mh_config_dram_preset(&c, *name, &err), 0);
        bool exact = !c.dram.rfc_bank && !starts_late(&c.dram);
        run(c.dram, 6, 60000, exact);
        c.dram.rows = MH_ROWS_CLOSED;
        run(c.dram, 7, 60000, exact);
    }
}

TEST(test_bank_refresh)
{
    struct mh_dram_cfg cfg = tiered(mask_dram);
    cfg.rfc_bank = 90;
    cfg.rrefd = 20;
    cfg.refi = 4001;
    run(cfg, 8, 60000, false);
}

TEST_GROUP(.slow = true);
