#include "workload_check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memhelm/kernels.h"
#include "run/setup.h"

#define TRACE "trace:"

/* Adds the files of "A+trace:FILE" that cannot be read to `missing`, each once; returns how many. */
static unsigned add_missing(const char *spec, char *missing, size_t size)
{
    unsigned count = 0;
    for (const char *part = spec; *part; part += strcspn(part, "+"), part += *part == '+') {
        char file[HOST_PATH];
        size_t used = strlen(missing);
        if (strncmp(part, TRACE, strlen(TRACE)))
            continue;
        part += strlen(TRACE);
        snprintf(file, sizeof file, "%.*s", (int)strcspn(part, "+"), part);
        file[mh_launches_part(file) - file] = 0;
        if (!access(file, R_OK) || strstr(missing, file))
            continue;
        snprintf(missing + used, size - used, " %s", file);
        count++;
    }
    return count;
}

static int find_missing(const struct workload *workloads, unsigned count, struct mh_error *err)
{
    char missing[640] = "", here[HOST_PATH] = "";
    unsigned files = 0;
    for (unsigned i = 0; i < count; i++)
        files += add_missing(workloads[i].spec, missing, sizeof missing);
    if (!files)
        return 0;
    if (!getcwd(here, sizeof here))
        snprintf(here, sizeof here, "the current folder");
    return mh_fail(err,
                   "recordings that cannot be read, looked for from %.200s:%s; call memhelm from the top of its source "
                   "tree, or give others with --workload trace:FILE",
                   here, missing);
}

/* Builds the GPU, which reads recordings to their end. */
static int check_one(const struct study *s, const struct workload *w, const struct plan_options *po,
                     struct mh_error *err)
{
    struct options o;
    struct mh_config *cfg = calloc(1, sizeof *cfg);
    options_init(&o);
    o.preset = s->common.preset;
    o.workload = w->spec;
    for (unsigned i = 0; i < po->set_count; i++)
        o.sets[o.set_count++] = po->sets[i];
    int status = cfg ? setup_config(&o, cfg, err) : mh_fail(err, "out of memory");
    free(cfg);
    return status;
}

static int check_all(const struct study *s, const struct workload *workloads, unsigned count, bool recorded,
                     const struct plan_options *o, struct mh_error *err)
{
    int status = find_missing(workloads, count, err);
    for (unsigned i = 0; i < count && !status; i++)
        if (!recorded || strstr(workloads[i].spec, TRACE))
            status = check_one(s, &workloads[i], o, err);
    return status;
}

int workload_check_recordings(const struct study *s, const struct workload *workloads, unsigned count,
                              const struct plan_options *o, struct mh_error *err)
{
    return check_all(s, workloads, count, true, o, err);
}

int workload_check(const struct study *s, const char *const *workloads, unsigned count, const struct plan_options *o,
                   struct mh_error *err)
{
    struct measure m = {.list_count = count};
    memcpy(m.lists, workloads, count * sizeof *workloads);
    unsigned found;
    struct workload *all = count ? study_workloads(s, &m, &found, err) : NULL;
    if (!all)
        return count ? -1 : 0;
    int status = check_all(s, all, found, false, o, err);
    study_free_workloads(all, found);
    return status;
}
