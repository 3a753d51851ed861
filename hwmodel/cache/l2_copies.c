/*
 * l2.far copy: an SM reads a line of the other half in the bank of its own half that has the line's place there. That
 * bank keeps the sectors that the line's bank sends, in its tags as lines of its own. They are never dirty, and no MSHR
 * is theirs: a read without a copy goes on to the line's bank, and what comes back leaves a copy as it passes.
 *
 * The line's bank is the point of coherence: writes and atomics go there, and drop the copy, at once (ours: no source
 * says whether copies are updated; dropping is the simplest). A copy on its way stays, as in the L1D: it may have left
 * before the write or after it. A copy is not kept where it could only replace reserved lines, or a dirty one while the
 * channel has no room for it.
 *
 * A request that was forwarded has no place at the line's bank. If that cannot take it, it waits in a list there, and
 * those that came from the crossbar wait behind the list. It waits for DRAM at most, never for the other half, so that
 * the two halves cannot wait for each other.
 */
#include "cache/l2_bank.h"

/* Requests that were forwarded to a bank, in order. */
struct list {
    uint32_t head, tail;
};

struct mh_l2_copies {
    uint32_t half;     /* banks */
    struct list *wait; /* [banks] */
};

int mh_l2_copies_init(struct mh_l2 *l2, const struct mh_config *cfg)
{
    if (cfg->l2.far != MH_FAR_COPY)
        return 0;
    struct mh_l2_copies *c = l2->copies = calloc(1, sizeof *c);

    if (!c || !(c->wait = malloc(l2->banks * sizeof *c->wait)))
        return -1;
    c->half = l2->banks / 2;
    for (uint32_t b = 0; b < l2->banks; b++)
        c->wait[b].head = MH_NONE;
    return 0;
}

void mh_l2_copies_free(struct mh_l2 *l2)
{
    if (l2->copies)
        free(l2->copies->wait);
    free(l2->copies);
}

/* The bank of the other half in the same place. */
static uint32_t opposite(const struct mh_l2_copies *c, uint32_t bank)
{
    return bank < c->half ? bank + c->half : bank - c->half;
}

void mh_l2_forward(struct mh_gpu *g, uint32_t req)
{
    struct mh_req *r = &g->req[req];

    r->bank = (uint16_t)opposite(g->l2->copies, r->bank);
    r->copy = false;
    mh_noc_forward(g, req);
}

/* --- At the line's bank. */

static bool look_up(struct mh_gpu *g, uint32_t bank, uint32_t req)
{
    const struct mh_req *r = &g->req[req];

    if (!mh_l2_sector_look_up(g, bank, req, mh_l2_any_set(g->l2, bank, r->tenant, r->line)))
        return false;
    mh_noc_forwarded(g);
    return true;
}

void mh_l2_forwarded(struct mh_gpu *g, uint32_t req)
{
    const uint32_t bank = g->req[req].bank;
    struct list *l = &g->l2->copies->wait[bank];

    if (!g->l2->stops[bank] && look_up(g, bank, req))
        return;
    g->req[req].next = MH_NONE;
    if (l->head == MH_NONE)
        l->head = req;
    else
        g->req[l->tail].next = req;
    l->tail = req;
    g->l2->stops[bank] = true;
}

bool mh_l2_forwarded_waits(const struct mh_l2 *l2, uint32_t bank)
{
    return l2->copies && l2->copies->wait[bank].head != MH_NONE;
}

/* The ports of this cycle are used up. */
static void retry_next_cycle(struct mh_gpu *g, uint32_t bank)
{
    const struct mh_clock *clock = &g->l2->clock;

    g->l2->bank[bank].retry_event = true;
    mh_wheel_add(&g->wheel, mh_clock_leave(clock, mh_clock_seen(clock, g->wheel.now) + 1), MH_EVENT(EV_L2_RETRY, bank));
}

bool mh_l2_forwarded_retry(struct mh_gpu *g, uint32_t bank)
{
    struct list *l = &g->l2->copies->wait[bank];

    if (l->head == MH_NONE)
        return true;
    for (uint32_t done = 0; l->head != MH_NONE; done++) {
        const uint32_t req = l->head, next = g->req[req].next;

        if (done == g->l2->ports) {
            retry_next_cycle(g, bank);
            return false;
        }
        if (!look_up(g, bank, req))
            return false;
        l->head = next;
    }
    /* What the first of the stalled needs is not known any more. */
    g->l2->bank[bank].places = 0;
    g->l2->stops[bank] = g->l2->bank[bank].stalled.count != 0;
    return true;
}

/* --- At the bank of the SM's half. */

void mh_l2_drop_copy(struct mh_gpu *g, uint32_t bank, uint32_t tenant, uint32_t line)
{
    const uint32_t at = opposite(g->l2->copies, bank);
    uint32_t *set = mh_l2_any_set(g->l2, at, tenant, line);
    const int way = mh_tags_find(&g->l2->tags, set, line);

    if (way < 0)
        return;
    MH_CHECK(!(set[way] & (MH_TAG_PENDING | MH_TAG_DIRTY)));
    mh_tags_drop(&g->l2->tags, set, (uint32_t)way);
    mh_l2_sector_drop(g->l2, set, (uint32_t)way);
    mh_l2_ask_anew(g, at);
}

/* A way for a copy, which is empty then; -1: none may go now. */
static int make_way(struct mh_gpu *g, uint32_t bank, struct mh_req *r, const uint32_t *set)
{
    const int way = mh_l2_victim(g, r->tenant, set);

    if (way < 0 || !(set[way] & MH_TAG_DIRTY))
        return way;
    if (mh_l2_room(g, bank, r, false, true) != MH_L2_NEEDS_NOTHING)
        return -1;
    r->caused = (uint8_t)(r->caused + mh_l2_caused(g, r, false, set, set[way]));
    mh_l2_sector_evict(g, bank, set, way);
    return way;
}

void mh_l2_keep(struct mh_gpu *g, uint32_t req)
{
    const struct mh_l2 *l2 = g->l2;
    struct mh_req *r = &g->req[req];
    const uint32_t bank = opposite(l2->copies, r->bank);
    uint32_t *set = mh_l2_any_set(l2, bank, r->tenant, r->line), *states = mh_l2_states(l2, set);
    const int found = mh_tags_find(&l2->tags, set, r->line), way = found < 0 ? make_way(g, bank, r, set) : found;

    if (way < 0)
        return;
    const uint32_t frame = states[way] >> MH_L2_FRAME << MH_L2_FRAME;
    const uint32_t valid = l2->sectors->units[r->sectors] | (found < 0 ? 0 : mh_l2_state_valid(states[way]));

    mh_tags_front(set, (uint32_t)way, r->line << MH_TAG_BITS | MH_TAG_VALID);
    mh_tags_front(states, (uint32_t)way, frame | valid << MH_L2_VALID);
    mh_l2_ask_anew(g, bank);
}
