/*
 * CORR and COVAR (kernels/matrices.c). Input and arithmetic: CUDA/datamining/ of PolyBench-ACC. The last launch takes
 * seconds as a whole: a tile of its matrix is computed when it is read.
 */
#include <string.h>

#include "workload/values/table.h"

enum { DATA, SYMMAT, MEAN, STD };
enum { MEANS, DEVIATIONS, REDUCE, MATRIX };

#define EPS 0.005f

static bool is_corr(const struct mh_values *v)
{
    return v->buffers > STD;
}

static float float_n(const struct mh_values *v)
{
    return is_corr(v) ? 3214212.01f : (float)3214212.01;
}

/* COVAR has no deviations. */
static uint32_t step_of(const struct mh_values *v, uint32_t launch)
{
    return launch && !is_corr(v) ? launch + 1 : launch;
}

static void init(struct mh_values *v)
{
    const uint64_t n = v->g->n;
    float *data = v->data[DATA];

    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            data[i * n + j] = (float)i * (float)j / (float)n;
}

static void means(const struct mh_values *v)
{
    const uint64_t n = v->g->n;
    const float *data = v->data[DATA];
    float *mean = v->next[MEAN];

    memset(mean, 0, v->bytes[MEAN]);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            mean[j] += data[i * n + j];
    for (uint64_t j = 0; j < n; j++)
        mean[j] /= float_n(v);
}

static void deviations(const struct mh_values *v)
{
    const uint64_t n = v->g->n;
    const float *data = v->data[DATA], *mean = v->data[MEAN];
    float *std = v->next[STD];

    memset(std, 0, v->bytes[STD]);
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < n; j++)
            std[j] += (data[i * n + j] - mean[j]) * (data[i * n + j] - mean[j]);
    for (uint64_t j = 0; j < n; j++) {
        std[j] = mh_exact_sqrtf(std[j] / float_n(v));
        if (std[j] <= EPS)
            std[j] = 1;
    }
}

static void reduce(const struct mh_values *v)
{
    const uint64_t n = v->g->n;
    const float *mean = v->data[MEAN], *std = v->data[STD], root = mh_exact_sqrtf(float_n(v));
    float *data = v->next[DATA];

    for (uint64_t at = 0; at < n * n; at++) {
        data[at] -= mean[at % n];
        if (is_corr(v))
            data[at] /= root * std[at % n];
    }
}

static void run(struct mh_values *v, uint32_t launch)
{
    switch (step_of(v, launch)) {
    case MEANS:
        means(v);
        break;
    case DEVIATIONS:
        deviations(v);
        break;
    case REDUCE:
        reduce(v);
        break;
    default:
        memset(v->tiles, 0, mh_values_tiles(v) * mh_values_tiles(v));
    }
}

enum { TILE = MH_VALUES_TILE };

/* sum[a][b]: element (j1 + a, j2 + b); beyond the array's edge, of nothing that is used. */
static void sum_tile(const float *data, uint64_t n, uint64_t j1, uint64_t j2, float sum[TILE][TILE])
{
    const uint64_t rows = n - j1 < TILE ? n - j1 : TILE, columns = n - j2 < TILE ? n - j2 : TILE;
    float left[TILE] = {0}, right[TILE] = {0};

    memset(sum, 0, sizeof(float[TILE][TILE]));
    for (uint64_t i = 0; i < n; i++) {
        memcpy(left, data + i * n + j1, rows * sizeof *left);
        memcpy(right, data + i * n + j2, columns * sizeof *right);
        for (uint64_t a = 0; a < TILE; a++)
            for (uint64_t b = 0; b < TILE; b++)
                sum[a][b] += left[a] * right[b];
    }
}

/* Threads mirror what they compute: an element below the diagonal is the one above it, with its factors exchanged. */
static void put_tile(const struct mh_values *v, float *symmat, uint64_t j1, uint64_t j2, float sum[TILE][TILE])
{
    const uint64_t n = v->g->n;

    for (uint64_t a = 0; a < TILE && j1 + a < n; a++)
        for (uint64_t b = 0; b < TILE && j2 + b < n; b++)
            symmat[(j1 + a) * n + j2 + b] = symmat[(j2 + b) * n + j1 + a] = sum[a][b];
    /* The last thread has no row, and its diagonal stays as it was. */
    for (uint64_t j = j1; is_corr(v) && j1 == j2 && j < j1 + TILE && j < n; j++)
        symmat[j * n + j] = j + 1 < n ? 1 : 0;
}

static void compute_tile(struct mh_values *v, float *symmat, uint64_t a, uint64_t b)
{
    const uint64_t tiles = mh_values_tiles(v);
    float sum[TILE][TILE];

    if (v->tiles[a * tiles + b])
        return;
    sum_tile(v->data[DATA], v->g->n, a * TILE, b * TILE, sum);
    put_tile(v, symmat, a * TILE, b * TILE, sum);
    v->tiles[a * tiles + b] = v->tiles[b * tiles + a] = 1;
}

static void need(struct mh_values *v, bool next, uint32_t b, uint64_t offset, uint64_t count)
{
    const uint64_t n = v->g->n, end = (offset + count - 1) / sizeof(float);

    if (b != SYMMAT || (!next && v->done < v->g->w.launch_count))
        return;
    for (uint64_t at = offset / sizeof(float); at <= end; at += TILE)
        compute_tile(v, next ? v->next[SYMMAT] : v->data[SYMMAT], at / n / TILE, at % n / TILE);
    compute_tile(v, next ? v->next[SYMMAT] : v->data[SYMMAT], end / n / TILE, end % n / TILE);
}

const struct mh_values_of mh_values_corr = {.kernel = "CORR",
                                            .arrays = (const char *const[]){"data", "symmat", "mean", "std"},
                                            .init = init,
                                            MH_WRITTEN(1 << MEAN, 1 << STD, 1 << DATA, 1 << SYMMAT),
                                            .run = run,
                                            .need = need};
const struct mh_values_of mh_values_covar = {.kernel = "COVAR",
                                             .arrays = (const char *const[]){"data", "symmat", "mean"},
                                             .init = init,
                                             MH_WRITTEN(1 << MEAN, 1 << DATA, 1 << SYMMAT),
                                             .run = run,
                                             .need = need};
