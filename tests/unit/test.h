/* What a file of unit tests begins with: cmocka and what it needs, and a way to run the tests of a group. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TEST_DATA "tests/data/"

/* A callback takes what its caller has, and often needs less. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

struct test_list {
    const char *names; /**< separated by ", ", in the order of `tests` */
    const CMUnitTestFunction *tests;
    size_t count;
    CMFixtureFunction setup, teardown; /**< of each test; may be NULL */
};

/** Returns the number of tests that failed. */
int run_group(struct test_list list);

#define RUN_GROUP_WITH(setup, teardown, ...)                                                                           \
    run_group((struct test_list){#__VA_ARGS__, (const CMUnitTestFunction[]){__VA_ARGS__},                              \
                                 sizeof((CMUnitTestFunction[]){__VA_ARGS__}) / sizeof(CMUnitTestFunction), setup,      \
                                 teardown})
#define RUN_GROUP(...) RUN_GROUP_WITH(NULL, NULL, __VA_ARGS__)

#endif
