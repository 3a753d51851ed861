/* Words as they are shown and read: for a shell, escaped, the nearest one, in colour, the version. */
#define _GNU_SOURCE
#include "unit/test.h"

#include "base/escape.h"
#include "base/table.h"
#include "unit/temp_dir.h"
#include "base/words.h"
#include "base/process.h"
#include "image/common/fw.h"
#include "cmd/commands.h"

static char *line_of(const char *before, const char *word)
{
    return PRINTED(f, fputs(before, f); shell_word(f, word));
}

TEST(test_plain_words_stay)
{
    static const char *const plain[] = {"mask", "GUPS+MM", "l2tlb.entries=256", "/a/b_c-d.yaml", "@pairs", "50%"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        char *line = line_of("", plain[i]);
        assert_string_equal(line, plain[i]);
        free(line);
    }
}

TEST(test_a_shell_reads_it_back)
{
    static const char *const odd[] = {"",   "a b", "it's", "\"$HOME\"", "`id`",  "a\nb", "tenants[0].cta_limit=1",
                                      "''", "\\",  "*",    "a;b&c|d",   "\xff~#"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        char *line = line_of("printf %s ", odd[i]), got[64];
        FILE *f = popen(line, "r");
        got[fread(got, 1, sizeof got - 1, f)] = 0;
        assert_int_equal(pclose(f), 0);
        assert_string_equal(got, odd[i]);
        free(line);
    }
}

TEST(test_added_to_a_text)
{
    char text[8] = "";
    assert_true(text_add(text, sizeof text, "+", "%d", 12));
    assert_true(text_add(text, sizeof text, "+", "%s", "ab"));
    assert_string_equal(text, "12+ab");
    assert_false(text_add(text, sizeof text, "+", "%s", "cd"));
    assert_string_equal(text, "12+ab+c");
    assert_false(text_add(text, sizeof text, "+", "%s", "e"));
    assert_string_equal(text, "12+ab+c");
}

/* --- Text of others on a terminal: what moves it is shown, what is text stays. */

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

TEST(test_texts)
{
    char out[96];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(escape_text(out, sizeof out, rows[i].text), rows[i].shown);
}

/* Nothing is cut in the middle of \x1b, and nothing is written beyond the end. */
TEST(test_room)
{
    char out[8];

    memset(out, '#', sizeof out);
    assert_string_equal(escape_text(out, 7, "abc\x1b[m"), "abc");
    assert_int_equal(out[7], '#');
    assert_string_equal(escape_text(out, 8, "abc\x1b"), "abc\\x1b");
    assert_string_equal(escape_text(out, 4, "abcdef"), "abc");
    assert_string_equal(escape_text(out, 1, "a"), "");
}

TEST(test_print)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *text = PRINTED(f, escape_print(f, rows[i].text));
        assert_string_equal(text, rows[i].shown);
        free(text);
    }
}

