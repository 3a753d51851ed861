/* Tables on the terminal and in Markdown: widths, sides, and more rows, columns and characters than one thinks of. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

/* What a table prints; the caller frees it. */
static char *printed(const struct table *t, void (*print)(const struct table *, FILE *))
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    print(t, f);
    fclose(f);
    return text;
}

static struct table *small(void)
{
    struct table *t = table_new();
    table_row(t);
    table_text(t, "image");
    table_text(t, "ipc");
    table_left(t, "why");
    table_row(t);
    table_text(t, "a");
    table_number(t, 1234.5, 1);
    table_text(t, "x|y");
    table_row(t);
    table_text(t, "mask-tlb");
    table_number(t, NAN, 1);
    table_row(t);
    table_text(t, "b");
    table_percent(t, 0.5);
    table_text(t, "%s", "");
    return t;
}

static void test_print(void **state)
{
    struct table *t = small();
    char *text = printed(t, table_print);
    (void)state;
    assert_string_equal(text, "image        ipc  why\n"
                              "a         1234.5  x|y\n"
                              "mask-tlb       -\n"
                              "b         50.0 %\n");
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->width, 3);
    free(text);
    table_free(t);
}

static void test_markdown(void **state)
{
    struct table *t = small();
    char *text = printed(t, table_markdown);
    (void)state;
    assert_string_equal(text, "| image | ipc | why |\n|---|---:|---|\n"
                              "| a | 1234.5 | x\\|y |\n"
                              "| mask-tlb | - |  |\n"
                              "| b | 50.0 % |  |\n");
    free(text);
    table_free(t);
}

static void test_cells(void **state)
{
    struct table *t = table_new();
    (void)state;
    table_text(t, "before any row");
    assert_string_equal(table_cell(t, 0, 0), "");
    table_row(t);
    table_row(t);
    table_text(t, "\x1b[2J");
    assert_string_equal(table_cell(t, 0, 0), "");
    assert_string_equal(table_cell(t, 1, 0), "\\x1b[2J");
    assert_string_equal(table_cell(t, 1, 1), "");
    assert_string_equal(table_cell(t, 2, 0), "");
    table_free(t);
}

static void test_many(void **state)
{
    enum { ROWS = 3000, COLUMNS = 70 };
    struct table *t = table_new();
    (void)state;
    for (unsigned r = 0; r < ROWS; r++) {
        table_row(t);
        for (unsigned c = 0; c < COLUMNS; c++)
            table_text(t, "%u", r * COLUMNS + c);
    }
    assert_int_equal(t->rows, ROWS);
    assert_int_equal(t->width, COLUMNS);
    for (unsigned r = 0; r < ROWS; r++)
        for (unsigned c = 0; c < COLUMNS; c++)
            assert_int_equal(atoi(table_cell(t, r, c)), r * COLUMNS + c);
    table_free(t);
}

static void test_long(void **state)
{
    enum { LONG = 5000 };
    char text[LONG + 1];
    struct table *t = table_new();
    (void)state;
    memset(text, 'x', LONG);
    text[LONG] = 0;
    table_row(t);
    table_left(t, text);
    assert_string_equal(table_cell(t, 0, 0), text);
    table_free(t);
}

int test_host_table(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print), cmocka_unit_test(test_markdown), cmocka_unit_test(test_cells),
        cmocka_unit_test(test_many),  cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
