#define _GNU_SOURCE
#include "init.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/words.h"
#include "mcu/image.h"
#include "run/sim.h"

#define SUFFIX ".elf"

enum { SOURCE_NAME = 64 };

/* --- The sources: what a command line names, file by file. */

static bool is_source(const char *name)
{
    size_t length = strlen(name);

    return length > 2 && !strcmp(name + length - 2, ".c");
}

/* The file's name without folder and suffix, `_` for all that is no letter, digit or one of `also`: for make. */
static void source_name(const char *path, const char *also, char name[SOURCE_NAME])
{
    file_stem(path, name, SOURCE_NAME);
    for (char *c = name; *c; c++)
        if (!isascii((unsigned char)*c) || (!isalnum((unsigned char)*c) && !strchr(also, *c)))
            *c = '_';
}

static int select_source(const struct dirent *e)
{
    return *e->d_name != '.' && is_source(e->d_name);
}

static int add_folder(struct words *files, const char *folder, struct mh_error *err)
{
    struct dirent **found;
    char path[HOST_PATH];
    int count = scandir(folder, &found, select_source, alphasort), status = 0;

    if (count < 0)
        return mh_fail(err, "%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        status = status || path_join(path, folder, found[i]->d_name, err) ? -1 : 0;
        if (!status)
            words_add(files, path);
        free(found[i]);
    }
    free(found);
    return status ? status : count ? 0 : mh_fail(err, "%s: a folder without .c files", folder);
}

