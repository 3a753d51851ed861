/* Colour of words and cells: none in files unless asked for, and never of blanks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/colour.h"
#include "base/table.h"

#define GREEN "\033[32m"
#define RED   "\033[1;31m"
#define PLAIN "\033[0m"

/* What a table of two columns prints, the caller frees it. */
static char *printed(enum colour_when when)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct table *t = table_new();
    colour_set(when);
    table_row(t);
    table_left(t, "what");
    table_text(t, "value");
    table_left(t, "verdict");
    table_row(t);
    table_text(t, "a");
    table_text(t, "1");
    table_colour(t, COLOUR_BAD);
    table_text(t, "holds");
    table_colour(t, COLOUR_GOOD);
    table_print(t, out);
    table_free(t);
    fclose(out);
    return text;
}

static void test_no_terminal(void **state)
{
    char *text = printed(COLOUR_AUTO);
    (void)state;
    assert_string_equal(text, "what  value  verdict\na         1  holds\n");
    free(text);
}

static void test_never(void **state)
{
    char *text = printed(COLOUR_NEVER);
    (void)state;
    assert_null(strchr(text, '\033'));
    free(text);
}

static void test_always(void **state)
{
    char *text = printed(COLOUR_ALWAYS);
    (void)state;
    assert_string_equal(text, "what  value  verdict\na         " RED "1" PLAIN "  " GREEN "holds" PLAIN "\n");
    free(text);
}

static void test_markdown(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct table *t = table_new();
    (void)state;
    colour_set(COLOUR_ALWAYS);
    table_row(t);
    table_text(t, "holds");
    table_colour(t, COLOUR_GOOD);
    table_markdown(t, out);
    table_free(t);
    fclose(out);
    assert_null(strchr(text, '\033'));
    free(text);
}

int test_host_colour(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_terminal),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_always),
        cmocka_unit_test(test_markdown),
    };
    return cmocka_run_group_tests_name("colour", tests, NULL, NULL);
}
