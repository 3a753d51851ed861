/*
 * NN: recognition of handwritten digits by a convolutional neural network (B. Van Tuyl Bentum's program in the
 * GPGPU-Sim suite): n images of 29 x 29 pixels, a launch per layer, a row of blocks per image. Layer 1 makes 6 maps of
 * 13 x 13 neurons, a block each, from windows of 5 x 5; layer 2 makes 50 maps of 5 x 5, a block of 25 threads each,
 * from those windows of all six maps; in layers 3 and 4 a block is one thread, which sums up all neurons of the layer
 * before. The windows' offsets are in constant memory. Gaps count the source's operations as LLVM IR would; the
 * hyperbolic tangent in double precision is 30 (ours).
 *
 * MASK's NN is this program, not Rodinia's nearest neighbour. CTAs x threads at the default size: 168 x 169, 1400 x
 * 25, 2800 x 1, 280 x 1; 0.9 MiB.
 */
#include "workload/gen.h"

enum { FLOAT = 4, WINDOW = 25, SIDE1 = 29, SIDE2 = 13, SIDE3 = 5 };
enum { MAPS2 = 6, MAPS3 = 50, NEURONS4 = 100, NEURONS5 = 10 };
enum { PIXELS = SIDE1 * SIDE1, MAP2 = SIDE2 * SIDE2, MAP3 = SIDE3 * SIDE3 };
enum { NEURONS2 = MAPS2 * MAP2, NEURONS3 = MAPS3 * MAP3 };
enum { N1, W1, N2, W2, N3, W3, N4, W4, N5 }; /* buffers: neurons, weights */

enum {
    GAP_START = 12, /* ids, first weight, window, address */
    GAP_WINDOW = 8, /* loop test, constant, sum of the index, extension, address */
    GAP_WEIGHT = 4, /* index, extension, address */
    GAP_SUM = 2,    /* product, sum; before the next element's indices */
    GAP_TANH = 36,  /* last sum, conversions, two products, tanh, index, address */
};

/* Address of a lane's element of its 5 x 5 window, element `i`, in a map of `side` x `side` at `map`; windows are two
 * neurons apart, `width` of them in a row. */
static void window(const struct mh_gen *g, const struct mh_cursor *c, struct mh_op *op, uint64_t *addr, uint64_t map,
                   uint32_t side, uint32_t width)
{
    const uint64_t i = c->v[0], offset = i / 5 * side + i % 5;

    op->list = true;
    for (uint32_t l = 0; l < g->lanes; l++) {
        const uint32_t thread = c->warp * g->lanes + l;

        addr[l] = map + (2 * (thread / width) * side + 2 * (thread % width) + offset) * FLOAT;
    }
}

#define MH_WINDOW(pc, gap, wait, mask, map, side, width)                                                               \
    do {                                                                                                               \
        mh_op_affine(op, MH_OP_LOAD, pc, FLOAT, gap, wait, mask, 0, 0);                                                \
        window(g, c, op, addr, map, side, width);                                                                      \
        MH_YIELD;                                                                                                      \
    } while (0)

static void first(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t map = c->cta % MAPS2, image = c->cta / MAPS2, tid = c->warp * g->lanes;
    const uint64_t mask = mh_mask_below(tid, MAP2, g->lanes), weight = g->base[W1] + map * (WINDOW + 1) * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT, GAP_START, false, mask, weight, 0);
        for (; c->v[0] < WINDOW; c->v[0]++) {
            MH_WINDOW(2, GAP_WINDOW + (c->v[0] ? GAP_SUM : 1), true, mask, g->base[N1] + image * PIXELS * FLOAT, SIDE1,
                      SIDE2);
            MH_LOAD(3, FLOAT, GAP_WEIGHT, false, mask, weight + (1 + c->v[0]) * FLOAT, 0);
        }
        MH_STORE(4, FLOAT, GAP_TANH, true, mask, g->base[N2] + (image * NEURONS2 + map * MAP2 + tid) * FLOAT, FLOAT);
        MH_END(1, false);
    }
}

