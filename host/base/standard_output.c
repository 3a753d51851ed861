#include "standard_output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <stdlib.h>

#include "process.h"

static int results = STDOUT_FILENO;

bool standard_output_named(const char *path)
{
    return !strcmp(path, "-");
}

int standard_output_take(struct mh_error *err)
{
    int fd;
    if (results != STDOUT_FILENO)
        return 0;
    fflush(stdout);
    fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return mh_fail(err, "standard output: cannot write: %s", strerror(errno));
    results = fd;
    return 0;
}

int standard_output_write(const char *data, size_t length, struct mh_error *err)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = write(results, data + done, length - done);
        if (n >= 0)
            done += (size_t)n;
        else if (errno == EPIPE)
            return 0;
        else if (errno != EINTR || signals_told_to_end())
            return mh_fail(err, "standard output: cannot write all of it: %s", strerror(errno));
    }
    return 0;
}

FILE *standard_output_or_file(const char *path)
{
    const int fd = standard_output_named(path) ? fcntl(results, F_DUPFD_CLOEXEC, 0) : -1;
    if (!standard_output_named(path))
        return fopen(path, "w");
    return fd < 0 ? NULL : fdopen(fd, "w");
}

static enum colour_when when = COLOUR_AUTO;

void colour_set(enum colour_when said)
{
    when = said;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

bool colour_on(FILE *out)
{
    const char *terminal = getenv("TERM");
    if (when != COLOUR_AUTO)
        return when == COLOUR_ALWAYS;
    return isatty(fileno(out)) && !is_set("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0;
}

/* Of the terminal's own eight, so that they suit its background. */
void colour_begin(enum colour colour, FILE *out)
{
    static const char *const codes[] = {
        [COLOUR_NONE] = "", [COLOUR_GOOD] = "\033[32m", [COLOUR_BAD] = "\033[1;31m", [COLOUR_DOUBT] = "\033[33m"};
    if (colour_on(out))
        fputs(codes[colour], out);
}

void colour_end(enum colour colour, FILE *out)
{
    if (colour != COLOUR_NONE && colour_on(out))
        fputs("\033[0m", out);
}

void colour_word(enum colour colour, const char *word, FILE *out)
{
    colour_begin(colour, out);
    fputs(word, out);
    colour_end(colour, out);
}
