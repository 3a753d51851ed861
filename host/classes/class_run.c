#include "classes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/words.h"
#include "base/table.h"
#include "memhelm/kernels.h"
#include "run/setup.h"

static bool wanted(const struct class_row *row, const char *paper, const char *kernel)
{
    if (paper && strcmp(paper, class_tables[row->paper].name))
        return false;
    return !kernel || mh_kernel_find(kernel) == mh_kernel_find(row->kernel);
}

static int choose(struct class_run *r, const char *paper, const char *kernel, struct mh_error *err)
{
    for (size_t i = 0; i < class_row_count; i++)
        if (wanted(&class_rows[i], paper, kernel) && r->count < CLASS_ROWS)
            r->cases[r->count++].row = &class_rows[i];
    if (r->count)
        return 0;
    struct nearest near = nearest_begin(kernel ? kernel : "", "");
    for (size_t i = 0; i < class_row_count; i++)
        nearest_try(&near, class_rows[i].kernel);
    return mh_fail(err, "%s has no class in %s%s; `memhelm list kernels` shows names, --paper is one of: " CLASS_PAPERS,
                   kernel ? kernel : "any kernel", paper ? paper : "the papers' tables",
                   kernel && mh_kernel_find(kernel) ? "" : near.text);
}

/* Before the user's own assignments, which may take it back. */
static void set_first(struct options *o, const char *set)
{
    memmove(o->sets + 1, o->sets, o->set_count++ * sizeof *o->sets);
    o->sets[0] = set;
}

static int configure(const struct class_run *r, const struct class_row *row, bool beside, struct mh_config *cfg,
                     struct mh_error *err)
{
    struct options o = *r->options;
    char workload[64], runs[32];
    snprintf(runs, sizeof runs, "run.completions=%u", row->runs);
    set_first(&o, runs);
    if (beside)
        set_first(&o, "sm.scheduler_alone=same"); /* one tenant that stands for one of two */
    if (row->size)
        snprintf(workload, sizeof workload, "%s:%llu", row->kernel, (unsigned long long)row->size);
    o.preset = class_tables[row->paper].name;
    o.workload = row->size ? workload : row->kernel;
    return setup_config(&o, cfg, err);
}

/* Half of every resource of an SM holds half of the CTAs, rounded down, of any launch (CCBP section 5.4). */
static int halve(struct mh_sm_cfg *sm, struct mh_error *err)
{
    if (sm->warps < 2 || sm->cta_slots < 2)
        return mh_fail(err, "sm.warps and sm.cta_slots are halved for CCBP's demand: give at least 2 of each");
    sm->warps /= 2;
    sm->cta_slots /= 2;
    sm->registers /= 2;
    sm->shared_bytes /= 2;
    return 0;
}

/* With half of an SM, or all of it. */
static struct kept_sim *add_sim(struct class_run *r, const struct class_row *row, bool half, struct mh_error *err)
{
    const struct image *baseline = plan_image(r->plan, "baseline", true, err);
    struct kept_sim *s = must_have(1, sizeof *s);
    s->sim.image = baseline;
    snprintf(s->what, sizeof s->what, "%s-%s%s", class_tables[row->paper].name, row->kernel, half ? "-half" : "");
    if (configure(r, row, half, &s->sim.cfg, err) || (half && halve(&s->sim.cfg.sm, err))) {
        free(s);
        return NULL;
    }
    return plan_add(r->plan, s, s->what, err);
}

static int prepare(struct class_run *r, struct class_case *c, struct mh_error *err)
{
    c->whole = add_sim(r, c->row, false, err);
    if (!c->whole || c->row->paper != PAPER_CCBP)
        return c->whole ? 0 : -1;
    c->half = add_sim(r, c->row, true, err);
    return c->half ? 0 : -1;
}

static int open_run(struct class_run *r, const char *paper, const char *kernel, struct mh_error *err)
{
    if (choose(r, paper, kernel, err) || !(r->plan = plan_open(r->options->keep, err)))
        return -1;
    for (unsigned i = 0; i < r->count; i++)
        if (prepare(r, &r->cases[i], err))
            return -1;
    return plan_store(r->plan, NULL, err);
}

