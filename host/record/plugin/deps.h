/* What memory instructions need of each other, for NAME.pcs.json. */
#ifndef HOST_RECORD_PLUGIN_DEPS_H
#define HOST_RECORD_PLUGIN_DEPS_H

#include "code.h"
#include "record/access.h"

/**
 * Sets c->use, and the loads that address and value come from, through any number of registers but no further than the
 * nearest load of global memory. The caller frees the lists. False: out of memory.
 */
bool deps_find(const struct code_instruction *i, struct record_code *c);

#endif
