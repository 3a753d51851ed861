/*
 * Random traffic of three tenants into one DRAM channel, and the list of waiting requests: for tests of the order of
 * tenants, which change that order on the way. cmocka.h comes first.
 */
#ifndef TESTS_DRAM_TENANTS_RANDOM_H
#define TESTS_DRAM_TENANTS_RANDOM_H

#include "dram/channel.h"
#include "dram_check.h"
#include "dram_fixture.h"

enum { TENANTS = 3, STARVED_HITS = 64, STARVED_QUEUES = 4 };

struct shadow {
    uint64_t number; /* of the arrival */
    uint32_t bank, row, served;
    uint8_t tenant, write;
    bool known; /* came while `differ` */
};

/* The first member of a test's own struct, which the hooks of the channel get. */
struct traffic {
    struct mh_dram *d;
    struct mh_dram_cfg cfg;
    struct mh_dram_map map;
    struct dram_check check;
    struct shadow *shadow;
    uint32_t waiting[512], count, most; /* tags, oldest first; most: requests of all */
    bool differ;                        /* the test's: tenants are not alike now */
    uint64_t rng, now, next, pushed, compared;
};

/* Requests that are in the queue: the youngest may be on their way into it. */
static inline uint32_t queued(const struct traffic *t)
{
    return t->count - t->d->inbox_count;
}

static inline const struct shadow *waits(const struct traffic *t, uint32_t place)
{
    return &t->shadow[t->waiting[place]];
}

static inline bool starved(const struct traffic *t, const struct shadow *s)
{
    return t->pushed - t->d->inbox_count - s->number > (uint64_t)STARVED_QUEUES * t->cfg.queue;
}

static inline bool somebody_starves(const struct traffic *t, uint32_t bank)
{
    for (uint32_t i = 0; i < queued(t); i++)
        if (waits(t, i)->bank == bank && starved(t, waits(t, i)))
            return true;
    return false;
}

/* Could that command have been issued in that cycle? It is not. */
static inline bool possible(struct traffic *t, uint64_t cycle, enum mh_dram_command command, uint32_t bank,
                            uint32_t row)
{
    struct dram_check after = t->check;
    dram_check_command(&after, cycle, command, bank, row);
    t->compared++;
    return !after.violation[0];
}

/* Waits no more. */
static inline void served(struct traffic *t, uint32_t tag)
{
    uint32_t i = 0;
    while (t->waiting[i] != tag)
        i++;
    assert_true(i < queued(t));
    memmove(&t->waiting[i], &t->waiting[i + 1], (--t->count - i) * sizeof t->waiting[0]);
    t->shadow[tag].served++;
}

/* A few hot rows among many, and a tenant that has half of the traffic. */
static inline void push(struct traffic *t)
{
    struct mh_dram_request req = {.tag = (uint32_t)t->pushed};
    dram_scattered(&t->rng, 0, &req);
    if (random_next(&t->rng) % 2)
        req.addr %= 64 * t->cfg.row_bytes;
    req.write = random_next(&t->rng) % 4 == 0;
    req.tenant = (uint8_t)(random_next(&t->rng) % 4 % TENANTS);
    uint32_t row = mh_dram_map_row(&t->map, req.addr), bank = mh_dram_map_bank(&t->map, req.addr, row);
    t->shadow[t->pushed] = (struct shadow){t->pushed, bank, row, 0, req.tenant, req.write, t->differ};
    while (t->d->next < t->now && !t->d->inbox_count) /* what is due before it does not know it */
        t->next = mh_dram_step(t->d, t->now - 1);
    t->waiting[t->count++] = req.tag;
    t->pushed++;
    t->next = mh_dram_push(t->d, t->now, &req);
}

/* Pushes in bursts until all is served. `reorder`: a new order of the tenants, now and then. */
static inline void drive(struct traffic *t, void (*reorder)(struct traffic *t))
{
    while (t->pushed < t->most || mh_dram_waiting(t->d)) {
        uint64_t burst = random_next(&t->rng) % (random_next(&t->rng) % 8 ? 6 : 300);
        if (random_next(&t->rng) % 64 == 0) {
            t->next = mh_dram_step(t->d, t->now);
            reorder(t);
        }
        assert_true(mh_dram_check(t->d));
        while (burst-- && t->pushed < t->most && mh_dram_free(t->d))
            push(t);
        t->next = mh_dram_step(t->d, t->now);
        t->now = t->next == MH_DRAM_NEVER || t->next <= t->now ? t->now + 1 : t->next;
    }
}

/* All of it, served once and in time, with at least a thousand commands that were compared with others. */
static inline void traffic_run(struct traffic *t, struct mh_dram_hooks hooks, void (*reorder)(struct traffic *t))
{
    hooks.ctx = t;
    t->next = MH_DRAM_NEVER;
    dram_check_init(&t->check, &t->cfg);
    t->shadow = calloc(t->most, sizeof *t->shadow);
    t->d = mh_dram_create(&t->cfg, &hooks);
    assert_non_null(t->d);
    assert_int_equal(mh_dram_map_init(&t->map, &t->cfg, NULL), 0);
    drive(t, reorder);
    assert_string_equal(t->check.violation, "");
    for (uint32_t i = 0; i < t->most; i++)
        assert_int_equal(t->shadow[i].served, 1);
    assert_int_equal(mh_dram_free(t->d), t->cfg.queue);
    assert_true(t->compared > 1000);
    mh_dram_destroy(t->d);
    free(t->shadow);
}

/* ---- The same traffic twice, by what a channel says of it. */

struct digest {
    uint64_t count, sum;
};

static inline void fold(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct digest *s = ctx;
    s->count++;
    s->sum = s->sum * 1000003 + finish * 4096 + tag * 2 + row_hit;
}

/* Request number i: walks, reads and writes, of few lines or of many. */
static inline struct mh_dram_request any_request(uint64_t *rng, uint32_t i)
{
    struct mh_dram_request req = {.tag = i, .tenant = (uint8_t)(random_next(rng) % TENANTS)};
    dram_scattered(rng, 0, &req);
    req.addr %= 1 << (16 + random_next(rng) % 8);
    req.walk = random_next(rng) % 8 == 0;
    req.write = !req.walk && random_next(rng) % 4 == 0;
    return req;
}

/* Time passes until the channel has room for it. */
static inline void wait_for_room(struct mh_dram *d, const struct mh_dram_request *req, uint64_t *now)
{
    while (!mh_dram_takes(d, req->write ? NULL : req, req->write))
        mh_dram_step(d, *now += 3);
}

#endif
