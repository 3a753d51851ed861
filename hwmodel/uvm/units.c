#include <stdlib.h>
#include <string.h>

#include "engine/assoc.h"
#include "pages/page_table.h"
#include "translate/walk.h"
#include "uvm/internal.h"
#include "workload/workload.h"

static uint32_t key_of(const struct mh_uvm *m, uint32_t tenant, uint32_t vpn)
{
    return mh_page_key(tenant, vpn >> m->shift);
}

uint32_t mh_unit_of(const struct mh_uvm *m, uint32_t tenant, uint32_t vpn)
{
    int at = mh_index_find(&m->index, key_of(m, tenant, vpn));

    return at < 0 ? MH_NONE : (uint32_t)at;
}

bool mh_uvm_faults(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
{
    const struct mh_uvm *m = g->uvm;
    const struct mh_unit *u;
    uint32_t unit;

    if (!m->on)
        return false;
    unit = mh_unit_of(m, tenant, vpn);
    if (unit == MH_NONE) /* of an array that stays on the host */
        return false;
    u = &m->unit[unit];
    return u->head != MH_NONE && u->state != MH_UNIT_HERE;
}

uint32_t mh_unit_at(const struct mh_uvm *m, uint32_t tenant, uint32_t number)
{
    return mh_unit_of(m, tenant, number << m->shift);
}

bool mh_unit_is_gone(const struct mh_gpu *g, const struct mh_unit *u)
{
    return g->tenant[u->tenant].presence == MH_LEFT;
}

void mh_unit_push(struct mh_uvm *m, struct mh_unit_queue *q, uint32_t unit)
{
    m->unit[unit].next = MH_NONE;
    if (q->count++)
        m->unit[q->tail].next = unit;
    else
        q->head = unit;
    q->tail = unit;
}

uint32_t mh_unit_pop(struct mh_uvm *m, struct mh_unit_queue *q)
{
    uint32_t unit = q->head;

    MH_CHECK(q->count);
    q->head = m->unit[unit].next;
    q->count--;
    return unit;
}

uint32_t mh_unit_forget(struct mh_uvm *m, struct mh_unit_queue *q, uint32_t tenant)
{
    const uint32_t before = q->count;

    for (uint32_t n = q->count; n; n--) {
        uint32_t unit = mh_unit_pop(m, q);

        if (m->unit[unit].tenant == tenant)
            m->unit[unit].state = MH_UNIT_HOST, m->unit[unit].bytes = 0, m->unit[unit].compressed = false;
        else
            mh_unit_push(m, q, unit);
    }
    return before - q->count;
}

uint64_t mh_uvm_room(const struct mh_uvm *m)
{
    uint64_t room = m->memory + m->leaving_bytes;

    return room > m->taken ? room - m->taken : 0;
}

/* What is in host memory does not change: what it compresses to is known before it comes. The DMA unit packs it (ours:
 * ETC sec. 4.4 has the hardware there). */
uint32_t mh_unit_bytes(struct mh_gpu *g, uint32_t unit)
{
    struct mh_unit *u = &g->uvm->unit[unit];

    if (!u->bytes && g->compressing)
        mh_uvm_pack(g, unit);
    else if (!u->bytes)
        u->bytes = g->uvm->bytes;
    return u->bytes;
}

bool mh_unit_fits(struct mh_gpu *g, uint32_t unit)
{
    const struct mh_uvm *m = g->uvm;

    return m->free_count && m->taken + mh_unit_bytes(g, unit) <= m->memory;
}

static void make_newest(struct mh_uvm *m, uint32_t unit)
{
    struct mh_unit *u = &m->unit[unit];

    u->older = m->newest;
    u->newer = MH_NONE;
    *(m->newest == MH_NONE ? &m->oldest : &m->unit[m->newest].newer) = unit;
    m->newest = unit;
}

static void take_out(struct mh_uvm *m, const struct mh_unit *u)
{
    *(u->older == MH_NONE ? &m->oldest : &m->unit[u->older].newer) = u->newer;
    *(u->newer == MH_NONE ? &m->newest : &m->unit[u->newer].older) = u->older;
}

/* evict: block. The driver keeps a list of chunks of 2 MB, and memory that it allocates in one puts that one last. */
static void renew_block(struct mh_uvm *m, const struct mh_unit *u)
{
    const uint32_t span = MH_UVM_BLOCK_BYTES / m->bytes, first = u->vpn >> m->shift & ~(span - 1);

    for (uint32_t i = 0; i < span; i++) {
        uint32_t unit = mh_unit_at(m, u->tenant, first + i);

        if (unit == MH_NONE || m->unit[unit].state != MH_UNIT_HERE)
            continue;
        take_out(m, &m->unit[unit]);
        make_newest(m, unit);
    }
}

void mh_unit_take_frames(struct mh_uvm *m, uint32_t unit)
{
    struct mh_unit *u = &m->unit[unit];

    m->taken += u->bytes;
    m->held[u->tenant] += u->bytes;
    u->frames = m->free_sets[--m->free_count];
    for (uint32_t p = 0; p < m->pages; p++)
        m->unit_of[mh_unit_frames(m, u)[p]] = ~unit;
    m->resident[u->tenant]++;
    if (m->by_block)
        renew_block(m, u);
}

const uint32_t *mh_unit_frames(const struct mh_uvm *m, const struct mh_unit *u)
{
    return m->frame + (size_t)u->frames * m->pages;
}

uint32_t mh_unit_line(const struct mh_gpu *g, const struct mh_unit *u, uint32_t i)
{
    return mh_unit_frames(g->uvm, u)[i >> g->page_shift] << g->page_shift | (i & (g->lines_per_page - 1));
}

void mh_unit_map(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];
    const struct mh_tenant *t = &g->tenant[u->tenant];

    for (uint32_t p = 0; p < m->pages; p++)
        mh_pt_place(g->pages, t->page_root, t->asid, u->vpn + p, mh_unit_frames(m, u)[p]);
    if (m->by_block)
        renew_block(m, u);
    u->state = MH_UNIT_HERE;
    u->dirty = false;
    make_newest(m, unit);
    m->here++;
}

