#include "jobs.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process.h"
#include "child.h"

enum {
    TICK_NS = 200 * 1000 * 1000,
    CONSOLE_TICK_NS = TICK_NS / 10,
    QUIET_SECONDS = 2,
    GRACE_SECONDS = 3,
    LINE_SECONDS = 60
};

struct pool {
    struct sim **sims;
    unsigned count, parallel, next, running, done;
    double started, said, looked;
    bool progress, terminal, shown;
    const struct jobs_hooks *hooks;
};

static unsigned limit; /* seconds, 0 = none */

static const struct jobs_progress *progress;

void jobs_progress(const struct jobs_progress *p)
{
    progress = p;
}

void jobs_limit(unsigned seconds)
{
    limit = seconds;
}

static void say_usual(const struct jobs_state *at, double seconds)
{
    fprintf(stderr, "memhelm: %u of %u runs done, %u running, %.0f %%, %.0f s", at->done, at->count, at->running,
            100 * at->part, seconds);
    if (at->part > 0.02)
        fprintf(stderr, ", %.0f s left", seconds / at->part - seconds);
}

static void write_progress(const struct pool *p, double now)
{
    const struct jobs_state at = {p->done, p->running, p->count, pace_part(p->sims, p->count, wall_seconds())};
    if (progress)
        progress->say(progress->ctx, stderr, &at);
    else
        say_usual(&at, now);
}

/* A line that is written over on a terminal, a line a minute elsewhere. */
static void show_progress(struct pool *p)
{
    double now = wall_seconds() - p->started;
    if (!p->progress || now < QUIET_SECONDS || (!p->terminal && now - p->said < LINE_SECONDS))
        return;
    fputs(p->terminal ? "\r\033[K" : "", stderr);
    write_progress(p, now);
    fputs(p->terminal ? "" : "\n", stderr);
    fflush(stderr);
    p->shown = p->terminal;
    p->said = now;
}

static void hide_progress(struct pool *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
    p->shown = false;
}

static struct sim *sim_of(const struct pool *p, pid_t pid)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->sims[i]->state == SIM_RUNNING && p->sims[i]->pid == pid)
            return p->sims[i];
    return NULL;
}

/* --- Those that do not go on. */

/* QEMU leaves the terminal as it was if it is asked to end, for which it must not be stopped. */
static void give_up(struct sim *s)
{
    bool asked = s->given_up && s->watch.seconds < s->ended + GRACE_SECONDS;
    if (asked)
        return;
    kill(s->pid, s->given_up ? SIGKILL : SIGTERM);
    kill(s->pid, SIGCONT);
    s->ended = s->watch.seconds;
    s->given_up = true;
}

static void look_at(struct pool *p, struct sim *s, double seconds)
{
    const struct watch_subject of = {s->image->name, s->image->twin, s->pid, s->view.gdb, limit};
    const struct watch_sight seen = watch_look(s->pid, s->view.gdb);
    struct mh_error said = {""};
    enum watch_verdict verdict = watch_step(&s->watch, &of, &seen, seconds, said.text, sizeof said.text);
    if (verdict == WATCH_END && !s->given_up)
        s->error = said;
    if (verdict == WATCH_END || s->given_up)
        give_up(s);
    if (verdict != WATCH_WARN)
        return;
    hide_progress(p);
    fprintf(stderr, "memhelm: %s\n", said.text);
}

/* Time in which this process was stopped, too, is not counted. */
static void look(struct pool *p)
{
    double now = wall_seconds(), seconds = now - p->looked;
    if (1e9 * seconds < TICK_NS)
        return;
    p->looked = now;
    for (unsigned i = 0; i < p->count; i++)
        if (p->sims[i]->state == SIM_RUNNING)
            look_at(p, p->sims[i], seconds < 1 ? seconds : 1);
}

static void show_consoles(const struct pool *p)
{
    for (unsigned i = 0; i < p->count; i++)
        console_show(p->sims[i]);
}

/* Setup reads files, which may be pipes without a writer: a signal ends the wait. */
static int start(struct sim *s)
{
    signals_release();
    int status = sim_start(s, &s->error);
    signals_hold();
    return status;
}

/* What can be done before there is a place. A failure comes again, and is told, when it is started. */
static void prepare_next(const struct pool *p)
{
    struct mh_error unused;
    if (p->next < p->count)
        (void)sim_prepare(p->sims[p->next], &unused);
}

static void start_more(struct pool *p)
{
    while (p->running < p->parallel && p->next < p->count && !signals_pending()) {
        struct sim *s = p->sims[p->next++];
        if (!start(s)) {
            p->running++;
        } else if (!signals_pending()) {
            s->state = SIM_LOST;
            p->done++;
        }
    }
}

/* Collects every child that has ended. Its result is kept before its place is taken: a kill loses what runs alone. */
static void reap(struct pool *p, bool stopped)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        struct sim *s = sim_of(p, pid);
        if (!s)
            continue;
        sim_finish(s, status);
        if (stopped && s->state == SIM_LOST)
            s->state = SIM_STOPPED;
        p->running--;
        p->done++;
        if (p->hooks && s->state != SIM_STOPPED)
            p->hooks->finished(p->hooks->ctx, s);
        if (!stopped)
            start_more(p);
        if (p->hooks && s->state != SIM_STOPPED)
            p->hooks->left(p->hooks->ctx, s);
    }
}

