#include "workload/kernels/qtc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "workload/gen.h"
#include "workload/graph.h"

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

static int64_t root(int64_t square)
{
    int64_t r = 0;

    for (int64_t bit = (int64_t)1 << 20; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= square)
            r += bit;
    return r;
}

static int64_t squared(struct point a, struct point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/* Around a centre, not farther than `radius`, as the source draws them. */
static struct point draw_near(struct draws *d, struct point centre, int64_t radius)
{
    const int64_t sign = draw(d, 2) ? -1 : 1, r = draw(d, radius), dx = draw(d, 2 * r + 1) - r;

    return (struct point){centre.x + dx, centre.y + sign * root(r * r - dx * dx)};
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
