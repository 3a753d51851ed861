#include "budget_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/process.h"
#include "base/table.h"
#include "plan/metrics.h"

static void owner_row(struct table *t, const char *name, const uint32_t bytes[MAP_KINDS])
{
    table_row(t);
    table_text(t, "  %s", name);
    for (unsigned k = 0; k < MAP_KINDS; k++)
        table_text(t, "%u", bytes[k]);
}

/* Of a policy: from its deepest hook down. */
static void stack_cell(struct table *t, const struct program *p, const char *owner)
{
    unsigned hook = program_deepest_hook(p, owner);
    if (hook < p->hooks.count)
        table_text(t, "%u", p->hook_paths[hook].bytes);
    else
        table_text(t, "-");
}

static void size_table(const struct budget *b, unsigned image, FILE *out)
{
    static const char *const limited[] = {"code + constants + image of .data", "data + bss"};
    const struct budget_image *i = &b->images[image];
    const struct elf_sizes *z = &i->image.sizes;
    const struct exception *why;
    struct table *t = table_new();
    table_heading(t, "  bytes|code|rodata|data|bss|stack");
    for (unsigned o = 0; o < i->owner_count; o++) {
        owner_row(t, i->owners[o].name, i->owners[o].bytes);
        stack_cell(t, &i->program, i->owners[o].name);
    }
    owner_row(t, "all", (const uint32_t[MAP_KINDS]){z->code, z->rodata, z->data, z->bss});
    if (i->known)
        table_text(t, "%u", i->program.stack);
    table_print(t, out);
    table_free(t);
    for (enum limit l = LIMIT_CODE; l <= LIMIT_DATA; l++)
        fprintf(out, "  %s: %" PRIu64 " of %" PRIu64 " B\n", limited[l], budget_need(b, image, l),
                limits_of(&b->limits, i->image.base, NULL, l, &why));
}

static void stack_lines(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_image *i = &b->images[image];
    const struct exception *why;
    uint32_t measured = budget_stack_measured(b, image);
    char text[700];
    fprintf(out, "  stack: %u of %" PRIu64 " B at worst", i->program.stack,
            limits_of(&b->limits, i->image.base, NULL, LIMIT_STACK, &why));
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
static void limit_cell(const struct budget *b, const struct budget_run *r, unsigned source, struct table *t)
{
    const struct exception *why = NULL;
    const struct source_info info = source_info(source);
    if (!info.limited || strcmp(b->limits.core, budget_core(b))) {
        table_text(t, "-");
        return;
    }
    uint64_t may = limits_of(&b->limits, b->images[r->image].image.base, r->workload->name, info.limit, &why);
    table_text(t, "%" PRIu64 "%s", may, why ? " *" : "");
}

static void spread_cells(const struct spread *s, struct table *t)
{
    table_text(t, "%" PRIu64, s->min);
    table_number(t, s->mean, 0);
    table_text(t, "%" PRIu64, s->p99);
    table_text(t, "%" PRIu64, s->max);
}

static void missed_cell(const struct mh_source_stats *s, struct table *t)
{
    table_text(t, "%" PRIu64 " of %" PRIu64, s->missed, s->raised);
}

static void source_row(const struct budget *b, const struct budget_run *r, unsigned source, struct table *t)
{
    const struct series *s = budget_series(r, source);
    if (!s)
        return;
    table_row(t);
    table_text(t, "  %s", r->workload->name);
    clock_cell(t, r->kept->sim.cfg.mcu.hz);
    table_text(t, "%s", source_info(source).name);
    table_text(t, "%" PRIu64, s->count);
    table_number(t, s->instructions.mean, 0);
    spread_cells(&s->cycles, t);
    table_text(t, "%s%" PRIu64, r->around[source].cycles ? "" : "~", budget_interrupt(r, source));
    table_text(t, "%" PRIu64, budget_cycles(r, source));
    limit_cell(b, r, source, t);
    table_number(t, s->stalls.mean, 0);
    missed_cell(&r->kept->sim.result.stats.control.source[source], t);
    table_percent(t, metrics_awake(&r->kept->sim.result));
}

static void decision_table(const struct budget *b, unsigned image, FILE *out)
{
    struct table *t = table_new();
    table_heading(t, "  workload|clock|source|decisions|instr. mean|min|mean|p99|max|+ interrupt|=|limit|stalls|missed|"
                     "mcu awake");
    for (unsigned i = 0; i < b->run_count; i++)
        for (unsigned s = 0; b->runs[i].image == image && s < MH_SOURCES; s++)
            source_row(b, &b->runs[i], s, t);
    if (t->rows > 1) {
        fprintf(out, "  mcu cycles per decision on %s, %" PRIu64 " GPU cycles:\n", budget_core(b), b->reference.cycles);
        table_print(t, out);
    }
    table_free(t);
}

static void hook_row(const struct hook *hook, const struct budget_run *r, const struct series *s, struct table *t)
{
    table_row(t);
    table_text(t, "  %s", hook->policy);
    table_text(t, "%s", hook->kind);
    table_text(t, "%s", r->workload->name);
    clock_cell(t, r->kept->sim.cfg.mcu.hz);
    table_text(t, "%" PRIu64, s->count);
    table_number(t, s->instructions.mean, 0);
    spread_cells(&s->cycles, t);
}

/* Each hook in the run in which it took longest. */
static void policy_table(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_image *i = &b->images[image];
    struct table *t = table_new();
    table_heading(t, "  policy|hook|workload|clock|calls|instr. mean|min|mean|p99|max");
    for (unsigned h = 0; i->known && h < i->program.hooks.count; h++) {
        const struct budget_run *r = budget_longest_hook(b, image, h);
        if (r)
            hook_row(&i->program.hooks.list[h], r, &r->profile->hooks[h], t);
    }
    if (t->rows > 1) {
        fputs("  mcu cycles per call of a policy, where it took longest:\n", out);
        table_print(t, out);
    }
    table_free(t);
}

/* Handlers do not nest: an interrupt waits at worst for all that the one before serves, bus stalls included. */
static void irq_line(const struct budget *b, unsigned image, FILE *out)
{
    const struct budget_run *slowest = NULL;
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct budget_run *r = &b->runs[i];
        if (r->image != image || !budget_passed(r) || !r->kept->sim.result.mcu.irq_latency_count)
            continue;
        if (!slowest || r->kept->sim.result.mcu.irq_latency_max > slowest->kept->sim.result.mcu.irq_latency_max)
            slowest = r;
    }
    if (!slowest)
        return;
    const struct mh_mcu_stats *c = &slowest->kept->sim.result.mcu;
    fprintf(out, "  interrupt latency, workload %s, %.6g MHz: mean %.0f, max %" PRIu64 " mcu cycles of %" PRIu64 "\n",
            slowest->workload->name, (double)slowest->kept->sim.cfg.mcu.hz / 1e6,
            (double)c->irq_latency_sum / (double)c->irq_latency_count, c->irq_latency_max, c->irq_latency_count);
}

