/*
 * RADIX: the first pass of a radix partitioned join, partition_pass_one of Sioulas et al. (ICDE 2019;
 * psiul/ICDE2019-GPU-Join, src/join-primitives.cu): columns of 4-byte keys and payloads go to 256 partitions, chains of
 * buckets of 4096 tuples. 64 blocks of 1024 threads take 4096 tuples at a time: a histogram in shared memory, room for
 * each partition by atomic operations, then keys and payloads, ordered by partition in shared memory, are stored in
 * runs. The input is one segment.
 *
 * Keys are random. Blocks take room in order of their tuples (ours), so that no thread finds a bucket locked by another
 * one and tries again. Gaps count the source's operations as LLVM IR would, accesses to shared memory included.
 */
#include <stdlib.h>

#include "workload/gen.h"

enum { BLOCKS = 64, THREADS = 1024, EACH = 4, CHUNK = THREADS * EACH, BITS = 8, PARTITIONS = 1 << BITS };
enum { BUCKET = 4096, WORD = 4, LONG = 8, SEGMENT_WORDS = 4 };
enum { OFFSETS, KEYS, PAYLOADS, HEADS, USED, CHAINS, COUNTS, OUT_KEYS, OUT_PAYLOADS }; /* buffers */
enum { CHUNKS };                                                                       /* p[] */

enum {
    GAP_START = 12,     /* ids, parameters, loop test, address */
    GAP_CLEAR = 10,     /* clearing the histogram */
    GAP_KEYS = 5,       /* index, bound, address */
    GAP_COUNT = 28,     /* four times: bound, partition, address, addition in shared memory */
    GAP_ROOM = 8,       /* loop test, count, compare, branch, address */
    GAP_HEAD = 4,       /* extend, shift, address */
    GAP_LOCK = 1,       /* address */
    GAP_FILLED = 10,    /* shift, truncation, compares, branches, address */
    GAP_CHAIN = 2,      /* extend, address */
    GAP_NEXT_HEAD = 6,  /* sum, difference, extend, shift, sum */
    GAP_PLACES = 18,    /* four words of shared memory with addresses, addition, flags */
    GAP_TOTAL = 2,      /* read */
    GAP_SHUFFLE = 32,   /* four times: bound, addition in shared memory, address, write */
    GAP_OUT = 18,       /* bound, read, partition, three words of it, crossing of a bucket, sum, address */
    GAP_OUT_AGAIN = 15, /* as the key's, its partition known */
    GAP_READ = 1,       /* address */
    GAP_WRITE = 12,     /* four times: bound, address, write */
    GAP_EXIT = 4,
};

/* Tuples of each partition before each chunk, and buckets in order of each partition's chain. */
struct partitions {
    uint32_t rows; /* of buckets a partition, at most */
    uint32_t (*before)[PARTITIONS];
    uint32_t *bucket; /* [PARTITIONS][rows] */
};

static uint32_t partition_of(const struct mh_gen *g, uint64_t tuple)
{
    return (uint32_t)mh_random(g->seed, tuple) % PARTITIONS;
}

static uint32_t *bucket_of(const struct partitions *p, uint32_t partition, uint32_t number)
{
    return &p->bucket[(uint64_t)partition * p->rows + number];
}

static uint32_t buckets_for(uint32_t tuples)
{
    return (tuples + BUCKET - 1) / BUCKET;
}

/* Place in the output of tuple `number` of a partition. */
static uint64_t place_of(const struct partitions *p, uint32_t partition, uint32_t number)
{
    return (uint64_t)*bucket_of(p, partition, number / BUCKET) * BUCKET + number % BUCKET;
}

/* Places of a warp's tuples of a chunk, which are in order of partitions from number `first` on. */
static void list_places(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t chunk, uint32_t first,
                        uint64_t base)
{
    const struct partitions *p = g->data;
    const uint32_t *before = p->before[chunk], *after = p->before[chunk + 1];
    uint32_t j = 0, end = after[0] - before[0];

    op->list = true;
    for (uint32_t lane = 0; lane < g->lanes; lane++) {
        while (end <= first + lane) {
            j++;
            end += after[j] - before[j];
        }
        addr[lane] = base + place_of(p, j, after[j] - (end - first - lane)) * WORD;
    }
}

/* The thread's partition, which is its number, needs room in a chunk; more than its bucket has; a first bucket. */
static bool needs_room(const struct mh_gen *g, uint64_t chunk, uint64_t j)
{
    const struct partitions *p = g->data;

    return p->before[chunk + 1][j] > p->before[chunk][j];
}

