/* Walkers with queues of their own: arrival, completion, DWS++'s thresholds, owners, by hand. */
#include "unit/test.h"
#include "walk_fixture.h"

static void begin_walks(struct mh_gpu *g, uint32_t tenant, uint32_t count)
{
    static uint32_t page;
    while (count--)
        begin_walk(g, tenant, page++ % BUFFER_PAGES);
}

/* The own walker with most free slots, the lowest of equals; full is full for this tenant alone. */
TEST(test_arrivals)
{
    static const char *const after[] = {"0000", "0000", "1000", "1100", "2100", "2200"};
    struct mh_gpu *g = steal_gpu(2, 4, 2, MH_STEAL_NEVER);
    for (uint32_t i = 0; i < 6; i++) {
        assert_true(mh_walk_room(g, 0));
        begin_walks(g, 0, 1);
        assert_string_equal(lengths(g), after[i]);
        assert_string_equal(running(g), i ? "00.." : "0...");
    }
    assert_false(mh_walk_room(g, 0));
    assert_true(mh_walk_room(g, 1));
    begin_walks(g, 1, 1);
    assert_string_equal(running(g), "001.");
    until_walks(g, 7);
    assert_int_equal(g->tenant[0].count.walks_stolen + g->tenant[0].count.walks_foreign, 0);
    script_end(g);
}

/* Without an idle walker of its own a walk takes a foreign one, if its owner has nothing queued. */
TEST(test_arrival_steals)
{
    struct mh_gpu *g = steal_gpu(2, 4, 2, MH_STEAL_DWS);
    begin_walks(g, 0, 3);
    assert_string_equal(running(g), "000.");
    begin_walks(g, 1, 1);
    assert_string_equal(running(g), "0001");
    begin_walks(g, 1, 1);
    assert_string_equal(lengths(g), "0010");
    begin_walks(g, 0, 1);
    assert_string_equal(lengths(g), "1010");
    until_walks(g, 6);
    assert_int_equal(g->tenant[0].count.walks_stolen, 0); /* it did not wait in a queue */
    assert_int_equal(g->tenant[1].count.walks_stolen, 1); /* by walker 1, before walker 2 has ended what it took */
    assert_int_equal(g->tenant[0].count.walks_foreign, 0);
    assert_int_equal(g->tenant[1].count.walks_foreign, 1); /* that one */
    script_end(g);
}

enum { TABLE = 4 };

/*
 * One walker each, all page table lines in the L2. Tenant 0's second walk takes tenant 1's walker a cycle later; tenant
 * 1's waits for it, and for nothing else. Each way into a queue, past it, and out of it costs the tables' latency.
 */
TEST(test_table_latency)
{
    LOCAL_GPU(g) = steal_gpu(2, 2, 4, MH_STEAL_DWS);
    assert_int_equal(g->cfg.walk.table_latency, TABLE);
    begin_walk(g, 0, 8);
    begin_walk(g, 1, 8);
    uint64_t now = until_walks(g, 2);
    for (uint32_t i = 0; i < 4; i++) {
        begin_walk(g, i == 2, i);
        mh_gpu_advance(g, now + i + 1);
    }
    assert_string_equal(running(g), "00");
    assert_string_equal(lengths(g), "11");
    assert_int_equal(until_walks(g, 3), now + TABLE + WALK);
    assert_int_equal(until_walks(g, 4), now + 1 + TABLE + WALK);
    assert_string_equal(running(g), "01");
    assert_int_equal(until_walks(g, 5), now + TABLE + WALK + TABLE + WALK);
    assert_int_equal(until_walks(g, 6), now + 1 + TABLE + WALK + TABLE + WALK);
    assert_int_equal(g->tenant[0].count.walks_stolen, 0);
    assert_int_equal(g->tenant[1].count.walks_foreign, 1);
    assert_int_equal(g->tenant[0].count.walks_foreign, 0);
}

