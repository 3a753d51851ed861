#include "program.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/escape.h"

enum { CANNOT_START = 127 };

/* In the child. Signals that the caller holds back would be held back there, too. */
static void become(const char *const *arguments, int out)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    alarm(PROGRAM_SECONDS);
    execvp(arguments[0], (char *const *)arguments);
    _exit(CANNOT_START);
}

/* All is read, so that a program that says much ends by itself. */
static void first_line(int from, char *line, size_t size)
{
    char text[512];
    FILE *in = fdopen(from, "r");
    *line = 0;
    if (!in) {
        close(from);
        return;
    }
    while (fgets(text, sizeof text, in)) {
        text[strcspn(text, "\n")] = 0;
        if (!*line)
            escape_text(line, size, text);
    }
    fclose(in);
}

int program_ask(const char *const *arguments, char *line, size_t size)
{
    int ends[2], status;
    *line = 0;
    if (pipe(ends))
        return -1;
    pid_t pid = fork();
    if (!pid)
        become(arguments, ends[1]);
    close(ends[1]);
    first_line(ends[0], line, size);
    if (pid < 0)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    if (WIFSIGNALED(status))
        return 128 + WTERMSIG(status);
    return WEXITSTATUS(status) == CANNOT_START ? -1 : WEXITSTATUS(status);
}
