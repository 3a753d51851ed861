/*
 * SAD (kernels/sad.c): Parboil's sad, whose two frames are files; here the second is the first three pixels to the
 * right and two down, with other noise (ours). Arithmetic: src/opencl_base/kernel.cl, src/cuda_base/largerBlocks.cu.
 */
#include "workload/values/image.h"
#include "workload/values/table.h"

enum { RANGE = 16, SPAN = 2 * RANGE + 1, POSITIONS = SPAN * SPAN, PLANE = (POSITIONS + 7) / 8 * 8 };
enum { REFERENCE, SUMS, FRAME };            /* buffers */
enum { MB_WIDTH, MB_COUNT, WIDTH, HEIGHT }; /* p[] */

static void init(struct mh_values *v)
{
    const int64_t width = (int64_t)v->g->p[WIDTH], height = (int64_t)v->g->p[HEIGHT];

    for (int64_t y = 0; y < height; y++)
        for (int64_t x = 0; x < width; x++) {
            ((uint16_t *)v->data[REFERENCE])[y * width + x] = (uint16_t)mh_image(3, 4, x, y);
            ((uint16_t *)v->data[FRAME])[y * width + x] = (uint16_t)mh_image(3, 5, x - 3, y - 2);
        }
}

static struct mh_extent writes(const struct mh_values *v, uint32_t launch, uint32_t b)
{
    (void)launch;
    return mh_extent_if(v, b, b == SUMS);
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

static void run(struct mh_values *v, uint32_t launch)
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
                                           .init = init,
                                           .writes = writes,
                                           .run = run};
