/* Values of options, checked: argp errors that name the option. */
#ifndef HOST_CMD_ARGUMENT_H
#define HOST_CMD_ARGUMENT_H

#include <argp.h>
#include <stdint.h>

#include "mcu/images.h"

enum { ARGUMENT_CYCLES = 2000000000 /**< the longest window of a command that runs many */ };

/** Takes the value of an option that can be given once; an argp error that names `option` and both values else. */
void argument_once(const char **value, const char *option, const char *text, struct argp_state *state);

/**
 * Takes the name of a folder, once. An argp error when it is empty, as an unset variable of the shell is, or `-`, which
 * is standard output.
 */
void argument_folder(const char **value, const char *option, const char *text, struct argp_state *state);

/** Take the name of a file, once, and list it in files.h: one that is written (`-`: standard output), one that is read.
 */
void argument_output(const char **value, const char *option, const char *text, struct argp_state *state);
void argument_input(const char **value, const char *option, const char *text, struct argp_state *state);

/** As argument_output(), but `-` is an argp error: `what`, such as "a database", cannot go to standard output. */
void argument_output_file(const char **value, const char *option, const char *what, const char *text,
                          struct argp_state *state);

/** An argp error when the word is none of what belongs to `place`, and known to be something else. */
void argument_meant(const char *text, enum meant_place place, struct argp_state *state);

/** Takes --workload, once; several workloads are an argp error that joins them with +. */
void argument_workload(const char **value, const char *text, struct argp_state *state);

/** Of --cycles: 1..ARGUMENT_CYCLES, with K, M or G if need be, or an argp error. */
uint64_t argument_cycles(const char *text, struct argp_state *state);

/** 1..max, or an argp error that names the option `what`. */
unsigned argument_number(const char *what, const char *text, unsigned max, struct argp_state *state);

#endif
