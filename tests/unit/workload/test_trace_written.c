/*
 * What mh_gmt_write() writes, the reader takes and gives back: random traces of every format, in GMT1 and GMT2, plain
 * and compressed. The cache of traces and `memhelm trace convert` write with it.
 */
#include <unistd.h>
#include "unit/test.h"
#include "fuzz/traces.h"
#include "trace_fixture.h"
#include "unit/temp_dir.h"

static struct mh_error err;

enum { ROUNDS = 150, KERNELS = 3 };

static void comes_back(const struct mh_workload *w, uint64_t round, enum mh_gmt_version version)
{
    const char *path = in_base(round % 2 ? "w.gmt" : "w.gmt.zst");
    struct mh_workload *back;

    if (mh_gmt_write(w, path, version, &err) || !(back = mh_trace_open(path, (struct mh_trace_how){0}, &err)))
        fail_msg("round %d, GMT%d: %s", (int)round, (int)version, err.text);
    (void)same_trace(w, back, version == MH_GMT2);
    mh_trace_close(back);
}

/* Takes the workload; NULL: the trace was one of those that are no good. */
static bool both_come_back(struct mh_workload *w, uint64_t round)
{
    if (!w)
        return false;
    comes_back(w, round, MH_GMT1);
    comes_back(w, round, MH_GMT2);
    mh_trace_close(w);
    return true;
}

TEST(test_gmt)
{
    unsigned good = 0;

    for (uint64_t n = 0; n < ROUNDS; n++) {
        struct dice d = {.seed = n};
        struct sample m = written_gmt(&d);

        good += both_come_back(mh_trace_parse(m.data, m.size, "g.gmt", (struct mh_trace_how){0}, &err), n);
        free(m.data);
    }
    assert_in_range(good, ROUNDS / 2, ROUNDS);
}

/* A list of several kernels. */
static struct mh_workload *random_list(struct dice *d)
{
    FILE *list = fopen(in_base("kernelslist.g"), "w");

    assert_non_null(list);
    for (uint64_t left = 1 + roll(d, KERNELS); left; left--) {
        char name[32];
        struct text t = written_traceg(d);

        snprintf(name, sizeof name, "kernel-%d.traceg", (int)left);
        assert_int_equal(write_file(in_base(name), t.s, t.size, &err), 0);
        fprintf(list, "%s\n", name);
        free(t.s);
    }
    fclose(list);
    return mh_trace_open(in_base("kernelslist.g"), (struct mh_trace_how){0}, &err);
}

TEST(test_traceg)
{
    unsigned good = 0;

    for (uint64_t n = 0; n < ROUNDS; n++) {
        struct dice d = {.seed = n};

        good += both_come_back(random_list(&d), n);
    }
    assert_in_range(good, ROUNDS / 4, ROUNDS);
}

TEST_GROUP(.slow = true, .setup = make_base, .teardown = remove_base);
