/* Shares of the sub-queues: places per tenant, and when they change. */
#include "unit/test.h"

#include "subqueues.h"

enum { ENTRIES = 16, ALL = 128, LEAVES = 4000, COMES = 6000 };

/* Nothing goes from interval 1 on, as a rate of 1/256 gives no whole credit before interval 256. */
static void hold(struct mh_gpu *g)
{
    for (uint32_t t = 0; t < g->tenants; t++)
        set_rate(g, t, 1);
    mh_gpu_advance(g, mh_gpu_now(g) + g->cfg.l1d.rate_interval);
}

/* Requests of the tenant that find a place; which line they are of does not matter. */
static uint32_t fill(struct mh_gpu *g, uint32_t sm, uint32_t tenant)
{
    uint32_t n = 0;
    while (queue_write(g, sm, tenant, n % 16, n / 16))
        n++;
    return n;
}

/* The digests of the paper: 8 for 2 are 4 and 4, for 3 they are 3, 3 and 2. */
TEST(test_even_shares)
{
    static const uint32_t want[MH_MAX_TENANTS][MH_MAX_TENANTS] = {{8},
                                                                  {4, 4},
                                                                  {3, 3, 2},
                                                                  {2, 2, 2, 2},
                                                                  {2, 2, 2, 1, 1},
                                                                  {2, 2, 1, 1, 1, 1},
                                                                  {2, 1, 1, 1, 1, 1, 1},
                                                                  {1, 1, 1, 1, 1, 1, 1, 1}};
    for (uint32_t tenants = 1; tenants <= MH_MAX_TENANTS; tenants++) {
        struct mh_config cfg = subqueues_config(1, tenants);
        LOCAL_GPU(g) = subqueues_gpu(&cfg);
        hold(g);
        /* A full share stops no other tenant. */
        for (uint32_t t = tenants; t--;)
            assert_int_equal(fill(g, 0, t), want[tenants - 1][t] * ENTRIES);
        mh_gpu_check(g);
    }
}

/* Six sub-queues of five entries. */
TEST(test_other_sizes)
{
    struct mh_config cfg = subqueues_config(1, 4);
    cfg.l1d.subqueues = 6;
    cfg.l1d.miss_queue = 30;
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    static const uint32_t want[] = {10, 10, 5, 5};
    hold(g);
    for (uint32_t t = 0; t < 4; t++)
        assert_int_equal(fill(g, 0, t), want[t]);
}

/* MISS_QUEUES 0: one FIFO, which the first tenant may fill. */
TEST(test_one_fifo)
{
    struct mh_config cfg = subqueues_config(1, 2);
    cfg.noc.bank_queue = 1;
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    /* The first write holds the wire; the others are queued. */
    assert_int_equal(fill(g, 0, 0), 1 + ALL);
    assert_int_equal(fill(g, 0, 1), 0);
}

/* --- Tenants of each SM. */

/* SM 0 is tenant 0's, SM 1 both have, SM 2 is tenant 1's. */
TEST(test_shares_of_an_sm)
{
    struct mh_config cfg = subqueues_config(3, 2);
    cfg.tenants[0].sm_count = 2;
    cfg.tenants[1].sm_first = 1;
    cfg.tenants[1].sm_count = 2;
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    hold(g);
    assert_int_equal(fill(g, 0, 0), ALL);
    assert_int_equal(fill(g, 1, 0), ALL / 2);
    assert_int_equal(fill(g, 1, 1), ALL / 2);
    assert_int_equal(fill(g, 2, 1), ALL);
}

/* SMs of their own: all of the queue, also for one that gets the SM during the run. */
TEST(test_own_sms)
{
    struct mh_config cfg = subqueues_config(2, 2);
    for (uint32_t t = 0; t < 2; t++) {
        cfg.tenants[t].sm_first = t;
        cfg.tenants[t].sm_count = 1;
    }
    LOCAL_GPU(g) = subqueues_gpu(&cfg);
    hold(g);
    assert_int_equal(fill(g, 0, 0), ALL);
    assert_int_equal(fill(g, 1, 1), ALL);
    assert_int_equal(g->missq->sm[0].of[1].share, ALL);
}

/* An SM that changes hands waits for its sub-queues, too. */
TEST(test_root_waits)
{
    struct mh_config cfg = subqueues_config(2, 2);
    struct script *s[2];
    for (uint32_t t = 0; t < 2; t++) {
        cfg.tenants[t].sm_first = t;
        cfg.tenants[t].sm_count = 1;
        s[t] = script_paged(BUFFER_PAGES, 1);
        script_add(s[t], 0, 0, 0, op_after(10, op_exit()));
    }
    LOCAL_GPU(g) = script_gpu(&cfg, s);
    mh_gpu_advance(g, 20);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    hold(g);
    assert_true(queue_write(g, 0, 0, 0, 0));
    script_write(g, MH_REG_SM_ROOT, 1);
    mh_gpu_advance(g, 20000);
    assert_int_equal(script_read(g, MH_REG_SM_DRAINING), 1);
    set_rate(g, 0, MH_RATE_FREE);
    mh_gpu_advance(g, 21000);
    assert_int_equal(script_read(g, MH_REG_SM_DRAINING), 0);
}

/* --- Coming and going. */

