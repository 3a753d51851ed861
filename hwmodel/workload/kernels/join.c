/*
 * JOIN: a hash join without partitioning, build and probe, of the code of Lutz et al. (SIGMOD 2022, "Triton join";
 * TU-Berlin-DIMA/fast-interconnects, sql-ops/cudautils/no_partitioning_join.cu): columns of 8-byte keys and payloads,
 * one table of 16-byte entries, twice the least power of two that holds the tuples, linear probing from the golden
 * ratio's multiply-shift hash. To build is a compare-and-swap of the key, then a store of the payload. To probe is a
 * 16-byte load; it goes on behind the match up to an empty entry, as the program does not know that keys are unique.
 *
 * Build keys are 0 .. tuples - 1 in random order, probe keys uniform, all of them found, as the program's data
 * generator makes them; with `zipf` popular by Zipf's law, exponent 1 (ours). The grid is the program's two blocks of
 * four warps an SM, for the 108 SMs of an A100. Gaps count the source's operations as LLVM IR would.
 *
 * Nothing is stored: multiples of the golden ratio are spread so evenly that a key's neighbours in the table follow
 * from its number (three-distance theorem). Keys that hash to one entry are few; the table is as if keys came in order
 * of their hashes (ours).
 */
#include <stdlib.h>

#include "workload/gen.h"
#include "workload/zipf.h"

enum { BLOCKS = 2 * 108, WARPS = 4, LONG = 8, ENTRY = 16 };
enum { KEYS, PAYLOADS, PROBE_KEYS, PROBE_PAYLOADS, TABLE, SUMS }; /* buffers */
enum { SHIFT, UP, DOWN };                                         /* p[] */
enum { UNIFORM, ZIPF };                                           /* variants */

#define FACTOR 11400714819323198485u /* 2^64 / golden ratio */

enum {
    GAP_START = 14,  /* id, threads, logarithm of the entries, bound, address */
    GAP_PAYLOAD = 1, /* address */
    GAP_HASH = 4,    /* product, shift, address */
    GAP_STORE = 3,   /* compare, branch, address */
    GAP_RETRY = 6,   /* compare, branch, index, mask, bound, address */
    GAP_NEXT = 4,    /* tuple, bound, address */
    GAP_FOUND = 6,   /* two compares, branches, flags, address */
    GAP_SUM = 2,     /* extend, address */
    GAP_ADD = 1,
};

static uint64_t home(const struct mh_gen *g, uint64_t key)
{
    return key * FACTOR >> g->p[SHIFT];
}

/* Keys whose hashes are next above and below: their numbers differ by one of three distances. */
static uint64_t above(const struct mh_gen *g, uint64_t key)
{
    if (key + g->p[UP] < g->n)
        return key + g->p[UP];
    return key < g->p[DOWN] ? key + g->p[UP] - g->p[DOWN] : key - g->p[DOWN];
}

static uint64_t below(const struct mh_gen *g, uint64_t key)
{
    if (key >= g->p[UP])
        return key - g->p[UP];
    return key + g->p[DOWN] < g->n ? key + g->p[DOWN] : key + g->p[DOWN] - g->p[UP];
}

/* Entries from one key's home to that of the next above. */
static uint64_t distance(const struct mh_gen *g, uint64_t key, uint64_t next)
{
    return (home(g, next) - home(g, key)) & (~(uint64_t)0 >> g->p[SHIFT]);
}

/* Entries that linear probing has moved a key on from its home. */
static uint64_t moved(const struct mh_gen *g, uint64_t key)
{
    uint64_t first = key, at = 0, free = 0;

    for (uint64_t k = below(g, key); distance(g, k, first) <= 1; k = below(g, k))
        first = k;
    for (uint64_t k = first; k != key; k = above(g, k)) {
        free = (at > free ? at : free) + 1;
        at += distance(g, k, above(g, k));
    }
    return free > at ? free - at : 0;
}

