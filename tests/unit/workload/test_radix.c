/* RADIX against partitions that are filled here, tuple by tuple. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

#include "engine/random.h"

enum { CHUNKS = 330, CHUNK = 4096, TUPLES = CHUNKS * CHUNK, PARTITIONS = 256, BUCKET = 4096, SEED = 11, BLOCKS = 64 };

static struct partitions {
    uint32_t place[TUPLES]; /* in the output, of the tuples of each chunk in order of partitions */
    uint32_t tuples[PARTITIONS], bucket[PARTITIONS], buckets, chained;
    uint8_t stored[TUPLES + PARTITIONS * BUCKET];
} expected;

/* The program's allocation: a partition's first bucket is its own, the next one is whichever is free. */
static void append(struct partitions *p, uint32_t partition, uint32_t *place)
{
    const uint32_t number = p->tuples[partition]++;

    if (number == 0)
        p->bucket[partition] = partition;
    else if (number % BUCKET == 0) {
        p->bucket[partition] = p->buckets++;
        p->chained++;
    }
    *place = p->bucket[partition] * BUCKET + number % BUCKET;
}

static void fill_partitions(struct partitions *p)
{
    uint32_t *place = p->place;

    memset(p, 0, sizeof *p);
    p->buckets = PARTITIONS;
    for (uint64_t chunk = 0; chunk < CHUNKS; chunk++)
        for (uint32_t j = 0; j < PARTITIONS; j++)
            for (uint64_t i = chunk * CHUNK; i < (chunk + 1) * CHUNK; i++)
                if ((mh_random(SEED, i) & 255) == j)
                    append(p, j, place++);
}

struct follow {
    uint64_t keys, payloads, out_keys, out_payloads; /* bases */
    uint64_t chunk, part, stores, lines, chained, rooms, first;
    uint32_t lanes;
};

/* Six small buffers in one slab, the columns as large as they are. */
static void find_buffers(struct follow *f, const struct mh_workload *w)
{
    uint64_t *const base[] = {&f->keys, &f->payloads, &f->out_keys, &f->out_payloads};
    uint32_t found = 0;

    for (uint32_t b = 0; b < w->buffer_count; b++)
        if (w->buffers[b].bytes >= 4ull * TUPLES)
            *base[found++] = w->buffers[b].base;
    assert_int_equal(found, 4);
}

static void check_stores(struct follow *f, struct walk_place at, const struct mh_op *op, const uint64_t *addr,
                         uint64_t base)
{
    const uint64_t first = f->chunk * CHUNK + f->part++ * 1024 + at.warp * f->lanes;
    struct mh_op_footprint footprint;

    assert_true(op->bytes == 4 && op->list);
    for (uint32_t lane = 0; lane < f->lanes; lane++) {
        const uint32_t place = expected.place[first + lane];

        assert_true(addr[lane] == base + place * 4ull);
        expected.stored[place] += op->pc == 14;
    }
    mh_op_footprint(op, addr, &footprint);
    f->stores++;
    f->lines += footprint.lines;
}

static void check_load(struct follow *f, struct walk_place at, const struct mh_op *op, uint64_t base)
{
    assert_true(!op->list && op->bytes == 16 && op->stride == 16);
    assert_int_equal(__builtin_popcountll(op->mask), f->lanes);
    assert_true(op->base == base + (f->chunk * CHUNK + at.warp * f->lanes * 4ull) * 4);
    f->part = 0;
}

static void follow_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct follow *f = ctx;

    switch (op->pc) {
    case 1: /* two segments' ends, by the first four threads */
        assert_true(at.warp == 0 && op->mask == 15 && op->bytes == 8);
        break;
    case 3:
        f->chunk = f->first ? at.cta : f->chunk + BLOCKS;
        f->first = 0;
        check_load(f, at, op, f->keys);
        break;
    case 6:
        f->rooms += (uint64_t)__builtin_popcountll(op->mask);
        break;
    case 9:
        f->chained += (uint64_t)__builtin_popcountll(op->mask);
        break;
    case 14:
    case 18:
        check_stores(f, at, op, addr, op->pc == 14 ? f->out_keys : f->out_payloads);
        break;
    case 16:
        check_load(f, at, op, f->payloads);
        break;
    }
    if (op->kind == MH_OP_EXIT)
        f->first = 1;
}

/* A partition has 16 of a chunk's tuples, so that 32 lanes store to about three of them, and some runs cross a line. */
static void check_lanes(uint32_t lanes, uint64_t lines_least, uint64_t lines_most)
{
    LOCAL_WORKLOAD(w) = walk_make("RADIX", TUPLES, SEED, lanes);
    struct follow f = {.lanes = lanes, .first = 1};
    uint64_t stored = 0;

    fill_partitions(&expected);
    find_buffers(&f, w);
    assert_true(w->launches->ctas == BLOCKS && w->launches->threads == 1024);
    walk_all(w, lanes, follow_op, &f);
    assert_int_equal(f.stores, 2 * TUPLES / lanes);
    assert_in_range(f.lines, f.stores * lines_least / 100, f.stores * lines_most / 100);
    assert_int_equal(f.chained, expected.chained);
    assert_in_range(f.chained, PARTITIONS / 2, PARTITIONS + 10);
    assert_true(f.rooms > CHUNKS * (PARTITIONS - 1ull));
    for (size_t i = 0; i < sizeof expected.stored; i++) {
        assert_true(expected.stored[i] <= 1);
        stored += expected.stored[i];
    }
    assert_int_equal(stored, TUPLES);
}

TEST(test_partitions)
{
    check_lanes(32, 350, 400);
    check_lanes(64, 620, 720);
}

TEST_GROUP(.slow = true);