TEST(test_users)
{
    char line[32];
    struct mh_error err;
    struct table *t = table_new();

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

/* --- What somebody may have meant: few letters may differ, and far names are not guessed. */

#define WORDS "baseline mask mask-tlb simt reproduce compare PWCache Ideal run"

static const struct {
    const char *word, *near;
} rows_nearest[] = {
    {"maks", "; nearest: mask"},         /* two changed places */
    {"mska", ""},                        /* further: two of four letters differ */
    {"mask-tbl", "; nearest: mask-tlb"}, /* two of eight */
    {"masktlb", "; nearest: mask-tlb"},
    {"mask--tlb", "; nearest: mask-tlb"},
    {"mast", "; nearest: mask"},
    {"pwcache", "; nearest: PWCache"},
    {"IDEAL", "; nearest: Ideal"},
    {"basline", "; nearest: baseline"},
    {"repro", "; nearest: reproduce"}, /* it goes on */
    {"re", ""},                        /* but two letters are none */
    {"runs", "; nearest: run"},
    {"sim", "; nearest: simt"},
    {"nothing-like-it", ""},
    {"", ""},
    {"x", ""},
};

TEST(test_nearest_words)
{
    for (size_t i = 0; i < sizeof rows_nearest / sizeof *rows_nearest; i++)
        assert_string_equal(nearest_word(rows_nearest[i].word, WORDS).text, rows_nearest[i].near);
}

/* Names as an array and as a list with blanks around and between. */
TEST(test_lists)
{
    static const char *const names[] = {"GUPS", "MVT", NULL}, *const none[] = {NULL};

    assert_string_equal(nearest_name("gupss", names).text, "; nearest: GUPS");
    assert_string_equal(nearest_name("gupss", none).text, "");
    assert_string_equal(nearest_word("gupss", "").text, "");
    assert_string_equal(nearest_word("gupss", "  MVT   GUPS ").text, "; nearest: GUPS");
    assert_string_equal(nearest_word("gupss", "MVT, GUPS, MM").text, "; nearest: GUPS");
}

/* Of equally near names the first counts, a nearer one always. */
TEST(test_order)
{
    assert_string_equal(nearest_word("walk_c", "walk_a walk_b").text, "; nearest: walk_a");
    assert_string_equal(nearest_word("walk_c", "walk_ab walk_b").text, "; nearest: walk_b");
    assert_string_equal(nearest_word("walk", "walk_long walks").text, "; nearest: walks");
}

/* Of a kernel with a variant and a size, the kernel. */
TEST(test_parts)
{
    struct nearest near = nearest_begin("GUPPS@mesh:1024", "@:");

    nearest_try(&near, "MVT");
    nearest_try(&near, "GUPS");
    assert_string_equal(near.text, "; nearest: GUPS");
}

/* Neither a long word nor a long name leaves the room there is. */
TEST(test_long)
{
    char longer[4096];

    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_string_equal(nearest_word(longer, "aaaa baseline").text, "");
    assert_string_equal(nearest_word("aaaa", longer).text, "");
    struct nearest near = nearest_begin(longer + sizeof longer - 80, "");
    nearest_try(&near, longer + sizeof longer - 79);
    assert_int_equal(strlen(near.text), strlen("; nearest: ") + 78);
}

/* --- Colour of words and cells: none in files unless asked for, and never of blanks. */

#define GREEN "\033[32m"
#define RED   "\033[1;31m"
#define PLAIN "\033[0m"

/* What a table of two columns prints, the caller frees it. */
static char *printed(enum colour_when when)
{
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
    char *text = PRINTED(out, table_print(t, out));
    table_free(t);
    return text;
}

TEST(test_no_terminal)
{
    char *text = printed(COLOUR_AUTO);

    assert_string_equal(text, "what  value  verdict\na         1  holds\n");
    free(text);
}

TEST(test_always)
{
    char *text = printed(COLOUR_ALWAYS);

    assert_string_equal(text, "what  value  verdict\na         " RED "1" PLAIN "  " GREEN "holds" PLAIN "\n");
    free(text);
}

TEST(test_markdown)
{
    struct table *t = table_new();

    colour_set(COLOUR_ALWAYS);
    table_row(t);
    table_text(t, "holds");
    table_colour(t, COLOUR_GOOD);
    char *text = PRINTED(out, table_markdown(t, out));
    table_free(t);
    assert_null(strchr(text, '\033'));
    free(text);
}

/* --- memhelm --version: the program, and what firmware it takes. */

TEST(test_one_version)
{
    assert_string_equal(MEMHELM_VERSION, FW_VERSION);
}

TEST(test_printed)
{
    char *text = PRINTED(f, version_print(f)), line[128];

    snprintf(line, sizeof line, "memhelm %s", MEMHELM_VERSION);
    assert_memory_equal(text, line, strlen(line));
    snprintf(line, sizeof line, "register table version %d", MH_REGISTERS_VERSION);
    assert_non_null(strstr(text, line));
    free(text);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
