/* Names, sizes and widths of warps that no kernel has: what the error says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "memhelm/kernels.h"
#include "workload/workload.h"

static void rejects(const char *spec, uint64_t size, uint32_t lanes, const char *text)
{
    struct mh_error err = {{0}};

    assert_null(mh_workload_create(spec, size, 1, lanes, &err));
    if (!strstr(err.text, text))
        fail_msg("'%s' does not say '%s'", err.text, text);
    assert_null(mh_workload_create(spec, size, 1, lanes, NULL));
}

static void test_bad_input(void **state)
{
    (void)state;
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

static void test_bad_sizes(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_bad_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
