#define _GNU_SOURCE
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "machine.h"
#include "qemu_arguments.h"
#include "base/escape.h"
#include "base/process.h"

enum { MAX_ARGS = 40 };

/* Arguments of QEMU. The texts live as long as the child needs them: until exec. */
struct arguments {
    char *v[MAX_ARGS];
    int n;
    char kernel[HOST_PATH]; /* the image with its parameters, or as it is */
    char machine[12 * HOST_PATH], serial[2 * HOST_PATH], plugin[8 * HOST_PATH], gdb[40], trace[HOST_PATH];
};

static void add(struct arguments *a, const char *text)
{
    a->v[a->n++] = (char *)text;
    a->v[a->n] = NULL;
}

static void add_option(struct arguments *a, const char *name, const char *value)
{
    add(a, name);
    add(a, value);
}

/* QEMU's option parser ends a value at a comma unless it is doubled. */
static void add_escaped(char *out, size_t size, const char *path)
{
    size_t n = strlen(out);
    for (; *path && n + 2 < size; path++) {
        out[n++] = *path;
        if (*path == ',')
            out[n++] = ',';
    }
    out[n] = 0;
}

static void add_console(struct arguments *a, const struct sim *s)
{
    strcpy(a->serial, s->view.console ? "stdio,id=uart,logfile=" : "file,id=uart,path=");
    add_escaped(a->serial, sizeof a->serial - 16, s->dir);
    strcat(a->serial, "/uart.log");
    add_option(a, "-chardev", a->serial);
    add_option(a, "-serial", "chardev:uart");
}

static void add_file(struct arguments *a, const char *property, const char *path)
{
    strcat(a->machine, property);
    add_escaped(a->machine, sizeof a->machine, path);
}

/* The machine finds the plugin, once QEMU has loaded it, by the same path. */
static void add_plugin(struct arguments *a, const char *plugin, const struct sim *s)
{
    add_file(a, ",core-plugin=", plugin);
    add_escaped(a->plugin, sizeof a->plugin, plugin);
    strcat(a->plugin, ",table=");
    add_escaped(a->plugin, sizeof a->plugin, s->dir);
    strcat(a->plugin, "/core.table,out=");
    add_escaped(a->plugin, sizeof a->plugin, s->dir);
    strcat(a->plugin, "/core.json");
    add_option(a, "-plugin", a->plugin);
}

/* Signed, in a slot: the ROM loads it. */
static void add_boot(struct arguments *a, const struct sim *s)
{
    char counter[32];
    add_file(a, ",rom=", s->boot->rom);
    add_file(a, ",slot-a=", s->boot->slot);
    add_file(a, ",key=", s->dir);
    snprintf(counter, sizeof counter, "/fuses.bin,counter=%u", (unsigned)s->boot->counter);
    strcat(a->machine, counter);
}

static void qemu_arguments(struct arguments *a, const char *qemu, const char *plugin, const struct sim *s)
{
    static const char *const fixed[] = {QEMU_ARGUMENTS, NULL};
    add(a, qemu);
    strcpy(a->machine, "memhelm,run=");
    add_escaped(a->machine, sizeof a->machine, s->dir);
    add_option(a, "-M", a->machine);
    if (*plugin)
        add_plugin(a, plugin, s);
    if (s->boot)
        add_boot(a, s);
    else
        add_option(a, "-kernel", a->kernel);
    for (int i = 0; fixed[i]; i++)
        add(a, fixed[i]);
    add_console(a, s);
    if (s->view.gdb) {
        snprintf(a->gdb, sizeof a->gdb, "tcp:127.0.0.1:%u", s->view.gdb);
        add(a, "-S");
        add_option(a, "-gdb", a->gdb);
    }
    if (s->view.trace) {
        strcpy(a->trace, "enable=");
        add_escaped(a->trace, sizeof a->trace, s->view.trace);
        add_option(a, "-trace", a->trace);
    }
}

/* In the child: its own signals, its own standard error, and no life after the parent's. */
static void settle(const struct sim *s, pid_t parent)
{
    char log[HOST_PATH + 16];
    signals_default();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    if (s->view.trace)
        return;
    snprintf(log, sizeof log, "%s/stderr.log", s->dir);
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd >= 0)
        dup2(fd, STDERR_FILENO);
}

/* Only a person at the console types to the firmware. */
static void close_input(const struct sim *s)
{
    int fd = s->view.console ? -1 : open("/dev/null", O_RDONLY);
    if (fd >= 0)
        dup2(fd, STDIN_FILENO);
}

static _Noreturn void run_qemu(const struct sim *s, char *const arguments[])
{
    close_input(s);
    execv(arguments[0], arguments);
    dprintf(STDERR_FILENO, "%s: cannot be started: %s\n", arguments[0], strerror(errno));
    _exit(127);
}

