/* Which loads the ops of a trace need, and when: uses from NAME.pcs.json, the numbers of GMT2, registers. By hand. */
#include <unistd.h>
#include "unit/test.h"
#include "unit/workload_walk.h"
#include "workload/trace/trace.h"
#include "workload/trace/traceg.h"

TEST(test_newest_load_counts)
{
    struct mh_trace_need n = {.issued = 3};
    struct mh_op op = {.gap = 10};
    mh_need_load(&n, 2, 4);
    mh_need_load(&n, 1, 5); /* comes before load 2 */
    mh_need_load(&n, 2, 6); /* is there by then */
    mh_need_take(&n, &op);
    assert_int_equal(mh_op_needs(&op), MH_NEEDS(2, 4));
    mh_need_load(&n, 2, 0);
    mh_need_load(&n, 0, 0);
    mh_need_take(&n, &op);
    assert_int_equal(mh_op_needs(&op), 0);
    mh_need_load(&n, 3, 10); /* the op itself */
    mh_need_take(&n, &op);
    assert_int_equal(mh_op_needs(&op), MH_NEEDS(1, 10));
}

/* Of more newer loads than can be said, the op waits for some; what it waited for is not waited for again. */
TEST(test_limits)
{
    struct mh_trace_need n = {.issued = 20};
    struct mh_op op = {.gap = 100000};
    mh_need_load(&n, 5, 99999);
    mh_need_take(&n, &op);
    assert_int_equal(mh_op_needs(&op), MH_NEEDS(MH_WAIT_MAX, UINT16_MAX));
    mh_need_load(&n, 13, 0);
    mh_need_take(&n, &op);
    assert_int_equal(mh_op_needs(&op), 0);
    mh_need_load(&n, 14, 0);
    mh_need_take(&n, &op);
    assert_int_equal(mh_op_needs(&op), MH_NEEDS(7, 0));
}

static void load(struct mh_traceg_deps *d, uint32_t dest, uint32_t bytes)
{
    struct mh_traceg_inst inst = {.opcode = "LDG.E", .dest_count = 1, .dest = {(uint8_t)dest}};
    mh_traceg_loaded(d, &inst, MH_SASS_LOAD, bytes);
}

static void use(struct mh_traceg_deps *d, uint32_t source, uint32_t ahead)
{
    struct mh_traceg_inst inst = {.opcode = "FADD", .source_count = 1, .source = {(uint8_t)source}};
    mh_traceg_use(d, &inst, MH_SASS_OTHER, 4, ahead);
}

static uint32_t needs(struct mh_traceg_deps *d, uint32_t gap)
{
    struct mh_op op = {.gap = gap};
    mh_need_take(&d->need, &op);
    return mh_op_needs(&op);
}

TEST(test_registers)
{
    struct mh_traceg_deps d = {.groups = 0};
    load(&d, 4, 4);
    load(&d, 8, 16); /* R8 to R11 */
    load(&d, 4, 4);  /* R4 again */
    use(&d, 12, 0);
    use(&d, 11, 3);
    assert_int_equal(needs(&d, 5), MH_NEEDS(2, 3));
    use(&d, 8, 0);
    use(&d, 4, 2);
    assert_int_equal(needs(&d, 5), MH_NEEDS(1, 2));
    use(&d, 4, 0);
    assert_int_equal(needs(&d, 5), 0);
}

static void depbar(struct mh_traceg_deps *d, int64_t left)
{
    struct mh_traceg_inst inst = {.opcode = "DEPBAR.LE", .immediate = left};
    mh_traceg_use(d, &inst, MH_SASS_DEPBAR, 4, 0);
}

static void group(struct mh_traceg_deps *d, uint32_t copies)
{
    const struct mh_traceg_inst inst = {.opcode = "LDGSTS"};
    for (uint32_t i = 0; i < copies; i++)
        mh_traceg_loaded(d, &inst, MH_SASS_ASYNC, 4);
    mh_traceg_use(d, &inst, MH_SASS_ASYNC_GROUP, 4, 0);
}

/* Three groups of two copies and one that is open: all but the newest so many groups, and never the open one. */
TEST(test_groups)
{
    for (int64_t left = 0; left < 4; left++) {
        struct mh_traceg_deps d = {.groups = 0};
        for (uint32_t i = 0; i < 3; i++)
            group(&d, 2);
        mh_traceg_loaded(&d, &(struct mh_traceg_inst){.opcode = "LDGSTS"}, MH_SASS_ASYNC, 4);
        depbar(&d, left);
        assert_int_equal(needs(&d, 0), left < 3 ? MH_NEEDS(2 + 2 * left, 0) : 0);
    }
    struct mh_traceg_deps d = {.groups = 0};
    for (uint32_t i = 0; i < 20; i++)
        group(&d, 1);
    depbar(&d, 19); /* of group 1 nothing is known any more: group 13 stands for it */
    assert_int_equal(needs(&d, 0), MH_NEEDS(8, 0));
    depbar(&d, -1);
    assert_int_equal(needs(&d, 0), MH_NEEDS(1, 0));
}

