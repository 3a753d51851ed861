/* A command's options and words as its argp tables have them: for completion and messages. */
#ifndef HOST_CMD_DESCRIBE_H
#define HOST_CMD_DESCRIBE_H

#include <argp.h>
#include <stdbool.h>

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

#endif
