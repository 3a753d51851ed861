/* Which line of which source file an instruction is from: .debug_line of an ELF, read by elfutils' libdw. */
#ifndef HOST_MCU_SOURCE_LINES_H
#define HOST_MCU_SOURCE_LINES_H

#include <stdint.h>

/** `file` NULL: not known, and `line` 0. The compiler was started at the top of the tree: there paths begin. */
struct place {
    const char *file;
    unsigned line;
};

struct lines;

/** NULL for a file that cannot be read or has no debug information. */
struct lines *lines_open(const char *path);

/** The strings are valid until lines_close(). `l` may be NULL: nothing is known then. */
struct place lines_at(const struct lines *l, uint32_t address);

/** The place of the function at `address`: its own definition, not code inlined at its start. */
struct place lines_function(const struct lines *l, uint32_t address);

/**
 * The place in a .c file: for code inlined from a header, the last line of the .c file before it, if there is one; else
 * lines_at().
 */
struct place lines_written(const struct lines *l, uint32_t address);

void lines_close(struct lines *l);

#endif
