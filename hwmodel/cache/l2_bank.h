/* What a bank does for all requests, looked up or past the cache, and its sectors. Private to l2*.c: inlined there. */
#ifndef MEMHELM_CACHE_L2_BANK_H
#define MEMHELM_CACHE_L2_BANK_H

#include "cache/l2.h"
#include "dram/memory.h"
#include "engine/gpu.h"
#include "waits/waits.h"

/** Set of a line in its bank. Pre: !l2->wide. */
static inline uint32_t mh_l2_set_number(const struct mh_l2 *l2, uint32_t tenant, uint32_t line)
{
    return mh_set_folded(&l2->index, mh_interleave_local(&l2->interleave[tenant], line));
}

/** Tags of that set. Pre: !l2->wide. */
static inline uint32_t *mh_l2_set(const struct mh_l2 *l2, uint32_t bank, uint32_t tenant, uint32_t line)
{
    return mh_tags_set(&l2->tags, bank * l2->sets + mh_l2_set_number(l2, tenant, line));
}

/** As mh_l2_set_number() of any L2: lines may have more bits than a tag. */
static inline uint32_t mh_l2_any_number(const struct mh_l2 *l2, uint32_t tenant, uint32_t line)
{
    uint32_t low = mh_l2_set_number(l2, tenant, l2->wide ? line & MH_TAG_LINE : line);

    return l2->wide ? mh_set_moved(&l2->index, low, line) : low;
}

static inline uint32_t *mh_l2_any_set(const struct mh_l2 *l2, uint32_t bank, uint32_t tenant, uint32_t line)
{
    return mh_tags_set(&l2->tags, bank * l2->sets + mh_l2_any_number(l2, tenant, line));
}

static inline bool mh_l2_is_write(const struct mh_req *r)
{
    return r->kind >= MH_REQ_WRITE && r->kind <= MH_REQ_ATOMIC_READ;
}

/** DRAM gets what the request stores at once; the line is never dirty. */
static inline bool mh_l2_writes_through(const struct mh_gpu *g, const struct mh_req *r)
{
    return __builtin_expect(g->l2->through, 0) && mh_l2_is_write(r);
}

/** The request has wires of its own at its bank (l2.bypass_wires). */
static inline bool mh_l2_has_wires(const struct mh_l2 *l2, const struct mh_req *r)
{
    return l2->bypass_wires && r->bypass;
}

/** With l2.atomics bank, a write or an atomic has what it needs. False: it is a write that has to be acknowledged. */
bool mh_l2_atomic(struct mh_gpu *g, uint32_t bank, uint32_t req);

/** Answers the request with the line. For writes and atomics without a result only a store buffer waits. */
static inline void mh_l2_answer(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->req[req];

    if (mh_l2_is_write(r)) {
        if (!g->l2->answers) {
            g->tenant[r->tenant].count.dram_caused += r->caused;
            mh_noc_release(g->noc, req);
            return;
        }
        if (g->l2->atomics && mh_l2_atomic(g, bank, req))
            return;
    }
    mh_noc_reply(g, bank, req, g->wheel.now + (mh_l2_has_wires(g->l2, r) ? 0 : g->l2->latency));
}

/** A request waits for a line on its way. A write, or an atomic without a result, is done when the bank has it: its
 * data stays with the MSHR. */
static inline void mh_l2_wait(struct mh_gpu *g, uint32_t bank, struct mh_l2_mshr *e, uint32_t req)
{
    struct mh_req *r = &g->req[req];

    if (mh_l2_is_write(r)) {
        e->dirty = !g->l2->through;
        if (r->kind != MH_REQ_ATOMIC_READ) {
            mh_l2_answer(g, bank, req);
            return;
        }
    }
    if (r->kind == MH_REQ_READ) {
        mh_waits_l2(g, r->port, r->owner, r->since);
        g->tenant[r->tenant].count.latency_l2 += mh_req_lap(r, g->wheel.now);
    }
    r->next = MH_NONE;
    if (e->head == MH_NONE)
        e->head = req;
    else
        g->req[e->tail].next = req;
    e->tail = req;
}

/** Takes an MSHR for the request, in one of the two indices; it waits there. Pre: mh_l2_need() is nothing. */
static inline uint32_t mh_l2_take(struct mh_gpu *g, uint32_t bank, uint32_t req, struct mh_index *index)
{
    struct mh_l2_bank *b = &g->l2->bank[bank];
    const struct mh_req *r = &g->req[req];
    uint32_t m = b->free_mshr;
    struct mh_l2_mshr *e = &b->mshr[m];

    b->free_mshr = e->next_free;
    *e = (struct mh_l2_mshr){.line = r->line,
                             .head = MH_NONE,
                             .since = g->wheel.now,
                             .tenant = r->tenant,
                             .walk = r->kind == MH_REQ_PTE,
                             .bypass = r->bypass};
    mh_index_put(index, r->line, m);
    mh_l2_wait(g, bank, e, req);
    return m;
}