static struct mh_gpu *changing_gpu(uint64_t arrive, uint64_t leave)
{
    struct mh_config cfg = subqueues_config(1, 3);
    cfg.tenants[1].arrive = arrive;
    cfg.tenants[1].leave = leave;
    struct mh_gpu *g = subqueues_gpu(&cfg);
    hold(g);
    return g;
}

/*
 * Until tenant 1 comes the others have 64 each, and have filled them. Then 48, 48 and 32 are right: what is queued
 * stays, and places for tenant 1 come as others' requests leave.
 */
TEST(test_arrival)
{
    LOCAL_GPU(g) = changing_gpu(COMES, 0);
    assert_int_equal(fill(g, 0, 0), 64);
    assert_int_equal(fill(g, 0, 2), 64);
    assert_false(queue_write(g, 0, 1, 0, 0)); /* it is not there */
    mh_gpu_advance(g, COMES);
    static const uint32_t share[] = {48, 48, 32};
    for (uint32_t t = 0; t < 3; t++)
        assert_int_equal(g->missq->sm[0].of[t].share, share[t]);
    assert_int_equal(fill(g, 0, 1), 0); /* no place is free yet */
    set_rate(g, 0, 10 * 256);
    mh_gpu_advance(g, COMES + 390);
    mh_gpu_check(g);
    /* Ten have left in the one interval that has started since, of tenant 0: it is above its share yet, and the places
     * are tenant 1's. */
    assert_int_equal(queued(g, 0, 0), 54);
    assert_int_equal(fill(g, 0, 0), 0);
    assert_int_equal(fill(g, 0, 1), 10);
    assert_int_equal(fill(g, 0, 2), 0);
    while (queued(g, 0, 0) > 48)
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    assert_int_equal(g->missq->sm[0].of[0].limit, 48);
    mh_gpu_check(g);
}

/* Its CTA is killed, and nothing of it is in the LSU: the others have its places in this cycle. Its requests drain. */
TEST(test_departure)
{
    LOCAL_GPU(g) = changing_gpu(0, LEAVES);
    assert_int_equal(fill(g, 0, 0), 48);
    assert_int_equal(fill(g, 0, 1), 48);
    assert_int_equal(fill(g, 0, 2), 32);
    mh_gpu_advance(g, LEAVES);
    static const uint32_t share[] = {64, 0, 64};
    for (uint32_t t = 0; t < 3; t++)
        assert_int_equal(g->missq->sm[0].of[t].share, share[t]);
    assert_int_equal(fill(g, 0, 0), 0); /* all 128 places are taken */
    mh_gpu_check(g);
    set_rate(g, 1, MH_RATE_FREE);
    while (queued(g, 0, 1))
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    mh_gpu_check(g);
    assert_int_equal(fill(g, 0, 0), 16);
    assert_int_equal(fill(g, 0, 2), 32);
    assert_int_equal(fill(g, 0, 1), 0);
}

/* --- MISS_QUEUES changes: when the queue is empty. */

/* The port's queue holds requests: none enters before all have left, then in the other order. */
TEST(test_from_one_fifo)
{
    struct mh_config cfg = subqueues_config(1, 2);
    struct mh_gpu *g = sleeping_gpu(&cfg);
    for (uint32_t i = 0; i < 5; i++)
        queue_write(g, 0, 0, i, 0); /* four wait for the first's five flits */
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    assert_false(queue_write(g, 0, 1, 5, 0));
    while (!mh_noc_idle(g->noc, 0)) {
        assert_false(queue_write(g, 0, 1, 5, 0));
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    assert_true(queue_write(g, 0, 1, 5, 0));
    assert_int_equal(queued(g, 0, 1), 1);
    mh_gpu_check(g);
    /* There and back before it has emptied: as if nothing had been. */
    script_knob(g, MH_REG_MISS_QUEUES, 0);
    assert_false(queue_write(g, 0, 0, 0, 1));
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    assert_true(queue_write(g, 0, 0, 0, 1));
    assert_int_equal(queued(g, 0, 0), 1);
    mh_gpu_advance(g, mh_gpu_now(g) + 2000);
    script_end(g);
}

TEST(test_back_and_forth_at_once)
{
    struct mh_config cfg = subqueues_config(1, 1);
    LOCAL_GPU(g) = sleeping_gpu(&cfg);
    queue_write(g, 0, 0, 0, 0);
    queue_write(g, 0, 0, 1, 0);
    script_knob(g, MH_REG_MISS_QUEUES, 1);
    script_knob(g, MH_REG_MISS_QUEUES, 0);
    assert_true(queue_write(g, 0, 0, 2, 0));
    assert_int_equal(g->noc->port[0].queue.count, 2);
}

/* Registers: the knob needs sub-queues, a rate of 0 would never end. */
TEST(test_registers)
{
    struct mh_config cfg = subqueues_config(1, 1);
    struct mh_gpu *g = sleeping_gpu(&cfg);
    assert_true(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_MISS_QUEUES);
    assert_int_equal(script_read(g, MH_REG_ISSUE_RATE), 65535);
    script_refused(g, MH_REG_ISSUE_RATE, 0);
    script_refused(g, MH_REG_MISS_QUEUES, 2);
    mh_gpu_destroy(g);
    cfg = script_config(1, 1);
    g = sleeping_gpu(&cfg);
    assert_false(script_read(g, MH_REG_CAP_FEATURES) & MH_FEATURE_MISS_QUEUES);
    script_refused(g, MH_REG_MISS_QUEUES, 1);
    mh_gpu_destroy(g);
}
