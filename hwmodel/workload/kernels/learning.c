/* Training and use of neural networks, and clusters. */
#include "workload/gen.h"

/*
 * NN: recognition of handwritten digits by a convolutional neural network (B. Van Tuyl Bentum's program in the
 * GPGPU-Sim suite): n images of 29 x 29 pixels, a launch per layer, a row of blocks per image. Layer 1 makes 6 maps of
 * 13 x 13 neurons, a block each, from windows of 5 x 5; layer 2 makes 50 maps of 5 x 5, a block of 25 threads each,
 * from those windows of all six maps; in layers 3 and 4 a block is one thread, which sums up all neurons of the layer
 * before. The windows' offsets are in constant memory. Gaps count the source's operations as LLVM IR would; the
 * hyperbolic tangent in double precision is 30 (ours).
 *
 * MASK's NN is this program, not Rodinia's nearest neighbour.
 */

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

static void neural_build(struct mh_gen *g)
{
    static const uint32_t per_image[] = {PIXELS, 0, NEURONS2, 0, NEURONS3, 0, NEURONS4, 0, NEURONS5};
    static const uint32_t weights[] = {0, MAPS2 * (WINDOW + 1),      0, MAPS3 * (WINDOW + 1) * MAPS2,
                                       0, NEURONS4 * (NEURONS3 + 1), 0, NEURONS5 * (NEURONS4 + 1)};
    struct mh_launch l = {.registers = 20 /* ours */};

    for (int i = N1; i <= N5; i++)
        mh_gen_buffer(g, (per_image[i] ? g->n * per_image[i] : weights[i]) * FLOAT);
    l.name = "executeFirstLayer", l.ctas = (uint32_t)g->n * MAPS2, l.threads = MAP2, mh_gen_launch(g, l, first);
    l.name = "executeSecondLayer", l.ctas = (uint32_t)g->n * MAPS3, l.threads = MAP3, mh_gen_launch(g, l, second);
    l.name = "executeThirdLayer", l.ctas = (uint32_t)g->n * NEURONS4, l.threads = 1, mh_gen_launch(g, l, full);
    l.name = "executeFourthLayer", l.ctas = (uint32_t)g->n * NEURONS5, l.threads = 1, mh_gen_launch(g, l, full);
}

const struct mh_kernel mh_kernel_nn = {
    .name = "NN",
    .suite = "GPGPU-Sim",
    .summary = "neural network that reads digits; small maps and weights that all blocks share, blocks of one thread",
    MH_SIZE("images", 28, 1, 10000), /* the suite's */
    .build = neural_build,
};

/*
 * BP: one training step of Rodinia's backprop between n input units and 16 hidden ones: bpnn_layerforward multiplies a
 * 16 x 16 tile of weights per block and reduces it in shared memory, bpnn_adjust_weights updates the weights. Weights
 * are an (n + 1) x 17 array, so that rows of 17 floats shift against the lines. pcs and instruction counts (gap) follow
 * the recorded trace, or nvcc 4.0's PTX for sm_20 (github.com/gtcasl/gpuocelot, tests/ptx/rodinia). That is of the CUDA
 * source: four steps of powers and remainders, which a warp goes through if a row of its own takes part; the fifth
 * barrier is the OpenCL source's.
 */

enum { HID = 16, TILE = HID * HID, PITCH = (HID + 1) * FLOAT };
enum { INPUT, WEIGHTS, HIDDEN, PARTIAL, DELTA, PREVIOUS }; /* buffers */

/* Weight of (row ty = 0, column tx = 0) of the warp's part of the block's tile: row 0 and column 0 are the biases. */
static uint64_t weight_offset(const struct mh_cursor *c, uint32_t lanes)
{
    uint64_t ty = c->warp * lanes / HID;

    return ((uint64_t)c->cta * HID + ty + 1) * PITCH + FLOAT;
}

/* Before the barrier of a step: its test, and its sum if a row of the warp is a multiple of 2^(step + 1). */
static uint32_t step_gap(const struct mh_gen *g, const struct mh_cursor *c)
{
    const uint32_t rows = g->lanes / HID, multiple = 2u << c->v[0];
    const bool sums = multiple <= rows || c->warp * rows % multiple == 0;

    return MH_GAP(4, (c->v[0] ? 4 : 9) + 7 + (sums ? 15 : 0));
}

