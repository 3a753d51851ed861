#include "gpu/gpu.h"
#include "engine/gpu.h"
#include "missq/missq.h"
#include "uvm/uvm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MH_BLOCK(name) extern const struct mh_block mh_block_##name;
#include "gpu/blocks.def"

static const struct mh_block *const blocks[] = {
#define MH_BLOCK(name) &mh_block_##name,
#include "gpu/blocks.def"
    NULL,
};

static void **state(struct mh_gpu *g, const struct mh_block *b)
{
    return (void **)((char *)g + b->at);
}

/* All states before any init(), which may look at another block's. */
static int make_states(struct mh_gpu *g)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->bytes && !(*state(g, *b) = mh_aligned_zeros((*b)->bytes)))
            return -1;
    return 0;
}

int mh_blocks_init(struct mh_gpu *g)
{
    if (make_states(g))
        return -1;
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->init && (*b)->init(g))
            return -1;
    return 0;
}

/* Also of a GPU that was made in part: a block whose state was not made has nothing to free. */
void mh_blocks_free(struct mh_gpu *g)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->free && (!(*b)->bytes || *state(g, *b)))
            (*b)->free(g);
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->bytes)
            free(*state(g, *b));
}

void mh_blocks_apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->apply)
            (*b)->apply(g, before);
}

void mh_blocks_check(const struct mh_gpu *g)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->check)
            (*b)->check(g);
}

struct mh_oldest mh_blocks_oldest(const struct mh_gpu *g)
{
    struct mh_oldest oldest = {0};

    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->oldest)
            (*b)->oldest(g, &oldest);
    return oldest;
}

bool mh_blocks_left(const struct mh_gpu *g, FILE *out)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->left && (*b)->left(g, out))
            return true;
    return false;
}

/* All settle first: then the counts are copied, and only the copies are completed. */
void mh_blocks_counters(struct mh_gpu *g, struct mh_counters *out)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->settle)
            (*b)->settle(g);
    for (uint32_t t = 0; t < g->tenants; t++)
        out[t] = g->tenant[t].count;
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->read)
            (*b)->read(g, out);
}

void mh_blocks_restart(struct mh_gpu *g)
{
    for (const struct mh_block *const *b = blocks; *b; b++)
        if ((*b)->restart)
            (*b)->restart(g);
}

/* Places for requests in a channel. */
static uint64_t places(const struct mh_dram_cfg *d)
{
    uint64_t apart = (uint64_t)d->golden + d->silver + d->normal;

    return (d->queue > apart ? d->queue : apart) + d->write_queue;
}

/* The longest wait for one place: a full queue of conflicts in one bank of a channel, refreshed all the while. */
static uint64_t longest_wait(const struct mh_config *cfg)
{
    const struct mh_dram_cfg *d = &cfg->dram;
    uint64_t row = (uint64_t)d->rc + d->rp + d->rcd + d->cl + d->cwl + d->wr + d->wtr + d->faw + d->aw32;
    uint64_t cycles = places(d) * row * 4 + (d->rfc_bank ? d->rfc_bank : d->rfc) + d->queue_latency;

    return cycles * cfg->clock.gpu_hz / cfg->clock.dram_hz;
}

/* No look before a request can be old enough. The first empty wheel is looked at, whatever has run. */
void mh_deadlock_init(struct mh_deadlock *d, const struct mh_config *cfg)
{
    uint64_t wait = longest_wait(cfg) + mh_uvm_longest_wait(cfg) + mh_missq_longest_wait(cfg);

    d->every = wait > MH_DEADLOCK_LOOK ? wait : MH_DEADLOCK_LOOK;
    d->look = MH_DEADLOCK_AGE;
    d->executed = UINT64_MAX;
}

/* What has an event of its own has a place: a load, a line, a page, a request, a walk, a port, a bank, a channel. */
uint32_t mh_deadlock_most_events(const struct mh_config *c)
{
    uint64_t lines = (uint64_t)c->sm.pending + c->l1d.mshrs * MH_MAX_SECTORS + c->l1d.miss_queue + c->l1d.store_buffer;
    uint64_t sm = c->sm.warps * (1 + c->sm.loads_per_warp) + c->sm.schedulers + c->l1tlb.mshrs + lines;
    uint64_t walks = (uint64_t)c->l2tlb.mshrs + c->l2tlb.queue + mh_config_walkers(c) + c->walk.buffer;
    uint64_t l2 = (uint64_t)c->l2.banks * (c->l2.mshrs + mh_config_bank_places(c));
    uint64_t dram = c->dram.channels * places(&c->dram);
    uint32_t copies = c->l2tlb.private || c->walk.private ? c->tenants_count : 1;
    uint64_t most = MH_DEADLOCK_EVENTS * (c->sm.count * sm + copies * walks + c->noc.walker_ports + l2 + dram);

    return most < MH_DEADLOCK_MOST ? (uint32_t)most : MH_DEADLOCK_MOST;
}

