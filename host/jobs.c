#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK_NS = 200 * 1000 * 1000, QUIET_SECONDS = 2, GRACE_SECONDS = 3, LINE_SECONDS = 60 };

struct pool {
    struct sim **sims;
    unsigned count, next, running, done;
    double started, said;
    bool progress, terminal, shown;
    void (*finished)(void *ctx, struct sim *s);
    void *ctx;
};

static sigset_t awaited(void)
{
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    return set;
}

void jobs_hold_signals(void)
{
    sigset_t set = awaited();
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* a reader that goes away must not keep the directory of the runs */
}

int jobs_signal_held(void)
{
    sigset_t set;
    sigpending(&set);
    return sigismember(&set, SIGINT)    ? SIGINT
           : sigismember(&set, SIGTERM) ? SIGTERM
           : sigismember(&set, SIGHUP)  ? SIGHUP
                                        : 0;
}

/* Of all cycles of all runs, the part that is simulated. */
static double fraction(const struct pool *p)
{
    double all = 0, simulated = 0;
    for (unsigned i = 0; i < p->count; i++) {
        const struct sim *s = p->sims[i];
        double cycles = (double)s->cfg.run.cycles;
        all += cycles;
        if (s->state == SIM_RUNNING)
            simulated += (double)mh_record_progress(s->dir);
        else if (s->state != SIM_WAITING)
            simulated += cycles;
    }
    return all > 0 ? simulated / all : 0;
}

static void write_progress(const struct pool *p, double now)
{
    double part = fraction(p);
    fprintf(stderr, "memhelm: %u of %u runs done, %u running, %.0f %%, %.0f s", p->done, p->count, p->running,
            100 * part, now);
    if (part > 0.02)
        fprintf(stderr, ", %.0f s left", now / part - now);
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

/* Collects every child that has ended. */
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
        if (p->finished && s->state != SIM_STOPPED)
            p->finished(p->ctx, s);
    }
}

static void start_more(struct pool *p, unsigned parallel)
{
    while (p->running < parallel && p->next < p->count) {
        struct sim *s = p->sims[p->next++];
        if (sim_start(s, &s->error)) {
            s->state = SIM_LOST;
            p->done++;
        } else {
            p->running++;
        }
    }
}

static void kill_all(const struct pool *p, int signal)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->sims[i]->state == SIM_RUNNING)
            kill(p->sims[i]->pid, signal);
}

/* Waits for one of the signals, or for a tick. 0 for a tick. */
static int wait_signal(void)
{
    sigset_t set = awaited();
    const struct timespec tick = {0, TICK_NS};
    int signal = sigtimedwait(&set, NULL, &tick);
    return signal > 0 ? signal : 0;
}

static void stop(struct pool *p)
{
    double deadline = wall_seconds() + GRACE_SECONDS;
    kill_all(p, SIGTERM);
    for (reap(p, true); p->running; reap(p, true)) {
        if (wall_seconds() > deadline)
            kill_all(p, SIGKILL);
        wait_signal();
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

int jobs_run(struct sim **sims, unsigned count, unsigned parallel)
{
    return jobs_run_each(sims, count, parallel, NULL, NULL);
}

int jobs_run_each(struct sim **sims, unsigned count, unsigned parallel, void (*finished)(void *ctx, struct sim *s),
                  void *ctx)
{
    struct pool p = {.sims = sims, .count = count, .started = wall_seconds(), .finished = finished, .ctx = ctx};
    int signal = 0;
    p.progress = !on_console(&p);
    p.terminal = isatty(STDERR_FILENO);
    for (start_more(&p, parallel); p.running; start_more(&p, parallel)) {
        signal = wait_signal();
        if (signal && signal != SIGCHLD)
            break;
        reap(&p, false);
        show_progress(&p);
    }
    hide_progress(&p);
    if (!p.running)
        return 0;
    stop(&p);
    return signal;
}
