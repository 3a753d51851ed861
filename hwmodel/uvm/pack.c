/*
 * Compressed units: what their pages take in memory. A unit that comes while its tenant's knob is 1 is packed by the
 * data that it holds then, page by page; a page that does not get smaller stays whole, and its PTE says so. Lines that
 * are written back later may not fit: the page is packed anew, and copied.
 */
#include <stdlib.h>
#include <string.h>

#include "dram/memory.h"
#include "engine/tags.h"
#include "noc/noc.h"
#include "uvm/compress/compress.h"
#include "uvm/internal.h"
#include "workload/values/values.h"
#include "workload/workload.h"

enum { WHOLE = 100 }; /* hundredths */

/* --- Where. */

uint32_t mh_uvm_unit_of_line(const struct mh_gpu *g, uint32_t line, uint32_t *number)
{
    const struct mh_uvm *m = g->uvm;
    const uint32_t frame = line >> g->page_shift, unit = mh_unit_of_frame(m, frame);

    if (unit == MH_NONE)
        return MH_NONE;
    const uint32_t *frames = mh_unit_frames(m, &m->unit[unit]);
    uint32_t p = 0;

    while (frames[p] != frame)
        p++;
    *number = p << g->page_shift | (line & (g->lines_per_page - 1));
    return unit;
}

static struct mh_lcp_page *pages_of(const struct mh_uvm *m, uint32_t unit)
{
    return m->packing.page + (size_t)unit * m->packing.pages;
}

const struct mh_lcp_page *mh_uvm_page(const struct mh_uvm *m, uint32_t unit, uint32_t page)
{
    return &pages_of(m, unit)[page];
}

static uint8_t *stored_of(const struct mh_uvm *m, uint32_t unit)
{
    return m->packing.stored + (size_t)unit * m->lines;
}

static uint64_t address_of(const struct mh_gpu *g, uint32_t unit)
{
    return (uint64_t)g->uvm->unit[unit].vpn * g->cfg.memory.page_bytes;
}

/* --- What. */

static void forget_stores(struct mh_uvm *m, uint32_t tenant)
{
    for (uint32_t i = 0; i < m->units; i++)
        if (m->unit[i].tenant == tenant)
            memset(stored_of(m, i), 0, m->lines);
}

/* Launches that have ended since it was looked at last have stored what they store. */
static struct mh_values *values_now(struct mh_gpu *g, uint32_t tenant)
{
    struct mh_uvm *m = g->uvm;
    struct mh_values *v = m->packing.values[tenant];
    const uint32_t launch = g->tenant[tenant].launch;

    if (launch == m->packing.launch[tenant])
        return v;
    forget_stores(m, tenant);
    if (v && launch < m->packing.launch[tenant])
        mh_values_restart(v);
    if (v)
        mh_values_finish(v, launch);
    m->packing.launch[tenant] = launch;
    return v;
}

void mh_uvm_stored(struct mh_gpu *g, uint32_t line)
{
    uint32_t number, unit = mh_uvm_unit_of_line(g, line, &number);

    if (unit == MH_NONE)
        return;
    (void)values_now(g, g->uvm->unit[unit].tenant);
    stored_of(g->uvm, unit)[number] = 1;
}

/* What the blocks of line `number` of the unit compress to. */
static void line_sizes(struct mh_gpu *g, struct mh_values *v, uint32_t unit, uint32_t number, uint8_t *sizes)
{
    const uint32_t bytes = g->cfg.memory.line_bytes;

    mh_compress_blocks(v, stored_of(g->uvm, unit)[number], address_of(g, unit) + (uint64_t)number * bytes,
                       bytes / MH_BDI_BLOCK, sizes);
}

static struct mh_lcp_page pack_page(struct mh_gpu *g, struct mh_values *v, uint32_t unit, uint32_t page)
{
    const uint32_t lines = g->uvm->packing.lines, blocks = MH_LCP_BLOCKS / lines;
    uint8_t sizes[MH_LCP_BLOCKS];

    for (uint32_t i = 0; i < lines; i++)
        line_sizes(g, v, unit, page * lines + i, sizes + i * blocks);
    return mh_lcp_pack(sizes);
}

/* With a ratio that is given every page counts as compressed, and none overflows. */
static uint32_t bytes_by_ratio(const struct mh_gpu *g)
{
    return (uint32_t)(((uint64_t)g->uvm->bytes * WHOLE + g->cfg.uvm.compression_ratio - 1) /
                      g->cfg.uvm.compression_ratio);
}

static uint32_t bytes_by_data(struct mh_gpu *g, struct mh_values *v, uint32_t unit)
{
    uint32_t bytes = 0;

    for (uint32_t p = 0; p < g->uvm->packing.pages; p++) {
        struct mh_lcp_page *page = &pages_of(g->uvm, unit)[p];

        *page = pack_page(g, v, unit, p);
        bytes += mh_lcp_bytes(page);
    }
    return bytes;
}

void mh_uvm_pack(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];
    struct mh_values *v = values_now(g, u->tenant);

    u->compressed = false;
    u->bytes = m->bytes;
    if (!g->knobs.compress[u->tenant] || (!v && !g->cfg.uvm.compression_ratio))
        return;
    u->bytes = g->cfg.uvm.compression_ratio ? bytes_by_ratio(g) : bytes_by_data(g, v, unit);
    u->compressed = u->bytes < m->bytes;
}

/* --- Overflow. */

/* The page's bytes are read and written once (LCP: it moves to a larger place; its PTE changes, which is not counted).
 */
