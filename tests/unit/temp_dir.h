/* A folder for the files of a test program, gone when it ends. cmocka.h comes first. */
#ifndef TESTS_TEMP_DIR_H
#define TESTS_TEMP_DIR_H

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"

static char base[] = P_tmpdir "/memhelm-test-XXXXXX"; /* mkdtemp() fills in the last six */

/** Path of a file in the folder; good for three calls more. */
static inline const char *in_base(const char *name)
{
    static char path[4][HOST_PATH];
    static unsigned turn;
    turn = (turn + 1) % 4;
    assert_int_equal(path_join(path[turn], base, name, NULL), 0);
    return path[turn];
}

/** For TEST_GROUP(). */
static inline int make_base(void **state)
{
    (void)state;
    return mkdtemp(base) ? 0 : -1;
}

static inline int remove_base(void **state)
{
    (void)state;
    remove_tree(base);
    return 0;
}

#endif
