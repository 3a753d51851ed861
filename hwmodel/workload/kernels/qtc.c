#include "workload/kernels/qtc.h"
#include "workload/gen.h"
#include "workload/graph.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { THRESHOLD = 2048, SIDE = 20 * THRESHOLD, GROUPS = 30 };

struct point {
    int64_t x, y;
};

/* Numbers in sequence. */
struct draws {
    uint64_t seed, next;
};

static int64_t draw(struct draws *d, int64_t below)
{
    return below > 0 ? (int64_t)(mh_random(d->seed, d->next++) % (uint64_t)below) : 0;
}

static int64_t squared(struct point a, struct point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* Around a centre, not farther than `radius`, as the source draws them. */
static struct point draw_near(struct draws *d, struct point centre, int64_t radius)
{
    const int64_t sign = draw(d, 2) ? -1 : 1, r = draw(d, radius), dx = draw(d, 2 * r + 1) - r;

    return (struct point){centre.x + dx, centre.y + sign * (int64_t)mh_root((uint64_t)(r * r - dx * dx))};
}

/* Groups of random place, radius and size in a square of 20 x 20 thresholds. */
static void make_points(struct point *points, uint64_t n, uint64_t seed)
{
    struct draws d = {seed, 0};

    for (uint64_t count = 0; count < n;) {
        const struct point centre = {draw(&d, SIDE), draw(&d, SIDE)};
        const int64_t radius = draw(&d, SIDE / 2);

        for (int64_t left = draw(&d, (int64_t)n / GROUPS); left > 0 && count < n;) {
            const struct point p = draw_near(&d, centre, radius);

            if (p.x < 0 || p.x > SIDE || p.y < 0 || p.y > SIDE)
                continue;
            points[count++] = p;
            left--;
        }
    }
}

/* Pairs nearer than the threshold, both ways; `arcs` may be NULL: only counts. */
static uint32_t find_pairs(const struct point *points, uint32_t n, struct mh_arc *arcs)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            if (j != i && squared(points[i], points[j]) < (int64_t)THRESHOLD * THRESHOLD) {
                if (arcs)
                    arcs[count] = (struct mh_arc){i, j};
                count++;
            }
    return count;
}

static struct mh_graph *find_neighbours(const struct point *points, uint32_t n)
{
    struct mh_arc *arcs = malloc(((size_t)find_pairs(points, n, NULL) + 1) * sizeof *arcs);
    struct mh_graph *g = arcs ? mh_graph_build(n, arcs, find_pairs(points, n, arcs)) : NULL;

    free(arcs);
    return g;
}

/* Space for everything in one block, with the graph in it. */
static struct mh_qtc *make_room(const struct mh_graph *g)
{
    const size_t n = g->vertices, entries = g->edges, words = n + 1 + 2 * entries + MH_QTC_BLOCKS;
    const size_t grown = ((size_t)g->max_degree + 1) * g->max_degree;
    struct mh_qtc *d = calloc(1, sizeof *d + words * sizeof *d->row + (entries + n) * sizeof *d->joins + grown);

    if (!d)
        return NULL;
    d->width = g->max_degree;
    d->row = memcpy(d + 1, g->row, (n + 1) * sizeof *d->row);
    d->near = memcpy(d->row + n + 1, g->col, entries * sizeof *d->near);
    d->latest = d->near + entries;
    d->cardinal = d->latest + entries;
    d->joins = (uint16_t *)(d->cardinal + MH_QTC_BLOCKS);
    d->steps = d->joins + entries;
    d->grown = (uint8_t *)(d->steps + n);
    return d;
}

/* Distance as in the matrix: what is not near is far beyond every limit. */
static int64_t distance(struct point a, struct point b)
{
    const int64_t square = squared(a, b), limit = (int64_t)THRESHOLD * THRESHOLD;

    return square < limit ? square : 4 * limit;
}

