#include "groups.h"

#include <math.h>
#include <string.h>

#include "best.h"

static bool same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

/* The first workload of a group stands for it. */
static bool begins(const struct search *s, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (same(s->workloads[k].group, s->workloads[i].group))
            return false;
    return s->workloads[i].group != NULL;
}

const char *groups_name(const struct search *s, unsigned i)
{
    for (unsigned w = 0; w < s->request->workload_count; w++)
        if (begins(s, w) && !i--)
            return s->workloads[w].group;
    return NULL;
}

static bool is_in(const struct search_workload *w, const char *group)
{
    return !group || same(w->group, group);
}

void groups_count(const struct search *s, const char *group, unsigned *workloads, unsigned *combinations)
{
    *workloads = *combinations = 0;
    for (unsigned i = 0; i < s->request->workload_count; i++)
        if (is_in(&s->workloads[i], group)) {
            ++*workloads;
            *combinations += s->workloads[i].all.count;
        }
}

double groups_mean(const struct search *s, const char *group, unsigned metric)
{
    double sum = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        const struct search_workload *w = &s->workloads[i];
        if (!is_in(w, group))
            continue;
        int best = search_best(s, w, metric);
        sum += best < 0 ? (double)NAN : log(search_value(s, w, best, metric).mean);
        count++;
    }
    return exp(sum / count);
}
