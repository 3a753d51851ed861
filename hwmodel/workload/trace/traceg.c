/*
 * Reading the traces of Accel-Sim: a kernelslist.g and its kernel-N.traceg files, or one such file alone. The format
 * is that of accel-sim-framework: written by util/tracer_nvbit, read by gpu-simulator/trace-parser/trace_parser.cc.
 *
 * A line of kernelslist.g is `MemcpyHtoD,0xADDRESS,BYTES` (counted, not simulated), another copy or a call of NCCL
 * (skipped) or a file beside the list. Kernels run in sequence in the list's order, whatever their CUDA stream. A
 * kernel's file is a header (traceg_header.c), then for each thread block `#BEGIN_TB`, `thread block = X,Y,Z`,
 * [`cluster ..`], for each warp `warp = N`, `insts = N` and N lines (traceg_line.h), at last `#END_TB`.
 */
#include "workload/trace/traceg.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 1 << 16, MAX_INSTRUCTIONS = 1 << 30 };

bool mh_traceg_fail(struct mh_traceg *p, const char *format, ...)
{
    char what[512];
    va_list ap;

    va_start(ap, format);
    vsnprintf(what, sizeof what, format, ap);
    va_end(ap);
    (void)mh_fail(p->err, "%.384s:%llu: %s", p->in.source.path ? p->in.source.path : p->name,
                  (unsigned long long)p->in.line_number, what);
    return false;
}

/* False at the end of the file, and when there is a failure: in.failure. */
static bool line_or_end(struct mh_traceg *p, const char **line)
{
    do {
        if (!p->has_line && !mh_stream_line(&p->in))
            return false;
        p->has_line = false;
        for (*line = p->in.line; **line == ' ' || **line == '\t'; (*line)++)
            ;
    } while (!**line);
    return true;
}

bool mh_traceg_next_line(struct mh_traceg *p, const char **line, const char *expected)
{
    if (line_or_end(p, line))
        return true;
    p->in.line_number++;
    return mh_traceg_fail(p, "expected %s, but %s: the trace is incomplete, get it again", expected,
                          p->in.failure ? p->in.failure : "the file ends");
}

/* ---- thread blocks ---- */

static bool get_cta(struct mh_traceg *p)
{
    const uint32_t *grid = p->r.head.shape.grid;
    unsigned x, y, z;
    const char *line;
    int end = 0;

    if (!mh_traceg_next_line(p, &line, "'thread block = X,Y,Z'"))
        return false;
    if (sscanf(line, "thread block = %9u,%9u,%9u%n", &x, &y, &z, &end) != 3)
        return mh_traceg_fail(p, "expected 'thread block = X,Y,Z', found '%.60s'", line);
    if (x >= grid[0] || y >= grid[1] || z >= grid[2])
        return mh_traceg_fail(p, "expected a thread block of the grid (%u,%u,%u), found %u,%u,%u", grid[0], grid[1],
                              grid[2], x, y, z);
    if (p->ctas++ == p->r.head.ctas)
        return mh_traceg_fail(p, "expected at most the %llu thread blocks of the grid, found another",
                              (unsigned long long)p->r.head.ctas);
    p->r.cta = x + (uint64_t)grid[0] * (y + (uint64_t)grid[1] * z);
    p->any_cta = true;
    return true;
}

static bool get_warp(struct mh_traceg *p, const char *line)
{
    unsigned warp, count;

    if (sscanf(line, "warp = %9u", &warp) != 1)
        return mh_traceg_fail(p, "expected 'warp = N' or '#END_TB', found '%.60s'", line);
    if (warp < p->warp || warp >= p->warps)
        return mh_traceg_fail(p, "expected a warp from %u to %u, in ascending order, found %u", p->warp, p->warps - 1,
                              warp);
    while (p->warp < warp) {
        if (!mh_traceg_empty_warp(p))
            return false;
        p->warp++;
    }
    if (!mh_traceg_next_line(p, &line, "'insts = N'"))
        return false;
    if (sscanf(line, "insts = %10u", &count) != 1 || count > MAX_INSTRUCTIONS)
        return mh_traceg_fail(p, "expected 'insts = N', N at most %d, found '%.60s'", MAX_INSTRUCTIONS, line);
    if (!mh_traceg_warp(p, count))
        return false;
    p->warp++;
    return true;
}

