/* Accel-Sim's traces: exact ops of small hand-written files, in each address mode and version; conversion to GMT. */
#include <sys/wait.h>
#include <unistd.h>
#include "unit/test.h"
#include "trace_fixture.h"
#include "workload/trace/trace.h"

static struct mh_error err;

#define TRACEG TEST_DATA "traceg/"

/* Where the five regions of the list go: 0x7f0000000000, 0x7f0000200000, ..400000, ..a00000, 0x7f0001400000, .. */
#define REGION(n) (((uint64_t)4 << 30) + ((uint64_t)(n) << 21))

static struct mh_workload *open_good(const char *path, uint32_t lanes)
{
    struct mh_workload *w = mh_trace_open(path, (struct mh_trace_how){.lanes = lanes}, &err);

    assert_good(w, err);
    return w;
}

struct place {
    const struct mh_workload *w;
    struct mh_cursor c;
    struct mh_op op;
    uint64_t addr[MH_MAX_LANES];
};

static struct place at(const struct mh_workload *w, uint32_t launch, uint32_t cta, uint32_t warp)
{
    struct place p = {.w = w, .c = {.launch = launch, .cta = cta, .warp = warp}};

    w->start(w, &p.c);
    return p;
}

/* The next op has these. */
static void expect(struct place *p, unsigned kind, uint32_t gap, uint32_t needs)
{
    p->w->next(p->w, &p->c, &p->op, p->addr);
    assert_int_equal(p->op.kind, kind);
    assert_int_equal(p->op.gap, gap);
    assert_int_equal(mh_op_needs(&p->op), needs);
}

static void expect_strided(struct place *p, unsigned bytes, uint32_t pc, uint64_t mask, uint64_t base, int64_t stride)
{
    assert_false(p->op.list);
    assert_int_equal(p->op.bytes, bytes);
    assert_int_equal(p->op.pc, pc);
    assert_int_equal(p->op.mask, mask);
    assert_int_equal(p->op.base, base);
    assert_int_equal(p->op.stride, stride);
}

static void expect_list(struct place *p, unsigned bytes, uint32_t pc, const uint64_t addr[4])
{
    assert_true(p->op.list);
    assert_int_equal(p->op.bytes, bytes);
    assert_int_equal(p->op.pc, pc);
    assert_int_equal(p->op.mask, 0xf);
    for (int i = 0; i < 4; i++)
        assert_int_equal(p->addr[i], addr[i]);
}

TEST(test_version_3)
{
    static const uint64_t list[] = {REGION(3), REGION(3) + 0x10, REGION(0) + 0x200, REGION(3) + 0x1ff8};
    struct mh_workload *w = open_good(TRACEG "kernelslist.g", 32);
    struct place p = at(w, 0, 0, 0);

    expect(&p, MH_OP_LOAD, 2, false);
    expect_strided(&p, 4, 1, 0xffffffff, REGION(0) + 0x100, 4);
    expect(&p, MH_OP_LOAD, 0, false); /* R2, its address, was not loaded */
    expect_list(&p, 8, 2, list);
    expect(&p, MH_OP_BARRIER, 2, MH_NEEDS(2, 0)); /* the addition in the gap reads R4, not the newest load's R6 */
    assert_int_equal(p.op.mask, 0xffffffff);
    expect(&p, MH_OP_STORE, 0, false);
    expect_strided(&p, 4, 4, 0x00ff00ff, REGION(0) + 0x100, 4);
    expect(&p, MH_OP_EXIT, 0, false);
    expect(&p, MH_OP_EXIT, 0, false);
    p = at(w, 0, 0, 1);
    expect(&p, MH_OP_LOAD, 1, false);
    expect_strided(&p, 4, 1, 0xff, REGION(0) + 0x180, -4);
    expect(&p, MH_OP_BARRIER, 0, false);
    expect(&p, MH_OP_EXIT, 0, false);
    p = at(w, 0, 1, 0);
    expect(&p, MH_OP_EXIT, 0, false);
    p = at(w, 0, 1, 1);
    expect(&p, MH_OP_EXIT, 1, false); /* a store that is predicated off */
    w->destroy(w);
}

