/* SHA-256, as 64 hexadecimal digits, and what made a result: hashes of sources, and the commit. */
#ifndef HOST_BASE_HASH_H
#define HOST_BASE_HASH_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "memhelm/error.h"

enum { HASH_TEXT = 65 };

struct hash;

struct hash *hash_begin(void);
void hash_add(struct hash *h, const void *data, size_t length);

/** Writes the digits and frees `h`. */
void hash_end(struct hash *h, char text[HASH_TEXT]);

/** Of `length` bytes. */
void hash_text(const char *data, size_t length, char text[HASH_TEXT]);

/** Of a whole file. */
int hash_file(const char *path, char text[HASH_TEXT], struct mh_error *err);

/*
 * What made a result: the model, the machine that couples a core to it, and the commit of this program. The two hashes
 * are of sources, without comments and white space (provenance.sh), and so the same for every compiler and computer.
 * The Makefile lists them: HASHED_MODEL and HASHED_MACHINE.
 */

enum { PROVENANCE_TEXT = 160 };

/** Of hwmodel: 64 hexadecimal digits. Presets and designs are not in it, a configuration is hashed as resolved. */
const char *provenance_model(void);

/**
 * Of what couples core and model, in QEMU and in the native twin, with the version of QEMU and our patches
 * (qemu.version next to this executable): 64 hexadecimal digits. With $MEMHELM_QEMU or $MEMHELM_CORE_PLUGIN those files
 * count.
 */
const char *provenance_machine(void);

/** 40 hexadecimal digits, with "-dirty" behind them when sources differed; "unknown" outside of a git checkout. */
const char *provenance_commit(void);

/** For main(), once: only the program knows it, so that a commit makes nothing else anew. `commit` must stay. */
void provenance_set_commit(const char *commit);

/**
 * {commit, model, machine}, for results. The commit is that of the build that writes the file. Runs that were kept from
 * before may come from an older one: their names (run/store.h) have both hashes in them, so these are true of each.
 */
json_t *provenance_json(void);

/** A file's `made_by` in words: "Made by commit abc1234 (model .., machine ..), images in the JSON." */
void provenance_words(const json_t *made_by, char text[PROVENANCE_TEXT]);

/** Writes these of this build into a Markdown file: a paragraph. */
void provenance_say(FILE *out);

#endif
