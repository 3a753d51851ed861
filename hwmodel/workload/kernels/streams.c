/* Streams of elements, and random updates. */
#include "workload/gen.h"

/*
 * Two streaming programs, an element or a few per thread: TRD, SHOC's triad (two launches, as the source alternates two
 * sets of buffers); BLK, CUDA SDK BlackScholes (480 x 128 threads stride over the options). Gaps count the source's
 * operations as LLVM IR would; square roots, logarithms and exponentials are 8 each, as the GPU's sequences for them.
 */

enum { FLOAT = 4, TRIAD_BLOCK = 128, BLK_BLOCKS = 480, BLK_BLOCK = 128 };

enum {
    GAP_THREAD = 6, /* ids, index, bounds, extension, address */
    GAP_TRIAD = 3,  /* product, sum, address */
    GAP_STRIDE = 5, /* next index, compare, branch, extension, address */
    STREAMS_GAP_OPTION =
        104,     /* sqrt, log, d1 and d2 (9), two cumulative normals of 22 with an exp each, exp, price (8) */
    GAP_PUT = 6, /* parity: three products, two sums, address */
};

/* C = A + s B */
static void triad(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t i = mh_thread(g, c, TRIAD_BLOCK), mask = mh_mask_below(i, g->n, g->lanes);
    const uint64_t *base = g->base + 3 * c->launch;

    switch (c->state) {
    case 0:
        MH_LOAD(1, FLOAT, GAP_THREAD, false, mask, base[0] + i * FLOAT, FLOAT);
        MH_LOAD(2, FLOAT, 1, false, mask, base[1] + i * FLOAT, FLOAT);
        MH_STORE(3, FLOAT, GAP_TRIAD, true, mask, base[2] + i * FLOAT, FLOAT);
        MH_END(1, false);
    }
}

static void black_scholes(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    enum { CALL, PUT, PRICE, STRIKE, YEARS };
    const uint64_t first = mh_thread(g, c, BLK_BLOCK);
    uint64_t i = first + c->v[0], mask = mh_mask_below(i, g->n, g->lanes);

    switch (c->state) {
    case 0:
        for (; i < g->n; c->v[0] += BLK_BLOCKS * BLK_BLOCK, i = first + c->v[0]) {
            mask = mh_mask_below(i, g->n, g->lanes);
            MH_LOAD(1, FLOAT, c->v[0] ? GAP_STRIDE : GAP_THREAD, false, mask, g->base[PRICE] + i * FLOAT, FLOAT);
            MH_LOAD(2, FLOAT, 1, false, mask, g->base[STRIKE] + i * FLOAT, FLOAT);
            MH_LOAD(3, FLOAT, 1, false, mask, g->base[YEARS] + i * FLOAT, FLOAT);
            MH_STORE(4, FLOAT, STREAMS_GAP_OPTION, true, mask, g->base[CALL] + i * FLOAT, FLOAT);
            MH_STORE(5, FLOAT, GAP_PUT, false, mask, g->base[PUT] + i * FLOAT, FLOAT);
        }
        MH_END(GAP_STRIDE, false);
    }
}

static void build_triad(struct mh_gen *g)
{
    struct mh_launch l = {
        .ctas = (uint32_t)(g->n / TRIAD_BLOCK), .name = "triad", .threads = TRIAD_BLOCK, .registers = 10 /* ours */};

    MH_BUFFERS(g, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT);
    mh_gen_launch(g, l, triad);
    mh_gen_launch(g, l, triad);
}

static void build_black_scholes(struct mh_gen *g)
{
    MH_BUFFERS(g, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT, g->n * FLOAT);
    mh_gen_launch(g, (struct mh_launch){"BlackScholesGPU", BLK_BLOCKS, BLK_BLOCK, 20 /* ours */, 0}, black_scholes);
}

const struct mh_kernel mh_kernel_triad = {
    .name = "TRD",
    .suite = "SHOC",
    .summary = "c = a + s b; streaming",
    MH_SIZE("elements", 4 << 20, 128, (uint64_t)1 << 30), /* the source's largest block, 16 MiB */
    MH_MULTIPLE(TRIAD_BLOCK, "the source's blocks"),
    .build = build_triad,
};