static struct mh_workload *open_good(const char *path)
{
    struct mh_error err;
    struct mh_workload *w = mh_trace_open(path, (struct mh_trace_how){0}, &err);
    assert_good(w, err);
    return w;
}

/* The first ops of a warp of the first CTA. */
static void check_first(const char *path, uint32_t warp, const uint32_t *want, uint32_t count)
{
    LOCAL_WORKLOAD(w) = open_good(path);
    struct mh_cursor c = {.warp = warp};
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;
    assert_true(mh_trace_about(w)->dependences);
    w->start(w, &c);
    for (uint32_t i = 0; i < count; i++) {
        w->next(w, &c, &op, addr);
        assert_int_equal(mh_op_needs(&op), want[i]);
    }
}

TEST(test_recorded_uses)
{
    /* Loads used 3 and 1 instructions behind them; gaps of 5 before the second, 3 before the barrier. */
    check_first(TEST_DATA "rod_hotspot.w64.gmt.zst", 0, (uint32_t[]){0, MH_NEEDS(1, 3), MH_NEEDS(1, 1), 0}, 4);
    /*
     * Uses 5, 0, 0, .. behind, gaps 20, 3, 6, 5, ..: the first load is used 5 - 3 - 1 = 1 into the gap of 6, after the
     * second one, which is used at once. Warp 0 is at the edge and does nothing.
     */
    check_first(TEST_DATA "pb_2dconv.w32.gmt.zst", 1, (uint32_t[]){0, 0, MH_NEEDS(1, 0), MH_NEEDS(1, 0)}, 4);
    /* Eight loads without a use between them, the last one first used 26 behind it. */
    check_first(TEST_DATA "shoc_fft.w64.gmt.zst", 0, (uint32_t[]){0, 0, 0, 0, 0, 0, 0, 0, MH_NEEDS(1, 26), 0}, 10);
}

struct waits {
    uint64_t wrong, all;
    bool after_load;
};

static void check_wait(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct waits *x = ctx;
    (void)at, (void)addr;
    x->wrong += mh_op_needs(op) != x->after_load;
    x->all += op->wait;
    x->after_load = op->kind == MH_OP_LOAD;
}

/* Without .pcs.json, as a trace in memory, every op after a load waits for it. */
TEST(test_unknown_uses)
{
    static uint8_t data[1 << 20];
    FILE *f = fopen(TEST_DATA "rod_nw.w64.gmt.zst", "rb");
    struct waits x = {0};
    struct mh_error err;
    assert_non_null(f);
    size_t size = fread(data, 1, sizeof data, f);
    fclose(f);
    LOCAL_WORKLOAD(w) = mh_trace_parse(data, size, "nw", (struct mh_trace_how){.lanes = 64}, &err);
    assert_non_null(w);
    assert_false(mh_trace_about(w)->dependences);
    walk_all(w, 64, check_wait, &x);
    assert_true(x.wrong == 0 && x.all > 10000);
}

static void spit(const char *path, const char *text, size_t size)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    fclose(f);
}

/* One warp of 32 lanes with two loads at pc 1 and 2 and a barrier, gaps 1, 4 and 6. */
static const char gmt1[] = "GMT1 warp=32\nL\001a\001\001\001\040\001\001\001\001\200\040\200\010C\000\001W\000\003"
                           "\040\001\001\200\100\010\040\004\002\200\100\010\003\006\003E";

/* Its needs with `uses` as its .pcs.json; or the error. */
static void with_uses(const char *uses, const uint32_t *want, const char *error)
{
    char trace[256], json[256];
    const char *folder = getenv("TMPDIR");
    struct mh_error err = {{0}};
    snprintf(trace, sizeof trace, "%s/test_needs.%d.w32.gmt", folder ? folder : P_tmpdir, (int)getpid());
    snprintf(json, sizeof json, "%s/test_needs.%d.pcs.json", folder ? folder : P_tmpdir, (int)getpid());
    spit(trace, gmt1, sizeof gmt1 - 1);
    spit(json, uses, strlen(uses));
    if (want) {
        check_first(trace, 0, want, 4);
    } else {
        assert_null(mh_trace_open(trace, (struct mh_trace_how){.lanes = 32}, &err));
        assert_non_null(strstr(err.text, json));
        assert_has(err.text, error);
    }
    unlink(trace);
    unlink(json);
}

