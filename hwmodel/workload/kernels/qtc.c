/*
 * QTC: SHOC's quality threshold clustering, the first round: every point grows a candidate cluster by the point that
 * keeps its diameter smallest, until none stays within the threshold; the largest cluster wins and its points leave.
 * 128 blocks of 64 threads take a point after the other; a thread looks after one neighbour of it. Neighbours and
 * distances lie in compact rows, sorted; to find its distance to the latest member a thread scans that one's row from
 * its start, all lanes reading the same element, until its own number is passed. Five launches: degrees, clusters,
 * largest, trim (which grows the winner again), update of the mask.
 *
 * Which threads do what follows from the points: uniform in a square in which a point has 32 neighbours on average, as
 * 4096 points in the source's 20 x 20 have; 64 neighbours at most, the rest is dropped (ours). Points are integers,
 * 2048 a threshold. Gaps count the source's operations as LLVM IR would.
 */
#include "workload/gen.h"
#include "workload/kernels/qtc.h"

enum { BLOCK = 64, WORD = 4 };
enum { DISTANCES, ROWS, DEGREES, UNGROUPED, IN_CLUSTER, CACHE, CLUSTERED, CARDINALS, RESULT }; /* buffers */
enum { TRIM = 3 };                                                                             /* launch */

enum {
    GAP_START = 12, /* ids, block's parts of the arrays, loop test */
    GAP_LOOP = 4,   /* add, compare, branch, address */
    GAP_SEED = 5,   /* compare with the largest so far, branch, next index, address */
    GAP_FETCH = 6,  /* bounds, address */
    GAP_ADDRESS = 2,
    GAP_CHECK = 3,    /* compare, branch, address */
    GAP_SCAN = 8,     /* two compares and branches on the element, j++, loop test, address */
    GAP_FOUND = 2,    /* address */
    GAP_DIAMETER = 5, /* two comparisons, selects */
    GAP_SHARED = 4,   /* two shared writes with addresses */
    GAP_MINIMUM = 7,  /* per thread in turn: read with address, two comparisons, select, j++, branch */
    GAP_CHOICE = 4,   /* shared read, tests */
};

static const struct mh_qtc *data_of(const struct mh_gen *g)
{
    return g->data;
}

/* This warp's part of a step's bits. */
static uint64_t lanes_of(const struct mh_gen *g, const struct mh_cursor *c, uint64_t bits)
{
    return bits >> (c->warp * g->lanes) & mh_mask_first(g->lanes);
}

/* Byte of a mask for each lane's neighbour of `point`. */
static void list_bytes(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr,
                       uint64_t base, uint64_t point)
{
    const int32_t *row = data_of(g)->row[point] + c->warp * g->lanes;

    op->list = true;
    for (uint64_t m = op->mask; m; m &= m - 1) {
        const unsigned l = (unsigned)__builtin_ctzll(m);

        addr[l] = base + (uint64_t)row[l];
    }
}

/* Element j of the latest member's row was read: of `mask`, drops lanes whose neighbour is not behind it; returns the
 * lane that found itself. Neighbours ascend with the lanes. */
static uint64_t scan(const struct mh_gen *g, const struct mh_cursor *c, uint64_t point, int32_t other, uint64_t *mask)
{
    const int32_t *row = data_of(g)->row[point] + c->warp * g->lanes;
    uint64_t found = 0;

    if (other < 0)
        *mask = 0;
    while (*mask && row[__builtin_ctzll(*mask)] <= other) {
        if (row[__builtin_ctzll(*mask)] == other)
            found = *mask & (0 - *mask);
        *mask &= *mask - 1;
    }
    return found;
}

/* Loads of the byte masks. */
#define MH_BYTES(pc, gap, mask, base)                                                                                  \
    do {                                                                                                               \
        if (mask) {                                                                                                    \
            mh_op_affine(op, MH_OP_LOAD, pc, 1, gap, true, mask, 0, 0);                                                \
            list_bytes(g, c, op, addr, base, point);                                                                   \
            MH_YIELD;                                                                                                  \
        }                                                                                                              \
    } while (0)

