#include <stdlib.h>
#include <string.h>

#include "engine/assoc.h"
#include "translate/page_table.h"
#include "translate/shootdown.h"
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

    if (!m->on)
        return false;
    u = &m->unit[mh_unit_of(m, tenant, vpn)];
    return u->head != MH_NONE && u->state != MH_UNIT_HERE;
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
    u->state = MH_UNIT_HERE;
    u->older = m->newest;
    u->newer = MH_NONE;
    if (m->newest == MH_NONE)
        m->oldest = unit;
    else
        m->unit[m->newest].newer = unit;
    m->newest = unit;
    m->here++;
}

static void unlink_age(struct mh_uvm *m, const struct mh_unit *u)
{
    *(u->older == MH_NONE ? &m->oldest : &m->unit[u->older].newer) = u->newer;
    *(u->newer == MH_NONE ? &m->newest : &m->unit[u->newer].older) = u->older;
    m->here--;
}

void mh_unit_unmap(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];

    unlink_age(m, u);
    for (uint32_t p = 0; p < m->pages; p++) {
        mh_pt_lift(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);
        mh_flush_page(g, u->tenant, u->vpn + p);
    }
}

void mh_unit_free_frames(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    struct mh_unit *u = &m->unit[unit];

    for (uint32_t p = 0; p < m->pages; p++)
        mh_pt_give_back(g->pages, mh_unit_frames(m, u)[p]);
    m->free_sets[m->free_count++] = u->frames;
    u->frames = MH_NONE;
    u->state = MH_UNIT_HOST;
}

/* --- The start. */

/* All its pages are mapped, as those of buffers are already: a unit has as many frames as pages. */
static int add_unit(struct mh_gpu *g, uint32_t tenant, uint32_t vpn)
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
    for (uint32_t p = 0; p < m->pages; p++)
        if (mh_pt_map(g->pages, t->page_root, t->asid, vpn + p))
            return -1;
    m->unit[m->units++] =
        (struct mh_unit){.vpn = vpn, .frames = MH_NONE, .head = MH_NONE, .next = MH_NONE, .tenant = (uint8_t)tenant};
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
    m->units = kept;
}

static int find_units(struct mh_gpu *g)
{
    const uint64_t unit = g->uvm->bytes;

    for (uint32_t t = 0; t < g->tenants; t++) {
        const struct mh_workload *w = g->tenant[t].work;

        for (uint32_t i = 0; i < w->buffer_count; i++)
            for (uint64_t at = w->buffers[i].base / unit; at <= (w->buffers[i].base + w->buffers[i].bytes - 1) / unit;
                 at++)
                if (add_unit(g, t, (uint32_t)(at << g->uvm->shift)))
                    return -1;
    }
    sort_units(g->uvm);
    return 0;
}

/* The frames of the first units become those of GPU memory; the others' are nobody's for ever. */
static int take_frames(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    m->frame = malloc((size_t)m->capacity * m->pages * sizeof *m->frame);
    m->free_sets = malloc(m->capacity * sizeof *m->free_sets);
    if (!m->frame || !m->free_sets || mh_index_init(&m->index, m->units))
        return -1;
    for (uint32_t i = 0; i < m->units; i++) {
        const struct mh_unit *u = &m->unit[i];

        mh_index_put(&m->index, key_of(m, u->tenant, u->vpn), i);
        for (uint32_t p = 0; p < m->pages; p++) {
            uint32_t frame = mh_pt_lift(g->pages, g->tenant[u->tenant].page_root, u->vpn + p);

            mh_pt_give_back(g->pages, frame);
            if (i < m->capacity)
                m->frame[i * m->pages + p] = frame;
        }
    }
    /* The first unit that comes gets the first set. */
    for (uint32_t i = 0; i < m->capacity; i++)
        m->free_sets[i] = m->capacity - 1 - i;
    m->free_count = m->capacity;
    return 0;
}

int mh_uvm_start(struct mh_gpu *g, struct mh_error *err)
{
    struct mh_uvm *m = g->uvm;
    uint64_t bytes;

    if (!m->on)
        return 0;
    if (find_units(g))
        return mh_fail(err, "memory.bytes: no room for the workload's %u bytes units", m->bytes);
    if (mh_uvm_capacity(g->cfg.uvm.capacity, (uint64_t)m->units * m->bytes, &bytes, err))
        return -1;
    if (bytes < m->bytes)
        return mh_fail(err, "uvm.capacity: %s is %llu bytes of this workload's %llu: less than a unit, %u bytes",
                       g->cfg.uvm.capacity, (unsigned long long)bytes, (unsigned long long)m->units * m->bytes,
                       m->bytes);
    m->capacity = bytes / m->bytes < m->units ? (uint32_t)(bytes / m->bytes) : m->units;
    return take_frames(g) ? mh_fail(err, "out of memory for %u units of demand paging", m->units) : 0;
}