TEST(test_columns)
{
    with_uses("[{\"pc\":1,\"use\":7},{\"pc\":2,\"use\":-1}]", (uint32_t[]){0, 0, MH_NEEDS(2, 2), 0}, NULL);
    with_uses("[{\"pc\":2,\"use\":6},{\"pc\":1,\"use\":4}]", (uint32_t[]){0, MH_NEEDS(1, 4), MH_NEEDS(1, 6), 0}, NULL);
    with_uses("[{\"pc\":1,\"use\":-5}]", (uint32_t[]){0, MH_NEEDS(1, 3), MH_NEEDS(1, 0), 0}, NULL); /* 2 is unknown */
    with_uses("[{\"pc\":1,\"use\":99},{\"pc\":2,\"use\":7}]", (uint32_t[]){0, 0, 0, MH_NEEDS(1, 0)}, NULL);
    with_uses("{}", NULL, "expected a list");
    with_uses("[{\"pc\":1,\"use\":7},{\"pc\":0,\"use\":7}]", NULL, "entry 1: expected whole numbers");
    with_uses("[{\"pc\":1}]", NULL, "entry 0: expected");
    with_uses("[{\"pc\":1,\"use\":7},{\"pc\":1,\"use\":7}]", NULL, "'pc' 1 is there twice");
    with_uses("[", NULL, ":1: ");
}

/* The warp as GMT2, no registers, no shared memory; the barrier's need is the number at the end of its record. */
static struct mh_workload *gmt2(unsigned need, unsigned at_end, struct mh_error *err)
{
    char text[] = "GMT2.2 warp=32\nL\001a\001\001\001\040\001\001\000\000\001\001\200\040\200\010C\000\001W\000\003"
                  "\040\001\001\200\100\010\040\004\002\200\100\010\203\006\003\000\005\000E";
    text[sizeof text - 5] = (char)need;
    text[sizeof text - 3] = (char)at_end;
    return mh_trace_parse(text, sizeof text - 1, "two", (struct mh_trace_how){.lanes = 32}, err);
}

TEST(test_gmt2)
{
    struct mh_error err;
    struct mh_workload *w = gmt2(MH_NEEDS(2, 6), MH_NEEDS(1, 5), &err);
    static const uint32_t want[] = {0, 0, MH_NEEDS(2, 6), MH_NEEDS(1, 5)};
    struct mh_cursor c = {.warp = 0};
    uint64_t addr[MH_MAX_LANES];
    struct mh_op op;
    assert_good(w, err);
    w->start(w, &c);
    for (uint32_t i = 0; i < 4; i++) {
        w->next(w, &c, &op, addr);
        assert_int_equal(mh_op_needs(&op), want[i]);
    }
    w->destroy(w);
    static const unsigned bad[][2] = {
        {0, 0}, {MH_NEEDS(0, 1), 0}, {MH_NEEDS(9, 0), 0}, {MH_NEEDS(1, 7), 0}, {1, MH_NEEDS(1, 6)}};
    for (uint32_t i = 0; i < 5; i++) {
        assert_null(gmt2(bad[i][0], bad[i][1], &err));
        assert_non_null(strstr(err.text, "which loads are needed"));
    }
}

/* Files of another memhelm: the file, what it has, what is wanted, what to do. */
TEST(test_gmt2_versions)
{
    static const struct {
        const char *line, *found;
    } rows[] = {
        {"GMT2 warp=32\nE", "found none"}, {"GMT2.1 warp=32\nE", "found 1"}, {"GMT2.13 warp=32\nE", "found 13"}};
    struct mh_error err;
    for (uint32_t i = 0; i < 3; i++) {
        assert_null(
            mh_trace_parse(rows[i].line, strlen(rows[i].line), "old.gmt", (struct mh_trace_how){.lanes = 32}, &err));
        assert_non_null(strstr(err.text, "old.gmt: offset 4: expected version 2 "));
        assert_non_null(strstr(err.text, rows[i].found));
        assert_non_null(strstr(err.text, "'memhelm trace convert --full'"));
    }
    static const char *const lines[] = {"GMT2x2 warp=32\nE", "GMT2. warp=32\nE", "GMT2.2222 warp=32\nE",
                                        "GMT1.2 warp=32\nE"};
    for (uint32_t i = 0; i < 4; i++)
        assert_null(mh_trace_parse(lines[i], strlen(lines[i]), "bad.gmt", (struct mh_trace_how){.lanes = 32}, &err));
}
