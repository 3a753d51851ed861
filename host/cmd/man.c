#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"
#include "base/file.h"
#include "commands.h"
#include "man.h"

static const char doc[] = "Prints the manual page of a command, or that of memhelm, as troff.\v"
                          "Examples:\n"
                          "  memhelm man run | man -l -\n"
                          "  memhelm man | man -l -\n"
                          "  memhelm man --directory share/man/man1      all pages, as `make install` does\n"
                          "\n"
                          "Exit codes: 0; 2 bad input, or a file could not be written.";

enum { KEY_DIRECTORY = 0x100 };

static const struct argp_option options[] = {
    {"directory", KEY_DIRECTORY, "DIR", 0, "Write the pages of memhelm and all its commands there", 0}, {0}};

struct request {
    const char *command, *directory;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case KEY_DIRECTORY:
        argument_folder(&r->directory, "--directory", arg, state);
        return 0;
    case ARGP_KEY_ARG:
        if (r->command)
            argp_error(state, "one page at a time: '%s', then '%s'", r->command, arg);
        r->command = arg;
        return 0;
    case ARGP_KEY_END:
        if (r->command && r->directory)
            argp_error(state, "--directory takes all pages: leave out '%s'", r->command);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp man_argp = {.options = options, .parser = parse, .args_doc = "[COMMAND]", .doc = doc};

static int write_page(const char *directory, const struct command *c, struct mh_error *err)
{
    char path[HOST_PATH], name[64], *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    snprintf(name, sizeof name, "memhelm%s%s.1", c ? "-" : "", c ? c->name : "");
    if (!out)
        return mh_fail(err, "out of memory");
    man_page(c, out);
    int status = fclose(out) ? mh_fail(err, "out of memory") : path_join(path, directory, name, err);
    if (!status)
        status = write_file(path, text, size, err);
    free(text);
    return status;
}

static int write_all(const char *directory, struct mh_error *err)
{
    if (make_dirs(directory, err) || write_page(directory, NULL, err))
        return -1;
    for (const struct command *c = command_table; c->name; c++)
        if (write_page(directory, c, err))
            return -1;
    return 0;
}

int cmd_man(int argc, char **argv)
{
    struct request r = {0};
    struct mh_error err;
    command_parse(&man_argp, argc, argv, &r);
    if (r.directory)
        return write_all(r.directory, &err) ? bad_input(&err) : EXIT_PASSED;
    const struct command *c = r.command ? command_find(r.command) : NULL;
    if (r.command && !c)
        return command_unknown(r.command);
    man_page(c, stdout);
    return EXIT_PASSED;
}
