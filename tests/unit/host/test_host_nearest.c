/* What somebody may have meant: few letters may differ, and far names are not guessed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/nearest.h"

#define WORDS "baseline mask mask-tlb simt reproduce compare PWCache Ideal run"

static const struct {
    const char *word, *near;
} rows[] = {
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

static void test_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(nearest_word(rows[i].word, WORDS).text, rows[i].near);
}

/* The same names as a list; with blanks around and between. */
static void test_lists(void **state)
{
    static const char *const names[] = {"GUPS", "MVT", NULL}, *const none[] = {NULL};
    (void)state;
    assert_string_equal(nearest_name("gupss", names).text, "; nearest: GUPS");
    assert_string_equal(nearest_name("gupss", none).text, "");
    assert_string_equal(nearest_word("gupss", "").text, "");
    assert_string_equal(nearest_word("gupss", "  MVT   GUPS ").text, "; nearest: GUPS");
    assert_string_equal(nearest_word("gupss", "MVT, GUPS, MM").text, "; nearest: GUPS");
}

/* Of equally near names the first counts, a nearer one always. */
static void test_order(void **state)
{
    (void)state;
    assert_string_equal(nearest_word("walk_c", "walk_a walk_b").text, "; nearest: walk_a");
    assert_string_equal(nearest_word("walk_c", "walk_ab walk_b").text, "; nearest: walk_b");
    assert_string_equal(nearest_word("walk", "walk_long walks").text, "; nearest: walks");
}

/* Of a kernel with a variant and a size, the kernel. */
static void test_parts(void **state)
{
    struct nearest near = nearest_begin("GUPPS@mesh:1024", "@:");
    (void)state;
    nearest_try(&near, "MVT");
    nearest_try(&near, "GUPS");
    assert_string_equal(near.text, "; nearest: GUPS");
}

/* Neither a long word nor a long name leaves the room there is. */
static void test_long(void **state)
{
    char longer[4096];
    (void)state;
    memset(longer, 'a', sizeof longer);
    longer[sizeof longer - 1] = 0;
    assert_string_equal(nearest_word(longer, "aaaa baseline").text, "");
    assert_string_equal(nearest_word("aaaa", longer).text, "");
    struct nearest near = nearest_begin(longer + sizeof longer - 80, "");
    nearest_try(&near, longer + sizeof longer - 79);
    assert_int_equal(strlen(near.text), strlen("; nearest: ") + 78);
}

int test_host_nearest(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words), cmocka_unit_test(test_lists), cmocka_unit_test(test_order),
        cmocka_unit_test(test_parts), cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests_name("nearest", tests, NULL, NULL);
}
