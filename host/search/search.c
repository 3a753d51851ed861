#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/report.h"
#include "run/traces.h"

/* --- Kernels: each is made once, for its launches and for all runs, which are processes of this one's image. */

struct search_kernel {
    char kernel[MH_PATH_MAX];
    uint64_t size;
    uint32_t asid; /* with the seed decides its data */
    struct cta_kernel launches;
    struct mh_workload **made; /* [seed] */
};

static const struct search_kernel *known(const struct search *s, const struct mh_tenant_cfg *t)
{
    for (unsigned i = 0; i < s->kernel_count; i++)
        if (s->kernels[i].size == t->size && s->kernels[i].asid == t->asid && !strcmp(s->kernels[i].kernel, t->kernel))
            return &s->kernels[i];
    return NULL;
}

static int make(struct search_kernel *k, const struct search_workload *w, uint32_t t, unsigned seeds,
                struct mh_error *err)
{
    k->made = must_have(seeds, sizeof *k->made);
    for (unsigned seed = 0; seed < seeds; seed++) {
        const struct mh_config *cfg = &w->free[seed].run->sim.cfg;
        struct mh_config piped;
        k->made[seed] = piped_config(cfg, &piped, err) ? NULL : mh_workload_make(&piped, t, err);
        if (!k->made[seed] || needs_add(&k->launches, cfg, t, k->made[seed], err))
            return -1;
    }
    return 0;
}

static const struct search_kernel *learn(struct search *s, const struct search_workload *w, uint32_t t,
                                         struct mh_error *err)
{
    const struct mh_tenant_cfg *tenant = &search_config(w)->tenants[t];
    struct search_kernel *more = must(realloc(s->kernels, (s->kernel_count + 1) * sizeof *more));
    s->kernels = more;
    more += s->kernel_count++;
    *more = (struct search_kernel){.size = tenant->size, .asid = tenant->asid};
    memcpy(more->kernel, tenant->kernel, sizeof more->kernel);
    return make(more, w, t, s->request->seeds, err) ? NULL : more;
}

static void forget(struct search_kernel *k, unsigned seeds)
{
    needs_free(&k->launches);
    for (unsigned seed = 0; k->made && seed < seeds; seed++)
        mh_workload_free(k->made[seed]);
    free(k->made);
}

static int find_kernels(struct search *s, struct search_workload *w, struct mh_error *err)
{
    const struct mh_config *cfg = search_config(w);
    const struct mh_cta_room sm = mh_room_of_sm(cfg);
    w->made = must_have((size_t)s->request->seeds * w->tenants, sizeof *w->made);
    for (uint32_t t = 0; t < w->tenants; t++) {
        const struct search_kernel *k = known(s, &cfg->tenants[t]);
        k = k ? k : learn(s, w, t, err);
        if (!k)
            return -1;
        w->kernels[t] = k->launches;
        w->most[t] = cta_most(&sm, &k->launches, s->request->spatial ? cfg->tenants[t].sm_count : 0);
        for (unsigned seed = 0; seed < s->request->seeds; seed++)
            w->made[seed * w->tenants + t] = k->made[seed];
    }
    return 0;
}

/* --- Combinations and their runs. */

/* The model knows a resource of which there is too little, unless it is another one in each of the launches. */
static int refuse(const struct search_workload *w, struct mh_error *err)
{
    struct mh_error why;
    if (mh_gpu_fits_together(search_config(w), w->made, &why))
        return mh_fail(err, "%.900s; here that is --spatial", why.text);
    return mh_fail(err, "%s: of no launches of theirs one CTA each fits an SM; --spatial gives each SMs of its own",
                   w->name);
}

static int count(const struct search *s, struct search_workload *w, struct mh_error *err)
{
    const struct mh_cta_room sm = mh_room_of_sm(search_config(w));
    int status = s->request->spatial ? combinations_apart(&w->all, w->most, w->tenants, err)
                                     : combinations_together(&w->all, &sm, w->kernels, w->tenants, err);
    if (status || !w->all.count)
        return status ? status : refuse(w, err);
    return s->first ? finalists_keep(s->first, s->request, w, search_even(s, w), err) : 0;
}

/* Alone a kernel has the whole GPU, wherever it runs beside others. */
static int add_free(struct search *s, struct search_workload *w, struct mh_error *err)
{
    const struct search_request *r = s->request;
    struct variant baseline = {.image = "baseline", .machine = MACHINE_TWIN};
    struct measure m = {.common = {.preset = r->preset}, .cycles = r->cycles, .alone_whole = true};
    struct plan_options o = {.times = 1};
    m.common.sets[m.common.set_count++] = r->spatial ? "sm.share=0" : "sm.share=1";
    for (unsigned i = 0; i < r->set_count; i++)
        m.common.sets[m.common.set_count++] = r->sets[i];
    m.expr = must(expr_parse("weighted_speedup", err));
    for (unsigned seed = 0; seed < r->seeds; seed++) {
        o.seed = r->seed_first + seed;
        plan_point(s->plan, &m, &baseline, w->spec, &o, &w->free[seed]);
    }
    expr_free(m.expr);
    for (unsigned seed = 0; seed < r->seeds; seed++)
        if (!w->free[seed].run)
            return mh_fail(err, "workload %.60s: %s", w->spec, w->free[seed].reason);
    return 0;
}

