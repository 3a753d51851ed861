/*
 * QTC_device, and the trim, which grows the winner's cluster once more and then moves the other points together, are
 * made of parts: a point is seeded and, if its cluster can win, cleared for and fetched; each step of its growth looks
 * at all neighbours and chooses one. At the end blocks report, or the trim compacts.
 * c->v[0]: the block's points so far; v[1]: step; v[2]: slot, or position in a loop; v[3], v[4]: loops of compact();
 * v[5]: part
 */
#include "workload/kernels/qtc.h"

enum { SEED, CLEAR, FETCH, LOOK, CHOOSE, REPORT, COMPACT };

enum { KEPT = 12 /* neighbours of a thread in registers */ };

enum {
    GAP_SEED = 5,  /* compare with the largest so far, branch, next index, address */
    GAP_FETCH = 6, /* bounds, address */
    GAP_ADDRESS = 2,
    GAP_NONE = 2,     /* compare, branch: no neighbour left in a register */
    GAP_MATRIX = 6,   /* compare, branch, product, sum, extension, address */
    GAP_DIAMETER = 5, /* two comparisons, selects */
    GAP_SHARED = 4,   /* two shared writes with addresses */
    GAP_MINIMUM = 7,  /* per thread in turn: read with address, two comparisons, select, j++, branch */
    GAP_CHOICE = 4,   /* shared read, tests */
};

static uint32_t degree_of(const struct mh_qtc *d, uint64_t point)
{
    return d->row[point + 1] - d->row[point];
}

/* The warp's places in slot v[2] of a row of neighbours. */
static uint64_t place_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return c->v[2] * BLOCK + c->warp * g->lanes;
}

/* Of the warp's lanes with a neighbour in slot v[2] of `point`, those whose neighbour did not join before step `from`.
 */
static uint64_t outside(const struct mh_gen *g, const struct mh_cursor *c, uint64_t point, uint64_t from)
{
    const struct mh_qtc *d = data_of(g);
    const uint64_t first = place_of(g, c);
    uint64_t mask = mh_mask_below(first, degree_of(d, point), g->lanes);

    MH_KEEP_LANES(mask, l, d->joins[d->row[point] + first + l] >= from);
    return mask;
}

/* As outside(), of the winner in step v[1]: those farther from the latest member than from all before. */
static uint64_t grown(const struct mh_gen *g, const struct mh_cursor *c)
{
    const struct mh_qtc *d = data_of(g);
    const uint64_t first = place_of(g, c);
    uint64_t mask = outside(g, c, d->winner, c->v[1]);

    MH_KEEP_LANES(mask, l, d->grown[c->v[1] * degree_of(d, d->winner) + first + l]);
    return mask;
}

/* Element of `bytes` + element size * stride for each lane's neighbour in slot v[2] of `point`. */
static void list_neighbours(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr,
                            uint64_t point, uint64_t base, uint64_t stride)
{
    const struct mh_qtc *d = data_of(g);
    const uint32_t *near = d->near + d->row[point] + place_of(g, c);

    MH_LIST_LANES(op, addr, l, base + near[l] * stride);
}

#define MH_NEAR(pc, bytes, gap, wait, mask, base, stride)                                                              \
    do {                                                                                                               \
        if (mask) {                                                                                                    \
            mh_op_affine(op, MH_OP_LOAD, pc, bytes, gap, wait, mask, 0, 0);                                            \
            list_neighbours(g, c, op, addr, point, base, stride);                                                      \
            MH_YIELD;                                                                                                  \
        }                                                                                                              \
    } while (0)

static bool joins_winner(const struct mh_qtc *d, uint64_t p)
{
    for (uint32_t e = d->row[d->winner]; e < d->row[d->winner + 1]; e++)
        if (d->near[e] == p)
            return d->joins[e] != MH_QTC_NEVER;
    return p == d->winner;
}

/* Points of the winning cluster below p: so many places the ungrouped ones move up. */
static uint64_t members_below(const struct mh_qtc *d, uint64_t p)
{
    uint64_t count = d->winner < p;

    for (uint32_t e = d->row[d->winner]; e < d->row[d->winner + 1] && d->near[e] < p; e++)
        count += d->joins[e] != MH_QTC_NEVER;
    return count;
}

static uint64_t members(const struct mh_qtc *d, uint64_t first, uint32_t lanes)
{
    uint64_t mask = 0;

    for (uint32_t l = 0; l < lanes; l++)
        mask |= (uint64_t)joins_winner(d, first + l) << l;
    return mask;
}

/* Neighbours that a thread looks after; the trim looks at the places of the longest row. */
static uint64_t slots_of(const struct mh_qtc *d, uint64_t point, bool trim)
{
    return mh_ceil_div(trim ? d->width : degree_of(d, point), BLOCK);
}

static uint64_t point_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint64_t p = c->cta + c->v[0] * MH_QTC_BLOCKS;

    return c->launch == TRIM ? data_of(g)->winner : p < g->n ? p : g->n - 1;
}