/* Points of the winning cluster below p: so many places the ungrouped ones move up. */
static uint64_t members_below(const struct mh_qtc *d, uint64_t p)
{
    uint64_t count = 0;

    for (uint32_t s = d->first[d->winner]; s < d->first[d->winner + 1]; s++)
        count += d->steps[s].latest < p;
    return count;
}

static uint64_t members(const struct mh_qtc *d, uint64_t first, uint32_t lanes)
{
    uint64_t mask = 0;

    for (uint32_t s = d->first[d->winner]; s < d->first[d->winner + 1]; s++)
        if (d->steps[s].latest - first < lanes)
            mask |= (uint64_t)1 << (d->steps[s].latest - first);
    return mask;
}

/*
 * QTC_device, and the trim, which grows the winner's cluster once more and then moves the other points together.
 * c->v[0]: the block's points so far; v[1]: step; v[2]: position in a loop; v[3]: lanes that scan, v[4]: lane that
 * found
 */
static void grow(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mh_qtc *d = data_of(g);
    const bool trim = c->launch == TRIM;
    const uint64_t tid = c->warp * g->lanes, all = mh_mask_first(g->lanes), row = (uint64_t)d->width * WORD;
    const uint64_t in = g->base[IN_CLUSTER] + c->cta * g->n;
    const uint64_t cache = g->base[CACHE] + c->cta * row + tid * WORD;
    uint64_t point = trim ? d->winner : c->cta + c->v[0] * MH_QTC_BLOCKS;
    const struct mh_qtc_step *s = point < g->n ? &d->steps[d->first[point] + c->v[1]] : NULL;

    MH_BEGIN;
    for (; trim ? c->v[0] < 1 : c->cta + c->v[0] * MH_QTC_BLOCKS < g->n; c->v[0]++) {
        point = trim ? d->winner : c->cta + c->v[0] * MH_QTC_BLOCKS;
        if (!trim)
            MH_LOAD(1, WORD, c->v[0] ? GAP_SEED : GAP_START, false, all, g->base[UNGROUPED] + point * WORD, 0);
        MH_LOAD(2, WORD, GAP_ADDRESS, true, all, g->base[DEGREES] + point * WORD, 0);
        if (d->first[point] == d->first[point + 1])
            continue;
        for (c->v[2] = 0; c->v[2] + tid < g->n; c->v[2] += BLOCK)
            MH_STORE(3, 1, c->v[2] ? GAP_LOOP : GAP_SEED, c->v[2] == 0, mh_mask_below(tid + c->v[2], g->n, g->lanes),
                     in + tid + c->v[2], 1);
        MH_STORE(4, WORD, GAP_LOOP, false, mh_mask_below(tid, d->width, g->lanes), cache, WORD);
        if (tid == 0) {
            if (trim)
                MH_STORE(5, WORD, 2, false, 1, g->base[RESULT], 0);
            MH_STORE(6, 1, 3, false, 1, in + point, 0);
        }
        MH_BARRIER(7, 1, false);
        MH_LOAD(8, WORD, GAP_FETCH, false, mh_mask_below(tid, d->width, g->lanes),
                g->base[ROWS] + point * row + tid * WORD, WORD);
        MH_BARRIER(9, GAP_CHECK, true);
        for (c->v[1] = 0; d->first[point] + c->v[1] < d->first[point + 1]; c->v[1]++) {
            s = &d->steps[d->first[point] + c->v[1]];
            MH_LOAD(10, WORD, GAP_FETCH + GAP_ADDRESS, false, lanes_of(g, c, s->looked), cache, WORD);
            MH_BYTES(11, GAP_CHECK, lanes_of(g, c, s->near), in);
            MH_BYTES(12, GAP_CHECK, lanes_of(g, c, s->open), g->base[CLUSTERED]);
            c->v[3] = lanes_of(g, c, s->open);
            for (c->v[2] = 0; c->v[3] && c->v[2] < d->width; c->v[2]++) {
                MH_LOAD(13, WORD, c->v[2] ? GAP_SCAN : GAP_CHECK, true, c->v[3],
                        g->base[ROWS] + s->latest * row + c->v[2] * WORD, 0);
                c->v[4] = scan(g, c, point, d->row[s->latest][c->v[2]], &c->v[3]);
                MH_LOAD(14, WORD, GAP_FOUND, true, c->v[4], g->base[DISTANCES] + s->latest * row + c->v[2] * WORD, 0);
            }
            MH_STORE(15, WORD, GAP_DIAMETER, true, lanes_of(g, c, s->grown), cache, WORD);
            MH_BARRIER(16, GAP_DIAMETER, true);
            MH_BARRIER(17, GAP_LOOP, false);
            MH_BARRIER(18, GAP_SHARED, false);
            MH_BARRIER(19, tid == 0 ? (BLOCK - 1) * GAP_MINIMUM : 2, false);
            if (tid == 0 && d->first[point] + c->v[1] + 1 < d->first[point + 1]) {
                MH_STORE(20, 1, GAP_CHOICE, false, 1, in + s[1].latest, 0);
                if (trim)
                    MH_STORE(21, WORD, 2, false, 1, g->base[RESULT] + (c->v[1] + 1) * WORD, 0);
            }
            MH_BARRIER(22, GAP_CHOICE, false);
        }
        MH_BARRIER(23, 3, false);
    }
    if (!trim && tid == 0) {
        MH_STORE(24, WORD, GAP_SEED, false, 1, g->base[CARDINALS] + (uint64_t)c->cta * 2 * WORD, 0);
        MH_STORE(25, WORD, 2, false, 1, g->base[CARDINALS] + ((uint64_t)c->cta * 2 + 1) * WORD, 0);
    }
    if (trim)
        MH_BARRIER(26, 4, false);
    for (c->v[2] = tid; trim && c->v[2] < g->n + tid; c->v[2] += BLOCK) {
        c->v[3] = mh_mask_below(c->v[2], g->n, g->lanes);
        MH_LOAD(27, WORD, GAP_LOOP, false, c->v[3], g->base[UNGROUPED] + c->v[2] * WORD, WORD);
        MH_LOAD(28, 1, GAP_SHARED, true, c->v[3], in + c->v[2], 1); /* ungrouped points are still in order */
        MH_STORE(29, WORD, GAP_CHECK, true, c->v[3] & ~members(d, c->v[2], g->lanes),
                 g->base[UNGROUPED] + (c->v[2] - members_below(d, c->v[2] - tid)) * WORD, WORD);
        MH_BARRIER(30, 2, true);
        /* If one of the 64 was a member, the first thread writes the others again, one by one. */
        c->v[3] = tid == 0 ? members(d, c->v[2], BLOCK) : 0;
        for (c->v[4] = 0; c->v[3] && c->v[4] < BLOCK && c->v[2] + c->v[4] < g->n; c->v[4]++)
            if (!(c->v[3] >> c->v[4] & 1))
                MH_STORE(31, WORD, 8, false, 1,
                         g->base[UNGROUPED] + (c->v[2] + c->v[4] - members_below(d, c->v[2] + c->v[4])) * WORD, 0);
        MH_BARRIER(32, 3, false);
    }
    MH_END(2, false);
}

