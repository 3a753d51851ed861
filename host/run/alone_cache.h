/* Alone runs of `run` and `compare` are kept where those of studies are, under the same names (reproduce/store.h). */
#ifndef HOST_RUN_ALONE_CACHE_H
#define HOST_RUN_ALONE_CACHE_H

#include "sim.h"

/** This user's cache, ${XDG_CACHE_HOME:-~/.cache}/memhelm; it need not exist. */
int cache_dir(char dir[HOST_PATH], struct mh_error *err);

/** Fills s->result and sets SIM_DONE if a run of that name is kept. */
bool alone_load(struct sim *s, const char *key);

/** Keeps what s->dir holds, if it passed. Several processes may keep the same; a store that fails costs time only. */
void alone_store(const struct sim *s, const char *key);

#endif