static void layerforward(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t all = mh_mask_first(g->lanes), column0 = mh_mask_column(0, HID, g->lanes);
    const uint64_t unit = (uint64_t)c->cta * HID + c->warp * g->lanes / HID;
    const uint64_t weight = g->base[WEIGHTS] + weight_offset(c, g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(1, FLOAT, MH_GAP(19, 16), false, column0, g->base[INPUT] + (unit + 1) * FLOAT, HID, 0, FLOAT);
        MH_BARRIER(2, MH_GAP(4, 1), true);
        MH_LOAD_TILE(3, FLOAT, MH_GAP(3, 19), false, all, weight, HID, FLOAT, PITCH);
        MH_BARRIER(4, MH_GAP(5, 1), true);
        MH_BARRIER(5, MH_GAP(6, 4), false);
        for (; c->v[0] < 4; c->v[0]++) /* __log2f(HEIGHT) steps of the reduction, and the barrier before them */
            MH_BARRIER(6 + (uint32_t)c->v[0], step_gap(g, c), false);
        MH_BARRIER(10, 4, false);
        MH_STORE_TILE(11, FLOAT, MH_GAP(2, 1), false, all, weight, HID, FLOAT, PITCH);
        MH_BARRIER(12, 0, false);
        MH_STORE_TILE(13, FLOAT, MH_GAP(8, 12), false, column0, g->base[PARTIAL] + unit * FLOAT, HID, 0, FLOAT);
        MH_END(1, false);
    }
}

static void adjust_weights(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t all = mh_mask_first(g->lanes);
    const uint64_t unit = (uint64_t)c->cta * HID + c->warp * g->lanes / HID;
    const uint64_t offset = weight_offset(c, g->lanes);
    const uint64_t weight = g->base[WEIGHTS] + offset, previous = g->base[PREVIOUS] + offset;
    const uint64_t delta = g->base[DELTA] + FLOAT, input = g->base[INPUT] + (unit + 1) * FLOAT;
    const uint64_t bias = c->cta == 0 && c->warp == 0 ? mh_mask_first(HID) : 0;

    switch (c->state) {
    case 0:
        MH_LOAD_TILE(20, FLOAT, MH_GAP(17, 28), false, all, delta, HID, FLOAT, 0);
        MH_LOAD_TILE(21, FLOAT, MH_GAP(3, 0), false, all, input, HID, 0, FLOAT);
        MH_LOAD_TILE(22, FLOAT, 2, false, all, previous, HID, FLOAT, PITCH);
        MH_LOAD_TILE(23, FLOAT, MH_GAP(3, 0), false, all, weight, HID, FLOAT, PITCH);
        MH_STORE_TILE(24, FLOAT, MH_GAP(1, 4), true, all, weight, HID, FLOAT, PITCH);
        MH_LOAD_TILE(25, FLOAT, 0, false, all, delta, HID, FLOAT, 0);
        MH_LOAD_TILE(26, FLOAT, MH_GAP(1, 2), false, all, input, HID, 0, FLOAT);
        MH_LOAD_TILE(27, FLOAT, 0, false, all, previous, HID, FLOAT, PITCH);
        MH_STORE_TILE(28, FLOAT, MH_GAP(2, 3), true, all, previous, HID, FLOAT, PITCH);
        MH_BARRIER(29, 0, false);
        /* The first row of threads of the first block updates the biases. */
        MH_LOAD(30, FLOAT, MH_GAP(5, 12), false, bias, delta, FLOAT);
        MH_LOAD(31, FLOAT, MH_GAP(1, 0), false, bias, g->base[PREVIOUS] + FLOAT, FLOAT);
        MH_LOAD(32, FLOAT, MH_GAP(3, 2), false, bias, g->base[WEIGHTS] + FLOAT, FLOAT);
        MH_STORE(33, FLOAT, MH_GAP(1, 3), true, bias, g->base[WEIGHTS] + FLOAT, FLOAT);
        MH_LOAD(34, FLOAT, 0, false, bias, delta, FLOAT);
        MH_LOAD(35, FLOAT, MH_GAP(0, 2), false, bias, g->base[PREVIOUS] + FLOAT, FLOAT);
        MH_STORE(36, FLOAT, 2, true, bias, g->base[PREVIOUS] + FLOAT, FLOAT);
        MH_END(bias ? 1 : MH_GAP(6, 11), false);
    }
}

static void bp_build(struct mh_gen *g)
{
    struct mh_launch launch = {.ctas = (uint32_t)(g->n / HID), .threads = TILE, .registers = 20 /* ours */};

    MH_BUFFERS(g, (g->n + 1) * FLOAT, (g->n + 1) * PITCH, PITCH, g->n * FLOAT, PITCH, (g->n + 1) * PITCH);
    launch.name = "bpnn_layerforward_ocl";
    launch.shared_bytes = (HID + TILE) * FLOAT;
    mh_gen_launch(g, launch, layerforward);
    launch.name = "bpnn_adjust_weights_ocl";
    launch.shared_bytes = 0;
    mh_gen_launch(g, launch, adjust_weights);
}

