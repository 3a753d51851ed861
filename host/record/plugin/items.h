/* Work items of the CTA that runs: what each has done since its last access, and where in the program it is. */
#ifndef HOST_RECORD_PLUGIN_ITEMS_H
#define HOST_RECORD_PLUGIN_ITEMS_H

#include "code.h"
#include "record/access.h"

struct items_access {
    uint8_t kind;
    uint64_t address, bytes;
};

/** A CTA of `count` work items begins. False: out of memory. */
bool items_start(size_t count);

/** Work item `item` executed `i`, which made these accesses of the device's memory. False: loops or calls too deep. */
bool items_executed(size_t item, const struct code_instruction *i, const struct items_access *access, unsigned count);

/** Records of work item `item` (access.h); the caller empties the list. */
struct bytes *items_told(size_t item);

#endif