/* Queue lengths as digits, whosever walks they are: each queue is filled while its owner has no other. */
static void fill_queues(struct mh_gpu *g, const char *want)
{
    uint8_t owner[MH_MAX_WALKER_QUEUES];
    memcpy(owner, g->steal->owner, sizeof owner);
    for (uint32_t w = 0; want[w]; w++) {
        for (uint32_t k = 0; k < g->steal->walkers; k++)
            g->knobs.walker_owner[k] = k == w ? owner[w] : (owner[w] + 1) % g->tenants;
        mh_steal_set_owners(g);
        for (char n = '0'; n < want[w]; n++) {
            uint32_t id = g->l2tlb->free_walk;
            g->l2tlb->free_walk = g->l2tlb->walk[id].next_free;
            g->l2tlb->walk[id] =
                (struct mh_walk){.tenant = owner[w], .record = mh_instruction_walk(g, id, owner[w], 0)};
            mh_steal_enter(g, id);
            mh_order_arrived(g, id);
        }
    }
    for (uint32_t k = 0; k < g->steal->walkers; k++)
        g->knobs.walker_owner[k] = owner[k];
    mh_steal_set_owners(g);
    assert_string_equal(lengths(g), want);
}

struct rule {
    const char *name, *owners, *queues;
    uint32_t steal, last_stolen, queue_thres, diff_thres;
    uint32_t pending[3];
    uint32_t from; /* queue that walker 0, which is tenant 0's, takes from; MH_NO_WALKER: none */
};

/* Queues of 12; a tenant with two walkers owns 24 entries, so that 500 thousandths are 12 walks. */
static const struct rule rules[] = {
    {"static: own queue", "0011", "1099", 0, 0, 6, 0, {1, 18, 0}, 0},
    {"static: another of the owner's", "0011", "0199", 0, 0, 6, 0, {1, 18, 0}, 1},
    {"static: nobody else's", "0011", "0099", 0, 0, 6, 0, {0, 18, 0}, MH_NO_WALKER},
    {"the longest of the owner's", "0001", "0230", 0, 0, 6, 0, {5, 0, 0}, 2},
    {"the lowest of equals", "0001", "0330", 0, 0, 6, 0, {6, 0, 0}, 1},
    {"DWS: own queue", "0011", "1099", 1, 0, 6, 0, {1, 18, 0}, 0},
    {"DWS: another of the owner's", "0011", "0199", 1, 0, 6, 0, {1, 18, 0}, 1},
    {"DWS: steals the longest", "0011", "0058", 1, 0, 6, 0, {0, 13, 0}, 3},
    {"DWS: steals again", "0011", "0058", 1, 1, 6, 0, {0, 13, 0}, 3},
    {"DWS: nobody has any", "0011", "0000", 1, 0, 6, 0, {0, 2, 0}, MH_NO_WALKER},
    {"DWS: most pending, though fewer queued", "0012", "0093", 1, 0, 6, 0, {0, 9, 10}, 3},
    {"DWS: most pending, but nothing queued", "0012", "0030", 1, 0, 6, 0, {0, 9, 10}, 2},
    {"DWS: the lowest tenant of equals", "0012", "0055", 1, 0, 6, 0, {0, 9, 9}, 2},
    {"DWS++: below the difference", "0011", "1199", 2, 0, 6, 500, {4, 15, 0}, 0},
    {"DWS++: at the difference: not above", "0011", "1199", 2, 0, 6, 500, {4, 16, 0}, 0},
    {"DWS++: above the difference", "0011", "1189", 2, 0, 6, 500, {4, 17, 0}, 3},
    {"DWS++: 0.4 of 24: 9 is below", "0011", "1189", 2, 0, 6, 400, {4, 13, 0}, 0},
    {"DWS++: 0.4 of 24: 10 is above", "0011", "1189", 2, 0, 6, 400, {4, 14, 0}, 3},
    {"DWS++: an owner of one walker has 12 entries", "0111", "1189", 2, 0, 6, 500, {4, 10, 0}, 0},
    {"DWS++: and steals from 7 more on", "0111", "1189", 2, 0, 6, 500, {4, 11, 0}, 3},
    {"DWS++: no difference", "0011", "1189", 2, 0, 6, 0, {17, 17, 0}, 0},
    {"DWS++: any difference", "0011", "1189", 2, 0, 6, 0, {17, 18, 0}, 3},
    {"DWS++: fewer than the owner", "0011", "1189", 2, 0, 6, 0, {18, 17, 0}, 0},
    {"DWS++: never", "0011", "1189", 2, 0, 6, MH_DIFF_NEVER, {1, 60000, 0}, 0},
    {"DWS++: the largest that is not never", "0011", "1189", 2, 0, 6, 65534, {1, 1574, 0}, 3},
    {"DWS++: and just not", "0011", "1189", 2, 0, 6, 65534, {1, 1573, 0}, 0},
    {"DWS++: own queue below its threshold", "0011", "5199", 2, 0, 6, 500, {6, 40, 0}, 2},
    {"DWS++: own queue at its threshold", "0011", "6199", 2, 0, 6, 500, {7, 40, 0}, 2},
    {"DWS++: own queue above its threshold", "0011", "7199", 2, 0, 6, 500, {8, 40, 0}, 0},
    {"DWS++: threshold 0, own queue empty", "0011", "0199", 2, 0, 0, 500, {1, 40, 0}, 2},
    {"DWS++: threshold 0, own queue not empty", "0011", "1199", 2, 0, 0, 500, {1, 40, 0}, 0},
    {"DWS++: not twice", "0011", "1199", 2, 1, 6, 500, {1, 40, 0}, 0},
    {"DWS++: twice if the owner has none queued", "0011", "0099", 2, 1, 6, 500, {1, 2, 0}, 2},
    {"DWS++: without walks of the owner no threshold counts", "0011", "0018", 2, 0, 0, MH_DIFF_NEVER, {0, 9, 0}, 3},
    {"DWS++: nothing to steal", "0011", "1100", 2, 0, 6, 0, {2, 60, 0}, 0},
    {"DWS++: against the largest of three", "0012", "1135", 2, 0, 6, 500, {1, 3, 14}, 3},
    {"DWS++: the largest has nothing queued", "0012", "1130", 2, 0, 6, 500, {1, 3, 14}, 0},
};

