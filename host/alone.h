/* Alone runs are cached: files named by a hash of everything that determines them. */
#ifndef HOST_ALONE_H
#define HOST_ALONE_H

#include "hash.h"
#include "sim.h"

/**
 * Name of an alone run: configuration (traces by content), image, and the programs that simulate: this executable, and
 * QEMU unless the image is a twin.
 */
int alone_key(const struct sim *s, char key[HASH_TEXT], struct mh_error *err);

/** Fills s->result and sets SIM_DONE if the cache has a run of that name that passed. */
bool alone_load(struct sim *s, const char *key);

/** Stores what s->dir holds, if it passed. Several processes may store the same; a cache that fails costs time only. */
void alone_store(const struct sim *s, const char *key);

#endif
