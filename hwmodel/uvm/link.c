/*
 * The link: two directions that know nothing of each other (dual DMA, ETC sec. 4.2). Lines follow each other at the
 * link's rate. In: a line that has come is written to DRAM. Out: lines that the L2 had dirty are written to DRAM first;
 * then a line is read from DRAM and leaves. A line without room in its channel's queue tries again (ours).
 */
#include "cache/l2.h"
#include "dram/memory.h"
#include "noc/noc.h"
#include "sm/sm.h"
#include "uvm/internal.h"

enum {
    RETRY = 4,    /* GPU cycles; ours */
    AHEAD = 4096, /* bytes that are read from DRAM before they can leave; ours */
};

static uint64_t position_at(const struct mh_link *l, uint64_t cycle)
{
    return mh_ratio_floor(&l->to_bytes, cycle);
}

static uint64_t cycle_of(const struct mh_link *l, uint64_t position)
{
    return mh_ratio_ceil(&l->to_cycles, position) + l->latency;
}

/* Takes the link for a unit, behind those that have it. A unit that comes in the cycle in which the last of them
 * has crossed loses no part of a cycle. */
static void take(struct mh_gpu *g, struct mh_link *l, uint32_t unit)
{
    if (mh_ratio_ceil(&l->to_cycles, l->position) < g->wheel.now)
        l->position = position_at(l, g->wheel.now);
    g->uvm->unit[unit].start = l->position;
    g->uvm->unit[unit].pushed = l->pushed;
    l->position += g->uvm->bytes;
}

/* Cycle at which line `line` of the unit has crossed the link. */
static uint64_t crossed(const struct mh_gpu *g, const struct mh_link *l, uint32_t unit, uint32_t line)
{
    const struct mh_unit *u = &g->uvm->unit[unit];

    return cycle_of(l, u->start + l->pushed - u->pushed + (uint64_t)(line + 1) * g->cfg.memory.line_bytes);
}

/* A line of a compressed unit goes through the DMA unit's compressor. */
static uint64_t packed(const struct mh_gpu *g, const struct mh_link *l, uint32_t unit, uint32_t line)
{
    return crossed(g, l, unit, line) + (g->uvm->unit[unit].compressed ? g->cfg.uvm.compress_cycles : 0);
}

/* False: its channel has no room. */
static bool migrate(struct mh_gpu *g, uint32_t unit, uint32_t i, bool write)
{
    const struct mh_unit *u = &g->uvm->unit[unit];
    uint32_t line = mh_unit_line(g, u, i), bank = mh_noc_bank(g->noc, u->tenant, line);

    if (!mh_mem_takes(g, bank, !write, false, u->tenant, write))
        return false;
    mh_mem_migrate(g, bank, u->tenant, line, write);
    return true;
}

static void add_at(struct mh_gpu *g, uint64_t cycle, uint32_t event)
{
    mh_wheel_add(&g->wheel, cycle > g->wheel.now ? cycle : g->wheel.now + 1, event);
}

/* --- In. */

static void start_in(struct mh_gpu *g)
{
    struct mh_link *l = &g->uvm->in;

    l->line = 0;
    add_at(g, packed(g, l, l->waiting.head, 0), MH_EVENT(EV_UVM_IN, 0));
}

static void has_come(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;
    uint32_t unit = mh_unit_pop(m, &m->in.waiting);

    g->tenant[m->unit[unit].tenant].count.uvm_in_bytes += m->bytes;
    if (mh_unit_is_gone(g, &m->unit[unit])) {
        m->resident[m->unit[unit].tenant]--;
        m->held[m->unit[unit].tenant] -= m->unit[unit].bytes;
        mh_unit_free_frames(g, unit);
    } else {
        mh_unit_map(g, unit);
        mh_uvm_replay(g, unit);
    }
    if (m->in.waiting.count)
        start_in(g);
    mh_uvm_hand_out(g);
    mh_uvm_prefetch_next(g);
}

void mh_uvm_in(struct mh_gpu *g, uint32_t none)
{
    struct mh_uvm *m = g->uvm;
    struct mh_link *l = &m->in;
    uint32_t unit = l->waiting.head;

    (void)none;
    if (!migrate(g, unit, l->line, true)) {
        add_at(g, g->wheel.now + RETRY, MH_EVENT(EV_UVM_IN, 0));
        return;
    }
    if (++l->line == m->lines)
        has_come(g);
    else
        add_at(g, packed(g, l, unit, l->line), MH_EVENT(EV_UVM_IN, 0));
}

void mh_uvm_place(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;

    m->unit[unit].state = MH_UNIT_PLACED;
    m->unit[unit].follows = m->unit[unit].prefetched;
    mh_unit_push(m, &m->placed, unit);
}

