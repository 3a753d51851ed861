#define _GNU_SOURCE
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "escape.h"
#include "memory.h"
#include "process.h"

int path_join(char out[HOST_PATH], const char *a, const char *b, struct mh_error *err)
{
    int n = snprintf(out, HOST_PATH, "%s%s%s", a, *b ? "/" : "", b);
    return n < HOST_PATH ? 0 : mh_fail(err, "%.60s..%s: path of more than %d bytes", a, b, HOST_PATH - 1);
}

int path_plain(char out[HOST_PATH], const char *path, struct mh_error *err)
{
    return *path == '/' ? path_join(out, path, "", err) : path_join(out, ".", path, err);
}

const char *exe_dir(void)
{
    static char dir[HOST_PATH];
    if (!*dir) {
        ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
        dir[n > 0 ? n : 0] = 0;
        char *slash = strrchr(dir, '/');
        strcpy(slash ? slash : dir, slash ? "" : ".");
    }
    return dir;
}

enum { READ_MIB = 256 };

/* Up to `most` bytes and one more, by which a longer file shows. */
static char *read_open(FILE *f, const char *path, size_t most, size_t *length, struct mh_error *err)
{
    size_t room = 1 << 16, used = 0, got;
    char *data = NULL, *grown;
    do {
        grown = realloc(data, room + 1);
        if (!grown)
            break;
        data = grown;
        got = fread(data + used, 1, room - used, f);
        used += got;
        room *= 2;
    } while (got && used <= most);
    bool failed = !grown || ferror(f);
    if (failed || used > most) {
        (void)(failed ? mh_fail(err, "%s: cannot read: %s", path, strerror(errno))
                      : mh_fail(err, "%s: more than %d MiB: not a file of this kind", path, READ_MIB));
        free(data);
        return NULL;
    }
    data[used] = 0;
    *length = used;
    return data;
}

static char *read_most(const char *path, size_t most, size_t *length, struct mh_error *err)
{
    FILE *f = fopen(path, "rb");
    if (!f) {
        (void)mh_fail(err, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    char *data = read_open(f, path, most, length, err);
    fclose(f);
    return data;
}

char *read_file(const char *path, size_t *length, struct mh_error *err)
{
    return read_most(path, (size_t)READ_MIB << 20, length, err);
}

char *read_log(const char *path, size_t *length, struct mh_error *err)
{
    struct stat st;
    bool ends = !stat(path, &st) && S_ISREG(st.st_mode);
    return ends ? read_most(path, SIZE_MAX - 1, length, err) : read_file(path, length, err);
}

bool in_path(const char *program)
{
    const char *path = getenv("PATH");
    char file[HOST_PATH];
    for (const char *at = path ? path : ""; *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(file, sizeof file, "%.*s/%s", (int)strcspn(at, ":"), at, program);
        if (!access(file, X_OK))
            return true;
    }
    return false;
}

int built_file(char path[HOST_PATH], const char *what, const char *name, const char *variable, struct mh_error *err)
{
    const char *given = getenv(variable);
    char file[HOST_PATH];
    struct mh_error why;
    size_t length;
    if (given && *given)
        return path_join(path, given, "", err);
    if (path_join(file, exe_dir(), name, err))
        return -1;
    char *text = read_file(file, &length, &why);
    if (!text)
        return mh_fail(err, "%s is not built (no %s): run `make`, or set %s, or use --twin", what, file, variable);
    text[strcspn(text, "\r\n")] = 0;
    int status = *text == '/' ? path_join(path, text, "", err) : path_join(path, exe_dir(), text, err);
    free(text);
    return status;
}

/* A process that was told to end does not wait for the reader of a pipe. */
static FILE *open_into(const char *path)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | (signals_told_to_end() ? O_NONBLOCK : 0));
    if (fd >= 0)
        fcntl(fd, F_SETFL, 0);
    return fd >= 0 ? fdopen(fd, "wb") : NULL;
}

