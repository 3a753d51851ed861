#include "dram/memory.h"
#include "engine/gpu.h"
#include "engine/upstream.h"

#include <stdlib.h>
#include <string.h>

/* The channel's event of this cycle goes on with what was served, and with what comes next. */
static void set_ranks(struct mh_gpu *g)
{
    struct mh_memory *m = g->memory;
    uint64_t now = mh_ratio_floor(&m->to_dram, g->wheel.now);
    uint32_t rank[MH_MAX_TENANTS];

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) /* ranks of absent tenants change no order */
        rank[t] = g->knobs.dram_rank[t < g->tenants ? t : 0];
    for (uint32_t i = 0; i < m->channels; i++) {
        mh_dram_set_ranks(m->channel[i].dram, now, rank);
        mh_mem_soon(g, i);
    }
}

static void set_watch(struct mh_gpu *g)
{
    struct mh_memory *m = g->memory;
    uint64_t now = mh_ratio_floor(&m->to_dram, g->wheel.now);

    for (uint32_t i = 0; i < m->channels; i++) {
        mh_dram_set_watch(m->channel[i].dram, now, g->knobs.dram_monitor);
        mh_mem_soon(g, i);
    }
}

void mh_mem_apply_tenants(struct mh_gpu *g, const struct mh_knobs *before)
{
    if (memcmp(before->dram_rank, g->knobs.dram_rank, sizeof before->dram_rank))
        set_ranks(g);
    if (before->dram_monitor != g->knobs.dram_monitor)
        set_watch(g);
}

void mh_mem_read_tenants(const struct mh_gpu *g, struct mh_counters *out)
{
    const struct mh_memory *m = g->memory;
    uint64_t now = mh_ratio_floor(&m->to_dram, g->wheel.now);

    for (uint32_t i = 0; i < m->channels; i++)
        for (uint32_t t = 0; t < g->tenants; t++) {
            struct mh_dram_watched w = mh_dram_watched(m->channel[i].dram, now, t);

            out[t].dram_alone_reads += w.reads;
            out[t].dram_alone_hits += w.hits;
            out[t].dram_banks_area += w.area;
            out[t].dram_banks_cycles += w.cycles;
        }
}

/* Compares reads per instruction as cross products, without a division. A tenant that read and issued nothing has
 * infinitely many. The second condition puts one that did neither before all that read. */
static int fewer(const struct mh_mpki_counts *c, uint32_t a, uint32_t b)
{
    return c->reads[a] * c->instr[b] < c->reads[b] * c->instr[a] || (!c->reads[a] && c->reads[b]);
}

/* Tenants that are not there have read nothing. They put all that read behind them alike, which changes no order. */
void mh_mpki_order(const struct mh_mpki_counts *counts, uint8_t priority[MH_MAX_TENANTS])
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        priority[t] = 0;
        for (uint32_t other = 0; other < MH_MAX_TENANTS; other++)
            priority[t] += fewer(counts, other, t);
    }
}

void mh_mpki_interval(struct mh_mpki *m, const struct mh_mpki_counts *so_far, uint8_t priority[MH_MAX_TENANTS])
{
    struct mh_mpki_counts since;

    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
        since.reads[t] = so_far->reads[t] - m->before.reads[t];
        since.instr[t] = so_far->instr[t] - m->before.instr[t];
    }
    m->before = *so_far;
    mh_mpki_order(&since, priority);
}

int mh_tap_init(struct mh_memory *m, const struct mh_config *cfg)
{
    m->tap.channel = cfg->run.log_dram ? cfg->run.log_dram_channel : UINT32_MAX;
    if (!cfg->run.log_dram)
        return 0;
    m->tap.entered = calloc((size_t)m->banks_per_channel * cfg->l2.mshrs * MH_MAX_SECTORS, sizeof *m->tap.entered);
    return m->tap.entered ? 0 : -1;
}

void mh_tap_free(struct mh_memory *m)
{
    free(m->tap.entered);
}

/* Tags of a channel's banks follow each other: the remainder is the MSHR's place among theirs. */
static uint64_t *entered(const struct mh_gpu *g, uint32_t tag)
{
    struct mh_tap *tap = &g->memory->tap;
    uint32_t sectors = tag >> MH_ASKED_SECTORS, mshr = tag & MH_ASKED_MSHR;

    if (tag & (MH_TAG_MIGRATE | MH_TAG_EXTRA))
        return &tap->migrated;
    return &tap->entered[mshr % (g->memory->banks_per_channel * g->cfg.l2.mshrs) * MH_MAX_SECTORS +
                         (sectors ? (uint32_t)__builtin_ctz(sectors) : 0)];
}

void mh_tap_enter(struct mh_gpu *g, uint64_t cycle, const struct mh_dram_request *r)
{
    const struct mh_observer *obs = &g->memory->tap.obs;

    if (!r->write)
        *entered(g, r->tag) = cycle;
    if (obs->dram_enter)
        obs->dram_enter(obs->ctx, cycle, r->addr, r->write);
}

