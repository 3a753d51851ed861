/*
 * Runs that a study takes over from another store (store.h). Checksums detect damage, not forgery. So only runs that
 * the study needs are candidates, a sample of them is run again, and the store is refused if one differs in a byte.
 */
#ifndef HOST_RUN_STORE_MERGE_H
#define HOST_RUN_STORE_MERGE_H

#include <stdbool.h>

#include "base/file.h"

/** One of so many candidates is run again; at least one. */
enum { MERGE_SAMPLE = 50 };

struct merge;

/** `own`: the store that takes over, which is there and stays open; `path`: the other. NULL and `err`: it is none. */
struct merge *merge_open(const char *own, const char *path, struct mh_error *err);
void merge_close(struct merge *m);

/**
 * A run that the study asks for. It is a candidate if the other store has it, whole, and the own one has not; -1 and
 * `err` when both have it and they differ. May be called again for the same run.
 */
int merge_offer(struct merge *m, const char *key, struct mh_error *err);

/**
 * Chooses the sample, when all runs were offered: by a hash of the key and of all candidates' results and bursts, so
 * that a change of one changes the sample. Returns how many; the caller puts them into the own store.
 */
unsigned merge_choose(struct merge *m);

/** How many candidates there are, after merge_choose(). */
unsigned merge_count(const struct merge *m);

/** Is a run of the sample? */
bool merge_chosen(const struct merge *m, const char *key);

/** Are all runs of the sample now in the own store, with the other's bytes? -1 and `err` name one that is not. */
int merge_compare(struct merge *m, struct mh_error *err);

/** Takes over all candidates, or none: `*added` of them, as they were when offered; `*left`: runs that stay behind. */
int merge_take(struct merge *m, unsigned *added, unsigned *left, struct mh_error *err);

#endif
