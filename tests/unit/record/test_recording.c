/* The plugin's messages in, a trace out, which the reader of traces takes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "memhelm/trace.h"
#include "record/recording.h"

enum { ITEMS = 40, BASE = 0x10000, BYTES = 1 << 20 };

static struct recording r;
static struct mh_error err;
static struct bytes payload;
static FILE *out;

static int setup(void **state)
{
    (void)state;
    out = tmpfile();
    return recording_start(&r, out, 32, 1 << 20, &err);
}

static int teardown(void **state)
{
    (void)state;
    recording_free(&r);
    bytes_free(&payload);
    return fclose(out);
}

static int message(enum record_message type)
{
    int status = recording_message(&r, (char)type, payload.at, payload.size, &err);

    payload.size = 0;
    return status;
}

/* A message of numbers. */
#define TELL(type, ...) tell(type, sizeof((uint64_t[]){__VA_ARGS__}) / 8, (const uint64_t[]){__VA_ARGS__})

static int tell(enum record_message type, size_t count, const uint64_t *number)
{
    for (size_t i = 0; i < count; i++)
        bytes_number(&payload, number[i]);
    return message(type);
}

/* Launch `number` of `ctas` CTAs. */
static void launch(uint64_t number, uint64_t ctas, uint64_t wanted)
{
    const uint64_t shape[] = {ctas, 1, 1, ITEMS, 1, 1, wanted};

    bytes_number(&payload, number);
    bytes_number(&payload, 1);
    bytes_text(&payload, "kernel");
    assert_int_equal(tell(RECORD_LAUNCH, 7, shape), 0);
}

/* Each work item stores its word; they are told from the last to the first. */
static void cta(uint64_t number, uint64_t address)
{
    assert_int_equal(TELL(RECORD_GROUP, number), 0);
    for (uint64_t i = ITEMS; i-- > 0;) {
        struct record_access last = {0}, a = {.key = {7}, .words = 1, .kind = RECORD_STORE, .bytes = 4, .gap = 6};

        a.address = address + 4 * i;
        bytes_number(&payload, i);
        record_access_put(&payload, &last, &a);
        assert_int_equal(message(RECORD_ITEM), 0);
    }
    payload.size = 0;
    assert_int_equal(message(RECORD_GROUP_END), 0);
}

static void whole_launch(uint64_t number, uint64_t ctas)
{
    launch(number, ctas, 1);
    for (uint64_t c = 0; c < ctas; c++)
        cta(c, BASE + 4 * ITEMS * c);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 0), 0);
}

/* Launches and CTAs that are in the file, and what an access is. */
static void expect(uint32_t launches, uint64_t ctas)
{
    char path[64];
    struct mh_workload_stats s;
    struct mh_workload *w;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(out));
    w = mh_trace_open(path, (struct mh_trace_how){0}, &err);
    if (!w)
        fail_msg("%s", err.text);
    assert_int_equal(mh_trace_about(w)->launch_count, launches);
    assert_int_equal(mh_workload_stats(w, 32, &s, &err), 0);
    assert_int_equal(s.ctas, ctas);
    assert_int_equal(s.kinds[MH_OP_STORE], 2 * ctas);
    assert_int_equal(s.sums.lanes, ITEMS * ctas);
    assert_int_equal(s.sums.gap, 6 * 2 * ctas);
    assert_int_equal(s.pcs[0].pc, 7);
    mh_workload_stats_free(&s);
    mh_trace_close(w);
}

static void begin(void)
{
    assert_int_equal(TELL(RECORD_HELLO, 100), 0);
    assert_int_equal(TELL(RECORD_BUFFER, 1, BASE, BYTES), 0);
}

static void test_all(void **state)
{
    (void)state;
    begin();
    whole_launch(0, 3);
    whole_launch(1, 2);
    assert_int_equal(recording_end(&r, true, &err), 0);
    assert_int_equal(r.launches, 2);
    expect(2, 5);
}

/* The launch that was not wanted is counted; the one without CTAs leaves nothing. */
static void test_not_wanted(void **state)
{
    (void)state;
    begin();
    launch(0, 9, 0);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 0), 0);
    launch(1, 9, 1);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 64), 0);
    whole_launch(2, 1);
    assert_int_equal(recording_end(&r, true, &err), 0);
    assert_int_equal(r.seen, 3);
    assert_int_equal(r.launches, 1);
    assert_int_equal(r.launch[0].number, 2);
    assert_int_equal(r.copied, 64);
    expect(1, 1);
}

/* Interrupted inside of the second launch: the first is whole. */
static void test_interrupted(void **state)
{
    (void)state;
    begin();
    whole_launch(0, 2);
    launch(1, 2, 1);
    cta(0, BASE);
    assert_int_equal(TELL(RECORD_GROUP, 1), 0);
    assert_int_equal(recording_end(&r, true, &err), 0);
    assert_int_equal(r.launches, 1);
    expect(1, 2);
}

/* Stopped there, since nothing more was wanted: what came is kept. */
static void test_stopped(void **state)
{
    (void)state;
    begin();
    launch(0, 9, 1);
    cta(4, BASE);
    assert_int_equal(r.cta_behind, 5);
    assert_int_equal(recording_end(&r, false, &err), 0);
    expect(1, 1);
}

