/* Microbenchmarks: each access counted by hand. */
#include "unit/test.h"
#include "unit/workload_walk.h"

#include <stdlib.h>

enum { MIB = 1 << 20 };

/* The chain visits each element once in each pass, and all passes have one order. */
static void check_chain(const char *spec, uint64_t size, uint64_t stride, uint64_t apart)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, size, 3, 32);
    const uint64_t n = size / stride, steps = (65536 + n - 1) / n * n;
    uint64_t addr[MH_MAX_LANES], *order = calloc(n, sizeof *order), jumps = 0;
    uint8_t *seen = calloc(n, 1);
    struct mh_cursor c = {0};
    struct mh_op op;

    assert_true(w->launch_count == 1 && w->launches->ctas == 1 && w->launches->threads == 1);
    w->start(w, &c);
    for (uint64_t i = 0; i < steps; i++) {
        w->next(w, &c, &op, addr);
        assert_true(op.kind == MH_OP_LOAD && op.wait == 1 && op.mask == 1 && op.gap == 0 && !op.list);
        const uint64_t at = op.base - w->buffers->base, element = at / stride;

        assert_int_equal(at % stride, apart ? element % (stride / apart) * apart : 0);
        if (i < n) {
            assert_false(seen[element]);
            seen[element] = 1;
            jumps += i && order[i - 1] + 1 != element;
            order[i] = element;
        }
        assert_int_equal(order[i % n], element);
    }
    w->next(w, &c, &op, addr);
    assert_int_equal(op.kind, MH_OP_EXIT);
    assert_true(n < 100 || jumps > n * 9 / 10);
    free(order);
    free(seen);
}

TEST(test_chase)
{
    check_chain("CHASE", 128, 128, 0);
    check_chain("CHASE", 96 * 128, 128, 0);
    check_chain("CHASE@32", MIB, 32, 0);
    check_chain("CHASE@4K", 3 * MIB, 4096, 128);
    check_chain("CHASE@2M", 2 * MIB * 70ull, 2 * MIB, 128);
}

TEST(test_chase_below_its_stride)
{
    struct mh_error err;

    assert_null(mh_workload_create("CHASE@4K", 2048, 1, 32, &err));
    assert_string_equal(err.text, "CHASE@4K: size 2048 is less than the stride: use 4096 or more");
}

/* Accesses of a warp to each 512 bytes of the array that is read, and of the one that is written. */
struct moved {
    uint64_t loads, stores, bytes;
    const struct mh_workload *w;
    uint64_t read[MIB / 512], written[MIB / 512];
};

static void add(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct moved *m = ctx;

    (void)at;
    (void)addr;
    m->loads += op->kind == MH_OP_LOAD;
    m->stores += op->kind == MH_OP_STORE;
    if (op->kind == MH_OP_LOAD)
        m->read[(op->base - m->w->buffers[0].base) / 512]++;
    if (op->kind == MH_OP_STORE)
        m->written[(op->base - m->w->buffers[m->w->buffer_count - 1].base) / 512]++;
    m->bytes += op->kind < MH_OP_BARRIER ? (uint64_t)op->bytes * (uint64_t)__builtin_popcountll(op->mask) : 0;
}

/* A warp's access is 512 bytes: 2048 of them read 1 MiB. */
static void check_moves(const char *spec, uint64_t loads, uint64_t stores)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, MIB, 1, 32);
    struct moved m = {.w = w};

    walk_all(w, 32, add, &m);
    for (uint32_t i = 0; i < MIB / 512; i++) {
        assert_int_equal(m.read[i], loads / (MIB / 512));
        assert_int_equal(m.written[i], stores / (MIB / 512));
    }
    assert_int_equal(m.loads, loads);
    assert_int_equal(m.stores, stores);
    assert_int_equal(m.bytes, 512 * (loads + stores));
}

TEST(test_stream)
{
    check_moves("STREAM", 2048, 0);
    check_moves("STREAM@copy", 2048, 2048);
    check_moves("STREAM@write", 0, 2048);
    check_moves("STREAM@reread", 64 * 2048, 0);
}

TEST_GROUP();

struct chain {
    uint64_t instructions, stores, ways;
};

static void add_link(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct chain *c = ctx;

    (void)at;
    (void)addr;
    c->instructions += op->gap;
    c->stores += op->kind == MH_OP_STORE;
    if (op->gap)
        c->ways = op->ways;
}

/* A store behind each 4096 instructions of a warp, and behind the rest. */
static void check_links(const char *spec, uint32_t lanes, uint32_t warps, uint64_t ways)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, 10000, 1, lanes);
    struct chain c = {0};

    walk_all(w, lanes, add_link, &c);
    assert_true(w->launch_count == 1 && w->launches->ctas == 1);
    assert_int_equal(w->launches->threads, warps * lanes);
    assert_int_equal(c.instructions, 10000 * warps);
    assert_int_equal(c.stores, 3 * warps);
    assert_int_equal(c.ways, ways);
}

/* 64 lanes have twice as many words as there are banks. */
TEST(test_chains_of_instructions)
{
    check_links("ALU", 32, 1, 0);
    check_links("ALU@8", 64, 8, 0);
    check_links("ALU@32", 32, 32, 0);
    check_links("SHARED", 32, 1, 1);
    check_links("SHARED@8", 32, 1, 8);
    check_links("SHARED@32", 32, 1, 32);
    check_links("SHARED@32", 64, 1, 64);
}

struct additions {
    uint64_t atomics, results, lines;
    uint64_t last; /* line */
};

static void add_addition(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct additions *a = ctx;

    (void)at;
    (void)addr;
    if (op->kind >= MH_OP_BARRIER)
        return;
    assert_true(op->mask == 1 && op->wait == 1 && !op->gap);
    a->atomics += op->kind == MH_OP_ATOMIC;
    a->results += op->kind == MH_OP_LOAD && op->pc == (MH_PC_RESULT | 1);
    a->lines += op->base / 128 != a->last;
    a->last = op->base / 128;
}

/* Warps come one after the other: as many lines as change from warp to warp. */
static void check_additions(const char *spec, bool results, uint64_t warps, uint64_t lines)
{
    LOCAL_WORKLOAD(w) = walk_make(spec, 3, 1, 32);
    struct additions a = {0};

    if (results)
        mh_workload_results(w);
    walk_all(w, 32, add_addition, &a);
    assert_int_equal(a.atomics, results ? 0 : 3 * warps);
    assert_int_equal(a.results, results ? 3 * warps : 0);
    assert_int_equal(a.lines, lines);
}

TEST(test_additions)
{
    for (uint32_t results = 0; results < 2; results++) {
        check_additions("ATOMIC", results, 1, 1);
        check_additions("ATOMIC@same", results, 8192, 1);
        check_additions("ATOMIC@apart", results, 8192, 8192);
    }
}
