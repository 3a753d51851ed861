/* Names, sizes and widths of warps that no kernel has: what the error says. */
#include "unit/test.h"
#include "memhelm/kernels.h"
#include "unit/temp_dir.h"
#include "workload/workload.h"

static void rejects(const char *spec, uint64_t size, uint32_t lanes, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(spec, size, 1, lanes, &err));
    assert_has(err.text, text);
    assert_null(mh_workload_create(spec, size, 1, lanes, NULL));
}

TEST(test_bad_input)
{
    rejects("MVTX", 0, 32, "unknown kernel 'MVTX': use one of MVT, ATAX, BICG, GUPS, HISTO, RED, SCAN, MM, BP, 3DS, ");
    rejects("MVTX", 0, 32, ", or trace:FILE for a recorded trace");
    rejects("", 0, 32, "unknown kernel ''");
    rejects("MVT", 31, 32, "MVT: size 31 is out of range: matrix order, 32 to 32768 (default 4096)");
    rejects("MVT", 32769, 32, "out of range");
    rejects("MVT", 64, 16, "16 lanes per warp: only 32 and 64");
    rejects("GUPS", 1025, 32,
            "GUPS: size 1025 is not a power of two (an index is the low bits of a random number): use 1024 or "
            "2048");
    rejects("RED", 1000, 32, "not a multiple of 512");
    rejects("SCAN", 1026, 32, "not a multiple of 4");
    rejects("MM", 100, 32, "MM: size 100 is not a multiple of 32 (the tile): use 96 or 128");
    rejects("BP", 100, 32, "not a multiple of 16");
    rejects("HISTO", 1000, 32, "not a multiple of 16");
    rejects("trace:", 0, 32, "trace: names no file");
    rejects("trace:x.gmt", 5, 32, "a trace has no problem size");
    rejects("trace:no/such/file.gmt", 0, 32, "no/such/file.gmt: cannot open: No such file");
    rejects("trace:.", 0, 32, "Is a directory");
    assert_ptr_equal(mh_kernel_find("mvt"), mh_kernel_find("MVT"));
}

TEST(test_bad_sizes)
{
    rejects("LUD", 100, 32, "LUD: size 100 is not a multiple of 16 (the tile): use 96 or 112");
    rejects("NW", 100, 32, "not a multiple of 16");
    rejects("SAD", 100, 32, "not a multiple of 16");
    rejects("SRAD", 100, 32, "not a multiple of 64");
    rejects("TRD", 200, 32, "not a multiple of 128");
    rejects("SCP", 300, 32, "not a multiple of 256");
    rejects("CONS", 200, 32, "not a multiple of 128");
    rejects("FWT", 10000, 32, "not a power of two");
    rejects("BFS", 1025, 32, "not a power of two");
    rejects("QTC", 300, 32, "not a multiple of 64");
    rejects("JPEG", 100, 32, "not a multiple of 32");
    rejects("3DCONV", 100, 32, "not a multiple of 32");
    rejects("3DS8", 100, 32, "not a multiple of 32");
    rejects("SGEMM", 200, 32, "not a multiple of 128");
    rejects("FWT", 16383, 32, "use 8192 or 16384"); /* the neighbours of a size one below and one above */
    rejects("FWT", 16385, 32, "use 16384 or 32768");
    rejects("RED", 511, 32, "out of range");
    rejects("RED", 513, 32, "use 512 or 1024");
    rejects("RED", ((uint64_t)1 << 30) - 1, 32, "use 1073741312 or 1073741824");
    assert_ptr_equal(mh_kernel_find("luh"), mh_kernel_find("LULESH"));
    assert_ptr_equal(mh_kernel_find("BFS2"), mh_kernel_find("BFS"));
}

/* A kernel of one warp, in the folder. */
static void write_kernel(const char *file, const char *name, unsigned count, const char *instructions)
{
    char text[1024];
    int length =
        snprintf(text, sizeof text,
                 "-kernel name = %s\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
                 "-accelsim tracer version = 5\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %u\n%s#END_TB\n",
                 name, count, instructions);

    assert_int_equal(write_file(in_base(file), text, (size_t)length, NULL), 0);
}

/* `launches` of the trace: refused with `text`, or taken (NULL). */
static void trace_is(const char *file, const char *launches, const char *text)
{
    char spec[512];
    struct mh_error err;
    struct mh_workload *w;

    snprintf(spec, sizeof spec, "trace:%s%s", in_base(file), launches);
    if (text) {
        rejects(spec, 0, 32, text);
        return;
    }
    w = mh_workload_create(spec, 0, 1, 32, &err);
    assert_good(w, err);
    w->destroy(w);
}

TEST(test_no_instruction)
{
    static const char list[] = "kernel-noop\nkernel-noop\nkernel-works\nkernel-noop\n";
    struct mh_error err;
    struct mh_workload *w;

    write_kernel("kernel-noop", "noop", 1, "0000 ffffffff 0 EXIT 0 0 0\n");
    write_kernel("kernel-works", "works", 2, "0000 ffffffff 1 R1 MOV 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n");
    assert_int_equal(write_file(in_base("list"), list, strlen(list), NULL), 0);
    trace_is("kernel-noop", "", "kernel-noop: launch 0 (noop): no instruction in it, so there is nothing to run");
    trace_is("kernel-works", "", NULL);
    trace_is("list", "", NULL);
    trace_is("list", "@launch=1", "list@launch=1: launch 1 (noop): no instruction in it");
    trace_is("list", "@launches=0-1", "list@launches=0-1: launches 0 to 1: no instruction in them");
    trace_is("list", "@launches=1-2", NULL);
    w = mh_trace_open(in_base("kernel-works"), (struct mh_trace_how){0}, &err);
    assert_non_null(w);
    assert_int_equal(mh_gmt_write(w, in_base("works.gmt"), MH_GMT1, &err), 0);
    assert_int_equal(mh_gmt_write(w, in_base("works.2.gmt"), MH_GMT2, &err), 0);
    mh_trace_close(w);
    trace_is("works.gmt", "", "nothing to run; GMT1 has accesses and barriers alone, GMT2 the others, too");
    trace_is("works.2.gmt", "", NULL);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
