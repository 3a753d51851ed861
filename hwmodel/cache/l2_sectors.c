/* L2 with sectors: look-ups, fills and what goes past the cache. */
#include "cache/l2_bank.h"

#include "engine/arith.h"
#include "engine/bytes.h"

int mh_l2_sectors_init(struct mh_l2 *l2, const struct mh_config *cfg)
{
    if (!cfg->l2.sector_bytes)
        return 0;
    struct mh_l2_sectors *s = l2->sectors = calloc(1, sizeof *s);

    if (!s || mh_tags_init(&s->state, l2->tags.sets, l2->tags.ways))
        return -1;
    s->lazy = cfg->l2.partial_stores == MH_PARTIAL_LAZY;
    s->line = (1u << (cfg->memory.line_bytes >> MH_SECTOR_SHIFT)) - 1;
    uint32_t part = (1u << (cfg->l2.sector_bytes >> MH_SECTOR_SHIFT)) - 1;

    for (uint32_t mask = 0; mask <= s->line; mask++)
        for (uint32_t m = part; m & s->line; m <<= cfg->l2.sector_bytes >> MH_SECTOR_SHIFT)
            s->units[mask] |= (uint8_t)(mask & m ? m : 0);
    for (uint32_t i = 0; i < s->state.sets * s->state.stride; i++)
        s->state.entry[i] = i % s->state.stride < s->state.ways ? i % s->state.stride << MH_L2_FRAME : 0;
    s->written = s->lazy ? calloc((size_t)s->state.sets * s->state.stride, sizeof *s->written) : NULL;
    s->asked = calloc((size_t)l2->banks * l2->mshrs, sizeof *s->asked);
    return s->asked && (s->written || !s->lazy) ? 0 : -1;
}

void mh_l2_sectors_free(struct mh_l2 *l2)
{
    if (!l2->sectors)
        return;
    mh_tags_free(&l2->sectors->state);
    free(l2->sectors->written);
    free(l2->sectors->asked);
    free(l2->sectors);
}

uint64_t mh_l2_sector_asked_at(const struct mh_l2 *l2, uint32_t asked)
{
    return l2->sectors->asked[asked & MH_ASKED_MSHR].since[__builtin_ctz(asked >> MH_ASKED_SECTORS)];
}

static struct mh_l2_asked *asked_by(const struct mh_l2 *l2, uint32_t bank, uint32_t mshr)
{
    return &l2->sectors->asked[bank * l2->mshrs + mshr];
}

/* --- What a request finds and makes of a line. */

struct look {
    int way;               /* of the line or, if it is not there, of the victim; -1: none may go */
    bool there, evicts;    /* the victim is dirty */
    uint32_t valid, dirty; /* of the line, once the request has been taken */
    uint32_t missing;      /* sectors that it waits for */
    uint32_t ask;          /* those of them that are not on their way */
    int mshr;              /* of the line, or -1 */
    bool hit;
    struct mh_bytes written; /* of its sectors that are stored in part; lazy */
};

/* Sectors of which every byte is marked. */
static uint32_t whole(const struct mh_l2_sectors *s, const struct mh_bytes *bytes)
{
    return s->line & ~(uint32_t)s->units[s->line & ~mh_bytes_whole(bytes)];
}

/* Bytes of sectors that are valid are no longer kept up to date: they are left out. */
static void store(const struct mh_l2_sectors *s, const struct mh_bytes *bytes, uint32_t touched, struct look *k)
{
    uint32_t there = k->valid | (s->lazy ? k->dirty : 0);

    k->hit = !(touched & ~there);
    k->written = mh_bytes_in(&k->written, k->dirty & ~k->valid);
    mh_bytes_merge(&k->written, bytes);
    k->valid |= touched & whole(s, &k->written);
    k->dirty |= touched;
    k->missing = s->lazy ? 0 : touched & ~k->valid;
}

