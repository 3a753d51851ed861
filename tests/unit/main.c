/*
 * The tests of a folder, one program. Each file test_NAME.c is a group: a function of that name, which runs it. Without
 * arguments all groups run, with `--quick` those that are not slow, with `--slow` those that are, else those named.
 */
#include "unit/test.h"
#include "unit/groups.h"

enum { TESTS = 64, NAMES = 4096 };

int run_group(struct test_list list)
{
    struct CMUnitTest tests[TESTS] = {{0}};
    char names[NAMES], *rest = names;

    if (list.count > TESTS || strlen(list.names) >= NAMES)
        return fprintf(stderr, "more than %d tests in a group, or names of %d characters\n", TESTS, NAMES);
    strcpy(names, list.names);
    for (size_t i = 0; i < list.count; i++)
        tests[i] = (struct CMUnitTest){strtok_r(rest, ", ", &rest), list.tests[i], list.setup, list.teardown, NULL};
    return _cmocka_run_group_tests("tests", tests, list.count, NULL, NULL);
}

static bool wanted(const struct test_group *group, int argc, char **argv)
{
    if (argc == 1)
        return true;
    if (!strcmp(argv[1], "--quick"))
        return !group->slow;
    if (!strcmp(argv[1], "--slow"))
        return group->slow;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], group->name))
            return true;
    return false;
}

enum { NOTHING = 77 /* exit code: no such group, which is no test that passed */ };

int main(int argc, char **argv)
{
    int failed = 0, ran = 0;

    for (const struct test_group *group = test_groups; group->name; group++)
        if (wanted(group, argc, argv)) {
            printf("# %s\n", group->name);
            fflush(stdout);
            failed += group->run() != 0;
            ran++;
        }
    return ran ? failed != 0 : NOTHING;
}
