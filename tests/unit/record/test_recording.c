/* The plugin's messages in, a trace out, which the reader of traces takes. */
#include "unit/test.h"

#include "memhelm/trace.h"
#include "record/record.h"
#include "memhelm/config_file.h"
#include "record/timeline.h"
#include "record/timeline.h"

enum { ITEMS = 40, BASE = 0x10000, BYTES = 1 << 20 };

static struct recording r;
static struct mh_error err_recording;
static struct bytes payload;
static FILE *out_recording;

static int setup(void **)
{
    out_recording = tmpfile();
    return recording_start(&r, out_recording, 32, 1 << 20, &err_recording);
}

static int teardown(void **)
{
    recording_free(&r);
    bytes_free(&payload);
    return fclose(out_recording);
}

static int message(enum record_message type)
{
    int status = recording_message(&r, (char)type, payload.at, payload.size, &err_recording);

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

    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(out_recording));
    w = mh_trace_open(path, (struct mh_trace_how){0}, &err_recording);
    assert_good(w, err_recording);
    assert_int_equal(mh_trace_about(w)->launch_count, launches);
    assert_int_equal(mh_workload_stats(w, 32, &s, &err_recording), 0);
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

TEST(test_all, .setup = setup, .teardown = teardown)
{
    begin();
    whole_launch(0, 3);
    whole_launch(1, 2);
    assert_int_equal(recording_end(&r, true, &err_recording), 0);
    assert_int_equal(r.launches, 2);
    expect(2, 5);
}

/* The launch that was not wanted is counted; the one without CTAs leaves nothing. */
TEST(test_not_wanted, .setup = setup, .teardown = teardown)
{
    begin();
    launch(0, 9, 0);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 0), 0);
    launch(1, 9, 1);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 64), 0);
    whole_launch(2, 1);
    assert_int_equal(recording_end(&r, true, &err_recording), 0);
    assert_int_equal(r.seen, 3);
    assert_int_equal(r.launches, 1);
    assert_int_equal(r.launch[0].number, 2);
    assert_int_equal(r.copied, 64);
    expect(1, 1);
}

/* Interrupted inside of the second launch: the first is whole. */
TEST(test_interrupted, .setup = setup, .teardown = teardown)
{
    begin();
    whole_launch(0, 2);
    launch(1, 2, 1);
    cta(0, BASE);
    assert_int_equal(TELL(RECORD_GROUP, 1), 0);
    assert_int_equal(recording_end(&r, true, &err_recording), 0);
    assert_int_equal(r.launches, 1);
    expect(1, 2);
}

/* Stopped there, since nothing more was wanted: what came is kept. */
TEST(test_stopped, .setup = setup, .teardown = teardown)
{
    begin();
    launch(0, 9, 1);
    cta(4, BASE);
    assert_int_equal(r.cta_behind, 5);
    assert_int_equal(recording_end(&r, false, &err_recording), 0);
    expect(1, 1);
}

/* The CTA that would pass the limit, and all behind it, are left out. */
TEST(test_full, .setup = setup, .teardown = teardown)
{
    begin();
    whole_launch(0, 1);
    r.max_bytes = r.size + (r.size - r.launch_start) + 5;
    whole_launch(1, 3);
    whole_launch(2, 1);
    assert_true(r.full);
    assert_true(r.size <= r.max_bytes);
    assert_int_equal(recording_end(&r, true, &err_recording), 0);
    assert_int_equal(r.launches, 2);
    assert_int_equal(r.launch[1].ctas, 1);
    assert_int_equal(r.launch[1].total, 3);
    expect(2, 2);
}

/* Items 0 and 39 lie outside: so do what they access. */
TEST(test_outside, .setup = setup, .teardown = teardown)
{
    assert_int_equal(TELL(RECORD_HELLO, 100), 0);
    assert_int_equal(TELL(RECORD_BUFFER, 1, BASE + 4, 4 * (ITEMS - 2)), 0);
    launch(0, 1, 1);
    cta(0, BASE);
    assert_int_equal(r.outside, 2);
}

