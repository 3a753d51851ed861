/*
 * Results of finished runs in an SQLite file, so that a study goes on where it stopped. A result is named by a hash of
 * everything that determines it (sim_key.h); one of another build or configuration is another one.
 */
#ifndef HOST_REPRODUCE_STORE_H
#define HOST_REPRODUCE_STORE_H

#include "plan.h"

struct store;

/** `path` NULL: ${XDG_CACHE_HOME:-~/.cache}/memhelm/results.sqlite. NULL and `err` when it cannot be used. */
struct store *store_open(const char *path, struct mh_error *err);
void store_close(struct store *st);

/** Fills in the results that are there: those sims are SIM_DONE, `kept`. Returns how many. */
unsigned store_load(struct store *st, const struct plan *p);

/** Adds the result in `s`'s directory, if the run passed; durable when it returns. */
int store_add(struct store *st, const struct plan_sim *s, struct mh_error *err);

#endif
