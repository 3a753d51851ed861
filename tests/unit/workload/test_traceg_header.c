/*
 * What recordings of real programs have: lists with lines of all kinds, headers with garbage in what the driver did not
 * tell the tracer, and the largest grids of CUDA.
 */
#include "unit/test.h"
#include "workload/trace/trace.h"

#define BLOCK "#BEGIN_TB\nthread block = 0,0,0\n#END_TB\n"

static struct mh_workload *parse(const char *text, bool lenient, struct mh_error *err)
{
    return mh_trace_parse(text, strlen(text), TEST_DATA "traceg/k", (struct mh_trace_how){.lenient = lenient}, err);
}

static struct mh_workload *good(const char *text, bool lenient)
{
    struct mh_error err;
    struct mh_workload *w = parse(text, lenient, &err);

    if (!w)
        fail_msg("%s\nof %s", err.text, text);
    return w;
}

static void rejects(const char *text, bool lenient, const char *says)
{
    struct mh_error err = {""};

    assert_null(parse(text, lenient, &err));
    assert_has(err.text, says);
}

/* The list has the kernels 1 and 2 of the test data and a copy of 5 bytes. */
static void is_list(const char *text)
{
    struct mh_workload *w = good(text, false);

    assert_int_equal(w->launch_count, 2);
    assert_int_equal(mh_trace_about(w)->memcpys, 1);
    assert_int_equal(mh_trace_about(w)->memcpy_bytes, 5);
    mh_trace_close(w);
}

#define LIST "kernel-1.traceg\nMemcpyHtoD,0x10,5\nkernel-2.traceg\n"

TEST(test_lists)
{
    static const char *const firsts[] = {
        "",
        "\n\n",
        "  \t\n",
        "cudaMalloc,0x00007fb50a800000,8000000\n",
        "cudaMemcpyAsyncHtoD,0x00007f227a000000\n",
        "#\n",
        "\r\n",
        "# kernels\n",
        "#kernel-0.traceg\n",
        "MemcpyDtoH,0x10,5\n",
        "-\n",
        "--- --\n",
        "Memset,1\n",
        "ncclCommInitAll\n",
        "GPU 0\n",
        "0x1\n",
        "{\n",
        "Kernel-9\n",
        "- a list, not a header\n",
        "//kernel-9.traceg\n",
    };

    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        char text[8192];

        snprintf(text, sizeof text, "%s" LIST, firsts[i]);
        is_list(text);
        snprintf(text, sizeof text, LIST "%s", firsts[i]);
        is_list(text);
        snprintf(text, sizeof text, "kernel-1.traceg  \nMemcpyHtoDAsync,0x10,5 \n%skernel-2.traceg\t\r\n", firsts[i]);
        is_list(text);
    }
}

/* The line that tells comes late: after more than one chunk of a stream. */
TEST(test_late)
{
    enum { LINES = 5000 };
    static const char line[] = "cudaMalloc,0x00007fb50a800000,8000000\n";
    char *text = malloc(LINES * strlen(line) + sizeof LIST), *at = text;

    assert_non_null(text);
    for (int i = 0; i < LINES; i++, at += strlen(line))
        memcpy(at, line, strlen(line));
    strcpy(at, LIST);
    is_list(text);
    *at = 0;
    rejects(text, false, "k:5000: expected a file 'kernel-N.traceg', found none in the list");
    free(text);
}

#define SHAPE "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (40,1,1)\n"

/* Each is refused with a hint and, leniently, is the kernel with the 32 registers and no shared memory of GMT1. */
TEST(test_garbage)
{
    static const struct {
        const char *lines, *hint, *assumed;
        uint64_t count;
    } rows[] = {
        {"-shmem = 0\n-nregs = 21955\n",
         "k:5: expected a number from 0 to 1024, found '21955'; --trace-lenient assumes 32",
         "k:5: -nregs = 21955: assumed 32 registers per thread", 1},
        {"-shmem = 0\n-nregs = -1\n", "found '-1'; --trace-lenient", "-nregs = -1: assumed 32 registers", 1},
        {"-shmem = 0\n-nregs = \n", "found ''; --trace-lenient", "-nregs = : assumed 32 registers", 1},
        {"-shmem = 0\n-nregs = 99999999999999999999\n", "found '9999", "-nregs = 99999999999999999999: assumed", 1},
        {"-shmem = -2\n-nregs = 32\n",
         "k:4: expected a number from 0 to 4294967295, found '-2'; --trace-lenient assumes no",
         "k:4: -shmem = -2: assumed no shared memory", 1},
        {"-shmem = 0\n", "expected '-nregs = NUMBER' in the header before this line; --trace-lenient assumes 32",
         "k:5: no '-nregs = NUMBER' before this line: assumed 32 registers per thread", 1},
        {"", "expected '-shmem = BYTES'", "no '-shmem = BYTES' before this line: assumed no shared memory, and 1 more",
         2},
        {"-shmem = 0\n-nregs = 32\n-shmem base_addr = (nil)\n", "found '(nil)'; --trace-lenient assumes no generic",
         "-shmem base_addr = (nil): assumed no generic accesses", 1},
        {"-shmem = 0\n-nregs = 32\n-what is this\n", "found '-what is this'; --trace-lenient skips it",
         "k:6: -what is this: skipped", 1},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        struct mh_workload *w;

        snprintf(text, sizeof text, SHAPE "%s" BLOCK, rows[i].lines);
        rejects(text, false, rows[i].hint);
        w = good(text, true);
        assert_int_equal(w->launches[0].registers, 32);
        assert_int_equal(w->launches[0].shared_bytes, 0);
        assert_int_equal(mh_trace_about(w)->assumed, rows[i].count);
        if (!strstr(mh_trace_about(w)->assumption, rows[i].assumed))
            fail_msg("'%s' does not say '%s'", mh_trace_about(w)->assumption, rows[i].assumed);
        mh_trace_close(w);
    }
}

