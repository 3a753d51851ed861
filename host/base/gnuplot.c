#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np */

#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"

extern char **environ;

/*
 * In `dir`: scripts name their files alone, so that they draw wherever the directory is. Signals that the caller holds
 * back would be held back in gnuplot, too.
 */
static int spawn(const char *dir, const char *const *arguments, pid_t *pid)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files; /* its version, which is all it says there, is of no interest */
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addchdir_np(&files, dir);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int status = posix_spawnp(pid, arguments[0], &files, &attributes, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return status;
}

static int run_gnuplot(const char *dir, const char *argument, struct mh_error *err)
{
    const char *const arguments[] = {"gnuplot", argument, NULL};
    pid_t pid;
    int status;
    if (spawn(dir, arguments, &pid))
        return mh_fail(err, "gnuplot cannot be started: apt-get install gnuplot-nox, or ask for no figures");
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return mh_fail(err, "gnuplot: %s", strerror(errno));
    return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : mh_fail(err, "gnuplot failed on %s/%s", dir, argument);
}

int gnuplot_check(const char *dir, struct mh_error *err)
{
    char probe[HOST_PATH];
    if (make_dirs(dir, err) || path_join(probe, dir, "probe", err) || check_writable(probe, err))
        return -1;
    return run_gnuplot(dir, "-V", err);
}

int gnuplot_place(const char *option, const char *path, char dir[HOST_PATH], char name[HOST_PATH], struct mh_error *err)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *end = strrchr(file, '.');
    if (!end || end == file || strcmp(end, ".svg") != 0 || strlen(path) >= HOST_PATH || end - file > GNUPLOT_NAME)
        return mh_fail(err, "%s %.200s: a file's name that ends in .svg", option, path);
    snprintf(dir, HOST_PATH, "%.*s", slash && slash != path ? (int)(slash - path) : 1, slash ? path : ".");
    snprintf(name, HOST_PATH, "%.*s", (int)(end - file), file);
    return 0;
}

int gnuplot_open(struct gnuplot *g, struct mh_error *err)
{
    memset(g, 0, sizeof *g);
    g->data = open_memstream(&g->data_text, &g->data_size);
    g->script = open_memstream(&g->script_text, &g->script_size);
    return g->data && g->script ? 0 : mh_fail(err, "out of memory");
}

const char *const gnuplot_colours[GNUPLOT_COLOURS] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                      "#56B4E9", "#D55E00", "#F0E442", "#000000"};

/* In single quotes only they themselves mean anything. */
void gnuplot_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("''", out);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    fputc('\'', out);
}

void gnuplot_value(struct gnuplot *g, double v)
{
    if (isnan(v))
        fputs("\t?", g->data);
    else
        fprintf(g->data, "\t%.6g", v);
}

/* Values have 6 digits in the data. */
void gnuplot_range(struct gnuplot *g, double least, double most)
{
    double margin = fmax(0.01 * fabs(most), 0.01);
    if (most - least <= 1e-5 * fabs(most))
        fprintf(g->script, "set yrange [%.6g:%.6g]\n", least - margin, most + margin);
}

/* `file` is set to NAME.SUFFIX. */
static int write_part(const char *dir, const char *name, const char *suffix, const char *text, size_t size,
                      char file[128], struct mh_error *err)
{
    char path[HOST_PATH];
    snprintf(file, 128, "%s.%s", name, suffix);
    return path_join(path, dir, file, err) || write_file(path, text, size, err) ? -1 : 0;
}

void gnuplot_drop(struct gnuplot *g)
{
    fclose(g->data);
    fclose(g->script);
    free(g->data_text);
    free(g->script_text);
}

int gnuplot_finish(struct gnuplot *g, const char *dir, const char *name, struct mh_error *err)
{
    char file[128];
    fflush(g->data);
    fflush(g->script);
    int status = write_part(dir, name, "dat", g->data_text, g->data_size, file, err) ||
                 write_part(dir, name, "gp", g->script_text, g->script_size, file, err) || run_gnuplot(dir, file, err);
    gnuplot_drop(g);
    return status ? -1 : 0;
}