/* Entries that are taken directly behind a key's. */
static uint64_t taken_behind(const struct mh_gen *g, uint64_t key)
{
    const uint64_t first = moved(g, key) + 1;
    uint64_t free = first, at = 0;

    for (uint64_t next = above(g, key);; next = above(g, key = next)) {
        at += distance(g, key, next);
        if (at > free)
            return free - first;
        free++;
    }
}

static uint64_t key_of(const struct mh_gen *g, bool probe, uint64_t tuple)
{
    const struct mh_zipf *z = g->data;

    if (!probe)
        return mh_shuffled(g->seed, tuple, g->n);
    return mh_shuffled(~g->seed, mh_zipf_draw(z, mh_random(g->seed, tuple), g->n), g->n);
}

/* Whether a tuple's thread looks at entry `step` from its key's home on; behind the match: from the one behind it on.
 */
static bool looks(const struct mh_gen *g, bool probe, bool behind, uint64_t tuple, uint64_t step)
{
    const uint64_t key = key_of(g, probe, tuple);

    return step <= (behind ? taken_behind(g, key) : moved(g, key));
}

static uint64_t looking(const struct mh_gen *g, bool probe, bool behind, uint64_t tuple, uint64_t mask, uint64_t step)
{
    MH_KEEP_LANES(mask, lane, looks(g, probe, behind, tuple + lane, step));
    return mask;
}

static uint64_t entry_of(const struct mh_gen *g, bool probe, bool behind, uint64_t tuple, uint64_t step)
{
    const uint64_t key = key_of(g, probe, tuple);
    const uint64_t entry = home(g, key) + step + (behind ? moved(g, key) + 1 : 0);

    return g->base[TABLE] + (entry & (~(uint64_t)0 >> g->p[SHIFT])) * ENTRY;
}

/* c->v[]: tuples that the grid has passed; entry; lanes that look at it; those that look on. */
static uint64_t tuple_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return mh_thread(g, c, WARPS * g->lanes) + c->v[0];
}

static uint64_t lanes_of(const struct mh_gen *g, const struct mh_cursor *c)
{
    return mh_mask_below(tuple_of(g, c), g->n, g->lanes);
}

static uint64_t grid_of(const struct mh_gen *g)
{
    return (uint64_t)BLOCKS * WARPS * g->lanes;
}

static void build_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    switch (c->state) {
    case 0:
        for (; tuple_of(g, c) < g->n; c->v[0] += grid_of(g)) {
            MH_LOAD(1, LONG, c->v[0] ? GAP_NEXT : GAP_START, false, lanes_of(g, c),
                    g->base[KEYS] + tuple_of(g, c) * LONG, LONG);
            MH_LOAD(2, LONG, GAP_PAYLOAD, false, lanes_of(g, c), g->base[PAYLOADS] + tuple_of(g, c) * LONG, LONG);
            c->v[2] = lanes_of(g, c);
            for (c->v[1] = 0; c->v[2]; c->v[1]++) {
                mh_op_affine(op, g->results ? MH_OP_LOAD : MH_OP_ATOMIC, g->results ? MH_PC_RESULT | 3 : 3, LONG,
                             c->v[1] ? GAP_RETRY : GAP_HASH, c->v[1] ? true : MH_NEEDS(2, 0), c->v[2], 0, 0);
                MH_LIST_LANES(op, addr, lane, entry_of(g, false, false, tuple_of(g, c) + lane, c->v[1]));
                MH_YIELD;
                c->v[3] = looking(g, false, false, tuple_of(g, c), c->v[2], c->v[1] + 1);
                if (c->v[2] & ~c->v[3]) {
                    mh_op_affine(op, MH_OP_STORE, 4, LONG, GAP_STORE, true, c->v[2] & ~c->v[3], 0, 0);
                    MH_LIST_LANES(op, addr, lane, entry_of(g, false, false, tuple_of(g, c) + lane, c->v[1]) + LONG);
                    MH_YIELD;
                }
                c->v[2] = c->v[3];
            }
        }
        MH_END(GAP_NEXT, false);
    }
}

