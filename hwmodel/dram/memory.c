#include "dram/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/block.h"
#include "engine/gpu.h"
#include "engine/upstream.h"
#include "pages/page_table.h"
#include "waits/waits.h"

/* --- What comes back. */

static uint64_t back_at(const struct mh_gpu *g, uint64_t finish)
{
    return mh_ratio_ceil(&g->memory->to_gpu, finish) + g->cfg.memory.latency;
}

/* What no MSHR of the L2 has asked for. */
static void done_beside(struct mh_gpu *g, uint32_t tag, uint64_t finish)
{
    uint64_t at = back_at(g, finish);

    if (tag & MH_TAG_WRITE)
        return;
    if (tag & MH_TAG_MIGRATE)
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_UVM_READ, 0));
    else if (mh_packed_extra(g, tag, &at))
        mh_l2_coming(g, tag & MH_TAG_NOBODY, at);
}

/*
 * The request's last column command is decided: its queue entry is free, and its data come at `finish`. memory.latency
 * is that of both ways, added on the way back. A write is done here, as no request waits for it.
 */
static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct mh_channel *ch = ctx;
    struct mh_gpu *g = ch->gpu;

    ch->served = true;
    if (tag & (MH_TAG_MIGRATE | MH_TAG_EXTRA)) {
        done_beside(g, tag, finish);
        return;
    }
    if (tag & MH_TAG_WRITE) {
        struct mh_counters *c = &g->tenant[tag & MH_TAG_TENANT].count;

        c->dram_write++;
        c->dram_write_sectors += g->memory->sectors[tag >> MH_ASKED_SECTORS & MH_ALL_SECTORS];
        c->dram_row_hit += row_hit;
        return;
    }
    uint64_t at = back_at(g, finish);

    mh_l2_decided(g, tag, row_hit);
    if (__builtin_expect(!g->compressing, 1) || mh_packed_data(g, tag, &at))
        mh_l2_coming(g, tag, at);
}

static void done_tapped(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    mh_tap_serve(((struct mh_channel *)ctx)->gpu, tag, finish, row_hit);
    done(ctx, tag, finish, row_hit);
}

static int init_channel(struct mh_memory *m, struct mh_gpu *g, uint32_t i, const struct mh_dram_cfg *dram)
{
    struct mh_channel *ch = &m->channel[i];
    struct mh_dram_hooks hooks = {.ctx = ch, .done = i == m->tap.channel ? done_tapped : done};

    ch->gpu = g;
    ch->asked = MH_DRAM_NEVER;
    ch->event_at = UINT64_MAX;
    ch->dram = mh_dram_create(dram, &hooks);
    return ch->dram ? 0 : -1;
}

static void init_sectors(struct mh_memory *m, const struct mh_config *cfg)
{
    uint32_t burst = cfg->dram.bus_bytes * cfg->dram.burst;

    m->sectors[0] = (uint8_t)(cfg->memory.line_bytes >> MH_SECTOR_SHIFT);
    for (uint32_t s = 1; s < 1 << MH_MAX_SECTORS; s++) {
        m->sectors[s] = (uint8_t)mh_bits(s);
        m->bursts[s] = (uint8_t)(((uint32_t)m->sectors[s] << MH_SECTOR_SHIFT) / burst);
    }
}

static int init(struct mh_gpu *g)
{
    const struct mh_config *cfg = &g->cfg;
    struct mh_memory *m = g->memory;
    struct mh_dram_cfg dram = cfg->dram;

    dram.request_bytes = cfg->memory.line_bytes;
    m->channels = cfg->dram.channels;
    m->banks_per_channel = cfg->l2.banks / cfg->dram.channels;
    m->per_channel = mh_divisor(m->banks_per_channel);
    mh_interleave_tenants(m->interleave, cfg);
    m->to_dram = mh_ratio(cfg->clock.dram_hz, cfg->clock.gpu_hz);
    m->to_gpu = mh_ratio(cfg->clock.gpu_hz, cfg->clock.dram_hz);
    m->line_bytes = cfg->memory.line_bytes;
    init_sectors(m, cfg);
    if (mh_tap_init(m, cfg) || mh_packed_init(m, cfg))
        return -1;
    m->channel = calloc(m->channels, sizeof *m->channel);
    for (uint32_t i = 0; m->channel && i < m->channels; i++)
        if (init_channel(m, g, i, &dram))
            return -1;
    if (dram.scheduler == MH_DRAM_MPKI)
        mh_wheel_add(&g->wheel, MH_MPKI_CYCLES, MH_EVENT(EV_DRAM_ORDER, 0));
    return m->channel ? 0 : -1;
}

static void free_all(struct mh_gpu *g)
{
    struct mh_memory *m = g->memory;

    for (uint32_t i = 0; m->channel && i < m->channels; i++)
        mh_dram_destroy(m->channel[i].dram);
    free(m->channel);
    mh_packed_free(m);
    mh_tap_free(m);
}

uint32_t mh_mem_channel(const struct mh_gpu *g, uint32_t bank)
{
    return bank / g->memory->banks_per_channel;
}

