#include "explain.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/figure.h"
#include "base/file.h"
#include "run/setup.h"

/*
 * Where a tenant's SM cycles went: instructions, and what was waited for (hwmodel/waits). Per warp instruction, so that
 * two images that did not do as much can be compared: the sum is SM cycles per warp instruction, 1 / IPC of an SM.
 */
enum { STACK_ISSUE, STACK_WAIT, STACK_PARTS = STACK_WAIT + MH_WAIT_CAUSES };

struct stack {
    double part[STACK_PARTS];    /* STACK_ISSUE; STACK_WAIT + enum mh_wait */
    double all;                  /* their sum */
    double of_tlb_mshr, of_mshr; /* of that, while the LSU had stopped for want of such an MSHR */
    double ipc;                  /* thread instructions per GPU cycle */
};

static const char *const stack_names[STACK_PARTS] = {
    [STACK_ISSUE] = "instructions",
    [STACK_WAIT + MH_WAIT_LSU] = "turn in the LSU",
    [STACK_WAIT + MH_WAIT_L1] = "L1 TLB and L1D",
    [STACK_WAIT + MH_WAIT_TLB] = "L2 TLB",
    [STACK_WAIT + MH_WAIT_WALK_QUEUE] = "walk queue",
    [STACK_WAIT + MH_WAIT_WALK] = "walk",
    [STACK_WAIT + MH_WAIT_FAULT] = "page fault",
    [STACK_WAIT + MH_WAIT_NOC] = "crossbar",
    [STACK_WAIT + MH_WAIT_L2] = "L2",
    [STACK_WAIT + MH_WAIT_DRAM_QUEUE] = "DRAM queue",
    [STACK_WAIT + MH_WAIT_DRAM] = "DRAM",
    [STACK_WAIT + MH_WAIT_BARRIER] = "barrier",
    [STACK_WAIT + MH_WAIT_THROTTLE] = "throttle",
    [STACK_WAIT + MH_WAIT_OTHER] = "other",
    [STACK_WAIT + MH_WAIT_EMPTY] = "no warps",
};

static double stalls(const uint64_t waits[MH_WAITS])
{
    double sum = 0;
    for (unsigned w = 0; w < MH_WAIT_EMPTY; w++)
        sum += (double)waits[w];
    return sum;
}

/* SM cycles in which something was issued. An SM of its own has them by difference, shared ones by instructions. */
static double issuing(const struct mh_config *cfg, const struct mh_stats *s, uint32_t t)
{
    double whole = 0, instructions = 0;
    if (!cfg->sm.share)
        return (double)cfg->tenants[t].sm_count * (double)s->cycles - stalls(s->waits[t]) -
               (double)s->waits[t][MH_WAIT_EMPTY];
    whole = (double)cfg->sm.count * (double)s->cycles;
    for (uint32_t i = 0; i < s->tenants; i++) {
        whole -= stalls(s->waits[i]) + (double)s->waits[i][MH_WAIT_EMPTY];
        instructions += (double)s->tenant[i].warp_instr;
    }
    return whole * (double)s->tenant[t].warp_instr / instructions;
}

/*
 * The stack of tenant `t` of a run with sm.wait_reasons; all NaN if it issued nothing. Where tenants share SMs, cycles
 * with an issue are divided by instructions issued: only the sum over tenants is exact.
 */
static void stack_of(const struct mh_config *cfg, const struct mh_stats *s, uint32_t t, struct stack *out)
{
    const double instructions = s->tenant[t].warp_instr ? (double)s->tenant[t].warp_instr : (double)NAN;
    *out = (struct stack){.ipc = (double)s->tenant[t].lane_instr / (double)s->cycles};
    out->part[STACK_ISSUE] = issuing(cfg, s, t) / instructions;
    for (unsigned w = 0; w < MH_WAIT_CAUSES; w++)
        out->part[STACK_WAIT + w] = (double)s->waits[t][w] / instructions;
    for (unsigned p = 0; p < STACK_PARTS; p++)
        out->all += out->part[p];
    out->of_tlb_mshr = (double)s->waits[t][MH_WAIT_OF_TLB_MSHR] / instructions;
    out->of_mshr = (double)s->waits[t][MH_WAIT_OF_MSHR] / instructions;
}

