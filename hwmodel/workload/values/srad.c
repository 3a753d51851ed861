/*
 * SRAD (kernels/srad.c): Rodinia's srad_v1, main.cu and its kernels, lambda 0.5. The image, a file there, is ours
 * (image.h); it lies column by column.
 */
#include "workload/values/exact.h"
#include "workload/values/image.h"
#include "workload/values/table.h"

enum { IMAGE, NORTH, SOUTH, EAST, WEST, D_N, D_S, D_E, D_W, COEFFICIENT, SUM, SUM2 };
enum { BLOCK = 256, EXTRACT = 0, PREPARE = 1, REDUCE = 2 };

static void init(struct mh_values *v)
{
    const uint64_t n = v->g->n;
    int32_t *north = v->data[NORTH], *south = v->data[SOUTH], *east = v->data[EAST], *west = v->data[WEST];

    for (uint64_t i = 0; i < n * n; i++)
        ((float *)v->data[IMAGE])[i] = (float)mh_image(1, 2, (int64_t)(i / n), (int64_t)(i % n));
    for (uint64_t i = 0; i < n; i++) {
        north[i] = west[i] = i ? (int32_t)i - 1 : 0;
        south[i] = east[i] = i + 1 < n ? (int32_t)i + 1 : (int32_t)i;
    }
}

/* The last three launches are srad, srad2 and compress. */
static uint32_t from_end(const struct mh_values *v, uint32_t launch)
{
    return v->g->w.launch_count - 1 - launch;
}

static struct mh_extent writes(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    const uint32_t left = from_end(v, launch);

    if (launch == EXTRACT || left < 2)
        return mh_extent_if(v, b, b == IMAGE);
    return mh_extent_if(v, b, left == 2 ? b >= D_N && b <= COEFFICIENT : b == SUM || b == SUM2);
}

static void extract(const struct mh_values *v)
{
    float *image = v->next[IMAGE];

    for (uint64_t i = 0; i < v->g->n * v->g->n; i++)
        image[i] = (float)mh_exact_exp((double)(image[i] / 255));
}

static void prepare(const struct mh_values *v)
{
    const float *image = v->data[IMAGE];

    for (uint64_t i = 0; i < v->g->n * v->g->n; i++) {
        ((float *)v->next[SUM])[i] = image[i];
        ((float *)v->next[SUM2])[i] = image[i] * image[i];
    }
}

/* A block's sum: pairs, pairs of pairs, .., up to `df` of them, then the rest one by one, as the source finds it. */
static void sum_block(float *sums, uint64_t block, uint64_t multiple, uint64_t count)
{
    float p[BLOCK];
    uint64_t df = 1;

    for (uint64_t t = 0; t < count; t++)
        p[t] = sums[(block * BLOCK + t) * multiple];
    while (df < BLOCK && 2 * df <= count)
        df *= 2;
    for (uint64_t i = 2; i <= df; i *= 2)
        for (uint64_t t = i - 1; t < df; t += i)
            p[t] = p[t] + p[t - i / 2];
    for (uint64_t i = block * BLOCK + df; i < block * BLOCK + count; i++)
        p[df - 1] = p[df - 1] + sums[i];
    sums[block * multiple * BLOCK] = p[df - 1];
}

static void reduce(const struct mh_values *v, uint32_t level)
{
    uint64_t count = v->g->n * v->g->n, multiple = 1;

    for (uint32_t l = 0; l < level; l++, multiple *= BLOCK)
        count = mh_ceil_div(count, BLOCK);
    for (uint64_t block = 0; block * BLOCK < count; block++) {
        uint64_t left = count - block * BLOCK;

        sum_block(v->next[SUM], block, multiple, left < BLOCK ? left : BLOCK);
        sum_block(v->next[SUM2], block, multiple, left < BLOCK ? left : BLOCK);
    }
}

/* The host's: variance over squared mean of the image. */
static float q0sqr_of(const struct mh_values *v)
{
    const float total = *(const float *)v->data[SUM], total2 = *(const float *)v->data[SUM2];
    const float count = (float)(v->g->n * v->g->n), mean = total / count, mean2 = mean * mean;
    const float variance = total2 / count - mean2;

    return variance / mean2;
}

/* Literals without an f are double, as in the source. */
static float coefficient(float centre, const float d[4], float q0sqr)
{
    const float g2 = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]) / (centre * centre);
    const float l = (d[0] + d[1] + d[2] + d[3]) / centre;
    const float num = (float)(0.5 * (double)g2 - 1.0 / 16.0 * (double)(l * l)), den = (float)(1 + 0.25 * (double)l);
    const float qsqr = num / (den * den), over = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    const float c = (float)(1.0 / (1.0 + (double)over));

    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void srad(const struct mh_values *v)
{
    const uint64_t n = v->g->n;
    const float *image = v->data[IMAGE], q0sqr = q0sqr_of(v);

    for (uint64_t at = 0; at < n * n; at++) {
        const uint64_t row = at % n, column = at / n;
        /* In the order in which the source adds them: north, south, west, east. */
        const float d[] = {image[row ? at - 1 : at] - image[at], image[row + 1 < n ? at + 1 : at] - image[at],
                           image[column ? at - n : at] - image[at], image[column + 1 < n ? at + n : at] - image[at]};

        ((float *)v->next[D_N])[at] = d[0];
        ((float *)v->next[D_S])[at] = d[1];
        ((float *)v->next[D_W])[at] = d[2];
        ((float *)v->next[D_E])[at] = d[3];
        ((float *)v->next[COEFFICIENT])[at] = coefficient(image[at], d, q0sqr);
    }
}

static void srad2(const struct mh_values *v)
{
    const uint64_t n = v->g->n;
    const float *c = v->data[COEFFICIENT], *dn = v->data[D_N], *ds = v->data[D_S];
    const float *dw = v->data[D_W], *de = v->data[D_E], lambda = 0.5f;
    float *image = v->next[IMAGE];

    for (uint64_t at = 0; at < n * n; at++) {
        const float south = c[at % n + 1 < n ? at + 1 : at], east = c[at / n + 1 < n ? at + n : at];
        const float d = c[at] * dn[at] + south * ds[at] + c[at] * dw[at] + east * de[at];

        image[at] = (float)((double)image[at] + 0.25 * (double)lambda * (double)d);
    }
}

static void compress(const struct mh_values *v)
{
    float *image = v->next[IMAGE];

    for (uint64_t i = 0; i < v->g->n * v->g->n; i++)
        image[i] = (float)mh_exact_log((double)image[i]) * 255;
}

static void run(struct mh_values *v, uint32_t launch)
{
    static void (*const last[])(const struct mh_values *v) = {compress, srad2, srad};
    const uint32_t left = from_end(v, launch);

    if (left < 3)
        last[left](v);
    else if (launch == EXTRACT)
        extract(v);
    else if (launch == PREPARE)
        prepare(v);
    else
        reduce(v, launch - REDUCE);
}

const struct mh_values_of mh_values_srad = {
    .kernel = "SRAD",
    .arrays = (const char *const[]){"I", "iN", "iS", "jE", "jW", "dN", "dS", "dE", "dW", "c", "sums", "sums2"},
    .init = init,
    .writes = writes,
    .run = run};
