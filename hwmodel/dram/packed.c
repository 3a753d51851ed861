#include "dram/packed.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gpu.h"
#include "engine/upstream.h"

int mh_packed_init(struct mh_memory *m, const struct mh_config *cfg)
{
    if (strcmp(cfg->uvm.mode, "on") || strcmp(cfg->uvm.compression, "lcp"))
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
 * Whoever adds one may have places of the queue to fill that were promised: it enters after this event. Those that wait
 * are few: L2 and link stop while there are any. Only pages that move add more.
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