static bool is_trim(const struct mh_cursor *c)
{
    return c->launch == TRIM;
}

/* The block's mask of members. */
static uint64_t mask_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return g->base[IN_CLUSTER] + c->cta * g->n;
}

/* Of the block's diameters, the one at `place`. */
static uint64_t cache_of(const struct mh_gen *g, const struct mh_cursor *c, uint64_t place)
{
    return g->base[CACHE] + ((uint64_t)c->cta * data_of(g)->width + place) * WORD;
}

static uint64_t row_of(const struct mh_gen *g, uint64_t point, uint64_t place)
{
    return g->base[ROWS] + (point * data_of(g)->width + place) * WORD;
}

static void seed(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t all = mh_mask_first(g->lanes), point = point_of(g, c);

    switch (c->state) {
    case 0:
        if (!is_trim(c))
            MH_LOAD(1, WORD, c->v[0] ? GAP_SEED : GAP_START, false, all, g->base[UNGROUPED] + point * WORD, 0);
        MH_LOAD(2, WORD, GAP_ADDRESS, true, all, g->base[DEGREES] + point * WORD, 0);
        c->state = MH_GEN_DONE; /* the warp goes on with another part */
    }
}

static void clear(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, width = data_of(g)->width, in = mask_of(g, c);

    switch (c->state) {
    case 0:
        for (c->v[2] = 0; c->v[2] + tid < g->n; c->v[2] += BLOCK)
            MH_STORE(3, 1, c->v[2] ? GAP_LOOP : GAP_SEED, c->v[2] == 0, mh_mask_below(tid + c->v[2], g->n, g->lanes),
                     in + tid + c->v[2], 1);
        for (c->v[2] = 0; c->v[2] + tid < width; c->v[2] += BLOCK)
            MH_STORE(4, WORD, GAP_LOOP, false, mh_mask_below(tid + c->v[2], width, g->lanes),
                     cache_of(g, c, tid + c->v[2]), WORD);
        if (tid == 0) {
            if (is_trim(c))
                MH_STORE(5, WORD, 2, false, 1, g->base[RESULT], 0);
            MH_STORE(6, 1, 3, false, 1, in + point_of(g, c), 0);
        }
        MH_BARRIER(7, 1, false);
        c->state = MH_GEN_DONE; /* the warp goes on with another part */
    }
}

/* The neighbours that a thread keeps in registers; the trim keeps none. */
static void fetch(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t point = point_of(g, c), slots = slots_of(data_of(g), point, false);

    switch (c->state) {
    case 0:
        for (c->v[2] = 0; c->v[2] < slots && c->v[2] < KEPT; c->v[2]++)
            MH_LOAD(8, WORD, GAP_FETCH, false, outside(g, c, point, 0), row_of(g, point, place_of(g, c)), WORD);
        MH_BARRIER(9, GAP_NONE, true);
        c->state = MH_GEN_DONE; /* the warp goes on with another part */
    }
}

/* The step from which on a neighbour that has joined is not looked up any more: registers forget it when they find that
 * it has joined; what is fetched anew does not. */
static uint64_t forgotten(const struct mh_cursor *c, bool anew)
{
    return anew || !c->v[1] ? 0 : c->v[1] - 1;
}

static void look(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_qtc *d = data_of(g);
    const bool trim = is_trim(c), anew = trim || c->v[2] >= KEPT;
    const uint64_t point = point_of(g, c), place = place_of(g, c), width = d->width;
    const uint64_t latest = c->v[1] ? d->latest[d->row[point] + c->v[1] - 1] : point;
    const uint64_t left = outside(g, c, point, c->v[1]);

    switch (c->state) {
    case 0:
        if (trim)
            MH_LOAD(10, WORD, c->v[2] ? GAP_DIAMETER + GAP_FETCH : GAP_FETCH, c->v[2] > 0,
                    mh_mask_below(place, width, g->lanes), row_of(g, point, place), WORD);
        else if (anew)
            MH_LOAD(11, WORD, GAP_FETCH, true, outside(g, c, point, 0), row_of(g, point, place), WORD);
        MH_NEAR(12, 1, c->v[2] ? GAP_DIAMETER + GAP_CHECK : GAP_CHECK, true, outside(g, c, point, forgotten(c, anew)),
                mask_of(g, c), 1);
        MH_NEAR(13, 1, GAP_CHECK, true, left, g->base[CLUSTERED], 1);
        if (anew)
            MH_LOAD(14, WORD, GAP_CHECK, true, left, cache_of(g, c, place), WORD);
        MH_NEAR(15, WORD, GAP_MATRIX, true, left, g->base[DISTANCES] + latest * WORD, g->n * WORD);
        if (trim)
            MH_STORE(16, WORD, 2, true, grown(g, c), cache_of(g, c, place), WORD);
        c->state = MH_GEN_DONE; /* the warp goes on with another part */
    }
}

