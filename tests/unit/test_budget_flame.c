/* Folded stacks and callgrind's format, of a tree by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/flame.h"

/* trap -> irq -> {commit, policy -> commit}; and boot -> commit. Node 0 is the root. */
static struct profile_node nodes[] = {
    {0, -1, 0, 0, 0, 0}, {0, 0, 3, 10, 20, 0}, {1, 1, 3, 5, 9, 0},   {2, 2, 3, 4, 6, 3},
    {2, 3, 2, 7, 30, 1}, {4, 2, 2, 2, 3, 2},   {0, 4, 1, 50, 80, 0}, {6, 2, 1, 1, 2, 1},
};
static struct profile profile = {.nodes = nodes, .node_count = sizeof nodes / sizeof *nodes};

static const char *name(const void *ctx, unsigned function)
{
    static const char *const names[] = {"trap", "irq", "commit", "policy", "boot"};
    (void)ctx;
    return names[function];
}

static void file(const void *ctx, unsigned function, char *path, size_t size)
{
    (void)ctx;
    snprintf(path, size, "%s.c", function == 2 ? "gpu" : "fw");
}

static const struct flame_names names = {name, file, NULL};

static void test_folded(void **state)
{
    char *text;
    size_t size;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    flame_write_folded(&profile, &names, f);
    fclose(f);
    assert_string_equal(text, "trap 20\ntrap;irq 9\ntrap;irq;commit 6\ntrap;irq;policy 30\ntrap;irq;policy;commit 3\n"
                              "boot 80\nboot;commit 2\n");
    free(text);
}

static void test_callgrind(void **state)
{
    char *text;
    size_t size;
    (void)state;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    assert_int_equal(flame_write_callgrind(&profile, &names, f), 0);
    fclose(f);
    assert_string_equal(text, "# callgrind format\nversion: 1\ncreator: memhelm\npositions: line\n"
                              "events: Cycles Instructions Mmio\nsummary: 150 79 7\n"
                              "\nfl=fw.c\nfn=trap\n0 20 10 0\n"
                              "cfi=fw.c\ncfn=irq\ncalls=3 0\n0 48 18 6\n"
                              "\nfl=fw.c\nfn=irq\n0 9 5 0\n"
                              "cfi=gpu.c\ncfn=commit\ncalls=3 0\n0 6 4 3\n"
                              "cfi=fw.c\ncfn=policy\ncalls=2 0\n0 33 9 3\n"
                              "\nfl=gpu.c\nfn=commit\n0 11 7 6\n"
                              "\nfl=fw.c\nfn=policy\n0 30 7 1\n"
                              "cfi=gpu.c\ncfn=commit\ncalls=2 0\n0 3 2 2\n"
                              "\nfl=fw.c\nfn=boot\n0 80 50 0\n"
                              "cfi=gpu.c\ncfn=commit\ncalls=1 0\n0 2 1 1\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_callgrind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