TEST(test_version_4)
{
    struct mh_workload *w = open_good(TRACEG "kernelslist.g", 32);
    struct place p = at(w, 1, 0, 0);

    expect(&p, MH_OP_ATOMIC, 0, false);
    expect_strided(&p, 4, 5, 1, REGION(2) + 8, 0);
    expect(&p, MH_OP_ATOMIC, 0, false);
    expect_strided(&p, 8, 6, 3, REGION(2) + 0x10, 8);
    expect(&p, MH_OP_LOAD, 2, false); /* behind generic accesses to shared and local memory */
    expect_strided(&p, 1, 7, 0xf, REGION(0), 1);
    expect(&p, MH_OP_STORE, 0, true); /* stores R12 */
    expect_strided(&p, 4, 8, 0xf, REGION(0), 4);
    expect(&p, MH_OP_LOAD, 0, false);
    expect_strided(&p, 16, 9, 0xffffffff, REGION(2) + 0x2000, 16);
    expect(&p, MH_OP_BARRIER, 2, MH_NEEDS(1, 1)); /* DEPBAR, behind LDGDEPBAR, waits for the group of LDGSTS */
    expect(&p, MH_OP_EXIT, 2, false);             /* LDL and BAR.ARV */
    p = at(w, 1, 1, 0);
    expect(&p, MH_OP_LOAD, 0, false);
    expect_strided(&p, 16, 11, 0xffffffff, REGION(2) + 0x2000, 16);
    expect(&p, MH_OP_LOAD, 0, false);
    expect_strided(&p, 4, 12, 0xffffffff, REGION(2) + 0x2000, 0);
    expect(&p, MH_OP_EXIT, 1, MH_NEEDS(2, 0)); /* R23 is the fourth register of the first load */
    assert_int_equal(mh_trace_cta_number(w, 1, 0), 1);
    assert_int_equal(mh_trace_cta_number(w, 1, 1), 3);
    w->destroy(w);
}

TEST(test_version_5)
{
    static const uint64_t list[] = {REGION(0), REGION(3), REGION(4), REGION(5)};
    struct mh_workload *w = open_good(TRACEG "kernelslist.g", 32);
    struct place p = at(w, 2, 0, 0);

    expect(&p, MH_OP_LOAD, 0, false);
    expect_strided(&p, 4, 1, 0xffffffff, REGION(0) + 0x100, 4); /* the instruction of kernel 1 */
    expect(&p, MH_OP_LOAD, 0, false);
    expect_strided(&p, 16, 13, 0xffffffff, REGION(0) + 0x100, 16);
    expect(&p, MH_OP_STORE, 0, true); /* R5 to R8, of which R5 to R7 and R8 were loaded */
    expect_strided(&p, 16, 14, 0xffffffff, REGION(1), -16);
    expect(&p, MH_OP_LOAD, 0, false);
    expect_list(&p, 4, 15, list); /* a stride over regions that are not there is a stride no more */
    expect(&p, MH_OP_EXIT, 2, false);
    w->destroy(w);
}

TEST(test_list)
{
    static const struct mh_buffer buffers[] = {
        {REGION(0), 0x1000}, {REGION(1) - 0x1000, 0x2000}, {REGION(2), 0x1000}, {REGION(2) + 0x2000, 0x1000},
        {REGION(3), 0x2000}, {REGION(4), 0x1000},          {REGION(5), 0x1000},
    };
    struct mh_workload *w = open_good(TRACEG "kernelslist.g", 32);
    const struct mh_trace_about *a = mh_trace_about(w);

    assert_int_equal(w->launch_count, 3);
    assert_string_equal(w->launches[0].name, "_Z3axpyPfS_i");
    assert_true(w->launches[0].ctas == 2 && w->launches[0].threads == 40);
    assert_true(w->launches[1].ctas == 2 && w->launches[1].threads == 32);
    assert_true(w->launches[1].registers == 40 && w->launches[1].shared_bytes == 2048);
    assert_true(w->launches[2].ctas == 1 && w->launches[2].registers == 16 && w->launches[2].shared_bytes == 64);
    assert_true(a->memcpys == 2 && a->memcpy_bytes == 24576 && a->version == 5 && a->lanes == 32 && a->dependences);
    assert_true(a->recorded_in[1] == 4 && a->shapes[1].grid[1] == 2 && a->shapes[1].block[1] == 4);
    assert_true(a->mix.shared == 2 && a->mix.local == 2 && a->mix.constant == 1 && a->mix.idle == 1);
    assert_int_equal(a->pc_count, 15);
    assert_string_equal(a->pcs[1].opcode, "LDG.E.64.SYS");
    assert_true(a->pcs[1].offset == 0x30 && a->pcs[1].kernel[3] == 'a');
    assert_int_equal(w->buffer_count, sizeof buffers / sizeof *buffers);
    for (uint32_t i = 0; i < w->buffer_count; i++) {
        assert_int_equal(w->buffers[i].base, buffers[i].base);
        assert_int_equal(w->buffers[i].bytes, buffers[i].bytes);
    }
    w->destroy(w);
}

