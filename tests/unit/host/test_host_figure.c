/* Figures as they are described: blocks and their numbers, layers, panels, missing values, both pictures. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/figure.h"
#include "unit/temp_dir.h"

static char *written(const char *name)
{
    struct mh_error err;
    size_t length;
    char *text = read_file(in_base(name), &length, &err);

    assert_non_null(text);
    return text;
}

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static void fill(struct figure *f)
{
    figure_open(f, "name\tx\ty");
    figure_title(f, "it's", "", 1);
    const unsigned first = figure_block(f, "a");
    figure_row(f, "p\tq");
    figure_values(f, 2, (double[]){1, NAN});
    figure_values(f, 2, (double[]){2, 3});
    figure_block_end(f);
    const unsigned second = figure_block(f, "b");
    figure_row_at(f, 0.5);
    figure_values(f, 1, (double[]){7});
    figure_block_end(f);
    figure_edges(f, 96, 864, 48, 240);
    figure_ticks(f, "x", "nomirror");
    figure_tick(f, "one", 1);
    figure_tick(f, "2", 2);
    figure_ticks_end(f);
    figure_layer(f, first, "2:3 with points", "red", NULL);
    figure_layer(f, second, "1:2 with lines", "blue", "s");
    figure_panel_end(f);
    figure_line(f, "set yrange [0:1]");
    figure_panel_end(f); /* of nothing */
}

static void test_script(void **state)
{
    struct figure f;
    struct mh_error err;

    (void)state;
    fill(&f);
    assert_int_equal(figure_finish(&f, in_base(""), "f", &err), 0);
    char *script = written("f.gp"), *data = written("f.dat");
    assert_string_equal(data, "# name\tx\ty\n# a\np q\t1\t?\n\t2\t3\n\n\n# b\n0.5\t7\n\n\n");
    assert_int_equal(count(script, "reset\n"), 2);
    assert_int_equal(count(script, "set label 1 'it''s' at screen 0.5"), 2);
    assert_int_equal(count(script, "set lmargin at screen 0.1\nset rmargin at screen 0.9\n"), 2);
    assert_int_equal(count(script, "set tmargin at screen 0.9\nset bmargin at screen 0.5\n"), 2);
    assert_int_equal(count(script, "set xtics noenhanced nomirror ('one' 1, '2' 2)\n"), 2);
    assert_int_equal(count(script,
                           "plot 'f.dat' index 0 using 2:3 with points lc rgb 'red' notitle, 'f.dat' index 1 using "
                           "1:2 with lines lc rgb 'blue' title 's'\nunset key\n"),
                     2);
    assert_int_equal(count(script, "plot 1e30 notitle\n"), 2);
    free(script);
    free(data);
    assert_int_equal(access(in_base("f.svg"), R_OK) | access(in_base("f.png"), R_OK), 0);
}

/* Nothing is written. */
static void test_drop(void **state)
{
    struct figure f;

    (void)state;
    fill(&f);
    figure_drop(&f);
}

int test_host_figure(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_script), cmocka_unit_test(test_drop)};
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
