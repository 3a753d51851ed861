#include "doctor.h"

#include <stdarg.h>
#include <string.h>

#include "base/standard_output.h"
#include "base/escape.h"

static struct finding *add(struct doctor *d, enum finding_state state, const char *what)
{
    static struct finding dropped;
    struct finding *f = d->count < DOCTOR_FINDINGS ? &d->list[d->count++] : &dropped;
    memset(f, 0, sizeof *f);
    f->state = state;
    snprintf(f->what, sizeof f->what, "%s", what);
    return f;
}

void doctor_well(struct doctor *d, const char *what, const char *format, ...)
{
    struct finding *f = add(d, FINDING_OK, what);
    va_list args;
    va_start(args, format);
    vsnprintf(f->found, sizeof f->found, format, args);
    va_end(args);
}

void doctor_problem(struct doctor *d, enum finding_state state, const char *what, const char *remedy,
                    const char *format, ...)
{
    struct finding *f = add(d, state, what);
    va_list args;
    va_start(args, format);
    vsnprintf(f->found, sizeof f->found, format, args);
    va_end(args);
    snprintf(f->remedy, sizeof f->remedy, "%s", remedy);
}

static const char *const words[] = {[FINDING_OK] = "ok", [FINDING_WANTED] = "wanted", [FINDING_NEEDED] = "NEEDED"};

static const enum colour colours[] = {
    [FINDING_OK] = COLOUR_GOOD, [FINDING_WANTED] = COLOUR_DOUBT, [FINDING_NEEDED] = COLOUR_BAD};

static unsigned count(const struct doctor *d, enum finding_state state)
{
    unsigned n = 0;
    for (unsigned i = 0; i < d->count; i++)
        n += d->list[i].state == state;
    return n;
}

static void print(const struct finding *f, FILE *out)
{
    colour_begin(colours[f->state], out);
    fprintf(out, "%-6s", words[f->state]);
    colour_end(colours[f->state], out);
    fprintf(out, "  %-23s  ", f->what);
    escape_print(out, f->found);
    fputc('\n', out);
    if (!*f->remedy)
        return;
    fprintf(out, "%33s", "");
    escape_print(out, f->remedy);
    fputc('\n', out);
}

unsigned doctor_report(const struct doctor *d, FILE *out)
{
    unsigned needed = count(d, FINDING_NEEDED), wanted = count(d, FINDING_WANTED);
    for (unsigned i = 0; i < d->count; i++)
        print(&d->list[i], out);
    fprintf(out, "\n%s: %u ok, %u wanted, %u needed\n",
            needed ? "not all that a run needs is here" : "all that a run needs is here", count(d, FINDING_OK), wanted,
            needed);
    return needed;
}
