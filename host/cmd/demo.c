#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "base/number.h"
#include "base/process.h"
#include "mcu/image.h"
#include "plan/metrics.h"
#include "plan/plan.h"
#include "run/setup.h"
#include "commands.h"
#include "shared.h"

static const char doc[] =
    "For each of the five papers one workload on which its mechanism matters, beside what the paper compares it with, "
    "and "
    "one for an A100 and an H100: firmware in QEMU, some seconds each. Examples are chosen because they show "
    "something; a line of each gives the "
    "mean over the paper's workloads.\v"
    "Examples:\n"
    "  memhelm demo\n"
    "  memhelm demo dws ccbp\n"
    "  memhelm demo etc --results new.sqlite    runs again: no run is kept there\n"
    "\n"
    "Finished runs are kept, and shown at once by a next call. `memhelm list papers` has the papers.\n"
    "Exit codes: 0; 1 a run failed; 2 bad input; 128 + signal when interrupted.";

enum { PAPERS = 8 };

/* The mean over a paper's workloads, as it is recorded: the paper's value, ours, what it is of. */
static const struct {
    const char *study, *paper, *ours, *what;
} headlines[] = {
#define HEADLINE(study, paper, ours, what) {study, paper, ours, what},
#include "headlines.def"
};

/* A paper's example: what the paper compares with, and its own image. */
struct example {
    const struct paper_row *paper;
    char settings[160];
    struct point points[2];
};

struct request {
    const struct paper_row *papers[PAPERS];
    unsigned count;
    struct shared shared;
};

static void choose(struct request *r, const char *word, struct argp_state *state)
{
    struct nearest near = nearest_begin(word, "");
    bool found = false;
    for (const struct paper_row *p = paper_rows; p->name; p++) {
        nearest_try(&near, p->study);
        if (strcasecmp(word, p->name) && strcmp(word, p->study))
            continue;
        if (r->count < PAPERS)
            r->papers[r->count++] = p;
        found = true;
    }
    if (!found)
        argp_error(state, "no paper is called '%.60s'%s; `memhelm list papers` shows them", word, near.text);
}

