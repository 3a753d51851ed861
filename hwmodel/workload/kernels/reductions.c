/* Sums: all, of products, running. */
#include "workload/gen.h"

/*
 * RED: sum of n floats, the reduce kernel of SHOC (src/cuda/level1/reduction, float): 64 blocks of 256 threads stride
 * through the input two block-widths at a time, then each block adds up its threads' sums in shared memory and stores
 * one word. Gaps count the source's operations as LLVM IR would.
 */

enum { RED_BLOCKS = 64, BLOCK = 256, FLOAT = 4 };
enum { RED_INPUT, RED_OUTPUT }; /* buffers */

enum {
    GAP_START = 11,     /* ids, products, shared store of 0, first compare and branch */
    GAP_SECOND = 2,     /* address of g_idata[i + blockSize] */
    GAP_LOOP = 9,       /* two adds, shared read and write with address, i += gridSize, compare, branch, address */
    GAP_COMPARE = 2,    /* if (tid < ..) */
    GAP_ADD = 6,        /* sdata[tid] += sdata[tid + k]: two addresses, two reads, add, write */
    GAP_LAST_WARP = 38, /* compare and branch, six such adds */
    GAP_RESULT = 4,     /* if (tid == 0), address, sdata[0] */
};

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes;
    const uint64_t first = (uint64_t)c->cta * BLOCK * 2, grid = (uint64_t)RED_BLOCKS * BLOCK * 2;
    const uint64_t in = g->base[RED_INPUT] + (first + tid) * FLOAT;
    const uint64_t mask = mh_mask_first(g->lanes); /* n is a multiple of what a block reads at a time */

    switch (c->state) {
    case 0:
        for (; first + c->v[0] < g->n; c->v[0] += grid) {
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_LOOP : GAP_START, c->v[0] != 0, mask, in + c->v[0] * FLOAT, FLOAT);
            MH_LOAD(2, FLOAT, GAP_SECOND, false, mask, in + (c->v[0] + BLOCK) * FLOAT, FLOAT);
        }
        MH_BARRIER(3, GAP_LOOP, true);
        MH_BARRIER(4, GAP_COMPARE + (tid < 128 ? GAP_ADD : 0), false);
        MH_BARRIER(5, GAP_COMPARE + (tid < 64 ? GAP_ADD : 0), false);
        if (tid == 0)
            MH_STORE(6, FLOAT, GAP_LAST_WARP + GAP_RESULT, false, 1, g->base[RED_OUTPUT] + (uint64_t)c->cta * FLOAT,
                     FLOAT);
        MH_END(tid == 0 ? 1 : 2 * GAP_COMPARE + 1, false);
    }
}

static void red_build(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * FLOAT, RED_BLOCKS * FLOAT);
    mh_gen_launch(g, (struct mh_launch){"reduce", RED_BLOCKS, BLOCK, 16 /* ours */, BLOCK * FLOAT}, body);
}

const struct mh_kernel mh_kernel_red = {
    .name = "RED",
    .suite = "SHOC",
    .summary = "sum of an array; streaming loads, tree in shared memory",
    MH_SIZE("elements of 4 bytes", (uint64_t)16 << 20, 512, (uint64_t)1 << 30), /* SHOC's size class 4: 64 MiB */
    MH_MULTIPLE(BLOCK * 2, "the source reads two elements per thread unchecked"),
    .build = red_build,
};

/*
 * SCP: CUDA SDK scalarProd: 256 pairs of vectors; 128 blocks of 256 threads take a pair after the other. A block keeps
 * 1024 partial sums in shared memory, four a thread, and adds them up as a tree. Gaps count the source's operations as
 * LLVM IR would.
 */

enum { VECTORS = 256, SCALAR_PROD_BLOCKS = 128, SCALAR_PROD_SUMS = 1024 };
enum { A, B, C }; /* buffers */

enum {
    GAP_VECTOR = 8,   /* base, end, sum, index, two loop tests, two addresses */
    GAP_PARTIAL = 5,  /* shared address and write, next index, loop test, sum */
    GAP_NEXT = 5,     /* product, sum, next index, loop test */
    GAP_TREE = 3,     /* stride, compare, branch */
    GAP_TREE_ADD = 9, /* index, loop test, two addresses, two reads, add, write */

};

/* Additions of each thread that follow the barrier of this stride (0: none); lanes of a warp go together. */
static uint32_t tree_adds(uint64_t tid, uint64_t stride)
{
    return stride > tid ? (uint32_t)mh_ceil_div(stride - tid, BLOCK) : 0;
}

