#include "timing_show.h"

#include <inttypes.h>

static void show_value(const struct core_value *v, enum core_row row, FILE *out)
{
    char bounds[32] = "";
    const uint16_t *n = v->cycles;
    if (n[CORE_MIN] != n[CORE_MAX])
        snprintf(bounds, sizeof bounds, "%u..%u", n[CORE_MIN], n[CORE_MAX]);
    fprintf(out, "%-19s %6u  %-7s %-9s %-14s%s\n", core_row_name(row), n[CORE_CYCLES], bounds, core_kind_name(v->kind),
            v->source ? v->source : "-", core_row_meaning(row));
    if (v->quote)
        fprintf(out, "%4s\"%s\"\n", "", v->quote);
    if (v->when)
        fprintf(out, "%4swhen %s\n", "", v->when);
    if (v->note)
        fprintf(out, "%4s%s\n", "", v->note);
}

static void show_values(const struct core *c, unsigned first, unsigned end, FILE *out)
{
    for (unsigned row = first; row < end; row++)
        if (c->values[row].given)
            show_value(&c->values[row], (enum core_row)row, out);
}

static void show_source(const struct core_source *s, FILE *out)
{
    if (s->document)
        fprintf(out, "%-14s %s\n", s->key, s->document);
    else
        fprintf(out, "%-14s %s %s @%.12s\n", s->key, s->repo, s->path, s->commit);
}

void core_show(const struct core *c, FILE *out)
{
    fprintf(out, "%s: %s, %s\n", c->name, c->title, c->isa);
    if (c->config)
        fprintf(out, "configuration: %s\n", c->config);
    fprintf(out, "assumes: %s\n\n%-19s %6s  %-7s %-9s %s\n", c->assumes, "class", "cycles", "bounds", "kind", "source");
    show_values(c, 0, CORE_CLASS_ROWS, out);
    fprintf(out, "\nevent, on top\n");
    show_values(c, CORE_CLASS_ROWS, CORE_ROWS, out);
    for (unsigned i = 0; i < c->check_count; i++) {
        const struct core_check *check = &c->checks[i];
        fprintf(out, "%s%s (%s): %" PRIu64 " instructions in %" PRIu64 " cycles, as published\n", i ? "" : "\n",
                check->name, check->source, check->instructions, core_check_cycles(c, check));
    }
    for (unsigned i = 0; i < c->source_count; i++) {
        fprintf(out, "%s", i ? "" : "\n");
        show_source(&c->sources[i], out);
    }
}
