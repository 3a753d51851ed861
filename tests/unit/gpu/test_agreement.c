/* The comparison behind validate_kernels: what is equal deviates by nothing, and every kind of difference is seen. */
#include "unit/test.h"
#include "agreement.h"

static struct mh_error err;

enum { LANES = 32, N = 64 };

/* ATAX 64 x 64: one CTA of 256 threads, two warps of which have work; pcs 2-5 in launch 0, 7-10 in launch 1. */
enum { COLUMN_A = 8, COLUMN_VECTOR = 9, COLUMN_STORE = 10 };
static const uint64_t grid[] = {1, 1};

/* ATAX with one instruction changed. */
struct mutant {
    struct mh_workload w;
    const struct mh_workload *atax;
    void (*change)(struct mh_op *op);
    uint32_t pc;   /* 0: all */
    uint64_t drop; /* of a warp's executions of pc, every drop-th does not happen; 0 = all do */
};

static void mutant_next(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    const struct mutant *m = (const struct mutant *)w;

    do
        m->atax->next(m->atax, c, op, addr);
    while (m->drop && op->kind != MH_OP_EXIT && op->pc == m->pc && c->v[0] % m->drop == m->drop - 1);
    if (m->change && op->kind != MH_OP_EXIT && (!m->pc || op->pc == m->pc))
        m->change(op);
}

static void mutant_start(const struct mh_workload *w, struct mh_cursor *c)
{
    const struct mutant *m = (const struct mutant *)w;

    m->atax->start(m->atax, c);
}

static struct mh_workload *atax(uint64_t size)
{
    struct mh_workload *w = mh_workload_create("ATAX", size, 1, LANES, &err);

    assert_good(w, err);
    return w;
}

/* ATAX as it is against the mutant. */
static struct agreement_function *compare(struct agreement *a, struct mutant m)
{
    struct mh_workload *w = atax(N);

    m.atax = w;
    m.w = *w;
    m.w.start = mutant_start;
    m.w.next = mutant_next;
    assert_good(!agreement_collect(a, w, grid, &m.w, 0, LANES, &err), err);
    w->destroy(w);
    assert_int_equal(a->count, 2);
    return &a->function[1];
}

static void expect(struct mutant m, double lanes, double lines, double pages, double footprint, double mix)
{
    static struct agreement a;
    const struct agreement_function *f = compare(&a, m);
    struct agreement_deviation d;

    assert_int_equal(agreement_paired(f, &err), 0);
    d = agreement_of_function(f);
    assert_float_equal(d.lanes, lanes, 1e-3);
    assert_float_equal(d.lines, lines, 1e-3);
    assert_float_equal(d.pages, pages, 1e-3);
    assert_float_equal(d.footprint, footprint, 1e-3);
    assert_float_equal(d.mix, mix, 1e-3);
    assert_true(agreement_worst(agreement_of_function(&a.function[0])) == 0);
}

static void expect_unpaired(struct mutant m, const char *text)
{
    static struct agreement a;
    const struct agreement_function *f = compare(&a, m);

    assert_int_equal(agreement_paired(f, &err), -1);
    assert_string_equal(err.text, text);
}

TEST(test_equal)
{
    static struct agreement a;
    const struct agreement_function *f = compare(&a, (struct mutant){.pc = 0});

    assert_int_equal(f->launches, 1);
    assert_int_equal(f->ctas, 1);
    assert_int_equal(f->recorded.count, 4);
    assert_int_equal(f->recorded.pc[1].pc, COLUMN_A);
    assert_int_equal(f->recorded.pc[1].sums.ops, 2 * N);
    expect((struct mutant){.pc = 0}, 0, 0, 0, 0, 0);
    assert_int_equal(f->recorded.pc[1].footprint, N * N * 4 / 128);
}

static void twice_apart(struct mh_op *op)
{
    op->stride *= 2;
}

static void pages_apart(struct mh_op *op)
{
    op->stride = 4096;
}

static void half_masked(struct mh_op *op)
{
    op->mask &= 0xffff;
}

static void later_lanes(struct mh_op *op)
{
    op->mask &= ~1ull;
}

/*
 * A warp's column access is 128 aligned bytes: 32 lanes, a line, a page. Twice as wide, the second warp's reaches into
 * the next row, which is the next page in one row of 16: 4 of 128; of all lines that is one more than 128. Lanes a page
 * apart touch all lines from that of lane 0 in the first row to that of lane 31 in the last: 2 x 63 + 1 + 32 x 31 + 1.
 */