const struct mh_kernel mh_kernel_black_scholes = {
    .name = "BLK",
    .suite = "CUDA SDK",
    .summary = "option prices; three streams in, two out, some computation",
    MH_SIZE("options", 4000000, 1, (uint64_t)1 << 30), /* the source's */
    .build = build_black_scholes,
};

/*
 * LIB: Monte Carlo valuation of LIBOR swaptions (Giles), as GPGPU-Sim's benchmarks have it: a path per thread, 64
 * blocks of 64; the first kernel values the portfolio, the second one its sensitivities, too. All traffic but two
 * words a path comes from per-thread arrays in local memory. As on the hardware a word of all threads lies side by
 * side, so that a warp's access is one line and each array element another page. Constants lie in constant memory. All
 * 15 swaptions are in the money with the source's data, and all paths are equal: no branch diverges. Gaps count the
 * source's operations as LLVM IR would.
 */

enum { GRID = 64, BLOCK = 64, THREADS = GRID * BLOCK };
enum { RATES = 80, MATURITIES = 40, OPTIONS = 15 };
enum { VALUE, DELTA, LOCAL }; /* buffers */

/* Local memory, in words of a thread: L, z, L2[41][80], and portfolio_b's B, S, B_b, S_b. */
enum { L = 0, Z = RATES, L2 = 2 * RATES, B = L2 + RATES * (MATURITIES + 1), S = B + 40, BB = S + 40, SB = BB + 40 };
enum { LOCAL_WORDS = SB + 40 };

static const uint8_t maturity[OPTIONS] = {4, 4, 4, 8, 8, 8, 20, 20, 20, 28, 28, 28, 40, 40, 40};

enum {
    GAP_START = 6,  /* id, bounds */
    GAP_LOOP = 4,   /* index, compare, branch, address */
    GAP_SECOND = 1, /* address */
    GAP_RATE = 7,   /* i++, compare, branch, constant load with address, product, address */
    GAP_STEP = 10, /* product, multiply-add, quotient, sum, two multiply-adds, product, exponential, product, address */
    GAP_NORMAL = 3,     /* address, root, product */
    GAP_DISCOUNT = 6,   /* multiply-add, quotient, n++, compare, branch, address */
    LIB_GAP_OPTION = 5, /* constant load with address, i++, compare, branch */
    GAP_VALUE = 6,      /* multiply-add, sum, compare, branch, multiply-add, address */
    GAP_REVERSE = 6,    /* i--, compare, branch, constant load with address, address */
    GAP_ADJOINT = 11,   /* products, multiply-adds, two quotients, address */
};

/* One access of every lane to local word `word`. */
#define LOCAL_OP(kind, pc, gap, wait, word)                                                                            \
    MH_MEM(kind, pc, FLOAT, gap, wait, mask, local + (uint64_t)(word)*THREADS * FLOAT, FLOAT)
#define GET(...) LOCAL_OP(MH_OP_LOAD, __VA_ARGS__)
#define PUT(...) LOCAL_OP(MH_OP_STORE, __VA_ARGS__)