static _Noreturn void run_twin(const struct sim *s)
{
    int code = twin_run(s);
    fflush(NULL);
    _exit(code);
}

static int place_image(struct arguments *a, const struct sim *s, struct mh_error *err)
{
    const struct image *image = sim_boots(s);
    if (!image->settings.count)
        return path_join(a->kernel, image->path, "", err);
    return path_join(a->kernel, s->dir, "image.elf", err) || image_save(image, a->kernel, err) ? -1 : 0;
}

/* As the machine reads them (qemu/hw/memhelm_swap.c). */
static int place_swaps(const struct sim *s, struct mh_error *err)
{
    char path[HOST_PATH], name[24], when[MH_SWAP_TEXT], lines[(MH_SWAPS + 1) * (MH_SWAP_NAME + MH_SWAP_TEXT + 2)];
    size_t used = (size_t)snprintf(lines, sizeof lines, "%u\n", s->probation);
    for (unsigned i = 0; i < s->swap_count; i++) {
        snprintf(name, sizeof name, "swap-%u.elf", i);
        if (!s->boot && (path_join(path, s->dir, name, err) || image_save(s->swaps[i].image, path, err)))
            return -1; /* a signed one is there: boot_prepare() */
        mh_swap_when_write(&s->swaps[i].when, when);
        used += (size_t)snprintf(lines + used, sizeof lines - used, "%s %s\n", when, s->swaps[i].image->name);
    }
    return s->swap_count && (path_join(path, s->dir, "swaps", err) || write_file(path, lines, used, err)) ? -1 : 0;
}

static void announce_gdb(const struct sim *s)
{
    fputs("The mcu waits before its first instruction. Attach with\n  gdb-multiarch ", stderr);
    shell_word(stderr, s->image->path);
    fputs(" -x ", stderr);
    shell_word(stderr, exe_dir());
    fprintf(stderr, "/gdb/memhelm.py -ex 'target remote 127.0.0.1:%u'\n", s->view.gdb);
}

/*
 * The child's process; `console` is where its standard output goes, -1: where ours goes. QEMU's borrows our memory
 * until it has its own: to copy the pages of a sweep costs as much as all else that a short run needs from us.
 */
static pid_t start(const struct sim *s, char *const arguments[], int console, struct mh_error *err)
{
    const pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = s->image->twin ? fork() : vfork();
    if (pid < 0)
        return mh_fail(err, "cannot start a process: %s", strerror(errno));
    if (pid)
        return pid;
    settle(s, parent);
    if (console >= 0)
        dup2(console, STDOUT_FILENO);
    if (s->image->twin)
        run_twin(s);
    run_qemu(s, arguments);
}

pid_t child_start(struct sim *s, struct mh_error *err)
{
    char qemu[HOST_PATH], plugin[HOST_PATH] = "";
    struct arguments a = {.n = 0};
    int console;
    if (!s->image->twin && sim_qemu(qemu, err))
        return -1;
    if (core_plugin_needed(s) && core_plugin_path(plugin, err))
        return -1;
    if (s->view.gdb)
        announce_gdb(s);
    if (console_open(s, &console, err))
        return -1;
    if (!s->image->twin && (place_image(&a, s, err) || place_swaps(s, err))) {
        console_close(s);
        return -1;
    }
    if (!s->image->twin)
        qemu_arguments(&a, qemu, plugin, s);
    pid_t pid = start(s, a.v, console, err);
    if (console >= 0)
        close(console);
    if (pid < 0)
        console_close(s);
    return pid;
}

int sim_qemu(char path[HOST_PATH], struct mh_error *err)
{
    if (built_file(path, "QEMU", "qemu.path", "MEMHELM_QEMU", err))
        return -1;
    return access(path, X_OK) ? mh_fail(err, "QEMU '%s' cannot be executed: %s; run `make`", path, strerror(errno)) : 0;
}

int console_open(struct sim *s, int *to, struct mh_error *err)
{
    int ends[2];
    *to = -1;
    if (!s->view.console || !isatty(STDOUT_FILENO))
        return 0;
    if (pipe2(ends, O_CLOEXEC))
        return mh_fail(err, "cannot make a pipe for the console: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    s->console = (struct console){.open = true, .from = ends[0]};
    *to = ends[1];
    return 0;
}

void console_show(struct sim *s)
{
    char bytes[4096], part[ESCAPE_MOST] = "";
    ssize_t n;
    if (!s->console.open)
        return;
    while ((n = read(s->console.from, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++)
            fwrite(part, 1, escape_byte(part, (unsigned char)bytes[i], &s->console.last), stdout);
    fflush(stdout);
}

void console_close(struct sim *s)
{
    char part[ESCAPE_MOST] = "";
    if (!s->console.open)
        return;
    console_show(s);
    fwrite(part, 1, escape_end(part, s->console.last), stdout);
    close(s->console.from);
    s->console.open = false;
}
