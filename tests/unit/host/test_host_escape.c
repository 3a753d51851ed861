/* Text of others on a terminal: what moves it is shown, what is text stays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/table.h"
#include "unit/temp_dir.h"

static const struct {
    const char *text, *shown;
} rows[] = {
    {"", ""},
    {"plain text, 50 %\n\tand more", "plain text, 50 %\n\tand more"},
    {"\x1b[31mred\x07", "\\x1b[31mred\\x07"},
    {"a\x7f\b", "a\\x7f\\x08"},
    {"line\r\nline", "line\nline"},
    {"over\rline", "over\\x0dline"},
    {"end\r", "end\\x0d"},
    {"\r\r\n", "\\x0d\n"},
    {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"}, /* e acute, euro, a face */
    {"\xc2\x9b"
     "31m",
     "\xc2\\x9b31m"}, /* CSI, the control character of Unicode */
    {"\x9b"
     "31m",
     "\\x9b31m"},                               /* and of Latin-1 */
    {"caf\xe9.gmt \xff", "caf\\xe9.gmt \\xff"}, /* no UTF-8 */
    {"a\xe2\x80\xae"
     "fle\xe2\x80\xac \xe2\x81\xa6z\xe2\x81\xa9 \xe2\x80\x8f",
     "a\\xe2\\x80\\xaefle\\xe2\\x80\\xac \\xe2\\x81\\xa6z\\xe2\\x81\\xa9 \\xe2\\x80\\x8f"}, /* in another order */
    {"\xe2\x80\x93 \xe2\x81\xba", "\xe2\x80\x93 \xe2\x81\xba"},                             /* a dash, a small plus */
    {"\xe2\x82", "\\xe2\\x82"},                                                             /* cut off */
    {"\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80", "\\xc0\\xaf \\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80"},
};

static void test_texts(void **state)
{
    char out[96];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(escape_text(out, sizeof out, rows[i].text), rows[i].shown);
}

/* Nothing is cut in the middle of \x1b, and nothing is written beyond the end. */
static void test_room(void **state)
{
    char out[8];
    (void)state;
    memset(out, '#', sizeof out);
    assert_string_equal(escape_text(out, 7, "abc\x1b[m"), "abc");
    assert_int_equal(out[7], '#');
    assert_string_equal(escape_text(out, 8, "abc\x1b"), "abc\\x1b");
    assert_string_equal(escape_text(out, 4, "abcdef"), "abc");
    assert_string_equal(escape_text(out, 1, "a"), "");
}

static void test_print(void **state)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rewind(f);
        escape_print(f, rows[i].text);
        fflush(f);
        assert_memory_equal(text, rows[i].shown, strlen(rows[i].shown));
        assert_int_equal(ftell(f), strlen(rows[i].shown));
    }
    fclose(f);
    free(text);
}

static void test_users(void **state)
{
    char line[32];
    struct mh_error err;
    struct table *t = table_new();
    (void)state;
    assert_int_equal(write_file(in_base("log"), "one\n\x1b[2Jtwo\r\n\n", 13, &err), 0);
    assert_true(last_line(in_base("log"), "", line, sizeof line));
    assert_string_equal(line, "\\x1b[2Jtwo");
    assert_true(last_line(in_base("log"), "on", line, sizeof line));
    assert_string_equal(line, "one");
    assert_false(last_line(in_base("log"), "three", line, sizeof line));
    table_row(t);
    table_text(t, "k%s", "\x1b[m");
    assert_string_equal(table_cell(t, 0, 0), "k\\x1b[m");
    table_free(t);
}

int test_host_escape(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_users),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
