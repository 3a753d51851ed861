/*
 * Results of finished runs in an SQLite file, so that a study goes on where it stopped and alone runs are made once. A
 * result is named by a hash of everything that determines it (kept.h); one of another model or configuration is
 * another one. Each has a checksum: one that was damaged counts as not there, which is said on standard error. Nothing
 * is ever removed; runs of older names are not found. A run is kept when it ends, so Ctrl-C or a crash loses what was
 * running only. Runs that failed are not kept.
 */
#ifndef HOST_RUN_STORE_H
#define HOST_RUN_STORE_H

#include <stdbool.h>

#include "sim.h"

struct store;

/** A folder in this user's cache, ${XDG_CACHE_HOME:-~/.cache}/memhelm, or that itself (""); it need not exist. */
int store_dir(const char *folder, char dir[HOST_PATH], struct mh_error *err);

/** The file that store_open() takes when none is given; it need not exist. */
int store_path(char path[HOST_PATH], struct mh_error *err);

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

#endif