/*
 * Grows the cluster of `point`; the members it comes to. diameter[]: scratch for its neighbours' distances to the
 * farthest member. `grown` may be NULL.
 */
static uint16_t grow(struct mh_qtc *d, const struct point *points, uint32_t point, int64_t *diameter, uint8_t *grown)
{
    const uint32_t first = d->row[point], degree = d->row[point + 1] - first;
    uint32_t latest = point;
    uint16_t step = 0;

    memset(diameter, 0, degree * sizeof *diameter);
    for (uint32_t k = 0; k < degree; k++)
        d->joins[first + k] = MH_QTC_NEVER;
    for (;; step++) {
        uint32_t best = degree;

        for (uint32_t k = 0; k < degree; k++) {
            const int64_t to_latest = distance(points[d->near[first + k]], points[latest]);

            if (d->joins[first + k] != MH_QTC_NEVER)
                continue;
            if (grown)
                grown[(size_t)step * degree + k] = to_latest > diameter[k];
            if (to_latest > diameter[k])
                diameter[k] = to_latest;
            if (diameter[k] <= (int64_t)THRESHOLD * THRESHOLD && (best == degree || diameter[k] < diameter[best]))
                best = k;
        }
        if (best == degree)
            return (uint16_t)(step + 1);
        d->joins[first + best] = step;
        d->latest[first + step] = latest = d->near[first + best];
    }
}

/* Every block's points in turn; one with no more neighbours than the block's largest cluster has members is left out.
 */
static void grow_all(struct mh_qtc *d, const struct point *points, uint32_t n, int64_t *diameter)
{
    uint32_t largest = 0;

    for (uint32_t p = 0; p < n; p++) {
        uint32_t *cardinal = &d->cardinal[p % MH_QTC_BLOCKS];

        if (*cardinal && d->row[p + 1] - d->row[p] <= *cardinal)
            continue;
        d->steps[p] = grow(d, points, p, diameter, NULL);
        if (d->steps[p] > *cardinal)
            *cardinal = d->steps[p];
    }
    for (uint32_t b = 0; b < MH_QTC_BLOCKS; b++) /* the first block with the largest, and its first point with that */
        for (uint32_t p = b; d->cardinal[b] > largest && p < n; p += MH_QTC_BLOCKS)
            if (d->steps[p] == d->cardinal[b]) {
                largest = d->cardinal[b];
                d->winner = p;
            }
    grow(d, points, d->winner, diameter, d->grown);
}

struct mh_qtc *mh_qtc_make(uint64_t points, uint64_t seed)
{
    struct point *p = malloc(points * sizeof *p);
    int64_t *diameter = malloc(points * sizeof *diameter);
    struct mh_graph *g = NULL;
    struct mh_qtc *d = NULL;

    if (p && diameter) {
        make_points(p, points, seed);
        g = find_neighbours(p, (uint32_t)points);
        d = g ? make_room(g) : NULL;
        if (d)
            grow_all(d, p, (uint32_t)points, diameter);
    }
    free(p);
    free(diameter);
    free(g);
    return d;
}

/*
 * QTC: SHOC's quality threshold clustering, the first round: every point grows a candidate cluster by the point that
 * keeps its diameter smallest, until none stays within the threshold; the largest cluster wins and its points leave.
 * 256 blocks of 64 threads (the MAFIA suite's number) take a point after the other; a thread looks after each 64th of
 * its neighbours, twelve of them in registers. In every step it looks each one up in two byte masks and its distance to
 * the latest member in the full matrix of distances, which is the source's form at its default size: a row per
 * neighbour, a column per member. Five launches: degrees, clusters, largest, trim (which grows the winner again),
 * update of the mask.
 *
 * Which threads do what follows from the points: groups of random radius and size in a square of 20 x 20 thresholds, as
 * the source makes them, here of integers, 2048 a threshold. Gaps count the source's operations as LLVM IR would.
 */

enum { GAP_SCAN = 8 /* two compares, add, j++, loop test, address */ };