TEST(test_deviations)
{
    expect((struct mutant){.change = twice_apart, .pc = COLUMN_A}, 0, 100, 3.125, 100 / 128.0, 0);
    expect((struct mutant){.change = pages_apart, .pc = COLUMN_A}, 0, 3100, 3100, 775, 0);
    expect((struct mutant){.change = half_masked, .pc = COLUMN_STORE}, 50, 0, 0, 0, 0);
    expect((struct mutant){.change = later_lanes, .pc = COLUMN_STORE}, 3.125, 0, 0, 0, 0);
}

static void next_row(struct mh_op *op)
{
    op->base += N * 4;
}

static void expect_elsewhere(struct mutant m, uint32_t first, uint32_t second)
{
    static struct agreement a;

    compare(&a, m);
    assert_int_equal(agreement_elsewhere(&a.function[0]), first);
    assert_int_equal(agreement_elsewhere(&a.function[1]), second);
}

/* The addresses themselves: a wrong row has as many lines and pages. */
TEST(test_elsewhere)
{
    expect((struct mutant){.change = next_row, .pc = COLUMN_VECTOR}, 0, 0, 0, 0, 0);
    expect_elsewhere((struct mutant){.change = next_row, .pc = COLUMN_VECTOR}, 0, 1);
    expect_elsewhere((struct mutant){.change = later_lanes, .pc = COLUMN_A}, 0, 1);
    /* Both workloads may lie anywhere. */
    expect_elsewhere((struct mutant){.change = next_row}, 0, 0);
}

TEST(test_mix)
{
    expect((struct mutant){.pc = COLUMN_VECTOR, .drop = 2}, 0, 0, 0, 0, 50);
    /* A quarter fewer stores are a third more loads per store. */
    expect((struct mutant){.pc = COLUMN_STORE, .drop = 4}, 0, 0, 0, 0, 100 / 3.0);
}

static void one_more(struct mh_op *op)
{
    op->gap++;
}

/* One instruction before the store becomes two. */
TEST(test_gap)
{
    static struct agreement a;
    const struct agreement_function *f = compare(&a, (struct mutant){.change = one_more, .pc = COLUMN_STORE});

    assert_float_equal(agreement_of_function(f).gap, 100, 1e-3);
    assert_true(agreement_worst(agreement_of_function(f)) == agreement_of_function(f).gap);
    assert_true(agreement_worst_access(agreement_of_function(f)) == 0);
    assert_true(agreement_of_function(&a.function[0]).gap == 0);
}

static void to_store(struct mh_op *op)
{
    op->kind = MH_OP_STORE;
}

static void to_double(struct mh_op *op)
{
    op->bytes = 8;
}

TEST(test_unpaired)
{
    expect_unpaired((struct mutant){.change = to_store, .pc = COLUMN_A},
                    "recorded pc 8 is a load of 4 bytes, generated pc 8 a store of 4");
    expect_unpaired((struct mutant){.change = to_double, .pc = COLUMN_STORE},
                    "recorded pc 10 is a store of 4 bytes, generated pc 10 a store of 8");
    expect_unpaired((struct mutant){.pc = COLUMN_STORE, .drop = 1}, "recorded pc 10 has no partner");
}

static void expect_refused(const struct mh_workload *recorded, const struct mh_workload *generated, uint32_t skip,
                           const char *text)
{
    static struct agreement a;

    assert_int_equal(agreement_collect(&a, recorded, grid, generated, skip, LANES, &err), -1);
    assert_string_equal(err.text, text);
}

TEST(test_launches)
{
    struct mh_workload *a = atax(N), *larger = atax(512), *mm;

    mm = mh_workload_create("MM", N, 1, LANES, &err);
    assert_non_null(mm);
    expect_refused(a, larger, 0, "atax_kernel1: recorded 1 CTAs of 256 threads, generated 2 of 256");
    expect_refused(a, a, 1, "atax_kernel1: launch 1 of that name is not generated");
    expect_refused(a, mm, 0, "atax_kernel1: launch 0 of that name is not generated");
    a->destroy(a);
    larger->destroy(larger);
    mm->destroy(mm);
}
