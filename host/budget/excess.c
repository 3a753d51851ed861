#include "budget_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

struct search {
    const struct budget *b;
    struct excess *list;
    unsigned count, room;
};

static void add(struct search *s, unsigned image, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void add(struct search *s, unsigned image, const char *format, ...)
{
    va_list list;
    s->list = grow(s->list, s->count, &s->room, sizeof *s->list);
    struct excess *e = &s->list[s->count++];
    e->image = image;
    va_start(list, format);
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
}

/* "; f grew 372 -> 498 B": the function that grew most since the baseline, else the largest one. */
static void who(const struct budget *b, unsigned image, enum baseline_part part, char *text, size_t size)
{
    struct baseline now;
    char names[400];
    *text = 0;
    baseline_of(b, image, &now);
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

/* Two static functions may share a name: their code adds up, the larger frame counts. */
static void add_function(struct baseline *now, const char *name, uint32_t bytes, uint32_t frame)
{
    struct baseline_function *f = (struct baseline_function *)baseline_function(now, name);
    if (!f) {
        f = &now->functions[now->count++];
        f->name = name;
    }
    f->parts[BASELINE_BYTES] += bytes;
    f->parts[BASELINE_FRAME] = frame > f->parts[BASELINE_FRAME] ? frame : f->parts[BASELINE_FRAME];
}

static void add_cycles(const struct budget_image *i, const struct series *s, struct baseline *now)
{
    for (unsigned n = 0; n < s->worst_count; n++) {
        const char *name = i->program.functions[s->worst[n].function].name;
        struct baseline_function *f = (struct baseline_function *)baseline_function(now, name);
        if (f && s->worst[n].cycles > f->parts[BASELINE_CYCLES])
            f->parts[BASELINE_CYCLES] = s->worst[n].cycles;
    }
}

void baseline_of(const struct budget *b, unsigned image, struct baseline *now)
{
    const struct budget_image *i = &b->images[image];
    unsigned count = i->known ? i->program.symbols.count : 0;
    *now = (struct baseline){.present = true, .core = budget_core(b)};
    for (enum limit l = 0; l < LIMITS; l++)
        now->needs[l] = budget_need(b, image, l);
    now->functions = must_have(count, sizeof *now->functions);
    for (unsigned f = 0; f < count; f++)
        add_function(now, i->program.functions[f].name, i->program.symbols.list[f].size, i->program.functions[f].bytes);
    for (unsigned r = 0; r < b->run_count; r++)
        for (unsigned s = 0; b->runs[r].image == image && s < MH_SOURCES; s++)
            if (budget_series(&b->runs[r], s))
                add_cycles(i, budget_series(&b->runs[r], s), now);
}

struct growth {
    const char *name;
    uint64_t before, now;
};

static int by_growth(const void *a, const void *b)
{
    const struct growth *g = a, *h = b;
    int64_t one = (int64_t)(g->now - g->before), other = (int64_t)(h->now - h->before);
    return one != other ? (one > other ? -1 : 1) : strcmp(g->name, h->name);
}

static void say(const struct growth *g, bool known, const char *unit, char *text, size_t size)
{
    if (!known)
        text_add(text, size, ", ", "%s has %" PRIu64 " %s", g->name, g->now, unit);
    else if (g->before)
        text_add(text, size, ", ", "%s grew %" PRIu64 " -> %" PRIu64 " %s", g->name, g->before, g->now, unit);
    else
        text_add(text, size, ", ", "%s is new with %" PRIu64 " %s", g->name, g->now, unit);
}

enum { NAMED = 3 };

void growth_text(const struct baseline *now, const struct baseline *before, enum baseline_part part, char *text,
                 size_t size)
{
    struct growth *all = must_have(now->count, sizeof *all);
    *text = 0;
    for (unsigned i = 0; i < now->count; i++) {
        const struct baseline_function *f = &now->functions[i], *old = baseline_function(before, f->name);
        all[i] = (struct growth){f->name, old ? old->parts[part] : 0, f->parts[part]};
    }
    qsort(all, now->count, sizeof *all, by_growth);
    for (unsigned i = 0; i < now->count && i < NAMED && all[i].now > all[i].before; i++)
        say(&all[i], before->present, part == BASELINE_CYCLES ? "cycles" : "B", text, size);
    free(all);
}

/* Cycles compare where they were measured, and of one core. */
static bool need_differs(const struct budget *b, const struct baseline *now, const struct baseline *before,
                         enum limit l)
{
    bool compares = l < LIMIT_EPOCH || (b->run_count && !strcmp(now->core, before->core));
    return compares && now->needs[l] != before->needs[l];
}

static void report_needs(const struct budget *b, const struct baseline *now, const struct baseline *before, FILE *out)
{
    for (enum limit l = 0; l < LIMITS; l++)
        if (need_differs(b, now, before, l))
            fprintf(out, " %s %" PRIu64 " -> %" PRIu64 ";", limit_names[l], before->needs[l], now->needs[l]);
}

static bool differs(const struct budget *b, const struct baseline *now, const struct baseline *before)
{
    for (enum limit l = 0; l < LIMITS; l++)
        if (need_differs(b, now, before, l))
            return true;
    return b->run_count && strcmp(now->core, before->core);
}

static void report_image(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_image *i = &b->images[image];
    struct baseline now;
    char text[600];
    if (!i->known)
        return;
    if (!i->baseline.present) {
        fprintf(out, "%s: new, so that nothing can have grown; `make budget-accept` makes a baseline\n", i->image.name);
        return;
    }
    baseline_of(b, image, &now);
    if (differs(b, &now, &i->baseline)) {
        growth_text(&now, &i->baseline, BASELINE_BYTES, text, sizeof text);
        fprintf(out, "%s: not as in the baseline:", i->image.name);
        report_needs(b, &now, &i->baseline, out);
        fprintf(out, "%s%s%s `make budget-accept` records it\n", *text ? " " : "", text, *text ? ";" : "");
    }
    baseline_free(&now);
}

void growth_report(const struct budget *b, FILE *out)
{
    for (unsigned i = 0; i < b->image_count; i++)
        report_image(b, i, out);
}

int growth_accept(const struct budget *b, struct mh_error *err)
{
    for (unsigned i = 0; i < b->image_count; i++) {
        const struct budget_image *image = &b->images[i];
        struct baseline now;
        if (image->image.settings.count)
            return mh_fail(err, "%s: a baseline is of an image without parameters", image->image.name);
        baseline_of(b, i, &now);
        baseline_put(b->baselines, image->image.base, &now, &image->baseline, image->image.sha256);
        baseline_free(&now);
    }
    return baselines_write(b->baselines, b->request->baselines, err);
}
