/* What a warp is recorded from: loops of graphs drawn here, places in memory, items. */
#include "unit/test.h"

#include "record/loops.h"
#include "record/gmt.h"

/* edges[b]: up to three followers, 0 ends (nothing leads to the entry). */
static void find(struct loops *l, uint32_t blocks, const uint32_t edges[][3])
{
    uint32_t first[17], edge[48], count = 0;

    for (uint32_t b = 0; b < blocks; b++) {
        first[b] = count;
        for (int i = 0; i < 3 && edges[b][i]; i++)
            edge[count++] = edges[b][i];
    }
    first[blocks] = count;
    assert_true(loops_find(l, &(struct loop_graph){blocks, first, edge}));
}

TEST(test_none)
{
    static const uint32_t edges[][3] = {{1, 2}, {3}, {3}, {0}};
    struct loops l;

    find(&l, 4, edges);
    assert_int_equal(l.count, 0);
    for (int b = 0; b < 4; b++)
        assert_int_equal(l.innermost[b], LOOP_NONE);
    loops_free(&l);
}

TEST(test_block_of_its_own)
{
    static const uint32_t edges[][3] = {{1}, {1, 2}, {0}};
    struct loops l;

    find(&l, 3, edges);
    assert_int_equal(l.count, 1);
    assert_int_equal(l.loop[0].header, 1);
    assert_int_equal(l.innermost[0], LOOP_NONE);
    assert_int_equal(l.innermost[1], 0);
    assert_int_equal(l.innermost[2], LOOP_NONE);
    loops_free(&l);
}

/* 1 { 2 { 3 } 4 } 5, with a `continue` of the outer one from 3. */
TEST(test_nested)
{
    static const uint32_t edges[][3] = {{1}, {2, 5}, {3, 4}, {2, 1}, {1}, {0}};
    struct loops l;

    find(&l, 6, edges);
    assert_int_equal(l.count, 2);
    assert_int_equal(l.loop[0].header, 1);
    assert_int_equal(l.loop[0].parent, LOOP_NONE);
    assert_int_equal(l.loop[1].header, 2);
    assert_int_equal(l.loop[1].parent, 0);
    assert_int_equal(l.loop[1].depth, 2);
    assert_int_equal(l.innermost[3], 1);
    assert_int_equal(l.innermost[4], 0);
    assert_int_equal(l.innermost[5], LOOP_NONE);
    loops_free(&l);
}

/* Two ways back to one header are one loop. */
TEST(test_two_latches)
{
    static const uint32_t edges[][3] = {{1}, {2, 3, 4}, {1}, {1}, {0}};
    struct loops l;

    find(&l, 5, edges);
    assert_int_equal(l.count, 1);
    assert_true(l.loop[0].has[2] && l.loop[0].has[3]);
    assert_false(l.loop[0].has[4] || l.loop[0].has[0]);
    loops_free(&l);
}

/* A circle that is entered in two places, 1 and 2: neither dominates the other. */
TEST(test_irreducible)
{
    static const uint32_t edges[][3] = {{1, 2}, {2}, {1, 3}, {0}};
    struct loops l;

    find(&l, 4, edges);
    assert_int_equal(l.count, 0);
    loops_free(&l);
}

/* --- Where buffers lie in a recording: as an allocator on a GPU places them. */

enum { KIB = 1 << 10, MIB = 1 << 20 };

#define FOUR_GIB ((uint64_t)4 << 30)

static void add(struct record_places *p, uint64_t context, uint64_t device, uint64_t bytes, uint64_t want)
{
    struct mh_error err;

    assert_int_equal(record_places_add(p, context, device, bytes, &err), 0);
    assert_int_equal(p->place[p->count - 1].base, want);
    assert_int_equal(p->place[p->count - 1].bytes, bytes);
}