struct class_run *class_run_open(const struct options *o, const char *paper, const char *kernel, struct mh_error *err)
{
    struct class_run *r = must_have(1, sizeof *r);
    r->options = o;
    if (!open_run(r, paper, kernel, err))
        return r;
    class_run_close(r);
    return NULL;
}

int class_run_all(struct class_run *r)
{
    (void)plan_load(r->plan);
    return plan_run(r->plan, r->options->jobs);
}

static void measure(const struct kept_sim *k, struct class_values *v)
{
    if (k && sim_passed(&k->sim))
        class_measure(v, &k->sim.cfg, &k->sim.result.stats);
    else
        *v = (struct class_values){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

static void class_run_outcome(const struct class_case *c, struct class_outcome *out)
{
    measure(c->whole, &out->whole);
    measure(c->half, &out->half);
    out->cycles = c->whole->sim.result.stats.cycles;
    out->cut = c->whole->sim.result.stats.tenant[0].completions < c->whole->sim.cfg.run.completions;
    out->class = class_of(c->row->paper, &out->whole, &out->half);
    out->right = out->class && !strcmp(out->class, c->row->class);
}

void class_run_close(struct class_run *r)
{
    if (r->plan)
        plan_free(r->plan);
    free(r);
}

/* --- What was found: on the terminal. */

static const char *const headings[PAPERS] = {
    [PAPER_MASK] = "L1 TLB miss|L2 TLB miss",
    [PAPER_DWS] = "MPMI",
    [PAPER_CCBP] = "thro/NoC/DRAM/L2 miss %|paper|demand",
    [PAPER_ETC] = "lines|pages",
    [PAPER_SIMT] = "pages|walks|paper",
};

static void heading(struct table *t, enum class_paper paper)
{
    table_heading(t, class_tables[paper].name);
    table_names(t, "size|cycles");
    table_names(t, headings[paper]);
    table_names(t, "class|paper's");
}

static void utilisation_cells(struct table *t, const struct class_row *row, const struct class_outcome *o)
{
    const struct class_values *v = &o->whole;
    if (isnan(v->noc))
        table_text(t, "-");
    else
        table_text(t, "%.0f/%.0f/%.0f/%.0f", 100 * v->throughput, 100 * v->noc, 100 * v->dram, 100 * v->l2_miss);
    table_text(t, "%s", row->printed);
    table_number(t, class_ccbp_demand(o->half.noc, o->half.dram), 2);
}

static void value_cells(struct table *t, const struct class_row *row, const struct class_outcome *o)
{
    const struct class_values *v = &o->whole;
    switch (row->paper) {
    case PAPER_MASK:
        table_percent(t, v->l1tlb_miss);
        table_percent(t, v->l2tlb_miss);
        break;
    case PAPER_DWS:
        table_number(t, v->mpmi, 1);
        break;
    case PAPER_CCBP:
        utilisation_cells(t, row, o);
        break;
    case PAPER_ETC:
        table_number(t, v->lines, 2);
        table_number(t, v->pages, 2);
        break;
    default:
        table_number(t, v->pages, 2);
        table_number(t, v->walks, 3);
        table_text(t, "%s", row->printed);
    }
}

static void row_cells(struct table *t, const struct class_case *c, const struct class_outcome *o)
{
    table_row(t);
    table_text(t, "%s", c->row->kernel);
    table_text(t, "%" PRIu64, c->whole->sim.cfg.tenants[0].size);
    table_text(t, "%" PRIu64 "%s", o->cycles, o->cut ? "+" : "");
    value_cells(t, c->row, o);
    table_text(t, "%s", o->class ? o->class : "-");
    table_text(t, "%s", c->row->class);
    if (o->right)
        return;
    table_text(t, "%s", o->class ? "MISS" : "no result");
    table_colour(t, o->class ? COLOUR_BAD : COLOUR_DOUBT);
}

/* The notes were found out with the default options; they need not hold with others. */
static void explain(const struct class_run *r, enum class_paper paper, FILE *out)
{
    bool first = true;
    for (unsigned i = 0; i < r->count; i++) {
        const struct class_row *row = r->cases[i].row;
        struct class_outcome o;
        class_run_outcome(&r->cases[i], &o);
        if (row->paper != paper || !o.class || o.right)
            continue;
        if (first)
            fprintf(out, "misses, as found out with the default options:\n");
        first = false;
        fprintf(out, "  %s: %s\n", row->kernel, *row->note ? row->note : "right with the default options");
    }
}

/* Rows of one paper; returns how many are right. */
static unsigned report_paper(const struct class_run *r, enum class_paper paper, FILE *out)
{
    struct table *t = table_new();
    const struct mh_config *cfg = NULL;
    unsigned right = 0;
    heading(t, paper);
    for (unsigned i = 0; i < r->count; i++) {
        struct class_outcome o;
        if (r->cases[i].row->paper != paper)
            continue;
        cfg = &r->cases[i].whole->sim.cfg;
        class_run_outcome(&r->cases[i], &o);
        row_cells(t, &r->cases[i], &o);
        right += o.right;
    }
    if (cfg) {
        fprintf(out,
                "%s, preset %s, one execution within %" PRIu64 " GPU cycles, seed %" PRIu64
                ", image baseline as a native twin:\n%s\n",
                class_tables[paper].source, cfg->preset, cfg->run.cycles, cfg->run.seed, class_tables[paper].rule);
        table_print(t, out);
        explain(r, paper, out);
        fputc('\n', out);
    }
    table_free(t);
    return right;
}

bool class_report(const struct class_run *r, FILE *out)
{
    unsigned right = 0;
    for (enum class_paper p = 0; p < PAPERS; p++)
        right += report_paper(r, p, out);
    fprintf(out, "%u of %u classes as in the papers\n", right, r->count);
    return 10 * right >= 9 * r->count;
}

/* --- JSON. */

static json_t *values_json(const struct class_values *v)
{
    json_t *o = json_object();
    json_put_real(o, "l1tlb_miss", v->l1tlb_miss);
    json_put_real(o, "l2tlb_miss", v->l2tlb_miss);
    json_put_real(o, "mpmi", v->mpmi);
    json_put_real(o, "throughput", v->throughput);
    json_put_real(o, "noc", v->noc);
    json_put_real(o, "dram", v->dram);
    json_put_real(o, "l2_miss", v->l2_miss);
    json_put_real(o, "lines", v->lines);
    json_put_real(o, "pages", v->pages);
    json_put_real(o, "walks", v->walks);
    return o;
}

static json_t *case_json(const struct class_case *c)
{
    const struct mh_config *cfg = &c->whole->sim.cfg;
    json_t *j = json_object();
    struct class_outcome o;
    class_run_outcome(c, &o);
    json_put(j, "paper", json_string(class_tables[c->row->paper].name));
    json_put(j, "kernel", json_string(c->row->kernel));
    json_put_count(j, "size", cfg->tenants[0].size);
    json_put_count(j, "window", cfg->run.cycles);
    json_put_count(j, "cycles", o.cycles);
    json_put(j, "cut", json_boolean(o.cut));
    json_put_count(j, "seed", cfg->run.seed);
    json_put(j, "paper_class", json_string(c->row->class));
    json_put(j, "class", o.class ? json_string(o.class) : json_null());
    json_put(j, "right", json_boolean(o.right));
    json_put(j, "values", values_json(&o.whole));
    if (c->half)
        json_put(j, "half", values_json(&o.half));
    if (o.class && !o.right && *c->row->note)
        json_put(j, "note", json_string(c->row->note));
    return j;
}

int class_report_json(const struct class_run *r, const char *path, struct mh_error *err)
{
    json_t *o = json_object(), *list = json_array();
    for (unsigned i = 0; i < r->count; i++)
        json_array_append_new(list, case_json(&r->cases[i]));
    json_put(o, "schema", json_string("memhelm-classes-1"));
    json_put(o, "image", json_string(r->cases[0].whole->sim.image->name));
    json_put(o, "image_sha256", json_string(r->cases[0].whole->sim.image->sha256));
    json_put(o, "set", json_texts(r->options->sets, r->options->set_count));
    json_put(o, "classes", list);
    return json_write(o, path, err);
}