static void kill_all(const struct pool *p, int signal)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->sims[i]->state == SIM_RUNNING)
            kill(p->sims[i]->pid, signal);
}

static void stop(struct pool *p)
{
    double deadline = wall_seconds() + GRACE_SECONDS;
    kill_all(p, SIGTERM);
    for (reap(p, true); p->running; reap(p, true)) {
        if (wall_seconds() > deadline)
            kill_all(p, SIGKILL);
        signals_wait(TICK_NS);
    }
    for (unsigned i = 0; i < p->count; i++)
        if (p->sims[i]->state == SIM_WAITING)
            p->sims[i]->state = SIM_STOPPED;
}

static bool on_console(const struct pool *p)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->sims[i]->view.console || p->sims[i]->view.trace)
            return true;
    return false;
}

/* Until nothing runs or waits, or until a signal, whose number it returns. */
static int run_all(struct pool *p)
{
    long tick = p->progress ? TICK_NS : CONSOLE_TICK_NS;
    for (start_more(p); p->running && !signals_pending(); start_more(p)) {
        int signal = signals_wait(tick);
        if (signal && signal != SIGCHLD)
            return signal;
        show_consoles(p);
        reap(p, false);
        if (p->hooks)
            prepare_next(p);
        look(p);
        show_progress(p);
    }
    return signals_pending();
}

int jobs_run(struct sim **sims, unsigned count, unsigned parallel, const struct jobs_hooks *hooks)
{
    struct pool p = {.sims = sims, .count = count, .parallel = parallel, .started = wall_seconds(), .hooks = hooks};
    p.looked = p.started;
    p.progress = !on_console(&p);
    p.terminal = isatty(STDERR_FILENO);
    signals_hold();
    int signal = run_all(&p);
    hide_progress(&p);
    if (signal)
        stop(&p);
    signals_release();
    return signal;
}

/*
 * How far runs are, in time: what a person is told while they run. It depends on wall time, and no result on it.
 *
 * A run that has ended took what it took. Another takes as long as those of its kind that have ended did, on average;
 * where there are none, its cost (sim.h), times what those that have ended took beyond their own. So an estimate that
 * was wrong for one workload, or for this machine, is right once a run of it has ended.
 */

/* Of the runs that have ended. */
struct ended {
    unsigned count;
    double seconds;
};

struct pace {
    struct ended *kinds; /* by sim.kind */
    unsigned kind_count;
    double slower; /* seconds for a unit of cost */
};

/* Without costs a cycle of one run is as dear as one of another. */
static double cost_of(const struct sim *s)
{
    return s->cost > 0 ? s->cost : (double)s->cfg.run.cycles;
}

static bool has_ended(const struct sim *s)
{
    return s->state == SIM_DONE && s->seconds > 0;
}

static void learn(struct pace *p, struct sim *const *sims, unsigned count)
{
    double seconds = 0, costs = 0;
    for (unsigned i = 0; i < count; i++)
        if (has_ended(sims[i])) {
            p->kinds[sims[i]->kind].count++;
            p->kinds[sims[i]->kind].seconds += sims[i]->seconds;
            seconds += sims[i]->seconds;
            costs += cost_of(sims[i]);
        }
    p->slower = costs > 0 ? seconds / costs : 1;
}

/* In seconds, or in costs while none has ended. */
static double length_of(const struct pace *p, const struct sim *s)
{
    const struct ended *kind = &p->kinds[s->kind];
    if (has_ended(s))
        return s->seconds;
    return s->kind && kind->count ? kind->seconds / kind->count : cost_of(s) * p->slower;
}

/* The window may be far longer than the programs in it: its cycles say how far a run is at least. */
static double part_of(const struct pace *p, const struct sim *s, double now)
{
    if (s->state == SIM_WAITING)
        return 0;
    if (s->state != SIM_RUNNING)
        return 1;
    double part = s->cfg.run.cycles ? (double)mh_record_progress(s->dir) / (double)s->cfg.run.cycles : 0;
    if (s->kind && p->kinds[s->kind].count)
        part = fmax(part, (now - s->started) / length_of(p, s));
    return fmin(part, 1);
}

double pace_part(struct sim *const *sims, unsigned count, double now)
{
    struct pace p = {.kind_count = 1};
    double all = 0, over = 0;
    for (unsigned i = 0; i < count; i++)
        if (sims[i]->kind >= p.kind_count)
            p.kind_count = sims[i]->kind + 1;
    p.kinds = must_have(p.kind_count, sizeof *p.kinds);
    learn(&p, sims, count);
    for (unsigned i = 0; i < count; i++) {
        double length = length_of(&p, sims[i]);
        all += length;
        over += length * part_of(&p, sims[i], now);
    }
    free(p.kinds);
    return all > 0 ? over / all : 0;
}
