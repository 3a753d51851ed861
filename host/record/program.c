#include "record.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/process.h"

enum { CHUNK = 1 << 18, TICK = 500 /* ms */, PATIENCE = 4 /* ticks, between asking it to end and ending it */ };

struct child {
    const struct record_request *request;
    struct recording *r;
    pid_t pid;
    int from;
    struct bytes in; /* what came and is not taken yet */
    bool ended, enough;
    double told; /* wall time of the last line of progress */
    struct record_end *end;
};

static int plugin_path(char path[HOST_PATH], struct mh_error *err)
{
    if (built_file(path, "the recorder", "record-plugin.path", "MEMHELM_RECORD_PLUGIN", err) || access(path, R_OK))
        return mh_fail(err, "this memhelm was built without the recorder: install the Debian packages oclgrind, "
                            "liboclgrind-dev, llvm-14-dev, opencl-c-headers and g++, then run `make`");
    return 0;
}

int program_check(const char *program, struct mh_error *err)
{
    char path[HOST_PATH];

    if (strchr(program, '/') ? access(program, X_OK) : !in_path(program))
        return mh_fail(err, "%.300s: no such program%s", program,
                       strchr(program, '/') ? "" : " in $PATH; one of this directory is ./NAME");
    if (!in_path("oclgrind"))
        return mh_fail(err, "Oclgrind, which runs OpenCL programs without a GPU, is not installed: install the Debian "
                            "package oclgrind");
    return plugin_path(path, err);
}

static void settle(const struct record_request *q, int to, pid_t parent)
{
    char text[128];

    signals_default();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    snprintf(text, sizeof text, "%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, to, q->launches.first,
             q->launches.end, q->ctas.first, q->ctas.end);
    setenv(RECORD_VARIABLE, text, 1);
}

/* In the child. */
static void execute(const struct record_request *q, const char *plugin)
{
    static const char *const first[] = {"oclgrind", "--num-threads", "1", "--build-options"};
    enum { FIRST = sizeof first / sizeof *first };
    unsigned count = 0, n = 0;
    const char **argv;

    while (q->argv[count])
        count++;
    argv = calloc(FIRST + count + 4, sizeof *argv);
    if (argv) {
        for (; n < FIRST; n++)
            argv[n] = first[n];
        argv[n++] = q->options;
        argv[n++] = "--plugins";
        argv[n++] = plugin;
        memcpy(argv + n, q->argv, count * sizeof *argv);
        execvp(argv[0], (char *const *)argv);
    }
    fprintf(stderr, "memhelm: oclgrind cannot be started: %s\n", strerror(errno));
    _exit(127);
}

static int start(struct child *c, struct mh_error *err)
{
    char plugin[HOST_PATH];
    pid_t parent = getpid();
    int ends[2];

    if (plugin_path(plugin, err))
        return -1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return mh_fail(err, "no connection to the program: %s", strerror(errno));
    fflush(NULL);
    c->pid = fork();
    if (!c->pid) {
        close(ends[0]);
        settle(c->request, ends[1], parent);
        execute(c->request, plugin);
    }
    close(ends[1]);
    c->from = ends[0];
    return c->pid < 0 ? mh_fail(err, "cannot start a process: %s", strerror(errno)) : 0;
}

/* Has it ended? Its status is noted. */
static bool has_ended(struct child *c, int how)
{
    if (!c->ended)
        c->ended = waitpid(c->pid, &c->end->status, how) == c->pid;
    return c->ended;
}

/* It may tidy up first, unless it takes too long. */
static void end_child(struct child *c)
{
    if (!has_ended(c, WNOHANG))
        kill(c->pid, SIGTERM);
    for (int i = 0; i < PATIENCE && !has_ended(c, WNOHANG); i++)
        poll(NULL, 0, TICK);
    if (!has_ended(c, WNOHANG))
        kill(c->pid, SIGKILL);
    has_ended(c, 0);
}

static uint32_t length_of(const uint8_t *head)
{
    return head[1] | (uint32_t)head[2] << 8 | (uint32_t)head[3] << 16 | (uint32_t)head[4] << 24;
}

