/* Checksums of GMT files find every flipped bit; lenient reading moves what lies outside the buffers, and nothing else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "gmt_bytes.h"
#include "workload/op_stats.h"

/* What mh_gmt_write() makes of the trace, not compressed. */
static struct bytes written(const struct bytes *t, enum mh_gmt_version version)
{
    char path[256];
    const char *folder = getenv("TMPDIR");
    struct bytes out = {.size = 0};
    struct mh_error err;
    struct mh_workload *w = gmt_parse(t, false, &err);
    FILE *f;

    assert_non_null(w);
    snprintf(path, sizeof path, "%s/test_checks.%d.gmt", folder ? folder : P_tmpdir, (int)getpid());
    assert_int_equal(mh_gmt_write(w, path, version, &err), 0);
    w->destroy(w);
    f = fopen(path, "rb");
    assert_non_null(f);
    out.size = fread(out.b, 1, sizeof out.b, f);
    fclose(f);
    unlink(path);
    return out;
}

static void every_flip_is_found(enum mh_gmt_version version)
{
    struct bytes whole = good(), file = written(&whole, version);
    struct mh_error err = {{0}};
    struct mh_workload *w = gmt_parse(&file, false, &err);

    if (!w)
        fail_msg("%s", err.text);
    w->destroy(w);
    assert_non_null(strstr((const char *)file.b, " check=crc32\n"));
    for (size_t bit = 0; bit < 8 * file.size; bit++) {
        file.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
        w = gmt_parse(&file, false, &err);
        if (w)
            fail_msg("bit %zu of byte %zu flipped, and it reads", bit % 8, bit / 8);
        file.b[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

static void test_flips(void **state)
{
    (void)state;
    every_flip_is_found(MH_GMT1);
    every_flip_is_found(MH_GMT2);
}

/* A number that reads as well, in a record: nothing but the sum knows. */
static void test_sum_says_where(void **state)
{
    (void)state;
    struct bytes whole = good(), file = written(&whole, MH_GMT1);
    struct mh_error err;
    size_t at = 0;

    while (at + 1 < file.size && memcmp(file.b + at, "\x20\x07", 2)) /* the load's flags and gap */
        at++;
    file.b[at + 1] = 8;
    assert_null(gmt_parse(&file, false, &err));
    assert_non_null(strstr(err.text, "expected checksum"));
    assert_non_null(strstr(err.text, "the trace is damaged, get it again"));
}

/* Four lanes, 4 bytes each; three buffers: 16 bytes at 0x1000, 2 at 0x1100, 512 at 0x2000. */
static struct bytes outside(bool list, uint64_t first, const int64_t *steps)
{
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {1, 1, 1, 4, 1, 1, 1};

    put_text(&t, "GMT1 warp=32\nL\003abc");
    put(&t, shape, sizeof shape);
    put_number(&t, 3);
    put_number(&t, 0x1000);
    put_number(&t, 16);
    put_number(&t, 0x1100);
    put_number(&t, 2);
    put_number(&t, 0x2000);
    put_number(&t, 512);
    put_text(&t, "C");
    put_number(&t, 0);
    put_number(&t, 1);
    put_warp(&t, 0, 1);
    put_byte(&t, list ? 0x28 : 0x20);
    put_number(&t, 0);
    put_number(&t, 1);
    put_signed(&t, (int64_t)first);
    for (uint32_t i = 0; i < (list ? 3 : 1); i++)
        put_signed(&t, steps[i]);
    put_text(&t, "E");
    return t;
}

static void moves(const struct bytes *t, uint64_t moved, const uint64_t want[4])
{
    struct mh_error err;
    uint64_t addr[MH_MAX_LANES];
    struct mh_cursor c = {.warp = 0};
    struct mh_op op;
    struct mh_workload *w;

    assert_null(gmt_parse(t, false, &err));
    assert_non_null(strstr(err.text, "--trace-lenient"));
    w = gmt_parse(t, true, &err);
    if (!w)
        fail_msg("%s", err.text);
    assert_int_equal(mh_trace_about(w)->moved, moved);
    w->start(w, &c);
    w->next(w, &c, &op, addr);
    for (unsigned lane = 0; lane < 4; lane++)
        assert_int_equal(mh_op_address(&op, addr, lane), want[lane]);
    assert_int_equal(mh_trace_about(w)->moved, moved); /* counted once, whatever is read again */
    w->destroy(w);
}

static void test_lenient(void **state)
{
    (void)state;
    /* x[-1] .. x[2] */
    struct bytes t = outside(false, 0x1ffc, (int64_t[]){4});
    moves(&t, 1, (uint64_t[]){0x2000, 0x2000, 0x2004, 0x2008});
    /* The end of the first buffer; beyond it, nearer to it than to the third: the second is too small. */
    t = outside(true, 0x100c, (int64_t[]){1, 0xf3, 0x700});
    moves(&t, 3, (uint64_t[]){0x100c, 0x100c, 0x100c, 0x100c});
}

static void test_nearest(void **state)
{
    (void)state;
    /* Below all, beyond all, past the middle of the gap between the first and the third, exactly in it. */
    struct bytes t = outside(true, 0x10, (int64_t[]){0x8000, 0x1807 - 0x8010, -1});
    const uint64_t middle = (0x100c + 0x2000) / 2;
    assert_int_equal(middle, 0x1806);
    moves(&t, 4, (uint64_t[]){0x1000, 0x21fc, 0x2000, 0x100c});
}

/* Where no buffer takes an access, lenient or not, there is an error. */
static void test_no_place(void **state)
{
    (void)state;
    struct bytes t = {.size = 0};
    static const uint8_t shape[] = {1, 1, 1, 4, 1, 1, 1};
    struct mh_error err;

    put_text(&t, "GMT1 warp=32\nL\003abc");
    put(&t, shape, sizeof shape);
    put_number(&t, 0);
    put_text(&t, "C");
    put_number(&t, 0);
    put_number(&t, 1);
    put_warp(&t, 0, 1);
    put_byte(&t, 0x20);
    put_number(&t, 0);
    put_number(&t, 1);
    put_signed(&t, 0x1000);
    put_signed(&t, 4);
    put_text(&t, "E");
    assert_null(gmt_parse(&t, true, &err));
    assert_non_null(strstr(err.text, "no buffer is so large"));
}

int test_trace_checks(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flips),   cmocka_unit_test(test_sum_says_where), cmocka_unit_test(test_lenient),
        cmocka_unit_test(test_nearest), cmocka_unit_test(test_no_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
