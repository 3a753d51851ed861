#define _GNU_SOURCE /* memfd_create */

#include "figure.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "memory.h"
#include "memhelm/text.h"
#include "process.h"

extern char **environ;

/*
 * gnuplot takes some file names for commands ("|cmd", "<cmd", "$block"), so it gets none: script, data and pictures are
 * files in memory that both programs hold open.
 */
enum { SCRIPT, DATA, SVG, HELD = SVG + 4 };
static const char *const suffixes[] = {"gp", "dat", "svg", "png", "pdf", "eps", NULL};
const char *const *const gnuplot_pictures = suffixes + SVG;
enum { HELD_NAME = 40, MARK = 1 /* around a suffix, where the script has a file; no text has it */ };

struct held {
    int fd[HELD];
    char name[HELD][HELD_NAME];
};

/* Without a mask of its own gnuplot would inherit the signals that the caller blocks. */
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

/* -d: without the user's own settings. `what`: the name in the error. */
static int run_gnuplot(const char *argument, const char *what, struct mh_error *err)
{
    const char *const arguments[] = {"gnuplot", "-d", argument, NULL};
    pid_t pid;
    int status;
    if (spawn(arguments, &pid))
        return mh_fail(err, "gnuplot cannot be started: apt-get install gnuplot-nox, or ask for no figures");
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return mh_fail(err, "gnuplot: %s", strerror(errno));
    return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : mh_fail(err, "gnuplot failed on %s", what);
}

int gnuplot_check(const char *dir, struct mh_error *err)
{
    char probe[HOST_PATH];
    if (*dir && (make_dirs(dir, err) || path_join(probe, dir, "probe", err) || check_writable(probe, err)))
        return -1;
    return run_gnuplot("-V", "its own version", err);
}

static bool is_picture(const char *suffix)
{
    const char *const *known = gnuplot_pictures;
    while (*known && strcmp(*known, suffix))
        known++;
    return *known;
}

int gnuplot_place(const char *option, const char *path, char dir[HOST_PATH], char name[HOST_PATH], struct mh_error *err)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *end = strrchr(file, '.');
    *dir = 0;
    snprintf(name, HOST_PATH, "%s", "-");
    if (standard_output_named(path))
        return 0;
    if (!end || end == file || !is_picture(end + 1) || strlen(path) >= HOST_PATH || end - file > GNUPLOT_NAME)
        return mh_fail(err, "%s %.200s: a file's name that ends in .svg, .png, .pdf or .eps, or - for standard output",
                       option, path);
    snprintf(dir, HOST_PATH, "%.*s", slash && slash != path ? (int)(slash - path) : 1, slash ? path : ".");
    snprintf(name, HOST_PATH, "%.*s", (int)(end - file), file);
    return 0;
}

int gnuplot_check_file(const char *option, const char *path, struct mh_error *err)
{
    char dir[HOST_PATH], name[HOST_PATH];
    return gnuplot_place(option, path, dir, name, err) || check_writable(path, err) || gnuplot_check(dir, err) ? -1 : 0;
}

void gnuplot_open(struct gnuplot *g)
{
    memset(g, 0, sizeof *g);
    g->data = must(open_memstream(&g->data_text, &g->data_size));
    g->script = must(open_memstream(&g->script_text, &g->script_size));
}

const char *const gnuplot_colours[GNUPLOT_COLOURS] = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                                      "#56B4E9", "#D55E00", "#F0E442", "#000000"};

/* Writes one character, or a blank or '?' for one that XML forbids: a reader would refuse the SVG. Returns its end. */
static const char *put_character(FILE *out, const char *c)
{
    const size_t n = mh_utf8_length(c);
    if ((unsigned char)*c < ' ' || *c == 0x7f)
        fputc(' ', out);
    else if (!n || !strncmp(c, "\xef\xbf\xbe", 3) || !strncmp(c, "\xef\xbf\xbf", 3))
        fputc('?', out);
    else if (!strncmp(c, "]]>", 3))
        fputs("] ", out); /* gnuplot leaves the '>' */
    else
        fwrite(c, 1, n, out);
    return c + (n ? n : 1);
}

/* In single quotes only they themselves mean anything. */
void gnuplot_quote(FILE *out, const char *text)
{
    fputc('\'', out);
    while (*text) {
        if (*text == '\'')
            fputc('\'', out);
        text = put_character(out, text);
    }
    fputc('\'', out);
}

void gnuplot_cell(FILE *data, const char *text)
{
    if (*text == '#')
        fputc('\'', data);
    while (*text)
        if (*text == '"' || *text == '\\')
            fputc(*text++ == '"' ? '\'' : '/', data);
        else
            text = put_character(data, text);
}

void gnuplot_file(FILE *out, const char *suffix)
{
    fprintf(out, "%c%s%c", MARK, suffix, MARK);
}

void gnuplot_value(struct gnuplot *g, double v)
{
    if (isnan(v))
        fputs("\t?", g->data);
    else
        fprintf(g->data, "\t%.6g", v);
}

void gnuplot_drop(struct gnuplot *g)
{
    fclose(g->data);
    fclose(g->script);
    free(g->data_text);
    free(g->script_text);
}

/* --- What a script calls its files. */

/* In double quotes, which take octal escapes; an unescaped backquote would run a command. */
static void quote_odd_name(FILE *out, const char *name)
{
    fputs("\"./", out);
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || strchr("\"\\`", *name))
            fprintf(out, "\\%03o", (unsigned)*name);
        else
            fputc(*name, out);
}

static bool has_control(const char *name)
{
    while ((unsigned char)*name >= ' ')
        name++;
    return *name;
}

