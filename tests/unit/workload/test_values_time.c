/*
 * What holds for the values of every kernel: they do not depend on earlier reads, and a launch changes what its ops
 * store and nothing else.
 */
#include "unit/test.h"
#include "unit/workload/values_fixture.h"
#include "workload/op_stats.h"

static const struct small {
    const char *name;
    uint64_t size;
} small[] = {{"2DCONV", 70}, {"3DCONV", 32}, {"SAD", 48},  {"CORR", 40},    {"COVAR", 40},
             {"FDTD", 50},   {"LPS", 20},    {"LUD", 80},  {"SRAD", 192},   {"CONS", 128},
             {"SCAN", 9000}, {"ATAX", 60},   {"BICG", 60}, {"GESUMMV", 60}, {"MVT", 60}};

enum { KERNELS = sizeof small / sizeof *small, PAGE = 4096 };

/* All buffers, one behind the other. */
struct memory {
    uint64_t bytes;
    uint8_t *byte;
};

static struct memory memory_of(const struct mh_workload *w)
{
    struct memory m = {0};

    for (uint32_t b = 0; b < w->buffer_count; b++)
        m.bytes += w->buffers[b].bytes;
    m.byte = calloc(1, m.bytes);
    assert_non_null(m.byte);
    return m;
}

/* In pieces that do not divide anything. */
static struct memory look(struct fixture *f, bool stored, uint64_t piece)
{
    struct memory m = memory_of(f->w);
    uint8_t *to = m.byte;

    for (uint32_t b = 0; b < f->w->buffer_count; b++)
        for (uint64_t at = 0; at < f->w->buffers[b].bytes; at += piece) {
            uint64_t left = f->w->buffers[b].bytes - at, count = left < piece ? left : piece;

            mh_values_read(f->v, stored, f->w->buffers[b].base + at, to, (uint32_t)count);
            to += count;
        }
    return m;
}

static void same(struct memory *a, struct memory *b, const struct fixture *f, uint32_t launch)
{
    for (uint64_t i = 0; i < a->bytes; i++)
        if (a->byte[i] != b->byte[i])
            fail_msg("%s, launch %u: byte %llu", f->kernel, launch, (unsigned long long)i);
    free(a->byte);
    free(b->byte);
}

/* One looks ahead before every launch, the other never does. */
TEST(test_looking_changes_nothing)
{
    for (uint32_t k = 0; k < KERNELS; k++) {
        struct fixture one = values_of(small[k].name, small[k].size), other = values_of(small[k].name, small[k].size);

        for (uint32_t l = 0; l < one.w->launch_count; l++) {
            struct memory ahead = look(&one, true, 1000), before = look(&one, false, 333);
            struct memory now = look(&other, false, 100);

            same(&before, &now, &one, l);
            mh_values_finish(other.v, l + 1);
            now = look(&other, false, 64);
            same(&ahead, &now, &one, l + 1);
            mh_values_finish(one.v, l + 1);
        }
        values_end(&one);
        values_end(&other);
    }
}

/* All launches at once give what they give one by one. */
TEST(test_time_may_leap)
{
    for (uint32_t k = 0; k < KERNELS; k++) {
        struct fixture one = values_of(small[k].name, small[k].size), other = values_of(small[k].name, small[k].size);

        for (uint32_t l = 0; l <= one.w->launch_count; l++) {
            float x;

            mh_values_finish(one.v, l);
            mh_values_read(one.v, l % 2, one.w->buffers[0].base, &x, sizeof x);
        }
        mh_values_finish(other.v, other.w->launch_count);
        struct memory a = look(&one, false, PAGE), b = look(&other, true, PAGE);

        same(&a, &b, &one, one.w->launch_count);
        values_end(&one);
        values_end(&other);
    }
}

/* A workload that is launched again begins as it began. */
TEST(test_restart)
{
    for (uint32_t k = 0; k < KERNELS; k++) {
        struct fixture f = values_of(small[k].name, small[k].size);
        struct memory first = look(&f, false, PAGE), ahead = look(&f, true, PAGE), again;

        mh_values_finish(f.v, f.w->launch_count);
        again = look(&f, false, PAGE);
        free(again.byte);
        mh_values_restart(f.v);
        again = look(&f, false, PAGE);
        same(&first, &again, &f, 0);
        again = look(&f, true, PAGE);
        same(&ahead, &again, &f, 1);
        values_end(&f);
    }
}

struct stores {
    const struct mh_workload *w;
    struct memory m;
};

static void mark(struct stores *s, uint64_t address, uint32_t bytes)
{
    uint64_t before = 0;

    for (uint32_t b = 0; b < s->w->buffer_count; before += s->w->buffers[b++].bytes)
        if (address >= s->w->buffers[b].base && address < s->w->buffers[b].base + s->w->buffers[b].bytes)
            memset(s->m.byte + before + (address - s->w->buffers[b].base), 1, bytes);
}

static void mark_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    for (uint64_t m = op->kind == MH_OP_STORE ? op->mask : 0; m; m &= m - 1)
        mark(ctx, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)), op->bytes);
}

static struct memory stores_of(const struct mh_workload *w, uint32_t launch)
{
    struct stores s = {w, memory_of(w)};

    for (uint32_t cta = 0; cta < w->launches[launch].ctas; cta++)
        for (uint32_t warp = 0; warp < walk_warps(w, launch, 32); warp++)
            walk_warp(w, (struct walk_place){launch, cta, warp}, mark_op, &s);
    return s.m;
}

TEST(test_only_stores_change)
{
    for (uint32_t k = 0; k < KERNELS; k++) {
        struct fixture f = values_of(small[k].name, small[k].size);

        for (uint32_t l = 0; l < f.w->launch_count; l++) {
            struct memory stored = stores_of(f.w, l), before = look(&f, false, PAGE), after = look(&f, true, PAGE);
            uint64_t changed = 0;

            for (uint64_t i = 0; i < stored.bytes; i++) {
                changed += before.byte[i] != after.byte[i];
                if (before.byte[i] != after.byte[i] && !stored.byte[i])
                    fail_msg("%s, launch %u: byte %llu changes, though nobody stores it", f.kernel, l,
                             (unsigned long long)i);
            }
            assert_true(changed > 0);
            mh_values_finish(f.v, l + 1);
            free(stored.byte);
            free(before.byte);
            free(after.byte);
        }
        values_end(&f);
    }
}

TEST(test_kernels_without_values)
{
    LOCAL_WORKLOAD(w) = walk_make("RED", 65536, 1, 32);
    struct mh_error err;

    assert_true(mh_values_known("mvt", NULL) && mh_values_known("SAD@cuda", NULL));
    assert_false(mh_values_known("RED", w) || mh_values_known("trace:x", NULL));
    assert_null(mh_values_create("RED", w, &err));
    assert_non_null(strstr(err.text, "RED: its values are not known; known are those of MVT, ATAX"));
}

/* Between and behind buffers there is nothing. */
TEST(test_outside_of_buffers)
{
    struct fixture f = values_of("MVT", 60);
    uint8_t byte[256];

    memset(byte, 0xa5, sizeof byte);
    mh_values_read(f.v, false, f.g->base[4] + 60 * sizeof(float), byte, sizeof byte);
    for (uint32_t i = 0; i < sizeof byte; i++)
        assert_int_equal(byte[i], 0);
    values_end(&f);
}