/* The buffers of Rodinia's backprop, whose places a published trace lists. */
TEST(test_large_and_small)
{
    struct record_places p = {0};

    add(&p, 1, 1 << 20, 4194308, 0x100000000);
    add(&p, 1, 2 << 20, 71303236, 0x100600000);
    add(&p, 1, 3 << 20, 68, 0x104c00000);
    add(&p, 1, 4 << 20, 4194304, 0x104e00000);
    add(&p, 1, 5 << 20, 68, 0x104c00200);
    add(&p, 1, 6 << 20, 71303236, 0x105200000);
    record_places_free(&p);
}

TEST(test_slab_is_full)
{
    struct record_places p = {0};

    add(&p, 1, 0, MIB - 1, FOUR_GIB);
    add(&p, 1, 1 << 24, MIB - 1, FOUR_GIB + MIB);
    add(&p, 1, 2 << 24, 1, FOUR_GIB + 2 * MIB);
    add(&p, 1, 3 << 24, MIB, FOUR_GIB + 4 * MIB);
    record_places_free(&p);
}

TEST(test_places_are_not_used_again)
{
    struct record_places p = {0};

    add(&p, 1, 0, KIB, FOUR_GIB);
    record_places_remove(&p, 2, 0);
    assert_int_equal(p.count, 1);
    record_places_remove(&p, 1, 0);
    assert_int_equal(p.count, 0);
    add(&p, 1, 0, KIB, FOUR_GIB + KIB);
    record_places_free(&p);
}

TEST(test_find)
{
    struct record_places p = {0};
    uint64_t at;

    add(&p, 1, 0x1000, 100, FOUR_GIB);
    add(&p, 2, 0x1000, 100, FOUR_GIB + 512);
    assert_true(record_places_find(&p, 1, 0x1000 + 96, 4, &at));
    assert_int_equal(at, FOUR_GIB + 96);
    assert_true(record_places_find(&p, 2, 0x1000, 4, &at));
    assert_int_equal(at, FOUR_GIB + 512);
    assert_false(record_places_find(&p, 1, 0x1000 + 97, 4, &at));
    assert_false(record_places_find(&p, 1, 0x1000 - 4, 4, &at));
    assert_false(record_places_find(&p, 3, 0x1000, 4, &at));
    record_places_free(&p);
}

TEST(test_no_room)
{
    struct record_places p = {0};
    struct mh_error err;

    assert_int_equal(record_places_add(&p, 1, 0, (uint64_t)1 << 39, &err), -1);
    assert_non_null(strstr(err.text, "2^39"));
    record_places_free(&p);
}

/* --- Accesses of work items as bytes, and the warp that they are. */

enum { LANES = 4 };

static struct bytes lane[LANES];
static struct record_access last[LANES];

static int clear(void **)
{
    for (int l = 0; l < LANES; l++)
        bytes_free(&lane[l]);
    memset(last, 0, sizeof last);
    return 0;
}

/* Lane l loads 4 bytes at `address`, at the place with these words. */
static void load(int l, uint64_t gap, uint64_t address, unsigned words, const uint32_t *key)
{
    struct record_access a = {.words = words, .bytes = 4, .gap = gap, .address = address};

    memcpy(a.key, key, words * sizeof *key);
    record_access_put(&lane[l], &last[l], &a);
}

#define LOAD(l, gap, address, ...)                                                                                     \
    load(l, gap, address, sizeof((uint32_t[]){__VA_ARGS__}) / 4, (const uint32_t[]){__VA_ARGS__})

static struct record_warp warp;
static struct record_op op;

static void expect(uint32_t pc, uint64_t mask, uint64_t gap)
{
    assert_true(record_warp_next(&warp, &op));
    assert_int_equal(op.pc, pc);
    assert_int_equal(op.mask, mask);
    assert_int_equal(op.gap, gap);
}

static void expect_end(void)
{
    assert_false(record_warp_next(&warp, &op));
    assert_false(warp.bad);
}

