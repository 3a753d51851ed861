/* What gnuplot is given: texts that mean nothing to it, files under no name that a user chose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/gnuplot.h"

static void is(void (*write)(FILE *, const char *), const char *text, const char *want)
{
    char *got = NULL;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    write(out, text);
    fclose(out);
    assert_string_equal(got, want);
    free(got);
}

static void test_texts(void **state)
{
    (void)state;
    is(gnuplot_quote, "it's `x` $(y) \"z\" \\n", "'it''s `x` $(y) \"z\" \\n'");
    is(gnuplot_quote, "a\n!b\001svg\001\x7f", "'a !b svg  '");
    is(gnuplot_quote, "]]> ]]]> \xff \xef\xbf\xbe \xc3\xa9", "'] ]> ]] ]> ? ? \xc3\xa9'");
    is(gnuplot_cell, "a\tb\nc\"d\\e", "a b c'd/e");
    is(gnuplot_cell, "#a#", "'#a#");
}

static char *script_of(const char *dir, const char *name)
{
    struct gnuplot g;
    struct mh_error err;
    char path[HOST_PATH];
    size_t size;
    assert_int_equal(gnuplot_open(&g, &err), 0);
    fputs("1 2\n", g.data);
    fputs("set terminal svg\nset output ", g.script);
    gnuplot_file(g.script, "svg");
    fputs("\nplot ", g.script);
    gnuplot_file(g.script, "dat");
    fputc('\n', g.script);
    assert_int_equal(gnuplot_finish(&g, dir, name, &err), 0);
    snprintf(path, sizeof path, "%s/%s.svg", dir, name);
    assert_int_equal(access(path, R_OK), 0);
    snprintf(path, sizeof path, "%s/%s.png", dir, name); /* the script draws none */
    assert_int_not_equal(access(path, F_OK), 0);
    snprintf(path, sizeof path, "%s/%s.gp", dir, name);
    return read_file(path, &size, &err);
}

/* The script that is left has the names, none of which gnuplot takes for a command. */
static void test_names(void **state)
{
    static const char *const names[][2] = {{"a b", "'a b.svg'"},
                                           {"it's", "'it''s.svg'"},
                                           {"|touch pwn", "'./|touch pwn.svg'"},
                                           {"<x", "'./<x.svg'"},
                                           {"-", "'./-.svg'"},
                                           {"$d", "'./$d.svg'"},
                                           {"a\n!b", "\"./a\\012!b.svg\""},
                                           {"a\"`\n\\", "\"./a\\042\\140\\012\\134.svg\""}};
    char dir[] = P_tmpdir "/memhelm-gnuplot-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(dir));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *script = script_of(dir, names[i][0]);
        char want[100];
        snprintf(want, sizeof want, "set terminal svg\nset output %s\n", names[i][1]);
        assert_int_equal(strncmp(script, want, strlen(want)), 0);
        free(script);
    }
    remove_tree(dir);
}

static void test_folder(void **state)
{
    struct gnuplot g;
    struct mh_error err;
    (void)state;
    assert_int_equal(gnuplot_open(&g, &err), 0);
    assert_int_equal(gnuplot_finish(&g, ".", "../a", &err), -1);
    assert_string_equal(err.text, "../a: a figure's name has no '/'");
}

int test_host_gnuplot(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
