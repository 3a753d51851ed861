#include "trace_kept.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/provenance.h"
#include "memhelm/kernels.h"
#include "memhelm/trace.h"
#include "piped.h"
#include "store.h"
#include "traces.h"

#define TRACE "trace:"

/* What this process found out about a trace: files do not change while one runs. */
struct known {
    struct known *next;
    char path[MH_PATH_MAX], kept[HOST_PATH]; /* kept: empty = read the trace itself */
};

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

static struct known *list;

static const char *kept_of(const char *path)
{
    struct known *k = list;
    while (k && strcmp(k->path, path))
        k = k->next;
    if (k)
        return k->kept;
    k = calloc(1, sizeof *k);
    if (!k)
        return "";
    snprintf(k->path, sizeof k->path, "%s", path);
    if (find(path, k->kept))
        *k->kept = 0;
    k->next = list;
    list = k;
    return k->kept;
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
    for (const struct known *k = list; k; k = k->next)
        piped_rename(text, size, k->kept, k->path);
    piped_names(text, size);
}