TEST(test_round_trip, .teardown = clear)
{
    struct record_access a = {.key = {7, 3, 9, 2},
                              .words = 4,
                              .piece = true,
                              .kind = RECORD_STORE,
                              .bytes = 12,
                              .gap = 1000000,
                              .address = UINT64_MAX - 5};
    struct record_access b = {.key = {7, 4, 9}, .words = 3, .kind = RECORD_BARRIER, .gap = 0}, read = {0};
    struct bytes_in in;

    record_access_put(&lane[0], &last[0], &a);
    record_access_put(&lane[0], &last[0], &b);
    in = (struct bytes_in){lane[0].at, lane[0].at + lane[0].size, false};
    assert_true(record_access_get(&in, &read));
    assert_memory_equal(read.key, a.key, 16);
    assert_int_equal(read.words, 4);
    assert_true(read.piece);
    assert_int_equal(record_access_pc(&read), 9);
    assert_int_equal(read.kind, RECORD_STORE);
    assert_int_equal(read.bytes, 12);
    assert_int_equal(read.gap, 1000000);
    assert_int_equal(read.address, UINT64_MAX - 5);
    assert_true(record_access_get(&in, &read));
    assert_int_equal(read.words, 3);
    assert_int_equal(record_access_pc(&read), 9);
    assert_int_equal(read.kind, RECORD_BARRIER);
    assert_int_equal(read.address, 0);
    assert_false(record_access_get(&in, &read));
    assert_false(in.bad);
}

/* Bytes that end inside of an access. */
TEST(test_cut_off, .teardown = clear)
{
    LOAD(0, 1, 0x1000, 5, 1, 6);
    for (size_t size = 1; size < lane[0].size; size++) {
        struct bytes_in in = {lane[0].at, lane[0].at + size, false};
        struct record_access a = {0};

        assert_false(record_access_get(&in, &a));
        assert_true(in.bad);
    }
}

TEST(test_together, .teardown = clear)
{
    for (int l = 0; l < LANES; l++)
        LOAD(l, 3 + (uint64_t)l, 0x1000 + 4 * (uint64_t)l, 8);
    record_warp_start(&warp, lane, LANES);
    expect(8, 0xf, 3);
    for (unsigned l = 0; l < LANES; l++)
        assert_int_equal(op.address[l], 0x1000 + 4 * l);
    expect_end();
}

/* if (even) 5; else 7; then 9: the paths one after the other, then all again. Lane 3 has ended before. */
TEST(test_branch, .teardown = clear)
{
    for (int l = 0; l < 3; l++) {
        LOAD(l, 2, 0x1000, l % 2 ? 7 : 5);
        LOAD(l, l % 2 ? 1 : 4, 0x2000, 9);
    }
    record_warp_start(&warp, lane, LANES);
    expect(5, 0x5, 2);
    expect(7, 0x2, 2);
    expect(9, 0x7, 1);
    expect_end();
}

/* A loop whose header is 10: lane l goes around l times, the iterations meet, and what follows, 8, waits for all. It
 * has a smaller number than the loop's body, 12, as in reverse post-order it may. */
TEST(test_loop, .teardown = clear)
{
    for (uint32_t l = 0; l < 3; l++) {
        for (uint32_t i = 0; i < l; i++)
            LOAD((int)l, 1, 0x1000, 6, i, 12);
        LOAD((int)l, 1, 0x2000, 8);
    }
    record_warp_start(&warp, lane, 3);
    expect(12, 0x6, 1);
    expect(12, 0x4, 1);
    expect(8, 0x7, 1);
    expect_end();
}

/* Two calls of one function, at 5 and at 9: what they access is apart. */
TEST(test_calls, .teardown = clear)
{
    LOAD(0, 1, 0x1000, 5, 20);
    LOAD(0, 1, 0x1000, 9, 20);
    LOAD(1, 1, 0x1000, 9, 20);
    record_warp_start(&warp, lane, 2);
    expect(20, 1, 1);
    expect(20, 3, 1);
    expect_end();
}

/* One place, two kinds of access: no program does that. */
TEST(test_contradiction, .teardown = clear)
{
    struct record_access store = {.key = {5}, .words = 1, .kind = RECORD_STORE, .bytes = 4};

    LOAD(0, 1, 0x1000, 5);
    record_access_put(&lane[1], &last[1], &store);
    record_warp_start(&warp, lane, 2);
    assert_false(record_warp_next(&warp, &op));
    assert_true(warp.bad);
}
