/*
 * Results of finished runs in an SQLite file, so that a study goes on where it stopped and alone runs are made once. A
 * result is named by a hash of everything that determines it (sim_key.h); one of another model or configuration is
 * another one. Each has a checksum: one that was damaged counts as not there, which is said on standard error.
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

/** The same for one run under its name: true, and `s` is SIM_DONE, when its result is there. */
bool store_find(struct store *st, const char *key, struct sim *s);

/** `what`: for a person who looks into the file. */
int store_keep(struct store *st, const char *key, const char *what, const struct sim *s, struct mh_error *err);

#endif
