/*
 * Reading the traces of Accel-Sim: a kernelslist.g and its kernel-N.traceg files, or one such file alone. The format
 * is that of accel-sim-framework: written by util/tracer_nvbit, read by gpu-simulator/trace-parser/trace_parser.cc.
 *
 * A line of kernelslist.g that begins with `kernel` is a file in the list's folder; `MemcpyHtoD,0xADDRESS,BYTES` is
 * counted, not simulated; all others, such as comments, other copies or calls of NCCL, are skipped. Kernels run in
 * sequence in the list's order, whatever their CUDA stream. A kernel's file is a header (traceg_header.c), then for
 * each thread block `#BEGIN_TB`, `thread block = X,Y,Z`, [`cluster ..`], for each warp `warp = N`, `insts = N` and N
 * lines (traceg.h), at last `#END_TB`.
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

    unsigned long long x, y, z;
    const char *line;

    if (!mh_traceg_next_line(p, &line, "'thread block = X,Y,Z'"))
        return false;
    if (sscanf(line, "thread block = %llu,%llu,%llu", &x, &y, &z) != 3)
        return mh_traceg_fail(p, "expected 'thread block = X,Y,Z', found '%.60s'", line);
    if (x >= grid[0] || y >= grid[1] || z >= grid[2])
        return mh_traceg_fail(p, "expected a thread block of the grid (%u,%u,%u), found %llu,%llu,%llu", grid[0],
                              grid[1], grid[2], x, y, z);
    if (p->ctas++ == p->r.head.ctas)
        return mh_traceg_fail(p, "expected at most the %llu thread blocks of the grid, found another",
                              (unsigned long long)p->r.head.ctas);
    p->r.cta = x + grid[0] * (y + grid[1] * z);
    p->any_cta = true;
    return true;
}

static bool get_warp(struct mh_traceg *p, const char *line)
{
    unsigned long long warp, count;

    if (sscanf(line, "warp = %llu", &warp) != 1)
        return mh_traceg_fail(p, "expected 'warp = N' or '#END_TB', found '%.60s'", line);
    if (warp < p->warp || warp >= p->warps)
        return mh_traceg_fail(p, "expected a warp from %u to %u, in ascending order, found %llu", p->warp, p->warps - 1,
                              warp);
    while (p->warp < warp) {
        if (!mh_traceg_empty_warp(p))
            return false;
        p->warp++;
    }
    if (!mh_traceg_next_line(p, &line, "'insts = N'"))
        return false;
    if (sscanf(line, "insts = %llu", &count) != 1 || count > MAX_INSTRUCTIONS)
        return mh_traceg_fail(p, "expected 'insts = N', N at most %d, found '%.60s'", MAX_INSTRUCTIONS, line);
    if (!mh_traceg_warp(p, (uint32_t)count))
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
    if (r->about.assumed > 1)
        snprintf(p->assumption + strlen(p->assumption), sizeof p->assumption - strlen(p->assumption),
                 ", and %llu more such in its headers", (unsigned long long)r->about.assumed - 1);
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

static bool add_file(struct mh_traceg *p, const char *folder, size_t before, const char *name, size_t length)
{
    size_t size = before + length + 1;
    char **grown, *path;

    if (p->file_count == MAX_FILES)
        return mh_traceg_fail(p, "more than %d kernels", MAX_FILES);
    grown = realloc(p->file, (p->file_count + 1) * sizeof *grown);
    if (grown)
        p->file = grown;
    path = grown ? malloc(size) : NULL;
    if (!path)
        return mh_traceg_fail(p, "out of memory");
    snprintf(path, size, "%.*s%.*s", (int)before, folder, (int)length, name);
    p->file[p->file_count++] = path;
    return true;
}

/* ---- the list ---- */

enum line { LINE_SKIPPED, LINE_COPY, LINE_FILE, LINE_HEADER };

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* As Accel-Sim's own reader has it: all other lines of a list are skipped, whatever they are. */
static enum line kind_of(const char *line)
{
    line += strspn(line, " \t");
    if (*line == '-' && line[1] >= 'a' && line[1] <= 'z' && strchr(line, '='))
        return LINE_HEADER;
    return begins(line, "MemcpyHtoD") ? LINE_COPY : begins(line, "kernel") ? LINE_FILE : LINE_SKIPPED;
}

