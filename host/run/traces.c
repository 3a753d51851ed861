#include "traces.h"

#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/words.h"
#include "memhelm/kernels.h"
#include "memhelm/trace.h"
#include "store.h"

enum { LINE = 32 /* room for the header's */ };

struct hashes {
    struct hash *all;
    char text[HASH_TEXT]; /* of the last file */
    unsigned files;
};

/* The first `length` characters of a path. */
static bool has_end(const char *path, size_t *length, const char *end)
{
    const size_t n = strlen(end);
    if (*length <= n || strncmp(path + *length - n, end, n) != 0)
        return false;
    *length -= n;
    return true;
}

/* Lists and kernels alike may be compressed. */
bool trace_is_text(const char *path)
{
    size_t length = strlen(path);
    (void)(has_end(path, &length, ".xz") || has_end(path, &length, ".gz") || has_end(path, &length, ".zst"));
    return has_end(path, &length, ".traceg") || has_end(path, &length, ".g");
}

/* Warp width of a trace (GMT1 and GMT2, plain or zstd, by their header; Accel-Sim's by their names); 0 when it is
 * none. */
static unsigned trace_width(const char *path)
{
    char line[LINE + 1] = "";
    unsigned width = 0;
    struct mh_error unused;
    const char *why;
    struct byte_stream *s = byte_stream_open(path, &unused);
    if (!s)
        return 0;
    if (trace_is_text(path)) /* they have no other width */
        width = 32;
    else if (byte_stream_read(s, line, LINE, &why) < 0 ||
             (sscanf(line, "GMT1 warp=%u", &width) != 1 && sscanf(line, "GMT2.%*u warp=%u", &width) != 1))
        width = 0;
    byte_stream_close(s);
    return width;
}

/* Without the part that leads to where the user is: the rest can be pasted into --workload. */
static const char *from_here(const char *path, const char *here)
{
    size_t n = strlen(here);
    return !strncmp(path, here, n) && path[n] == '/' ? path + n + 1 : path;
}

static int add_digest(void *hashes, const char *file, struct mh_error *err)
{
    struct hashes *h = hashes;
    h->files++;
    if (hash_file(file, h->text, err))
        return -1;
    hash_add(h->all, h->text, strlen(h->text));
    return 0;
}

int trace_hash(const char *path, char text[HASH_TEXT], struct mh_error *err)
{
    char all[HASH_TEXT];
    struct hashes h = {.all = hash_begin()};
    int status = mh_trace_files(path, add_digest, &h, err);
    hash_end(h.all, all);
    if (!status)
        memcpy(text, h.files > 1 ? all : h.text, HASH_TEXT);
    return status;
}

unsigned traces_list(const char *dir)
{
    char pattern[2 * PATH_MAX + 160], quoted[2 * PATH_MAX], full[PATH_MAX], here[PATH_MAX] = "";
    glob_t found;
    struct stat st;
    if (!realpath(dir, full) || !getcwd(here, sizeof here))
        return 0;
    patterns_quote(quoted, sizeof quoted, full);
    snprintf(
        pattern, sizeof pattern,
        "%s/{*.gmt*,*.traceg,*.traceg.xz,*.traceg.gz,*.traceg.zst,kernelslist*.g,kernelslist*.g.xz,kernelslist*.g.gz}",
        quoted);
    if (glob(pattern, GLOB_BRACE, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        unsigned width = trace_width(path);
        if (width && !stat(path, &st))
            printf("trace:%s  %u lanes, %.1f KiB\n", from_here(path, here), width, (double)st.st_size / 1024);
    }
    unsigned count = (unsigned)found.gl_pathc;
    globfree(&found);
    return count;
}

#define TRACE "trace:"

/* Renamed when it is whole. */
static int make(const char *path, const char *kept, struct mh_error *err)
{
    char temporary[HOST_PATH];
    struct mh_workload *w = mh_trace_open(path, (struct mh_trace_how){0}, err);
    if (!w)
        return -1;
    int n = snprintf(temporary, sizeof temporary, "%s.%ld.zst", kept, (long)getpid());
    bool can = n < (int)sizeof temporary && !mh_trace_about(w)->assumption; /* a copy would not say what was assumed */
    int status = can ? mh_gmt_write(w, temporary, MH_GMT2, err) : -1;
    mh_trace_close(w);
    if (!status && rename(temporary, kept)) {
        unlink(temporary);
        status = -1;
    }
    return status;
}

/* It may have been damaged since. */
static bool is_whole(const char *kept)
{
    struct mh_error err;
    struct mh_workload *w = access(kept, R_OK) ? NULL : mh_trace_open(kept, (struct mh_trace_how){0}, &err);
    if (w)
        mh_trace_close(w);
    return w != NULL;
}

/* Where the copy is; -1: there is none, and none could be made. */
static int find(const char *path, char kept[HOST_PATH])
{
    char dir[HOST_PATH], name[2 * HASH_TEXT + 16], hash[HASH_TEXT];
    struct mh_error err;
    if (!trace_is_text(path) || trace_hash(path, hash, &err) || store_dir("traces", dir, &err) || make_dirs(dir, &err))
        return -1;
    snprintf(name, sizeof name, "%s-%.16s.gmt.zst", hash, provenance_model());
    if (path_join(kept, dir, name, &err))
        return -1;
    return is_whole(kept) || (!make(path, kept, &err) && is_whole(kept)) ? 0 : -1;
}

/* The copies of traces, "": the trace itself is read. Files do not change while this process runs. */
static struct memo *copies;

static const char *kept_of(const char *path)
{
    struct memo *m = memo_of(&copies, path);
    char kept[HOST_PATH];
    if (!m->text)
        m->text = must(strdup(find(path, kept) ? "" : kept));
    return m->text;
}

static void replace(char kernel[MH_PATH_MAX])
{
    const char *launches = mh_launches_part(kernel);
    char path[MH_PATH_MAX], whole[2 * MH_PATH_MAX];
    snprintf(path, sizeof path, "%.*s", (int)(launches - kernel - (int)strlen(TRACE)), kernel + strlen(TRACE));
    const char *kept = kept_of(path);
    int n = snprintf(whole, sizeof whole, TRACE "%s%s", kept, launches);
    if (*kept && n < MH_PATH_MAX) {
        memset(kernel, 0, MH_PATH_MAX);
        memcpy(kernel, whole, (size_t)n);
    }
}

void trace_kept_config(const struct mh_config *cfg, struct mh_config *kept)
{
    struct mh_error err; /* the reader of the file reports it, too */
    if (piped_config(cfg, kept, &err))
        return;
    if (cfg->workload.trace_lenient) /* a copy would not say what was assumed */
        return;
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (!strncmp(kept->tenants[t].kernel, TRACE, strlen(TRACE)))
            replace(kept->tenants[t].kernel);
}

void trace_kept_names(char *text, size_t size)
{
    for (const struct memo *m = copies; m; m = m->next)
        piped_rename(text, size, m->text, m->key);
    piped_names(text, size);
}
