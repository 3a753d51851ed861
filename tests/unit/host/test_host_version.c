/* memhelm --version: the program, and what firmware it takes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "image/common/fw.h"
#include "cmd/version.h"

static void test_one_version(void **state)
{
    (void)state;
    assert_string_equal(MEMHELM_VERSION, FW_VERSION);
}

static void test_printed(void **state)
{
    char *text = NULL, line[128];
    size_t length;
    FILE *f = open_memstream(&text, &length);
    (void)state;
    version_print(f);
    fclose(f);
    snprintf(line, sizeof line, "memhelm %s", MEMHELM_VERSION);
    assert_memory_equal(text, line, strlen(line));
    snprintf(line, sizeof line, "register table version %d", MH_REGISTERS_VERSION);
    assert_non_null(strstr(text, line));
    free(text);
}

int test_host_version(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_version), cmocka_unit_test(test_printed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
