/* What a store of finished runs looks like from outside. Nothing is written. */
#ifndef HOST_RUN_STORE_STATE_H
#define HOST_RUN_STORE_STATE_H

#include <stdbool.h>

#include "store.h"

struct store_state {
    char path[HOST_PATH];
    bool present, writable;         /**< is the file there, and may it be written */
    unsigned long long bytes, rows; /**< of the file; runs that are kept */
};

/** `path` as of store_open(). -1 and `err` when the file is there and cannot be read, or is no such store. */
int store_look(const char *path, struct store_state *s, struct mh_error *err);

#endif
