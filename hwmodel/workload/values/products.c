#include "workload/values/table.h"

/*
 * MVT, ATAX, BICG and GESUMMV: matrix-vector products (kernels/products.c). Input: init_array() of
 * PolyBench-ACC, CUDA/linear-algebra/kernels/. What the source leaves without a value is 0, as fresh pages are.
 */

#define PI 3.14159265358979323846

/* A[i][j] = ((float)i * j) / n */
static void fill_matrix(float *a, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            a[i * n + j] = (float)i * (float)j / (float)n;
}

/* i * M_PI, in double */
static void fill_pi(float *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = (float)((double)i * PI);
}

/* (float)(i + first) / n */
static void fill_ramp(float *x, uint64_t n, uint32_t first)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = ((float)i + (float)first) / (float)n;
}

/* acc[i] += A[i][k] * x[k], k after k */
static void rows_times(const float *a, const float *x, float *acc, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t k = 0; k < n; k++)
            acc[i] += a[i * n + k] * x[k];
}

/* acc[i] += A[k][i] * x[k]: each element in the order of k, all of them together */
static void columns_times(const float *a, const float *x, float *acc, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        for (uint64_t i = 0; i < n; i++)
            acc[i] += a[k * n + i] * x[k];
}

static void zero(float *x, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = 0;
}

/* --- MVT */

enum { A, X1, X2, Y1, Y2 };

static void init_mvt(struct mh_values *v)
{
    const uint64_t n = v->g->n;

    fill_matrix(v->data[A], n);
    fill_ramp(v->data[X1], n, 0);
    fill_ramp(v->data[X2], n, 1);
    fill_ramp(v->data[Y1], n, 3);
    fill_ramp(v->data[Y2], n, 4);
}

static void run_mvt(struct mh_values *v, uint32_t launch)
{
    if (launch)
        columns_times(v->data[A], v->data[Y2], v->next[X2], v->g->n);
    else
        rows_times(v->data[A], v->data[Y1], v->next[X1], v->g->n);
}

const struct mh_values_of mh_values_mvt = {.kernel = "MVT",
                                           .arrays = (const char *const[]){"A", "x1", "x2", "y1", "y2"},
                                           .init = init_mvt,
                                           MH_WRITTEN(1 << X1, 1 << X2),
                                           .run = run_mvt};

/* --- ATAX */

enum { X = 1, Y, TMP };

static void init_atax(struct mh_values *v)
{
    fill_matrix(v->data[A], v->g->n);
    fill_pi(v->data[X], v->g->n);
}

static void run_atax(struct mh_values *v, uint32_t launch)
{
    if (launch)
        columns_times(v->data[A], v->data[TMP], v->next[Y], v->g->n);
    else
        rows_times(v->data[A], v->data[X], v->next[TMP], v->g->n);
}

const struct mh_values_of mh_values_atax = {.kernel = "ATAX",
                                            .arrays = (const char *const[]){"A", "x", "y", "tmp"},
                                            .init = init_atax,
                                            MH_WRITTEN(1 << TMP, 1 << Y),
                                            .run = run_atax};

/* --- BICG */

enum { R = 1, S, P, Q };

static void init_bicg(struct mh_values *v)
{
    fill_matrix(v->data[A], v->g->n);
    fill_pi(v->data[R], v->g->n);
    fill_pi(v->data[P], v->g->n);
}

static void run_bicg(struct mh_values *v, uint32_t launch)
{
    float *acc = v->next[launch ? S : Q];

    zero(acc, v->g->n);
    if (launch)
        columns_times(v->data[A], v->data[R], acc, v->g->n);
    else
        rows_times(v->data[A], v->data[P], acc, v->g->n);
}

const struct mh_values_of mh_values_bicg = {.kernel = "BICG",
                                            .arrays = (const char *const[]){"A", "r", "s", "p", "q"},
                                            .init = init_bicg,
                                            MH_WRITTEN(1 << Q, 1 << S),
                                            .run = run_bicg};

/* --- GESUMMV */

enum { GA, GB, GX, GY, GTMP };

static void init_gesummv(struct mh_values *v)
{
    fill_matrix(v->data[GA], v->g->n);
    fill_matrix(v->data[GB], v->g->n);
    fill_ramp(v->data[GX], v->g->n, 0);
}

static void run_gesummv(struct mh_values *v, uint32_t launch)
{
    const float alpha = 43532, beta = 12313;
    float *y = v->next[GY], *tmp = v->next[GTMP];

    (void)launch;
    rows_times(v->data[GA], v->data[GX], tmp, v->g->n);
    rows_times(v->data[GB], v->data[GX], y, v->g->n);
    for (uint64_t i = 0; i < v->g->n; i++)
        y[i] = alpha * tmp[i] + beta * y[i];
}

const struct mh_values_of mh_values_gesummv = {.kernel = "GESUMMV",
                                               .arrays = (const char *const[]){"A", "B", "x", "y", "tmp"},
                                               .init = init_gesummv,
                                               MH_WRITTEN(1 << GY | 1 << GTMP),
                                               .run = run_gesummv};

/*
 * LUD (kernels/matrices.c). Input: create_matrix() of Rodinia's lud/common/common.c (lud -s n), a symmetric matrix that
 * falls off with the distance from its diagonal. Arithmetic: lud/cuda/lud_kernel.cu, tile by tile.
 */

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