uint32_t mh_mem_free(const struct mh_gpu *g, uint32_t bank)
{
    if (__builtin_expect(g->compressing, 0) && mh_packed_pending(g->memory, bank))
        return 0;
    return mh_dram_free(g->memory->channel[mh_quotient(&g->memory->per_channel, bank)].dram);
}

bool mh_mem_takes(const struct mh_gpu *g, uint32_t bank, bool read, bool walk, uint32_t tenant, uint32_t writes)
{
    struct mh_dram_request r = {.walk = walk, .tenant = (uint8_t)tenant};

    if (__builtin_expect(g->compressing, 0) && mh_packed_pending(g->memory, bank))
        return !read && !writes;
    return mh_dram_takes(g->memory->channel[mh_quotient(&g->memory->per_channel, bank)].dram, read ? &r : NULL, writes);
}

/* The DRAM cycle under way when this GPU cycle begins. Requests and events come several to a cycle: the last conversion
 * is kept. */
static uint64_t dram_now(struct mh_memory *m, uint64_t now)
{
    if (m->gpu_now != now) {
        m->gpu_now = now;
        m->dram_now = mh_ratio_floor(&m->to_dram, now);
    }
    return m->dram_now;
}

/* One event of a channel counts, the earliest that was asked for. The wheel takes nothing back: a later one stays in it
 * and is stale (mh_mem_event). */
static void schedule(struct mh_gpu *g, uint32_t channel, uint64_t dram_cycle)
{
    struct mh_channel *ch = &g->memory->channel[channel];

    if (dram_cycle >= ch->asked)
        return;
    uint64_t at = mh_ratio_ceil(&g->memory->to_gpu, dram_cycle);

    if (at < g->wheel.now)
        at = g->wheel.now;
    ch->asked = dram_cycle;
    if (at < ch->event_at) {
        ch->event_at = at;
        mh_wheel_add(&g->wheel, at, MH_EVENT(EV_DRAM, channel));
    }
}

void mh_mem_soon(struct mh_gpu *g, uint32_t channel)
{
    schedule(g, channel, dram_now(g->memory, g->wheel.now));
}

static inline void push(struct mh_gpu *g, uint32_t bank, struct mh_dram_request *r, uint32_t line)
{
    struct mh_memory *m = g->memory;
    uint32_t channel = mh_quotient(&m->per_channel, bank), n = m->banks_per_channel;
    /* The channel counts the lines of its banks in turn, so that its addresses have no holes. */
    uint64_t local = (uint64_t)mh_interleave_local(&m->interleave[r->tenant], line) * n + (bank - channel * n);

    uint64_t cycle = dram_now(m, g->wheel.now);

    r->addr = local * m->line_bytes;
    if (channel == m->tap.channel)
        mh_tap_enter(g, cycle, r);
    schedule(g, channel, mh_dram_push(m->channel[channel].dram, cycle, r));
}

void mh_mem_push(struct mh_gpu *g, uint32_t bank, struct mh_dram_request *r, uint32_t line)
{
    push(g, bank, r, line);
}

void mh_mem_read(struct mh_gpu *g, uint32_t bank, uint32_t line, uint32_t asked, uint32_t tenant, bool walk)
{
    uint32_t sectors = asked >> MH_ASKED_SECTORS;
    struct mh_dram_request r = {.tag = asked,
                                .walk = walk,
                                .tenant = (uint8_t)tenant,
                                .bursts = g->memory->bursts[sectors],
                                .parts = (uint8_t)sectors};

    if (__builtin_expect(g->odd_lines && mh_uvm_is_on_host(g, line >> g->page_shift), 0)) {
        mh_uvm_read_line(g, tenant, (uint32_t)g->memory->sectors[sectors] << MH_SECTOR_SHIFT,
                         MH_EVENT(EV_L2_FILL, asked));
        return;
    }
    push(g, bank, &r, line);
    if (__builtin_expect(g->compressing, 0))
        mh_packed_ask(g, bank, tenant, line, asked);
}

void mh_mem_write(struct mh_gpu *g, uint32_t bank, uint32_t line, uint32_t sectors, uint32_t filled)
{
    uint32_t tenant = mh_line_tenant(g, line);
    struct mh_dram_request r = {.tag = MH_TAG_WRITE | sectors << MH_ASKED_SECTORS | tenant,
                                .write = 1,
                                .tenant = (uint8_t)tenant,
                                .bursts = g->memory->bursts[sectors],
                                .parts = (uint8_t)sectors,
                                .filled = (uint8_t)filled};

    if (__builtin_expect(g->odd_lines && mh_uvm_is_on_host(g, line >> g->page_shift), 0)) {
        mh_uvm_write_line(g, tenant, (uint32_t)g->memory->sectors[sectors] << MH_SECTOR_SHIFT);
        return;
    }
    push(g, bank, &r, line);
    if (__builtin_expect(!g->compressing, 1))
        return;
    mh_packed_ask(g, bank, tenant, line, MH_TAG_NOBODY);
    mh_uvm_written(g, line);
}