void mh_tap_serve(struct mh_gpu *g, uint32_t tag, uint64_t finish, bool row_hit)
{
    const struct mh_observer *obs = &g->memory->tap.obs;
    bool write = tag & MH_TAG_WRITE;

    if (obs->dram_serve)
        obs->dram_serve(obs->ctx, write ? 0 : *entered(g, tag), finish, write, row_hit);
}

int mh_packed_init(struct mh_memory *m, const struct mh_config *cfg)
{
    if (cfg->uvm.mode != MH_UVM_ON || cfg->uvm.compression != MH_COMPRESSION_LCP)
        return 0;
    m->extras = calloc(m->channels, sizeof *m->extras);
    m->packed = calloc((size_t)cfg->l2.banks * cfg->l2.mshrs, sizeof *m->packed);
    return m->extras && m->packed ? 0 : -1;
}

void mh_packed_free(struct mh_memory *m)
{
    for (uint32_t i = 0; m->extras && i < m->channels; i++)
        free(m->extras[i].item);
    free(m->extras);
    free(m->packed);
}

/* --- Reads. */

static uint64_t unpacked(const struct mh_gpu *g, const struct mh_packed_read *p)
{
    return (p->data > p->last ? p->data : p->last) + g->cfg.uvm.decompress_cycles;
}

bool mh_packed_data(struct mh_gpu *g, uint32_t reader, uint64_t *at)
{
    struct mh_packed_read *p = &g->memory->packed[reader];

    if (!p->packed)
        return true;
    p->data = *at;
    *at = unpacked(g, p);
    return !p->extra;
}

bool mh_packed_extra(struct mh_gpu *g, uint32_t tag, uint64_t *at)
{
    struct mh_packed_read *p = &g->memory->packed[tag & MH_TAG_NOBODY];

    if ((tag & MH_TAG_NOBODY) == MH_TAG_NOBODY)
        return false;
    p->last = *at > p->last ? *at : p->last;
    *at = unpacked(g, p);
    return !--p->extra && p->data;
}

/* --- Queues. */

static bool takes(const struct mh_memory *m, const struct mh_extra *x)
{
    struct mh_dram_request r = {.tenant = x->tenant};

    return mh_dram_takes(m->channel[mh_quotient(&m->per_channel, x->bank)].dram, x->write ? NULL : &r, x->write);
}

static void grow(struct mh_extras *q)
{
    uint32_t room = q->room ? 2 * q->room : 64;
    struct mh_extra *item = malloc(room * sizeof *item);

    /* As with the wheel: without memory the model cannot go on in any useful way. */
    if (!item)
        abort();
    for (uint32_t i = 0; i < q->count; i++)
        item[i] = q->item[(q->head + i) % q->room];
    free(q->item);
    *q = (struct mh_extras){item, 0, q->count, room};
}

/*
 * The event that adds one may have to fill places of the queue that were promised: the access enters after it. Those
 * that wait are few: L2 and link stop while there are any. Only pages that move add more.
 */
static void add(struct mh_gpu *g, const struct mh_extra *x)
{
    uint32_t channel = mh_quotient(&g->memory->per_channel, x->bank);
    struct mh_extras *q = &g->memory->extras[channel];

    if (q->count == q->room)
        grow(q);
    q->item[(q->head + q->count++) % q->room] = *x;
    mh_mem_soon(g, channel);
}

void mh_packed_push(struct mh_gpu *g, uint32_t channel)
{
    struct mh_extras *q = &g->memory->extras[channel];

    if (!q->count)
        return;
    while (q->count && takes(g->memory, &q->item[q->head])) {
        const struct mh_extra *x = &q->item[q->head];
        struct mh_dram_request r = {.tag = x->tag, .write = x->write, .tenant = x->tenant};

        mh_mem_push(g, x->bank, &r, x->line);
        q->head = (q->head + 1) % q->room;
        q->count--;
    }
    g->memory->channel[channel].served |= !q->count; /* others may come again */
}

void mh_mem_extra(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line, bool write)
{
    add(g, &(struct mh_extra){line, MH_TAG_EXTRA | MH_TAG_NOBODY | (write ? MH_TAG_WRITE : 0), (uint16_t)bank,
                              (uint8_t)tenant, write});
}

/* Metadata lie with their page: in the same row as the line, which is asked for at the same time. */
void mh_packed_ask(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line, uint32_t reader)
{
    uint32_t extra;
    bool packed = mh_uvm_packed(g, mh_quotient(&g->memory->per_channel, bank), line, &extra);

    if (reader != MH_TAG_NOBODY)
        g->memory->packed[reader] = (struct mh_packed_read){.extra = (uint8_t)extra, .packed = packed};
    for (uint32_t i = 0; i < extra; i++)
        add(g, &(struct mh_extra){line, MH_TAG_EXTRA | reader, (uint16_t)bank, (uint8_t)tenant, 0});
}
