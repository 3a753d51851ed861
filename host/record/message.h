/*
 * What the plugin tells memhelm, over a socket: messages of a byte (enum record_message), four bytes of length, and a
 * payload of numbers and texts (base/bytes.h). Both ends run on one machine and are built together.
 */
#ifndef HOST_RECORD_MESSAGE_H
#define HOST_RECORD_MESSAGE_H

#include "base/bytes.h"

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
