#include "dram_queues.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <string.h>

static void add(struct dram_waiting *w, uint32_t tag)
{
    assert_true(w->count < sizeof w->tag / sizeof *w->tag);
    w->tag[w->count++] = tag;
}

static void take(struct dram_waiting *w, uint32_t tag)
{
    uint32_t i = 0;

    while (i < w->count && w->tag[i] != tag)
        i++;
    assert_true(i < w->count);
    memmove(&w->tag[i], &w->tag[i + 1], (--w->count - i) * sizeof *w->tag);
}

enum tier dram_queues_enters(const struct dram_queues *q, const struct mh_dram_request *req)
{
    if (req->walk)
        return GOLDEN;
    return q->of[SILVER].count < q->places && mh_turn_is(&q->turn, req->tenant) ? SILVER : NORMAL;
}

void dram_queues_pushed(struct dram_queues *q, const struct mh_dram_request *req)
{
    struct dram_shadow *s = &q->shadow[req->tag];

    add(&q->inbox, req->tag);
    if (s->tier < NORMAL)
        add(&q->of[s->tier], req->tag);
    s->counted = q->apart && !req->write && !req->walk;
    if (!s->counted)
        return;
    mh_turn_arrive(&q->turn, s->tenant);
    if (s->tier == SILVER)
        mh_turn_sent(&q->turn);
}

/* The oldest reads of the tenant whose turn it is move up. */
static void fill(struct dram_queues *q)
{
    struct dram_waiting *silver = &q->of[SILVER], *from = &q->data[q->turn.owner];

    while (q->moves && q->apart && silver->count < q->places && from->count && mh_turn_is(&q->turn, q->turn.owner)) {
        uint32_t tag = from->tag[0];

        take(from, tag);
        add(silver, tag);
        q->shadow[tag].tier = SILVER;
        q->moved++;
        mh_turn_sent(&q->turn);
        from = &q->data[q->turn.owner];
    }
}

void dram_queues_insert(struct dram_queues *q, uint32_t inbox_count)
{
    while (q->inbox.count > inbox_count) {
        uint32_t tag = q->inbox.tag[0];
        const struct dram_shadow *s = &q->shadow[tag];

        take(&q->inbox, tag);
        if (s->counted && s->tier == NORMAL)
            add(&q->data[s->tenant], tag);
        fill(q);
    }
}

void dram_queues_take(struct dram_queues *q, uint32_t tag)
{
    const struct dram_shadow *s = &q->shadow[tag];

    if (s->tier < NORMAL)
        take(&q->of[s->tier], tag);
    else if (s->counted)
        take(&q->data[s->tenant], tag);
}

void dram_queues_taken(struct dram_queues *q, uint32_t tag)
{
    const struct dram_shadow *s = &q->shadow[tag];

    if (s->counted)
        mh_turn_leave(&q->turn, s->tenant);
    fill(q);
}

static void forget(const struct dram_queues *q, const struct dram_waiting *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        q->shadow[w->tag[i]].counted = false;
}

void dram_queues_switch(struct dram_queues *q, bool apart)
{
    q->apart = apart;
    if (!apart)
        return;
    forget(q, &q->of[SILVER]);
    for (uint32_t t = 0; t < DRAM_QUEUES_TENANTS; t++) {
        forget(q, &q->data[t]);
        q->data[t].count = q->turn.waiting[t] = 0;
    }
    q->turn.owner = q->turn.sent = 0;
}
