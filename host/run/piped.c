#include "traces.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/words.h"
#include "base/memory.h"
#include "base/file.h"
#include "memhelm/kernels.h"
#include "setup.h"

/* What was found out about paths: where they are read, "": by themselves. */
static struct memo *reals;

/* Under $TMPDIR, already without a name. Those that this process starts have it open as well. */
static int open_unnamed(void)
{
    const char *given = getenv("TMPDIR"), *tmp = given && *given ? given : P_tmpdir;
    char path[HOST_PATH];
    struct mh_error err;
    if (path_join(path, tmp, "memhelm-pipe-XXXXXX", &err))
        return -1;
    int fd = mkstemp(path);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static bool write_all(int fd, const char *data, size_t size)
{
    for (ssize_t n; size; data += n, size -= (size_t)n)
        if ((n = write(fd, data, size)) <= 0)
            return false;
    return true;
}

static bool copy(int from, int to)
{
    static char part[1 << 16];
    ssize_t n;
    do {
        n = read(from, part, sizeof part);
        if (n > 0 && !write_all(to, part, (size_t)n))
            return false;
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n == 0;
}

/* A descriptor of what can be read again and again; -1 and `err`. */
static int open_again(const char *path, bool pipe, struct mh_error *err)
{
    int from = open(path, O_RDONLY);
    if (from < 0)
        return mh_fail(err, "%s: cannot open: %s", path, strerror(errno));
    if (!pipe)
        return from;
    int to = open_unnamed();
    if (to >= 0 && !copy(from, to)) {
        close(to);
        to = -1;
    }
    if (to < 0)
        (void)mh_fail(err,
                      "%s: cannot be copied: %s; a pipe is copied to $TMPDIR first, since it is read more than once",
                      path, strerror(errno));
    close(from);
    return to;
}

/* A regular file by the name of a descriptor would be another one, or none, in the process of a run. */
static bool is_descriptor(const char *path)
{
    static const char *const begin[] = {"/dev/fd/", "/dev/std", "/proc/"};
    for (unsigned i = 0; i < sizeof begin / sizeof *begin; i++)
        if (!strncmp(path, begin[i], strlen(begin[i])))
            return true;
    return false;
}

static int find(const char *path, char real[static 32], struct mh_error *err)
{
    struct stat st;
    *real = 0;
    if (stat(path, &st))
        return 0;
    const bool pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
    if (!pipe && !(S_ISREG(st.st_mode) && is_descriptor(path)))
        return 0;
    int fd = open_again(path, pipe, err);
    if (fd < 0)
        return -1;
    snprintf(real, 32, "/proc/self/fd/%d", fd);
    return 0;
}

const char *piped_path(const char *path, struct mh_error *err)
{
    char real[32];
    for (const struct memo *m = reals; m; m = m->next)
        if (!strcmp(m->key, path) || !strcmp(m->text, path))
            return *m->text ? m->text : m->key;
    if (find(path, real, err))
        return NULL;
    struct memo *m = memo_of(&reals, path);
    m->text = must(strdup(real));
    return *real ? m->text : m->key;
}

static int replace(char kernel[MH_PATH_MAX], struct mh_error *err)
{
    char file[MH_PATH_MAX], whole[2 * MH_PATH_MAX];
    if (!setup_file(kernel, file))
        return 0;
    const char *real = piped_path(file, err);
    if (!real)
        return -1;
    int n = snprintf(whole, sizeof whole, "%.*s%s%s", (int)strcspn(kernel, ":") + 1, kernel, real,
                     mh_launches_part(kernel));
    if (n >= MH_PATH_MAX)
        return mh_fail(err, "%.400s: more than %d bytes", kernel, MH_PATH_MAX - 1);
    memset(kernel, 0, MH_PATH_MAX);
    memcpy(kernel, whole, (size_t)n);
    return 0;
}

int piped_config(const struct mh_config *cfg, struct mh_config *out, struct mh_error *err)
{
    memcpy(out, cfg, sizeof *out);
    for (uint32_t t = 0; t < out->tenants_count; t++)
        if (replace(out->tenants[t].kernel, err))
            return -1;
    return 0;
}

void piped_rename(char *text, size_t size, const char *real, const char *path)
{
    const char *at = *real ? strstr(text, real) : NULL, *behind = at ? at + strlen(real) : NULL;
    char *rest = at && (*behind < '0' || *behind > '9') ? must(strdup(behind)) : NULL;
    if (rest)
        snprintf(text + (at - text), size - (size_t)(at - text), "%s%s", path, rest);
    free(rest);
}

void piped_names(char *text, size_t size)
{
    for (const struct memo *m = reals; m; m = m->next)
        piped_rename(text, size, m->text, m->key);
}