TEST(test_refused, .setup = setup, .teardown = teardown)
{
    begin();
    assert_int_equal(TELL(RECORD_HELLO, 101), -1);
    assert_non_null(strstr(err_recording.text, "two processes"));
    launch(0, 1, 1);
    assert_int_equal(TELL(RECORD_ITEM, ITEMS), -1);
    assert_int_equal(tell(RECORD_BUFFER, 1, (const uint64_t[]){1}), -1);
    assert_non_null(strstr(err_recording.text, "cut off"));
    assert_int_equal(tell('?', 0, NULL), -1);
    bytes_text(&payload, "too deep");
    assert_int_equal(message(RECORD_FAILED), -1);
    assert_string_equal(err_recording.text, "the recorder gave up: too deep");
}

/* A disk that takes nothing. */
TEST(test_cannot_write, .setup = setup, .teardown = teardown)
{
    FILE *full = fopen("/dev/full", "r+");

    setvbuf(full, NULL, _IONBF, 0);
    recording_free(&r);
    assert_int_equal(recording_start(&r, full, 32, 1 << 20, &err_recording), -1);
    assert_non_null(strstr(err_recording.text, "No space left"));
    fclose(full);
}

TEST(test_code, .setup = setup, .teardown = teardown)
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

    record_code_put(&payload, &c);
    assert_int_equal(message(RECORD_CODE), 0);
    assert_int_equal(r.codes, 1);
    assert_int_equal(r.code[0].use, -3);
    assert_string_equal(r.code[0].function, "f");
    assert_int_equal(r.code[0].addresses, 0);
    assert_memory_equal(r.code[0].value, from, sizeof from);
}

/* A buffer that comes while a launch runs is not one of the launch's: what lies there is outside. */
TEST(test_late_buffer, .setup = setup, .teardown = teardown)
{
    begin();
    launch(0, 2, 1);
    cta(0, BASE);
    assert_int_equal(TELL(RECORD_BUFFER, 1, BASE + BYTES, BYTES), 0);
    cta(1, BASE + BYTES);
    assert_int_equal(r.outside, ITEMS);
    assert_int_equal(TELL(RECORD_LAUNCH_END, 0), 0);
    whole_launch(1, 1);
    assert_int_equal(recording_end(&r, true, &err_recording), 0);
}

/* What a trace has no place for is refused when it comes, not when all is read back. */
TEST(test_too_large, .setup = setup, .teardown = teardown)
{
    const uint64_t shape[] = {1 << 16, 1 << 16, 1, ITEMS, 1, 1, 1};
    struct record_access last = {0}, a = {.key = {7}, .words = 1, .kind = RECORD_STORE, .bytes = 4};

    begin();
    bytes_number(&payload, 0);
    bytes_number(&payload, 1);
    bytes_text(&payload, "kernel");
    assert_int_equal(tell(RECORD_LAUNCH, 7, shape), -1);
    assert_string_equal(err_recording.text,
                        "launch 0 (kernel) has 65536x65536x1 work-groups; a trace has 1 to 4294967295");
    launch(1, 1, 1);
    assert_int_equal(TELL(RECORD_GROUP, 0), 0);
    a.gap = (uint64_t)1 << 31;
    a.address = BASE;
    bytes_number(&payload, 0);
    record_access_put(&payload, &last, &a);
    assert_int_equal(message(RECORD_ITEM), 0);
    assert_int_equal(message(RECORD_GROUP_END), -1);
    assert_string_equal(err_recording.text,
                        "launch 1 (kernel): more than 1073741824 instructions between two accesses: leave the "
                        "launch out (--launches)");
}

/* --- Lists that keep a part of all, and the timeline that is made of them: bounded, spread over the run, groups whole.
 */

enum { ROOM = 64 };

TEST(test_all_while_there_is_room)
{
    struct mh_thinned t;

    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < ROOM; i++)
        mh_thinned_add(&t, i, &i);
    assert_int_equal(t.count, ROOM);
    assert_int_equal(t.every, 1);
    mh_thinned_free(&t);
}

