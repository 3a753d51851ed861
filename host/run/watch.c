#include "sim.h"
#include "base/words.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A short pause is no standstill; a stopped run, or one without its debugger, has a minute to resume. [ours] */
enum { MOMENT_SECONDS = 2, PATIENCE_SECONDS = 60 };

/* A process that runs the mcu uses a processor all the time; one that waits for a debugger does not. */
#define IDLE_SHARE 0.05

/* --- What the system says. */

/* State and processor time: fields 3, 14 and 15 of /proc/PID/stat; the name before them may contain anything. */
static void look_process(pid_t pid, struct watch_sight *seen)
{
    char path[64], text[1024], state;
    unsigned long user, system;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3)
        return;
    seen->stopped = state == 'T';
    seen->busy = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Whether somebody is connected to the port: a line of the kernel's list with this local end, established (1). */
static bool is_connected(unsigned port)
{
    char line[512];
    unsigned address, local, state;
    bool found = false;
    FILE *f = fopen("/proc/net/tcp", "r");
    while (f && !found && fgets(line, sizeof line, f))
        found = sscanf(line, " %*u: %x:%x %*x:%*x %x", &address, &local, &state) == 3 && local == port &&
                address == htonl(INADDR_LOOPBACK) && state == 1;
    if (f)
        fclose(f);
    return found;
}

struct watch_sight watch_look(pid_t pid, unsigned gdb)
{
    struct watch_sight seen = {0};
    look_process(pid, &seen);
    seen.debugged = gdb && is_connected(gdb);
    return seen;
}

/* --- What it means. */

static void take_in(struct watch *w, const struct watch_sight *seen, double seconds)
{
    bool idle = seen->busy - w->busy < IDLE_SHARE * seconds;
    w->seconds += seconds;
    w->stopped = seen->stopped ? w->stopped + seconds : 0;
    w->attached |= seen->debugged;
    w->halted = w->attached && !seen->debugged && !seen->stopped && idle ? w->halted + seconds : 0;
    w->busy = seen->busy;
    w->said &= w->stopped > 0 || w->halted > 0;
}

static const char *program(const struct watch_subject *of)
{
    return of->twin ? "the twin" : "QEMU";
}

static bool is_over(const struct watch *w, const struct watch_subject *of, char *text, size_t size)
{
    if (of->timeout && w->seconds >= of->timeout) {
        snprintf(text, size, "%s: not finished after %u s, and ended (--timeout)", of->image, of->timeout);
        if (w->stopped > 0)
            text_add(text, size, "", ": %s (pid %ld) was stopped", program(of), (long)of->pid);
        else if (w->halted > 0)
            text_add(text, size, "", ": its debugger went away while the mcu stood still");
        else
            text_add(text, size, "", ": allow more seconds, or simulate fewer --cycles");
        return true;
    }
    if (w->stopped >= PATIENCE_SECONDS)
        snprintf(text, size, "%s: %s (pid %ld) was stopped for %d s and nobody let it go on: ended", of->image,
                 program(of), (long)of->pid, PATIENCE_SECONDS);
    else if (w->halted >= PATIENCE_SECONDS)
        snprintf(text, size,
                 "%s: its debugger went away while the mcu stood still, and none came back in %d s: ended; `detach` "
                 "before gdb ends lets a run go on",
                 of->image, PATIENCE_SECONDS);
    else
        return false;
    return true;
}

enum watch_verdict watch_step(struct watch *w, const struct watch_subject *of, const struct watch_sight *seen,
                              double seconds, char *text, size_t size)
{
    take_in(w, seen, seconds);
    if (is_over(w, of, text, size))
        return WATCH_END;
    if (w->said || (w->stopped < MOMENT_SECONDS && w->halted < MOMENT_SECONDS))
        return WATCH_WELL;
    w->said = true;
    if (w->stopped > 0)
        snprintf(text, size, "%s: %s (pid %ld) is stopped; `kill -CONT %ld` lets it go on; after %d s it is ended",
                 of->image, program(of), (long)of->pid, (long)of->pid, PATIENCE_SECONDS);
    else
        snprintf(text, size,
                 "%s: the debugger has gone away and the mcu stands still; attach again (target remote "
                 "127.0.0.1:%u), or end the run with Ctrl-C; after %d s it is ended",
                 of->image, of->gdb, PATIENCE_SECONDS);
    return WATCH_WARN;
}
