#include "explain_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/table.h"
#include "run/setup.h"
#include "stack.h"

/* A change below this part of all is none that a sentence names [ours]. */
#define SMALL 0.005

/* A tenant under both images. */
struct pair {
    const char *kernel, *names[2];
    struct stack of[2];
    bool shared;
};

static bool passed(const struct experiment *x, unsigned image)
{
    return x->runs[image].state == SIM_DONE && x->runs[image].result.end == MH_END_PASS;
}

static struct pair pair_of(const struct experiment *x, uint32_t t)
{
    struct pair p = {.kernel = setup_kernel_name(&x->cfg.tenants[t]), .shared = x->cfg.sm.share};
    for (unsigned i = 0; i < 2; i++) {
        p.names[i] = x->images[i].name;
        stack_of(&x->cfg, &x->runs[i].result.stats, t, &p.of[i]);
    }
    return p;
}

/* --- Tables. */

static void add_row(struct table *t, const char *name, double a, double b, double all)
{
    table_row(t);
    table_text(t, "%s", name);
    table_number(t, a, 2);
    table_number(t, b, 2);
    const double change = fabs(b - a) < 0.005 ? 0 : b - a; /* no -0.00 */
    table_number(t, change, 2);
    table_percent(t, change / all);
}

static void fill(const struct pair *p, struct table *t)
{
    const struct stack *a = &p->of[0], *b = &p->of[1];
    table_row(t);
    table_text(t, "%s", p->kernel);
    table_text(t, "%s", p->names[0]);
    table_text(t, "%s", p->names[1]);
    table_text(t, "change");
    table_text(t, "of all");
    for (unsigned i = 0; i < STACK_PARTS; i++)
        if (a->part[i] >= 0.005 || b->part[i] >= 0.005)
            add_row(t, stack_name(i), a->part[i], b->part[i], a->all);
    add_row(t, "all", a->all, b->all, a->all);
    if (a->of_tlb_mshr >= 0.005 || b->of_tlb_mshr >= 0.005)
        add_row(t, "of that: no L1 TLB MSHR", a->of_tlb_mshr, b->of_tlb_mshr, a->all);
    if (a->of_mshr >= 0.005 || b->of_mshr >= 0.005)
        add_row(t, "of that: no L1D MSHR", a->of_mshr, b->of_mshr, a->all);
}

/* --- Sentences. */

/* What made it, and what took it back: parts whose change has that sign, the greatest first, two at most. */
static unsigned say_parts(const struct pair *p, double sign, FILE *out)
{
    const struct stack *a = &p->of[0], *b = &p->of[1];
    unsigned order[STACK_PARTS], said = 0;
    stack_changes(a, b, order);
    for (unsigned i = 0; i < STACK_PARTS && said < 2; i++) {
        const double change = b->part[order[i]] - a->part[order[i]];
        if (change * sign < SMALL * a->all)
            continue;
        fprintf(out, "%s%s (%+.2f)", said ? " and " : "", stack_name(order[i]), change);
        said++;
    }
    return said;
}

static void say_speed(const struct pair *p, FILE *out)
{
    const struct stack *a = &p->of[0], *b = &p->of[1];
    const double gain = b->ipc / a->ipc - 1;
    if (fabs(gain) < SMALL)
        fprintf(out, "%s runs as fast under %s as under %s: ", p->kernel, p->names[1], p->names[0]);
    else
        fprintf(out, "%s runs %.1f %% %s under %s than under %s: ", p->kernel, 100 * fabs(gain),
                gain > 0 ? "faster" : "slower", p->names[1], p->names[0]);
    fprintf(out, "%.2f SM cycles per warp instruction for %.2f. ", b->all, a->all);
}

static void say_why(const struct pair *p, FILE *out)
{
    const double sign = p->of[1].all < p->of[0].all ? -1 : 1;
    char *text[2] = {NULL, NULL};
    unsigned said[2] = {0, 0};
    for (unsigned i = 0; i < 2; i++) {
        size_t size;
        FILE *part = open_memstream(&text[i], &size);
        said[i] = part ? say_parts(p, i ? -sign : sign, part) : 0;
        if (part)
            fclose(part);
    }
    if (said[0])
        fprintf(out, "%s goes to %s", sign < 0 ? "Less" : "More", text[0]);
    if (said[0] && said[1])
        fprintf(out, ", %s to %s", sign < 0 ? "more" : "less", text[1]);
    else if (said[1])
        fprintf(out, "%s goes to %s", sign < 0 ? "More" : "Less", text[1]);
    fputs(said[0] + said[1] ? ". " : "No part changed by more than 0.5 % of all. ", out);
    free(text[0]);
    free(text[1]);
}

static void say_rest(const struct pair *p, FILE *out)
{
    const struct stack *b = &p->of[1];
    unsigned most = 0;
    for (unsigned i = 1; i < STACK_PARTS; i++)
        most = b->part[i] > b->part[most] ? i : most;
    fprintf(out, "Now the largest part is %s, %.0f %% of all", stack_name(most), 100 * b->part[most] / b->all);
    if (b->of_tlb_mshr > 0.1 * b->all)
        fprintf(out, "; in %.0f %% the LSU had stopped for want of an L1 TLB MSHR", 100 * b->of_tlb_mshr / b->all);
    if (b->of_mshr > 0.1 * b->all)
        fprintf(out, "; in %.0f %% for want of an L1D MSHR", 100 * b->of_mshr / b->all);
    fputs(".\n\n", out);
}

static void say(const struct pair *p, FILE *out)
{
    if (isnan(p->of[0].all) || isnan(p->of[1].all)) {
        fprintf(out, "%s issued nothing under %s.\n\n", p->kernel, p->names[isnan(p->of[0].all) ? 0 : 1]);
        return;
    }
    say_speed(p, out);
    say_why(p, out);
    say_rest(p, out);
}

static void one(const struct pair *p, FILE *out, void (*print)(const struct table *t, FILE *out))
{
    struct table *t = table_new();
    fill(p, t);
    print(t, out);
    table_free(t);
    fputc('\n', out);
    say(p, out);
}

static void all(const struct experiment *x, FILE *out, void (*print)(const struct table *t, FILE *out))
{
    fprintf(out, "SM cycles per warp instruction, %" PRIu64 " GPU cycles, seed %" PRIu64 "%s\n\n", x->cfg.run.cycles,
            x->cfg.run.seed,
            x->cfg.sm.share ? ". SMs are shared: cycles with an issue are divided by instructions" : "");
    for (uint32_t t = 0; t < x->cfg.tenants_count; t++) {
        const struct pair p = pair_of(x, t);
        one(&p, out, print);
    }
}

void explain_report(const struct experiment *x, FILE *out)
{
    if (passed(x, 0) && passed(x, 1))
        all(x, out, table_print);
}

int explain_markdown(const struct experiment *x, const char *path, struct mh_error *err)
{
    char *text = NULL;
    size_t size;
    if (!passed(x, 0) || !passed(x, 1))
        return 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return mh_fail(err, "out of memory");
    all(x, out, table_markdown);
    int status = fclose(out) ? mh_fail(err, "out of memory") : write_file(path, text, size, err);
    free(text);
    return status;
}
