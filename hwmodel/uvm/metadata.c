/*
 * Metadata of compressed pages: 64 bytes a page, in the page. ETC has one metadata cache, of 512 entries (sec. 4.4) and
 * 32 KB in all (sec. 6.5). Each channel's controller holds an equal part of its entries (ours), 16-way LRU (ours). A
 * page that is stored whole needs no metadata: its PTE says so.
 */
#include <stdlib.h>

#include "dram/memory.h"
#include "engine/tags.h"
#include "uvm/internal.h"

enum { WAYS = 16 };

static uint32_t key_of(const struct mh_uvm *m, uint32_t unit, uint32_t page)
{
    return unit * m->packing.pages + page;
}

int mh_uvm_start_metadata(struct mh_gpu *g)
{
    struct mh_packing *k = &g->uvm->packing;
    const uint32_t part = g->cfg.uvm.metadata_entries / g->cfg.dram.channels;
    const uint32_t entries = part ? part : 1, ways = entries < WAYS ? entries : WAYS;

    k->channels = g->cfg.dram.channels;
    k->metadata = calloc(k->channels, sizeof *k->metadata);
    for (uint32_t c = 0; k->metadata && c < k->channels; c++)
        if (mh_tags_init(&k->metadata[c], entries / ways, ways))
            return -1;
    return k->metadata ? 0 : -1;
}

void mh_uvm_end_metadata(struct mh_uvm *m)
{
    for (uint32_t c = 0; m->packing.metadata && c < m->packing.channels; c++)
        mh_tags_free(&m->packing.metadata[c]);
    free(m->packing.metadata);
}

void mh_uvm_drop_metadata(struct mh_uvm *m, uint32_t unit)
{
    for (uint32_t c = 0; c < m->packing.channels; c++)
        for (uint32_t p = 0; p < m->packing.pages; p++) {
            const struct mh_tags *t = &m->packing.metadata[c];
            uint32_t *set = mh_tags_set_of(t, key_of(m, unit, p));
            int way = mh_tags_find(t, set, key_of(m, unit, p));

            if (way >= 0)
                set[way] = 0;
        }
}

/* True: the channel's cache has it. If not, it will. */
static bool look_up(const struct mh_tags *t, uint32_t key)
{
    uint32_t *set = mh_tags_set_of(t, key);
    int way = mh_tags_find(t, set, key);
    bool hit = way >= 0;

    mh_tags_front(set, (uint32_t)(hit ? way : mh_tags_victim(t, set)), key << MH_TAG_BITS | MH_TAG_VALID);
    return hit;
}

static bool is_exception(const struct mh_gpu *g, const struct mh_lcp_page *page, uint32_t line_of_page)
{
    const uint32_t blocks = MH_LCP_BLOCKS / g->uvm->packing.lines;

    return page->exceptions >> line_of_page * blocks & (((uint64_t)1 << blocks) - 1);
}

bool mh_uvm_packed(struct mh_gpu *g, uint32_t channel, uint32_t line, uint32_t *extra)
{
    struct mh_uvm *m = g->uvm;
    uint32_t number, unit = mh_uvm_unit_of_line(g, line, &number);

    *extra = 0;
    if (unit == MH_NONE || !m->unit[unit].compressed)
        return false;
    const uint32_t p = number / m->packing.lines;
    const struct mh_lcp_page *page = mh_uvm_page(m, unit, p);
    struct mh_counters *c = &g->tenant[m->unit[unit].tenant].count;

    if (!g->cfg.uvm.compression_ratio && !mh_lcp_compressed(page))
        return false;
    if (look_up(&m->packing.metadata[channel], key_of(m, unit, p))) {
        c->metadata_hits++;
        return true;
    }
    c->metadata_misses++;
    *extra = 1 + (!g->cfg.uvm.compression_ratio && is_exception(g, page, number % m->packing.lines));
    return true;
}