static const struct budget_run *longest_boot(const struct budget *b, unsigned image, uint64_t hz)
{
    const struct budget_run *longest = NULL;
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct budget_run *r = &b->runs[i];
        if (r->image == image && budget_passed(r) && r->kept->sim.cfg.mcu.hz == hz && hz &&
            (!longest || r->kept->sim.result.mcu.boot > longest->kept->sim.result.mcu.boot))
            longest = r;
    }
    return longest;
}

/* A swap of images leaves the GPU without a policy for so long. Once for each clock: runs of one have all. */
static void boot_lines(const struct budget *b, unsigned image, FILE *out)
{
    for (unsigned i = 0; i < b->run_count; i++) {
        const uint64_t hz = b->runs[i].kept->sim.cfg.mcu.hz;
        const struct budget_run *r = longest_boot(b, image, hz);
        if (r == &b->runs[i])
            fprintf(out, "  boot to the first COMMIT, workload %s, %.6g MHz: %" PRIu64 " mcu cycles, %.1f us\n",
                    r->workload->name, (double)hz / 1e6, r->kept->sim.result.mcu.boot,
                    1e6 * (double)r->kept->sim.result.mcu.boot / (double)hz);
    }
}

static void check_row(const struct budget_run *r, const char *source, const struct check_cost *c, uint64_t decisions,
                      struct table *t)
{
    if (!c->instructions)
        return;
    table_row(t);
    table_text(t, "  %s", r->workload->name);
    clock_cell(t, r->kept->sim.cfg.mcu.hz);
    table_text(t, "%s", source);
    table_text(t, "%" PRIu64, c->instructions);
    table_text(t, "%" PRIu64, c->cycles);
    table_number(t, decisions ? (double)c->cycles / (double)decisions : (double)NAN, 1);
}

static void check_rows(const struct budget_run *r, struct table *t)
{
    struct check_cost rest = r->checks.all;
    for (unsigned s = 0; s < MH_SOURCES; s++) {
        const struct check_cost *c = &r->checks.sources[s];
        check_row(r, source_info(s).name, c, budget_series(r, s) ? budget_series(r, s)->count : 0, t);
        rest.instructions -= c->instructions;
        rest.cycles -= c->cycles;
    }
    check_row(r, "other", &rest, 0, t);
}

static void check_table(const struct budget *b, unsigned image, FILE *out)
{
    const struct checks *c = &b->images[image].checks;
    if (!c->sites) {
        fputs("  division checks: none\n", out);
        return;
    }
    struct table *t = table_new();
    table_heading(t, "  workload|clock|source|instructions|cycles|a decision");
    for (unsigned i = 0; i < b->run_count; i++)
        if (b->runs[i].image == image && budget_passed(&b->runs[i]))
            check_rows(&b->runs[i], t);
    fprintf(out, "  division checks: %u, %u B of code%s\n", c->sites, c->bytes,
            t->rows > 1    ? "; what they took:"
            : b->run_count ? ", never executed"
                           : "");
    if (t->rows > 1)
        table_print(t, out);
    table_free(t);
}

