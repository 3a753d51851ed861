/* What a kernel's values are made of, and what those of several kernels share. */
#ifndef MEMHELM_WORKLOAD_VALUES_TABLE_H
#define MEMHELM_WORKLOAD_VALUES_TABLE_H

#include <stdint.h>

#include "engine/random.h"
#include "workload/gen.h"
#include "workload/values/values.h"

/*
 * rand() of the GNU C library, whose numbers the published programs' inputs are where they are Linux programs: an
 * additive feedback generator over 31 words (random(3), TYPE_3), r[i] = r[i - 3] + r[i - 31]. The same on every host.
 */
struct c_rand {
    uint32_t word[31];
    uint32_t at;
};

/** Next number, 0..2^31 - 1. */
static inline uint32_t c_rand(struct c_rand *r)
{
    uint32_t back3 = r->at < 3 ? r->at + 28 : r->at - 3, sum = r->word[r->at] += r->word[back3];

    r->at = r->at == 30 ? 0 : r->at + 1;
    return sum >> 1;
}

/** A program that never calls srand() has seed 1. */
static inline void c_srand(struct c_rand *r, uint32_t seed)
{
    int64_t word = seed ? seed : 1;

    for (uint32_t i = 0; i < 31; i++) {
        r->word[i] = (uint32_t)word;
        word = word * 16807 % 2147483647;
        word += word < 0 ? 2147483647 : 0;
    }
    r->at = 3;
    for (uint32_t i = 0; i < 310; i++)
        (void)c_rand(r);
}

/* Images for programs whose own are files that are not here: smooth, with noise, the same on every host (ours). */
/** Random height of a point of the lattice, 0..4095. */
static inline int32_t mh_image_knot(uint64_t seed, int64_t x, int64_t y)
{
    return (int32_t)(mh_random(seed, (uint64_t)(y + 4096) << 32 | (uint64_t)(x + 4096)) & 4095);
}

/**
 * Brightness 0..255 at (x, y), which may be negative: random heights every 32 pixels, linear between them, within
 * 80..207, and noise of -2..2 from `noise`: a photograph's neighbours differ as much (Rodinia's data/srad/image.pgm).
 */
static inline uint32_t mh_image(uint64_t seed, uint64_t noise, int64_t x, int64_t y)
{
    enum { STEP = 32 };
    const int64_t x0 = (x + 4096 * STEP) / STEP - 4096, y0 = (y + 4096 * STEP) / STEP - 4096;
    const int32_t fx = (int32_t)(x - x0 * STEP), fy = (int32_t)(y - y0 * STEP);
    const int32_t top = mh_image_knot(seed, x0, y0) * (STEP - fx) + mh_image_knot(seed, x0 + 1, y0) * fx;
    const int32_t bottom = mh_image_knot(seed, x0, y0 + 1) * (STEP - fx) + mh_image_knot(seed, x0 + 1, y0 + 1) * fx;
    const int32_t height = (top * (STEP - fy) + bottom * fy) / (STEP * STEP) / 32;
    const uint64_t r = mh_random(noise, (uint64_t)(y + 65536) << 32 | (uint64_t)(x + 65536));

    return (uint32_t)(80 + height + (int32_t)(r % 5) - 2);
}

/*
 * Functions of the C library in arithmetic of our own: results are the same on every host. A float is computed in
 * double and rounded once; GPUs' own expf and logf may differ from it by 2 units in the last place (CUDA C++
 * programming guide).
 */
/** e^x for |x| <= 700, within some units in the last place of a double. */
double mh_exact_exp(double x);

/** Natural logarithm of a positive, finite, normal x; likewise. */
double mh_exact_log(double x);

/** Square root of a positive normal float or 0, correctly rounded. */
float mh_exact_sqrtf(float x);

enum { MH_VALUES_TILE = 16 };

_Static_assert(__FLT_EVAL_METHOD__ == 0, "floats are computed as floats");

/** What a launch writes of one buffer: elements outside of [first, end) stay as they are. */
struct mh_extent {
    uint64_t first, end; /**< bytes; both 0: nothing */
};

/** One row: the values of a kernel. Buffers have the numbers of the kernel's mh_gen_buffer() calls. */
struct mh_values_of {
    const char *kernel;        /**< its name */
    const char *const *arrays; /**< names of the buffers, as the source has them */
    /** Fills the arrays, which are zero, with the program's input. */
    void (*init)(struct mh_values *v);
    /** Buffers that launch 0, 1 .. period - 1 writes whole, a bit each, and again from launch `period` on. */
    const uint32_t *written;
    uint32_t period;
    /** Where it is less: what the launch writes of buffer `b`; else NULL. */
    struct mh_extent (*writes)(const struct mh_values *v, uint32_t launch, uint32_t b);
    /** Computes what the launch writes: of buffers that it writes, v->next, which has the old values before. */
    void (*run)(struct mh_values *v, uint32_t launch);
    /** NULL, or computes what run() has left for later: bytes of buffer `b`, of v->next or of v->data. */
    void (*need)(struct mh_values *v, bool next, uint32_t b, uint64_t offset, uint64_t count);
};

/** `written` and `period`: the buffers of each launch in turn, a bit each. */
#define MH_WRITTEN(...)                                                                                                \
    .written = (const uint32_t[]){__VA_ARGS__}, .period = sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t)

struct mh_values {
    const struct mh_gen *g;
    const struct mh_values_of *of;
    struct mh_launch_range range; /**< launches that the workload has; those before are over when it starts */
    uint32_t buffers;
    uint64_t bytes[MH_GEN_BUFFERS];
    void *data[MH_GEN_BUFFERS]; /**< after `done` launches */
    /** After one more, within `ahead` of it; the other bytes are those of `data`. While run() computes: the buffers
     * that the launch writes; of all others, `data`. */
    void *next[MH_GEN_BUFFERS];
    void *spare[MH_GEN_BUFFERS]; /**< for next; NULL: no launch has written it yet */
    struct mh_extent ahead[MH_GEN_BUFFERS];
    uint32_t done, finished; /**< finished: as said, done follows at the next read */
    bool has_input, has_next;
    uint8_t *tiles; /**< of a kernel with need(): those of MH_VALUES_TILE^2 elements of an n x n array that are there */
};

/** All rows, NULL-terminated. */
extern const struct mh_values_of *const mh_values_table[];

/** Tiles in a row of an n x n array. */
static inline uint64_t mh_values_tiles(const struct mh_values *v)
{
    return mh_ceil_div(v->g->n, MH_VALUES_TILE);
}

/** The whole buffer. */
static inline struct mh_extent mh_extent_all(const struct mh_values *v, uint32_t b)
{
    return (struct mh_extent){0, v->bytes[b]};
}

/** The whole buffer if `writes`, else nothing. */
static inline struct mh_extent mh_extent_if(const struct mh_values *v, uint32_t b, bool writes)
{
    return writes ? mh_extent_all(v, b) : (struct mh_extent){0, 0};
}

#endif
