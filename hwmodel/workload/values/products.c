/*
 * MVT, ATAX, BICG and GESUMMV: matrix-vector products (kernels/products.c). Input: init_array() of
 * PolyBench-ACC, CUDA/linear-algebra/kernels/. What the source leaves without a value is 0, as fresh pages are.
 */
#include "workload/values/table.h"

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

static struct mh_extent writes_mvt(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    return mh_extent_if(v, b, b == (launch ? X2 : X1));
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
                                           .writes = writes_mvt,
                                           .run = run_mvt};

/* --- ATAX */

enum { X = 1, Y, TMP };

static void init_atax(struct mh_values *v)
{
    fill_matrix(v->data[A], v->g->n);
    fill_pi(v->data[X], v->g->n);
}

static struct mh_extent writes_atax(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    return mh_extent_if(v, b, b == (launch ? Y : TMP));
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
                                            .writes = writes_atax,
                                            .run = run_atax};

/* --- BICG */

enum { R = 1, S, P, Q };

static void init_bicg(struct mh_values *v)
{
    fill_matrix(v->data[A], v->g->n);
    fill_pi(v->data[R], v->g->n);
    fill_pi(v->data[P], v->g->n);
}

static struct mh_extent writes_bicg(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    return mh_extent_if(v, b, b == (launch ? S : Q));
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
                                            .writes = writes_bicg,
                                            .run = run_bicg};

/* --- GESUMMV */

enum { GA, GB, GX, GY, GTMP };

static void init_gesummv(struct mh_values *v)
{
    fill_matrix(v->data[GA], v->g->n);
    fill_matrix(v->data[GB], v->g->n);
    fill_ramp(v->data[GX], v->g->n, 0);
}

static struct mh_extent writes_gesummv(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    (void)launch;
    return mh_extent_if(v, b, b == GY || b == GTMP);
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
                                               .writes = writes_gesummv,
                                               .run = run_gesummv};
