#define _GNU_SOURCE
#include "sim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/process.h"

#define PREFIX "memhelm-"
#define LOCK   "memhelm.lock"

/* What a run writes at least: configuration, result, table of the mcu. */
enum { ROOM = 1 << 16 };

/* The private directory of this process, for a handler; empty: none. */
static char private_dir[HOST_PATH], private_lock[HOST_PATH];

/* --- The lock: held by the process as long as it lives, free when it is gone, however it went. */

/* The lock is held before it has its name, so that it never looks free while its owner lives. */
static int lock_dir(const char *dir, struct mh_error *err)
{
    char early[HOST_PATH];
    if (path_join(early, dir, LOCK ".new", err) || path_join(private_lock, dir, LOCK, err))
        return -1;
    int fd = open(early, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return mh_fail(err, "%s: cannot write: %s", early, strerror(errno));
    (void)flock(fd, LOCK_EX | LOCK_NB); /* where locks do not work, no process gets one, and the directory stays */
    return rename(early, private_lock) ? mh_fail(err, "%s: cannot rename: %s", early, strerror(errno)) : 0;
}

/* Whether its owner is gone; then the lock is ours until the result is closed. -1: it lives, or it is none of ours. */
static int take_over(const char *dir)
{
    char lock[HOST_PATH];
    struct stat st;
    if (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || path_join(lock, dir, LOCK, NULL))
        return -1;
    int fd = open(lock, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -1;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB) &&
        !fstat(fd, &st) && st.st_nlink)
        return fd;
    close(fd);
    return -1;
}

/* Removes what killed processes have left in `tmp`. */
static void sweep(const char *tmp)
{
    char dir[HOST_PATH];
    unsigned swept = 0;
    DIR *d = opendir(tmp);
    for (struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) || path_join(dir, tmp, e->d_name, NULL))
            continue;
        int fd = take_over(dir);
        if (fd < 0)
            continue;
        remove_tree(dir);
        close(fd);
        swept++;
    }
    if (d)
        closedir(d);
    if (swept)
        fprintf(stderr, "memhelm: removed %u director%s of runs that were killed from %s\n", swept,
                swept == 1 ? "y" : "ies", tmp);
}

/* --- Directories. */

static bool is_empty(const char *path)
{
    DIR *d = opendir(path);
    int entries = 0;
    while (d && entries < 3 && readdir(d))
        entries++;
    if (d)
        closedir(d);
    return entries <= 2;
}

static int make_locked(char out[HOST_PATH], const char *tmp, struct mh_error *err)
{
    if (path_join(out, tmp, PREFIX "XXXXXX", err))
        return -1;
    if (!mkdtemp(out))
        return mh_fail(err, "%s: cannot make a directory: %s; set TMPDIR to one that can be written", out,
                       strerror(errno));
    strcpy(private_dir, out);
    if (!lock_dir(out, err))
        return 0;
    struct mh_error full;
    if (run_dir_full(out, &full))
        *err = full;
    remove_tree(out);
    *private_dir = 0;
    return -1;
}

/* As long as no run was started in it, it is empty but for its lock. For signal handlers. */
static void abandon(void)
{
    if (!*private_dir)
        return;
    unlink(private_lock);
    rmdir(private_dir);
}

/* A signal comes before there is a directory, or when abandon() can remove it. */
static int make_private(char out[HOST_PATH], struct mh_error *err)
{
    const char *given = getenv("TMPDIR"), *tmp = given && *given ? given : "/tmp";
    sigset_t all, before;
    sweep(tmp);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    signals_at_end(abandon);
    int status = make_locked(out, tmp, err);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

int make_run_dir(char out[HOST_PATH], const char *keep, struct mh_error *err)
{
    int status = keep ? make_dirs(keep, err) || path_join(out, keep, "", err) : make_private(out, err);
    if (!status && keep && !is_empty(keep))
        status = mh_fail(err, "--keep %s: not empty; runs are kept in a directory of their own", keep);
    if (status)
        *out = 0;
    return status ? -1 : 0;
}

/* --- Room. */

/* 0, or why so many bytes cannot be written in `dir`. */
static int no_room(const char *dir)
{
    static const char zeros[ROOM];
    char probe[HOST_PATH];
    int why = 0;
    if (path_join(probe, dir, "room.XXXXXX", NULL))
        return 0;
    int fd = mkstemp(probe);
    if (fd < 0)
        return errno;
    for (size_t left = ROOM; left && !why;) {
        ssize_t n = write(fd, zeros, left);
        why = n > 0 ? 0 : errno;
        left -= n > 0 ? (size_t)n : 0;
    }
    close(fd);
    unlink(probe);
    return why;
}

bool run_dir_full(const char *dir, struct mh_error *err)
{
    int why = no_room(dir);
    if (why == EFBIG)
        (void)mh_fail(err, "%s: a limit on the size of files (`ulimit -f`) is too low for the files of a run: raise it",
                      dir);
    else if (why == ENOSPC || why == EDQUOT)
        (void)mh_fail(err,
                      "%s: no room for the files of a run (%s): make room, or have runs elsewhere with TMPDIR=DIR or "
                      "--keep DIR",
                      dir, strerror(why));
    else
        return false;
    return true;
}