/* The CTA that would pass the limit, and all behind it, are left out. */
static void test_full(void **state)
{
    (void)state;
    begin();
    whole_launch(0, 1);
    r.max_bytes = r.size + (r.size - r.launch_start) + 5;
    whole_launch(1, 3);
    whole_launch(2, 1);
    assert_true(r.full);
    assert_true(r.size <= r.max_bytes);
    assert_int_equal(recording_end(&r, true, &err), 0);
    assert_int_equal(r.launches, 2);
    assert_int_equal(r.launch[1].ctas, 1);
    assert_int_equal(r.launch[1].total, 3);
    expect(2, 2);
}

/* Items 0 and 39 lie outside: so do what they access. */
static void test_outside(void **state)
{
    (void)state;
    assert_int_equal(TELL(RECORD_HELLO, 100), 0);
    assert_int_equal(TELL(RECORD_BUFFER, 1, BASE + 4, 4 * (ITEMS - 2)), 0);
    launch(0, 1, 1);
    cta(0, BASE);
    assert_int_equal(r.outside, 2);
}

static void test_refused(void **state)
{
    (void)state;
    begin();
    assert_int_equal(TELL(RECORD_HELLO, 101), -1);
    assert_non_null(strstr(err.text, "two processes"));
    launch(0, 1, 1);
    assert_int_equal(TELL(RECORD_ITEM, ITEMS), -1);
    assert_int_equal(tell(RECORD_BUFFER, 1, (const uint64_t[]){1}), -1);
    assert_non_null(strstr(err.text, "cut off"));
    assert_int_equal(tell('?', 0, NULL), -1);
    bytes_text(&payload, "too deep");
    assert_int_equal(message(RECORD_FAILED), -1);
    assert_string_equal(err.text, "the recorder gave up: too deep");
}

/* A disk that takes nothing. */
static void test_cannot_write(void **state)
{
    FILE *full = fopen("/dev/full", "r+");

    (void)state;
    setvbuf(full, NULL, _IONBF, 0);
    recording_free(&r);
    assert_int_equal(recording_start(&r, full, 32, 1 << 20, &err), -1);
    assert_non_null(strstr(err.text, "No space left"));
    fclose(full);
}

static void test_code(void **state)
{
    uint32_t from[] = {3, 300};
    struct record_code c = {.pc = 9,
                            .bytes = 4,
                            .depth = 2,
                            .line = 17,
                            .kind = RECORD_STORE,
                            .use = -3,
                            .function = "f",
                            .value = from,
                            .values = 2};

    (void)state;
    record_code_put(&payload, &c);
    assert_int_equal(message(RECORD_CODE), 0);
    assert_int_equal(r.codes, 1);
    assert_int_equal(r.code[0].use, -3);
    assert_string_equal(r.code[0].function, "f");
    assert_int_equal(r.code[0].addresses, 0);
    assert_memory_equal(r.code[0].value, from, sizeof from);
}

/* A buffer that comes while a launch runs is not one of the launch's: what lies there is outside. */
static void test_late_buffer(void **state)
{
    (void)state;
    begin();
    launch(0, 2, 1);
    cta(0, BASE);
    assert_int_equal(TELL(RECORD_BUFFER, 1, BASE + BYTES, BYTES), 0);
    cta(1, BASE + BYTES);
    assert_int_equal(r.outside, ITEMS);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 0), 0);
    whole_launch(1, 1);
    assert_int_equal(recording_end(&r, true, &err), 0);
}

/* What a trace has no place for is refused when it comes, not when all is read back. */
static void test_too_large(void **state)
{
    const uint64_t shape[] = {1 << 16, 1 << 16, 1, ITEMS, 1, 1, 1};
    struct record_access last = {0}, a = {.key = {7}, .words = 1, .kind = RECORD_STORE, .bytes = 4};

    (void)state;
    begin();
    bytes_number(&payload, 0);
    bytes_number(&payload, 1);
    bytes_text(&payload, "kernel");
    assert_int_equal(tell(RECORD_LAUNCH, 7, shape), -1);
    assert_string_equal(err.text, "launch 0 (kernel) has 65536x65536x1 work-groups; a trace has 1 to 4294967295");
    launch(1, 1, 1);
    assert_int_equal(TELL(RECORD_GROUP, 0), 0);
    a.gap = (uint64_t)1 << 31;
    a.address = BASE;
    bytes_number(&payload, 0);
    record_access_put(&payload, &last, &a);
    assert_int_equal(message(RECORD_ITEM), 0);
    assert_int_equal(message(RECORD_GROUP_END), -1);
    assert_string_equal(err.text,
                        "launch 1 (kernel): more than 1073741824 instructions between two accesses: leave the "
                        "launch out (--launches)");
}

int test_recording(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {TEST(test_all),         TEST(test_not_wanted),   TEST(test_interrupted),
                                       TEST(test_stopped),     TEST(test_full),         TEST(test_outside),
                                       TEST(test_refused),     TEST(test_cannot_write), TEST(test_code),
                                       TEST(test_late_buffer), TEST(test_too_large)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
