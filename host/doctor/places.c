/* Where memhelm writes: its cache, the store of finished runs, directories of runs. */
#define _GNU_SOURCE
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "doctor.h"
#include "run/store.h"

/* Ours: a study's kept runs and the logs of its running ones stay below it. */
#define ROOM_LEAST (256.0 * 1024 * 1024)

static double tree_bytes; /* nftw() hands over nothing */

static int add_size(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    (void)path;
    (void)where;
    if (kind == FTW_F)
        tree_bytes += 512.0 * (double)st->st_blocks;
    return 0;
}

static const char *in_words(double bytes, char text[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    unsigned u = 0;
    for (; bytes >= 1024 && u < 4; u++)
        bytes /= 1024;
    snprintf(text, 16, "%.*f %s", u && bytes < 10 ? 1 : 0, bytes, units[u]);
    return text;
}

/* The innermost part of `path` that is there: what has to be writable for the rest to be made. */
static void existing(const char *path, char part[HOST_PATH])
{
    snprintf(part, HOST_PATH, "%s", path);
    while (access(part, F_OK)) {
        char *slash = strrchr(part, '/');
        if (!slash || slash == part) {
            snprintf(part, HOST_PATH, "%s", slash ? "/" : ".");
            return;
        }
        *slash = 0;
    }
}

static void room(struct doctor *d, const char *what, const char *path, const char *remedy)
{
    struct statvfs fs;
    char part[HOST_PATH], text[16];
    existing(path, part);
    if (statvfs(part, &fs)) {
        doctor_problem(d, FINDING_NEEDED, what, remedy, "%s: %s", part, strerror(errno));
        return;
    }
    double bytes = (double)fs.f_bavail * (double)fs.f_frsize;
    in_words(bytes, text);
    if (access(part, W_OK | X_OK))
        doctor_problem(d, FINDING_NEEDED, what, remedy, "%s cannot be written: %s", part, strerror(errno));
    else if (bytes < ROOM_LEAST)
        doctor_problem(d, FINDING_NEEDED, what, remedy, "%s: %s free, a study needs more", part, text);
    else
        doctor_well(d, what, "%s: writable, %s free", path, text);
}

static void cache(struct doctor *d)
{
    char dir[HOST_PATH], text[16];
    struct mh_error err;
    if (store_dir("", dir, &err)) {
        doctor_problem(d, FINDING_NEEDED, "cache", "set HOME or XDG_CACHE_HOME to a directory of yours", "%.400s",
                       err.text);
        return;
    }
    room(d, "cache", dir, "make room there, or set XDG_CACHE_HOME to a directory of yours");
    tree_bytes = 0;
    if (!access(dir, F_OK) && !nftw(dir, add_size, 16, FTW_PHYS))
        doctor_well(d, "", "it has %s", in_words(tree_bytes, text));
}

static void store(struct doctor *d, const char *results)
{
    static const char remedy[] =
        "give another file with --results; kept runs are only ever added, so that this one may also "
        "be moved away";
    struct store_state s;
    struct mh_error err;
    char text[16];
    if (store_look(results, &s, &err))
        doctor_problem(d, FINDING_NEEDED, "kept runs", remedy, "%.400s", err.text);
    else if (!s.present)
        doctor_well(d, "kept runs", "none yet, %s", s.path);
    else if (!s.writable)
        doctor_problem(d, FINDING_NEEDED, "kept runs", remedy, "%s cannot be written", s.path);
    else
        doctor_well(d, "kept runs", "%llu in %s, %s: readable, writable", s.rows, in_words((double)s.bytes, text),
                    s.path);
}

void doctor_places(struct doctor *d, const char *results)
{
    const char *temporary = getenv("TMPDIR");
    cache(d);
    store(d, results);
    room(d, "directories", temporary && *temporary ? temporary : "/tmp",
         "make room there, or set TMPDIR; runs write there");
}