/* A pipe, a terminal, a device: there is nothing to replace. */
static int write_into(const char *path, const char *data, size_t length, struct mh_error *err)
{
    FILE *f = open_into(path);
    bool good = f && fwrite(data, 1, length, f) == length;
    if (f && fclose(f))
        good = false;
    if (good)
        return 0;
    return mh_fail(err, "%s: cannot write: %s", path, errno == ENXIO ? "nobody reads from it" : strerror(errno));
}

static int replace_file(const char *path, const char *data, size_t length, struct mh_error *err)
{
    char temporary[PATH_MAX + 16];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    FILE *f = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (!f)
        return mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
    mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    bool good = fwrite(data, 1, length, f) == length;
    good = fclose(f) == 0 && good;
    if (good && !rename(temporary, path))
        return 0;
    int why = errno;
    unlink(temporary);
    return mh_fail(err, "%s: cannot write: %s", path, strerror(why));
}

int write_file(const char *path, const char *data, size_t length, struct mh_error *err)
{
    char target[PATH_MAX];
    struct stat st;
    if (standard_output_named(path))
        return standard_output_write(data, length, err);
    if (stat(path, &st))
        return replace_file(path, data, length, err);
    if (!S_ISREG(st.st_mode))
        return write_into(path, data, length, err);
    return replace_file(realpath(path, target) ? target : path, data, length, err);
}

void draft_open(struct draft *d)
{
    *d = (struct draft){.out = NULL};
    d->out = must(open_memstream(&d->text, &d->length));
}

char *draft_text(struct draft *d)
{
    must(fclose(d->out) ? NULL : d);
    return d->text;
}

int draft_write(struct draft *d, const char *path, struct mh_error *err)
{
    char *text = draft_text(d);
    const int status = write_file(path, text, d->length, err);

    free(text);
    return status;
}

void file_stem(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *end = strrchr(file, '.');

    snprintf(name, size, "%.*s", end && end != file ? (int)(end - file) : (int)strlen(file), file);
}

bool names_file(const char *what, const char *suffix)
{
    const size_t n = strlen(what), m = strlen(suffix);
    return strchr(what, '/') || (n > m && !strcmp(what + n - m, suffix));
}

bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int check_writable(const char *path, struct mh_error *err)
{
    char dir[HOST_PATH];
    struct stat st;
    bool exists = !stat(path, &st);
    if (standard_output_named(path))
        return 0;
    if (exists && S_ISDIR(st.st_mode))
        return mh_fail(err, "%s: is a directory; give the name of a file", path);
    if (exists && !S_ISREG(st.st_mode))
        return 0;
    if (path_join(dir, path, "", err))
        return -1;
    char *slash = strrchr(dir, '/');
    strcpy(slash ? slash + (slash == dir) : dir, slash ? "" : ".");
    return access(dir, W_OK | X_OK) ? mh_fail(err, "%s: cannot write in %s: %s", path, dir, strerror(errno)) : 0;
}

int copy_file(const char *from, const char *to, struct mh_error *err)
{
    size_t length;
    char *data = read_log(from, &length, err);
    if (!data)
        return -1;
    int status = write_file(to, data, length, err);
    free(data);
    return status;
}

int make_dirs(const char *path, struct mh_error *err)
{
    char part[HOST_PATH];
    if (strlen(path) >= sizeof part)
        return mh_fail(err, "%.60s..: path of more than %d bytes", path, HOST_PATH - 1);
    for (const char *end = path; *end;) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        snprintf(part, sizeof part, "%.*s", (int)(end - path), path);
        if (mkdir(part, 0777) && errno != EEXIST)
            return mh_fail(err, "%s: cannot make the directory: %s", part, strerror(errno));
    }
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    remove(path);
    return 0;
}

void remove_tree(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

bool last_line(const char *path, const char *begin, char *line, size_t size)
{
    char text[512];
    FILE *f = fopen(path, "r");
    *line = 0;
    if (!f)
        return false;
    while (fgets(text, sizeof text, f)) {
        text[strcspn(text, "\r\n")] = 0;
        if (*text && !strncmp(text, begin, strlen(begin)))
            escape_text(line, size, text);
    }
    fclose(f);
    return *line != 0;
}
