/* A channel from its configuration: timings between commands, worked out once. */
#include "memhelm/dram.h"

#include <assert.h>
#include <stdlib.h>

#include "dram/pick.h"
#include "dram/tiers.h"
#include "dram/writes.h"

/*
 * Cycles from one column command to another. Three rules, of which the latest counts: the distance of the commands
 * (ccd, ccd_l), the data bus, and from a write to a read of the same rank wtr, which runs from the last written beat.
 * Between the data of two bursts the bus is idle for `rtrs` when it turns round, for `rank_gap` between ranks.
 */
static uint32_t column_gap(const struct mh_dram *d, uint32_t from, uint32_t to, enum mh_relation r)
{
    const struct mh_dram_cfg *t = &d->t;
    uint32_t idle = from == to ? 0 : t->rtrs, latency[2] = {t->cl, t->cwl};
    uint32_t gap = r == MH_SAME_GROUP ? d->stride : r == MH_SAME_RANK ? t->ccd : d->bl;

    if (r == MH_OTHER_RANK && t->rank_gap > idle)
        idle = t->rank_gap;
    uint32_t end = latency[from] + d->bl + idle;

    if (end > latency[to] + gap)
        gap = end - latency[to];
    uint32_t turn = r == MH_OTHER_RANK ? 0 : t->cwl + d->bl + (r == MH_SAME_GROUP ? t->wtr_l : t->wtr);

    return from == 1 && to == 0 && turn > gap ? turn : gap;
}

/* These bound how long the channel needs no event: no request is served before its column command. */
void mh_dram_load_timings(struct mh_dram *d)
{
    const struct mh_dram_cfg *t = &d->t;
    uint32_t rcd = d->writing && t->rcdwr ? t->rcdwr : t->rcd;

    d->until_column[MH_KIND_NONE] = UINT32_MAX;
    d->until_column[MH_KIND_ACT] = MH_TICKS * rcd;
    d->until_column[MH_KIND_PRE] = MH_TICKS * (t->rp + rcd);
    d->until_column[MH_KIND_REF] = MH_TICKS * (t->rfc_bank + rcd);
    d->column_to_act = (int32_t)t->rc - (int32_t)rcd;
}

static void derive_units(struct mh_dram *d)
{
    const struct mh_dram_cfg *t = &d->t;

    d->ranks = t->ranks ? t->ranks : 1;
    d->groups = t->groups ? t->groups : 1;
    d->units = d->ranks * d->groups;
    d->banks = d->ranks * t->banks;
    /* Ranks and bank groups are the high bits of a bank's number (map.h). */
    for (uint32_t b = 0; b < d->banks; b++) {
        d->bank[b].unit = (uint8_t)(b / (t->banks / d->groups));
        d->bank[b].rank = (uint8_t)(b / t->banks);
    }
    for (uint32_t u = 0; u < d->units; u++)
        for (uint32_t v = 0; v < d->units; v++)
            d->relation[u][v] = u == v ? MH_SAME_GROUP : u / d->groups == v / d->groups ? MH_SAME_RANK : MH_OTHER_RANK;
    for (uint32_t from = 0; from < 2; from++)
        for (uint32_t to = 0; to < 2; to++)
            for (enum mh_relation r = 0; r < MH_RELATIONS; r++)
                d->column_gap[r][from][to] = column_gap(d, from, to, r);
    mh_dram_load_timings(d);
    d->act_gap[MH_SAME_GROUP] = t->rrd_l;
    d->act_gap[MH_SAME_RANK] = t->rrd;
}

