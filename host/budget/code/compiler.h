/* The .ci files of the objects that an image is linked from. */
#ifndef HOST_BUDGET_CODE_COMPILER_H
#define HOST_BUDGET_CODE_COMPILER_H

#include "callgraph.h"
#include "base/file.h"

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

#endif