/* The ideal that no driver can have: every access counts, hits of the L1D too (evict: lru). */
void mh_uvm_access(struct mh_gpu *g, uint32_t ppn, bool writes)
{
    struct mh_uvm *m = g->uvm;
    uint32_t unit = mh_unit_of_frame(m, ppn);
    struct mh_unit *u = &m->unit[unit];

    if (unit == MH_NONE) /* of an array that stays on the host */
        return;
    u->dirty |= writes;
    if (u->state != MH_UNIT_HERE || g->cfg.uvm.evict != MH_EVICT_LRU || unit == m->newest)
        return;
    take_out(m, u);
    make_newest(m, unit);
}

void mh_unit_unmap(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];

    take_out(m, u);
    m->here--;
    m->resident[u->tenant]--;
    m->held[u->tenant] -= u->bytes;
    for (uint32_t p = 0; p < m->pages; p++) {
        mh_pt_lift(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);
        mh_flush_page(g, u->tenant, u->vpn + p);
    }
}

void mh_unit_free_frames(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];

    for (uint32_t p = 0; p < m->pages; p++) {
        m->unit_of[mh_unit_frames(m, u)[p]] = ~MH_NONE;
        mh_pt_give_back(g->pages, mh_unit_frames(m, u)[p]);
    }
    if (u->compressed)
        mh_uvm_drop_metadata(m, unit);
    m->taken -= u->bytes;
    u->bytes = 0;
    u->compressed = false;
    m->free_sets[m->free_count++] = u->frames;
    u->frames = MH_NONE;
    u->state = MH_UNIT_HOST;
}

/* --- The start. */

/* All its pages are mapped, as those of buffers are already: a unit has as many frames as pages. */
static int add_unit(struct mh_gpu *g, uint32_t tenant, uint32_t vpn, uint8_t hint)
{
    struct mh_uvm *m = g->uvm;
    const struct mh_tenant *t = &g->tenant[tenant];

    if (m->units == m->room) {
        uint32_t room = m->room ? 2 * m->room : 1024;
        struct mh_unit *more = realloc(m->unit, room * sizeof *more);

        if (!more)
            return -1;
        m->unit = more;
        m->room = room;
    }
    if (mh_pt_map(g->pages, t->page_root, t->asid, vpn, m->pages))
        return -1;
    m->unit[m->units++] = (struct mh_unit){
        .vpn = vpn, .frames = MH_NONE, .head = MH_NONE, .next = MH_NONE, .tenant = (uint8_t)tenant, .hint = hint};
    return 0;
}

static int compare(const void *a, const void *b)
{
    const struct mh_unit *x = a, *y = b;

    if (x->tenant != y->tenant)
        return x->tenant < y->tenant ? -1 : 1;
    return x->vpn < y->vpn ? -1 : x->vpn > y->vpn;
}