static void copy_page(struct mh_gpu *g, uint32_t unit, uint32_t page, uint32_t bytes)
{
    const struct mh_unit *u = &g->uvm->unit[unit];
    const uint32_t lines = (bytes + g->cfg.memory.line_bytes - 1) / g->cfg.memory.line_bytes;

    for (uint32_t i = 0; i < lines; i++) {
        uint32_t line = mh_unit_line(g, u, page * g->uvm->packing.lines + i);
        uint32_t bank = mh_noc_bank(g->noc, u->tenant, line);

        mh_mem_extra(g, bank, u->tenant, line, false);
        mh_mem_extra(g, bank, u->tenant, line, true);
    }
}

static void overflow(struct mh_gpu *g, struct mh_values *v, uint32_t unit, uint32_t p)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];
    struct mh_lcp_page *page = &pages_of(m, unit)[p];
    const uint32_t before = mh_lcp_bytes(page);

    g->tenant[u->tenant].count.page_overflows++;
    copy_page(g, unit, p, before);
    *page = pack_page(g, v, unit, p);
    u->bytes += mh_lcp_bytes(page) - before;
    m->held[u->tenant] += mh_lcp_bytes(page) - (uint64_t)before;
    m->taken += mh_lcp_bytes(page) - (uint64_t)before;
    /* The page grows at once, from a reserve of one unit (ours). Nothing comes before others have left for it. When
     * they do not leave as fast as pages grow, the unit itself goes, and comes back when it has room. */
    if (m->taken <= m->memory)
        return;
    if (m->taken > m->memory + m->leaving_bytes + m->bytes)
        m->overfull = unit;
    mh_uvm_look(g, g->wheel.now);
}

void mh_uvm_written(struct mh_gpu *g, uint32_t line)
{
    struct mh_uvm *m = g->uvm;
    uint32_t number, unit = mh_uvm_unit_of_line(g, line, &number);

    /* Of a unit that leaves it does not matter any more. */
    if (unit == MH_NONE || !m->unit[unit].compressed || m->unit[unit].state != MH_UNIT_HERE ||
        g->cfg.uvm.compression_ratio)
        return;
    struct mh_values *v = values_now(g, m->unit[unit].tenant);
    const uint32_t p = number / m->packing.lines, blocks = MH_LCP_BLOCKS / m->packing.lines;
    uint8_t sizes[MH_LCP_BLOCKS];
    bool fits = true;

    line_sizes(g, v, unit, number, sizes);
    for (uint32_t b = 0; fits && b < blocks; b++)
        fits = mh_lcp_write(&pages_of(m, unit)[p], number % m->packing.lines * blocks + b, sizes[b]);
    if (!fits)
        overflow(g, v, unit, p);
}

/* --- The block's part. */

int mh_uvm_start_packing(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    struct mh_packing *k = &m->packing;

    if (!g->compressing)
        return 0;
    k->pages = m->bytes / MH_LCP_PAGE;
    k->lines = MH_LCP_PAGE / g->cfg.memory.line_bytes;
    k->page = calloc((size_t)m->units * k->pages, sizeof *k->page);
    k->stored = calloc(m->units, m->lines);
    if (!k->page || !k->stored || mh_uvm_start_metadata(g))
        return -1;
    /* Without values nothing compresses: that is said where the configuration is read. */
    for (uint32_t t = 0; t < g->tenants && !g->cfg.uvm.compression_ratio; t++) {
        const char *kernel = g->cfg.tenants[t].kernel;

        if (!mh_values_known(kernel, g->tenant[t].work))
            continue;
        k->values[t] = mh_values_create(kernel, g->tenant[t].work, NULL);
        if (!k->values[t])
            return -1;
    }
    return 0;
}

void mh_uvm_end_packing(struct mh_uvm *m)
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        mh_values_destroy(m->packing.values[t]);
    free(m->packing.page);
    free(m->packing.stored);
    mh_uvm_end_metadata(m);
}

void mh_uvm_read_packing(const struct mh_gpu *g, struct mh_counters *out)
{
    const struct mh_uvm *m = g->uvm;

    for (uint32_t i = 0; i < m->units; i++) {
        struct mh_counters *c = &out[m->unit[i].tenant];
        uint64_t *bytes[MH_LCP_CLASSES - 1] = {&c->uvm_bytes_512, &c->uvm_bytes_1k, &c->uvm_bytes_2k};
        bool counts = m->unit[i].compressed && !g->cfg.uvm.compression_ratio &&
                      (m->unit[i].state == MH_UNIT_HERE || m->unit[i].state == MH_UNIT_COMING);

        for (uint32_t p = 0; counts && p < m->packing.pages; p++)
            if (mh_lcp_compressed(mh_uvm_page(m, i, p)))
                *bytes[mh_uvm_page(m, i, p)->size] += mh_lcp_bytes(mh_uvm_page(m, i, p));
    }
}

#ifdef MH_DEBUG
void mh_uvm_check_packing(const struct mh_gpu *g, uint32_t unit)
{
    const struct mh_uvm *m = g->uvm;
    uint32_t bytes = 0;

    for (uint32_t p = 0; p < m->packing.pages && !g->cfg.uvm.compression_ratio; p++) {
        const struct mh_lcp_page *page = mh_uvm_page(m, unit, p);

        bytes += mh_lcp_bytes(page);
        MH_CHECK((uint32_t)__builtin_popcountll(page->exceptions) <= mh_lcp_places(page));
    }
    MH_CHECK(m->unit[unit].bytes == (g->cfg.uvm.compression_ratio ? bytes_by_ratio(g) : bytes));
}
#endif

/*
 * --- Metadata of compressed pages: 64 bytes a page, in the page. ETC has one metadata cache, of 512 entries (sec. 4.4)
 * and 32 KB in all (sec. 6.5). Each channel's controller holds an equal part of its entries (ours), 16-way LRU (ours).
 * A page that is stored whole needs no metadata: its PTE says so.
 */

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
