/*
 * CONS (kernels/stencil2d.c): convolutionSeparable of the CUDA samples, main.cpp and its kernels; integers below 16
 * from rand(), seed 200. SCAN (kernels/reductions.c): SHOC's src/cuda/level1/scan, input i % 2.
 */
#include <string.h>

#include "workload/values/table.h"

/* --- CONS */

enum { INPUT, OUTPUT, BUFFER };
enum { RADIUS = 8, TAPS = 2 * RADIUS + 1 };

static void draw(struct c_rand *r, float *to, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        to[i] = (float)(c_rand(r) % 16);
}

/* The filter's taps are drawn before the image. */
static void taps_of(struct c_rand *r, float taps[TAPS])
{
    c_srand(r, 200);
    draw(r, taps, TAPS);
}

static void init_convolution(struct mh_values *v)
{
    struct c_rand r;
    float taps[TAPS];

    taps_of(&r, taps);
    draw(&r, v->data[INPUT], v->g->n * v->g->n);
}

/* to[i] += tap * from[i] */
static void add_scaled(float *to, const float *from, float tap, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        to[i] += tap * from[i];
}

/* Tap after tap, as the source adds them; the zeros outside of the image change no sum. */
static void filter_row(const float *taps, const float *from, float *to, uint64_t n)
{
    for (uint64_t j = 0; j < TAPS; j++) {
        const uint64_t skip = j < RADIUS ? RADIUS - j : 0, ahead = j > RADIUS ? j - RADIUS : 0;

        add_scaled(to + skip, from + ahead, taps[TAPS - 1 - j], n - skip - ahead);
    }
}

static void filter_columns(const float *taps, const float *from, float *to, uint64_t n, uint64_t y)
{
    for (uint64_t j = 0; j < TAPS; j++)
        if (y + j >= RADIUS && y + j < n + RADIUS)
            add_scaled(to, from + (y + j - RADIUS) * n, taps[TAPS - 1 - j], n);
}

static void run_convolution(struct mh_values *v, uint32_t launch)
{
    const uint64_t n = v->g->n;
    float taps[TAPS], *to = v->next[launch ? OUTPUT : BUFFER];
    struct c_rand r;

    taps_of(&r, taps);
    memset(to, 0, n * n * sizeof *to);
    for (uint64_t y = 0; y < n; y++)
        if (launch)
            filter_columns(taps, v->data[BUFFER], to + y * n, n, y);
        else
            filter_row(taps, (const float *)v->data[INPUT] + y * n, to + y * n, n);
}

const struct mh_values_of mh_values_convolution = {.kernel = "CONS",
                                                   .arrays = (const char *const[]){"input", "output", "buffer"},
                                                   .init = init_convolution,
                                                   MH_WRITTEN(1 << BUFFER, 1 << OUTPUT),
                                                   .run = run_convolution};

/* --- SCAN */

enum { SUMS = 2 };
enum { BLOCKS = 64, BLOCK = 256 };

static void init_scan(struct mh_values *v)
{
    float *in = v->data[INPUT];

    for (uint64_t i = 0; i < v->g->n; i++)
        in[i] = (float)(i % 2);
}

/* Elements of a block: the last one has what is left over. */
static void region(const struct mh_values *v, uint32_t block, uint64_t *first, uint64_t *end)
{
    const uint64_t size = v->g->n / 4 / BLOCKS * 4;

    *first = block * size;
    *end = block == BLOCKS - 1 ? v->g->n : *first + size;
}

static void reduce(const struct mh_values *v, uint32_t block)
{
    const float *in = v->data[INPUT];
    float s[BLOCK] = {0};
    uint64_t first, end;

    region(v, block, &first, &end);
    for (uint64_t i = first; i < end; i++)
        s[(i - first) % BLOCK] += in[i];
    for (uint32_t half = BLOCK / 2; half; half /= 2)
        for (uint32_t t = 0; t < half; t++)
            s[t] += s[t + half];
    ((float *)v->next[SUMS])[block] = s[0];
}

/* Kogge-Stone, exclusive. */
static void scan_block(float s[BLOCK])
{
    for (uint32_t k = 1; k < BLOCK; k *= 2)
        for (uint32_t t = BLOCK - 1; t >= k; t--)
            s[t] += s[t - k];
    for (uint32_t t = BLOCK - 1; t; t--)
        s[t] = s[t - 1];
    s[0] = 0;
}

static void scan_sums(const struct mh_values *v)
{
    float s[BLOCK] = {0}, *sums = v->next[SUMS];

    for (uint32_t t = 0; t < BLOCKS; t++)
        s[t] = sums[t];
    scan_block(s);
    for (uint32_t t = 0; t < BLOCKS; t++)
        sums[t] = s[t];
}

/* 256 times four elements; returns the next window's seed. */
static float scan_window(const float *in, float *out, uint64_t count, float seed)
{
    float four[BLOCK][4] = {0}, s[BLOCK];

    for (uint64_t i = 0; i < count; i++)
        four[i / 4][i % 4] = in[i];
    for (uint32_t t = 0; t < BLOCK; t++) {
        for (uint32_t k = 1; k < 4; k++)
            four[t][k] += four[t][k - 1];
        s[t] = four[t][3];
    }
    scan_block(s);
    for (uint64_t i = 0; i < count; i++)
        out[i] = four[i / 4][i % 4] + (s[i / 4] + seed);
    return four[BLOCK - 1][3] + (s[BLOCK - 1] + seed);
}

static void bottom_scan(const struct mh_values *v, uint32_t block)
{
    float seed = ((const float *)v->data[SUMS])[block];
    uint64_t first, end;

    region(v, block, &first, &end);
    for (uint64_t i = first; i < end; i += 4 * BLOCK) {
        uint64_t count = end - i < 4 * BLOCK ? end - i : 4 * BLOCK;

        seed = scan_window((const float *)v->data[INPUT] + i, (float *)v->next[OUTPUT] + i, count, seed);
    }
}

static void run_scan(struct mh_values *v, uint32_t launch)
{
    if (launch == 1)
        scan_sums(v);
    for (uint32_t block = 0; launch != 1 && block < BLOCKS; block++)
        (launch ? bottom_scan : reduce)(v, block);
}

const struct mh_values_of mh_values_scan = {.kernel = "SCAN",
                                            .arrays = (const char *const[]){"idata", "odata", "block_sums"},
                                            .init = init_scan,
                                            MH_WRITTEN(1 << SUMS, 1 << SUMS, 1 << OUTPUT),
                                            .run = run_scan};