/* c->v[]: path, n, i. The first kernel (launch 0) leaves out what it does not store. */
static void lib_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = mh_thread(g, c, BLOCK), path = c->v[0] + tid;
    const uint64_t mask = mh_mask_below(path, g->n, g->lanes);
    const uint64_t local = g->base[LOCAL] + tid * FLOAT;
    const bool greeks = c->launch == 1;
    const uint64_t n = c->v[1], i = c->v[2];

    switch (c->state) {
    case 0:
        for (; c->v[0] + tid < g->n; c->v[0] += THREADS) {
            for (c->v[2] = 0; c->v[2] < RATES; c->v[2]++) {
                PUT(1, c->v[2] ? GAP_LOOP : GAP_START, false, Z + c->v[2]);
                PUT(2, GAP_SECOND, false, L + i);
            }
            for (c->v[2] = 0; greeks && c->v[2] < RATES; c->v[2]++) {
                GET(3, GAP_LOOP, false, L + c->v[2]);
                PUT(4, GAP_SECOND, true, L2 + i);
            }
            for (c->v[1] = 0; c->v[1] < MATURITIES; c->v[1]++) {
                GET(5, GAP_LOOP + GAP_NORMAL, false, Z + c->v[1]);
                for (c->v[2] = c->v[1] + 1; c->v[2] < RATES; c->v[2]++) {
                    GET(6, GAP_RATE, c->v[2] == c->v[1] + 1, L + c->v[2]);
                    PUT(7, GAP_STEP, true, L + i);
                    if (greeks)
                        PUT(8, GAP_SECOND + 2, false, L2 + i + (n + 1) * RATES);
                }
            }
            for (c->v[1] = 0; c->v[1] < MATURITIES; c->v[1]++) {
                GET(9, GAP_LOOP, false, L + MATURITIES + c->v[1]);
                PUT(10, GAP_DISCOUNT, true, B + n);
                PUT(11, GAP_SECOND, false, S + n);
            }
            for (c->v[1] = 0; greeks && c->v[1] < MATURITIES; c->v[1]++) {
                PUT(12, GAP_LOOP, false, BB + c->v[1]);
                PUT(13, GAP_SECOND, false, SB + n);
            }
            for (c->v[1] = 0; c->v[1] < OPTIONS; c->v[1]++) {
                GET(14, LIB_GAP_OPTION, false, B + maturity[c->v[1]] - 1);
                GET(15, GAP_SECOND, false, S + maturity[n] - 1);
                if (greeks) {
                    GET(16, GAP_VALUE, true, SB + maturity[n] - 1);
                    PUT(17, 1, true, SB + maturity[n] - 1);
                    GET(18, GAP_SECOND, false, BB + maturity[n] - 1);
                    PUT(19, 1, true, BB + maturity[n] - 1);
                }
            }
            /* The sensitivities to the rates behind the last maturity, from the far end. */
            for (c->v[1] = MATURITIES; greeks && c->v[1] > 0; c->v[1]--) {
                GET(20, GAP_LOOP, false, SB + c->v[1] - 1);
                GET(21, GAP_SECOND, false, BB + n - 1);
                PUT(22, 1, true, BB + n - 1);
                GET(23, GAP_SECOND, false, B + n - 1);
                GET(24, GAP_SECOND, false, L + MATURITIES + n - 1);
                PUT(25, 5, true, L + MATURITIES + n - 1);
                if (n > 1) {
                    GET(26, 2, false, SB + n - 2);
                    PUT(27, 1, true, SB + n - 2);
                    GET(28, GAP_SECOND, false, BB + n - 2);
                    PUT(29, 3, true, BB + n - 2);
                }
            }
            for (c->v[1] = 0; c->v[1] < MATURITIES; c->v[1]++)
                GET(30, GAP_DISCOUNT, true, L + c->v[1]);
            for (c->v[1] = 0; greeks && c->v[1] < MATURITIES; c->v[1]++) {
                GET(31, GAP_LOOP, true, L + c->v[1]);
                PUT(32, 4, true, L + n);
            }
            for (c->v[1] = MATURITIES; greeks && c->v[1] < RATES; c->v[1]++) {
                GET(33, GAP_LOOP, false, L + c->v[1]);
                PUT(34, 1, true, L + n);
            }
            MH_STORE(35, FLOAT, 3, true, mask, g->base[VALUE] + path * FLOAT, FLOAT);
            for (c->v[1] = MATURITIES; greeks && c->v[1] > 0; c->v[1]--)
                for (c->v[2] = RATES - 1; c->v[2] > c->v[1] - 1; c->v[2]--) {
                    GET(36, GAP_REVERSE, false, L2 + c->v[2] + c->v[1] * RATES);
                    GET(37, GAP_SECOND, false, L + i);
                    GET(38, GAP_SECOND + 1, false, L2 + i + (n - 1) * RATES);
                    PUT(39, GAP_ADJOINT, true, L + i);
                }
            if (greeks) {
                GET(40, 2, false, L + RATES - 1);
                MH_STORE(41, FLOAT, 1, true, mask, g->base[DELTA] + path * FLOAT, FLOAT);
            }
        }
        MH_END(3, false);
    }
}

static void lib_build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = GRID, .threads = BLOCK, .registers = 24 /* ours */};

    MH_BUFFERS(g, g->n * FLOAT, g->n * FLOAT, (uint64_t)LOCAL_WORDS * THREADS * FLOAT);
    l.name = "Pathcalc_Portfolio_KernelGPU2", mh_gen_launch(g, l, lib_body);
    l.name = "Pathcalc_Portfolio_KernelGPU", mh_gen_launch(g, l, lib_body);
}

