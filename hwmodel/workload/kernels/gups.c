/*
 * GUPS: random read-modify-write of a table of 8-byte words (HPC Challenge RandomAccess). Each thread reads its seed
 * once and then makes updates `r = next(r); table[r % size] ^= r`, next() being HPCC's shift register over x^64 + x^2 +
 * x + 1. In the shape of the recorded trace: 256 blocks of 256 threads, 48 updates each (256); or of the program that
 * the authors of walk stealing publish (csl-iisc/DWS-HPCA2021, pthread_benchmark/GUPS): 32 blocks of 15, 256 updates
 * each (15). The instruction counts (gap) are the recorded ones. The seeds are random words instead of HPCC's evenly
 * spaced start points, and there is a new one every 48 updates (ours).
 *
 * CTAs x threads at the default size: 1 launch of 256 x 256; 128 MiB.
 */
#include "workload/gen.h"

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

static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct shape *s = &shapes[g->variant];
    const uint64_t thread = (uint64_t)c->cta * s->threads + c->warp * g->lanes;
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

static void build(struct mh_gen *g)
{
    const struct shape *s = &shapes[g->variant];

    mh_gen_buffer(g, g->n * WORD);
    mh_gen_buffer(g, (uint64_t)s->blocks * s->threads * WORD);
    struct mh_launch l = {.name = "gups", .ctas = s->blocks, .threads = s->threads, .registers = 16 /* ours */};

    mh_gen_launch(g, l, body);
}

const struct mh_kernel mh_kernel_gups = {
    .name = "GUPS",
    .suite = "HPC Challenge RandomAccess",
    .summary = "table[random] ^= random; every lane its own page",
    .size_meaning = "table entries of 8 bytes",
    .size_default = (uint64_t)1 << 24,
    .size_min = 1024,
    .size_max = (uint64_t)1 << 32,
    .size_powers = 1,
    .variants = variants,
    .size_reason = "an index is the low bits of a random number",
    .build = build,
};
