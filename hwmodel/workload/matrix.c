#include "workload/graph.h"

#include <stdlib.h>
#include <string.h>

#include "engine/random.h"

enum { REACH = 3 }; /* nodes from one side of an element to the other; points of a random matrix */

struct span {
    uint32_t first, last;
};

struct points {
    uint32_t n;                                     /* in x and y */
    struct span (*around)(uint32_t n, uint32_t at); /* of a line, those that one may be coupled to */
    uint64_t seed;                                  /* of a random matrix */
    uint32_t count, *number, *point; /* of a mesh: numbered so far; number of a point, point of a number */
};

/* Elements of a line have nodes 3 e - 1 to 3 e + 2: the first one's first lies on the rim. */
static struct span in_elements(uint32_t n, uint32_t at)
{
    const uint32_t first = at / REACH * REACH, last = ((at + 1) / REACH + 1) * REACH - 1;

    return (struct span){first ? first - 1 : 0, last < n ? last : n - 1};
}

static struct span in_reach(uint32_t n, uint32_t at)
{
    return (struct span){at < REACH ? 0 : at - REACH, at + REACH < n ? at + REACH : n - 1};
}

static bool coupled(const struct points *p, uint64_t a, uint64_t b)
{
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;

    return p->number || a == b || mh_random(p->seed, low << 32 | high) & 1;
}

/* The points that one may be coupled to. */
struct area {
    struct span x, y;
};

static struct area area_of(const struct points *p, uint32_t row, uint32_t *point)
{
    *point = p->number ? p->point[row] : row;
    return (struct area){.x = p->around(p->n, *point % p->n), .y = p->around(p->n, *point / p->n)};
}

static uint32_t row_length(const struct points *p, uint32_t row)
{
    uint32_t point, count = 0;
    const struct area a = area_of(p, row, &point);

    if (p->number) /* all are */
        return (a.x.last - a.x.first + 1) * (a.y.last - a.y.first + 1);
    for (uint32_t j = a.y.first; j <= a.y.last; j++)
        for (uint32_t i = a.x.first; i <= a.x.last; i++)
            count += coupled(p, point, j * p->n + i);
    return count;
}

/* Adds a column to the rows of its points: couplings go both ways. next[]: where a row goes on. */
static void add_column(const struct points *p, uint32_t column, uint32_t *col, uint32_t *next)
{
    uint32_t point;
    const struct area a = area_of(p, column, &point);

    for (uint32_t j = a.y.first; j <= a.y.last; j++)
        for (uint32_t i = a.x.first; i <= a.x.last; i++)
            if (coupled(p, point, j * p->n + i))
                col[next[p->number ? p->number[j * p->n + i] : j * p->n + i]++] = column;
}

/* Column by column: so those of a row come in ascending order. */
static void fill(struct mh_graph *g, const struct points *p)
{
    for (uint32_t c = 0; c < g->vertices; c++)
        add_column(p, c, g->col, g->row);
    /* Each row has gone on to where the next one began. */
    memmove(g->row + 1, g->row, g->vertices * sizeof *g->row);
    g->row[0] = 0;
}

static struct mh_graph *make(const struct points *p)
{
    const uint32_t rows = p->n * p->n;
    size_t elements = 0;
    struct mh_graph *g;

    for (uint32_t r = 0; r < rows; r++)
        elements += row_length(p, r);
    g = malloc(sizeof *g + (rows + 1 + elements) * sizeof *g->row);
    if (!g)
        return NULL;
    *g = (struct mh_graph){.vertices = rows, .row = (uint32_t *)(g + 1)};
    g->col = g->row + rows + 1;
    for (uint32_t r = 0; r < rows; r++) {
        const uint32_t length = row_length(p, r);

        g->row[r] = g->edges;
        g->edges += length;
        g->max_degree = length > g->max_degree ? length : g->max_degree;
    }
    fill(g, p);
    return g;
}

struct mh_graph *mh_matrix_random(uint32_t n, uint64_t seed)
{
    return make(&(struct points){.n = n, .around = in_reach, .seed = seed});
}

/* The next number is that of the node at a place, counted from the rim, unless it has one or is none of those inside.
 */
static void number_node(struct points *p, uint32_t x, uint32_t y)
{
    const uint32_t point = (y - 1) * p->n + x - 1;

    if (!x || !y || x > p->n || y > p->n || p->number[point] != UINT32_MAX)
        return;
    p->point[p->count] = point;
    p->number[point] = p->count++;
}

/* Where element `e` lies: quarters, and theirs, are counted counterclockwise. */
static void place_element(uint64_t e, uint32_t *x, uint32_t *y)
{
    *x = *y = 0;
    for (unsigned bit = 0; e; e >>= 2, bit++) {
        *x |= (uint32_t)((e ^ e >> 1) & 1) << bit;
        *y |= (uint32_t)(e >> 1 & 1) << bit;
    }
}

/* Of each element the nodes `from` to below `to`. */
static void number_nodes(struct points *p, uint32_t from, uint32_t to)
{
    /* Corners, sides, inside. */
    static const uint8_t at[][2] = {{0, 0}, {3, 0}, {3, 3}, {0, 3}, {1, 0}, {2, 0}, {3, 1}, {3, 2},
                                    {1, 3}, {2, 3}, {0, 1}, {0, 2}, {1, 1}, {2, 1}, {1, 2}, {2, 2}};
    uint64_t elements = 1;

    while (elements <= p->n / REACH)
        elements *= 2;
    for (uint64_t e = 0; e < elements * elements; e++) {
        uint32_t x, y;

        place_element(e, &x, &y);
        for (uint32_t i = from; i < to; i++)
            number_node(p, x * REACH + at[i][0], y * REACH + at[i][1]);
    }
}

struct mh_graph *mh_matrix_mesh(uint32_t n)
{
    const size_t nodes = (size_t)n * n;
    struct points p = {.n = n, .around = in_elements, .number = malloc(2 * nodes * sizeof *p.number)};
    struct mh_graph *g;

    if (!p.number)
        return NULL;
    p.point = p.number + nodes;
    memset(p.number, 0xff, nodes * sizeof *p.number);
    number_nodes(&p, 0, 4);
    number_nodes(&p, 4, 12);
    number_nodes(&p, 12, 16);
    g = make(&p);
    free(p.number);
    return g;
}