static bool read_cta(struct mh_trace_reader *r, struct mh_trace_sink *sink, struct mh_error *err)
{
    struct mh_traceg *p = (struct mh_traceg *)r;
    const char *line;

    p->sink = sink;
    p->err = err;
    p->warp = 0;
    for (;;) {
        if (!mh_traceg_next_line(p, &line, "'warp = N' or '#END_TB'"))
            return false;
        if (strncmp(line, "#END_TB", 7) == 0)
            break;
        /* Of thread block clusters: 'cluster id', 'cluster cta', 'cluster rank'. */
        if (strncmp(line, "cluster ", 8) != 0 && !get_warp(p, line))
            return false;
    }
    for (; p->warp < p->warps; p->warp++)
        if (!mh_traceg_empty_warp(p))
            return false;
    return true;
}

/* ---- files ---- */

static enum mh_trace_item next_file(struct mh_traceg *p)
{
    struct mh_source source = p->memory;

    if (p->next_file == p->file_count) {
        if (p->any_cta)
            return MH_TRACE_END;
        (void)mh_fail(p->err, "%.384s: the trace has no thread block", p->name);
        return MH_TRACE_FAILED;
    }
    if (!source.data)
        source = (struct mh_source){.path = p->file[p->next_file]};
    if (mh_stream_open(&p->in, &source, p->err))
        return MH_TRACE_FAILED;
    p->r.at = p->next_file++;
    p->ctas = 0;
    return mh_traceg_header(p) ? MH_TRACE_LAUNCH : MH_TRACE_FAILED;
}

static enum mh_trace_item next(struct mh_trace_reader *r, struct mh_error *err)
{
    struct mh_traceg *p = (struct mh_traceg *)r;
    const char *line;

    p->err = err;
    if (!p->in.source.path)
        return next_file(p);
    while (line_or_end(p, &line)) {
        if (strncmp(line, "#BEGIN_TB", 9) == 0)
            return get_cta(p) ? MH_TRACE_CTA : MH_TRACE_FAILED;
        if (*line != '#') {
            (void)mh_traceg_fail(p,
                                 "expected '#BEGIN_TB', found '%.40s': a .trace file has to go through Accel-Sim's "
                                 "post-traces-processing, which makes a .traceg of it",
                                 line);
            return MH_TRACE_FAILED;
        }
    }
    if (p->in.failure) {
        (void)mh_traceg_next_line(p, &line, "'#BEGIN_TB' or the end");
        return MH_TRACE_FAILED;
    }
    mh_stream_end(&p->in);
    return next_file(p);
}

static bool rewind_traceg(struct mh_trace_reader *r, uint32_t launch, struct mh_error *err)
{
    struct mh_traceg *p = (struct mh_traceg *)r;

    (void)err;
    mh_stream_end(&p->in);
    p->next_file = launch;
    r->at = (int64_t)launch - 1;
    return true;
}

static bool finish(struct mh_trace_reader *r, struct mh_workload *w, struct mh_error *err)
{
    struct mh_traceg *p = (struct mh_traceg *)r;

    if (!mh_pages_seal(&p->pages) || !(w->buffers = mh_pages_ranges(&p->pages, &w->buffer_count)))
        return mh_fail(err, "%.384s: out of memory for pages", p->name) == 0;
    p->checked = true;
    r->about.mix = p->mix;
    r->about.pcs = p->pcs.pc;
    r->about.pc_count = p->pcs.count;
    return true;
}

static void destroy(struct mh_trace_reader *r)
{
    struct mh_traceg *p = (struct mh_traceg *)r;

    mh_stream_end(&p->in);
    mh_pages_free(&p->pages);
    for (uint32_t i = 0; i < p->file_count; i++)
        free(p->file[i]);
    free(p->file);
    for (uint32_t i = 0; i < p->kernel_count; i++)
        free(p->kernel[i]);
    free(p->kernel);
    free(p->pcs.pc);
    free(p->pcs.table);
    free(p->name);
    free(p);
}