/* The walk that leaves is the head of its queue, and the counts follow. */
static void check_rule(const struct rule *r)
{
    LOCAL_GPU(g) = steal_gpu(3, 4, 12, r->steal);
    set_owners(g, r->owners);
    fill_queues(g, r->queues);
    g->knobs.queue_thres = r->queue_thres;
    for (uint32_t t = 0; t < 3; t++) {
        g->knobs.diff_thres[t] = t ? MH_DIFF_NEVER : r->diff_thres; /* the owner's counts */
        g->tenant[t].count.walks_live = r->pending[t];
    }
    g->steal->serves[0] = (uint8_t)r->last_stolen; /* tenant 1's, or its owner's */
    uint64_t foreign = g->tenant[0].count.walks_foreign;
    uint32_t queued = g->steal->queued;
    uint32_t head = r->from == MH_NO_WALKER ? MH_NO_WALK : g->steal->queue[r->from].oldest;
    uint32_t got = mh_steal_next(g, 0);
    if (got != head)
        fail_msg("%s: walk %d, expected %d of queue %u", r->name, (int)got, (int)head, r->from);
    assert_int_equal(g->steal->queued, queued - (got != MH_NO_WALK));
    assert_int_equal(mh_walker_set_has(&g->steal->idle, 0), got == MH_NO_WALK);
    if (got != MH_NO_WALK) {
        assert_int_equal(g->l2tlb->walk[got].walker, 0);
        assert_int_equal(g->steal->serves[0], g->l2tlb->walk[got].tenant);
        bool stolen = g->l2tlb->walk[got].tenant != 0;
        assert_int_equal(g->tenant[g->l2tlb->walk[got].tenant].count.walks_stolen, stolen);
        assert_int_equal(g->tenant[0].count.walks_foreign - foreign, stolen ? r->queues[0] - '0' : 0);
    }
    g->ended = true; /* nothing adds up here */
}

TEST(test_completions)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        check_rule(&rules[i]);
}

