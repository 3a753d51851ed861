#include "gpu/deadlock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"
#include "gpu/path.h"

/* Places for requests in a channel. */
static uint64_t places(const struct mh_dram_cfg *d)
{
    uint64_t apart = (uint64_t)d->golden + d->silver + d->normal;

    return d->queue > apart ? d->queue : apart;
}

/* The longest wait for one place: a full queue of conflicts in one bank of a channel, refreshed all the while. */
static uint64_t longest_wait(const struct mh_config *cfg)
{
    const struct mh_dram_cfg *d = &cfg->dram;
    uint64_t row = (uint64_t)d->rc + d->rp + d->rcd + d->cl + d->cwl + d->wr + d->wtr + d->faw;
    uint64_t cycles = places(d) * row * 4 + (d->rfc_bank ? d->rfc_bank : d->rfc);

    return cycles * cfg->clock.gpu_hz / cfg->clock.dram_hz;
}

void mh_deadlock_init(struct mh_deadlock *d, const struct mh_config *cfg)
{
    uint64_t wait = longest_wait(cfg);

    d->every = wait > MH_DEADLOCK_LOOK ? wait : MH_DEADLOCK_LOOK;
    d->look = MH_DEADLOCK_AGE;
    d->executed = UINT64_MAX;
}

/* Whatever has an event of its own has a place: a load, a line, a page, a request, a walk, a port, a bank, a channel.
 */
uint32_t mh_deadlock_most_events(const struct mh_config *c)
{
    uint64_t lines = (uint64_t)c->sm.pending + c->l1d.mshrs * MH_MAX_SECTORS + c->l1d.miss_queue + c->l1d.store_buffer;
    uint64_t sm = c->sm.warps * (1 + c->sm.loads_per_warp) + c->sm.schedulers + c->l1tlb.mshrs + lines;
    uint64_t walks = (uint64_t)c->l2tlb.mshrs + c->l2tlb.queue + mh_config_walkers(c) + c->walk.buffer;
    uint64_t l2 = (uint64_t)c->l2.banks * (c->l2.mshrs + c->noc.bank_queue);
    uint64_t dram = c->dram.channels * places(&c->dram);
    uint32_t copies = c->l2tlb.private || c->walk.private ? c->tenants_count : 1;
    uint64_t most = MH_DEADLOCK_EVENTS * (c->sm.count * sm + copies * walks + c->noc.walker_ports + l2 + dram);

    return most < MH_DEADLOCK_MOST ? (uint32_t)most : MH_DEADLOCK_MOST;
}

enum what { NOTHING, LOAD, WALK, FILL, STORE };

struct oldest {
    enum what what;
    uint64_t since;
    uint32_t a, b, c; /* LOAD: SM, warp, slot; WALK: walk; FILL: bank, MSHR */
};

static void consider(struct oldest *o, enum what what, uint64_t since, uint32_t a, uint32_t b, uint32_t c)
{
    if (o->what == NOTHING || since < o->since)
        *o = (struct oldest){what, since, a, b, c};
}

static void loads_of(const struct mh_gpu *g, uint32_t sm, struct oldest *o)
{
    uint32_t slots = (1u << g->cfg.sm.loads_per_warp) - 1;

    for (uint32_t w = 0; w < g->cfg.sm.warps; w++) {
        const struct mh_warp *warp = &g->sm[sm].warp[w];

        for (uint32_t m = warp->loads ? slots & ~(uint32_t)warp->free_slots : 0; m; m &= m - 1) {
            uint32_t slot = (uint32_t)__builtin_ctz(m);

            consider(o, LOAD, mh_load_issued(&warp->load[slot], g->wheel.now), sm, w, slot);
        }
    }
}

/* Loads come first: of walks and lines as old as a load, somebody waits for them. */
static struct oldest find_oldest(const struct mh_gpu *g)
{
    struct oldest o = {.what = NOTHING};

    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        loads_of(g, s, &o);
    for (uint32_t w = 0; w < g->l2tlb.mshrs; w++)
        if (mh_index_find(&g->l2tlb.index, g->l2tlb.walk[w].key) == (int)w)
            consider(&o, WALK, mh_walk_since(&g->l2tlb.walk[w]), w, 0, 0);
    for (uint32_t b = 0; b < g->l2.banks; b++)
        for (uint32_t m = 0; m < g->l2.mshrs; m++)
            if (mh_l2_mshr_used(&g->l2, b, m))
                consider(&o, FILL, g->l2.bank[b].mshr[m].since, b, m, 0);
    return o;
}