static bool add_file(struct mh_traceg *p, const char *folder, size_t folder_length, const char *name)
{
    size_t size = folder_length + strlen(name) + 1;
    char **grown, *path;

    if (p->file_count == MAX_FILES)
        return mh_traceg_fail(p, "more than %d kernels", MAX_FILES);
    grown = realloc(p->file, (p->file_count + 1) * sizeof *grown);
    if (grown)
        p->file = grown;
    path = grown ? malloc(size) : NULL;
    if (!path)
        return mh_traceg_fail(p, "out of memory");
    snprintf(path, size, "%.*s%s", (int)folder_length, folder, name);
    p->file[p->file_count++] = path;
    return true;
}

/* ---- the list ---- */

static bool get_copy(struct mh_traceg *p, const char *line)
{
    unsigned long long address, bytes;
    int end = 0;

    if (sscanf(line, "MemcpyHtoD,%llx,%llu%n", &address, &bytes, &end) != 2 || line[end])
        return mh_traceg_fail(p, "expected 'MemcpyHtoD,0xADDRESS,BYTES', found '%.60s'", line);
    p->r.about.memcpys++;
    p->r.about.memcpy_bytes += bytes;
    return true;
}

/* Other copies, and calls of NCCL between GPUs: Accel-Sim's own reader goes on behind them, too. */
static bool beside(const char *line)
{
    return strncmp(line, "Memcpy", 6) == 0 || strncmp(line, "Memset", 6) == 0 || strncmp(line, "nccl", 4) == 0;
}

static bool get_list(struct mh_traceg *p)
{
    const char *slash = strrchr(p->name, '/'), *line;
    size_t folder = slash ? (size_t)(slash - p->name) + 1 : 0;

    while (line_or_end(p, &line)) {
        size_t length = strcspn(line, " \t");

        if (strncmp(line, "MemcpyHtoD", 10) == 0) {
            if (!get_copy(p, line))
                return false;
        } else if (strncmp(line, "kernel", 6) == 0 && !line[length]) {
            if (!add_file(p, p->name, folder, line))
                return false;
        } else if (!beside(line)) {
            return mh_traceg_fail(p, "expected 'MemcpyHtoD,0xADDRESS,BYTES' or a file 'kernel-N.traceg', found '%.60s'",
                                  line);
        }
    }
    if (p->in.failure)
        return mh_traceg_next_line(p, &line, "a kernel's file");
    return p->file_count || mh_traceg_fail(p, "expected a file 'kernel-N.traceg', found none in the list");
}

/* What is to be read: the files of the list, or this file. */
static bool get_files(struct mh_traceg *p)
{
    const char *line;
    bool ok;

    if (!line_or_end(p, &line))
        return mh_traceg_next_line(p, &line, "a list of kernels, or a kernel");
    if (*line == '-' || *line == '#') {
        p->memory = p->in.source;
        ok = add_file(p, "", 0, p->name);
    } else {
        p->has_line = true;
        ok = get_list(p);
        p->r.about.files = p->file;
        p->r.about.file_count = p->file_count;
    }
    mh_stream_end(&p->in);
    p->has_line = false;
    return ok;
}

struct mh_trace_reader *mh_traceg_reader(struct mh_stream *in, uint32_t lanes, struct mh_error *err)
{
    struct mh_traceg *p = calloc(1, sizeof *p);

    if (!p || !(p->name = strdup(in->source.path))) {
        (void)mh_fail(err, "%.384s: out of memory", in->source.path);
        mh_stream_end(in);
        free(p);
        return NULL;
    }
    p->r = (struct mh_trace_reader){next, read_cta, rewind_traceg, finish, destroy, .at = -1};
    p->r.about = (struct mh_trace_about){.format = "Accel-Sim traceg", .lanes = MH_TRACEG_LANES, .dependences = true};
    p->in = *in;
    p->err = err;
    if (lanes && lanes != MH_TRACEG_LANES)
        mh_trace_fail_width(p->name, MH_TRACEG_LANES, lanes,
                            "a configuration with sm.lanes = 32 (Accel-Sim's traces have no other width)", err);
    else if (get_files(p))
        return &p->r;
    destroy(&p->r);
    return NULL;
}