static const struct argp_child children[] = {{&shared_jobs, 0, NULL, 0}, {&shared_kept, 0, NULL, 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        shared_begin(state, children, &r->shared);
        return 0;
    case ARGP_KEY_ARG:
        choose(r, arg, state);
        return 0;
    case ARGP_KEY_END:
        for (const struct paper_row *p = paper_rows; !r->count || (p != paper_rows && p->name); p++)
            r->papers[r->count++] = p;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void add_point(struct plan *p, struct example *e, unsigned i, const struct measure *m)
{
    const struct variant v = {.image = i ? e->paper->image : e->paper->baseline};
    const struct plan_options o = {.seed = 1, .times = 1, .alone = strchr(e->paper->workload, '+') != NULL};
    plan_point(p, m, &v, e->paper->workload, &o, &e->points[i]);
}

static int add(struct plan *p, struct example *e, struct expr *any, struct mh_error *err)
{
    struct measure m = {.expr = any, .common = {.preset = paper_preset(e->paper)}};
    char *rest = NULL;
    if (!number_scaled(e->paper->cycles, &m.cycles))
        return mh_fail(err, "%s: no number of cycles: %s", e->paper->name, e->paper->cycles);
    snprintf(e->settings, sizeof e->settings, "%s", e->paper->settings);
    for (char *s = strtok_r(e->settings, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        m.common.sets[m.common.set_count++] = s;
    for (unsigned i = 0; i < 2; i++) {
        add_point(p, e, i, &m);
        if (!e->points[i].run)
            return mh_fail(err, "%s: %.900s", e->paper->name, e->points[i].reason);
    }
    return 0;
}

/* --- What it shows. */

/* "SRT runs 20.6 times as fast", "FWT runs 2 % slower". */
static void say_speed(const char *kernel, double ratio, FILE *out)
{
    if (ratio >= 2)
        fprintf(out, "%s runs %.1f times as fast", kernel, ratio);
    else if (fabs(ratio - 1) < 0.005)
        fprintf(out, "%s runs as fast as before", kernel);
    else
        fprintf(out, "%s runs %.0f %% %s", kernel, 100 * fabs(ratio - 1), ratio > 1 ? "faster" : "slower");
}

static void say_tenants(const struct example *e, const struct metrics m[2], FILE *out)
{
    const struct mh_config *cfg = &e->points[0].run->sim.cfg;
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        fputs(t ? ", " : "  ", out);
        say_speed(setup_kernel_name(&cfg->tenants[t]), m[1].tenant[t].ipc / m[0].tenant[t].ipc, out);
    }
    if (cfg->tenants_count > 1)
        fprintf(out, ".\n  Weighted speedup %.2f -> %.2f, worst slowdown %.2f -> %.2f", m[0].weighted_speedup,
                m[1].weighted_speedup, m[0].maximum_slowdown, m[1].maximum_slowdown);
    fputs(".\n", out);
}

static void say_mean(const struct paper_row *p, FILE *out)
{
    if (*p->preset)
        fputs(
            "  Pages of 64 KiB. With those of 4 KiB more is gained, with those of 2 MiB nothing; other values that no "
            "source gives undo it: host/reproduce/todays-gpus.md\n",
            out);
    for (size_t i = 0; i < sizeof headlines / sizeof *headlines; i++)
        if (!strcmp(headlines[i].study, p->study))
            fprintf(out, "  All workloads: %s recorded, %s in the paper: %s.\n", headlines[i].ours, headlines[i].paper,
                    headlines[i].what);
}

static void show(const struct example *e, FILE *out)
{
    struct metrics m[2];
    for (unsigned i = 0; i < 2; i++)
        if (!point_metrics(&e->points[i], &e->points[i], &m[i]))
            return;
    fprintf(out, "%s: %s, beside %s, on %s\n", e->paper->name, e->paper->image, e->paper->baseline, e->paper->workload);
    say_tenants(e, m, out);
    say_mean(e->paper, out);
    fputs("  ", out);
    paper_command(e->paper, program_invocation_name, out);
    fputs("\n\n", out);
}

/* --- All of it. */

static int run(struct plan *p, const struct request *r, struct example *examples, struct mh_error *err)
{
    struct expr *any = expr_parse("ipc[0]", err);
    int status = any ? plan_store(p, r->shared.results, err) : -1;
    for (unsigned i = 0; !status && i < r->count; i++) {
        examples[i].paper = r->papers[i];
        status = add(p, &examples[i], any, err);
    }
    if (any)
        expr_free(any);
    if (status)
        return bad_input(err);
    const bool kept = plan_load(p) == plan_count(p);
    const int signal = plan_run(p, r->shared.jobs);
    printf("Examples, chosen because the mechanism matters there%s:\n\n", kept ? " (runs kept from before)" : "");
    for (unsigned i = 0; i < r->count; i++)
        show(&examples[i], stdout);
    fflush(stdout);
    const bool good = plan_report_failures(p);
    return signal ? 128 + signal : good ? EXIT_PASSED : EXIT_NOT_PASSED;
}

const struct argp demo_argp = {.parser = parse, .args_doc = "[PAPER...]", .doc = doc, .children = children};

int cmd_demo(int argc, char **argv)
{
    struct request r = {.count = 0};
    struct mh_error err;
    shared_init(&r.shared);
    command_parse(&demo_argp, argc, argv, &r);
    struct plan *p = plan_open(NULL, &err);
    if (!p)
        return bad_input(&err);
    struct example *examples = must_have(r.count, sizeof *examples);
    const int code = run(p, &r, examples, &err);
    free(examples);
    plan_free(p);
    return code;
}
