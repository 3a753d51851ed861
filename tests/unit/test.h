/* What a file of unit tests begins with: cmocka and what it needs, and tests that register themselves. */
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

/** A test, or without a name what is so for all tests of a file. */
struct unit_test {
    const char *name, *file;
    int line;
    CMUnitTestFunction run;
    CMFixtureFunction setup, teardown;         /**< of this test; without a name once for all tests of the file */
    CMFixtureFunction before_each, after_each; /**< of each test of the file */
    bool slow;                                 /**< over a second: without sanitizers, not in `make check` */
};

#define REGISTER(...)                                                                                                  \
    __attribute__((used, section("unit_tests"))) = &(const struct unit_test)                                           \
    {                                                                                                                  \
        .file = __FILE__, .line = __LINE__, __VA_ARGS__                                                                \
    }

/** `TEST(test_name) { .. }`, also `TEST(test_name, .setup = make_base)`: a test. */
#define TEST(test, ...)                                                                                                \
    static void test(void **state);                                                                                    \
    static const struct unit_test *const test##_entry REGISTER(.name = #test, .run = test, ##__VA_ARGS__);             \
    static void test(void **state)

/** `TEST_GROUP(.slow = true);`: at the end of a file, for all of its tests. */
#define TEST_GROUP(...) static const struct unit_test *const group_entry REGISTER(__VA_ARGS__)

/** Fails with the error's text unless `holds`. */
#define assert_good(holds, err)                                                                                        \
    do {                                                                                                               \
        if (!(holds))                                                                                                  \
            fail_msg("%s", (err).text);                                                                                \
    } while (0)

static inline void assert_has(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("'%s' without '%s'", text ? text : "nothing", part);
}

/** What is written to `f` by the statement or statements; free() it. */
#define PRINTED(f, ...)                                                                                                \
    ({                                                                                                                 \
        char *printed_ = NULL;                                                                                         \
        size_t length_;                                                                                                \
        FILE *f = open_memstream(&printed_, &length_);                                                                 \
        assert_non_null(f);                                                                                            \
        __VA_ARGS__;                                                                                                   \
        fclose(f);                                                                                                     \
        printed_;                                                                                                      \
    })

#endif
