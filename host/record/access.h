/*
 * One access of one work item, or one barrier that it reached, as the plugin sees it and as it travels to memhelm: as
 * differences to the one before of the same work item, about ten bytes.
 *
 * The key says where in the program it is, so that work items of a warp that do the same thing at the same time can be
 * found: (header, iteration) of each loop around it, from outside, then its static instruction; before these, for code
 * that is called, the same of each call, from outside. Keys compare as words do: the smaller comes first.
 */
#ifndef HOST_RECORD_ACCESS_H
#define HOST_RECORD_ACCESS_H

#include "base/memory.h"

/** As GMT has them. */
enum record_kind { RECORD_LOAD, RECORD_STORE, RECORD_ATOMIC, RECORD_BARRIER };

enum {
    RECORD_KEY = 64,      /**< words of a key: 31 loops and calls within each other */
    RECORD_MAX_BYTES = 32 /**< of an access; a longer one is several, one piece after the other */
};

struct record_access {
    uint32_t key[RECORD_KEY];
    unsigned words;   /**< at least 1 */
    bool piece;       /**< a further piece of a long access: the key's last word numbers it, the one before is the pc */
    uint8_t kind;     /**< enum record_kind */
    uint32_t bytes;   /**< 1 .. RECORD_MAX_BYTES; 0 of a barrier */
    uint64_t gap;     /**< instructions of the work item since its access before, or its start */
    uint64_t address; /**< the device's; 0 of a barrier */
};

/** Its static instruction, from 1. */
uint32_t record_access_pc(const struct record_access *a);

/** Less than, equal to or more than 0: which comes first. */
int record_access_compare(const struct record_access *a, const struct record_access *b);

/** Adds `a` to `out`; `last` is the one before, all zeroes at first, and becomes `a`. */
void record_access_put(struct bytes *out, struct record_access *last, const struct record_access *a);

/** Reads the next one; `a` holds the one before, all zeroes at first. False at the end, and when `in` is bad. */
bool record_access_get(struct bytes_in *in, struct record_access *a);

/*
 * What the plugin tells memhelm, over a socket: messages of a byte (enum record_message), four bytes of length, and a
 * payload of numbers and texts (base/memory.h). Both ends run on one machine and are built together.
 */

enum record_message {
    RECORD_HELLO = 'H',      /**< process: the first of each */
    RECORD_BUFFER = 'B',     /**< context, device address, bytes */
    RECORD_FREED = 'F',      /**< context, device address */
    RECORD_CODE = 'S',       /**< a static instruction: see record_code_get() */
    RECORD_LAUNCH = 'L',     /**< number, context, name, grid (3), block (3), is it wanted: 0 or 1 */
    RECORD_GROUP = 'G',      /**< number; its work items follow */
    RECORD_ITEM = 'I',       /**< local number, then accesses; a work item may have several such */
    RECORD_GROUP_END = 'g',  /**< nothing */
    RECORD_LAUNCH_END = 'l', /**< bytes of asynchronous copies, which are not recorded */
    RECORD_FAILED = 'X',     /**< a text: the plugin gives up */
};

enum {
    RECORD_MESSAGE_HEAD = 5,
    RECORD_MESSAGE_MAX = 1 << 30, /**< a longer one is none of ours */
    RECORD_NAME = 255             /**< of a kernel */
};

/** The environment tells the plugin: "FD first-launch end first-CTA end", launches and CTAs from 0, ends excluded. */
#define RECORD_VARIABLE "MEMHELM_RECORD"

/** One byte from memhelm: nothing more is wanted. */
enum { RECORD_ENOUGH = 'q' };

/** A static instruction that accesses global memory, or a barrier. */
struct record_code {
    uint32_t pc, bytes, depth, line;
    uint8_t kind; /**< enum record_kind */
    int32_t use;  /**< as the column of NAME.pcs.json */
    char function[RECORD_NAME + 1];
    uint32_t *address, *value; /**< pcs of loads that its address and the value that it stores come from; rising */
    uint32_t addresses, values;
};

void record_code_put(struct bytes *out, const struct record_code *c);

/** The caller frees c->address and c->value, also when it fails: `in` is bad, or false for lack of memory. */
bool record_code_get(struct bytes_in *in, struct record_code *c);

#endif
