/*
 * The tests of a folder, one program. Each file test_NAME.c is a group. Without arguments all groups run, with
 * `--quick` those that are not slow, with `--slow` those that are, else those named.
 */
#include "unit/test.h"

enum { TESTS = 64 };

extern const struct unit_test *__start_unit_tests[], *__stop_unit_tests[]; /* by the linker */

/* By file, and there as they stand. */
static int in_order(const void *a, const void *b)
{
    const struct unit_test *x = *(const struct unit_test *const *)a, *y = *(const struct unit_test *const *)b;
    int files = strcmp(x->file, y->file);

    return files ? files : x->line - y->line;
}

static bool is_named(const char *file, const char *name)
{
    const char *base = strrchr(file, '/') + 1;

    return !strncmp(base, name, strlen(name)) && !strcmp(base + strlen(name), ".c");
}

static bool wanted(const struct unit_test *group, int argc, char **argv)
{
    if (argc == 1)
        return true;
    if (!strcmp(argv[1], "--quick"))
        return !group->slow;
    if (!strcmp(argv[1], "--slow"))
        return group->slow;
    for (int i = 1; i < argc; i++)
        if (is_named(group->file, argv[i]))
            return true;
    return false;
}

static int run_group(const struct unit_test *const *test, size_t count, const struct unit_test *group)
{
    struct CMUnitTest tests[TESTS] = {{0}};
    size_t n = 0;

    assert_true(count <= TESTS);
    for (size_t i = 0; i < count; i++)
        if (test[i]->name)
            tests[n++] = (struct CMUnitTest){test[i]->name, test[i]->run, group->before_each ?: test[i]->setup,
                                             group->after_each ?: test[i]->teardown, NULL};
    printf("# %s\n", group->file);
    fflush(stdout);
    return _cmocka_run_group_tests("tests", tests, n, group->setup, group->teardown);
}

enum { NOTHING = 77 /* exit code: no such group, which is no test that passed */ };

int main(int argc, char **argv)
{
    const struct unit_test **at = __start_unit_tests;
    size_t left = ((uintptr_t)__stop_unit_tests - (uintptr_t)at) / sizeof *at;
    int failed = 0, ran = 0;

    qsort(at, left, sizeof *at, in_order);
    for (size_t count; left; at += count, left -= count) {
        struct unit_test group = {.file = (*at)->file};

        for (count = 0; count < left && !strcmp(at[count]->file, group.file); count++)
            if (!at[count]->name)
                group = *at[count];
        if (!wanted(&group, argc, argv))
            continue;
        failed += run_group(at, count, &group) != 0;
        ran++;
    }
    return ran ? failed != 0 : NOTHING;
}
