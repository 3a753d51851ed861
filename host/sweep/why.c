#define _GNU_SOURCE
#include <stdio.h>

#include "base/memory.h"
#include "explain/explain.h"
#include "sweep_private.h"

static bool has_result(const struct point *p)
{
    return p->run && p->run->sim.state == SIM_DONE && p->run->sim.result.end == MH_END_PASS;
}

static struct explain_run of(const struct sweep *s, unsigned image, const struct point *p)
{
    const struct sim *sim = &p->run->sim;
    return (struct explain_run){s->request->spec.images.text[image], &sim->cfg, &sim->result.stats};
}

char *why_text(const struct sweep *s, uint64_t n, const struct point *p, const struct point *first)
{
    char *text = NULL;
    size_t size;
    if (p == first || !has_result(p) || !has_result(first))
        return NULL;
    const struct explain_run runs[2] = {of(s, 0, first), of(s, place_of(s, n).image, p)};
    FILE *out = must(open_memstream(&text, &size));
    explain_say(runs, out);
    fclose(out);
    return text;
}