/* Writes the path of `o` or, without one, of whatever is left; false when there is nothing outstanding. */
static bool tell(const struct mh_gpu *g, const struct mh_oldest *o, char path[MH_DEADLOCK_PATH_MAX])
{
    FILE *out = fmemopen(path, MH_DEADLOCK_PATH_MAX, "w");
    bool told = true;

    if (!out)
        return false;
    if (o->tell)
        o->tell(g, o, out);
    else
        told = mh_blocks_left(g, out);
    fclose(out);
    /* A text that fills the buffer is cut, and has no end. */
    path[MH_DEADLOCK_PATH_MAX - 1] = 0;
    return told;
}

static void report(struct mh_gpu *g, const char *sign, const char *path)
{
    const char *first = path[0] == ';' ? path + 2 : path;

    snprintf(g->deadlock->report, sizeof g->deadlock->report,
             "%s%s%s. This is a fault of the model or of its configuration, not of the firmware: please report it with "
             "the configuration",
             sign, *path ? "; the oldest request: " : "", first);
}

/* No event is left; true if a request still waits. */
static bool wheel_ran_empty(struct mh_gpu *g)
{
    struct mh_oldest o = mh_blocks_oldest(g);
    char path[MH_DEADLOCK_PATH_MAX];

    g->deadlock->executed = g->wheel.executed;
    if (!tell(g, &o, path))
        return false;
    report(g, "no event is left, but requests are outstanding", path);
    return true;
}

/* An old request is no sign yet, it may only be slow: its path has to read the same at two looks. */
static bool oldest_stands_still(struct mh_gpu *g)
{
    struct mh_deadlock *d = g->deadlock;
    struct mh_oldest o = mh_blocks_oldest(g);
    char path[MH_DEADLOCK_PATH_MAX] = "", sign[100];

    d->look = g->wheel.now + d->every;
    if (o.tell && g->wheel.now - o.since >= MH_DEADLOCK_AGE)
        (void)tell(g, &o, path);
    if (!*path || strcmp(path, d->path) != 0) {
        strcpy(d->path, path);
        return false;
    }
    snprintf(sign, sizeof sign, "a request of cycle %" PRIu64 " has not moved for the last %" PRIu64 " cycles", o.since,
             d->every);
    report(g, sign, path);
    return true;
}

/* sm/cta.c found a workload that issues nothing: no request is to blame, and the model has no fault. */
static void workload_is_idle(struct mh_gpu *g)
{
    const uint32_t tenant = MH_EVENT_PAYLOAD(g->wheel.dropped);

    snprintf(g->deadlock->report, sizeof g->deadlock->report,
             "cycle %" PRIu64
             " does not end: tenant %u (%.400s) has run twice in it, so its workload has no instruction",
             g->wheel.now, tenant, g->cfg.tenants[tenant].kernel);
}

static void cycle_does_not_end(struct mh_gpu *g)
{
    struct mh_oldest o = mh_blocks_oldest(g);
    char path[MH_DEADLOCK_PATH_MAX] = "", sign[100];

    (void)tell(g, &o, path);
    snprintf(sign, sizeof sign, "cycle %" PRIu64 " does not end: more than %u events in it, now an %s", g->wheel.now,
             g->wheel.most, mh_event_name(MH_EVENT_KIND(g->wheel.dropped)));
    report(g, sign, path);
}

bool mh_deadlock_found(struct mh_gpu *g)
{
    if (g->wheel.overrun) {
        if (MH_EVENT_KIND(g->wheel.dropped) == EV_START)
            workload_is_idle(g);
        else
            cycle_does_not_end(g);
        return true;
    }
    /* An idle GPU comes here at every limit: it is looked at again only when events have run since. */
    if (mh_wheel_empty(&g->wheel) && g->wheel.executed != g->deadlock->executed && wheel_ran_empty(g))
        return true;
    return g->wheel.now >= g->deadlock->look && oldest_stands_still(g);
}
