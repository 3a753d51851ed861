#include "doctor.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <jansson.h>
#include <lzma.h>
#include <openssl/crypto.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <yaml.h>
#include <zlib.h>
#include <zstd.h>

#include "base/escape.h"
#include "base/process.h"

static struct finding *add(struct doctor *d, enum finding_state state, const char *what)
{
    static struct finding dropped;
    struct finding *f = d->count < DOCTOR_FINDINGS ? &d->list[d->count++] : &dropped;
    memset(f, 0, sizeof *f);
    f->state = state;
    snprintf(f->what, sizeof f->what, "%s", what);
    return f;
}

void doctor_well(struct doctor *d, const char *what, const char *format, ...)
{
    struct finding *f = add(d, FINDING_OK, what);
    va_list args;
    va_start(args, format);
    vsnprintf(f->found, sizeof f->found, format, args);
    va_end(args);
}

void doctor_problem(struct doctor *d, enum finding_state state, const char *what, const char *remedy,
                    const char *format, ...)
{
    struct finding *f = add(d, state, what);
    va_list args;
    va_start(args, format);
    vsnprintf(f->found, sizeof f->found, format, args);
    va_end(args);
    snprintf(f->remedy, sizeof f->remedy, "%s", remedy);
}

static const char *const words[] = {[FINDING_OK] = "ok", [FINDING_WANTED] = "wanted", [FINDING_NEEDED] = "NEEDED"};

static const enum colour colours[] = {
    [FINDING_OK] = COLOUR_GOOD, [FINDING_WANTED] = COLOUR_DOUBT, [FINDING_NEEDED] = COLOUR_BAD};

static unsigned count(const struct doctor *d, enum finding_state state)
{
    unsigned n = 0;
    for (unsigned i = 0; i < d->count; i++)
        n += d->list[i].state == state;
    return n;
}

static void print(const struct finding *f, FILE *out)
{
    colour_begin(colours[f->state], out);
    fprintf(out, "%-6s", words[f->state]);
    colour_end(colours[f->state], out);
    fprintf(out, "  %-23s  ", f->what);
    escape_print(out, f->found);
    fputc('\n', out);
    if (!*f->remedy)
        return;
    fprintf(out, "%33s", "");
    escape_print(out, f->remedy);
    fputc('\n', out);
}

unsigned doctor_report(const struct doctor *d, FILE *out)
{
    unsigned needed = count(d, FINDING_NEEDED), wanted = count(d, FINDING_WANTED);
    for (unsigned i = 0; i < d->count; i++)
        print(&d->list[i], out);
    fprintf(out, "\n%s: %u ok, %u wanted, %u needed\n",
            needed ? "not all that a run needs is here" : "all that a run needs is here", count(d, FINDING_OK), wanted,
            needed);
    return needed;
}

enum { CANNOT_START = 127 };

/* In the child. Signals that the caller holds back would be held back there, too. */
static void become(const char *const *arguments, int out)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    alarm(PROGRAM_SECONDS);
    execvp(arguments[0], (char *const *)arguments);
    _exit(CANNOT_START);
}

/* All is read, so that a program that says much ends by itself. */
static void first_line(int from, char *line, size_t size)
{
    char text[512];
    FILE *in = fdopen(from, "r");
    *line = 0;
    if (!in) {
        close(from);
        return;
    }
    while (fgets(text, sizeof text, in)) {
        text[strcspn(text, "\n")] = 0;
        if (!*line)
            escape_text(line, size, text);
    }
    fclose(in);
}

int program_ask(const char *const *arguments, char *line, size_t size)
{
    int ends[2], status;
    *line = 0;
    if (pipe(ends))
        return -1;
    pid_t pid = fork();
    if (!pid)
        become(arguments, ends[1]);
    close(ends[1]);
    first_line(ends[0], line, size);
    if (pid < 0)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status) == CANNOT_START ? -1 : WEXITSTATUS(status);
}

/* External programs, and the libraries that memhelm is linked with. */

/* What each is for: without it the rest works. */
static const struct tool {
    const char *name, *option, *remedy, *use;
} tools[] = {
    {"riscv64-unknown-elf-gcc", "--version", "apt-get install gcc-riscv64-unknown-elf", "compiles firmware"},
    {"cc", "--version", "apt-get install build-essential", "compiles the model and twins"},
    {"make", "--version", "apt-get install build-essential", "builds policies"},
    {"gnuplot", "--version", "apt-get install gnuplot-nox", "draws what --plots and --series-plot ask for"},
    {"gdb-multiarch", "--version", "apt-get install gdb-multiarch", "debugs firmware (run --gdb)"},
    {"oclgrind", "--version", "apt-get install oclgrind", "runs the programs that `memhelm record` records"},
};

static void ask(struct doctor *d, const struct tool *t)
{
    const char *const arguments[] = {t->name, t->option, NULL};
    char line[200];
    if (program_ask(arguments, line, sizeof line))
        doctor_problem(d, FINDING_WANTED, t->name, t->remedy, "not to be started; it %s", t->use);
    else
        doctor_well(d, t->name, "%s", line);
}

static void recorder(struct doctor *d)
{
    char path[HOST_PATH];
    if (built_file(path, "the recorder", "record-plugin.path", "MEMHELM_RECORD_PLUGIN", NULL) || access(path, R_OK))
        doctor_problem(d, FINDING_WANTED, "recorder", "install what host/record/get-deps.sh names, then `make`",
                       "Oclgrind's plugin is not built; `memhelm record` needs it");
    else
        doctor_well(d, "recorder", "Oclgrind's plugin, %s", path);
}

void doctor_tools(struct doctor *d)
{
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        ask(d, &tools[i]);
    recorder(d);
    doctor_well(d, "libraries", "libyaml %s, jansson %s, zstd %s, liblzma %s, zlib %s, SQLite %s",
                yaml_get_version_string(), jansson_version_str(), ZSTD_versionString(), lzma_version_string(),
                zlibVersion(), sqlite3_libversion());
    doctor_well(d, "", "libdw %s, %s", dwfl_version(NULL), OpenSSL_version(OPENSSL_VERSION));
}