/* Two buffers may have pages of one unit. */
static void sort_units(struct mh_uvm *m)
{
    uint32_t kept = 0;

    qsort(m->unit, m->units, sizeof *m->unit, compare);
    for (uint32_t i = 0; i < m->units; i++)
        if (!kept || compare(&m->unit[kept - 1], &m->unit[i]))
            m->unit[kept++] = m->unit[i];
        else
            m->unit[kept - 1].hint = mh_uvm_both(m->unit[kept - 1].hint, m->unit[i].hint);
    m->units = kept;
}

static int add_buffer(struct mh_gpu *g, uint32_t tenant, const struct mh_buffer *b, uint8_t hint)
{
    const uint64_t unit = g->uvm->bytes;

    for (uint64_t at = b->base / unit; at <= (b->base + b->bytes - 1) / unit; at++)
        if (add_unit(g, tenant, (uint32_t)(at << g->uvm->shift), hint))
            return -1;
    return 0;
}

static int find_units(struct mh_gpu *g, struct mh_error *err)
{
    for (uint32_t t = 0; t < g->tenants; t++) {
        const struct mh_workload *w = g->tenant[t].work;
        uint8_t *hint = calloc(w->buffer_count + 1, 1);
        int shares = mh_uvm_shares(&g->cfg, t, w);
        int bad = !hint || shares < 0 ? mh_fail(err, "out of memory for the buffers of tenant %u", t)
                                      : mh_uvm_read_hints(g->cfg.tenants[t].hints, t, w->buffer_count, hint, err);

        g->uvm->shared[t] = shares > 0;
        for (uint32_t i = 0; !bad && i < w->buffer_count; i++)
            if ((bad = add_buffer(g, t, &w->buffers[i], hint[i])))
                bad = mh_fail(err, "memory.bytes: no room for the workload's units of %u bytes", g->uvm->bytes);
        free(hint);
        if (bad)
            return -1;
    }
    sort_units(g->uvm);
    return 0;
}

/* The frames of the first units become those of GPU memory; those of other units are never used. With compressed units
 * more of them are there than memory has room for whole: caches know them by addresses of whole pages, as in LCP. */
static int take_frames(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    const size_t frames = (size_t)(g->cfg.memory.bytes / g->cfg.memory.page_bytes);

    m->frame = malloc((size_t)m->sets * m->pages * sizeof *m->frame);
    m->free_sets = malloc(m->sets * sizeof *m->free_sets);
    m->unit_of = calloc(frames, sizeof *m->unit_of);
    m->used = calloc(m->units, sizeof *m->used);
    if (!m->frame || !m->free_sets || !m->unit_of || !m->used || mh_index_init(&m->index, m->units))
        return -1;
    for (uint32_t i = 0; i < m->units; i++) {
        const struct mh_unit *u = &m->unit[i];

        m->allocated[u->tenant]++;
        mh_index_put(&m->index, key_of(m, u->tenant, u->vpn), i);
        for (uint32_t p = 0; p < m->pages; p++) {
            uint32_t frame = mh_pt_lift(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);

            mh_pt_give_back(g->pages, frame);
            if (i < m->sets)
                m->frame[i * m->pages + p] = frame;
        }
    }
    /* The first unit that comes gets the first set. */
    for (uint32_t i = 0; i < m->sets; i++)
        m->free_sets[i] = m->sets - 1 - i;
    m->free_count = m->sets;
    return 0;
}

int mh_uvm_start(struct mh_gpu *g, struct mh_error *err)
{
    struct mh_uvm *m = g->uvm;
    uint64_t bytes;

    if (!m->on)
        return 0;
    if (find_units(g, err))
        return -1;
    if (mh_uvm_capacity(g->cfg.uvm.capacity, (uint64_t)m->units * m->bytes, &bytes, err))
        return -1;
    if (bytes < m->bytes)
        return mh_fail(err, "uvm.capacity: %s is %llu bytes of this workload's %llu: less than a unit, %u bytes",
                       g->cfg.uvm.capacity, (unsigned long long)bytes, (unsigned long long)m->units * m->bytes,
                       m->bytes);
    if (mh_uvm_keep_on_host(g))
        return mh_fail(err, "out of memory for the hints of tenants");
    m->capacity = bytes / m->bytes < m->units ? (uint32_t)(bytes / m->bytes) : m->units;
    m->memory = (uint64_t)m->capacity * m->bytes;
    m->sets = g->compressing ? m->units : m->capacity;
    if (take_frames(g) || mh_uvm_find_regions(g) || mh_uvm_start_packing(g))
        return mh_fail(err, "out of memory for %u units of demand paging", m->units);
    g->odd_lines = m->on_host != NULL;
    for (uint32_t t = 0; t < g->tenants; t++)
        if (g->tenant[t].presence == MH_PRESENT)
            mh_uvm_arrive(g, t);
    return 0;
}