static void touch(const struct mh_gpu *g, uint32_t req, struct look *k)
{
    const struct mh_l2_sectors *s = g->l2->sectors;
    const struct mh_req *r = &g->req[req];
    uint32_t touched = s->units[r->sectors];

    if (r->kind == MH_REQ_WRITE) {
        store(s, &g->req_bytes[req], touched, k);
        return;
    }
    k->missing = touched & ~k->valid;
    k->hit = !k->missing;
    k->dirty |= mh_l2_is_write(r) ? touched : 0;
}

static struct mh_bytes *written_of(const struct mh_l2 *l2, const uint32_t *set, uint32_t state)
{
    return &l2->sectors->written[(set - l2->tags.entry) + (state >> MH_L2_FRAME)];
}

/* `way` of the line, or -1. */
static struct look look(const struct mh_gpu *g, uint32_t bank, uint32_t req, const uint32_t *set, int way)
{
    const struct mh_l2 *l2 = g->l2;
    const struct mh_req *r = &g->req[req];
    struct look k = {.way = way, .there = way >= 0, .mshr = -1};

    if (k.there) {
        uint32_t state = mh_l2_states(l2, set)[way];

        k.valid = mh_l2_state_valid(state);
        k.dirty = mh_l2_state_dirty(state);
        if (l2->sectors->lazy)
            k.written = *written_of(l2, set, state);
        if (set[way] & MH_TAG_PENDING)
            k.mshr = mh_index_find(&l2->bank[bank].index, r->line);
    } else {
        k.way = mh_l2_victim(g, r->tenant, set);
        k.evicts = k.way >= 0 && set[k.way] & MH_TAG_DIRTY;
    }
    touch(g, req, &k);
    k.ask = k.missing & ~(k.mshr < 0 ? 0u : asked_by(l2, bank, (uint32_t)k.mshr)->sectors);
    return k;
}

static enum mh_l2_need need_of(const struct mh_gpu *g, uint32_t bank, const struct mh_req *r, const struct look *k)
{
    if (k->way < 0)
        return MH_L2_NEEDS_WAY;
    if (k->missing && k->mshr < 0 && g->l2->bank[bank].free_mshr == MH_NONE)
        return MH_L2_NEEDS_MSHR;
    return k->ask || k->evicts ? mh_l2_room(g, bank, r, k->ask, k->evicts) : MH_L2_NEEDS_NOTHING;
}

enum mh_l2_need mh_l2_sector_need(const struct mh_gpu *g, uint32_t bank, uint32_t req, const uint32_t *set)
{
    struct look k = look(g, bank, req, set, mh_tags_find(&g->l2->tags, set, g->req[req].line));

    return need_of(g, bank, &g->req[req], &k);
}

/* --- Look-ups. */

void mh_l2_sector_evict(struct mh_gpu *g, uint32_t bank, const uint32_t *set, int way)
{
    uint32_t state = mh_l2_states(g->l2, set)[way], dirty = mh_l2_state_dirty(state);

    g->l2->sectors->cleaned += mh_bits(dirty);
    mh_mem_write(g, bank, mh_l2_line(g->l2, set, set[way]), dirty, dirty & mh_l2_state_valid(state));
}

/* The line becomes the most recently used, as the request leaves it. */
static void take(struct mh_gpu *g, uint32_t line, uint32_t *set, const struct look *k)
{
    struct mh_l2_sectors *s = g->l2->sectors;
    uint32_t *states = mh_l2_states(g->l2, set), state = states[k->way];
    uint32_t pending = k->missing || k->mshr >= 0 ? MH_TAG_PENDING : 0, dirty = k->dirty ? MH_TAG_DIRTY : 0;

    s->soiled += mh_bits(k->dirty & ~(k->there ? mh_l2_state_dirty(state) : 0));
    if (s->lazy && (!k->there || k->dirty & ~k->valid))
        *written_of(g->l2, set, state) = k->written;
    mh_tags_front(set, (uint32_t)k->way, line << MH_TAG_BITS | MH_TAG_VALID | pending | dirty);
    mh_tags_front(states, (uint32_t)k->way,
                  state >> MH_L2_FRAME << MH_L2_FRAME | k->dirty << MH_L2_DIRTY | k->valid << MH_L2_VALID);
}