static bool needs_bucket(const struct mh_gen *g, uint64_t chunk, uint64_t j)
{
    const struct partitions *p = g->data;

    return buckets_for(p->before[chunk + 1][j]) > buckets_for(p->before[chunk][j]);
}

static bool needs_chain(const struct mh_gen *g, uint64_t chunk, uint64_t j)
{
    const struct partitions *p = g->data;

    return p->before[chunk][j] && needs_bucket(g, chunk, j);
}

static uint64_t lanes_that(const struct mh_gen *g, uint64_t chunk, uint64_t tid,
                           bool (*need)(const struct mh_gen *g, uint64_t chunk, uint64_t j))
{
    uint64_t mask = mh_mask_below(tid, PARTITIONS, g->lanes);

    MH_KEEP_LANES(mask, lane, need(g, chunk, tid + lane));
    return mask;
}

static void list_chains(const struct mh_gen *g, struct mh_op *op, uint64_t *addr, uint64_t chunk, uint64_t tid)
{
    const struct partitions *p = g->data;

    MH_LIST_LANES(op, addr, lane,
                  g->base[CHAINS] +
                      (uint64_t)*bucket_of(p, (uint32_t)tid + lane, buckets_for(p->before[chunk][tid + lane]) - 1) *
                          WORD);
}

/* An atomic operation whose result is used. */
static void used_atomic(const struct mh_gen *g, struct mh_op *op, uint32_t pc, uint32_t bytes, uint32_t gap,
                        uint64_t mask, uint64_t base, int64_t stride)
{
    mh_op_affine(op, g->results ? MH_OP_LOAD : MH_OP_ATOMIC, g->results ? MH_PC_RESULT | pc : pc, bytes, gap, false,
                 mask, base, stride);
}

/* c->v[]: chunk; part of it; lanes of the op. */
static void body(const struct mh_gen *g, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const uint64_t tid = c->warp * g->lanes, all = mh_mask_first(g->lanes);

    switch (c->state) {
    case 0:
        MH_LOAD(1, LONG, GAP_START, false, mh_mask_below(tid, SEGMENT_WORDS, g->lanes), g->base[OFFSETS] + tid * LONG,
                LONG);
        MH_BARRIER(2, GAP_CLEAR, true);
        for (c->v[0] = c->cta; c->v[0] < g->p[CHUNKS]; c->v[0] += BLOCKS) {
            MH_LOAD(3, EACH * WORD, GAP_KEYS, false, all, g->base[KEYS] + (c->v[0] * CHUNK + tid * EACH) * WORD,
                    EACH * WORD);
            MH_BARRIER(4, GAP_COUNT, true);
            c->v[2] = lanes_that(g, c->v[0], tid, needs_room);
            MH_MEM(MH_OP_ATOMIC, 5, WORD, GAP_ROOM, false, c->v[2], g->base[COUNTS] + tid * WORD, WORD);
            if (c->v[2]) {
                used_atomic(g, op, 6, LONG, GAP_HEAD, c->v[2], g->base[HEADS] + tid * LONG, LONG);
                MH_YIELD;
            }
            MH_MEM(MH_OP_ATOMIC, 7, LONG, GAP_LOCK, false, c->v[2], g->base[HEADS] + tid * LONG, LONG);
            c->v[2] = lanes_that(g, c->v[0], tid, needs_chain);
            if (c->v[2]) {
                used_atomic(g, op, 8, WORD, GAP_FILLED, c->v[2], g->base[USED], 0);
                mh_op_set_needs(op, true);
                MH_YIELD;
                mh_op_affine(op, MH_OP_STORE, 9, WORD, GAP_CHAIN, true, c->v[2], 0, 0);
                list_chains(g, op, addr, c->v[0], tid);
                MH_YIELD;
            }
            c->v[2] = lanes_that(g, c->v[0], tid, needs_bucket);
            MH_MEM(MH_OP_ATOMIC, 10, LONG, GAP_NEXT_HEAD, true, c->v[2], g->base[HEADS] + tid * LONG, LONG);
            MH_BARRIER(11, tid < PARTITIONS ? GAP_PLACES : 1, true);
            MH_BARRIER(12, GAP_TOTAL, false);
            MH_BARRIER(13, GAP_SHUFFLE, false);
            for (c->v[1] = 0; c->v[1] < EACH; c->v[1]++) {
                mh_op_affine(op, MH_OP_STORE, 14, WORD, GAP_OUT, false, all, 0, 0);
                list_places(g, op, addr, c->v[0], (uint32_t)(c->v[1] * THREADS + tid), g->base[OUT_KEYS]);
                MH_YIELD;
            }
            MH_BARRIER(15, 1, false);
            MH_LOAD(16, EACH * WORD, GAP_READ, false, all, g->base[PAYLOADS] + (c->v[0] * CHUNK + tid * EACH) * WORD,
                    EACH * WORD);
            MH_BARRIER(17, GAP_WRITE, true);
            for (c->v[1] = 0; c->v[1] < EACH; c->v[1]++) {
                mh_op_affine(op, MH_OP_STORE, 18, WORD, GAP_OUT_AGAIN, false, all, 0, 0);
                list_places(g, op, addr, c->v[0], (uint32_t)(c->v[1] * THREADS + tid), g->base[OUT_PAYLOADS]);
                MH_YIELD;
            }
        }
        MH_END(GAP_EXIT, false);
    }
}

