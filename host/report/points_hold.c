#define _GNU_SOURCE /* F_OFD_SETLK */
#include "points_hold.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Far behind the bytes that SQLite locks, and behind any file's end. */
static int lock_once(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(INT64_C(1) << 62), .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &lock);
}

/* Children of a killed sweep have its lock for a moment until they are gone, too. */
bool points_hold(const char *path, int *fd)
{
    enum { TRIES = 40, TRY_NS = 50 * 1000 * 1000 };
    *fd = open(path, O_RDWR | O_CLOEXEC);
    for (int i = 0; *fd >= 0 && lock_once(*fd); i++) {
        const bool taken = errno == EAGAIN || errno == EACCES;
        if (!taken || i == TRIES) {
            close(*fd);
            *fd = -1;
            return !taken;
        }
        nanosleep(&(struct timespec){.tv_nsec = TRY_NS}, NULL);
    }
    return true;
}

void points_holder(char text[POINTS_HOLDER])
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1))
        *host = 0;
    snprintf(text, POINTS_HOLDER, "process %ld%s%s", (long)getpid(), *host ? " on " : "", host);
}