/* The name in the script that is left next to a figure. "./" keeps a first '|', '<' or '$' from being a command. */
static void quote_name(FILE *out, const char *name, const char *suffix)
{
    const bool odd = has_control(name);
    const bool plain = strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", *name);
    if (odd)
        quote_odd_name(out, name);
    else
        fputs(plain ? "'" : "'./", out);
    for (; *name && !odd; name++)
        fprintf(out, *name == '\'' ? "''" : "%c", *name);
    fprintf(out, ".%s%c", suffix, odd ? '"' : '\'');
}

static const char *held_name(const struct held *h, const char *suffix)
{
    unsigned i = 0;
    while (strcmp(suffixes[i], suffix) != 0)
        i++;
    return h->name[i];
}

/* Writes the script with the names of the files in `h`, or, if that is NULL, of those next to the figure. */
static void name_files(FILE *out, const char *script, const char *name, const struct held *h)
{
    for (char suffix[8]; *script; script++) {
        if (*script != MARK) {
            fputc(*script, out);
            continue;
        }
        sscanf(script + 1, "%7[a-z]", suffix);
        script += strlen(suffix) + 1;
        if (h)
            fprintf(out, "'%s'", held_name(h, suffix));
        else
            quote_name(out, name, suffix);
    }
}

/* --- Drawing. */

static void close_held(const struct held *h)
{
    for (unsigned i = 0; i < HELD; i++)
        if (h->fd[i] >= 0)
            close(h->fd[i]);
}

static int open_held(struct held *h, struct mh_error *err)
{
    int status = 0;
    for (unsigned i = 0; i < HELD; i++) {
        h->fd[i] = memfd_create(suffixes[i], 0);
        snprintf(h->name[i], HELD_NAME, "/proc/self/fd/%d", h->fd[i]);
        if (h->fd[i] < 0 && !status)
            status = mh_fail(err, "no memory for a figure: %s", strerror(errno));
    }
    return status;
}

static int fill(const struct gnuplot *g, const struct held *h, struct mh_error *err)
{
    FILE *data = fopen(h->name[DATA], "wb"), *script = fopen(h->name[SCRIPT], "wb");
    if (data)
        fwrite(g->data_text, 1, g->data_size, data);
    if (script)
        name_files(script, g->script_text, NULL, h);
    const bool good = data && script && !ferror(data) && !ferror(script);
    const int failed = (data && fclose(data)) | (script && fclose(script));
    return good && !failed ? 0 : mh_fail(err, "no memory for a figure: %s", strerror(errno));
}

static int write_beside(const char *dir, const char *name, unsigned which, const char *text, size_t size,
                        struct mh_error *err)
{
    char file[HOST_PATH], path[HOST_PATH];
    snprintf(file, sizeof file, "%.*s.%s", HOST_PATH - 8, name, suffixes[which]);
    return path_join(path, dir, file, err) || write_file(path, text, size, err) ? -1 : 0;
}

/* A PDF and an EPS have the same bytes whenever they are drawn: "/CreationDate (D:20261129..Z)", "%%CreationDate:
 * Sun..". */
static void clear_date(char *text, size_t size)
{
    static const char key[] = "CreationDate", date[] = " (D:20000101000000";
    char *c = memmem(text, size, key, strlen(key)), *end = c ? memchr(c, '\n', size - (size_t)(c - text)) : NULL;
    if (!end)
        return;
    c += strlen(key);
    if (*c == ' ' && end - c > (int)sizeof date)
        memcpy(c, date, sizeof date - 1);
    else if (*c == ':')
        memset(c + 1, ' ', (size_t)(end - c - 1));
}

/* A script need not draw all pictures. */
static int take_picture(const struct held *h, unsigned which, const char *dir, const char *name, struct mh_error *err)
{
    size_t size;
    char *text = read_log(h->name[which], &size, err);
    int status = text ? 0 : -1;
    if (text && *text == '%') /* a PDF or an EPS */
        clear_date(text, size);
    if (text && size && *dir)
        status = write_beside(dir, name, which, text, size, err);
    else if (text && which == SVG && !*dir)
        status = standard_output_write(text, size, err);
    free(text);
    return status;
}

static int write_sources(const struct gnuplot *g, const char *dir, const char *name, struct mh_error *err)
{
    struct draft script;
    draft_open(&script);
    name_files(script.out, g->script_text, name, NULL);
    char *text = draft_text(&script);
    int status = write_beside(dir, name, DATA, g->data_text, g->data_size, err) ||
                 write_beside(dir, name, SCRIPT, text, script.length, err);
    free(text);
    return status ? -1 : 0;
}

static int draw(const struct gnuplot *g, const char *dir, const char *name, struct mh_error *err)
{
    struct held h;
    char what[HOST_PATH + 8];
    snprintf(what, sizeof what, "%.250s/%.250s.gp", dir, name);
    int status = open_held(&h, err) || fill(g, &h, err) || run_gnuplot(h.name[SCRIPT], what, err) ? -1 : 0;
    for (unsigned which = SVG; !status && which < HELD; which++)
        status = take_picture(&h, which, dir, name, err);
    close_held(&h);
    return status;
}

int gnuplot_finish(struct gnuplot *g, const char *dir, const char *name, struct mh_error *err)
{
    int status = strchr(name, '/') ? mh_fail(err, "%.200s: a figure's name has no '/'", name) : 0;
    fflush(g->data);
    fflush(g->script);
    if (!status)
        status = (*dir && write_sources(g, dir, name, err)) || draw(g, dir, name, err) ? -1 : 0;
    gnuplot_drop(g);
    return status;
}
