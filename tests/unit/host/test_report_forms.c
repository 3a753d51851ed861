/* What reports are made of: tables, Markdown, gnuplot, figures; more rows, columns and characters than one thinks of.
 */
#include "unit/test.h"

#include <math.h>
#include <unistd.h>

#include "base/table.h"
#include "base/escape.h"
#include "base/figure.h"
#include "unit/temp_dir.h"

static struct mh_error err;

/* What a table prints; the caller frees it. */
static char *printed(const struct table *t, void (*print)(const struct table *, FILE *))
{
    char *text = PRINTED(f, print(t, f));
    return text;
}

static struct table *small(void)
{
    struct table *t = table_new();
    table_heading(t, "image|ipc|<why");
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

TEST(test_print)
{
    struct table *t = small();
    char *text = printed(t, table_print);

    assert_string_equal(text, "image        ipc  why\n"
                              "a         1234.5  x|y\n"
                              "mask-tlb       -\n"
                              "b         50.0 %\n");
    assert_int_equal(t->rows, 4);
    assert_int_equal(t->width, 3);
    free(text);
    table_free(t);
}

TEST(test_markdown)
{
    struct table *t = small();
    char *text = printed(t, table_markdown);

    assert_string_equal(text, "| image | ipc | why |\n|---|---:|---|\n"
                              "| a | 1234.5 | x\\|y |\n"
                              "| mask-tlb | - |  |\n"
                              "| b | 50.0 % |  |\n");
    free(text);
    table_free(t);
}

/* Quotes where they must be, and no escapes: a program reads it. */
TEST(test_csv)
{
    struct table *t = table_new();

    t->raw = true;
    table_heading(t, "a,b|c");
    table_row(t);
    table_text(t, "say \"x\"\n");
    table_exact(t, 0.1);
    table_heading(t, "\x1b");
    table_exact(t, NAN);
    char *text = printed(t, table_csv);
    assert_string_equal(text, "\"a,b\",c\n\"say \"\"x\"\"\n\",0.1\n\x1b,\n");
    free(text);
    table_free(t);
}

TEST(test_cells)
{
    struct table *t = table_new();

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

TEST(test_many)
{
    enum { ROWS = 3000, COLUMNS = 70 };
    struct table *t = table_new();

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

TEST(test_long)
{
    enum { LONG = 5000 };
    char text[LONG + 1];
    struct table *t = table_new();

    memset(text, 'x', LONG);
    text[LONG] = 0;
    table_row(t);
    table_left(t, text);
    assert_string_equal(table_cell(t, 0, 0), text);
    table_free(t);
}

/* --- Texts of others in Markdown: text stays text, and what has no meaning stays as it is. */

enum { LINE = -1 };

static void is(int kind, const char *text, const char *want)
{
    char *got =
        PRINTED(out, kind == LINE ? markdown_line(out, text) : markdown_write(out, (enum markdown_kind)kind, text));
    assert_string_equal(got, want);
    free(got);
}

TEST(test_plain)
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

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        is(MARKDOWN_TEXT, plain[i], plain[i]);
}

TEST(test_markup)
{
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

TEST(test_code)
{
    is(MARKDOWN_PROSE, "as in `mask*`: <b> `", "as in `mask*`: \\<b> \\`");
    is(MARKDOWN_PROSE, "`a|b`", "`a\\|b`");
    is(MARKDOWN_PROSE, "``", "\\`\\`");
    is(MARKDOWN_CODE, "run --row x_y_ <z>", "`run --row x_y_ <z>`");
    is(MARKDOWN_CODE, "a`b``c", "```a`b``c```");
    is(MARKDOWN_CODE, "`a", "`` `a ``");
    is(MARKDOWN_CODE, "a|b\nc", "`a\\|b c`");
}

TEST(test_line)
{
    is(LINE, "# a", "\\# a");
    is(LINE, "  - a", "\\- a");
    is(LINE, "> a", "\\> a");
    is(LINE, "12. a", "12\\. a");
    is(LINE, "12 of 13", "12 of 13");
    is(LINE, "12", "12");
    is(LINE, "===", "\\===");
    is(LINE, "RED runs as fast", "RED runs as fast");
}

TEST(test_doc)
{
    struct doc d = {.form = DOC_MARKDOWN, .level = 1};
    char *text = PRINTED(out, d.out = out; doc_heading(&d, 1, "<b>"); doc_paragraph(&d, "%s", "# a *b*");
                         doc_item(&d, "%s", "[x](y)"));

    assert_string_equal(text, "## \\<b>\n\n\\# a \\*b\\*\n\n- [x\\](y)\n");
    free(text);
}

/* --- What gnuplot is given: texts that mean nothing to it, files under no name that a user chose. */

static void is_gnuplot(void (*write)(FILE *, const char *), const char *text, const char *want)
{
    char *got = PRINTED(out, write(out, text));
    assert_string_equal(got, want);
    free(got);
}

TEST(test_texts)
{
    is_gnuplot(gnuplot_quote, "it's `x` $(y) \"z\" \\n", "'it''s `x` $(y) \"z\" \\n'");
    is_gnuplot(gnuplot_quote, "a\n!b\001svg\001\x7f", "'a !b svg  '");
    is_gnuplot(gnuplot_quote, "]]> ]]]> \xff \xef\xbf\xbe \xc3\xa9", "'] ]> ]] ]> ? ? \xc3\xa9'");
    is_gnuplot(gnuplot_cell, "a\tb\nc\"d\\e", "a b c'd/e");
    is_gnuplot(gnuplot_cell, "#a#", "'#a#");
}

static char *script_of(const char *dir, const char *name)
{
    struct gnuplot g;
    char path[HOST_PATH];
    size_t size;
    gnuplot_open(&g);
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
TEST(test_names)
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

TEST(test_folder)
{
    struct gnuplot g;

    gnuplot_open(&g);
    assert_int_equal(gnuplot_finish(&g, ".", "../a", &err), -1);
    assert_string_equal(err.text, "../a: a figure's name has no '/'");
}

/* --- Figures as they are described: blocks and their numbers, layers, panels, missing values, both pictures. */

static char *written(const char *name)
{
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

TEST(test_script)
{
    struct figure f;

    fill(&f);
    assert_int_equal(figure_finish(&f, in_base(""), "f", &err), 0);
    char *script = written("f.gp"), *data = written("f.dat");
    assert_string_equal(data, "# name\tx\ty\n# a\np q\t1\t?\n\t2\t3\n\n\n# b\n0.5\t7\n\n\n");
    assert_int_equal(count(script, "reset\n"), 4);
    assert_int_equal(count(script, "set label 1 'it''s' at screen 0.5"), 4);
    assert_int_equal(count(script, "set lmargin at screen 0.1\nset rmargin at screen 0.9\n"), 4);
    assert_int_equal(count(script, "set tmargin at screen 0.9\nset bmargin at screen 0.5\n"), 4);
    assert_int_equal(count(script, "set xtics noenhanced nomirror ('one' 1, '2' 2)\n"), 4);
    assert_int_equal(count(script,
                           "plot 'f.dat' index 0 using 2:3 with points lc rgb 'red' notitle, 'f.dat' index 1 using "
                           "1:2 with lines lc rgb 'blue' title 's'\nunset key\n"),
                     4);
    assert_int_equal(count(script, "plot 1e30 notitle\n"), 4);
    free(script);
    free(data);
    assert_int_equal(access(in_base("f.svg"), R_OK) | access(in_base("f.pdf"), R_OK), 0);
}

/* Nothing is written. */
TEST(test_drop)
{
    struct figure f;

    fill(&f);
    figure_drop(&f);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
