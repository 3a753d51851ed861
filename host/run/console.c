#define _GNU_SOURCE
#include "console.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"

int console_open(struct sim *s, int *to, struct mh_error *err)
{
    int ends[2];
    *to = -1;
    if (!s->view.console || !isatty(STDOUT_FILENO))
        return 0;
    if (pipe2(ends, O_CLOEXEC))
        return mh_fail(err, "cannot make a pipe for the console: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    s->console = (struct console){.open = true, .from = ends[0]};
    *to = ends[1];
    return 0;
}

void console_show(struct sim *s)
{
    char bytes[4096], part[ESCAPE_MOST] = "";
    ssize_t n;
    if (!s->console.open)
        return;
    while ((n = read(s->console.from, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < n; i++)
            fwrite(part, 1, escape_byte(part, (unsigned char)bytes[i], &s->console.last), stdout);
    fflush(stdout);
}

void console_close(struct sim *s)
{
    char part[ESCAPE_MOST] = "";
    if (!s->console.open)
        return;
    console_show(s);
    fwrite(part, 1, escape_end(part, s->console.last), stdout);
    close(s->console.from);
    s->console.open = false;
}