static void probe_body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t sum = g->base[SUMS] + mh_thread(g, c, WARPS * g->lanes) * LONG;

    switch (c->state) {
    case 0:
        for (; tuple_of(g, c) < g->n; c->v[0] += grid_of(g)) {
            MH_LOAD(5, LONG, c->v[0] ? GAP_NEXT : GAP_START, false, lanes_of(g, c),
                    g->base[PROBE_KEYS] + tuple_of(g, c) * LONG, LONG);
            c->v[2] = lanes_of(g, c);
            for (c->v[1] = 0; c->v[2]; c->v[1]++) {
                mh_op_affine(op, MH_OP_LOAD, 6, ENTRY, c->v[1] ? GAP_RETRY : GAP_HASH, true, c->v[2], 0, 0);
                MH_LIST_LANES(op, addr, lane, entry_of(g, true, false, tuple_of(g, c) + lane, c->v[1]));
                MH_YIELD;
                c->v[2] = looking(g, true, false, tuple_of(g, c), c->v[2], c->v[1] + 1);
            }
            MH_LOAD(7, LONG, GAP_FOUND, true, lanes_of(g, c), g->base[PROBE_PAYLOADS] + tuple_of(g, c) * LONG, LONG);
            MH_LOAD(8, LONG, GAP_SUM, false, lanes_of(g, c), sum, LONG);
            MH_STORE(9, LONG, GAP_ADD, true, lanes_of(g, c), sum, LONG);
            c->v[2] = lanes_of(g, c);
            for (c->v[1] = 0; c->v[2]; c->v[1]++) {
                mh_op_affine(op, MH_OP_LOAD, 10, ENTRY, GAP_RETRY, c->v[1] != 0, c->v[2], 0, 0);
                MH_LIST_LANES(op, addr, lane, entry_of(g, true, true, tuple_of(g, c) + lane, c->v[1]));
                MH_YIELD;
                c->v[2] = looking(g, true, true, tuple_of(g, c), c->v[2], c->v[1] + 1);
            }
        }
        MH_END(GAP_NEXT, false);
    }
}

/* The least distances up and down the circle of hashes, between keys less than n apart: Fibonacci numbers. */
static void find_neighbours(struct mh_gen *g)
{
    uint64_t last = 1, up = ~(uint64_t)0, down = ~(uint64_t)0;

    for (uint64_t f = 1; f < g->n; f += last, last = f - last) {
        const uint64_t at = f * FACTOR;

        if (at < up)
            up = at, g->p[UP] = f;
        if (0 - at < down)
            down = 0 - at, g->p[DOWN] = f;
    }
}

static void build(struct mh_gen *g)
{
    struct mh_zipf *z = malloc(sizeof *z);
    const struct mh_launch l = {.ctas = BLOCKS, .threads = WARPS * g->lanes, .registers = 32 /* ours */};

    g->data = z;
    g->no_memory |= !z;
    if (!z)
        return;
    mh_zipf_make(z, g->variant == ZIPF ? 100 : 0);
    g->p[SHIFT] = (uint64_t)__builtin_clzll(g->n - 1) - 1;
    find_neighbours(g);
    for (int column = KEYS; column < TABLE; column++)
        mh_gen_buffer(g, g->n * LONG);
    MH_BUFFERS(g, ((~(uint64_t)0 >> g->p[SHIFT]) + 1) * ENTRY, grid_of(g) * LONG);
    mh_gen_launch(g, l, build_body);
    mh_gen_launch(g, l, probe_body);
    g->launch[0].name = "gpu_ht_build_linearprobing_int64";
    g->launch[1].name = "gpu_ht_probe_aggregate_linearprobing_int64";
}

const struct mh_kernel mh_kernel_join = {
    .name = "JOIN",
    .suite = "database",
    .summary = "hash join without partitioning: compare-and-swap, then a probe, at random entries of a table of 4 GiB",
    MH_SIZE("tuples of either side", 128000000, 16, (uint64_t)1 << 30), /* the paper's 128 M and 128 M */
    .variants = (const char *const[]){[UNIFORM] = "uniform", [ZIPF] = "zipf", NULL},
    .least_bytes = 4 * LONG + 2 * ENTRY,
    .build = build,
};
