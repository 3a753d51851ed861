/* Words for a shell, read back by a shell. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/shell.h"

static char *line_of(const char *before, const char *word)
{
    char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    fputs(before, f);
    shell_word(f, word);
    fclose(f);
    return line;
}

static void test_plain_words_stay(void **state)
{
    (void)state;
    static const char *const plain[] = {"mask", "GUPS+MM", "l2tlb.entries=256", "/a/b_c-d.yaml", "@pairs", "50%"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char *line = line_of("", plain[i]);
        assert_string_equal(line, plain[i]);
        free(line);
    }
}

static void test_a_shell_reads_it_back(void **state)
{
    (void)state;
    static const char *const odd[] = {"",   "a b", "it's", "\"$HOME\"", "`id`",  "a\nb", "tenants[0].cta_limit=1",
                                      "''", "\\",  "*",    "a;b&c|d",   "\xff~#"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char *line = line_of("printf %s ", odd[i]), got[64];
        FILE *f = popen(line, "r");
        got[fread(got, 1, sizeof got - 1, f)] = 0;
        assert_int_equal(pclose(f), 0);
        assert_string_equal(got, odd[i]);
        free(line);
    }
}

int test_host_shell(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_words_stay),
        cmocka_unit_test(test_a_shell_reads_it_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
