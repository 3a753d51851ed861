#define _GNU_SOURCE
#include <stdio.h>

#include "base/memory.h"
#include "explain/explain.h"
#include "sweep_private.h"

/* sm.wait_reasons may be varied, too. */
static bool has_reasons(const struct point *p)
{
    const struct sim *s = p->run ? &p->run->sim : NULL;
    return s && s->state == SIM_DONE && s->result.end == MH_END_PASS && s->cfg.sm.wait_reasons;
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
    if (p == first || !has_reasons(p) || !has_reasons(first))
        return NULL;
    const struct explain_run runs[2] = {of(s, 0, first), of(s, place_of(s, n).image, p)};
    FILE *out = must(open_memstream(&text, &size));
    explain_say(runs, out);
    fclose(out);
    return text;
}
