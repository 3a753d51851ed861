#include "budget_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

static void heading(struct table *t, const char *const *names)
{
    table_row(t);
    for (; *names; names++)
        table_text(t, "%s", *names);
}

static void owner_row(struct table *t, const char *name, const uint32_t bytes[MAP_KINDS])
{
    table_row(t);
    table_text(t, "  %s", name);
    for (unsigned k = 0; k < MAP_KINDS; k++)
        table_text(t, "%u", bytes[k]);
}

static void size_table(const struct budget *b, unsigned image, FILE *out)
{
    static const char *const names[] = {"  bytes", "code", "rodata", "data", "bss", NULL};
    static const char *const limited[] = {"code + constants + image of .data", "data + bss"};
    const struct budget_image *i = &b->images[image];
    const struct elf_sizes *z = &i->image.sizes;
    const struct exception *why;
    struct table *t = table_new();
    heading(t, names);
    for (unsigned o = 0; o < i->owner_count; o++)
        owner_row(t, i->owners[o].name, i->owners[o].bytes);
    owner_row(t, "all", (const uint32_t[MAP_KINDS]){z->code, z->rodata, z->data, z->bss});
    table_print(t, out);
    free(t);
    for (enum limit l = LIMIT_CODE; l <= LIMIT_DATA; l++)
        fprintf(out, "  %s: %" PRIu64 " of %" PRIu64 " B\n", limited[l], budget_need(b, image, l),
                limits_of(&b->limits, i->image.name, NULL, l, &why));
}

static void stack_lines(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_image *i = &b->images[image];
    const struct exception *why;
    uint32_t measured = budget_stack_measured(b, image);
    char text[700];
    fprintf(out, "  stack: %u of %" PRIu64 " B at worst", i->program.stack,
            limits_of(&b->limits, i->image.name, NULL, LIMIT_STACK, &why));
    if (measured)
        fprintf(out, ", %u measured", measured);
    fputs(i->program.mapped ? "\n" : "; without .ci files: frames are of the instructions alone\n", out);
    for (unsigned r = 0; r < ROOTS; r++) {
        stack_path_text(&i->program.paths[r], text, sizeof text);
        fprintf(out, "    %s %u: %s\n", stack_root_names[r], i->program.paths[r].bytes, text);
    }
}

static void clock_cell(struct table *t, uint64_t hz)
{
    if (hz)
        table_text(t, "%.6g MHz", (double)hz / 1e6);
    else
        table_text(t, "inf");
}

/* "10000", or "1000 *" for an exception. */
static void limit_cell(const struct budget *b, const struct budget_run *r, enum event_source source, struct table *t)
{
    const struct exception *why = NULL;
    const struct source_info *info = &source_infos[source];
    if (!info->limited || strcmp(b->limits.core, budget_core(b))) {
        table_text(t, "-");
        return;
    }
    uint64_t may = limits_of(&b->limits, b->images[r->image].image.name, r->workload->name, info->limit, &why);
    table_text(t, "%" PRIu64 "%s", may, why ? " *" : "");
}

static void missed_cell(const struct source_stats *s, struct table *t)
{
    if (s->raised)
        table_text(t, "%" PRIu64 " of %" PRIu64, s->missed, s->raised);
    else
        table_text(t, "%" PRIu64, s->missed);
}

static void source_row(const struct budget *b, const struct budget_run *r, enum event_source source, struct table *t)
{
    struct source_stats s = source_read(&r->sim.result, source);
    if (!s.decisions)
        return;
    table_row(t);
    table_text(t, "  %s", r->workload->name);
    clock_cell(t, r->sim.cfg.mcu.hz);
    table_text(t, "%s", source_infos[source].name);
    table_text(t, "%" PRIu64, s.decisions);
    table_text(t, "%" PRIu64, s.min);
    table_number(t, (double)s.sum / (double)s.decisions, 0);
    table_text(t, "%" PRIu64, s.max);
    limit_cell(b, r, source, t);
    missed_cell(&s, t);
    table_percent(t, core_duty(&r->sim.result));
}

static void decision_table(const struct budget *b, unsigned image, FILE *out)
{
    static const char *const names[] = {"  workload", "clock", "source", "decisions",  "min", "mean",
                                        "max",        "limit", "missed", "core awake", NULL};
    struct table *t = table_new();
    heading(t, names);
    for (unsigned i = 0; i < b->run_count; i++)
        for (enum event_source s = 0; b->runs[i].image == image && budget_passed(&b->runs[i]) && s < SOURCES; s++)
            source_row(b, &b->runs[i], s, t);
    if (t->rows > 1) {
        fprintf(out, "  core cycles per decision on %s, %" PRIu64 " GPU cycles:\n", budget_core(b),
                b->reference.cycles);
        table_print(t, out);
    }
    free(t);
}

