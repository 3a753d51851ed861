#define _GNU_SOURCE
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "memhelm/trace.h"

/* DIR/NAME.w32.gmt.zst -> DIR/NAME.pcs.json, as the reader looks for it. */
static void codes_path(char path[HOST_PATH], const char *out)
{
    const char *slash = strrchr(out, '/'), *file = slash ? slash + 1 : out, *end = strstr(file, ".gmt");
    size_t stem = end ? (size_t)(end - out) : strlen(out);

    if (end && end - file > 4 && (!strncmp(end - 4, ".w32", 4) || !strncmp(end - 4, ".w64", 4)))
        stem -= 4;
    snprintf(path, HOST_PATH, "%.*s.pcs.json", (int)stem, out);
}

/* In the folder of `out`, which has room for it; without a name, so that nothing is left after a crash. */
static FILE *open_unnamed(const char *out, struct mh_error *err)
{
    const char *slash = strrchr(out, '/');
    char path[HOST_PATH];
    FILE *f;
    int fd;

    snprintf(path, sizeof path, "%.*smemhelm-record-XXXXXX", slash ? (int)(slash + 1 - out) : 0, out);
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    f = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (!f)
        (void)mh_fail(err, "%s: cannot write: %s", out, strerror(errno));
    return f;
}

/* "exited with 3" or "was ended by signal 11 (Segmentation fault)". */
static const char *how_it_ended(const struct record_end *e)
{
    static char text[96];

    if (WIFSIGNALED(e->status))
        snprintf(text, sizeof text, "was ended by signal %d (%s)", WTERMSIG(e->status), strsignal(WTERMSIG(e->status)));
    else
        snprintf(text, sizeof text, "exited with %d", WEXITSTATUS(e->status));
    return text;
}

/* Why there is nothing to write. */
static int nothing(const struct record_request *q, const struct recording *r, const struct record_end *e,
                   struct mh_error *err)
{
    if (e->interrupted)
        return mh_fail(err, "interrupted before a launch was whole: nothing is written");
    if (r->full)
        return mh_fail(err,
                       "--max-size: not even one CTA fits: nothing is written; give more, or record a smaller problem");
    if (r->seen)
        return mh_fail(err,
                       "%.200s launched %u kernels (launches 0 to %u), none of which --launches and --ctas select: "
                       "nothing is written",
                       q->argv[0], r->seen, r->seen - 1);
    if (!r->process)
        return mh_fail(err,
                       "%.200s %s and never used OpenCL: nothing is written. Does it take its OpenCL functions from "
                       "libOpenCL.so (`ldd` shows it)? One that links them statically, or loads a vendor's library "
                       "by name, does not meet Oclgrind",
                       q->argv[0], how_it_ended(e));
    return mh_fail(
        err,
        "%.200s %s and launched no kernel: nothing is written. Does it find its device? `oclgrind PROGRAM` runs it "
        "without recording; Oclgrind offers one device of every type",
        q->argv[0], how_it_ended(e));
}

/* Reads the recording back, which checks it, and writes it with checksums. */
static int write_trace(const char *out, FILE *recording, struct mh_error *err)
{
    char path[64];
    struct mh_workload *w;
    int status;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(recording));
    w = mh_trace_open(path, (struct mh_trace_how){0}, err);
    if (!w)
        return -1;
    status = mh_gmt_write(w, out, MH_GMT1, err);
    mh_trace_close(w);
    return status;
}

static void tell_cut(const struct record_request *q, const struct recording *r)
{
    const struct recorded_launch *last = &r->launch[r->launches - 1];

    if (r->full && last->ctas < last->total)
        fprintf(stderr,
                "memhelm: cut: --max-size %" PRIu64 " was reached in launch %u (%s), which has %" PRIu64 " of %" PRIu64
                " CTAs; later launches are not in it\n",
                q->max_bytes, last->number, last->name, last->ctas, last->total);
    else if (r->full)
        fprintf(stderr,
                "memhelm: cut: --max-size %" PRIu64
                " was reached behind launch %u (%s); later launches are not in it\n",
                q->max_bytes, last->number, last->name);
    if (r->outside)
        fprintf(stderr, "memhelm: %" PRIu64 " accesses of work items were outside of all buffers: left out\n",
                r->outside);
    if (r->copied)
        fprintf(stderr, "memhelm: async_work_group_copy() moved %" PRIu64 " bytes to or from global memory: left out\n",
                r->copied);
}

static void tell(const struct record_request *q, const struct recording *r, const struct record_end *e)
{
    uint64_t ctas = 0, total = 0;

    for (unsigned i = 0; i < r->launches; i++) {
        ctas += r->launch[i].ctas;
        total += r->launch[i].total;
    }
    fprintf(stderr,
            "memhelm: %s: %u of %u launches%s, %" PRIu64 " of their %" PRIu64
            " CTAs; `memhelm trace info %s` shows it\n",
            q->out, r->launches, r->seen, e->stopped || e->interrupted ? " until then" : "", ctas, total, q->out);
    tell_cut(q, r);
    if (e->interrupted)
        fprintf(stderr, "memhelm: interrupted: the launches that were whole are written\n");
    else if (!e->stopped && e->status)
        fprintf(stderr, "memhelm: %s %s; its launches are written\n", q->argv[0], how_it_ended(e));
}

static int finish(const struct record_request *q, struct recording *r, const struct record_end *e, struct mh_error *err)
{
    char codes[HOST_PATH];

    codes_path(codes, q->out);
    if (recording_end(r, !e->stopped, err))
        return -1;
    if (!r->launches)
        return nothing(q, r, e, err);
    if (recording_write_codes(r, codes, err))
        return -1;
    if (write_trace(q->out, r->out, err)) {
        unlink(codes);
        return -1;
    }
    tell(q, r, e);
    return e->interrupted || (!e->stopped && e->status);
}

int record(const struct record_request *q, struct mh_error *err)
{
    struct recording r = {0};
    struct record_end end;
    FILE *unnamed;
    int status;

    if (program_check(q->argv[0], err) || check_writable(q->out, err))
        return -1;
    unnamed = open_unnamed(q->out, err);
    if (!unnamed)
        return -1;
    status = recording_start(&r, unnamed, q->lanes, q->max_bytes, err);
    if (!status)
        status = program_run(q, &r, &end, err);
    if (!status)
        status = finish(q, &r, &end, err);
    fclose(unnamed);
    recording_free(&r);
    return status;
}
