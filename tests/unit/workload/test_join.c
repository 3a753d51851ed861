/* JOIN against a table that is filled here, key by key, with linear probing. */
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { KEYS, PAYLOADS, PROBE_KEYS, PROBE_PAYLOADS, TABLE, SUMS, BUFFERS };
enum { GRID = 216 * 128 };

static const uint64_t factor = 11400714819323198485u;

/* What the table should be, and where each lane of the warp stands. */
struct follow {
    const struct mh_workload *w;
    uint64_t base[BUFFERS], n, entries;
    uint8_t *taken;   /* by entry */
    uint8_t *stored;  /* by entry: while it is built */
    uint32_t *starts; /* by entry: threads that begin there, less keys that hash to it */
    uint64_t at[64], before, behind, tuples, sums;
    bool found[64], looked[64];
};

static uint64_t home(const struct follow *f, uint64_t key)
{
    return (uint64_t)((unsigned __int128)(key * factor) * f->entries >> 64);
}

static void fill_table(struct follow *f)
{
    f->entries = 2;
    while (f->entries / 2 < f->n)
        f->entries *= 2;
    f->taken = calloc(f->entries, 1);
    f->stored = calloc(f->entries, 1);
    f->starts = calloc(f->entries, sizeof *f->starts);
    for (uint64_t key = 0; key < f->n; key++) {
        uint64_t e = home(f, key);

        f->starts[e]--;
        while (f->taken[e])
            e = (e + 1) % f->entries;
        f->taken[e] = 1;
    }
}

/* Columns are in order of allocation; where the others lie among them depends on their sizes. */
static void find_buffers(struct follow *f)
{
    uint32_t column = KEYS;

    assert_int_equal(f->w->buffer_count, BUFFERS);
    for (uint32_t b = 0; b < BUFFERS; b++) {
        const struct mh_buffer *buffer = &f->w->buffers[b];

        if (buffer->bytes == 16 * f->entries)
            f->base[TABLE] = buffer->base;
        else if (buffer->bytes == 8 * GRID)
            f->base[SUMS] = buffer->base;
        else
            f->base[column++] = buffer->base;
    }
    assert_int_equal(column, TABLE);
}

static void begin(struct follow *f, const char *spec, uint64_t n)
{
    f->n = n;
    f->w = walk_make(spec, n, 9, 32);
    fill_table(f);
    find_buffers(f);
}

static void end(struct follow *f)
{
    f->w->destroy((struct mh_workload *)(uintptr_t)f->w);
    free(f->taken);
    free(f->stored);
    free(f->starts);
}

static uint64_t entry_at(const struct follow *f, uint64_t address, uint64_t offset)
{
    assert_int_equal((address - f->base[TABLE] - offset) % 16, 0);
    assert_in_range(address, f->base[TABLE], f->base[TABLE] + 16 * f->entries - 1);
    return (address - f->base[TABLE] - offset) / 16;
}

/* Columns are read side by side, a warp's lanes from its first thread's tuple on. */
static void check_column(struct follow *f, struct walk_place at, const struct mh_op *op, uint64_t base)
{
    const uint64_t tuple = (op->base - base) / 8, left = f->n - tuple;

    assert_true(!op->list && op->stride == 8 && op->bytes == 8);
    assert_int_equal(tuple % GRID, at.cta * 128 + at.warp * 32);
    assert_true(op->mask == (left < 32 ? (1u << left) - 1 : UINT32_MAX));
}

static void build_entry(struct follow *f, const struct mh_op *op, unsigned lane, uint64_t address)
{
    if (op->kind == MH_OP_ATOMIC) {
        const uint64_t e = entry_at(f, address, 0);

        if (f->looked[lane])
            assert_int_equal(e, (f->at[lane] + 1) % f->entries);
        else
            f->starts[e]++;
        assert_int_equal(f->taken[e], 1);
        f->looked[lane] = true;
        f->at[lane] = e;
        return;
    }
    assert_int_equal(op->kind, MH_OP_STORE);
    assert_int_equal(entry_at(f, address, 8), f->at[lane]);
    assert_int_equal(f->stored[f->at[lane]]++, 0);
    f->looked[lane] = false;
}