/* Takes the whole messages that have come. */
static int take(struct child *c, struct mh_error *err)
{
    size_t at = 0;

    while (c->in.size - at >= RECORD_MESSAGE_HEAD) {
        const uint8_t *head = c->in.at + at;
        size_t length = length_of(head);

        if (length > RECORD_MESSAGE_MAX)
            return mh_fail(err, "the plugin's messages are damaged");
        if (c->in.size - at < RECORD_MESSAGE_HEAD + length)
            break;
        if (recording_message(c->r, (char)head[0], head + RECORD_MESSAGE_HEAD, length, err))
            return -1;
        at += RECORD_MESSAGE_HEAD + length;
    }
    memmove(c->in.at, c->in.at + at, c->in.size - at);
    c->in.size -= at;
    return 0;
}

/* More from the socket: 1, 0 at its end, -1 and `err`. */
static int receive(struct child *c, struct mh_error *err)
{
    static uint8_t chunk[CHUNK];
    ssize_t got = recv(c->from, chunk, sizeof chunk, 0);

    if (got <= 0)
        return got < 0 && errno == EINTR ? 1 : 0;
    bytes_add(&c->in, chunk, (size_t)got);
    if (c->in.failed)
        return mh_fail(err, "out of memory");
    return take(c, err) ? -1 : 1;
}

static void show_progress(struct child *c)
{
    const struct recording *r = c->r;

    if (!isatty(STDERR_FILENO) || wall_seconds() - c->told < 1)
        return;
    c->told = wall_seconds();
    if (r->running)
        fprintf(stderr, "\r\033[Kmemhelm: launch %u (%.40s): CTA %" PRIu64 " of %" PRIu64 ", %" PRIu64 " MB",
                r->now.number, r->now.name, r->now.ctas, r->now.total, r->size / 1000000);
    else
        fprintf(stderr, "\r\033[Kmemhelm: %u launches, %" PRIu64 " MB", r->seen, r->size / 1000000);
}

static void hide_progress(const struct child *c)
{
    if (c->told > 0)
        fprintf(stderr, "\r\033[K");
}

static bool is_last(const struct record_request *q, const struct recording *r)
{
    return r->running ? r->now.number + 1 >= q->launches.end && r->cta_behind >= q->ctas.end
                      : r->seen >= q->launches.end;
}

/* Nothing more is wanted: the plugin is told, and with --stop the program ended. */
static void look_whether_enough(struct child *c)
{
    static const char byte = RECORD_ENOUGH;
    const struct recording *r = c->r;

    if (c->enough || (!r->full && !is_last(c->request, r)))
        return;
    c->enough = true;
    c->end->stopped = c->request->stop && !has_ended(c, WNOHANG);
    if (c->end->stopped)
        end_child(c);
    else if (send(c->from, &byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
        c->enough = true; /* it has ended */
}

/* Until the program has closed its end, or has ended and left it to a child of its own. */
static int pump(struct child *c, struct mh_error *err)
{
    int more = 1;

    while (more > 0 && !c->end->stopped) {
        struct pollfd p = {c->from, POLLIN, 0};
        int ready = poll(&p, 1, TICK);

        c->end->interrupted = signals_pending();
        if (c->end->interrupted)
            return 0;
        if (ready > 0)
            more = receive(c, err);
        else if (has_ended(c, WNOHANG))
            more = 0;
        if (more > 0)
            look_whether_enough(c);
        show_progress(c);
    }
    return more < 0 ? -1 : 0;
}

int program_run(const struct record_request *q, struct recording *r, struct record_end *end, struct mh_error *err)
{
    struct child c = {.request = q, .r = r, .from = -1, .end = end};
    int status;

    *end = (struct record_end){0};
    if (start(&c, err))
        return -1;
    signals_release();
    status = pump(&c, err);
    hide_progress(&c);
    if (status || end->interrupted)
        end_child(&c);
    has_ended(&c, 0);
    close(c.from);
    bytes_free(&c.in);
    return status;
}
