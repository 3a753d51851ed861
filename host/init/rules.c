#define _GNU_SOURCE
#include "build.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/signals.h"

bool rules_take(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

    return path[strspn(path, plain)] == 0;
}

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

int rules_find(struct rules *r, struct mh_error *err)
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
    char *file, *tree, *build, *out, *name, *policies, jobs[16];

    signals_default();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    dup2(errors, STDERR_FILENO);
    snprintf(jobs, sizeof jobs, "-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    if (asprintf(&file, "%s/firmware/build.mk", r->tree) > 0 && asprintf(&tree, "TREE=%s/", r->tree) > 0 &&
        asprintf(&build, "BUILD=%s", r->build) > 0 && asprintf(&out, "OUT=%s", r->out) > 0 &&
        asprintf(&name, "IMAGE=%s", image) > 0 && asprintf(&policies, "WITH=%s", with) > 0)
        execlp("make", "make", "-s", "--no-print-directory", jobs, "-f", file, tree, build, out, name, policies, NULL);
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

int rules_run(const struct rules *r, const char *image, const char *with, struct mh_error *err)
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