void budget_report_images(const struct budget *b, FILE *out)
{
    for (unsigned i = 0; i < b->image_count; i++) {
        const struct budget_image *image = &b->images[i];
        fprintf(out, "%s, preset %s\n", image->image.name, image->preset);
        size_table(b, i, out);
        if (image->known)
            stack_lines(b, i, out);
        decision_table(b, i, out);
        fputc('\n', out);
    }
}

/* Deadlines of epochs and walk epochs, over all workloads. */
static void missed_summary(const struct budget *b, unsigned image, uint64_t hz, struct table *t)
{
    struct source_stats all = {0};
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct budget_run *r = &b->runs[i];
        if (r->image != image || r->sim.cfg.mcu.hz != hz || !budget_passed(r))
            continue;
        for (enum event_source s = SOURCE_EPOCH; s <= SOURCE_WALK_EPOCH; s++) {
            struct source_stats one = source_read(&r->sim.result, s);
            all.raised += one.raised;
            all.missed += one.missed;
        }
    }
    missed_cell(&all, t);
}

static unsigned clocks_of(const struct budget *b, uint64_t hz[BUDGET_CLOCKS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < b->run_count; i++) {
        unsigned c = 0;
        while (c < count && hz[c] != b->runs[i].sim.cfg.mcu.hz)
            c++;
        if (c == count && count < BUDGET_CLOCKS)
            hz[count++] = b->runs[i].sim.cfg.mcu.hz;
    }
    return count;
}

static void need_cell(struct table *t, uint64_t need)
{
    if (need)
        table_text(t, "%" PRIu64, need);
    else
        table_text(t, "-");
}

static void summary_row(const struct budget *b, unsigned i, const uint64_t *hz, unsigned clocks, struct table *t)
{
    const struct budget_image *image = &b->images[i];
    table_row(t);
    table_text(t, "%s", image->image.name);
    table_text(t, "%u", image->image.sizes.code);
    table_text(t, "%u", image->image.sizes.rodata);
    table_text(t, "%u", image->image.sizes.data + image->image.sizes.bss);
    need_cell(t, budget_need(b, i, LIMIT_STACK));
    if (!b->run_count)
        return;
    need_cell(t, budget_stack_measured(b, i));
    need_cell(t, budget_need(b, i, LIMIT_EPOCH));
    need_cell(t, budget_need(b, i, LIMIT_WALK_EPOCH));
    for (unsigned c = 0; c < clocks; c++)
        missed_summary(b, i, hz[c], t);
}

void budget_report_summary(const struct budget *b, FILE *out)
{
    static const char *const fixed[] = {"image", "code", "rodata", "data + bss", "stack", NULL};
    uint64_t hz[BUDGET_CLOCKS];
    unsigned clocks = clocks_of(b, hz);
    struct table *t = table_new();
    heading(t, fixed);
    if (b->run_count) {
        table_text(t, "measured");
        table_text(t, "epoch");
        table_text(t, "walk epoch");
    }
    for (unsigned c = 0; c < clocks; c++)
        table_text(t, "missed at %.6g MHz", (double)hz[c] / 1e6);
    for (unsigned i = 0; i < b->image_count; i++)
        summary_row(b, i, hz, clocks, t);
    table_print(t, out);
    if (b->run_count)
        fprintf(out, "bytes; core cycles on %s of the longest decision\n", budget_core(b));
    free(t);
}

/* Did an image that was looked at use it? */
static bool used(const struct budget *b, const struct exception *e)
{
    for (unsigned i = 0; i < b->image_count; i++) {
        const struct exception *why;
        const char *name = b->images[i].image.name;
        (void)limits_of(&b->limits, name, e->workload, (enum limit)e->limit, &why);
        if (why == e && budget_need(b, i, (enum limit)e->limit) > b->limits.values[e->limit])
            return true;
    }
    return false;
}

void budget_report_excess(const struct budget *b, const struct excess *list, unsigned count, FILE *out)
{
    for (unsigned i = 0; i < b->limits.exception_count; i++) {
        const struct exception *e = &b->limits.exceptions[i];
        if (used(b, e))
            fprintf(out, "* %s up to %" PRIu64 "%s%s for %s: %s; needs %s\n", limit_names[e->limit], e->value,
                    e->workload ? " with workload " : "", e->workload ? e->workload : "", e->images, e->reason,
                    e->core);
    }
    if (b->run_count && strcmp(b->limits.core, budget_core(b)))
        fprintf(out, "cycles are not judged: the limits are those of core %s\n", b->limits.core);
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "over: %s\n", list[i].text);
}