static void compute_degrees(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t share = mh_ceil_div(g->n, MH_QTC_BLOCKS), tid = c->warp * g->lanes;
    const uint64_t first = c->cta * share, end = first + share < g->n ? first + share : g->n;
    const uint64_t row = (uint64_t)data_of(g)->width * WORD;
    uint64_t p = first + tid + c->v[0];

    switch (c->state) {
    case 0:
        for (; p < end; c->v[0] += BLOCK, p = first + tid + c->v[0]) {
            for (c->v[1] = 0; c->v[1] < data_of(g)->width; c->v[1]++)
                MH_LOAD(40, WORD, c->v[1] || c->v[0] ? GAP_SCAN : GAP_START, c->v[1] > 0,
                        mh_mask_below(p, end, g->lanes), g->base[ROWS] + p * row + c->v[1] * WORD, (int64_t)row);
            MH_STORE(41, WORD, GAP_SCAN, true, mh_mask_below(p, end, g->lanes), g->base[DEGREES] + p * WORD, WORD);
        }
        MH_END(GAP_LOOP, false);
    }
}

/* One thread; c->v[1]: largest so far */
static void reduce_card(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t card = g->base[CARDINALS];

    switch (c->state) {
    case 0:
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
}

static void update_mask(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;
    uint64_t i = tid + c->v[0];

    switch (c->state) {
    case 0:
        for (; i < g->n; c->v[0] += BLOCK, i = tid + c->v[0]) {
            MH_LOAD(46, 1, GAP_LOOP, false, mh_mask_below(i, g->n, g->lanes), g->base[IN_CLUSTER] + i, 1);
            MH_LOAD(47, 1, 1, false, mh_mask_below(i, g->n, g->lanes), g->base[CLUSTERED] + i, 1);
            MH_STORE(48, 1, 1, true, mh_mask_below(i, g->n, g->lanes), g->base[CLUSTERED] + i, 1);
        }
        MH_BARRIER(49, GAP_LOOP, false);
        MH_END(1, false);
    }
}

static void add_buffers(struct mh_gen *g, uint64_t width)
{
    MH_BUFFERS(g, g->n * g->n * WORD, g->n * width * WORD, g->n * WORD, g->n * WORD, MH_QTC_BLOCKS * g->n,
               MH_QTC_BLOCKS * width * WORD, g->n, MH_QTC_BLOCKS * 2 * WORD, g->n * WORD);
}

static void add_launches(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = MH_QTC_BLOCKS, .threads = BLOCK, .registers = 40 /* ours */};

    l.name = "compute_degrees", mh_gen_launch(g, l, compute_degrees);
    l.name = "QTC_device", l.shared_bytes = 2 * BLOCK * WORD, mh_gen_launch(g, l, mh_qtc_grow);
    l.name = "reduce_card_device", l.ctas = l.threads = 1, l.shared_bytes = 0, mh_gen_launch(g, l, reduce_card);
    l.name = "trim_ungrouped_pnts_indr_array", l.threads = BLOCK, l.shared_bytes = 3 * BLOCK * WORD,
    mh_gen_launch(g, l, mh_qtc_grow);
    l.name = "update_clustered_pnts_mask", l.shared_bytes = 0, mh_gen_launch(g, l, update_mask);
}

static void build(struct mh_gen *g)
{
    struct mh_qtc *d;

    g->data = d = mh_qtc_make(g->n, g->seed);
    g->no_memory |= !d;
    add_buffers(g, d ? d->width : 1);
    add_launches(g);
}

const struct mh_kernel mh_kernel_qtc = {
    .name = "QTC",
    .suite = "SHOC",
    .summary =
        "quality threshold clustering; small blocks, a matrix of distances, a row per lane, byte masks, barriers",
    MH_SIZE("points", 4096, 256, 8192), /* the source's */
    MH_MULTIPLE(BLOCK, "threads of a block"),
    .build = build,
};
