#include <argp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "commit.h"
#include "base/hash.h"
#include "base/process.h"

static void help(FILE *out)
{
    fprintf(out, "memhelm: %s\n\n", commands_title);
    for (const struct command *c = command_table; c->name; c++)
        fprintf(out, "  memhelm %-11s  %s\n", c->name, c->summary);
    fprintf(out, "\n%s", commands_about);
}

static bool reader_is_gone(void)
{
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

/* A table that could not be written is not to pass for one that was, nor a command that was interrupted for another. */
static int written(int code)
{
    int signal = signals_pending();
    if (signal)
        return 128 + signal;
    if ((!fflush(stdout) && !ferror(stdout)) || reader_is_gone())
        return code;
    fputs("memhelm: standard output: cannot write all of it: is its disk full?\n", stderr);
    return code ? code : EXIT_BAD_INPUT;
}

/* --version of every command. */
static void print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    version_print(out);
}

static int run_command(int argc, char **argv)
{
    static char title[64]; /* for messages */
    const struct command *c = command_find(argv[1]);
    if (!c)
        c = command_formerly(argv[1]);
    if (!c)
        return command_unknown(argv[1]);
    snprintf(title, sizeof title, "memhelm %s", c->name);
    argv[1] = title;
    return written(c->run(argc - 1, argv + 1));
}

int main(int argc, char **argv)
{
    char *command_help[] = {argv[0], argc > 2 ? argv[2] : NULL, (char[]){"--help"}, NULL};
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_program_version_hook = print_version;
    provenance_set_commit(BUILD_COMMIT);
    signals_catch();
    if (argc == 3 && !strcmp(argv[1], "help"))
        return run_command(3, command_help);
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        help(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_BAD_INPUT : written(EXIT_PASSED);
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        version_print(stdout);
        return written(EXIT_PASSED);
    }
    return run_command(argc, argv);
}