void mh_mem_migrate(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line, bool write)
{
    struct mh_dram_request r = {
        .tag = MH_TAG_MIGRATE | (write ? MH_TAG_WRITE : 0), .write = write, .tenant = (uint8_t)tenant};

    push(g, bank, &r, line);
}

/* Stalled requests try again: the room that they need may be in another queue now. */
static void switch_queues(struct mh_gpu *g)
{
    struct mh_memory *m = g->memory;
    uint64_t now = dram_now(m, g->wheel.now);

    for (uint32_t i = 0; i < m->channels; i++)
        schedule(g, i, mh_dram_set_queues(m->channel[i].dram, now, g->knobs.dram_queues));
    mh_l2_rooms_changed(g);
}

static void apply(struct mh_gpu *g, const struct mh_knobs *before)
{
    if (memcmp(before->silver_thresh, g->knobs.silver_thresh, sizeof before->silver_thresh))
        for (uint32_t i = 0; i < g->memory->channels; i++)
            mh_dram_set_turns(g->memory->channel[i].dram, g->knobs.silver_thresh);
    if (before->dram_queues != g->knobs.dram_queues)
        switch_queues(g);
    mh_mem_apply_tenants(g, before);
}

/* Once for all that were served: stalled banks look at the queues as the step has left them. */
static void wake_banks(struct mh_gpu *g, uint32_t channel)
{
    uint32_t banks = g->memory->banks_per_channel;

    if (!g->memory->channel[channel].served)
        return;
    g->memory->channel[channel].served = false;
    for (uint32_t i = 0; i < banks; i++)
        mh_l2_kick(g, channel * banks + i);
}

void mh_mem_event(struct mh_gpu *g, uint32_t channel)
{
    struct mh_memory *m = g->memory;
    struct mh_channel *ch = &m->channel[channel];

    if (ch->event_at != g->wheel.now)
        return;
    ch->asked = MH_DRAM_NEVER;
    ch->event_at = UINT64_MAX;
    schedule(g, channel, mh_dram_step(ch->dram, dram_now(m, g->wheel.now)));
    if (__builtin_expect(g->compressing, 0))
        mh_packed_push(g, channel);
    wake_banks(g, channel);
}

void mh_mem_prioritize(struct mh_gpu *g, uint32_t none)
{
    struct mh_memory *m = g->memory;
    struct mh_counters count[MH_MAX_TENANTS];
    struct mh_mpki_counts so_far = {0};
    uint8_t priority[MH_MAX_TENANTS];
    uint64_t now = dram_now(m, g->wheel.now);

    (void)none;
    for (uint32_t t = 0; t < g->tenants; t++)
        count[t] = g->tenant[t].count;
    mh_sm_less_stocks(g, count);
    for (uint32_t t = 0; t < g->tenants; t++) {
        so_far.reads[t] = count[t].dram_read + count[t].dram_walk;
        so_far.instr[t] = count[t].lane_instr;
    }
    mh_mpki_interval(&m->mpki, &so_far, priority);
    for (uint32_t i = 0; i < m->channels; i++) {
        schedule(g, i, mh_dram_set_priorities(m->channel[i].dram, now, priority));
        wake_banks(g, i);
    }
    mh_wheel_add(&g->wheel, g->wheel.now + MH_MPKI_CYCLES, MH_EVENT(EV_DRAM_ORDER, 0));
}

/* --- As a block (engine/block.h). */

/* Its name; of several reads of the MSHR's sectors, that of any. */
static const char *held(const struct mh_dram *d, uint32_t mshr)
{
    const char *queue = mh_dram_holds(d, mshr);

    for (uint32_t s = 1; !queue && s < 1 << MH_MAX_SECTORS; s++)
        queue = mh_dram_holds(d, mshr | s << MH_ASKED_SECTORS);
    return queue;
}

bool mh_mem_tell(const struct mh_gpu *g, uint32_t bank, uint32_t line, uint32_t mshr, FILE *out)
{
    const struct mh_dram *d = g->memory->channel[mh_mem_channel(g, bank)].dram;
    const char *queue = held(d, mshr);

    if (mh_uvm_is_on_host(g, line >> g->page_shift)) {
        fprintf(out, "it on the host, over the link (EV_L2_FILL)");
        return true;
    }
    if (!queue)
        return false;
    fprintf(out, "it in its %s and does not serve it", queue);
    if (g->knobs.dram_queues) /* for long, perhaps, while others of higher priority come: it is no deadlock */
        fprintf(out, "; %" PRIu64 " requests have come to the channel", mh_dram_arrivals(d));
    return true;
}

/* Requests of a channel and the places that they take. */
#ifdef MH_DEBUG
static void check_channels(const struct mh_gpu *g)
{
    for (uint32_t c = 0; c < g->memory->channels; c++)
        MH_CHECK(mh_dram_check(g->memory->channel[c].dram));
}
#else
#define check_channels NULL
#endif

const struct mh_block mh_block_memory = {MH_BLOCK_STATE(memory, 1), .init = init,
                                         .free = free_all,          .apply = apply,
                                         .check = check_channels,   .read = mh_mem_read_tenants};
