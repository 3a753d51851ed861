/* A channel that is stepped exactly when it asks, and what it did with each request. For tests with cmocka. */
#ifndef TESTS_DRAM_CHANNEL_H
#define TESTS_DRAM_CHANNEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "dram_fixture.h"

enum { MAX_TAGS = 1024 };

struct channel {
    struct mh_dram *d;
    struct mh_dram_cfg cfg;
    uint64_t next, served, last;
    uint64_t finish[MAX_TAGS];
    uint32_t order[MAX_TAGS]; /* tags in the order in which they were served */
    bool hit[MAX_TAGS];
};

static inline void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct channel *c = ctx;
    c->order[c->served++ % MAX_TAGS] = tag;
    c->finish[tag % MAX_TAGS] = finish;
    c->hit[tag % MAX_TAGS] = row_hit;
    if (finish > c->last)
        c->last = finish;
}

static inline struct channel *open_cfg(struct mh_dram_cfg cfg)
{
    static struct channel c;
    c = (struct channel){.cfg = cfg, .next = MH_DRAM_NEVER};
    struct mh_dram_hooks hooks = {.ctx = &c, .done = done};
    c.d = mh_dram_create(&cfg, &hooks);
    assert_non_null(c.d);
    return &c;
}

/* Steps only at the cycles that the channel asks for. */
static inline void run_to(struct channel *c, uint64_t cycle)
{
    while (c->next <= cycle && c->next != MH_DRAM_NEVER)
        c->next = mh_dram_step(c->d, c->next);
}

static inline void push_request(struct channel *c, uint64_t now, const struct mh_dram_request *req)
{
    if (now)
        run_to(c, now - 1);
    c->next = mh_dram_push(c->d, now, req);
}

static inline void push_addr(struct channel *c, uint64_t now, uint32_t tag, bool write, uint64_t addr)
{
    run_to(c, now);
    struct mh_dram_request req = {.addr = addr, .tag = tag, .write = write};
    c->next = mh_dram_push(c->d, now, &req);
}

static inline void close_all(struct channel *c)
{
    run_to(c, MH_DRAM_NEVER - 1);
    assert_int_equal(mh_dram_waiting(c->d), 0);
    assert_int_equal(mh_dram_free(c->d), dram_all_free(&c->cfg));
    mh_dram_destroy(c->d);
}

/** Cycles of a request of `stream` in the long run. */
static inline double cycles_per_request(struct mh_dram_cfg cfg, dram_stream *stream, uint64_t count)
{
    struct channel *c = open_cfg(cfg);
    uint64_t rng = 1;
    dram_saturate(c->d, stream, &rng, count, &c->served);
    mh_dram_destroy(c->d);
    return (double)c->last / (double)count;
}

#endif