void budget_report_images(const struct budget *b, FILE *out)
{
    for (unsigned i = 0; i < b->image_count; i++) {
        const struct budget_image *image = &b->images[i];
        fprintf(out, "%s, preset %s\n", image->image.name, image->preset->preset);
        size_table(b, i, out);
        if (image->known)
            stack_lines(b, i, out);
        decision_table(b, i, out);
        policy_table(b, i, out);
        budget_report_mix(b, i, out);
        if (image->known)
            check_table(b, i, out);
        irq_line(b, i, out);
        boot_lines(b, i, out);
        budget_report_paths(b, i, out);
        fputc('\n', out);
    }
}

/* Deadlines of what comes by itself, over all workloads: not those of tenants, nor of advice. */
static void missed_summary(const struct budget *b, unsigned image, uint64_t hz, struct table *t)
{
    struct mh_source_stats all = {0};
    for (unsigned i = 0; i < b->run_count; i++) {
        const struct budget_run *r = &b->runs[i];
        if (r->image != image || r->kept->sim.cfg.mcu.hz != hz || !budget_passed(r))
            continue;
        for (unsigned s = 0; s < MH_SOURCES; s++) {
            if (s == MH_SOURCE_TENANT || s == MH_SOURCE_ARRIVAL)
                continue;
            all.raised += r->kept->sim.result.stats.control.source[s].raised;
            all.missed += r->kept->sim.result.stats.control.source[s].missed;
        }
    }
    missed_cell(&all, t);
}

static unsigned clocks_of(const struct budget *b, uint64_t hz[BUDGET_CLOCKS])
{
    unsigned count = 0;
    for (unsigned i = 0; i < b->run_count; i++) {
        unsigned c = 0;
        while (c < count && hz[c] != b->runs[i].kept->sim.cfg.mcu.hz)
            c++;
        if (c == count && count < BUDGET_CLOCKS)
            hz[count++] = b->runs[i].kept->sim.cfg.mcu.hz;
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
    for (enum limit l = LIMIT_EPOCH; l < LIMITS; l++)
        need_cell(t, budget_need(b, i, l));
    for (unsigned c = 0; c < clocks; c++)
        missed_summary(b, i, hz[c], t);
}

void budget_report_summary(const struct budget *b, FILE *out)
{
    uint64_t hz[BUDGET_CLOCKS];
    unsigned clocks = clocks_of(b, hz);
    struct table *t = table_new();
    table_heading(t,
                  b->run_count ? "image|code|rodata|data + bss|stack|measured" : "image|code|rodata|data + bss|stack");
    for (enum limit l = LIMIT_EPOCH; b->run_count && l < LIMITS; l++)
        table_text(t, "%s", limit_names[l]);
    for (unsigned c = 0; c < clocks; c++)
        table_text(t, "missed at %.6g MHz", (double)hz[c] / 1e6);
    for (unsigned i = 0; i < b->image_count; i++)
        summary_row(b, i, hz, clocks, t);
    table_print(t, out);
    if (b->run_count)
        fprintf(out, "bytes; mcu cycles on %s of the longest decision with the interrupt around it\n", budget_core(b));
    table_free(t);
}

/* Of cycles, in a run that it is about. */
static bool run_used(const struct budget *b, const struct budget_run *r, const struct exception *e)
{
    const struct exception *why;
    for (unsigned s = 0; s < MH_SOURCES; s++) {
        const struct source_info info = source_info(s);
        if (!info.limited || info.limit != e->limit || budget_cycles(r, s) <= b->limits.values[e->limit])
            continue;
        (void)limits_of(&b->limits, b->images[r->image].image.base, r->workload->name, info.limit, &why);
        if (why == e)
            return true;
    }
    return false;
}

/* Did an image that was looked at use it? */
static bool used(const struct budget *b, const struct exception *e)
{
    enum limit l = (enum limit)e->limit;
    for (unsigned i = 0; l < LIMIT_EPOCH && i < b->image_count; i++) {
        const struct exception *why;
        (void)limits_of(&b->limits, b->images[i].image.base, NULL, l, &why);
        if (why == e && budget_need(b, i, l) > b->limits.values[l])
            return true;
    }
    for (unsigned i = 0; l >= LIMIT_EPOCH && i < b->run_count; i++)
        if (run_used(b, &b->runs[i], e))
            return true;
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
    for (unsigned i = 0; i < count; i++) {
        colour_word(COLOUR_BAD, "over:", out);
        fprintf(out, " %s\n", list[i].text);
    }
}
