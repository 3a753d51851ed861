#include "excess.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "growth.h"
#include "base/grow.h"

struct search {
    const struct budget *b;
    struct excess *list;
    unsigned count, room;
};

static void add(struct search *s, unsigned image, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(struct search *s, unsigned image, const char *format, ...)
{
    va_list list;
    struct excess *grown = grow(s->list, s->count, &s->room, sizeof *grown);
    if (!grown)
        abort();
    s->list = grown;
    struct excess *e = &s->list[s->count++];
    e->image = image;
    va_start(list, format);
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
}

/* "; f grew 372 -> 498 B": since the baseline, or who is largest. */
static void who(const struct budget *b, unsigned image, enum baseline_part part, char *text, size_t size)
{
    struct baseline now;
    char names[400];
    *text = 0;
    if (baseline_of(b, image, &now, NULL))
        return;
    growth_text(&now, &b->images[image].baseline, part, names, sizeof names);
    if (*names)
        snprintf(text, size, "; %s", names);
    baseline_free(&now);
}

static void find_bytes(struct search *s, unsigned image, enum limit limit, const char *what)
{
    const struct exception *why;
    const char *name = s->b->images[image].image.base;
    uint64_t may = limits_of(&s->b->limits, name, NULL, limit, &why), need = budget_need(s->b, image, limit);
    char text[500];
    if (need <= may)
        return;
    who(s->b, image, BASELINE_BYTES, text, sizeof text);
    add(s, image, "%s: %s %" PRIu64 " of %" PRIu64 " B%s", name, what, need, may, text);
}

static void find_stack(struct search *s, unsigned image)
{
    const struct budget_image *i = &s->b->images[image];
    const struct exception *why;
    uint64_t may = limits_of(&s->b->limits, i->image.base, NULL, LIMIT_STACK, &why);
    char path[700], text[500];
    if (!i->known || i->program.stack <= may)
        return;
    stack_path_text(&i->program.paths[i->program.deepest], path, sizeof path);
    who(s->b, image, BASELINE_FRAME, text, sizeof text);
    add(s, image, "%s: stack %u of %" PRIu64 " B, %s: %s%s", i->image.name, i->program.stack, may,
        stack_root_names[i->program.deepest], path, text);
}

static void find_cycles(struct search *s, const struct budget_run *r, unsigned source)
{
    const struct budget_image *i = &s->b->images[r->image];
    const struct series *series = budget_series(r, source);
    const struct source_info info = source_info(source);
    const struct exception *why;
    uint64_t may = limits_of(&s->b->limits, i->image.base, r->workload->name, info.limit, &why);
    char worst[500], text[500];
    if (budget_cycles(r, source) <= may)
        return;
    budget_worst_text(i, series, worst, sizeof worst);
    who(s->b, r->image, BASELINE_CYCLES, text, sizeof text);
    add(s, r->image,
        "%s: %s %" PRIu64 " of %" PRIu64 " mcu cycles on %s, workload %s: interrupt %" PRIu64 ", decision %" PRIu64
        ": %s%s",
        i->image.name, info.name, budget_cycles(r, source), may, budget_core(s->b), r->workload->name,
        budget_interrupt(r, source), series->cycles.max, worst, i->baseline.present ? text : "");
}

/* Of runs that differ in the clock alone, the one with the longest decision speaks for all. */
static bool is_worst(const struct budget *b, unsigned run, unsigned source)
{
    const struct budget_run *r = &b->runs[run];
    const struct series *series = budget_series(r, source);
    for (unsigned i = 0; series && i < b->run_count; i++) {
        const struct budget_run *other = &b->runs[i];
        const struct series *its = budget_series(other, source);
        if (i == run || !its || other->image != r->image || other->workload != r->workload)
            continue;
        uint64_t cycles = budget_cycles(other, source), most = budget_cycles(r, source);
        if (cycles > most || (cycles == most && i < run))
            return false;
    }
    return series;
}

static void find_runs(struct search *s, unsigned image)
{
    const struct budget *b = s->b;
    if (strcmp(b->limits.core, budget_core(b)))
        return; /* the limits are another core's */
    for (unsigned r = 0; r < b->run_count; r++)
        for (unsigned source = 0; b->runs[r].image == image && source < MH_SOURCES; source++)
            if (source_info(source).limited && is_worst(b, r, source))
                find_cycles(s, &b->runs[r], source);
}

struct excess *excess_find(const struct budget *b, unsigned *count)
{
    struct search s = {.b = b};
    for (unsigned i = 0; i < b->image_count; i++) {
        find_bytes(&s, i, LIMIT_CODE, "code + constants + image of .data");
        find_bytes(&s, i, LIMIT_DATA, "data + bss");
        if (!b->images[i].known)
            add(&s, i, "%s", b->images[i].why.text);
        find_stack(&s, i);
        find_runs(&s, i);
    }
    *count = s.count;
    return s.list;
}
