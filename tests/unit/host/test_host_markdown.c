/* Texts of others in Markdown: text stays text, and what has no meaning stays as it is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/doc.h"
#include "base/markdown.h"

enum { LINE = -1 };

static void is(int kind, const char *text, const char *want)
{
    char *got = NULL;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    if (kind == LINE)
        markdown_line(out, text);
    else
        markdown_write(out, (enum markdown_kind)kind, text);
    fclose(out);
    assert_string_equal(got, want);
    free(got);
}

static void test_plain(void **state)
{
    static const char *const plain[] = {"l2tlb.entries",
                                        "weighted_speedup",
                                        "a gain [ours: 12 pairs], of [T1]",
                                        "-3.6 % +- 0.1",
                                        "> 1.7",
                                        "a < b & c",
                                        "2 * 3",
                                        "50..60 %",
                                        "MVT+GUPS (1 of 2)",
                                        "C:\\dir",
                                        "\xc3\xa9",
                                        ""};
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        is(MARKDOWN_TEXT, plain[i], plain[i]);
}

static void test_markup(void **state)
{
    (void)state;
    is(MARKDOWN_TEXT, "a|b", "a\\|b");
    is(MARKDOWN_TEXT, "<script>alert(1)</script>", "\\<script>alert(1)\\</script>");
    is(MARKDOWN_TEXT, "<!-- x", "\\<!-- x");
    is(MARKDOWN_TEXT, "<http://x>", "\\<http://x>");
    is(MARKDOWN_TEXT, "&lt;&#60;", "\\&lt;\\&#60;");
    is(MARKDOWN_TEXT, "[x](http://y) ![z][w] [d]: e [^1]", "[x\\](http://y) !\\[z\\][w] [d\\]: e \\[^1]");
    is(MARKDOWN_TEXT, "*a* **b** _c_ a_b __d", "\\*a\\* \\*\\*b\\*\\* \\_c\\_ a_b \\_\\_d");
    is(MARKDOWN_TEXT, "`a` ~~b~~ $c$", "\\`a\\` \\~\\~b\\~\\~ \\$c\\$");
    is(MARKDOWN_TEXT, "\\| \\*", "\\\\\\| \\\\\\*");
    is(MARKDOWN_TEXT, "a\nb\r\n| c", "a b  \\| c");
}

static void test_code(void **state)
{
    (void)state;
    is(MARKDOWN_PROSE, "as in `mask*`: <b> `", "as in `mask*`: \\<b> \\`");
    is(MARKDOWN_PROSE, "`a|b`", "`a\\|b`");
    is(MARKDOWN_PROSE, "``", "\\`\\`");
    is(MARKDOWN_CODE, "run --row x_y_ <z>", "`run --row x_y_ <z>`");
    is(MARKDOWN_CODE, "a`b``c", "```a`b``c```");
    is(MARKDOWN_CODE, "`a", "`` `a ``");
    is(MARKDOWN_CODE, "a|b\nc", "`a\\|b c`");
}

static void test_line(void **state)
{
    (void)state;
    is(LINE, "# a", "\\# a");
    is(LINE, "  - a", "\\- a");
    is(LINE, "> a", "\\> a");
    is(LINE, "12. a", "12\\. a");
    is(LINE, "12 of 13", "12 of 13");
    is(LINE, "12", "12");
    is(LINE, "===", "\\===");
    is(LINE, "RED runs as fast", "RED runs as fast");
}

static void test_doc(void **state)
{
    char *text = NULL;
    size_t size;
    struct doc d = {open_memstream(&text, &size), DOC_MARKDOWN, 1};
    (void)state;
    doc_heading(&d, 1, "<b>");
    doc_paragraph(&d, "%s", "# a *b*");
    doc_item(&d, "%s", "[x](y)");
    fclose(d.out);
    assert_string_equal(text, "## \\<b>\n\n\\# a \\*b\\*\n\n- [x\\](y)\n");
    free(text);
}

int test_host_markdown(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain), cmocka_unit_test(test_markup), cmocka_unit_test(test_code),
        cmocka_unit_test(test_line),  cmocka_unit_test(test_doc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
