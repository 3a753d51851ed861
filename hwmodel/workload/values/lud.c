/*
 * LUD (kernels/matrices.c). Input: create_matrix() of Rodinia's lud/common/common.c (lud -s n), a symmetric matrix that
 * falls off with the distance from its diagonal. Arithmetic: lud/cuda/lud_kernel.cu, tile by tile.
 */
#include "workload/values/exact.h"
#include "workload/values/table.h"

enum { TILE = 16 };

static void init(struct mh_values *v)
{
    const uint64_t n = v->g->n;
    const float lambda = -0.001f;
    float *m = v->data[0];

    for (uint64_t i = 0; i < n; i++) /* the first column, then what every diagonal has */
        m[i * n] = (float)(10 * mh_exact_exp((double)(lambda * (float)i)));
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i ? 1 : 0; j < n; j++)
            m[i * n + j] = m[(i > j ? i - j : j - i) * n];
}

/* Whole rows of the matrix, from the step's diagonal or the tile below it on. */
static struct mh_extent writes(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    const uint64_t first = ((uint64_t)launch / 3 + (launch % 3 == 2)) * TILE, n = v->g->n;

    (void)b;
    return (struct mh_extent){first * n * sizeof(float), (launch % 3 ? n : first + TILE) * n * sizeof(float)};
}

static void diagonal(float *m, uint64_t n)
{
    for (uint64_t i = 0; i + 1 < TILE; i++) {
        for (uint64_t t = i + 1; t < TILE; t++) {
            for (uint64_t j = 0; j < i; j++)
                m[t * n + i] -= m[t * n + j] * m[j * n + i];
            m[t * n + i] /= m[i * n + i];
        }
        for (uint64_t t = i + 1; t < TILE; t++)
            for (uint64_t j = 0; j < i + 1; j++)
                m[(i + 1) * n + t] -= m[(i + 1) * n + j] * m[j * n + t];
    }
}

/* The tile to the right of the diagonal one. */
static void solve_row(const float *dia, float *m, uint64_t n)
{
    for (uint64_t i = 1; i < TILE; i++)
        for (uint64_t j = 0; j < i; j++)
            for (uint64_t t = 0; t < TILE; t++)
                m[i * n + t] -= dia[i * n + j] * m[j * n + t];
}

/* The tile below it. */
static void solve_column(const float *dia, float *m, uint64_t n)
{
    for (uint64_t t = 0; t < TILE; t++)
        for (uint64_t i = 0; i < TILE; i++) {
            for (uint64_t j = 0; j < i; j++)
                m[t * n + i] -= m[t * n + j] * dia[j * n + i];
            m[t * n + i] /= dia[i * n + i];
        }
}

/* A row of what is left less its part of the product. */
static void internal_row(const float *left, const float *above, float *m, uint64_t n, uint64_t columns)
{
    for (uint64_t x = 0; x < columns; x += TILE) {
        float sum[TILE] = {0};

        for (uint64_t i = 0; i < TILE; i++)
            for (uint64_t t = 0; t < TILE; t++)
                sum[t] += left[i] * above[i * n + x + t];
        for (uint64_t t = 0; t < TILE; t++)
            m[x + t] -= sum[t];
    }
}

static void run(struct mh_values *v, uint32_t launch)
{
    const uint64_t n = v->g->n, first = (uint64_t)launch / 3 * TILE, corner = first * n + first;
    const float *old = v->data[0];
    float *m = v->next[0];

    if (launch % 3 == 0)
        diagonal(m + corner, n);
    for (uint64_t at = TILE; launch % 3 == 1 && first + at < n; at += TILE) {
        solve_row(old + corner, m + corner + at, n);
        solve_column(old + corner, m + corner + at * n, n);
    }
    for (uint64_t row = first + TILE; launch % 3 == 2 && row < n; row++)
        internal_row(old + row * n + first, old + corner + TILE, m + row * n + first + TILE, n, n - first - TILE);
}

const struct mh_values_of mh_values_lud = {
    .kernel = "LUD", .arrays = (const char *const[]){"m"}, .init = init, .writes = writes, .run = run};
