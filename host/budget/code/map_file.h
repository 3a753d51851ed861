/* The linker's map of an image (-Map): which object each byte of code and data is from. */
#ifndef HOST_BUDGET_CODE_MAP_FILE_H
#define HOST_BUDGET_CODE_MAP_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"

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