static void ask(struct mh_gpu *g, uint32_t bank, uint32_t mshr, uint32_t sectors)
{
    struct mh_l2_asked *a = asked_by(g->l2, bank, mshr);

    if (!sectors)
        return;
    a->sectors |= (uint8_t)sectors;
    for (uint32_t m = sectors; m; m &= m - 1)
        a->since[__builtin_ctz(m)] = g->wheel.now;
    g->l2->sectors->asked_for += mh_bits(sectors);
    mh_l2_read(g, bank, mshr, sectors);
}

/* The request waits at the MSHR, or at a new one: -1. A write is answered, and its request gone. */
static void wait_for(struct mh_gpu *g, uint32_t bank, uint32_t req, int mshr, uint32_t sectors, struct mh_index *index)
{
    if (mshr < 0)
        mshr = (int)mh_l2_take(g, bank, req, index);
    else
        mh_l2_wait(g, bank, &g->l2->bank[bank].mshr[mshr], req);
    ask(g, bank, (uint32_t)mshr, sectors);
}

/* Whatever is no hit of a load. */
static bool change(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set, int way)
{
    struct mh_req *r = &g->req[req];
    struct mh_l2_bank *b = &g->l2->bank[bank];
    struct look k = look(g, bank, req, set, way);
    enum mh_l2_need need = need_of(g, bank, r, &k);

    if (need != MH_L2_NEEDS_NOTHING) {
        uint32_t places = mh_l2_one_queue(g) ? (k.ask != 0) + (uint32_t)k.evicts : 0;

        b->places = need != MH_L2_NEEDS_DRAM ? UINT32_MAX : places;
        return false;
    }
    mh_l2_count(g, r, k.hit);
    if (g->l2->copies && mh_l2_is_write(r))
        mh_l2_drop_copy(g, bank, r->tenant, r->line);
    r->caused = mh_l2_caused(g, r, k.ask, set, k.there ? 0 : set[k.way]);
    if (k.evicts)
        mh_l2_sector_evict(g, bank, set, k.way);
    take(g, r->line, set, &k);
    if (k.missing)
        wait_for(g, bank, req, k.mshr, k.ask, &b->index);
    else
        mh_l2_answer(g, bank, req);
    return true;
}

bool mh_l2_sector_look_up(struct mh_gpu *g, uint32_t bank, uint32_t req, uint32_t *set)
{
    const struct mh_l2 *l2 = g->l2;
    const struct mh_req *r = &g->req[req];
    uint32_t *states = mh_l2_states(l2, set);
    int way = mh_tags_find(&l2->tags, set, r->line);

    if (way < 0 || mh_l2_is_write(r) || l2->sectors->units[r->sectors] & ~mh_l2_state_valid(states[way])) {
        if (!r->copy)
            return change(g, bank, req, set, way);
        mh_l2_forward(g, req);
        return true;
    }
    mh_tags_front(set, (uint32_t)way, set[way]);
    mh_tags_front(states, (uint32_t)way, states[way]);
    mh_l2_count(g, r, true);
    if (r->kind == MH_REQ_READ)
        mh_waits_l2(g, r->port, r->owner, r->since);
    mh_l2_answer(g, bank, req);
    return true;
}

/* --- What comes. */