static void second(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t map = c->cta % MAPS3, image = c->cta / MAPS3, mask = mh_mask_first(MAP3);
    const uint64_t weight = g->base[W2] + map * (WINDOW + 1) * MAPS2 * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT, GAP_START, false, mask, weight, 0);
        for (; c->v[0] < WINDOW; c->v[0]++)
            for (c->v[1] = 0; c->v[1] < MAPS2; c->v[1]++) {
                MH_WINDOW(2 + (uint32_t)c->v[1], GAP_WINDOW + GAP_SUM, true, mask,
                          g->base[N2] + (image * NEURONS2 + c->v[1] * MAP2) * FLOAT, SIDE2, SIDE3);
                MH_LOAD(10 + (uint32_t)c->v[1], FLOAT, GAP_WEIGHT, false, mask,
                        weight + (1 + c->v[0] * MAPS2 + c->v[1]) * FLOAT, 0);
            }
        MH_STORE(20, FLOAT, GAP_TANH, true, mask, g->base[N3] + (image * NEURONS3 + map * MAP3) * FLOAT, FLOAT);
        MH_END(1, false);
    }
}

/* Layers 3 and 4: one thread sums up `inputs` neurons. */
static void full(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const bool last = c->launch == 3;
    const uint64_t inputs = last ? NEURONS4 : NEURONS3, outputs = last ? NEURONS5 : NEURONS4;
    const uint64_t image = c->cta / outputs, weight = g->base[last ? W4 : W3] + c->cta % outputs * (inputs + 1) * FLOAT;
    const uint64_t from = g->base[last ? N4 : N3] + image * inputs * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT, GAP_START, false, 1, weight, 0);
        for (; c->v[0] < inputs; c->v[0]++) {
            MH_LOAD(2, FLOAT, GAP_WEIGHT + (c->v[0] ? GAP_SUM : 1), c->v[0] > 0, 1, from + c->v[0] * FLOAT, 0);
            MH_LOAD(3, FLOAT, GAP_WEIGHT, false, 1, weight + (1 + c->v[0]) * FLOAT, 0);
        }
        MH_STORE(4, FLOAT, GAP_TANH, true, 1, g->base[last ? N5 : N4] + c->cta * FLOAT, 0);
        MH_END(1, false);
    }
}

static void build(struct mh_gen *g)
{
    static const uint32_t per_image[] = {PIXELS, 0, NEURONS2, 0, NEURONS3, 0, NEURONS4, 0, NEURONS5};
    static const uint32_t weights[] = {0, MAPS2 * (WINDOW + 1),      0, MAPS3 * (WINDOW + 1) * MAPS2,
                                       0, NEURONS4 * (NEURONS3 + 1), 0, NEURONS5 * (NEURONS4 + 1)};
    struct mh_launch l = {.registers = 20 /* ours */};

    for (int i = N1; i <= N5; i++)
        mh_gen_buffer(g, (per_image[i] ? g->n * per_image[i] : weights[i]) * FLOAT);
    l.name = "executeFirstLayer", l.ctas = (uint32_t)g->n * MAPS2, l.threads = MAP2;
    mh_gen_launch(g, l, first);
    l.name = "executeSecondLayer", l.ctas = (uint32_t)g->n * MAPS3, l.threads = MAP3;
    mh_gen_launch(g, l, second);
    l.name = "executeThirdLayer", l.ctas = (uint32_t)g->n * NEURONS4, l.threads = 1;
    mh_gen_launch(g, l, full);
    l.name = "executeFourthLayer", l.ctas = (uint32_t)g->n * NEURONS5, l.threads = 1;
    mh_gen_launch(g, l, full);
}

const struct mh_kernel mh_kernel_nn = {
    .name = "NN",
    .suite = "GPGPU-Sim",
    .summary = "neural network that reads digits; small maps and weights that all blocks share, blocks of one thread",
    .size_meaning = "images",
    .size_default = 28, /* the suite's */
    .size_min = 1,
    .size_max = 10000,
    .build = build,
};
