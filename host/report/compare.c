#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/number.h"
#include "base/memory.h"
#include "run/setup.h"
#include "report.h"

enum kind {
    CHANGED /* with the change against the first image */,
    COUNT /* the same, of a uint64_t */,
    NUMBER,
    PERCENT
};

struct column {
    const char *name;
    size_t at; /* of the value in struct metrics */
    enum kind kind;
    int digits; /* after the point */
    bool wide;
};

#define AT(member) offsetof(struct metrics, member)
static const struct column columns[] = {
    {"weighted speedup", AT(weighted_speedup), CHANGED, 3, false},
    {"max slowdown", AT(maximum_slowdown), CHANGED, 3, false},
    {"L2 TLB hit", AT(all.l2tlb_hit), PERCENT, 0, true},
    {"bypass hit", AT(all.bypass_hit), PERCENT, 0, true},
    {"walks", AT(walks), COUNT, 0, true},
    {"walk latency [cycles]", AT(all.walk_latency), NUMBER, 0, true},
    {"GB/s", AT(all.dram_gbs), NUMBER, 1, true},
    {"of peak", AT(all.dram_share), PERCENT, 0, true},
};
enum { COLUMNS = sizeof columns / sizeof *columns, BEFORE_IPC = 2 };

static double value_of(const struct column *c, const struct metrics *m)
{
    double value;
    uint64_t count;
    memcpy(&value, (const char *)m + c->at, sizeof value);
    memcpy(&count, (const char *)m + c->at, sizeof count);
    return c->kind == COUNT ? (double)count : value;
}

/* Metrics of each image with each seed, images in a row; an image with a run that did not pass has none. */
struct measured {
    const struct experiment *x;
    struct metrics *m;
    bool good[MAX_IMAGES];
    unsigned first; /* image that all are compared with; image_count: none is good */
};

static const struct metrics *of(const struct measured *all, unsigned image, unsigned seed)
{
    return &all->m[seed * all->x->options->image_count + image];
}

static struct measured measure(const struct experiment *x)
{
    const unsigned images = x->options->image_count;
    struct measured all = {.x = x, .m = must_have(x->seeds * images, sizeof *all.m), .first = images};
    for (unsigned i = images; i-- > 0;) {
        all.good[i] = true;
        for (unsigned k = 0; k < x->seeds; k++)
            all.good[i] &= experiment_metrics(&x[k], i, &all.m[k * images + i]);
        all.first = all.good[i] ? i : all.first;
    }
    return all;
}

static void put_mean(struct table *t, const struct interval *v, int digits, const struct interval *change)
{
    char half[32] = "", by[64] = "";
    if (isnan(v->mean)) {
        table_number(t, v->mean, digits);
        return;
    }
    if (!isnan(v->half) && !change)
        snprintf(half, sizeof half, " +- %.*f", digits, v->half);
    if (change && !isnan(change->mean) && isnan(change->half))
        snprintf(by, sizeof by, " (%+.1f %%)", 100 * change->mean);
    else if (change && !isnan(change->mean))
        snprintf(by, sizeof by, " (%+.1f +- %.1f %%)", 100 * change->mean, 100 * change->half);
    table_text(t, "%.*f%s%s", digits, v->mean, half, by);
}

static void put(struct table *t, const struct measured *all, unsigned image, const struct column *c)
{
    const unsigned seeds = all->x->seeds;
    double *value = must_have(2 * seeds, sizeof *value), *ratio = value + seeds;
    for (unsigned k = 0; k < seeds; k++) {
        value[k] = value_of(c, of(all, image, k));
        ratio[k] = metrics_ratio(value[k], value_of(c, of(all, all->first, k))) - 1;
    }
    const struct interval v = interval_of(value, seeds), change = interval_of(ratio, seeds);
    if (c->kind == PERCENT)
        table_percent(t, v.mean);
    else if (c->kind == NUMBER)
        table_number(t, v.mean, c->digits);
    else
        put_mean(t, &v, c->digits, image == all->first ? NULL : &change);
    free(value);
}

static void put_ipc(struct table *t, const struct measured *all, unsigned image)
{
    struct column ipc = {"IPC", AT(tenant[0].ipc), CHANGED, 2, false};
    for (uint32_t i = 0; i < all->x->cfg.tenants_count; i++, ipc.at += sizeof(struct tenant_metrics))
        put(t, all, image, &ipc);
}

static void gpu_heading(const struct experiment *x, struct table *t)
{
    table_row(t);
    table_text(t, "image");
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (c == BEFORE_IPC)
            for (uint32_t i = 0; i < x->cfg.tenants_count; i++)
                table_text(t, "IPC %u %.30s", i, setup_kernel_name(&x->cfg.tenants[i]));
        if (!columns[c].wide || x->options->wide)
            table_text(t, "%s", columns[c].name);
    }
    if (x->seeds == 1)
        report_paging_heading(&x->cfg, t);
}

static void gpu_row(struct table *t, const struct measured *all, unsigned image)
{
    const struct experiment *x = all->x;
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (c == BEFORE_IPC)
            put_ipc(t, all, image);
        if (!columns[c].wide || x->options->wide)
            put(t, all, image, &columns[c]);
    }
    if (x->seeds == 1)
        report_paging_cells(&x->cfg, &x->runs[image]->sim.result.stats, t);
}