/* What a line looks like that says nothing: for the error, where no line does. */
static enum mh_traceg_file likely(const char *line)
{
    static const char *const words[] = {"#", "Mem", "cuda", "nccl"};

    line += strspn(line, " \t");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(line, words[i]))
            return MH_TRACEG_LIST;
    return *line == '-' ? MH_TRACEG_KERNEL : MH_TRACEG_NONE;
}

enum mh_traceg_file mh_traceg_look(struct mh_stream *in)
{
    enum mh_traceg_file guess = MH_TRACEG_NONE;
    enum line kind = LINE_SKIPPED;
    bool more = true;

    while (more && kind == LINE_SKIPPED) {
        more = mh_stream_line(in);
        kind = kind_of(in->line);
        guess = guess ? guess : likely(in->line);
    }
    return kind == LINE_SKIPPED ? guess : kind == LINE_HEADER ? MH_TRACEG_KERNEL : MH_TRACEG_LIST;
}

/* MemcpyHtoD or, of a newer tracer, a name that begins so. */
static bool get_copy(struct mh_traceg *p, const char *line)
{
    const char *from = line + strcspn(line, ",");

    unsigned long long address, bytes;
    int end = 0;

    if (sscanf(from, ",%llx,%llu%n", &address, &bytes, &end) != 2 || from[end + (int)strspn(from + end, " \t")])
        return mh_traceg_fail(p, "expected 'MemcpyHtoD,0xADDRESS,BYTES', found '%.60s'", line);
    p->r.about.memcpys++;
    p->r.about.memcpy_bytes += bytes;
    return true;
}

/* Of the list's folder in its name; a descriptor has none. */
static size_t folder_length(const char *name)
{
    const char *slash = strrchr(name, '/');

    return !slash || begins(name, "/proc/") ? 0 : (size_t)(slash - name) + 1;
}

/* A kernel's file in another folder: skipped like all else, but hardly meant to be. */
static bool is_path_of_kernel(const char *line)
{
    const char *slash = strrchr(line, '/');

    return slash && *line != '#' && !begins(line, "//") && begins(slash + 1, "kernel") && strstr(slash, ".traceg");
}

static bool get_line(struct mh_traceg *p, const char *line)
{
    size_t end = strlen(line);

    switch (kind_of(line)) {
    case LINE_COPY:
        return get_copy(p, line);
    case LINE_FILE:
        while (line[end - 1] == ' ' || line[end - 1] == '\t')
            end--;
        return add_file(p, p->name, folder_length(p->name), line, end);
    default:
        if (is_path_of_kernel(line) && !p->r.about.assumed)
            mh_traceg_assume(p, "as Accel-Sim does with all lines that do not begin with `kernel`", "%.60s: skipped,",
                             line);
        return true;
    }
}

static bool get_list(struct mh_traceg *p)
{
    const char *line;

    while (line_or_end(p, &line))
        if (!get_line(p, line))
            return false;
    if (p->in.failure)
        return mh_traceg_next_line(p, &line, "a kernel's file");
    return p->file_count || mh_traceg_fail(p, "expected a file 'kernel-N.traceg', found none in the list");
}

/* What is to be read: the files of the list, or this file. */
static bool get_files(struct mh_traceg *p, enum mh_traceg_file file)
{
    bool ok;

    if (file == MH_TRACEG_KERNEL) {
        p->memory = p->in.source;
        ok = add_file(p, "", 0, p->name, strlen(p->name));
    } else {
        ok = get_list(p);
        p->r.about.files = p->file;
        p->r.about.file_count = p->file_count;
    }
    mh_stream_end(&p->in);
    return ok;
}

struct mh_trace_reader *mh_traceg_reader(struct mh_stream *in, enum mh_traceg_file file, struct mh_trace_how how,
                                         struct mh_error *err)
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
    p->lenient = how.lenient;
    if (how.lanes && how.lanes != MH_TRACEG_LANES)
        mh_trace_fail_width(p->name, MH_TRACEG_LANES, how.lanes,
                            "a configuration with sm.lanes = 32 (Accel-Sim's traces have no other width)", err);
    else if (get_files(p, file))
        return &p->r;
    destroy(&p->r);
    return NULL;
}