/* c->v[0]: vector; c->v[1]: partial sum, then stride of the tree; c->v[2]: element of the vector */
static void scalar_prod(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes;
    uint64_t i = tid + c->v[1] + c->v[2], at = ((c->cta + c->v[0]) * g->n + i) * FLOAT;

    switch (c->state) {
    case 0:
        for (; c->cta + c->v[0] < VECTORS; c->v[0] += SCALAR_PROD_BLOCKS) {
            for (c->v[1] = 0; c->v[1] < SCALAR_PROD_SUMS; c->v[1] += BLOCK) {
                for (c->v[2] = 0; tid + c->v[1] + c->v[2] < g->n; c->v[2] += SCALAR_PROD_SUMS) {
                    i = tid + c->v[1] + c->v[2];
                    at = ((c->cta + c->v[0]) * g->n + i) * FLOAT;
                    MH_LOAD(1, FLOAT,
                            c->v[2]   ? GAP_NEXT
                            : c->v[1] ? GAP_NEXT + GAP_PARTIAL
                                      : GAP_VECTOR,
                            c->v[2] || c->v[1], mh_mask_below(i, g->n, g->lanes), g->base[A] + at, FLOAT);
                    MH_LOAD(2, FLOAT, 1, false, mh_mask_below(i, g->n, g->lanes), g->base[B] + at, FLOAT);
                }
            }
            for (c->v[1] = SCALAR_PROD_SUMS / 2; c->v[1] > 0; c->v[1] >>= 1)
                MH_BARRIER(3,
                           GAP_TREE + (c->v[1] == SCALAR_PROD_SUMS / 2 ? GAP_NEXT + GAP_PARTIAL
                                                                       : GAP_TREE_ADD * tree_adds(tid, 2 * c->v[1])),
                           c->v[1] == SCALAR_PROD_SUMS / 2);
            if (tid == 0)
                MH_STORE(4, FLOAT, GAP_TREE_ADD + GAP_RESULT, false, 1, g->base[C] + (c->cta + c->v[0]) * FLOAT, 0);
        }
        MH_END(GAP_TREE, false);
    }
}

static void scalar_prod_build(struct mh_gen *g)
{
    MH_BUFFERS(g, VECTORS * g->n * FLOAT, VECTORS * g->n * FLOAT, VECTORS * FLOAT);
    mh_gen_launch(
        g, (struct mh_launch){"scalarProdGPU", SCALAR_PROD_BLOCKS, BLOCK, 16 /* ours */, SCALAR_PROD_SUMS * FLOAT},
        scalar_prod);
}

const struct mh_kernel mh_kernel_scalar_prod = {
    .name = "SCP",
    .suite = "CUDA SDK",
    .summary = "scalar products of 256 pairs of vectors; streaming, sums in shared memory",
    MH_SIZE("elements of a vector", 4096, 256, (uint64_t)1 << 24), /* the source's */
    MH_MULTIPLE(BLOCK, "threads of a block"),
    .build = scalar_prod_build,
};

/*
 * SCAN: exclusive prefix sum of n floats, SHOC's reduce-then-scan (src/cuda/level1/scan, float): each of 64 blocks sums
 * its own contiguous region, one block scans the 64 sums, then each block scans its region in windows of 256 float4,
 * with a Kogge-Stone scan in shared memory (17 barriers a window). Gaps count the source's operations as LLVM IR would.
 */

enum { SCAN_BLOCKS = 64, FLOAT4 = 16, STEPS = 8 /* log2 BLOCK */ };
enum { SCAN_INPUT, SCAN_OUTPUT, SCAN_SUMS }; /* buffers */

enum {
    GAP_REGION = 18,   /* ids, region bounds with two divisions, last block's select, compare, branch */
    GAP_SUM_LOOP = 6,  /* add, i += blockSize, compare, branch, extend, address */
    GAP_TO_SHARED = 6, /* last add and loop test, address, shared write */

    GAP_SCAN_ENTER = 5, /* two addresses, two shared writes, add */
    GAP_SCAN_READ = 2,  /* t = s_data[idx - k] */
    GAP_SCAN_ADD = 3,   /* s_data[idx] += t */
    GAP_SCAN_LEAVE = 2, /* return s_data[idx - 1] */
    GAP_SEED = 3,       /* if (tid == 0), address */
    GAP_WINDOW = 4,     /* two compares, branch, address */
    GAP_UPDATE = 9,     /* four times res + s_seed, bounds test */
    GAP_ADVANCE = 6,    /* next seed, window and i, loop test */
};

/* First element of this block's region and the one past its last, in units of float4. */
static void region(const struct mh_gen *g, uint32_t cta, uint64_t *first, uint64_t *end)
{
    uint64_t size = g->n / 4 / SCAN_BLOCKS;

    *first = cta * size;
    *end = cta == SCAN_BLOCKS - 1 ? g->n / 4 : *first + size;
}