/** Asks DRAM for the line of the MSHR, or `sectors` of it if not 0. */
static inline void mh_l2_read(struct mh_gpu *g, uint32_t bank, uint32_t mshr, uint32_t sectors)
{
    const struct mh_l2_mshr *e = &g->l2->bank[bank].mshr[mshr];

    mh_mem_read(g, bank, e->line, (bank * g->l2->mshrs + mshr) | sectors << MH_ASKED_SECTORS, e->tenant, e->walk);
}

/** Takes an MSHR for the request and asks DRAM for the line. */
static inline void mh_l2_ask(struct mh_gpu *g, uint32_t bank, uint32_t req, struct mh_index *index)
{
    mh_l2_read(g, bank, mh_l2_take(g, bank, req, index), 0);
}

/** What the request has waited for is there. The look-up's latency is charged here: tag check, miss and data then add
 * up as on a hit. */
static inline void mh_l2_served(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    struct mh_req *r = &g->req[req];

    if (r->kind == MH_REQ_READ) {
        g->tenant[r->tenant].count.latency_dram += mh_req_lap(r, g->wheel.now);
        mh_waits_filled(g, r->port, r->owner);
    }
    mh_l2_answer(g, bank, req);
}

static inline void mh_l2_free(struct mh_l2_bank *b, uint32_t m, struct mh_index *index)
{
    mh_index_del(index, b->mshr[m].line);
    b->mshr[m].next_free = b->free_mshr;
    b->free_mshr = m;
}

/** The channel has one queue. Else a number does not say in which one a place is free: each retry asks anew. */
static inline bool mh_l2_one_queue(const struct mh_gpu *g)
{
    return !g->knobs.dram_queues && !g->cfg.dram.write_queue;
}

/** Answers all that wait at an MSHR, and frees it. */
static inline __attribute__((always_inline)) void mh_l2_deliver(struct mh_gpu *g, uint32_t bank, uint32_t m,
                                                                struct mh_index *index)
{
    struct mh_l2_bank *b = &g->l2->bank[bank];

    for (uint32_t req = b->mshr[m].head, next; req != MH_NONE; req = next) {
        next = g->req[req].next;
        mh_l2_served(g, bank, req);
    }
    mh_l2_free(b, m, index);
    b->places = 0;
    mh_l2_kick(g, bank);
}

static inline void mh_l2_count(struct mh_gpu *g, const struct mh_req *r, bool hit)
{
    struct mh_counters *c = &g->tenant[r->tenant].count;

    /* ACCESS and HIT stand in pairs: of data, of PTEs from the root on. */
    static const uint8_t pairs[] = {MH_COUNTER_L2_ACCESS,   MH_COUNTER_PTE1_ACCESS, MH_COUNTER_PTE2_ACCESS,
                                    MH_COUNTER_PTE3_ACCESS, MH_COUNTER_PTE4_ACCESS, MH_COUNTER_PTE5_ACCESS,
                                    MH_COUNTER_PTE6_ACCESS};
    uint64_t *pair = (uint64_t *)c + pairs[r->depth];

    pair[0]++;
    pair[1] += hit;
}

/** The least recently used of the tenant's own lines, or an empty way if it has fewer than its part; -1: none. */
int mh_l2_own_victim(const struct mh_gpu *g, uint32_t tenant, const uint32_t *set);

/** Way for a new line of the tenant, or -1: all that it may have are reserved. */
static inline int mh_l2_victim(const struct mh_gpu *g, uint32_t tenant, const uint32_t *set)
{
    return g->l2->partition ? mh_l2_own_victim(g, tenant, set) : mh_tags_victim(&g->l2->tags, set);
}

/** DRAM accesses of a miss: its own line's, and that of the victim in the set. Lines that stay on the host are none. */
static inline uint8_t mh_l2_caused(const struct mh_gpu *g, const struct mh_req *r, bool fetch, const uint32_t *set,
                                   uint32_t victim)
{
    bool dirty = victim & MH_TAG_DIRTY;

    if (__builtin_expect(g->odd_lines, 0))
        return (fetch && !mh_uvm_is_on_host(g, r->line >> g->page_shift)) +
               (dirty && !mh_uvm_is_on_host(g, mh_l2_line(g->l2, set, victim) >> g->page_shift));
    return (uint8_t)(fetch + dirty);
}

/** Whether the channel has room for a read and a write-back, as far as they are wanted. */
static inline enum mh_l2_need mh_l2_room(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r, bool read,
                                         bool write)
{
    if (mh_mem_free(g, bank) >= (uint32_t)read + write) /* enough whichever queue they enter: the common case */
        return MH_L2_NEEDS_NOTHING;
    return mh_mem_takes(g, bank, read, r->kind == MH_REQ_PTE, r->tenant, write) ? MH_L2_NEEDS_NOTHING
                                                                                : MH_L2_NEEDS_DRAM;
}

