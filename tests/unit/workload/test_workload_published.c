/* What the programs that MASK's authors publish touch, element by element. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "touches.h"

/* Layer 1's windows start at 0, 2, .. 24 and are 5 wide; six maps look at each image. */
static uint32_t windows_over(uint64_t element, uint64_t size)
{
    uint32_t count[2] = {0};

    (void)size;
    for (uint64_t start = 0; start < 26; start += 2) {
        count[0] += element % 29 >= start && element % 29 < start + 5;
        count[1] += element / 29 % 29 >= start && element / 29 % 29 < start + 5;
    }
    return 6 * count[0] * count[1];
}

static uint32_t by_each_output(uint64_t element, uint64_t size)
{
    (void)element;
    (void)size;
    return 100;
}

/* Of a map's 156 weights the source uses 1 + 6 * 25. */
static uint32_t by_25_lanes(uint64_t element, uint64_t size)
{
    (void)size;
    return element % 156 < 151 ? 25 : 0;
}

static void test_neural_network(void **state)
{
    (void)state;
    check_touches("NN", 1, 0, LOAD, 0, 0, 4, windows_over);
    check_touches("NN", 1, 1, LOAD, 0, 3, 4, by_25_lanes); /* weights of layer 2: a block each */
    check_touches("NN", 1, 2, LOAD, 0, 4, 4, by_each_output);
    check_touches("NN", 2, 2, LOAD, 0, 5, 4, twice); /* weights of layer 3: once an image */
    check_touches("NN", 2, 3, LOAD, 0, 7, 4, twice);
    for (uint32_t l = 0; l < 4; l++)
        check_touches("NN", 2, l, STORE, 0, 2 * l + 2, 4, once);
}

/* A is read by each of the 8 columns of blocks. */
static uint32_t eight_times(uint64_t element, uint64_t size)
{
    return 8 * once(element, size);
}

/* 512 x 496 by 496 x 528: of C 4 blocks of rows by 33 of columns. */
static uint32_t by_33_blocks(uint64_t element, uint64_t size)
{
    return 33 * once(element, size);
}

static uint32_t by_4_blocks(uint64_t element, uint64_t size)
{
    return 4 * once(element, size);
}

static void test_sums_and_passes(void **state)
{
    (void)state;
    check_touches("HISTO256", 50000, 0, LOAD, 0, 0, 4, once);
    check_touches("HISTO256", 50000, 0, STORE, 0, 2, 4, once);
    check_touches("HISTO256", 50000, 1, LOAD, 0, 2, 4, once);
    check_touches("HISTO256", 50000, 1, STORE, 0, 1, 4, once);
    check_touches("SGEMM", 128, 0, LOAD, 0, 0, 4, eight_times);
    check_touches("SGEMM", 128, 0, LOAD, 0, 1, 4, once);
    check_touches("SGEMM", 128, 0, LOAD, 0, 2, 4, once);
    check_touches("SGEMM", 128, 0, STORE, 0, 2, 4, once);
    check_touches("SGEMM@medium", 512, 0, LOAD, 0, 0, 4, by_33_blocks);
    check_touches("SGEMM@medium", 512, 0, LOAD, 0, 1, 4, by_4_blocks);
    check_touches("SGEMM@medium", 512, 0, STORE, 0, 2, 4, once);
    for (uint32_t l = 0; l < 8; l++) {
        check_touches("FFT256", 3, l, LOAD, 0, l % 2, 4, once);
        check_touches("FFT256", 3, l, STORE, 0, 1 - l % 2, 4, once);
    }
}

/* 3DS8: rows of 2n, planes of n rows; planes 4 .. n - 13 are written, from planes 8 on one more is read each time. */
static uint32_t in_planes(uint64_t element, uint64_t size, uint64_t from, uint64_t to)
{
    const uint64_t plane = element / (2 * size * size);

    return plane >= from && plane < to;
}

static uint32_t written(uint64_t element, uint64_t size)
{
    return in_planes(element, size, 4, size - 12);
}

static uint32_t ahead(uint64_t element, uint64_t size)
{
    return in_planes(element, size, 8, size - 8);
}

static uint32_t above(uint64_t element, uint64_t size)
{
    return written(element + 8 * 2 * size, size);
}

static uint32_t right_of_block(uint64_t element, uint64_t size)
{
    return element >= 32 && element % 32 < 8 && written(element - 32, size);
}

static void test_stencil_order8(void **state)
{
    (void)state;
    check_touches("3DS8", 32, 0, STORE, 0, 1, 4, written);
    check_touches("3DS8", 32, 0, LOAD, 10, 0, 4, ahead);
    check_touches("3DS8", 32, 0, LOAD, 12, 0, 4, above);
    check_touches("3DS8", 32, 0, LOAD, 15, 0, 4, right_of_block);
}

int test_workload_published(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neural_network),
        cmocka_unit_test(test_sums_and_passes),
        cmocka_unit_test(test_stencil_order8),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
