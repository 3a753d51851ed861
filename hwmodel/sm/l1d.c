#include "sm/l1d.h"

#include "gpu/gpu.h"

/* L1 TLB, then L1D: what a line takes through the LSU. A miss pays it on its way back, together with the fill. */
static uint32_t look_up_latency(const struct mh_gpu *g)
{
    return g->cfg.l1tlb.latency + g->cfg.l1d.latency;
}

static void line_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t warp, uint32_t slot, uint64_t at)
{
    struct mh_load *load = &sm->warp[warp].load[slot];

    load->hit_at = at > load->hit_at ? at : load->hit_at;
    MH_CHECK(load->lines);
    if (--load->lines)
        return;
    if (load->hit_at > g->wheel.now)
        mh_wheel_add(&g->wheel, load->hit_at,
                     MH_EVENT(EV_LOAD_DONE, (sm->id * MH_MAX_WARPS + warp) * MH_MAX_LOADS + slot));
    else
        mh_sm_load_done(g, sm, warp, slot);
}

uint32_t mh_pending_take(struct mh_sm *sm, const struct mh_pending *from)
{
    uint32_t id = sm->free_pending;

    sm->free_pending = sm->pending[id].next;
    sm->pending[id] = *from;
    sm->pending[id].next = MH_NONE;
    return id;
}

static void give_pending(struct mh_sm *sm, uint32_t id)
{
    sm->pending[id].next = sm->free_pending;
    sm->free_pending = id;
}

static uint32_t *set_of(const struct mh_sm *sm, uint32_t line)
{
    return mh_tags_set_of(&sm->l1d, line);
}

static void send(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t line, uint8_t sectors,
                 uint32_t mshr)
{
    struct mh_req r = {.line = line,
                       .owner = mshr,
                       .port = (uint16_t)sm->id,
                       .tenant = p->tenant,
                       .full = p->full,
                       .sectors = sectors,
                       .kind = p->kind == MH_OP_LOAD    ? MH_REQ_READ
                               : p->kind == MH_OP_STORE ? MH_REQ_WRITE
                                                        : MH_REQ_ATOMIC};

    mh_noc_send(g, &r);
}

/* Write through, no allocate; an atomic is done in the L2, so the L1D's copy goes. */
static bool write(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t line)
{
    uint32_t *set = set_of(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    if (!mh_noc_room(&g->noc, sm->id) || (g->noc.acks && sm->stores == g->cfg.l1d.store_buffer))
        return false;
    if (way >= 0 && p->kind == MH_OP_ATOMIC)
        set[way] = 0;
    sm->stores += g->noc.acks;
    send(g, sm, p, line, p->sectors, 0);
    return true;
}

void mh_lsu_acknowledged(struct mh_gpu *g, struct mh_sm *sm)
{
    MH_CHECK(sm->stores);
    sm->stores--;
    mh_lsu_kick(g, sm);
}

/*
 * Joins the MSHR of the line, or takes one; asks for the sectors that nobody has asked for yet. What an MSHR has
 * received it keeps until it is free.
 */
static bool miss(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t line, uint32_t id,
                 uint8_t missing)
{
    int m = mh_index_find(&sm->l1_index, line);
    uint8_t ask = sm->fetch[missing] & (uint8_t) ~(m < 0 ? 0 : sm->l1_mshr[m].asked);

    if ((m < 0 && sm->free_l1_mshr == MH_NONE) || (ask && !mh_noc_room(&g->noc, sm->id)))
        return false;
    if (id == MH_NONE && sm->free_pending == MH_NONE)
        return false;
    if (id == MH_NONE)
        id = mh_pending_take(sm, p);
    if (m < 0) {
        m = (int)sm->free_l1_mshr;
        sm->free_l1_mshr = sm->l1_mshr[m].next_free;
        sm->l1_mshr[m] = (struct mh_l1_mshr){.line = line, .head = MH_NONE};
        mh_index_put(&sm->l1_index, line, (uint32_t)m);
    }
    struct mh_l1_mshr *e = &sm->l1_mshr[m];

    sm->pending[id].next = e->head;
    sm->pending[id].sectors = missing;
    e->head = id;
    e->asked |= ask;
    if (ask)
        send(g, sm, p, line, ask, (uint32_t)m);
    return true;
}

/* Sectors of the line that the L1D has. */
static uint8_t there(const uint32_t *set, int way)
{
    return way < 0 ? 0 : set[way] & MH_TAG_STATE;
}

bool mh_l1d_access(struct mh_gpu *g, struct mh_sm *sm, const struct mh_pending *p, uint32_t id)
{
    uint32_t line = p->ppn << g->page_shift | (p->line & (g->lines_per_page - 1));
    struct mh_counters *c = &g->tenant[p->tenant].count;

    MH_CHECK(g->pages.owner[p->ppn] == g->tenant[p->tenant].asid);
    if (p->kind != MH_OP_LOAD) {
        if (!write(g, sm, p, line))
            return false;
        if (id != MH_NONE)
            give_pending(sm, id);
        return true;
    }
    uint32_t *set = set_of(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);
    uint8_t missing = p->sectors & (uint8_t)~there(set, way);

    if (missing) {
        if (!miss(g, sm, p, line, id, missing))
            return false;
        c->l1d_access++;
        return true;
    }
    mh_tags_front(set, (uint32_t)way, set[way]);
    c->l1d_access++;
    c->l1d_hit++;
    line_done(g, sm, p->warp, p->slot, g->wheel.now + look_up_latency(g));
    if (id != MH_NONE)
        give_pending(sm, id);
    return true;
}

void mh_lsu_reply(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr, uint8_t sectors, uint64_t cycle)
{
    uint32_t id = sm->id * g->cfg.l1d.mshrs + mshr;

    mh_wheel_add(&g->wheel, cycle + look_up_latency(g), MH_EVENT(EV_L1_FILL, id << MH_MAX_SECTORS | sectors));
}

/* Fills the line, or adds sectors to what is there of it. */
static void fill(struct mh_sm *sm, uint32_t line, uint8_t sectors)
{
    uint32_t *set = set_of(sm, line);
    int way = mh_tags_find(&sm->l1d, set, line);

    sectors |= there(set, way);
    mh_tags_front(set, way < 0 ? sm->l1d.ways - 1 : (uint32_t)way, line << MH_TAG_BITS | sectors);
}

/* Those whose sectors have all arrived are served; the rest stay. */
static uint32_t serve(struct mh_gpu *g, struct mh_sm *sm, uint32_t head, uint8_t arrived)
{
    uint32_t rest = MH_NONE;

    for (uint32_t id = head, next; id != MH_NONE; id = next) {
        struct mh_pending *p = &sm->pending[id];

        next = p->next;
        if (p->sectors & ~arrived) {
            p->next = rest;
            rest = id;
            continue;
        }
        line_done(g, sm, p->warp, p->slot, g->wheel.now);
        give_pending(sm, id);
    }
    return rest;
}

void mh_lsu_filled(struct mh_gpu *g, struct mh_sm *sm, uint32_t mshr, uint8_t sectors)
{
    struct mh_l1_mshr *e = &sm->l1_mshr[mshr];

    fill(sm, e->line, sectors);
    e->arrived |= sectors;
    if (e->arrived == e->asked) {
        mh_index_del(&sm->l1_index, e->line);
        e->next_free = sm->free_l1_mshr;
        sm->free_l1_mshr = mshr;
    }
    e->head = serve(g, sm, e->head, e->arrived);
    mh_lsu_kick(g, sm);
}
