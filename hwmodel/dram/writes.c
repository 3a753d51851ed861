#include "dram/writes.h"

#include <assert.h>
#include <stdlib.h>

#include "dram/tiers.h"
#include "engine/arith.h"

struct mh_writes *mh_writes_create(const struct mh_dram_cfg *cfg)
{
    struct mh_writes *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    uint32_t bytes = cfg->request_bytes ? cfg->request_bytes : MH_LINE_BYTES;

    w->line = ~(uint64_t)(bytes - 1);
    /* Requests of other sizes have no sectors. */
    w->all = (uint8_t)((1u << mh_min32(mh_max32(bytes >> MH_SECTOR_SHIFT, 1), MH_MAX_SECTORS)) - 1);
    w->places[0] = cfg->queue;
    w->places[1] = cfg->write_queue;
    w->size = mh_dram_places(cfg);
    w->wanted = calloc(mh_dram_entries(cfg), sizeof *w->wanted);
    w->answer = calloc(w->size, sizeof *w->answer);
    if (!w->wanted || !w->answer) {
        mh_writes_destroy(w);
        return NULL;
    }
    return w;
}

void mh_writes_destroy(struct mh_writes *w)
{
    if (!w)
        return;
    free(w->wanted);
    free(w->answer);
    free(w);
}

void mh_writes_admit(struct mh_dram *d, const struct mh_dram_request *req)
{
    assert(mh_writes_room(d->writes, req->write));
    d->writes->taken[req->write]++;
    d->free = mh_writes_free(d->writes);
}

/* The write of that entry writes this, too. False: some of it would be new, and its first command is gone. */
static bool merge(struct mh_dram *d, uint32_t entry, const struct mh_wanted *also)
{
    struct mh_writes *w = d->writes;
    struct mh_wanted *write = &w->wanted[entry];
    struct mh_dq_entry *e = &d->queue.entry[entry];
    uint32_t more = mh_bits(also->parts & ~(uint32_t)write->parts);

    if (more && e->hit != MH_DQ_WHOLE)
        return false;
    e->left = (uint8_t)(e->left + more * d->columns / mh_bits(w->all));
    write->parts |= also->parts;
    write->filled |= also->filled;
    return true;
}

static bool has(const struct mh_wanted *write, const struct mh_wanted *read)
{
    return !(read->parts & ~(uint32_t)write->filled);
}

/* A row has few lines, and few writes of it wait. */
static bool served_by_waiting(struct mh_dram *d, uint32_t b, uint32_t row, const struct mh_dram_request *req)
{
    const struct mh_writes *w = d->writes;
    struct mh_wanted want = mh_writes_wanted(w, req);
    uint32_t g = mh_dq_find(&d->queue, 1, b, row);

    if (g == MH_DQ_NIL)
        return false;
    for (uint32_t e = d->queue.group[g].head; e != MH_DQ_NIL; e = d->queue.entry[e].next)
        if (!((w->wanted[e].addr ^ req->addr) & w->line) &&
            (req->write ? merge(d, e, &want) : has(&w->wanted[e], &want)))
            return true;
    return false;
}

bool mh_writes_take(struct mh_dram *d, uint64_t cycle, uint32_t b, uint32_t row, const struct mh_dram_request *req,
                    enum mh_tier tier)
{
    struct mh_writes *w = d->writes;

    if (!served_by_waiting(d, b, row, req))
        return false;
    uint32_t at = w->head + w->count++;

    w->answer[at < w->size ? at : at - w->size] = (struct mh_answer){cycle + 1, req->tag, tier, req->write};
    d->age++; /* it has come */
    if (d->tiered)
        mh_tiers_uncount(d, req);
    return true;
}

void mh_writes_answer(struct mh_dram *d)
{
    struct mh_writes *w = d->writes;
    struct mh_answer a = w->answer[w->head];

    w->head = w->head + 1 < w->size ? w->head + 1 : 0;
    w->count--;
    w->taken[a.write]--;
    if (d->tiered) {
        mh_tiers_give(d, a.tier, a.write);
        d->floor = mh_max64(d->floor, a.cycle); /* reads may have moved up: their commands are of this cycle or later */
        mh_dram_scan(d);
    } else {
        d->free = mh_writes_free(w);
    }
    d->hooks.done(d->hooks.ctx, a.tag, a.cycle, false);
}

static const struct mh_answer *answer_at(const struct mh_writes *w, uint32_t i)
{
    return &w->answer[(w->head + i) % w->size];
}

bool mh_writes_holds(const struct mh_writes *w, uint32_t tag)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (!answer_at(w, i)->write && answer_at(w, i)->tag == tag)
            return true;
    return false;
}

uint32_t mh_writes_count(const struct mh_writes *w, enum mh_tier tier, bool write)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->count; i++)
        n += answer_at(w, i)->write == write && answer_at(w, i)->tier == tier;
    return n;
}