/** The line's tags have changed: the stalled request may need other places now. Requests that wait for a line keep
 * waiting for it. */
void mh_l2_ask_anew(struct mh_gpu *g, uint32_t bank);

/* --- Copies of lines of the other half (l2_copies.c): with l2->copies. */

/** A read (mh_req.copy) found no copy of all of its sectors: it goes on to the line's bank. */
void mh_l2_forward(struct mh_gpu *g, uint32_t req);

/** The copy of a line of `bank`, if there is one, goes. */
void mh_l2_drop_copy(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line);

/** Requests that were forwarded to the bank and could not be looked up try again. False: some still wait. */
bool mh_l2_forwarded_retry(struct mh_gpu *g, uint32_t bank);

/** Some wait there. */
bool mh_l2_forwarded_waits(const struct mh_l2 *l2, uint32_t bank);

/* --- Past the cache (l2_bypass.c). */

/** What a request that goes past the cache has to wait for. */
enum mh_l2_need mh_l2_bypass_need(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r);

/** It goes past; false: the bank cannot take it now. */
bool mh_l2_pass(struct mh_gpu *g, uint32_t bank, uint32_t req);

/** Requests that have wires of their own and could not go on try again. */
void mh_l2_bypass_retry(struct mh_gpu *g, uint32_t bank);

/*
 * The L2 with sectors (l2.sector_bytes): a line has one tag and a way, and its sectors come from DRAM and go back to it
 * one by one.
 *
 * Each way has a word of state besides its tag, which moves with it. A sector is
 *     valid           all its bytes are here: loads hit;
 *     dirty           some of its bytes are newer than DRAM's: it is written back;
 *     dirty, not valid  its other bytes are not here. With `fetch` they are on their way, as the MSHR says. With `lazy`
 *                     they are asked for when a load or an atomic wants the sector, and never if it is overwritten or
 *                     written back before: DRAM then takes the bytes that `written` marks.
 * An MSHR asks for several sectors of its line, at once or one after the other. Its line is reserved (MH_TAG_PENDING)
 * until the last of them has come; sectors that are valid hit meanwhile. A request waits for all of its sectors.
 */

/* A line's word of state. */
enum {
    MH_L2_VALID = 0, /**< first bit of the valid sectors */
    MH_L2_DIRTY = 4, /**< of the dirty ones */
    MH_L2_FRAME = 8, /**< of the number, below the ways, of the bytes that `written` has for it */
};

static inline uint32_t mh_l2_state_valid(uint32_t state)
{
    return state >> MH_L2_VALID & MH_ALL_SECTORS;
}

static inline uint32_t mh_l2_state_dirty(uint32_t state)
{
    return state >> MH_L2_DIRTY & MH_ALL_SECTORS;
}

/** -1: no memory. Without l2.sector_bytes there is nothing. */
int mh_l2_sectors_init(struct mh_l2 *l2, const struct mh_config *cfg);
void mh_l2_sectors_free(struct mh_l2 *l2);

/** States of the ways of a set of tags. */
static inline uint32_t *mh_l2_states(const struct mh_l2 *l2, const uint32_t *set)
{
    return l2->sectors->state.entry + (set - l2->tags.entry);
}

/** As the functions of l2.c without `sector`; `set`: the line's. */
bool mh_l2_sector_look_up(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set);
enum mh_l2_need mh_l2_sector_need(const struct mh_gpu *g, uint32_t bank, uint32_t req, const uint32_t *set);
void mh_l2_sector_fill(struct mh_gpu *g, uint32_t asked);

/** Writes back the dirty sectors of the line in that way, together: it leaves. */
void mh_l2_sector_evict(struct mh_gpu *g, uint32_t bank, const uint32_t *set, int way);

/** The way's tag has been dropped: its state, too. */
void mh_l2_sector_drop(struct mh_l2 *l2, const uint32_t *set, uint32_t way);

/** Past the cache, a request at the MSHR: it has to ask for a sector that is not on its way. */
bool mh_l2_sector_asks(const struct mh_l2 *l2, uint32_t bank, uint32_t mshr, const struct mh_req *r);

/** A request goes past the cache, to an MSHR, or to a new one: -1. */
void mh_l2_sector_pass(struct mh_gpu *g, uint32_t bank, uint32_t req, int mshr);

/** What it asked for has come. */
void mh_l2_sector_passed(struct mh_gpu *g, uint32_t asked);

/** Cycle at which the first of the sectors in a read's tag was asked for (dram/memory.h). */
uint64_t mh_l2_sector_asked_at(const struct mh_l2 *l2, uint32_t asked);

#endif