static void derive(struct mh_dram *d)
{
    struct mh_dram_cfg *t = &d->t;
    uint32_t bytes = t->bus_bytes * t->burst, request = t->request_bytes ? t->request_bytes : MH_LINE_BYTES;
    bool acts = t->command_order == MH_COMMANDS_DEFAULT || t->command_order == MH_COMMANDS_ACTS;

    d->bl = (t->burst + t->data_rate - 1) / t->data_rate;
    d->columns = bytes < request ? request / bytes : 1;
    t->ccd = mh_max32(t->ccd, d->bl); /* bursts do not overlap on the data bus */
    /* 0 within a bank group: as between two. */
    d->stride = mh_max32(t->ccd_l, t->ccd);
    t->rrd_l = mh_max32(t->rrd_l, t->rrd);
    t->wtr_l = mh_max32(t->wtr_l, t->wtr);
    d->split = (t->groups > 1 || !acts) && d->columns > 1;
    /*
     * A random line needs an ACT: if tRRD, or its part of tFAW or t32AW, is longer than its data, ACTs are the scarcer.
     * Lines of two commands that are decided at once do not count: they leave slots enough, and ACTs do not keep
     * meeting them. An ACT that is due in just such a slot waits a cycle: up to 4 % of random bandwidth where 22 mod
     * tRRD makes it meet every time.
     */
    uint32_t data = d->columns * (d->split ? t->ccd : d->stride);

    d->acts_first =
        acts && (d->split || d->columns > 2) && mh_max32(mh_max32(t->rrd, t->faw / 4), t->aw32 / MH_DRAM_MANY) > data;
    d->odd_columns = acts && !d->acts_first;
    d->column_class = acts ? MH_KEY_COLUMN : MH_KEY_HIT;
    d->in_turn = t->command_order == MH_COMMANDS_BANKS;
    d->closed = t->rows == MH_ROWS_CLOSED;
    d->latency[0] = t->cl + d->bl;
    d->latency[1] = t->cwl + d->bl;
    /* tRTP runs from the read command, tWR from the last written beat. */
    d->to_pre[0] = t->rtp;
    d->to_pre[1] = t->cwl + d->bl + t->wr;
    d->faw = t->faw;
    d->ras = t->ras;
    d->rc = t->rc;
    d->rp = t->rp;
    d->free = (uint16_t)(t->write_queue ? mh_min32(t->queue, t->write_queue) : t->queue);
    d->write_high = t->write_high;
    d->write_low = t->write_low;
    derive_units(d);
}

struct mh_dram *mh_dram_create(const struct mh_dram_cfg *cfg, const struct mh_dram_hooks *hooks)
{
    assert(cfg->banks * (cfg->ranks ? cfg->ranks : 1) <= MH_MAX_DRAM_BANKS);
    assert(cfg->queue >= 1 && cfg->queue < MH_DQ_NIL);
    struct mh_dram *d = mh_aligned_zeros(sizeof *d);

    if (!d)
        return NULL;
    d->t = *cfg;
    d->hooks = *hooks;
    derive(d);
    d->inbox_size = mh_dram_places(cfg); /* whatever has a place in a queue may be in the inbox first */
    d->inbox = calloc(d->inbox_size, sizeof *d->inbox);
    d->tiers = mh_tiers_create(cfg);
    d->writes = cfg->write_queue ? mh_writes_create(cfg) : NULL;
    d->aside = cfg->write_queue || cfg->queue_latency;
    if (mh_dq_init(&d->queue, mh_dram_entries(cfg)) || !d->inbox || !d->tiers || (cfg->write_queue && !d->writes) ||
        mh_dram_map_init(&d->map, cfg, NULL)) {
        mh_dram_destroy(d);
        return NULL;
    }
    for (uint32_t b = 0; b < MH_MAX_DRAM_BANKS; b++) {
        d->bank[b].row = MH_NO_ROW;
        d->bank[b].hits[0] = d->bank[b].hits[1] = MH_DQ_NIL;
    }
    d->tiered = d->tiers->by_tenant; /* only tiers.c knows tenants, in one queue as in three */
    mh_dram_load_gates(d);
    mh_dram_all_candidates(d);
    d->refresh = !cfg->refi ? MH_DRAM_NEVER : cfg->rfc_bank ? mh_dram_bank_refresh_at(d, 1) : cfg->refi;
    d->bundle.first = d->told.next = 1; /* none: last is 0 */
    mh_dram_scan(d);
    return d;
}

void mh_dram_destroy(struct mh_dram *d)
{
    if (!d)
        return;
    mh_dq_free(&d->queue);
    mh_tiers_destroy(d->tiers);
    mh_writes_destroy(d->writes);
    free(d->inbox);
    free(d);
}
