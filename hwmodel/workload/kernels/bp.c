/*
 * BP: one training step of Rodinia's backprop between n input units and 16 hidden ones: bpnn_layerforward multiplies a
 * 16 x 16 tile of weights per block and reduces it in shared memory, bpnn_adjust_weights updates the weights. Weights
 * are an (n + 1) x 17 array, so that rows of 17 floats shift against the lines. pcs and instruction counts (gap) follow
 * the recorded trace, or nvcc 4.0's PTX for sm_20 (github.com/gtcasl/gpuocelot, tests/ptx/rodinia). That is of the CUDA
 * source: four steps of powers and remainders, which a warp goes through if a row of its own takes part; the fifth
 * barrier is the OpenCL source's.
 *
 * CTAs x threads at the default size: 2 launches of 65536 x 256; 144 MiB.
 */
#include "workload/gen.h"

enum { HID = 16, TILE = HID * HID, FLOAT = 4, PITCH = (HID + 1) * FLOAT };
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

static void build(struct mh_gen *g)
{
    struct mh_launch launch = {.threads = TILE, .registers = 20 /* ours */};

    mh_gen_buffer(g, (g->n + 1) * FLOAT);
    mh_gen_buffer(g, (g->n + 1) * PITCH);
    mh_gen_buffer(g, PITCH);
    mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_buffer(g, PITCH);
    mh_gen_buffer(g, (g->n + 1) * PITCH);
    launch.name = "bpnn_layerforward_ocl";
    launch.ctas = (uint32_t)(g->n / HID);
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
    .size_meaning = "input units",
    .size_default = 1048576, /* as recorded */
    .size_min = 16,
    .size_max = (uint64_t)1 << 26,
    .size_multiple = HID,
    .size_reason = "the source's blocks",
    .build = build,
};