const struct mh_kernel mh_kernel_lib = {
    .name = "LIB",
    .suite = "GPGPU-Sim",
    .summary = "LIBOR Monte Carlo; per-thread arrays in local memory, one line a warp and a page per element",
    MH_SIZE("paths", THREADS, 32, (uint64_t)1 << 26), /* the source's NPATH */
    .build = lib_build,
};

/*
 * GUPS: random read-modify-write of a table of 8-byte words (HPC Challenge RandomAccess). Each thread reads its seed
 * once and then makes updates `r = next(r); table[r % size] ^= r`, next() being HPCC's shift register over x^64 + x^2 +
 * x + 1. In the shape of the recorded trace: 256 blocks of 256 threads, 48 updates each (256); or of the program that
 * the authors of walk stealing publish (csl-iisc/DWS-HPCA2021, pthread_benchmark/GUPS): 32 blocks of 15, 256 updates
 * each (15). The instruction counts (gap) are the recorded ones. The seeds are random words instead of HPCC's evenly
 * spaced start points, and there is a new one every 48 updates (ours).
 */

enum { RUN = 48 /* updates from one seed */, WORD = 8 };
enum { TABLE, SEEDS }; /* buffers */

static const char *const variants[] = {"256", "15", NULL};

static const struct shape {
    uint32_t blocks, threads, updates;
} shapes[] = {{256, 256, 48}, {32, 15, 256}};

/* The shift register `steps` <= 62 steps after r: one multiplication by x^steps, so that no state need be kept. */
static inline uint64_t advance(uint64_t r, unsigned steps)
{
    uint64_t high = r >> (64 - steps);

    return (r << steps) ^ high ^ (high << 1) ^ (high << 2);
}

/* Seeds of all threads stand behind each other, those of the next 48 updates behind them. */
static void fill(const struct mh_gen *g, uint64_t thread, uint64_t update, uint64_t *addr)
{
    const struct shape *s = &shapes[g->variant];
    const uint64_t first = thread + update / RUN * s->blocks * s->threads;

    for (uint32_t l = 0; l < g->lanes; l++) {
        uint64_t r = advance(mh_random(g->seed, first + l), (unsigned)(update % RUN) + 1);

        addr[l] = g->base[TABLE] + (r & (g->n - 1)) * WORD;
    }
}

static void gups_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct shape *s = &shapes[g->variant];
    const uint64_t thread = mh_thread(g, c, s->threads);
    const uint64_t mask = mh_mask_below((uint64_t)c->warp * g->lanes, s->threads, g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(1, WORD, 4, false, mask, g->base[SEEDS] + thread * WORD, WORD);
        for (; c->v[0] < s->updates; c->v[0]++) {
            /* The first address needs the seed; later ones come from registers alone. */
            mh_op_affine(op, MH_OP_LOAD, 2, WORD, c->v[0] ? 9 : 7, c->v[0] == 0, mask, 0, 0);
            op->list = true;
            fill(g, thread, c->v[0], addr);
            MH_YIELD;
            mh_op_affine(op, MH_OP_STORE, 3, WORD, 1, true, mask, 0, 0);
            op->list = true;
            fill(g, thread, c->v[0], addr);
            MH_YIELD;
        }
        MH_END(3, false); /* compare, branch, return */
    }
}

static void gups_build(struct mh_gen *g)
{
    const struct shape *s = &shapes[g->variant];

    MH_BUFFERS(g, g->n * WORD, (uint64_t)s->blocks * s->threads * WORD);
    struct mh_launch l = {.name = "gups", .ctas = s->blocks, .threads = s->threads, .registers = 16 /* ours */};

    mh_gen_launch(g, l, gups_body);
}

const struct mh_kernel mh_kernel_gups = {
    .name = "GUPS",
    .suite = "HPC Challenge RandomAccess",
    .summary = "table[random] ^= random; every lane its own page",
    MH_SIZE("table entries of 8 bytes", (uint64_t)1 << 24, 1024, (uint64_t)1 << 32),
    .size_powers = 1,
    .variants = variants,
    .size_reason = "an index is the low bits of a random number",
    .build = gups_build,
};