static void reduce(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes;
    uint64_t first, end, i, mask;

    region(g, c->cta, &first, &end);
    i = first * 4 + tid + c->v[0];
    mask = mh_mask_below(i, end * 4, g->lanes);
    switch (c->state) {
    case 0:
        for (; i < end * 4; c->v[0] += BLOCK, i += BLOCK, mask = mh_mask_below(i, end * 4, g->lanes))
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_SUM_LOOP : GAP_REGION, c->v[0] != 0, mask, g->base[SCAN_INPUT] + i * FLOAT,
                    FLOAT);
        MH_BARRIER(2, GAP_TO_SHARED, true);
        MH_BARRIER(3, GAP_COMPARE + (tid < 128 ? GAP_ADD : 0), false);
        MH_BARRIER(4, GAP_COMPARE + (tid < 64 ? GAP_ADD : 0), false);
        if (tid == 0)
            MH_STORE(5, FLOAT, GAP_LAST_WARP + GAP_RESULT, false, 1, g->base[SCAN_SUMS] + (uint64_t)c->cta * FLOAT,
                     FLOAT);
        MH_END(tid == 0 ? 1 : 2 * GAP_COMPARE + 1, false);
    }
}

static void scan_single_block(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes;
    const uint64_t mask = mh_mask_below(tid, SCAN_BLOCKS, g->lanes);
    const uint64_t sums = g->base[SCAN_SUMS] + (uint64_t)tid * FLOAT;

    switch (c->state) {
    case 0:
        MH_LOAD(6, FLOAT, GAP_SEED, false, mask, sums, FLOAT);
        MH_BARRIER(7, GAP_SCAN_ENTER, true);
        for (; c->v[0] < STEPS; c->v[0]++) {
            MH_BARRIER(8, GAP_SCAN_READ, false);
            MH_BARRIER(9, GAP_SCAN_ADD, false);
        }
        MH_STORE(10, FLOAT, GAP_SCAN_LEAVE + GAP_COMPARE, false, mask, sums, FLOAT);
        MH_END(1, false);
    }
}

static void bottom_scan(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint32_t tid = c->warp * g->lanes;
    uint64_t first, end, i, mask;

    region(g, c->cta, &first, &end);
    i = first + c->v[0] + tid;
    mask = mh_mask_below(i, end, g->lanes);
    switch (c->state) {
    case 0:
        if (tid == 0)
            MH_LOAD(11, FLOAT, GAP_REGION + GAP_SEED, false, 1, g->base[SCAN_SUMS] + (uint64_t)c->cta * FLOAT, FLOAT);
        for (; first + c->v[0] < end; c->v[0] += BLOCK) {
            i = first + c->v[0] + tid;
            mask = mh_mask_below(i, end, g->lanes);
            /* s_seed is written to shared memory: the first warp has to have it before it goes on. */
            MH_LOAD(12, FLOAT4, c->v[0] ? GAP_ADVANCE + GAP_WINDOW : GAP_WINDOW + (tid ? GAP_REGION : 1),
                    c->v[0] == 0 && tid == 0, mask, g->base[SCAN_INPUT] + i * FLOAT4, FLOAT4);
            MH_BARRIER(13, 3 + GAP_SCAN_ENTER, true);
            for (c->v[1] = 0; c->v[1] < STEPS; c->v[1]++) {
                MH_BARRIER(14, GAP_SCAN_READ, false);
                MH_BARRIER(15, GAP_SCAN_ADD, false);
            }
            MH_STORE(16, FLOAT4, GAP_SCAN_LEAVE + GAP_UPDATE, false, mask, g->base[SCAN_OUTPUT] + i * FLOAT4, FLOAT4);
        }
        MH_END(GAP_ADVANCE, false);
    }
}

static void scan_build(struct mh_gen *g)
{
    struct mh_launch launch = {.ctas = SCAN_BLOCKS, .threads = BLOCK, .registers = 20 /* ours */};

    MH_BUFFERS(g, g->n * FLOAT, g->n * FLOAT, SCAN_BLOCKS * FLOAT);
    launch.name = "reduce";
    launch.shared_bytes = BLOCK * FLOAT;
    mh_gen_launch(g, launch, reduce);
    launch.name = "scan_single_block";
    launch.shared_bytes = 2 * BLOCK * FLOAT;
    launch.ctas = 1;
    mh_gen_launch(g, launch, scan_single_block);
    launch.name = "bottom_scan";
    launch.shared_bytes += FLOAT; /* s_seed */
    launch.ctas = SCAN_BLOCKS;
    mh_gen_launch(g, launch, bottom_scan);
}

const struct mh_kernel mh_kernel_scan = {
    .name = "SCAN",
    .suite = "SHOC",
    .summary = "prefix sum of an array; three launches, streaming, many barriers",
    MH_SIZE("elements of 4 bytes", (uint64_t)16 << 20, 1024, (uint64_t)1 << 30), /* SHOC's size class 4: 64 MiB */
    MH_MULTIPLE(4, "the source works on float4"),
    .build = scan_build,
};