/* Stores and atomics, which nobody waits for, and warps that were forgotten: true if there is one, its path told. */
static bool tell_store(const struct mh_gpu *g, FILE *out)
{
    for (uint32_t s = 0; s < g->cfg.sm.count; s++) {
        const struct mh_sm *sm = &g->sm[s];

        if (sm->issue_at != UINT64_MAX)
            return fprintf(out, "; a warp of SM %u could issue, but its turn (EV_ISSUE) never came", s), true;
        if (sm->replay_head != MH_NONE || sm->lsu_count)
            return mh_path_lsu(g, s, out), true;
        if (sm->stores)
            return mh_path_stores(g, s, out), true;
        for (uint32_t m = 0; m < g->cfg.l1tlb.mshrs; m++)
            if (mh_tlb_mshr_of(sm, sm->tlb_mshr[m].key) == m)
                return mh_path_translation(g, s, m, out), true;
    }
    for (uint32_t p = 0; p < g->noc.ports; p++)
        if (g->noc.port[p].queue.count)
            return mh_path_port(g, p, out), true;
    for (uint32_t b = 0; b < g->noc.banks; b++)
        if (g->l2.bank[b].stalled.count)
            return mh_path_bank(g, b, out), true;
    if (g->noc.live)
        fputs("; a request in the crossbar: its event (EV_L2, EV_REPLY) never came", out);
    return g->noc.live != 0;
}

/* Writes the path of `o`; false when there is nothing outstanding. */
static bool tell(const struct mh_gpu *g, const struct oldest *o, char path[MH_DEADLOCK_PATH_MAX])
{
    FILE *out = fmemopen(path, MH_DEADLOCK_PATH_MAX, "w");
    bool told = true;

    if (!out)
        return false;
    if (o->what == LOAD)
        mh_path_load(g, o->a, o->b, o->c, out);
    else if (o->what == WALK)
        mh_path_walk(g, o->a, out);
    else if (o->what == FILL)
        mh_path_fill(g, o->a, o->b, out);
    else
        told = tell_store(g, out);
    fclose(out);
    path[MH_DEADLOCK_PATH_MAX - 1] = 0;
    return told;
}

static void report(struct mh_gpu *g, const char *sign, const char *path)
{
    const char *first = path[0] == ';' ? path + 2 : path;

    snprintf(g->deadlock.report, sizeof g->deadlock.report,
             "%s%s%s. This is a fault of the model or of its configuration, not of the firmware: please report it with "
             "the configuration",
             sign, *path ? "; the oldest request: " : "", first);
}

/* Nothing will ever happen again; is there somebody who waits? */
static bool wheel_ran_empty(struct mh_gpu *g)
{
    struct oldest o = find_oldest(g);
    char path[MH_DEADLOCK_PATH_MAX];

    g->deadlock.executed = g->wheel.executed;
    if (!tell(g, &o, path))
        return false;
    report(g, "no event is left, but requests are outstanding", path);
    return true;
}

static bool oldest_stands_still(struct mh_gpu *g)
{
    struct mh_deadlock *d = &g->deadlock;
    struct oldest o = find_oldest(g);
    char path[MH_DEADLOCK_PATH_MAX] = "", sign[100];

    d->look = g->wheel.now + d->every;
    if (o.what != NOTHING && g->wheel.now - o.since >= MH_DEADLOCK_AGE)
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

static void cycle_does_not_end(struct mh_gpu *g)
{
    struct oldest o = find_oldest(g);
    char path[MH_DEADLOCK_PATH_MAX] = "", sign[100];

    (void)tell(g, &o, path);
    snprintf(sign, sizeof sign, "cycle %" PRIu64 " does not end: more than %u events in it, now an %s", g->wheel.now,
             g->wheel.most, mh_event_name(MH_EVENT_KIND(g->wheel.dropped)));
    report(g, sign, path);
}

bool mh_deadlock_found(struct mh_gpu *g)
{
    if (g->wheel.overrun) {
        cycle_does_not_end(g);
        return true;
    }
    if (mh_wheel_empty(&g->wheel) && g->wheel.executed != g->deadlock.executed && wheel_ran_empty(g))
        return true;
    return g->wheel.now >= g->deadlock.look && oldest_stands_still(g);
}