/* What is plausible is taken as it stands; what a run needs is not assumed. */
TEST(test_not_assumed)
{
    struct mh_workload *w = good(SHAPE "-shmem = 100\n-nregs = 255\n" BLOCK, true);

    assert_true(w->launches[0].registers == 255 && w->launches[0].shared_bytes == 100);
    assert_null(mh_trace_about(w)->assumption);
    mh_trace_close(w);
    rejects("-kernel name = k\n-grid dim = (x,1,1)\n" BLOCK, true, "k:2: expected dimensions as (X,Y,Z)");
    rejects(SHAPE "-enable lineinfo = 7\n" BLOCK, true, "k:4: expected a number from 0 to 1, found '7'");
    rejects(SHAPE "-accelsim tracer version = 21955\n" BLOCK, true, "k:4: expected a tracer version of at most 5");
    rejects("-kernel name = k\n-block dim = (40,1,1)\n" BLOCK, true, "expected '-grid dim = (X,Y,Z)' in the header");
}

/* Keys that are not ours, some of which begin as one of ours does. */
TEST(test_unknown)
{
    struct mh_workload *w =
        good(SHAPE "-shmem  = 8\n-nregs = 9\n-binary version = garbage\n-kernel id = -1\n"
                   "-cuda stream id = 99999999999999999999999\n-nvbit version =  = 1\n"
                   "-nregs of the driver = x\n-shmem limit = y\n-grid dimension = z\n-new = 1\n" BLOCK,
             false);

    assert_true(w->launches[0].registers == 9 && w->launches[0].shared_bytes == 8);
    mh_trace_close(w);
}

TEST(test_grids)
{
    static const struct {
        const char *grid, *block;
        uint64_t ctas, number;
        const char *refused;
    } rows[] = {
        {"(2147483647,1,1)", "2147483646,0,0", 2147483647, 2147483646, NULL},
        {"(1,65535,65535)", "0,65534,65534", 4294836225, 4294836224, NULL},
        {"(4294967295,1,1)", "4294967294,0,0", 4294967295, 4294967294, NULL},
        {"(2147483647,1,1)", "2147483647,0,0", 0, 0,
         "expected a thread block of the grid (2147483647,1,1), found 2147483647,0,0"},
        {"(2147483647,1,1)", "4294967296,0,0", 0, 0, "expected a thread block of the grid"},
        {"(2147483647,2,2)", "0,0,0", 0, 0,
         "expected dimensions with a product of at most 4294967295, found '(2147483647,2,2)'"},
        {"(4294967297,1,1)", "0,0,0", 0, 0, "expected dimensions with a product of at most 4294967295"},
        {"(99999999999999999999999,1,1)", "0,0,0", 0, 0, "expected dimensions with a product of at most 4294967295"},
        {"(1,1,-1)", "0,0,0", 0, 0, "expected dimensions with a product of at most 4294967295, found '(1,1,-1)'"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        struct mh_workload *w;

        snprintf(text, sizeof text,
                 "-kernel name = k\n-grid dim = %s\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n#BEGIN_TB\n"
                 "thread block = %s\n#END_TB\n",
                 rows[i].grid, rows[i].block);
        if (rows[i].refused) {
            rejects(text, false, rows[i].refused);
            continue;
        }
        w = good(text, false);
        assert_int_equal(mh_trace_about(w)->recorded_in[0], rows[i].ctas);
        assert_int_equal(mh_trace_cta_number(w, 0, 0), rows[i].number);
        mh_trace_close(w);
    }
}

/* Numbers that would be others if their upper bits were lost. */
TEST(test_wide_numbers)
{
    rejects(SHAPE "-shmem = 0\n-nregs = 8\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4294967296\n#END_TB\n",
            false, "expected 'insts = N', N at most 1073741824, found 'insts = 4294967296'");
    rejects(SHAPE "-shmem = 0\n-nregs = 8\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 4294967296\ninsts = 0\n#END_TB\n",
            false, "expected a warp from 0 to 1, in ascending order, found 4294967296");
}