/* Parts by how much they grew from `a` to `b`, the greatest size first: indices into `order`. */
static void stack_changes(const struct stack *a, const struct stack *b, unsigned order[STACK_PARTS])
{
    for (unsigned p = 0; p < STACK_PARTS; p++) {
        unsigned at = p;
        double size = fabs(b->part[p] - a->part[p]);
        for (; at && fabs(b->part[order[at - 1]] - a->part[order[at - 1]]) < size; at--)
            order[at] = order[at - 1];
        order[at] = p;
    }
}

/* --- Two images compared. */

/* A change below this part of all is none that a sentence names [ours]. */
#define SMALL 0.005

/* A tenant under both images. */
struct pair {
    const char *kernel, *names[2];
    struct stack of[2];
};

static struct pair pair_of(const struct explain_run of[2], uint32_t t)
{
    struct pair p = {.kernel = setup_kernel_name(&of[0].cfg->tenants[t])};
    for (unsigned i = 0; i < 2; i++) {
        p.names[i] = of[i].image;
        stack_of(of[i].cfg, of[i].stats, t, &p.of[i]);
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
    table_names(t, "change|of all");
    for (unsigned i = 0; i < STACK_PARTS; i++)
        if (a->part[i] >= 0.005 || b->part[i] >= 0.005)
            add_row(t, stack_names[i], a->part[i], b->part[i], a->all);
    add_row(t, "all", a->all, b->all, a->all);
    if (a->of_tlb_mshr >= 0.005 || b->of_tlb_mshr >= 0.005)
        add_row(t, "of that: no L1 TLB MSHR", a->of_tlb_mshr, b->of_tlb_mshr, a->all);
    if (a->of_mshr >= 0.005 || b->of_mshr >= 0.005)
        add_row(t, "of that: no L1D MSHR", a->of_mshr, b->of_mshr, a->all);
}

/* --- Sentences. */

/* Parts whose change has that sign, the greatest first, two at most. */
static unsigned say_parts(const struct pair *p, double sign, FILE *out)
{
    const struct stack *a = &p->of[0], *b = &p->of[1];
    unsigned order[STACK_PARTS] = {0}, said = 0;
    stack_changes(a, b, order);
    for (unsigned i = 0; i < STACK_PARTS && said < 2; i++) {
        const double change = b->part[order[i]] - a->part[order[i]];
        if (change * sign < SMALL * a->all)
            continue;
        fprintf(out, "%s%s (%+.2f)", said ? " and " : "", stack_names[order[i]], change);
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
    char *text[2];
    unsigned said[2];
    for (unsigned i = 0; i < 2; i++) {
        struct draft part;
        draft_open(&part);
        said[i] = say_parts(p, i ? -sign : sign, part.out);
        text[i] = draft_text(&part);
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
    fprintf(out, "Now the largest part is %s, %.0f %% of all", stack_names[most], 100 * b->part[most] / b->all);
    if (b->of_tlb_mshr > 0.1 * b->all)
        fprintf(out, "; in %.0f %% the LSU had stopped for want of an L1 TLB MSHR", 100 * b->of_tlb_mshr / b->all);
    if (b->of_mshr > 0.1 * b->all)
        fprintf(out, "; in %.0f %% for want of an L1D MSHR", 100 * b->of_mshr / b->all);
    fputc('.', out);
}

static void say(const struct pair *p, FILE *out)
{
    if (isnan(p->of[0].all) || isnan(p->of[1].all)) {
        fprintf(out, "%s issued nothing under %s.", p->kernel, p->names[isnan(p->of[0].all) ? 0 : 1]);
        return;
    }
    say_speed(p, out);
    say_why(p, out);
    say_rest(p, out);
}

static void one(const struct pair *p, const struct doc *d)
{
    struct table *t = table_new();
    struct draft words;

    fill(p, t);
    doc_table(d, t);
    draft_open(&words);
    say(p, words.out);
    char *text = draft_text(&words);
    doc_paragraph(d, "%s", text);
    free(text);
}

void explain_say(const struct explain_run of[2], FILE *out)
{
    for (uint32_t t = 0; t < of[0].cfg->tenants_count; t++) {
        const struct pair p = pair_of(of, t);
        fputs(t ? " " : "", out);
        say(&p, out);
    }
}

void explain_pair(const struct explain_run of[2], const struct doc *d)
{
    const struct mh_config *c = of[0].cfg;
    doc_paragraph(d, "SM cycles per warp instruction, %" PRIu64 " GPU cycles, seed %" PRIu64 "%s", c->run.cycles,
                  c->run.seed,
                  c->sm.share ? ". SMs are shared: cycles with an issue are divided by instructions issued" : "");
    for (uint32_t t = 0; t < c->tenants_count; t++) {
        const struct pair p = pair_of(of, t);
        one(&p, d);
    }
}

/* --- Explain draw. */

/* Instructions at the bottom, then the path to memory; parts that are empty in all columns are left out. */
static const char *const colours[STACK_PARTS] = {"#009E73", "#999999", "#bbbbbb", "#56B4E9", "#0072B2",
                                                 "#003f72", "#CC79A7", "#E69F00", "#F0E442", "#D55E00",
                                                 "#8b3a00", "#555555", "#333333", "#dddddd", "#eeeeee"};

static bool is_there(const struct explain_run *runs, unsigned count, unsigned part)
{
    for (uint32_t t = 0; t < runs->cfg->tenants_count; t++)
        for (unsigned i = 0; i < count; i++) {
            struct stack s;
            stack_of(runs[i].cfg, runs[i].stats, t, &s);
            if (s.part[part] >= 0.005 * s.all)
                return true;
        }
    return false;
}

/* A name that is longer than there is room for lacks its middle. */
static void label_of(const char *image, char *text, size_t size)
{
    enum { MOST = 16, BEGIN = 7, END = MOST - BEGIN - 3 };
    snprintf(text, size, "%s", image);
    const size_t length = strlen(text);
    if (length > MOST) {
        memcpy(text + BEGIN, "...", 3);
        memmove(text + BEGIN + 3, text + length - END, END + 1);
    }
}

static unsigned write_data(struct figure *f, const struct explain_run *runs, unsigned count, uint32_t tenant)
{
    char text[HOST_PATH];
    struct stack s;
    const unsigned block = figure_block(f, "tenant %u", tenant);

    for (unsigned i = 0; i < count; i++) {
        stack_of(runs[i].cfg, runs[i].stats, tenant, &s);
        label_of(runs[i].image, text, sizeof text);
        figure_row(f, text);
        figure_values(f, STACK_PARTS, s.part);
    }
    figure_block_end(f);
    return block;
}

enum { LEFT = 80, BETWEEN = 70, BAR = 110, KEY = 150, TOP = 70, HEIGHT = 400 };

/* A tenant that takes many cycles does not hide what another one gains: each has an axis of its own. */
static void draw_tenant(struct figure *f, const struct explain_run *runs, unsigned count, uint32_t tenant, double left,
                        double right)
{
    const unsigned block = write_data(f, runs, count, tenant);

    figure_edges(f, left, right, TOP, HEIGHT - 40);
    figure_quoted(f, "set title ", setup_kernel_name(&runs->cfg->tenants[tenant]), " noenhanced");
    for (unsigned p = 0; p < STACK_PARTS; p++) {
        char how[32];
        snprintf(how, sizeof how, "%u:xtic(1)", p + 2);
        if (is_there(runs, count, p))
            figure_layer(f, block, how, colours[p], stack_names[p]);
    }
    figure_panel_end(f);
    figure_line(f, "unset ylabel");
}

int explain_draw(const struct explain_run *runs, unsigned count, const char *dir, const char *name,
                 struct mh_error *err)
{
    const uint32_t tenants = runs->cfg->tenants_count;
    const double step = BETWEEN + count * (double)BAR;
    struct figure f;

    figure_open(&f, "image, then the parts of its stack");
    f.width = LEFT + tenants * step + KEY;
    f.height = HEIGHT;
    figure_title(&f, "What SMs waited for", "", 0);
    figure_line(&f, "set style data histograms\nset style histogram rowstacked\nset style fill solid 0.9\n"
                    "set boxwidth 0.7\nset ylabel 'SM cycles per warp instruction'\n"
                    "set xtics nomirror noenhanced\nset yrange [0:*]\nset grid ytics");
    figure_line(&f, "set key at screen 0.99,%.6g right top vertical reverse Left invert noenhanced samplen 2",
                1 - TOP / f.height);
    for (uint32_t t = 0; t < tenants; t++)
        draw_tenant(&f, runs, count, t, LEFT + t * step, LEFT + (t + 1) * step - BETWEEN);
    return figure_finish(&f, dir, name, err);
}