static void alone_row(const struct experiment *x, struct table *t)
{
    double *ipc = must_have(x->seeds, sizeof *ipc);
    if (x->with_alone) {
        table_heading(t, "(each alone)|-|-");
    }
    for (uint32_t i = 0; x->with_alone && i < x->cfg.tenants_count; i++) {
        for (unsigned k = 0; k < x->seeds; k++) {
            const struct sim *s = &x[k].alone[i]->sim;
            ipc[k] = s->state == SIM_DONE ? metrics_ipc_alone(&x->cfg.tenants[i], &s->result.stats) : (double)NAN;
        }
        const struct interval v = interval_of(ipc, x->seeds);
        put_mean(t, &v, 2, NULL);
    }
    free(ipc);
}

static bool any_walk_epochs(const struct experiment *x)
{
    for (unsigned i = 0; i < x->options->image_count; i++)
        if (x->runs[i]->sim.state == SIM_DONE && x->runs[i]->sim.result.stats.control.walk_epochs)
            return true;
    return false;
}

/* After the columns of timer epochs and of the image, which all images have. */
static void walk_epoch_cells(struct table *t, const struct mh_control_stats *c, const struct metrics *m)
{
    table_text(t, "%" PRIu64 " of %" PRIu64, c->walk_missed, c->walk_epochs);
    table_number(t, m->walk_epoch_latency, 0);
}

static void firmware_row(struct table *t, const struct sim *s, const struct metrics *m)
{
    const struct mh_control_stats *c = &s->result.stats.control;
    const struct mh_decisions *epoch = &s->result.mcu.decision[MH_SOURCE_EPOCH];
    const struct mh_mcu_stats *core = &s->result.mcu;
    table_row(t);
    table_text(t, "%s", s->image->name);
    table_text(t, "%" PRIu64, c->latency_count);
    table_text(t, "%" PRIu64, c->missed);
    if (epoch->count)
        table_text(t, "%" PRIu64 "/%.0f/%" PRIu64, epoch->min, (double)epoch->sum / (double)epoch->count, epoch->max);
    else
        table_text(t, "-");
    table_number(t, m->decision_latency, 0);
    if (s->image->twin) {
        table_names(t, "-|-|-");
        return;
    }
    table_text(t, "%u", s->image->sizes.code + s->image->sizes.rodata);
    table_text(t, "%u", s->image->sizes.data + s->image->sizes.bss);
    table_text(t, "%u", core->stack_used);
}

static const char *failure(const struct sim *s)
{
    return s->state == SIM_DONE ? mh_end_names[s->result.end] : s->state == SIM_STOPPED ? "stopped" : "lost";
}

/* Of the seed's run that did not pass, the first one. */
static void failure_row(struct table *t, const struct experiment *x, unsigned image)
{
    for (unsigned k = 0; k < x->seeds; k++) {
        const struct sim *s = &x[k].runs[image]->sim;
        if (s->state == SIM_DONE && s->result.end == MH_END_PASS)
            continue;
        table_text(t, "%s", failure(s));
        table_colour(t, COLOUR_BAD);
        return;
    }
}

static struct table *gpu_table(const struct measured *all)
{
    const struct experiment *x = all->x;
    struct table *t = table_new();
    gpu_heading(x, t);
    for (unsigned i = 0; i < x->options->image_count; i++) {
        table_row(t);
        table_text(t, "%s", x->images[i]->name);
        if (all->good[i])
            gpu_row(t, all, i);
        else
            failure_row(t, x, i);
    }
    alone_row(x, t);
    return t;
}

/* Of several seeds, the first one. */
static struct table *firmware_table(const struct measured *all)
{
    const struct experiment *x = all->x;
    const bool walk_epochs = any_walk_epochs(x);
    struct table *t = table_new();
    table_heading(t, "image|decisions|missed|mcu cycles min/mean/max|latency [GPU cycles]|code+const|data+bss|stack");
    table_names(t, walk_epochs ? "walk epochs missed|walk epoch latency [GPU cycles]" : "");
    for (unsigned i = 0; i < x->options->image_count; i++) {
        if (!all->good[i])
            continue;
        firmware_row(t, &x->runs[i]->sim, of(all, i, 0));
        if (walk_epochs)
            walk_epoch_cells(t, &x->runs[i]->sim.result.stats.control, of(all, i, 0));
    }
    return t;
}

static void put_tables(const struct measured *all, const struct doc *d)
{
    doc_table(d, gpu_table(all));
    if (all->first < all->x->options->image_count)
        doc_table(d, firmware_table(all));
}

void report_compare_tables(const struct experiment *x, const struct doc *d)
{
    struct measured all = measure(x);
    put_tables(&all, d);
    free(all.m);
}

void report_compare(const struct experiment *x, FILE *out)
{
    struct measured all = measure(x);
    report_title(x, out);
    put_tables(&all, &(struct doc){out, DOC_TEXT, 0});
    if (all.first < x->options->image_count) {
        report_moved(&x->runs[all.first]->sim, out);
        report_short(&x->cfg, out);
        report_faster(&x->cfg, of(&all, all.first, 0), out);
    }
    for (unsigned n = 0; n < x->seeds * x->options->image_count; n++)
        report_lines(&x[n / x->options->image_count].runs[n % x->options->image_count]->sim, out);
    free(all.m);
}