/* Columns for CTA and warp, no version; addresses of 40 bits. */
TEST(test_version_1)
{
    struct mh_workload *w = open_good(TRACEG "version-1.traceg", 32);
    struct place p = at(w, 0, 0, 0);

    expect(&p, MH_OP_LOAD, 0, false);
    expect_strided(&p, 2, 1, 0xffffffff, REGION(0), 2);
    expect(&p, MH_OP_STORE, 0, true);
    expect(&p, MH_OP_EXIT, 0, false);
    w->destroy(w);
}

TEST(test_width)
{
    assert_null(mh_trace_open(TRACEG "kernelslist.g", (struct mh_trace_how){.lanes = 64}, &err));
    assert_string_equal(err.text, "trace " TRACEG "kernelslist.g has 32-lane warps, this configuration has 64: use a "
                                  "configuration with sm.lanes = 32 (Accel-Sim's traces have no other width)");
}

static void check_conversion(const char *path, const char *suffix, enum mh_gmt_version version, uint64_t ops)
{
    char to[512];
    const char *folder = getenv("TMPDIR");
    struct mh_workload *w = open_good(path, 0);
    uint32_t lanes = mh_trace_about(w)->lanes;
    struct mh_workload *other;

    snprintf(to, sizeof to, "%s/test_traceg.%d%s", folder ? folder : P_tmpdir, (int)getpid(), suffix);
    assert_good(!mh_gmt_write(w, to, version, &err), err);
    other = open_good(to, lanes);
    unlink(to);
    assert_int_equal(same_trace(w, other, version == MH_GMT2), ops);
    other->destroy(other);
    w->destroy(w);
}

TEST(test_conversion)
{
    check_conversion(TRACEG "kernelslist.g", ".gmt", MH_GMT1, 25);
    check_conversion(TRACEG "kernelslist.g", ".gmt.zst", MH_GMT2, 25);
    check_conversion(TEST_DATA "rod_hotspot.w64.gmt.zst", ".gmt.zst", MH_GMT1, 80000);
    check_conversion(TEST_DATA "rod_nw.w64.gmt.zst", ".gmt", MH_GMT2, 282472);
}

TEST(test_unwritable)
{
    struct mh_workload *w = open_good(TRACEG "kernelslist.g", 0);

    assert_int_equal(mh_gmt_write(w, "/nowhere/at/all.gmt.zst", MH_GMT1, &err), -1);
    assert_string_equal(err.text, "/nowhere/at/all.gmt.zst: cannot write: No such file or directory");
    w->destroy(w);
}

/* Warps in any order and again and again: a CTA that was let go is read again. */
TEST(test_any_order)
{
    struct mh_workload *w = open_good(TRACEG "kernelslist.g", 32);
    struct place first = at(w, 0, 0, 0), again = at(w, 0, 0, 0), p;

    expect(&first, MH_OP_LOAD, 2, false);
    for (int round = 0; round < 3; round++) {
        p = at(w, 2, 0, 0);
        expect(&p, MH_OP_LOAD, 0, false);
        p = at(w, 0, 0, 1);
        expect(&p, MH_OP_LOAD, 1, false);
        expect(&p, MH_OP_BARRIER, 0, false);
        expect(&p, MH_OP_EXIT, 0, false);
        p = at(w, 1, 1, 0);
        expect(&p, MH_OP_LOAD, 0, false);
    }
    for (int i = 0; i < 4; i++)
        again.w->next(again.w, &again.c, &again.op, again.addr);
    expect(&again, MH_OP_EXIT, 0, false); /* all warps of the CTA have ended once */
    expect(&first, MH_OP_LOAD, 0, false);
    expect(&first, MH_OP_BARRIER, 2, MH_NEEDS(2, 0));
    expect(&first, MH_OP_STORE, 0, false);
    expect_strided(&first, 4, 4, 0x00ff00ff, REGION(0) + 0x100, 4);
    w->destroy(w);
}

/* What was checked and what is simulated are the same, or nothing is simulated any more. */
TEST(test_changed)
{
    char path[512], text[4096];
    const char *folder = getenv("TMPDIR");
    FILE *from = fopen(TRACEG "kernel-1.traceg", "rb"), *to;
    struct mh_workload *w;
    size_t size;
    int status;

    snprintf(path, sizeof path, "%s/test_traceg.%d.traceg", folder ? folder : P_tmpdir, (int)getpid());
    to = fopen(path, "wb");
    assert_true(from && to);
    size = fread(text, 1, sizeof text, from);
    assert_int_equal(fwrite(text, 1, size, to), size);
    fclose(from);
    fclose(to);
    w = open_good(path, 32);
    assert_int_equal(truncate(path, (off_t)size / 2), 0);
    fflush(NULL);
    if (fork() == 0) {
        assert_non_null(freopen("/dev/null", "w", stderr));
        at(w, 0, 1, 1);
        _exit(0);
    }
    assert_true(wait(&status) > 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    unlink(path);
    w->destroy(w);
}
