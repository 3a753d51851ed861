#include "workload/kernels/qtc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "workload/gen.h"

enum { THRESHOLD = 2048 };

struct point {
    int32_t x, y;
};

static uint64_t squared(struct point a, struct point b)
{
    const int64_t x = a.x - b.x, y = a.y - b.y;

    return (uint64_t)(x * x + y * y);
}

static void make_points(struct point *points, uint64_t n, uint64_t seed)
{
    uint64_t side = 0;

    while ((side + 1) * (side + 1) <=
           n * 400 / 4096 * THRESHOLD * THRESHOLD) /* area in thresholds, as 20 x 20 for 4096 */
        side += THRESHOLD / 16;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t r = mh_random(seed, i);

        points[i].x = (int32_t)((uint32_t)r % side);
        points[i].y = (int32_t)((uint32_t)(r >> 32) % side);
    }
}

static void find_neighbours(struct mh_qtc *d, const struct point *points, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        uint32_t count = 0;

        for (uint64_t j = 0; j < n && count < MH_QTC_WIDTH; j++)
            if (squared(points[i], points[j]) <= (uint64_t)THRESHOLD * THRESHOLD)
                d->row[i][count++] = (int32_t)j;
        d->width = count > d->width ? count : d->width;
        while (count < MH_QTC_WIDTH)
            d->row[i][count++] = -1;
    }
}

static bool is_neighbour(const int32_t *row, int32_t p)
{
    for (int k = 0; k < MH_QTC_WIDTH && row[k] >= 0 && row[k] <= p; k++)
        if (row[k] == p)
            return true;
    return false;
}

static struct mh_qtc_step *add_step(struct mh_qtc *d, uint32_t index, uint32_t latest)
{
    if (index == d->room) {
        const uint32_t room = d->room ? 2 * d->room : 4096;
        struct mh_qtc_step *steps = realloc(d->steps, room * sizeof *steps);

        if (!steps)
            return NULL;
        d->steps = steps;
        d->room = room;
    }
    d->steps[index] = (struct mh_qtc_step){.latest = latest};
    return &d->steps[index];
}

/* Grows the cluster of `point`, its steps from d->first[point] on; false when memory is short. */
static bool grow_cluster(struct mh_qtc *d, const struct point *points, uint32_t point, uint32_t *next)
{
    const uint64_t limit = (uint64_t)THRESHOLD * THRESHOLD;
    const int32_t *row = d->row[point];
    uint64_t distance[MH_QTC_WIDTH] = {0}, alive = 0, in = 0, smallest = 0;
    uint32_t latest = point;

    for (int k = 0; k < MH_QTC_WIDTH; k++)
        alive |= (uint64_t)(row[k] >= 0 && row[k] != (int32_t)point) << k;
    while (smallest <= limit) {
        struct mh_qtc_step *s = add_step(d, (*next)++, latest);
        int best = 0;

        if (!s)
            return false;
        s->looked = alive;
        for (uint64_t m = alive; m; m &= m - 1)
            s->near |= (uint64_t)(distance[__builtin_ctzll(m)] <= limit) << __builtin_ctzll(m);
        alive = s->open = s->near & ~in;
        smallest = UINT64_MAX;
        for (uint64_t m = alive; m; m &= m - 1) {
            const int k = __builtin_ctzll(m);
            const uint64_t to_latest =
                is_neighbour(d->row[latest], row[k]) ? squared(points[latest], points[row[k]]) : limit + 1;

            if (to_latest > distance[k]) {
                distance[k] = to_latest;
                s->grown |= (uint64_t)1 << k;
            }
            if (distance[k] < smallest) {
                smallest = distance[k];
                best = k;
            }
        }
        in |= (uint64_t)1 << best;
        latest = (uint32_t)row[best];
    }
    return true;
}

/* Every block's points in turn; one with no more neighbours than the block's largest cluster has members is left out.
 */
static bool grow_all(struct mh_qtc *d, const struct point *points, uint32_t n)
{
    uint32_t next = 0, best[MH_QTC_BLOCKS], largest = 0;

    for (uint32_t p = 0; p < n; p++) {
        const uint32_t b = p % MH_QTC_BLOCKS;
        uint32_t degree = 0;

        d->first[p] = next;
        while (degree < MH_QTC_WIDTH && d->row[p][degree] >= 0)
            degree++;
        if (degree <= d->cardinal[b])
            continue;
        if (!grow_cluster(d, points, p, &next))
            return false;
        if (next - d->first[p] > d->cardinal[b]) {
            d->cardinal[b] = next - d->first[p];
            best[b] = p;
        }
    }
    d->first[n] = next;
    for (uint32_t b = 0; b < MH_QTC_BLOCKS; b++)
        if (d->cardinal[b] > largest) {
            largest = d->cardinal[b];
            d->winner = best[b];
        }
    return true;
}

/* One block of memory with everything in it. */
static struct mh_qtc *pack(const struct mh_qtc *d, uint64_t n)
{
    const size_t steps = d->first[n] * sizeof *d->steps, rows = n * sizeof *d->row, first = (n + 1) * sizeof *d->first;
    struct mh_qtc *p = malloc(sizeof *p + steps + rows + first);

    if (!p)
        return NULL;
    *p = *d;
    p->steps = memcpy(p + 1, d->steps, steps);
    p->row = memcpy((char *)p->steps + steps, d->row, rows);
    p->first = memcpy((char *)p->row + rows, d->first, first);
    return p;
}

struct mh_qtc *mh_qtc_make(uint64_t n, uint64_t seed)
{
    struct point *points = malloc(n * sizeof *points);
    struct mh_qtc d = {.row = malloc(n * sizeof *d.row), .first = malloc((n + 1) * sizeof *d.first)}, *packed = NULL;

    if (points && d.row && d.first) {
        make_points(points, n, seed);
        find_neighbours(&d, points, n);
        if (grow_all(&d, points, (uint32_t)n))
            packed = pack(&d, n);
    }
    free(points);
    free(d.row);
    free(d.first);
    free(d.steps);
    return packed;
}