static void compute_degrees(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t share = mh_ceil_div(g->n, MH_QTC_BLOCKS), tid = c->warp * g->lanes;
    const uint64_t first = c->cta * share, end = first + share < g->n ? first + share : g->n;
    const uint64_t row = (uint64_t)data_of(g)->width * WORD;
    uint64_t p = first + tid + c->v[0];

    (void)addr;
    MH_BEGIN;
    for (; p < end; c->v[0] += BLOCK, p = first + tid + c->v[0]) {
        for (c->v[1] = 0; c->v[1] < data_of(g)->width; c->v[1]++)
            MH_LOAD(40, WORD, c->v[1] || c->v[0] ? GAP_SCAN : GAP_START, c->v[1] > 0, mh_mask_below(p, end, g->lanes),
                    g->base[ROWS] + p * row + c->v[1] * WORD, (int64_t)row);
        MH_STORE(41, WORD, GAP_SCAN, true, mh_mask_below(p, end, g->lanes), g->base[DEGREES] + p * WORD, WORD);
    }
    MH_END(GAP_LOOP, false);
}

/* One thread; c->v[1]: largest so far */
static void reduce_card(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t card = g->base[CARDINALS];

    (void)addr;
    MH_BEGIN;
    for (; c->v[0] < MH_QTC_BLOCKS; c->v[0]++) {
        MH_LOAD(42, WORD, GAP_LOOP, false, 1, card + c->v[0] * 2 * WORD, 0);
        if (data_of(g)->cardinal[c->v[0]] > c->v[1]) {
            c->v[1] = data_of(g)->cardinal[c->v[0]];
            MH_LOAD(43, WORD, GAP_CHECK, true, 1, card + (c->v[0] * 2 + 1) * WORD, 0);
        }
    }
    MH_STORE(44, WORD, GAP_CHECK, true, 1, card, 0);
    MH_STORE(45, WORD, 1, false, 1, card + WORD, 0);
    MH_END(1, false);
}

