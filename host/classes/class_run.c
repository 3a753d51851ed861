#include "class_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
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
    struct kept_sim *s = baseline ? calloc(1, sizeof *s) : NULL;
    if (!s) {
        (void)(baseline && mh_fail(err, "out of memory"));
        return NULL;
    }
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
    struct class_run *r = calloc(1, sizeof *r);
    if (!r) {
        (void)mh_fail(err, "out of memory");
        return NULL;
    }
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
    const struct sim *s = k ? &k->sim : NULL;
    if (s && s->state == SIM_DONE && s->result.end == MH_END_PASS)
        class_measure(v, &s->cfg, &s->result.stats);
    else
        *v = (struct class_values){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

void class_run_outcome(const struct class_case *c, struct class_outcome *out)
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