const struct mh_kernel mh_kernel_bp = {
    .name = "BP",
    .suite = "Rodinia",
    .summary = "back propagation; rows of 17 floats, streaming loads and stores",
    MH_SIZE("input units", 1048576, 16, (uint64_t)1 << 26), /* as recorded */
    MH_MULTIPLE(HID, "the source's blocks"),
    .build = bp_build,
};

/*
 * KMeans: Rodinia's kmeans (opencl version): kmeans_swap turns the points' rows of features into columns, the lanes of
 * a warp a row apart; kmeans_kernel_c finds the nearest of five centres for a point per thread. The source repeats the
 * second kernel until few points change; how often depends on data that decide no address, so one round is generated
 * (ours). KMeans@swap and KMeans@nearest are the first or the second kernel alone, to compare with a recording of it.
 * Gaps count the source's operations as LLVM IR would, or clang 14's PTX for sm_20.
 */

enum { BLOCK = 256, FEATURES = 34, CENTRES = 5, WORD = 4 };
enum { ROWS, COLUMNS, CLUSTERS, MEMBERSHIP }; /* buffers */
enum { BOTH, SWAP, NEAREST };                 /* variants */

/* Operations of LLVM IR, PTX instructions. */
#define GAP_SWAP      MH_GAP(9, 17)  /* id, bounds, tid * nfeatures, extend, address */
#define GAP_SWAP_LOOP MH_GAP(6, 7)   /* i++, compare, branch, sum, extend, address */
#define GAP_COLUMN    MH_GAP(4, 2)   /* product, sum, extend, address */
#define GAP_POINT     MH_GAP(10, 34) /* id, bounds, loop tests, extend, address */
#define GAP_FEATURE   MH_GAP(9, 10)  /* difference, multiply-add, l++, compare, branch, product, sum, extend, address */
#define GAP_NEAREST   MH_GAP(14, 23) /* that of the last feature, compare, two selects, i++, compare, branch */
#define GAP_CENTRE    MH_GAP(3, 0)   /* sum, extend, address */

static void swap(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t p = mh_thread(g, c, BLOCK), mask = mh_mask_below(p, g->n, g->lanes);
    const uint64_t column = g->base[COLUMNS] + (c->v[0] * g->n + p) * WORD;

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < FEATURES; c->v[0]++) {
            MH_LOAD(1, WORD, c->v[0] ? GAP_SWAP_LOOP : GAP_SWAP, false, mask,
                    g->base[ROWS] + (p * FEATURES + c->v[0]) * WORD, FEATURES * WORD);
            MH_STORE(2, WORD, GAP_COLUMN, true, mask, column, WORD);
        }
        MH_END(MH_GAP(mask ? 4 : 3, mask ? 6 : 11), false);
    }
}

/* c->v[]: centre, feature. */
static void nearest(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t p = mh_thread(g, c, BLOCK), mask = mh_mask_below(p, g->n, g->lanes);

    switch (c->state) {
    case 0:
        for (; mask && c->v[0] < CENTRES; c->v[0]++)
            for (c->v[1] = 0; c->v[1] < FEATURES; c->v[1]++) {
                MH_LOAD(3, WORD,
                        c->v[1]   ? GAP_FEATURE
                        : c->v[0] ? GAP_NEAREST
                                  : GAP_POINT,
                        c->v[0] + c->v[1] != 0, mask, g->base[COLUMNS] + (c->v[1] * g->n + p) * WORD, WORD);
                MH_LOAD(4, WORD, GAP_CENTRE, false, mask, g->base[CLUSTERS] + (c->v[0] * FEATURES + c->v[1]) * WORD, 0);
            }
        MH_STORE(5, WORD, MH_GAP(14, 16), true, mask, g->base[MEMBERSHIP] + p * WORD, WORD);
        MH_END(MH_GAP(mask ? 1 : 3, mask ? 1 : 8), false);
    }
}

static void kmeans_build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = (uint32_t)mh_ceil_div(g->n, BLOCK), .threads = BLOCK, .registers = 20 /* ours */};

    MH_BUFFERS(g, g->n * FEATURES * WORD, g->n * FEATURES * WORD, CENTRES * FEATURES * WORD, g->n * WORD);
    l.name = "kmeans_swap";
    if (g->variant != NEAREST)
        mh_gen_launch(g, l, swap);
    l.name = "kmeans_kernel_c";
    if (g->variant != SWAP)
        mh_gen_launch(g, l, nearest);
}

const struct mh_kernel mh_kernel_kmeans = {
    .name = "KMeans",
    .suite = "Rodinia",
    .summary = "k-means: transposes 34 features (rows of 136 bytes a lane apart), then streams columns",
    MH_SIZE("points", 494020, 32, (uint64_t)1 << 26), /* Rodinia's kdd_cup input */
    .variants = (const char *const[]){[BOTH] = "both", [SWAP] = "swap", [NEAREST] = "nearest", NULL},
    .build = kmeans_build,
};
