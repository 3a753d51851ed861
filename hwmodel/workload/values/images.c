#include "workload/values/table.h"

/*
 * SRAD (kernels/srad.c): Rodinia's srad_v1, main.cu and its kernels, lambda 0.5. The image, a file there, is ours
 * (table.h); it lies column by column.
 */

enum { IMAGE, NORTH, SOUTH, EAST, WEST, D_N, D_S, D_E, D_W, COEFFICIENT, SUM, SUM2 };
enum { BLOCK = 256, EXTRACT = 0, PREPARE = 1, REDUCE = 2 };

static void srad_init(struct mh_values *v)
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

static struct mh_extent srad_writes(const struct mh_values *v, uint32_t launch, uint32_t b)
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

static void srad_run(struct mh_values *v, uint32_t launch)
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
    .init = srad_init,
    .writes = srad_writes,
    .run = srad_run};

/*
 * SAD (kernels/sad.c): Parboil's sad, whose two frames are files; here the second is the first three pixels to the
 * right and two down, with other noise (ours). Arithmetic: src/opencl_base/kernel.cl, src/cuda_base/largerBlocks.cu.
 */

enum { RANGE = 16, SPAN = 2 * RANGE + 1, POSITIONS = SPAN * SPAN, PLANE = (POSITIONS + 7) / 8 * 8 };
enum { REFERENCE, SUMS, FRAME };            /* buffers */
enum { MB_WIDTH, MB_COUNT, WIDTH, HEIGHT }; /* p[] */

static void sad_init(struct mh_values *v)
{
    const int64_t width = (int64_t)v->g->p[WIDTH], height = (int64_t)v->g->p[HEIGHT];

    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            ((uint16_t *)v->data[REFERENCE])[y * width + x] = (uint16_t)mh_image(3, 4, x, y);
            ((uint16_t *)v->data[FRAME])[y * width + x] = (uint16_t)mh_image(3, 5, x - 3, y - 2);
        }
}

static int64_t clamp(int64_t at, int64_t limit)
{
    return at < 0 ? 0 : at >= limit ? limit - 1 : at;
}

/* Rows of four pixels, where the edge counts for what is outside of the frame. */
struct window {
    const uint16_t *row[4];
    int64_t x[4];
};

static struct window window_of(const struct mh_values *v, int64_t x, int64_t y)
{
    const int64_t width = (int64_t)v->g->p[WIDTH], height = (int64_t)v->g->p[HEIGHT];
    struct window w;

    for (int64_t i = 0; i < 4; i++) {
        w.row[i] = (const uint16_t *)v->data[REFERENCE] + clamp(y + i, height) * width;
        w.x[i] = clamp(x + i, width);
    }
    return w;
}

static uint16_t difference(const uint16_t block[16], const struct window *w)
{
    int32_t sum = 0;

    for (uint32_t j = 0; j < 4; j++)
        for (uint32_t i = 0; i < 4; i++) {
            int32_t d = block[4 * j + i] - w->row[j][w->x[i]];

            sum += d < 0 ? -d : d;
        }
    return (uint16_t)sum;
}

static void search(const struct mh_values *v, int64_t x, int64_t y)
{
    const int64_t width = (int64_t)v->g->p[WIDTH];
    const uint64_t number =
        ((uint64_t)y / 16 * v->g->p[MB_WIDTH] + (uint64_t)x / 16) * 16 + (uint64_t)y / 4 % 4 * 4 + (uint64_t)x / 4 % 4;
    uint16_t block[16], *plane = (uint16_t *)v->next[SUMS] + (v->g->p[MB_COUNT] * 25 + number) * PLANE;

    for (int64_t i = 0; i < 16; i++)
        block[i] = ((const uint16_t *)v->data[FRAME])[(y + i / 4) * width + x + i % 4];
    for (int64_t s = 0; s < POSITIONS; s++) {
        struct window w = window_of(v, x + s % SPAN - RANGE, y + s / SPAN - RANGE);

        plane[s] = difference(block, &w);
    }
}

static void calc(const struct mh_values *v)
{
    for (int64_t y = 0; y < (int64_t)v->g->p[HEIGHT]; y += 4)
        for (int64_t x = 0; x < (int64_t)v->g->p[WIDTH]; x += 4)
            search(v, x, y);
}

/* Four planes in, five out: the sums of both kinds of halves, and of all. Two 16-bit sums are one word. */
static void add_planes(uint32_t *const in[4], uint32_t *const out[5])
{
    for (uint32_t w = 0; w < (POSITIONS + 1) / 2; w++) {
        const uint32_t a = in[0][w], b = in[1][w], c = in[2][w], d = in[3][w];

        out[0][w] = a + c;
        out[1][w] = b + d;
        out[2][w] = a + b;
        out[3][w] = c + d;
        out[4][w] = a + b + (c + d);
    }
}

/* Plane `at` of those that begin with `origin` per macroblock. */
static uint32_t *plane_of(const struct mh_values *v, uint64_t origin, uint64_t at)
{
    return (uint32_t *)((uint16_t *)v->next[SUMS] + (origin * v->g->p[MB_COUNT] + at) * PLANE);
}

/* Blocks of up to 8 x 8 of a macroblock's quarter (tx, ty). */
static void larger_8(const struct mh_values *v, uint64_t mb, uint64_t tx, uint64_t ty)
{
    const uint64_t i = mb * 16 + ty * 8 + tx * 2, o6 = mb * 8 + ty * 4 + tx * 2, o5 = mb * 8 + ty * 4 + tx;

    add_planes(
        (uint32_t *const[]){plane_of(v, 25, i), plane_of(v, 25, i + 1), plane_of(v, 25, i + 4), plane_of(v, 25, i + 5)},
        (uint32_t *const[]){plane_of(v, 17, o6), plane_of(v, 17, o6 + 1), plane_of(v, 9, o5), plane_of(v, 9, o5 + 2),
                            plane_of(v, 5, mb * 4 + ty * 2 + tx)});
}

static void larger_16(const struct mh_values *v, uint64_t mb)
{
    add_planes((uint32_t *const[]){plane_of(v, 5, mb * 4), plane_of(v, 5, mb * 4 + 1), plane_of(v, 5, mb * 4 + 2),
                                   plane_of(v, 5, mb * 4 + 3)},
               (uint32_t *const[]){plane_of(v, 3, mb * 2), plane_of(v, 3, mb * 2 + 1), plane_of(v, 1, mb * 2),
                                   plane_of(v, 1, mb * 2 + 1), plane_of(v, 0, mb)});
}

static void sad_run(struct mh_values *v, uint32_t launch)
{
    if (launch == 0)
        calc(v);
    for (uint64_t mb = 0; launch && mb < v->g->p[MB_COUNT]; mb++) {
        for (uint64_t t = 0; launch == 1 && t < 4; t++)
            larger_8(v, mb, t & 1, t >> 1);
        if (launch == 2)
            larger_16(v, mb);
    }
}

const struct mh_values_of mh_values_sad = {.kernel = "SAD",
                                           .arrays = (const char *const[]){"reference", "sads", "frame"},
                                           .init = sad_init,
                                           MH_WRITTEN(1 << SUMS),
                                           .run = sad_run};