/* Serves, in order, the waiters whose sectors have all arrived; the others keep their order. */
static void serve(struct mh_gpu *g, uint32_t bank, struct mh_l2_mshr *e, uint32_t on_its_way)
{
    uint32_t req = e->head;

    e->head = MH_NONE;
    for (uint32_t next; req != MH_NONE; req = next) {
        struct mh_req *r = &g->req[req];

        next = r->next;
        if (!(g->l2->sectors->units[r->sectors] & on_its_way)) {
            mh_l2_served(g, bank, req);
            continue;
        }
        r->next = MH_NONE;
        *(e->head == MH_NONE ? &e->head : &g->req[e->tail].next) = req;
        e->tail = req;
    }
}

/* Sectors have come to the MSHR. True: all that it has asked for are there, and it is free. */
static bool arrive(struct mh_gpu *g, uint32_t bank, uint32_t mshr, uint32_t sectors, struct mh_index *index)
{
    struct mh_l2_bank *b = &g->l2->bank[bank];
    struct mh_l2_asked *a = asked_by(g->l2, bank, mshr);

    MH_CHECK((a->sectors & sectors) == sectors);
    a->sectors &= (uint8_t)~sectors;
    g->l2->sectors->filled += mh_bits(sectors);
    serve(g, bank, &b->mshr[mshr], a->sectors);
    if (!a->sectors) {
        MH_CHECK(b->mshr[mshr].head == MH_NONE);
        mh_l2_free(b, mshr, index);
    }
    b->places = 0;
    mh_l2_kick(g, bank);
    return !a->sectors;
}

void mh_l2_sector_fill(struct mh_gpu *g, uint32_t asked)
{
    uint32_t id = asked & MH_ASKED_MSHR, sectors = asked >> MH_ASKED_SECTORS;
    uint32_t bank = mh_quotient(&g->l2->by_mshrs, id), m = id - bank * g->l2->mshrs;
    const struct mh_l2_mshr *e = &g->l2->bank[bank].mshr[m];
    uint32_t *set = mh_l2_any_set(g->l2, bank, e->tenant, e->line);
    int way = mh_tags_find(&g->l2->tags, set, e->line);

    MH_CHECK(way >= 0 && set[way] & MH_TAG_PENDING);
    /* It keeps its place in the order of use: it was used when it was asked for, and when others merged. */
    mh_l2_states(g->l2, set)[way] |= sectors << MH_L2_VALID;
    if (arrive(g, bank, m, sectors, &g->l2->bank[bank].index))
        set[way] &= ~(uint32_t)MH_TAG_PENDING;
}

void mh_l2_sector_drop(struct mh_l2 *l2, const uint32_t *set, uint32_t way)
{
    uint32_t *states = mh_l2_states(l2, set), state = states[way];

    l2->sectors->cleaned += mh_bits(mh_l2_state_dirty(state));
    mh_tags_drop(&l2->sectors->state, states, way);
    states[l2->tags.ways - 1] = state >> MH_L2_FRAME << MH_L2_FRAME;
}

/* --- Past the cache. The reply is not kept: a later request asks DRAM again. */

bool mh_l2_sector_asks(const struct mh_l2 *l2, uint32_t bank, uint32_t mshr, const struct mh_req *r)
{
    return l2->sectors->units[r->sectors] & ~(uint32_t)asked_by(l2, bank, mshr)->sectors;
}

void mh_l2_sector_pass(struct mh_gpu *g, uint32_t bank, uint32_t req, int mshr)
{
    uint32_t wanted = g->l2->sectors->units[g->req[req].sectors];
    uint32_t there = mshr < 0 ? 0 : asked_by(g->l2, bank, (uint32_t)mshr)->sectors;

    wait_for(g, bank, req, mshr, wanted & ~there, &g->l2->bypass[bank]);
}

void mh_l2_sector_passed(struct mh_gpu *g, uint32_t asked)
{
    uint32_t id = asked & MH_ASKED_MSHR, bank = mh_quotient(&g->l2->by_mshrs, id);

    (void)arrive(g, bank, id - bank * g->l2->mshrs, asked >> MH_ASKED_SECTORS, &g->l2->bypass[bank]);
}
