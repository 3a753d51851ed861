/* Alone runs are cached: files named by a hash of everything that determines them (sim_key.h). */
#ifndef HOST_ALONE_H
#define HOST_ALONE_H

#include "hash.h"
#include "sim.h"

/** The directory `name` of this user's cache, ${XDG_CACHE_HOME:-~/.cache}/memhelm/NAME; it need not exist. */
int cache_dir(char dir[HOST_PATH], const char *name, struct mh_error *err);

/** Fills s->result and sets SIM_DONE if the cache has a run of that name that passed. */
bool alone_load(struct sim *s, const char *key);

/** Stores what s->dir holds, if it passed. Several processes may store the same; a cache that fails costs time only. */
void alone_store(const struct sim *s, const char *key);

#endif