/* A tenant has the same data alone. */
static void lend(const struct search_workload *w, const struct point *p, unsigned seed)
{
    struct mh_workload *const *made = &w->made[seed * w->tenants];
    p->run->sim.work = made;
    for (unsigned t = 0; t < w->tenants; t++)
        p->alone[t]->sim.work = made + t;
}

static int add_points(struct search *s, struct search_workload *w, struct mh_error *err)
{
    unsigned seeds = s->request->seeds;
    uint32_t limits[MH_MAX_TENANTS];
    w->points = must_have((size_t)w->all.count * seeds, sizeof *w->points);
    for (unsigned i = 0; i < w->all.count * seeds; i++) {
        for (unsigned t = 0; t < w->tenants; t++)
            limits[t] = w->all.ctas[i / seeds][t];
        plan_limits(s->plan, &w->free[i % seeds], limits, &w->points[i]);
        if (!w->points[i].run)
            return mh_fail(err, "workload %.60s: %s", w->spec, w->points[i].reason);
        lend(w, &w->points[i], i % seeds);
    }
    for (unsigned seed = 0; seed < seeds; seed++)
        lend(w, &w->free[seed], seed);
    return 0;
}

static int check_given(const struct search_workload *w, struct mh_error *err)
{
    const struct mh_config *cfg = search_config(w);
    if (w->tenants < 2)
        return mh_fail(err, "workload %.60s: one kernel has no combinations: join several with +, such as BP+CFD",
                       w->spec);
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        if (cfg->tenants[t].arrive || cfg->tenants[t].leave)
            return mh_fail(err, "tenants[%u]: a search is of kernels that are there all the time: no arrive, no leave",
                           t);
    return 0;
}

static int add_workload(struct search *s, unsigned i, struct mh_error *err)
{
    struct search_workload *w = &s->workloads[i];
    w->spec = s->request->workloads[i];
    w->group = s->request->groups[i];
    w->free = must_have(s->request->seeds, sizeof *w->free);
    if (add_free(s, w, err))
        return -1;
    w->tenants = search_config(w)->tenants_count;
    report_workload(search_config(w), "+", w->name, sizeof w->name);
    return check_given(w, err) || find_kernels(s, w, err) || count(s, w, err) || add_points(s, w, err) ? -1 : 0;
}

/* The first round. */
static int open_first(struct search *s, struct mh_error *err)
{
    const struct search_request *r = s->request;
    s->first = must(oracles_new());
    if (oracles_about(s->first, r->from, &s->first_search, err))
        return -1;
    if (s->first_search.split != r->spatial)
        return mh_fail(err, "%s: SMs were %s there: %s --spatial", r->from, s->first_search.split ? "split" : "shared",
                       s->first_search.split ? "add" : "leave out");
    return 0;
}

static int open_all(struct search *s, struct mh_error *err)
{
    s->plan = plan_open(NULL, err);
    if (!s->plan)
        return -1;
    if (s->request->from && open_first(s, err))
        return -1;
    for (unsigned i = 0; i < s->request->workload_count; i++)
        if (add_workload(s, i, err))
            return -1;
    if (plan_store(s->plan, s->request->results, err))
        return -1;
    s->kept = plan_load(s->plan);
    return 0;
}

struct search *search_open(const struct search_request *request, struct mh_error *err)
{
    struct search *s = must_have(1, sizeof *s);
    s->request = request;
    if (!open_all(s, err))
        return s;
    search_close(s);
    return NULL;
}

void search_close(struct search *s)
{
    for (unsigned i = 0; i < s->request->workload_count; i++) {
        combinations_free(&s->workloads[i].all);
        free(s->workloads[i].free);
        free(s->workloads[i].points);
        free(s->workloads[i].made);
    }
    for (unsigned i = 0; i < s->kernel_count; i++)
        forget(&s->kernels[i], s->request->seeds);
    free(s->kernels);
    if (s->plan)
        plan_free(s->plan);
    if (s->first)
        oracles_free(s->first);
    free(s);
}

/* --- Running them. */

static unsigned search_waiting(const struct search *s)
{
    unsigned waiting = 0;
    for (unsigned i = 0; i < plan_count(s->plan); i++)
        waiting += plan_sims(s->plan)[i]->sim.state == SIM_WAITING;
    return waiting;
}

double search_seconds(const struct search *s)
{
    return (double)search_waiting(s) * (double)s->request->cycles * 1e-6 * PLAN_SECONDS_PER_MCYCLE / s->request->jobs;
}

int search_run(struct search *s)
{
    double seconds = search_seconds(s);
    fprintf(stderr, "memhelm: %u runs, %u of them kept from before", plan_count(s->plan), s->kept);
    if (seconds >= 60)
        fprintf(stderr, "; about %.0f minutes if %u processors are free", seconds / 60, s->request->jobs);
    fputc('\n', stderr);
    return plan_run(s->plan, s->request->jobs);
}

/* --- Looking at them. */

const struct mh_config *search_config(const struct search_workload *w)
{
    return &w->free[0].run->sim.cfg;
}

const struct point *search_points(const struct search *s, const struct search_workload *w, int i)
{
    return i < 0 ? w->free : &w->points[(unsigned)i * s->request->seeds];
}

unsigned search_combinations(const struct search *s)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < s->request->workload_count; i++)
        sum += s->workloads[i].all.count;
    return sum;
}
