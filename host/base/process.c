#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
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

static int results = STDOUT_FILENO;

bool standard_output_named(const char *path)
{
    return !strcmp(path, "-");
}

int standard_output_take(struct mh_error *err)
{
    int fd;
    if (results != STDOUT_FILENO)
        return 0;
    fflush(stdout);
    fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return mh_fail(err, "standard output: cannot write: %s", strerror(errno));
    results = fd;
    return 0;
}

int standard_output_write(const char *data, size_t length, struct mh_error *err)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(results, data + done, length - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno == EPIPE)
            return 0;
        else if (errno != EINTR || signals_told_to_end())
            return mh_fail(err, "standard output: cannot write all of it: %s", strerror(errno));
    }
    return 0;
}

FILE *standard_output_or_file(const char *path)
{
    const int fd = standard_output_named(path) ? fcntl(results, F_DUPFD_CLOEXEC, 0) : -1;
    if (!standard_output_named(path))
        return fopen(path, "w");
    return fd < 0 ? NULL : fdopen(fd, "w");
}

static enum colour_when when = COLOUR_AUTO;

void colour_set(enum colour_when said)
{
    when = said;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

/*
 * Has `out` colours? Of auto: a terminal, unless $NO_COLOR is set to anything or $TERM is dumb. $NO_COLOR does not
 * change what --color=always asks for.
 */
static bool colour_on(FILE *out)
{
    const char *terminal = getenv("TERM");
    if (when != COLOUR_AUTO)
        return when == COLOUR_ALWAYS;
    return isatty(fileno(out)) && !is_set("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0;
}

/* Of the terminal's own eight, so that they suit its background. */
void colour_begin(enum colour colour, FILE *out)
{
    static const char *const codes[] = {
        [COLOUR_NONE] = "", [COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[1;31m", [COLOUR_DOUBT] = "\033[33m"};
    if (colour_on(out))
        fputs(codes[colour], out);
}

void colour_end(enum colour colour, FILE *out)
{
    if (colour != COLOUR_NONE && colour_on(out))
        fputs("\033[0m", out);
}

void colour_word(enum colour colour, const char *word, FILE *out)
{
    colour_begin(colour, out);
    fputs(word, out);
    colour_end(colour, out);
}