static void count_tuples(const struct mh_gen *g, struct partitions *p)
{
    for (uint64_t chunk = 0; chunk < g->p[CHUNKS]; chunk++) {
        uint32_t *after = p->before[chunk + 1];

        for (uint32_t j = 0; j < PARTITIONS; j++)
            after[j] = p->before[chunk][j];
        for (uint64_t i = 0; i < CHUNK; i++)
            after[partition_of(g, chunk * CHUNK + i)]++;
    }
    for (uint32_t j = 0; j < PARTITIONS; j++) {
        const uint32_t buckets = buckets_for(p->before[g->p[CHUNKS]][j]);

        p->rows = buckets > p->rows ? buckets : p->rows;
    }
}

/* A partition's first bucket has its number; others are taken in order. Returns how many there are. */
static uint32_t chain_buckets(const struct mh_gen *g, struct partitions *p)
{
    uint32_t used = PARTITIONS;

    for (uint32_t j = 0; j < PARTITIONS; j++)
        *bucket_of(p, j, 0) = j;
    for (uint64_t chunk = 0; chunk < g->p[CHUNKS]; chunk++)
        for (uint32_t j = 0; j < PARTITIONS; j++)
            if (needs_chain(g, chunk, j))
                *bucket_of(p, j, buckets_for(p->before[chunk][j])) = used++;
    return used;
}

/* Returns the buckets; 0: memory is short. All is in one block, which is freed with the workload. */
static uint32_t make_data(struct mh_gen *g)
{
    const uint64_t counts = sizeof(struct partitions) + (g->p[CHUNKS] + 1) * PARTITIONS * WORD;
    struct partitions *p = calloc(1, counts), *whole;
    uint64_t all;

    g->data = p;
    if (!p)
        return 0;
    p->before = (uint32_t(*)[PARTITIONS])(p + 1);
    count_tuples(g, p);
    all = counts + (uint64_t)p->rows * PARTITIONS * WORD;
    whole = realloc(p, all);
    if (!whole)
        return 0;
    g->data = whole;
    whole->before = (uint32_t(*)[PARTITIONS])(whole + 1);
    whole->bucket = (uint32_t *)whole + counts / WORD;
    return chain_buckets(g, whole);
}

static void build(struct mh_gen *g)
{
    const struct mh_launch l = {"partition_pass_one", BLOCKS, THREADS, 32 /* ours */,
                                (CHUNK + 4 * PARTITIONS) * WORD + (SEGMENT_WORDS + 2) * LONG};
    uint64_t buckets;

    g->p[CHUNKS] = g->n / CHUNK;
    buckets = make_data(g);
    g->no_memory |= !buckets;
    MH_BUFFERS(g, SEGMENT_WORDS * LONG, g->n * WORD, g->n * WORD, PARTITIONS * LONG, WORD, buckets * WORD,
               PARTITIONS * WORD, buckets * BUCKET * WORD, buckets * BUCKET * WORD);
    mh_gen_launch(g, l, body);
}

const struct mh_kernel mh_kernel_radix = {
    .name = "RADIX",
    .suite = "database",
    .summary = "radix partition pass: streams keys and payloads to 256 buckets at once, room by atomics",
    MH_SIZE("tuples", 128000000, CHUNK, (uint64_t)1 << 28), /* as many as JOIN has */
    MH_MULTIPLE(CHUNK, "a block takes so many at a time"),
    .least_bytes = 4 * WORD,
    .build = build,
};