static void follow_build(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct follow *f = ctx;

    if (at.launch || !mh_op_is_memory(op))
        return;
    if (op->pc <= 2)
        check_column(f, at, op, f->base[op->pc == 1 ? KEYS : PAYLOADS]);
    if (op->pc == 1)
        f->tuples += (uint64_t)__builtin_popcountll(op->mask);
    for (uint64_t m = op->pc > 2 ? op->mask : 0; m; m &= m - 1)
        build_entry(f, op, (unsigned)__builtin_ctzll(m), addr[__builtin_ctzll(m)]);
}

/* All keys come once, from where they hash to; what they store is the table of any order of insertion. */
static void check_build(const char *spec, uint64_t n)
{
    struct follow f = {.n = 0};

    begin(&f, spec, n);
    walk_all(f.w, 32, follow_build, &f);
    assert_int_equal(f.tuples, n);
    for (uint64_t e = 0; e < f.entries; e++) {
        assert_int_equal(f.stored[e], f.taken[e]);
        assert_int_equal(f.starts[e], 0);
    }
    end(&f);
}

TEST(test_build)
{
    static const uint64_t sizes[] = {16, 17, 100, 255, 256, 257, 377, 378, 1000, 1024, 20000, 40000, 131072};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_build("JOIN", sizes[i]);
}

/* From the home on, all taken; one behind the other, up to the first that is not. */
static void probe_entry(struct follow *f, const struct mh_op *op, unsigned lane, uint64_t address)
{
    const uint64_t e = entry_at(f, address, 0);

    assert_int_equal(op->bytes, 16);
    if (f->looked[lane]) {
        assert_int_equal(e, (f->at[lane] + 1) % f->entries);
        assert_int_equal(f->taken[f->at[lane]], 1);
    }
    f->looked[lane] = true;
    f->at[lane] = e;
    f->before += op->pc == 6;
    f->behind += op->pc == 10;
}

static void check_end_of_tuples(struct follow *f)
{
    for (unsigned lane = 0; lane < 32; lane++) {
        assert_true(!f->looked[lane] || !f->taken[f->at[lane]]);
        f->looked[lane] = false;
    }
}

static void follow_probe(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct follow *f = ctx;

    if (!at.launch)
        return;
    if (op->kind == MH_OP_EXIT || op->pc == 5)
        check_end_of_tuples(f);
    if (!mh_op_is_memory(op))
        return;
    if (op->pc == 5 || op->pc == 7)
        check_column(f, at, op, f->base[op->pc == 5 ? PROBE_KEYS : PROBE_PAYLOADS]);
    if (op->pc == 8 || op->pc == 9)
        assert_true(op->base == f->base[SUMS] + (at.cta * 128 + at.warp * 32) * 8);
    f->tuples += op->pc == 7 ? (uint64_t)__builtin_popcountll(op->mask) : 0;
    f->sums += op->kind == MH_OP_STORE ? (uint64_t)__builtin_popcountll(op->mask) : 0;
    for (uint64_t m = op->pc == 6 || op->pc == 10 ? op->mask : 0; m; m &= m - 1)
        probe_entry(f, op, (unsigned)__builtin_ctzll(m), addr[__builtin_ctzll(m)]);
}

/* `more`: entries that a probe reads for each tuple beyond its key's, in thousandths, at most. */
static void check_probe(const char *spec, uint64_t n, uint64_t more)
{
    struct follow f = {.n = 0};

    begin(&f, spec, n);
    walk_all(f.w, 32, follow_probe, &f);
    assert_true(f.tuples == n && f.sums == n);
    assert_in_range(f.before, n, n + n / 100);
    assert_in_range(f.behind, n, n + n * more / 1000);
    end(&f);
}

TEST(test_probe)
{
    static const uint64_t sizes[] = {16, 100, 256, 257, 378, 1000, 1024, 20000, 40000, 131072};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_probe("JOIN", sizes[i], 500);
    check_probe("JOIN@zipf", 40000, 1000);
}

/* The same program with 64 lanes: as many warps, each with twice the threads. */
TEST(test_shape)
{
    LOCAL_WORKLOAD(w) = walk_make("JOIN", 1000, 1, 64);

    assert_int_equal(w->launch_count, 2);
    for (int l = 0; l < 2; l++)
        assert_true(w->launches[l].ctas == 216 && w->launches[l].threads == 256);
}
