#include "process.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDS = sizeof ends / sizeof *ends };

static volatile sig_atomic_t noted;
static bool taken; /* the signal was reported to the caller that waited */
static void (*clean_up)(void);

/* A program started with nohup ignores SIGHUP. */
static bool is_heard(int signal)
{
    struct sigaction now;
    return signal != SIGHUP || sigaction(signal, NULL, &now) || now.sa_handler != SIG_IGN;
}

static sigset_t heard(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < ENDS; i++)
        if (is_heard(ends[i]))
            sigaddset(&set, ends[i]);
    return set;
}

/* Without SA_RESTART: what waits in a read or write ends. */
static void handle(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    action.sa_mask = heard();
    for (int i = 0; i < ENDS; i++)
        if (is_heard(ends[i]))
            sigaction(ends[i], &action, NULL);
}

static void leave(int signal)
{
    static const char text[] = "memhelm: interrupted\n";
    if (clean_up)
        clean_up();
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(128 + signal);
}

static void note(int signal)
{
    noted = signal;
}

void signals_at_end(void (*f)(void))
{
    clean_up = f;
}

void signals_catch(void)
{
    handle(leave);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static sigset_t held(void)
{
    sigset_t set = heard();
    sigaddset(&set, SIGCHLD);
    return set;
}

void signals_hold(void)
{
    sigset_t set = held();
    sigprocmask(SIG_BLOCK, &set, NULL);
}

int signals_wait(long nanoseconds)
{
    sigset_t set = held();
    const struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    int signal = sigtimedwait(&set, NULL, &time);
    taken |= signal > 0 && signal != SIGCHLD;
    return signal > 0 ? signal : 0;
}

void signals_release(void)
{
    sigset_t set = heard();
    handle(note);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int signals_pending(void)
{
    sigset_t set;
    sigpending(&set);
    for (int i = 0; i < ENDS; i++)
        if (sigismember(&set, ends[i]))
            return ends[i];
    return noted;
}

bool signals_told_to_end(void)
{
    return taken || signals_pending();
}

void signals_default(void)
{
    sigset_t none;
    handle(SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void wall_say(double seconds, unsigned jobs, FILE *out)
{
    if (seconds < 60)
        fprintf(out, "less than a minute");
    else if (seconds < 2 * 3600)
        fprintf(out, "about %.0f minutes", seconds / 60);
    else
        fprintf(out, "about %.1f hours", seconds / 3600);
    fprintf(out, " if %u processor%s free\n", jobs, jobs > 1 ? "s are" : " is");
}
