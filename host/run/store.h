/*
 * Results of finished runs in an SQLite file, so that a study goes on where it stopped and alone runs are made once. A
 * result is named by a hash of everything that determines it (sim_key()); one of another model or configuration is
 * another one. Each has a checksum: one that was damaged counts as not there, which is said on standard error. Nothing
 * is ever removed; runs of older names are not found. A run is kept when it ends, so Ctrl-C or a crash loses what was
 * running only. Runs that failed are not kept.
 */
#ifndef HOST_RUN_STORE_H
#define HOST_RUN_STORE_H

#include <stdbool.h>

#include "base/file.h"
#include "base/hash.h"
#include "sim.h"

struct store;

/** A folder in this user's cache, ${XDG_CACHE_HOME:-~/.cache}/memhelm, or that itself (""); it need not exist. */
int store_dir(const char *folder, char dir[HOST_PATH], struct mh_error *err);

/**
 * `path` NULL: ${XDG_CACHE_HOME:-~/.cache}/memhelm/results.sqlite. NULL and `err` when it cannot be used, or others may
 * write to it.
 */
struct store *store_open(const char *path, struct mh_error *err);
void store_close(struct store *st);

/**
 * True, and `s` is SIM_DONE, when a result of that name is there and whole. With s->view.counts it needs its counts,
 * too: they are written into core.json of s->dir, which is made. So with s->bursts, if asked for.
 */
bool store_find(struct store *st, const char *key, struct sim *s);

/** Says on standard error how many results were found to be damaged since it was last called; nothing of none. */
void store_report_damage(struct store *st);

/** Adds the result in `s`'s directory, its counts with s->view.counts and its bursts, if asked for, if the run
 * passed; durable when it returns. `what`: description for people. */
int store_keep(struct store *st, const char *key, const char *what, const struct sim *s, struct mh_error *err);

/** Where it is. */
const char *store_file(const struct store *st);

/** Does `checksum` fit `key` and `text`, a result, its counts or its bursts? */
bool store_is_whole(const char *key, const char *text, const char *checksum);

/* What a store of finished runs looks like from outside. Nothing is written. */

struct store_state {
    char path[HOST_PATH];
    bool present, writable;         /**< is the file there, and may it be written */
    unsigned long long bytes, rows; /**< of the file; runs that are kept */
};

/** `path` as of store_open(). -1 and `err` when the file is there and cannot be read, or is no such store. */
int store_look(const char *path, struct store_state *s, struct mh_error *err);

/* Simulations whose results are kept: what was run before is not run again (store.h). */

/* The name of a run's result: a hash of everything that determines it. */

struct sim_key {
    char text[HASH_TEXT];
    char config[HASH_TEXT]; /**< of the configuration alone, as `config_sha256` of a run's results */
};

/**
 * Of model and machine (hash.h), configuration (traces by content), image and its parameters, twin or QEMU and,
 * with a core that has times, the times of the image's instructions on it. Nothing that a compiler or another part of
 * this program changes is in it: a report with other words keeps its runs. But a twin is hashed as a file, and so is
 * another one with another compiler. Runs of a debug build have names of their own, so that its invariants are tested.
 */
int sim_key(const struct sim *s, struct sim_key *key, struct mh_error *err);

/** A simulation, and the name under which its result is kept. */
struct kept_sim {
    struct sim sim; /**< first: the two have one address */
    struct sim_key key;
    char what[256]; /**< description for people: image, design, workload */
    bool kept;      /**< its result came from the store */
    bool fleeting;  /**< its directory stays until the plan goes, and its result is not kept */
};

/**
 * Fills in the results that are there: those sims are SIM_DONE, `kept`; the counts of those whose view has them are in
 * their directories. Returns how many. How many are damaged, and so
 * run again, is said on standard error.
 */
unsigned kept_load(struct kept_sim *const *sims, unsigned count, struct store *st);

/**
 * Runs those that wait, at most `jobs` at once; each that is not fleeting is kept in `st` (NULL: nowhere) when it ends,
 * and its directory goes unless `leave_dirs`. A result that cannot be kept is still used; that is said once. 0, or the
 * number of the signal that ended it early.
 */
int kept_run(struct kept_sim *const *sims, unsigned count, struct store *st, unsigned jobs, bool leave_dirs);

/*
 * Runs that a study takes over from another store (store.h). Checksums detect damage, not forgery. So only runs that
 * the study needs are candidates, a sample of them is run again, and the store is refused if one differs in a byte.
 */

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
