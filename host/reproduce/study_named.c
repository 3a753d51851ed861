#include "study_named.h"

#include <stdio.h>
#include <string.h>

#include "study.h"

static int add_list(const struct study *study, const char *list, struct words *out, struct mh_error *err)
{
    const struct measure m = {.lists = {list}, .list_count = 1};
    unsigned count = 0;
    struct workload *w = study_workloads(study, &m, &count, err);
    int status = w ? 0 : -1;
    for (unsigned i = 0; !status && i < count; i++)
        if (!words_have(out, w[i].spec))
            status = words_add(out, w[i].spec, strlen(w[i].spec)) ? mh_fail(err, "out of memory") : 0;
    study_free_workloads(w, count);
    return status;
}

static int unknown_list(const struct study *study, const char *list, struct mh_error *err)
{
    char names[512] = "";
    for (unsigned i = 0; i < study->list_count; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s", study->lists[i].name);
    return mh_fail(err, "workload @%s:%.60s: study %s has no such list; there are:%s", study->name, list, study->name,
                   names);
}

int study_named_list(const char *name, struct words *out, struct mh_error *err)
{
    struct study study;
    char paper[32];
    const char *list = strchr(name, ':') + 1;
    snprintf(paper, sizeof paper, "%.*s", (int)(list - 1 - name), name);
    if (!study_name(paper))
        return mh_fail(err, "workload @%.60s: no list of yours, and %.30s is no study; there are: %s", name, paper,
                       study_names());
    if (study_open(&study, paper, NULL, err))
        return -1;
    bool there = false;
    for (unsigned i = 0; i < study.list_count; i++)
        there |= !strcmp(study.lists[i].name, list);
    int status = there ? add_list(&study, list, out, err) : unknown_list(&study, list, err);
    study_close(&study);
    return status;
}