static void choose(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_qtc *d = data_of(g);
    const uint64_t tid = c->warp * g->lanes, point = point_of(g, c);
    const bool last = c->v[1] + 1 == d->steps[point], joins = tid == 0 && !last;

    switch (c->state) {
    case 0:
        MH_BARRIER(17, is_trim(c) ? GAP_SHARED : GAP_SHARED + KEPT * GAP_NONE, true);
        MH_BARRIER(19, tid == 0 ? (BLOCK - 1) * GAP_MINIMUM : 2, false);
        if (joins)
            MH_STORE(20, 1, GAP_CHOICE, false, 1, mask_of(g, c) + d->latest[d->row[point] + c->v[1]], 0);
        if (joins && is_trim(c))
            MH_STORE(21, WORD, 2, false, 1, g->base[RESULT] + (c->v[1] + 1) * WORD, 0);
        MH_BARRIER(22, GAP_CHOICE, false);
        if (last)
            MH_BARRIER(23, 3, false);
        c->state = MH_GEN_DONE; /* the warp goes on with another part */
    }
}

static void report(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t mask = c->warp == 0, cardinal = g->base[CARDINALS] + (uint64_t)c->cta * 2 * WORD;

    switch (c->state) {
    case 0:
        MH_STORE(24, WORD, GAP_SEED, false, mask, cardinal, 0);
        MH_STORE(25, WORD, 2, false, mask, cardinal + WORD, 0);
        MH_END(2, false);
    }
}

/* Address that the ungrouped point p moves to. */
static uint64_t moved(const struct mh_gen *g, uint64_t p, uint64_t from)
{
    return g->base[UNGROUPED] + (p - members_below(data_of(g), from)) * WORD;
}

static void compact(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_qtc *d = data_of(g);
    const uint64_t tid = c->warp * g->lanes;

    switch (c->state) {
    case 0:
        MH_BARRIER(26, 4, false);
        for (c->v[2] = tid; c->v[2] < g->n + tid; c->v[2] += BLOCK) {
            c->v[3] = mh_mask_below(c->v[2], g->n, g->lanes);
            MH_LOAD(27, WORD, GAP_LOOP, false, c->v[3], g->base[UNGROUPED] + c->v[2] * WORD, WORD);
            MH_LOAD(28, 1, GAP_SHARED, true, c->v[3], mask_of(g, c) + c->v[2], 1); /* ungrouped points are in order */
            MH_STORE(29, WORD, GAP_CHECK, true, c->v[3] & ~members(d, c->v[2], g->lanes),
                     moved(g, c->v[2], c->v[2] - tid), WORD);
            MH_BARRIER(30, 2, true);
            /* If one of the 64 was a member, the first thread writes the others again, one by one. */
            c->v[3] = tid == 0 ? members(d, c->v[2], BLOCK) : 0;
            for (c->v[4] = 0; c->v[3] && c->v[4] < BLOCK && c->v[2] + c->v[4] < g->n; c->v[4]++)
                if (!(c->v[3] >> c->v[4] & 1))
                    MH_STORE(31, WORD, 8, false, 1, moved(g, c->v[2] + c->v[4], c->v[2] + c->v[4]), 0);
            MH_BARRIER(32, 3, false);
        }
        MH_END(2, false);
    }
}

/* The block's next point, if it has one. */
static uint64_t next_point(const struct mh_gen *g, struct mh_cursor *c)
{
    c->v[0]++;
    c->v[1] = 0;
    if (is_trim(c))
        return COMPACT;
    return c->cta + c->v[0] * MH_QTC_BLOCKS < g->n ? SEED : REPORT;
}

/* What follows the part that v[5] names; a point without neighbours has no slot to look at. */
static uint64_t next_part(const struct mh_gen *g, struct mh_cursor *c)
{
    const struct mh_qtc *d = data_of(g);
    const uint64_t point = point_of(g, c);

    if (c->v[5] == SEED)
        return d->steps[point] ? CLEAR : next_point(g, c);
    if (c->v[5] == CLEAR && !is_trim(c))
        return FETCH;
    if (c->v[5] == CHOOSE && ++c->v[1] == d->steps[point])
        return next_point(g, c);
    c->v[2] = c->v[5] == LOOK ? c->v[2] + 1 : 0;
    return c->v[2] < slots_of(d, point, is_trim(c)) ? LOOK : CHOOSE;
}

void mh_qtc_grow(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    static mh_gen_body *const parts[] = {
        [SEED] = seed,     [CLEAR] = clear,   [FETCH] = fetch,     [LOOK] = look,
        [CHOOSE] = choose, [REPORT] = report, [COMPACT] = compact,
    };

    for (;;) {
        parts[c->v[5]](g, c, op, addr);
        if (c->state != MH_GEN_DONE || c->v[5] >= REPORT)
            return;
        c->v[5] = next_part(g, c);
        c->state = 0;
    }
}
