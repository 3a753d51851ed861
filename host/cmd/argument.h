/* Words of a command line: what options take, which files they name, how the help describes them. */
#ifndef HOST_CMD_ARGUMENT_H
#define HOST_CMD_ARGUMENT_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "mcu/image.h"
#include "memhelm/error.h"

/* Values of options, checked: argp errors that name the option. */

enum { ARGUMENT_CYCLES = 2000000000 /**< the longest window of a command that runs many */ };

/** Takes the value of an option that can be given once; an argp error that names `option` and both values else. */
void argument_once(const char **value, const char *option, const char *text, struct argp_state *state);

/** Take the name of a file, once, and list it below: one that is written (`-`: standard output), one that is
 * read.
 */
void argument_output(const char **value, const char *option, const char *text, struct argp_state *state);
void argument_input(const char **value, const char *option, const char *text, struct argp_state *state);

/** An argp error when the word is none of what belongs to `place`, and known to be something else. */
void argument_meant(const char *text, enum meant_place place, struct argp_state *state);

/** Takes --workload, once; several workloads are an argp error that joins them with +. */
void argument_workload(const char **value, const char *text, struct argp_state *state);

/** 1..max, or an argp error that names the option `what`. */
unsigned argument_number(const char *what, const char *text, unsigned max, struct argp_state *state);

/** Adds to a list of at most `most`; an argp error that says `what` it has too many of. */
void argument_add(const char **list, unsigned *count, unsigned most, const char *what, const char *text,
                  struct argp_state *state);

/* --- Options that are taken as they stand. */

/** Into which member: a bool; a text, of argument_once() or a file's name; a uint64_t; an unsigned. */
enum take_how {
    TAKE_TRUE,
    TAKE_ONCE,
    TAKE_INPUT,
    TAKE_OUTPUT,
    TAKE_FILE, /**< argument_output_file() of `what` */
    TAKE_FOLDER,
    TAKE_CYCLES,
    TAKE_NUMBER /**< 1..most */
};

struct take {
    int key;
    enum take_how how;
    size_t at; /**< offset of the member */
    unsigned most;
    const char *what;
};

/** Takes the option `key` into `request` if one of `takes`, the last of which is {0}, has it; else ARGP_ERR_UNKNOWN. */
error_t argument_take(const struct take *takes, void *request, int key, const char *text, struct argp_state *state);

/* Which files a command reads and which it writes: no result may destroy an input or another result. */

/** Takes note of one. */
void files_output(const char *path);
void files_input(const char *path);

/** A recording and, of a list, its kernels' files; a pipe is not looked into. */
void files_trace(const char *path);

/** The recording or input of a tenant's kernel, if it has one. */
void files_kernel(const char *kernel);

/** Those of a workload A+B; one that cannot be read as such has none. */
void files_workload(const char *workload);

/** -1 and `err` when an output is an input or another output, by whatever names and links. A device takes both. */
int files_check(struct mh_error *err);

/** Gives standard output to the result that is named `-`, if there is one. -1 and `err` as files_check(). */
int files_take(struct mh_error *err);

/* A command's options and words as its argp tables have them: for completion and messages. */

enum { DESCRIBE_OPTIONS = 96 };

/** An option, or the heading of those that follow (`name` NULL). */
struct described {
    const char *name, *arg, *doc; /**< `arg` NULL: it takes none */
    int letter;                   /**< 0: it has a long name only */
    int group;
    bool optional; /**< the argument may be left out */
};

/**
 * Options of `argp` and its children, group by group as --help shows them; headings that no option follows are left
 * out. Returns how many. Those that argp adds (--help, --usage, --version) are in it.
 */
unsigned describe_options(const struct argp *argp, struct described list[DESCRIBE_OPTIONS]);

/** The option with this long name, or this letter if `length` is 1; NULL when there is none. */
const struct described *describe_find(const struct described *list, unsigned count, const char *name, size_t length);

/* getopt takes any part of a long option's name that fits one alone: what is mistyped would be obeyed as another. */

/**
 * An argp error when a long option on the command line of `state` is none of `argp`, letter by letter: it has the
 * nearest, and the key that --set takes if one has that name. In ARGP_KEY_INIT, before getopt looks.
 */
void whole_options_check(struct argp_state *state, const struct argp *argp);

#endif