static void update_mask(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;
    uint64_t i = tid + c->v[0];

    (void)addr;
    MH_BEGIN;
    for (; i < g->n; c->v[0] += BLOCK, i = tid + c->v[0]) {
        MH_LOAD(46, 1, GAP_LOOP, false, mh_mask_below(i, g->n, g->lanes), g->base[IN_CLUSTER] + i, 1);
        MH_LOAD(47, 1, 1, false, mh_mask_below(i, g->n, g->lanes), g->base[CLUSTERED] + i, 1);
        MH_STORE(48, 1, 1, true, mh_mask_below(i, g->n, g->lanes), g->base[CLUSTERED] + i, 1);
    }
    MH_BARRIER(49, GAP_LOOP, false);
    MH_END(1, false);
}

static void add_buffers(struct mh_gen *g, uint64_t width)
{
    mh_gen_buffer(g, g->n * width * WORD);
    mh_gen_buffer(g, g->n * width * WORD);
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, MH_QTC_BLOCKS * g->n);
    mh_gen_buffer(g, MH_QTC_BLOCKS * width * WORD);
    mh_gen_buffer(g, g->n);
    mh_gen_buffer(g, MH_QTC_BLOCKS * 2 * WORD);
    mh_gen_buffer(g, g->n * WORD);
}

static void add_launches(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = MH_QTC_BLOCKS, .threads = BLOCK, .registers = 40 /* ours */};

    l.name = "compute_degrees", mh_gen_launch(g, l, compute_degrees);
    l.name = "QTC_device", l.shared_bytes = 2 * BLOCK * WORD, mh_gen_launch(g, l, grow);
    l.name = "reduce_card_device", l.ctas = l.threads = 1, l.shared_bytes = 0, mh_gen_launch(g, l, reduce_card);
    l.name = "trim_ungrouped_pnts_indr_array", l.threads = BLOCK, l.shared_bytes = 3 * BLOCK * WORD;
    mh_gen_launch(g, l, grow);
    l.name = "update_clustered_pnts_mask", l.shared_bytes = 0, mh_gen_launch(g, l, update_mask);
}

static struct mh_workload *create(const struct mh_kernel_args *args, struct mh_error *err)
{
    struct mh_qtc *d;
    struct mh_gen *g;

    if (args->size % BLOCK) {
        (void)mh_fail(err, "QTC: size %llu is not a multiple of %d (threads of a block)",
                      (unsigned long long)args->size, BLOCK);
        return NULL;
    }
    g = mh_gen_new(args, err);
    if (!g)
        return NULL;
    g->data = d = mh_qtc_make(g->n, g->seed);
    g->no_memory |= !d;
    add_buffers(g, d ? d->width : MH_QTC_WIDTH);
    add_launches(g);
    return mh_gen_finish(g, err);
}

const struct mh_kernel mh_kernel_qtc = {
    .name = "QTC",
    .suite = "SHOC",
    .summary = "quality threshold clustering; small blocks, scans of neighbour rows, byte masks, barriers",
    .size_meaning = "points, a multiple of 64",
    .size_default = 4096, /* the source's */
    .size_min = 256,
    .size_max = 8192,
    .create = create,
};
