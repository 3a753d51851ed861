#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../file.h"

extern char **environ;

/* Signals that the caller holds back would be held back in gnuplot, too. */
static int spawn(const char *const *arguments, pid_t *pid)
{
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files; /* its version, which is all it says there, is of no interest */
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    int status = posix_spawnp(pid, arguments[0], &files, &attributes, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return status;
}

static int run_gnuplot(const char *argument, struct mh_error *err)
{
    const char *const arguments[] = {"gnuplot", argument, NULL};
    pid_t pid;
    int status;
    if (spawn(arguments, &pid))
        return mh_fail(err, "gnuplot cannot be started: apt-get install gnuplot-nox, or leave --plots out");
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return mh_fail(err, "gnuplot: %s", strerror(errno));
    return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : mh_fail(err, "gnuplot failed on %s", argument);
}

int plot_check(const char *dir, struct mh_error *err)
{
    char probe[HOST_PATH];
    if (strpbrk(dir, "'\"\\\n"))
        return mh_fail(err, "--plots %s: a directory without quotes and backslashes, please: gnuplot reads its name",
                       dir);
    if (make_dirs(dir, err) || path_join(probe, dir, "probe", err) || check_writable(probe, err))
        return -1;
    return run_gnuplot("-V", err);
}

/* A plot's data and script, as they grow. */
struct plot {
    char *data, *script;
    size_t data_size, script_size;
    FILE *d, *s;
    unsigned groups;
};

static int plot_open(struct plot *p, struct mh_error *err)
{
    memset(p, 0, sizeof *p);
    p->d = open_memstream(&p->data, &p->data_size);
    p->s = open_memstream(&p->script, &p->script_size);
    return p->d && p->s ? 0 : mh_fail(err, "out of memory");
}

static int write_part(const char *dir, const char *name, const char *suffix, const char *text, size_t size,
                      char path[HOST_PATH], struct mh_error *err)
{
    char file[128];
    snprintf(file, sizeof file, "%s.%s", name, suffix);
    return path_join(path, dir, file, err) || write_file(path, text, size, err) ? -1 : 0;
}

static int plot_finish(struct plot *p, const char *dir, const char *name, struct mh_error *err)
{
    char path[HOST_PATH];
    fclose(p->d);
    fclose(p->s);
    int status = write_part(dir, name, "dat", p->data, p->data_size, path, err) ||
                 write_part(dir, name, "gp", p->script, p->script_size, path, err) || run_gnuplot(path, err);
    free(p->data);
    free(p->script);
    return status ? -1 : 0;
}

/* Both outputs of one plot; gnuplot runs wherever it is called, so paths are the script's own directory. */
static void script_head(struct plot *p, const char *dir, const char *name, const char *title, const char *axis)
{
    unsigned width = 400 + 26 * p->groups;
    fprintf(p->s,
            "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 0.8 border -1\n"
            "set boxwidth 0.9\nset rmargin 12\nset xtics rotate by -45 noenhanced\nset key above noenhanced\nset grid "
            "ytics\n"
            "set xzeroaxis\nset title \"%s\" noenhanced\nset ylabel \"%s\"\nset datafile separator tab\n"
            "set datafile missing '?'\n",
            title, axis);
    for (int png = 0; png < 2; png++)
        fprintf(p->s, "set terminal %s size %u,480\nset output '%s/%s.%s'\nplot @BARS\n", png ? "png" : "svg",
                width > 1800 ? 1800 : width, dir, name, png ? "png" : "svg");
}

static void script_bars(struct plot *p, const char *dir, const char *name, unsigned bars)
{
    fputs("BARS = \"", p->s);
    for (unsigned b = 0; b < bars; b++)
        fprintf(p->s, "%s'%s/%s.dat' using %u%s title columnheader(%u)", b ? ", " : "", dir, name, b + 2,
                b ? "" : ":xtic(1)", b + 2);
    fputs("\"\n", p->s);
}

static void data_value(FILE *d, double v)
{
    if (isnan(v))
        fputs("\t?", d);
    else
        fprintf(d, "\t%.6g", v);
}

static int plot_grid(const struct reproduce_grid *g, const char *dir, struct mh_error *err)
{
    struct plot p;
    bool gain = g->grid->measure.relation == RELATION_GAIN;
    if (plot_open(&p, err))
        return -1;
    fputs("workload", p.d);
    for (unsigned c = 0; c < g->grid->column_count; c++)
        fprintf(p.d, "\t%s", g->grid->columns[c].name);
    for (unsigned w = 0; w < g->columns[0].workload_count; w++) {
        fprintf(p.d, "\n%s", g->columns[0].workloads[w].name);
        for (unsigned c = 0; c < g->grid->column_count; c++)
            data_value(p.d, (gain ? 100 : 1) * series_cell_mean(&g->columns[c], w));
    }
    fputs("\nmean", p.d);
    for (unsigned c = 0; c < g->grid->column_count; c++)
        data_value(p.d, (gain ? 100 : 1) * series_mean(&g->columns[c]));
    fputc('\n', p.d);
    p.groups = (g->columns[0].workload_count + 1) * g->grid->column_count / 2;
    script_bars(&p, dir, g->grid->id, g->grid->column_count);
    script_head(&p, dir, g->grid->id, g->grid->title, gain ? "gain [%]" : g->grid->measure.metric);
    return plot_finish(&p, dir, g->grid->id, err);
}

/* Effects and levels of one unit; a bound has no bar. */
static int plot_rows(const struct reproduction *r, const char *dir, struct mh_error *err)
{
    struct plot p;
    char name[64];
    if (plot_open(&p, err))
        return -1;
    snprintf(name, sizeof name, "%s-rows", r->study.name);
    fputs("row\tpaper\tours\n", p.d);
    for (unsigned i = 0; i < r->row_count; i++) {
        const struct row *row = r->rows[i].row;
        struct outcome o;
        if (row->claim.form != CLAIM_RANGE || (row->claim.unit != UNIT_PERCENT && !row->claim.gain))
            continue;
        reproduce_outcome(&r->rows[i], &o);
        fprintf(p.d, "%s", row->id);
        data_value(p.d, 50 * (row->claim.low + row->claim.high));
        data_value(p.d, 100 * o.summary.value);
        fputc('\n', p.d);
        p.groups++;
    }
    script_bars(&p, dir, name, 2);
    script_head(&p, dir, name, "The paper's numbers beside ours", "%");
    return plot_finish(&p, dir, name, err);
}

int plot_write(const struct reproduction *r, const char *dir, struct mh_error *err)
{
    for (unsigned i = 0; i < r->grid_count; i++)
        if (plot_grid(&r->grids[i], dir, err))
            return -1;
    return r->row_count ? plot_rows(r, dir, err) : 0;
}
