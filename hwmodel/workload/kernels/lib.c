/*
 * LIB: Monte Carlo valuation of LIBOR swaptions (Giles), as GPGPU-Sim's benchmarks have it: a path per thread, 64
 * blocks of 64; the first kernel values the portfolio, the second one its sensitivities, too. All traffic but two
 * words a path comes from per-thread arrays in local memory. As on the hardware a word of all threads lies side by
 * side, so that a warp's access is one line and each array element another page. Constants lie in constant memory. All
 * 15 swaptions are in the money with the source's data, and all paths are equal: no branch diverges. Gaps count the
 * source's operations as LLVM IR would.
 *
 * CTAs x threads at the default size: 2 launches of 64 x 64; 56 MiB, of local memory.
 */
#include "workload/gen.h"

enum { GRID = 64, BLOCK = 64, THREADS = GRID * BLOCK, FLOAT = 4 };
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
    GAP_NORMAL = 3,   /* address, root, product */
    GAP_DISCOUNT = 6, /* multiply-add, quotient, n++, compare, branch, address */
    GAP_OPTION = 5,   /* constant load with address, i++, compare, branch */
    GAP_VALUE = 6,    /* multiply-add, sum, compare, branch, multiply-add, address */
    GAP_REVERSE = 6,  /* i--, compare, branch, constant load with address, address */
    GAP_ADJOINT = 11, /* products, multiply-adds, two quotients, address */
};

/* One access of every lane to local word `word`. */
#define LOCAL_OP(kind, pc, gap, wait, word)                                                                            \
    MH_MEM(kind, pc, FLOAT, gap, wait, mask, local + (uint64_t)(word)*THREADS * FLOAT, FLOAT)
#define GET(...) LOCAL_OP(MH_OP_LOAD, __VA_ARGS__)
#define PUT(...) LOCAL_OP(MH_OP_STORE, __VA_ARGS__)

/* c->v[]: path, n, i. The first kernel (launch 0) leaves out what it does not store. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = (uint64_t)c->cta * BLOCK + c->warp * g->lanes, path = c->v[0] + tid;
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
                GET(14, GAP_OPTION, false, B + maturity[c->v[1]] - 1);
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

static void build(struct mh_gen *g)
{
    struct mh_launch l = {.ctas = GRID, .threads = BLOCK, .registers = 24 /* ours */};

    mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_buffer(g, g->n * FLOAT);
    mh_gen_buffer(g, (uint64_t)LOCAL_WORDS * THREADS * FLOAT);
    l.name = "Pathcalc_Portfolio_KernelGPU2", mh_gen_launch(g, l, body);
    l.name = "Pathcalc_Portfolio_KernelGPU", mh_gen_launch(g, l, body);
}

const struct mh_kernel mh_kernel_lib = {
    .name = "LIB",
    .suite = "GPGPU-Sim",
    .summary = "LIBOR Monte Carlo; per-thread arrays in local memory, one line a warp and a page per element",
    .size_meaning = "paths",
    .size_default = THREADS, /* the source's NPATH */
    .size_min = 32,
    .size_max = (uint64_t)1 << 26,
    .build = build,
};