void mh_uvm_hand_out(struct mh_gpu *g)
{
    struct mh_uvm *m = g->uvm;

    /* An eviction is one step of the driver's: it then allocates (ETC, figure 5a). */
    if (m->wait_all && m->needed)
        return;
    while (m->placed.count && mh_unit_fits(g, m->placed.head)) {
        uint32_t unit = mh_unit_pop(m, &m->placed);

        mh_unit_take_frames(m, unit);
        m->unit[unit].state = MH_UNIT_COMING;
        take(g, &m->in, unit);
        mh_unit_push(m, &m->in.waiting, unit);
        if (m->in.waiting.count == 1)
            start_in(g);
    }
    if (m->placed.count || m->taken > m->memory)
        mh_uvm_make_room(g);
}

/* --- Out. */

void mh_uvm_take_lines(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;
    const struct mh_unit *u = &m->unit[unit];

    m->out.dirty_count = 0;
    for (uint32_t i = 0; i < m->lines; i++)
        if (mh_l2_drop(g, u->tenant, mh_unit_line(g, u, i)))
            m->out.dirty[m->out.dirty_count++] = i;
    for (uint32_t s = 0; s < g->cfg.sm.count; s++)
        for (uint32_t p = 0; p < m->pages; p++)
            mh_l1d_drop_page(&g->sm[s], mh_unit_frames(m, u)[p], g->page_shift);
}

static void start_out(struct mh_gpu *g)
{
    struct mh_link *l = &g->uvm->out;

    take(g, l, l->waiting.head);
    l->line = l->done = 0;
    mh_uvm_take_lines(g, l->waiting.head);
    add_at(g, g->wheel.now, MH_EVENT(EV_UVM_OUT, 0));
}

void mh_uvm_send_home(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;

    m->unit[unit].state = MH_UNIT_LEAVING;
    mh_unit_push(m, &m->out.waiting, unit);
    if (m->out.waiting.count == 1)
        start_out(g);
}

/* The next step of the unit that leaves: a dirty line into DRAM, or a line out of it. */
void mh_uvm_out(struct mh_gpu *g, uint32_t none)
{
    struct mh_link *l = &g->uvm->out;
    uint32_t unit = l->waiting.head;

    (void)none;
    if (l->dirty_count) {
        bool sent = migrate(g, unit, l->dirty[l->dirty_count - 1], true);

        l->dirty_count -= sent;
        add_at(g, g->wheel.now + (sent ? 1 : RETRY), MH_EVENT(EV_UVM_OUT, 0));
        return;
    }
    bool sent = migrate(g, unit, l->line, false);

    l->line += sent;
    if (l->line == g->uvm->lines)
        return;
    /* Read as fast as they can leave, a few ahead: the way over the link comes behind that. */
    uint32_t ahead = AHEAD / g->cfg.memory.line_bytes;
    uint64_t leaves = l->line < ahead ? 0 : crossed(g, l, unit, l->line - ahead) - l->latency;

    add_at(g, sent ? leaves : g->wheel.now + RETRY, MH_EVENT(EV_UVM_OUT, 0));
}

/* A line has come out of DRAM. The last one decides when the unit has left. */
void mh_uvm_read(struct mh_gpu *g, uint32_t none)
{
    struct mh_link *l = &g->uvm->out;
    uint32_t unit = l->waiting.head;

    (void)none;
    if (++l->done < g->uvm->lines)
        return;
    uint64_t line = mh_ratio_ceil(&l->to_cycles, g->cfg.memory.line_bytes);
    uint64_t left = crossed(g, l, unit, g->uvm->lines - 1) - l->latency;

    if (left < g->wheel.now + line) {
        left = g->wheel.now + line;
        l->position = position_at(l, left);
    }
    mh_wheel_add(&g->wheel, left, MH_EVENT(EV_UVM_LEFT, 0));
}

void mh_uvm_has_left(struct mh_gpu *g, uint32_t unit)
{
    struct mh_uvm *m = g->uvm;

    m->leaving_bytes -= m->unit[unit].bytes;
    mh_unit_free_frames(g, unit);
    m->leaving--;
    m->needed -= m->unit[unit].needed;
    m->unit[unit].needed = false;
    if (m->unit[unit].head != MH_NONE)
        mh_uvm_raise(g, unit);
}

void mh_uvm_left(struct mh_gpu *g, uint32_t none)
{
    struct mh_uvm *m = g->uvm;
    uint32_t unit = mh_unit_pop(m, &m->out.waiting);

    (void)none;
    g->tenant[m->unit[unit].tenant].count.uvm_out_bytes += m->bytes;
    mh_uvm_has_left(g, unit);
    if (m->out.waiting.count)
        start_out(g);
    mh_uvm_hand_out(g);
}