static int add(struct words *files, const char *path, struct mh_error *err)
{
    struct stat st;
    char plain[HOST_PATH];

    if (stat(path, &st))
        return mh_fail(err, "%s: %s; `memhelm init NAME --here` makes NAME.c out of a template", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return add_folder(files, path, err);
    if (!is_source(path))
        return mh_fail(err, "%s: not the name of a C source, such as mine.c, and not a folder", path);
    if (*path == '-' && path_plain(plain, path, err)) /* an option to the compiler */
        return -1;
    words_add(files, *path == '-' ? plain : path);
    return 0;
}

/* Objects and the file that make reads are named after it. */
static int check(const struct words *files, unsigned at, struct mh_error *err)
{
    char name[SOURCE_NAME], other[SOURCE_NAME];

    for (const char *c = files->text[at]; *c; c++)
        if (iscntrl((unsigned char)*c))
            return mh_fail(err, "%s: the name has a control character (0x%02x) in it; rename it", files->text[at],
                           (unsigned char)*c);
    source_name(files->text[at], "_", name);
    for (unsigned i = 0; i < at; i++) {
        source_name(files->text[i], "_", other);
        if (!strcmp(name, other))
            return mh_fail(err, "%s and %s: both are called %s; rename one", files->text[i], files->text[at], name);
    }
    return 0;
}

/*
 * Adds to `files` the .c files among `given`, and those of its folders, by name. -1 and `err`: one is missing or no C
 * source, a folder has none, a name has a control character, or two names are equal but for the folder.
 */
static int sources_find(struct words *files, const struct words *given, struct mh_error *err)
{
    for (unsigned i = 0; i < given->count; i++)
        if (add(files, given->text[i], err))
            return -1;
    for (unsigned i = 0; i < files->count; i++)
        if (check(files, i, err))
            return -1;
    return 0;
}

/* Can make and a shell take the path as it is? */
static bool rules_take(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

    return path[strspn(path, plain)] == 0;
}

/* --- firmware/build.mk: the rules by which an image is compiled and linked, run by make. */

/* Places that make gets: their names have no character that it or a shell reads. */
struct rules {
    char out[HOST_PATH];   /* folder of the image, the caller's */
    char tree[HOST_PATH];  /* headers and rules */
    char build[HOST_PATH]; /* what is built: objects, newlib */
};

/* The rules read RISCV_CC, too: then it is its user's. */
static int check_tools(struct mh_error *err)
{
    if (!getenv("RISCV_CC") && !in_path("riscv64-unknown-elf-gcc"))
        return mh_fail(err, "no riscv64-unknown-elf-gcc, which compiles firmware: install the Debian package "
                            "gcc-riscv64-unknown-elf");
    if (!in_path("make"))
        return mh_fail(err, "no make: install the Debian package make");
    return 0;
}

/* `path`, or a link to it in the folder of the image. */
static int place(const struct rules *r, char out[HOST_PATH], const char *path, const char *name, struct mh_error *err)
{
    if (rules_take(path))
        return path_join(out, path, "", err);
    if (path_join(out, r->out, name, err))
        return -1;
    return symlink(path, out) ? mh_fail(err, "%s: cannot make a link: %s", out, strerror(errno)) : 0;
}

int rules_tree(char tree[HOST_PATH], struct mh_error *err)
{
    if (!built_file(tree, "the tree", "tree.path", "MEMHELM_TREE", NULL))
        return 0;
    return mh_fail(err,
                   "no headers and rules to build firmware with (no %s/tree.path): run `make`, or set MEMHELM_TREE",
                   exe_dir());
}

/* Are make, the compiler and the rules there? -1 and `err`: it names the Debian package. `out` is set already. */
static int rules_find(struct rules *r, struct mh_error *err)
{
    char tree[HOST_PATH], rules[HOST_PATH];

    if (rules_tree(tree, err) || path_join(rules, tree, "firmware/build.mk", err) || check_tools(err))
        return -1;
    char *whole = access(rules, R_OK) ? NULL : realpath(tree, NULL);
    int status = whole ? place(r, r->tree, whole, "tree", err) || place(r, r->build, exe_dir(), "build", err)
                       : mh_fail(err, "%s: %s; run `make`, or install memhelm again", rules, strerror(errno));
    free(whole);
    return status ? -1 : 0;
}

/* In the child: as many jobs as there are processors, and nothing of a make that called us. */
static void become(const struct rules *r, const char *image, const char *with, int errors)
{
    signals_default();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    dup2(errors, STDERR_FILENO);
    execlp("make", "make", "-s", "--no-print-directory", must_print("-j%ld", sysconf(_SC_NPROCESSORS_ONLN)), "-f",
           must_print("%s/firmware/build.mk", r->tree), must_print("TREE=%s/", r->tree),
           must_print("BUILD=%s", r->build), must_print("OUT=%s", r->out), must_print("IMAGE=%s", image),
           must_print("WITH=%s", with), NULL);
    _exit(127);
}

/* make's own lines say which of its rules has failed, and that it stops. */
static void pass_on(FILE *in)
{
    char *line = NULL;
    size_t room = 0;

    while (getline(&line, &room, in) >= 0)
        if (strncmp(line, "make: *** [", strlen("make: *** [")) && !strstr(line, "*** Waiting for unfinished jobs") &&
            !strstr(line, "*** Deleting file"))
            fputs(line, stderr);
    free(line);
}

static int wait_for(pid_t pid, struct mh_error *err)
{
    int status;

    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return mh_fail(err, "make: %s", strerror(errno));
    return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : 1;
}

/*
 * Makes out/IMAGE.elf of the sources that out/obj/policy/NAME.path name, and of policies of the archive: `with`, names
 * separated by blanks. 1: it is not made, and standard error has what the compiler says; -1 and `err`: make did not
 * run.
 */
static int rules_run(const struct rules *r, const char *image, const char *with, struct mh_error *err)
{
    int ends[2];

    fflush(NULL);
    if (pipe2(ends, O_CLOEXEC))
        return mh_fail(err, "no pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (!pid)
        become(r, image, with, ends[1]);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    if (in) {
        pass_on(in);
        fclose(in);
    }
    return pid < 0 ? mh_fail(err, "cannot start make: %s", strerror(errno)) : wait_for(pid, err);
}

/* --- The image. */

/* The image and its map: in this folder, unless it is told. */
struct target {
    char elf[HOST_PATH], map[HOST_PATH], name[SOURCE_NAME];
};

static int name_target(struct target *t, const struct build_request *q, struct mh_error *err)
{
    char stem[HOST_PATH - 8], file[HOST_PATH], *whole = realpath(q->sources.text[0], NULL);

    file_stem(whole ? whole : q->sources.text[0], stem, sizeof stem);
    free(whole);
    snprintf(file, sizeof file, "%s" SUFFIX, stem);
    if (q->out ? path_join(t->elf, q->out, "", err) : path_join(t->elf, ".", file, err))
        return -1;
    size_t length = strlen(t->elf), base = length - strlen(SUFFIX);
    if (length <= strlen(SUFFIX) || strcmp(t->elf + base, SUFFIX))
        return mh_fail(err, "--output %s: the name of an image ends in " SUFFIX, q->out);
    snprintf(t->map, sizeof t->map, "%.*s.map", (int)base, t->elf);
    source_name(t->elf, "_+.-", t->name);
    return check_writable(t->elf, err);
}

/* Their policies, each once, in the order in which they decide. `defaults` are in every image. */
static int find_with(const struct words *images, struct words *policies, struct mh_error *err)
{
    for (unsigned i = 0; i < images->count; i++) {
        const struct image_row *row = image_row(images->text[i]);
        struct nearest near = nearest_begin(images->text[i], "");
        for (const struct image_row *r = image_rows; r->name; r++)
            nearest_try(&near, r->name);
        if (!row)
            return mh_fail(err, "--with: no image '%s'%s; `memhelm list images` shows them", images->text[i],
                           near.text);
        for (const char *at = row->policies; *at; at += strcspn(at, " "), at += strspn(at, " "))
            if (strncmp(at, "defaults ", strlen("defaults ")))
                words_add_part(policies, at, strcspn(at, " "));
    }
    words_unique(policies);
    return 0;
}

static int write_path(const struct rules *r, const char *source, struct mh_error *err)
{
    char name[SOURCE_NAME], file[SOURCE_NAME + 32], path[HOST_PATH];

    source_name(source, "_", name);
    snprintf(file, sizeof file, "obj/policy/%s.path", name);
    return path_join(path, r->out, file, err) || write_file(path, source, strlen(source), err) ? -1 : 0;
}

static int prepare(const struct rules *r, const struct words *files, struct mh_error *err)
{
    char folder[HOST_PATH];

    if (path_join(folder, r->out, "obj/policy", err) || make_dirs(folder, err))
        return -1;
    for (unsigned i = 0; i < files->count; i++)
        if (write_path(r, files->text[i], err))
            return -1;
    return 0;
}

/* The map of a link that failed, too: it says who takes what. */
static int take(const struct rules *r, const struct target *t, const char *suffix, const char *to, struct mh_error *err)
{
    char name[SOURCE_NAME + 8], from[HOST_PATH];

    snprintf(name, sizeof name, "%s%s", t->name, suffix);
    if (path_join(from, r->out, name, err))
        return -1;
    return access(from, R_OK) ? 0 : copy_file(from, to, err);
}

static int make_it(struct rules *r, const struct target *t, const struct words *files, const struct words *with,
                   struct mh_error *err)
{
    struct draft names;

    draft_open(&names);
    for (unsigned i = 0; i < with->count; i++)
        fprintf(names.out, "%s ", with->text[i]);
    char *policies = draft_text(&names);
    int status = rules_find(r, err) || prepare(r, files, err) ? -1 : rules_run(r, t->name, policies, err);
    free(policies);
    if (status >= 0 && (take(r, t, ".map", t->map, err) || take(r, t, SUFFIX, t->elf, err)))
        return -1;
    return status;
}

/* In a folder whose name make can take. */
static int make_apart(const struct target *t, const struct words *files, const struct words *with, struct mh_error *err)
{
    struct rules r;
    const char *tmp = getenv("TMPDIR");

    if (tmp && !rules_take(tmp))
        unsetenv("TMPDIR");
    if (make_run_dir(r.out, NULL, err))
        return -1;
    int status = make_it(&r, t, files, with, err);
    remove_tree(r.out);
    return status;
}

int build_image(const struct build_request *q, struct mh_error *err)
{
    struct words files = {0}, with = {0};
    struct target t;
    bool good = !sources_find(&files, &q->sources, err) && !name_target(&t, q, err) && !find_with(&q->with, &with, err);
    int status = good ? make_apart(&t, &files, &with, err) : -1;

    words_free(&files);
    words_free(&with);
    return status;
}