TEST(test_spread_over_all)
{
    struct mh_thinned t;

    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < 10000; i++) {
        mh_thinned_add(&t, i, &i);
        assert_true(t.count <= ROOM);
    }
    assert_int_equal(t.all, 10000);
    assert_true(t.count > ROOM / 2 - 1);
    for (uint32_t i = 0; i < t.count; i++)
        assert_int_equal(*(const uint64_t *)mh_thinned_at(&t, i), i * t.every);
    assert_true((t.count + 1) * t.every > 10000 - t.every);
    mh_thinned_free(&t);
}

/* Five items to a group, as slices of one stretch awake. */
TEST(test_groups_are_whole)
{
    struct mh_thinned t;

    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < 5000; i++)
        mh_thinned_add(&t, i / 5, &i);
    for (uint32_t i = 0; i + 1 < t.count; i++) {
        const uint64_t v = *(const uint64_t *)mh_thinned_at(&t, i), next = *(const uint64_t *)mh_thinned_at(&t, i + 1);
        assert_true(v % 5 == 4 ? next % 5 == 0 && next / 5 == v / 5 + t.every : next == v + 1);
    }
    mh_thinned_free(&t);
}

/* Then the list ends there. */
TEST(test_one_group_that_fills_it)
{
    struct mh_thinned t;

    assert_int_equal(mh_thinned_init(&t, sizeof(uint64_t), ROOM), 0);
    for (uint64_t i = 0; i < 1000; i++)
        mh_thinned_add(&t, 0, &i);
    assert_int_equal(t.count, ROOM);
    assert_int_equal(t.all, 1000);
    mh_thinned_free(&t);
}

/* --- The file, with as much in it as there can be. */

static void fill(struct mh_timeline_log *l, uint64_t rounds)
{
    char name[1024] = "";
    struct mh_counters count[MH_MAX_TENANTS] = {{0}};
    struct mh_timeline_sample s = {.tenant = count, .channels = MH_MAX_CHANNELS};
    memset(name, '"', sizeof name - 1);
    for (uint64_t i = 1; i <= rounds; i++) {
        s.cycle = 1000 * i;
        for (uint32_t t = 0; t < MH_MAX_TENANTS; t++) {
            count[t].lane_instr += 12345678 + i;
            count[t].sm_stalls += 98765 + i;
            count[t].l2tlb_access += 123456 + i;
            count[t].dram_read += 54321 + i;
            count[t].uvm_faults += 1000 + i;
            count[t].walks_live = i % 1000;
            count[t].uvm_queue = i % 100;
        }
        for (uint32_t c = 0; c < MH_MAX_CHANNELS; c++)
            s.queued[c] = (uint32_t)i % 200;
        mh_timeline_sample(l, &s);
        mh_timeline_mark(l, s.cycle, "SNAPSHOT");
        mh_timeline_launch(l,
                           &(struct mh_launch_row){.number = i, .name = name, .from = s.cycle, .to = s.cycle + 1000});
        mh_timeline_fault(l, &(struct mh_page_fault){.cycle = s.cycle, .latency = UINT32_MAX, .address = UINT64_MAX});
        mh_timeline_slice(l, MH_MCU_HOOK, "a_policy_with_a_long_name.on_page_fault", s.cycle, s.cycle + 100000);
        mh_timeline_slice(l, MH_MCU_AWAKE, NULL, s.cycle, s.cycle + 200000);
    }
}

TEST(test_bounded)
{
    struct mh_config cfg = {.tenants_count = MH_MAX_TENANTS};
    struct mh_error err;
    char *text;
    size_t size;

    assert_int_equal(mh_config_preset(&cfg, "etc", &err), 0);
    cfg.tenants_count = MH_MAX_TENANTS;
    cfg.dram.channels = MH_MAX_CHANNELS;
    cfg.run.log_timeline = 1000;
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        memset(cfg.tenants[t].kernel, '"', MH_PATH_MAX - 1);
    for (uint64_t rounds = 1; rounds <= 65536; rounds *= 256) {
        struct mh_timeline_log *l = mh_timeline_open(&cfg);
        assert_non_null(l);
        fill(l, rounds);
        FILE *out = open_memstream(&text, &size);
        mh_timeline_write(l, out);
        fclose(out);
        mh_timeline_close(l);
        assert_true(size < MH_TIMELINE_BYTES);
        assert_true(rounds < 256 || size > MH_TIMELINE_BYTES / 20);
        free(text);
    }
}
