/* The commands of memhelm. argv[0] is "memhelm COMMAND", for messages. Each returns the exit code of the program. */
#ifndef HOST_CMD_COMMANDS_H
#define HOST_CMD_COMMANDS_H

#include <argp.h>
#include <stdio.h>

#include "memhelm/error.h"

/** Exit codes; 128 + signal when interrupted. */
enum {
    EXIT_PASSED = 0,
    EXIT_NOT_PASSED =
        1, /**< a simulation failed, faulted, hung, deadlocked or was lost; results are written where they exist */
    EXIT_BAD_INPUT = 2, /**< nothing was simulated, or a file could not be written */
};

/** Says it on standard error, escaped (escape.h), and returns EXIT_BAD_INPUT. */
int bad_input(const struct mh_error *err);

/** A command: `argp` has all of its options, arguments and texts. */
struct command {
    const char *name, *summary;
    const struct argp *argp;
    int (*run)(int argc, char **argv);
};

#define COMMAND(name, summary)                                                                                         \
    int cmd_##name(int argc, char **argv);                                                                             \
    extern const struct argp name##_argp;
#include "commands.def"
#undef COMMAND

/** All of them (commands.def); the last one has no name. */
extern const struct command command_table[];

/**
 * What `memhelm list` shows of papers, images, presets, designs, kernels or cores, as a JSON array. -1 and `err`: it is
 * another word, or cannot be listed.
 */
int list_json(const char *what, FILE *out, struct mh_error *err);

/** NULL when there is none of that name. */
const struct command *command_find(const char *name);

/** The command that was called `old`, which standard error then says; NULL: none was. */
const struct command *command_formerly(const char *old);

/** What `memhelm` with a word that is no command says: the nearest and all. Returns EXIT_BAD_INPUT. */
int command_unknown(const char *word);

/** What every command has: --color. */
extern const struct argp every_argp;

/** argp_parse() with what every command has. `input` is that of `argp`'s parser. */
void command_parse(const struct argp *argp, int argc, char **argv, void *input);

/** command_parse() with ARGP_IN_ORDER: words and options reach the parser in the order of the command line. */
void command_parse_in_order(const struct argp *argp, int argc, char **argv, void *input);

/** Texts of `memhelm --help`: a title, and paragraphs about it. */
extern const char commands_title[], commands_about[];

/* What `memhelm --version` says. */

/** Of the program; firmware has the same. */
#define MEMHELM_VERSION "0.1"

/** Program, register table and commit; the hashes of model and machine, a line each (hash.h). */
void version_print(FILE *out);

#endif
