/* What compiler and linker wrote about an image: call graphs with stack use, and the map of its sections. */
#ifndef HOST_BUDGET_CODE_BUILD_FILES_H
#define HOST_BUDGET_CODE_BUILD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file.h"
#include "memhelm/error.h"

/* The .ci files of the objects that an image is linked from. */

/* What the compiler says of an object's functions (-fcallgraph-info=su): their stack frames and calls. */

/** A function that the object defines. */
struct callgraph_function {
    char *name;     /**< as in the symbol table: without the file of a static one */
    uint32_t frame; /**< bytes of stack */
    bool bounded;   /**< false: the frame depends on what happens at run time (alloca, a VLA) */
    bool indirect;  /**< calls through a pointer */
};

struct callgraph {
    struct callgraph_function *functions;
    unsigned count, room;
};

/**
 * Adds the functions of one .ci file; `name` is for errors. -1 and `err` (file, line) for what is none; the graph is
 * then as it was, or freed when it was empty.
 */
int callgraph_parse(struct callgraph *g, const char *name, const char *text, size_t length, struct mh_error *err);
void callgraph_free(struct callgraph *g);

/** The n-th function `name` (several files may define one): NULL when there are fewer. */
const struct callgraph_function *callgraph_find(const struct callgraph *g, const char *name, unsigned n);

/** What the compiler says of one function. */
struct compiled {
    bool known; /**< false: assembly, libgcc */
    uint32_t frame;
    bool bounded, indirect;
};

/** Call graphs by object, read when asked for. */
struct compiler {
    char build[HOST_PATH]; /**< the folder with firmware/obj and newlib/ci; empty: no .ci files */
    struct object_graph {
        const char *object;
        struct callgraph graph;
    } * objects;
    unsigned count, room;
};

/** `elf`: path of the image; .ci files are looked for in the build that it lies in. */
void compiler_init(struct compiler *c, const char *elf);
void compiler_free(struct compiler *c);

/**
 * Function `name` of `object`, as the linker's map names it; both outlive `c`. -1 and `err` when the .ci file of a C
 * file is missing or damaged. Members of libc.a do not say from which of its folders they are: where several define the
 * function, the frame is the largest.
 */
int compiler_find(struct compiler *c, const char *object, const char *name, struct compiled *out, struct mh_error *err);

/* The linker's map of an image (-Map): which object each byte of code and data is from. */

enum map_kind { MAP_CODE, MAP_RODATA, MAP_DATA, MAP_BSS, MAP_KINDS };

/** A part of an output section. */
struct map_piece {
    enum map_kind kind;
    const char *object; /**< as the linker was given it, FILE.o or ARCHIVE.a(MEMBER.o); "" is padding */
    uint32_t address, size;
};

struct map_file {
    struct map_piece *pieces; /**< in order of the file, none empty */
    unsigned count, room;
    char *text; /**< owner of the names */
};

/**
 * Reads a map's text, which is changed and taken over, also on failure; `name` is for errors. Only .text, .rodata,
 * .data and .bss are kept. -1 and `err` (file, line) for what is no map of GNU ld.
 */
int map_parse(struct map_file *m, const char *name, char *text, struct mh_error *err);
void map_free(struct map_file *m);

/** Was the image made by `memhelm build`, which keeps no .ci files? Its policies are files, not members. */
bool map_is_outside(const struct map_file *m);

/** The object at `address`; NULL when the map has none there. */
const char *map_object(const struct map_file *m, uint32_t address);

enum { OWNER_NAME = 64, OWNERS = 64 };

/** Bytes by owner: a policy's file, boot, platform, common, image, newlib, libgcc, padding. */
struct owner {
    char name[OWNER_NAME];
    uint32_t bytes[MAP_KINDS];
};

/** Name of the owner of an object. */
void map_owner_name(const char *object, char name[OWNER_NAME]);

/** Sums by owner, in order of address; returns their number. More than OWNERS: the last one has the rest. */
unsigned map_owners(const struct map_file *m, struct owner owners[OWNERS]);

#endif