/* What is queued stays where it is and is served there; an idle walker finds its new owner's queues. */
TEST(test_new_owners)
{
    struct mh_gpu *g = steal_gpu(2, 4, 4, MH_STEAL_NEVER);
    begin_walks(g, 0, 6);
    assert_string_equal(running(g), "00..");
    assert_string_equal(lengths(g), "2200");
    set_owners(g, "1100");
    assert_string_equal(lengths(g), "2200"); /* of walkers that now are tenant 1's */
    assert_string_equal(running(g), "00..");
    begin_walks(g, 0, 1);
    assert_string_equal(running(g), "000.");
    begin_walks(g, 1, 1);
    assert_string_equal(lengths(g), "3200");
    set_owners(g, "1101"); /* walker 3 is the owner's of those queues now, and idle */
    assert_string_equal(running(g), "0000");
    assert_string_equal(lengths(g), "2200");
    until_walks(g, 8);
    assert_int_equal(g->tenant[0].count.walks, 7);
    assert_int_equal(g->tenant[1].count.walks, 1);
    script_end(g);
}

/* A tenant that owns no walker uses all of them, and no walk waits for ever. */
TEST(test_tenant_without_walkers)
{
    for (uint32_t steal = 0; steal <= MH_STEAL_DWSPP; steal++) {
        struct mh_gpu *g = steal_gpu(2, 4, 2, steal);
        set_owners(g, "0000");
        assert_int_equal(script_read(g, MH_REG_COMMIT_STATUS), 0);
        begin_walks(g, 1, 12);
        assert_string_equal(running(g), "1111");
        assert_string_equal(lengths(g), "2222");
        assert_false(mh_walk_room(g, 0));
        until_walks(g, 12);
        assert_int_equal(g->tenant[1].count.walks_stolen, 8); /* all but the four that found a walker idle */
        assert_int_equal(g->tenant[1].count.walks_foreign, 0);
        script_end(g);
    }
}

