#include "files.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/standard_output.h"
#include "memhelm/config_file.h"
#include "memhelm/trace.h"
#include "run/setup.h"

struct list {
    const char **paths;
    unsigned count, room;
};

static struct list outputs, inputs;

static void add(struct list *l, const char *path)
{
    const char **more = path ? grow(l->paths, l->count, &l->room, sizeof *l->paths) : NULL;
    if (!more)
        return; /* without memory nothing will be run, either */
    l->paths = more;
    l->paths[l->count++] = path;
}

void files_output(const char *path)
{
    add(&outputs, path);
}

void files_input(const char *path)
{
    add(&inputs, path);
}

static int add_part(void *ctx, const char *file, struct mh_error *err)
{
    (void)ctx, (void)err;
    files_input(strdup(file)); /* kept to the program's end */
    return 0;
}

void files_trace(const char *path)
{
    struct mh_error later;
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || mh_trace_files(path, add_part, NULL, &later))
        files_input(strdup(path));
}

void files_kernel(const char *kernel)
{
    char file[MH_PATH_MAX];
    if (!setup_file(kernel, file))
        return;
    if (!strncmp(kernel, "trace:", strlen("trace:")))
        files_trace(file);
    else
        files_input(strdup(file));
}

void files_workload(const char *workload)
{
    struct mh_config *cfg = calloc(1, sizeof *cfg);
    struct mh_error later;
    const bool read = cfg && !mh_config_workload(cfg, workload, &later);
    for (uint32_t t = 0; read && t < cfg->tenants_count; t++)
        files_kernel(cfg->tenants[t].kernel);
    free(cfg);
}

/* Of files that are not there yet only the names tell; /dev/stdout may be a file, and takes both. */
static bool are_one(const char *a, const char *b)
{
    return (same_file(a, b) || !strcmp(a, b)) && strncmp(a, "/dev/", strlen("/dev/"));
}

static int check_output(unsigned i, struct mh_error *err)
{
    const char *path = outputs.paths[i];
    for (unsigned k = 0; k < inputs.count; k++)
        if (!standard_output_named(path) && same_file(path, inputs.paths[k]))
            return mh_fail(err, "%s: would be written over, but it is read: choose another name for the result", path);
    for (unsigned k = 0; k < i; k++)
        if (standard_output_named(path) && standard_output_named(outputs.paths[k]))
            return mh_fail(err, "-: two results would go to standard output: give one a file of its own");
        else if (are_one(path, outputs.paths[k]))
            return mh_fail(err, "%s: two results would be written to it: give each a file of its own", path);
    return 0;
}

int files_check(struct mh_error *err)
{
    for (unsigned i = 0; i < outputs.count; i++)
        if (check_output(i, err))
            return -1;
    return 0;
}

int files_take(struct mh_error *err)
{
    int status = files_check(err);
    for (unsigned i = 0; !status && i < outputs.count; i++)
        if (standard_output_named(outputs.paths[i]))
            status = standard_output_take(err);
    return status;
}