/* Begun in one queue, divided, put together again: in order of arrival, and none is lost. */
TEST(test_one_queue_and_back)
{
    struct mh_gpu *g = steal_gpu(2, 2, 4, MH_STEAL_NEVER);
    uint32_t id[8];
    script_knob(g, MH_REG_WALK_QUEUES, 0);
    for (uint32_t i = 0; i < 8; i++) {
        id[i] = begin_walk(g, i % 4 == 0, i); /* 1 0 0 0 1 0 0 0 */
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    assert_int_equal(g->walkers[0].waiting.count, 6);
    script_knob(g, MH_REG_WALK_QUEUES, 1);
    assert_string_equal(running(g), "10"); /* in the order of their MSHRs */
    assert_string_equal(lengths(g), "51"); /* five, where four have room */
    assert_int_equal(g->walkers[0].waiting.count, 0);
    assert_false(mh_walk_room(g, 0));
    script_knob(g, MH_REG_WALK_QUEUES, 0);
    assert_int_equal(g->steal->queued, 0);
    uint32_t next = g->walkers[0].waiting.oldest;
    for (uint32_t i = 2; i < 8; i++, next = g->l2tlb->walk[next].younger)
        assert_int_equal(next, id[i]);
    assert_int_equal(next, MH_NO_WALK);
    until_walks(g, 8);
    script_end(g);
}

/* Idle walkers of a static partition take from the one queue at once. */
TEST(test_to_one_queue_wakes)
{
    LOCAL_GPU(g) = steal_gpu(2, 2, 4, MH_STEAL_NEVER);
    begin_walks(g, 0, 3);
    assert_string_equal(running(g), "0.");
    script_knob(g, MH_REG_WALK_QUEUES, 0);
    assert_int_equal(g->walkers[0].waiting.count, 1);
    assert_int_equal(g->walkers[0].idle, 0);
    until_walks(g, 3);
}

/* So do they steal at once when they may. */
TEST(test_stealing_wakes)
{
    LOCAL_GPU(g) = steal_gpu(2, 2, 4, MH_STEAL_NEVER);
    begin_walks(g, 0, 3);
    script_knob(g, MH_REG_WALK_STEAL, MH_STEAL_DWS);
    assert_string_equal(running(g), "00");
    assert_string_equal(lengths(g), "10");
    until_walks(g, 3);
    assert_int_equal(g->tenant[0].count.walks_stolen, 1);
}

/* One queue: those of the other tenant that an arrival finds in it, not the one that has the walker. */
TEST(test_foreign_in_one_queue)
{
    struct mh_config cfg = script_config(2, 2);
    cfg.walk.walkers = 1;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    begin_walk(g, 0, 0);
    begin_walk(g, 1, 0); /* finds the queue empty */
    begin_walk(g, 0, 1); /* finds tenant 1's */
    begin_walk(g, 1, 1); /* finds one of each */
    until_walks(g, 4);
    assert_int_equal(g->tenant[0].count.walks_foreign, 1);
    assert_int_equal(g->tenant[1].count.walks_foreign, 1);
    assert_int_equal(g->tenant[0].count.walks_stolen, 0);
}

/* The third walk ends the epoch, of whichever tenant; the next one starts with it. */
TEST(test_walk_epochs)
{
    LOCAL_GPU(g) = steal_gpu(2, 4, 4, MH_STEAL_NEVER);
    script_knob(g, MH_REG_WALK_EPOCH, 3);
    begin_walks(g, 0, 1);
    begin_walks(g, 1, 1);
    assert_int_equal(script_read(g, MH_REG_IRQ_PENDING), 0);
    assert_int_equal(script_read(g, MH_REG_WALK_EPOCHS), 0);
    begin_walks(g, 1, 1);
    assert_int_equal(script_read(g, MH_REG_IRQ_PENDING), MH_IRQ_WALK_EPOCH);
    assert_int_equal(script_read(g, MH_REG_WALK_ENQ), 1);
    assert_int_equal(script_read(g, MH_REG_WALK_ENQ + MH_REG_WALK_ENQ_STRIDE), 2);
    script_write(g, MH_REG_COMMIT, 1); /* the same length: the epoch goes on */
    begin_walks(g, 0, 2);
    assert_int_equal(script_read(g, MH_REG_WALK_EPOCHS), 1);
    assert_int_equal(script_read(g, MH_REG_WALK_ENQ), 1);
    begin_walks(g, 0, 1);
    assert_int_equal(script_read(g, MH_REG_WALK_EPOCHS), 2);
    assert_int_equal(script_read(g, MH_REG_WALK_ENQ), 3);
    script_knob(g, MH_REG_WALK_EPOCH, 0);
    begin_walks(g, 0, 3);
    assert_int_equal(script_read(g, MH_REG_WALK_EPOCHS), 2);
}

static void check_refused(const struct mh_config *cfg)
{
    LOCAL_GPU(g) = sleeping_gpu(cfg);
    uint32_t value;
    assert_false(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_WALK_QUEUES);
    assert_int_equal(mh_gpu_read(g, MH_REG_WALKER_OWNER, 4, &value), MH_ACCESS_ERROR);
    script_refused(g, MH_REG_WALK_QUEUES, 1);
}

/* 128 walkers can, 129 cannot; nor can one for two tenants, four with three places, or walkers of their own. */
TEST(test_gpus_without_queues)
{
    struct mh_config base, cfg;
    base = script_config(2, 2);
    cfg = base;
    cfg.walk.walkers = 128;
    struct mh_gpu *g = sleeping_gpu(&cfg);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_WALK_QUEUES);
    assert_int_equal(script_read(g, MH_REG_WALKER_OWNER + 127 * MH_REG_WALKER_OWNER_STRIDE), 1);
    mh_gpu_destroy(g);
    cfg.walk.walkers = 129;
    cfg.walk.buffer = 129;
    check_refused(&cfg);
    cfg = base;
    cfg.walk.walkers = 1;
    check_refused(&cfg);
    cfg.walk.walkers = 4;
    cfg.walk.buffer = 3;
    check_refused(&cfg);
    cfg = base;
    cfg.walk.private = 1;
    check_refused(&cfg);
}
