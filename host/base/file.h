/* Files and directories: whole reads, packed ones, writes that appear at once, trees that come and go. */
#ifndef HOST_BASE_FILE_H
#define HOST_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "memhelm/error.h"

enum { HOST_PATH = 512 };

/** Joins into `out`; -1 and `err` when it does not fit. `b` may be empty. */
int path_join(char out[HOST_PATH], const char *a, const char *b, struct mh_error *err);

/**
 * `path` with "./" if it is relative, for a library to which some names are no files: SQLite's "file:x?mode=memory"
 * and ":memory:".
 */
int path_plain(char out[HOST_PATH], const char *path, struct mh_error *err);

/** Directory of this executable, without a trailing slash; the same pointer each time. */
const char *exe_dir(void);

/**
 * Where the build put `what`: the value of the environment's `variable`, or else the first line of the file `name`
 * next to this executable, in which a relative path starts at the executable's directory.
 */
int built_file(char path[HOST_PATH], const char *what, const char *name, const char *variable, struct mh_error *err);

/** Can a program of this name, without a folder, be started? */
bool in_path(const char *program);

/**
 * The whole file in memory with a 0 byte after it; the caller frees it. NULL and `err` on failure, also when it is of
 * more than 256 MiB: a device may have no end.
 */
char *read_file(const char *path, size_t *length, struct mh_error *err);

/** read_file() without the bound of 256 MiB: for what a run wrote. */
char *read_log(const char *path, size_t *length, struct mh_error *err);

/**
 * Writes a temporary file next to `path` and renames it: readers see the old file or the whole new one. A symbolic
 * link is followed; what is no regular file (a pipe, a device) is written into. `-` is standard output
 * (process.h).
 */
int write_file(const char *path, const char *data, size_t length, struct mh_error *err);

/** A file whose text is collected in memory, so that it appears whole or not at all. */
struct draft {
    FILE *out; /**< where it is written */
    char *text;
    size_t length;
};

void draft_open(struct draft *d);

/** Ends the text, and returns it; the caller frees it. */
char *draft_text(struct draft *d);

/** Ends the text, writes it as write_file() does, and frees it. */
int draft_write(struct draft *d, const char *path, struct mh_error *err);

/** Name of a file without its directory and the last suffix. */
void file_stem(const char *path, char *name, size_t size);

/** Is `what`, where a name could stand, the path of a file: with a '/' in it or `suffix` at its end? */
bool names_file(const char *what, const char *suffix);

/** Are both the same regular file, by whatever names and links? False where one is not there. */
bool same_file(const char *a, const char *b);

/** Could `path` be written, as far as one can tell without trying? For errors before hours of simulation, not after. */
int check_writable(const char *path, struct mh_error *err);

/** read_log() and write_file(). */
int copy_file(const char *from, const char *to, struct mh_error *err);

/** mkdir -p. */
int make_dirs(const char *path, struct mh_error *err);

/** rm -r; what cannot be removed stays. */
void remove_tree(const char *path);

/**
 * Last line of a text file that is not empty and begins with `begin`, in `line`, escaped (escape.h); false when there
 * is none.
 */
bool last_line(const char *path, const char *begin, char *line, size_t size);

/* A file as a stream of bytes, plain or packed: gzip and zstd are known by their first bytes, not by the file's name.
 */

struct byte_stream;

/** "-" is standard input. NULL and `err` when it cannot be opened. */
struct byte_stream *byte_stream_open(const char *path, struct mh_error *err);
void byte_stream_close(struct byte_stream *s);

/**
 * Unpacks up to `size` bytes; returns how many, 0 at the end of the file, -1 with `why` (lasts as long as the stream)
 * when it cannot be read, is damaged or ends too early.
 */
long byte_stream_read(struct byte_stream *s, void *out, size_t size, const char **why);

/** 0..1: how much of the file has been read; negative when its size is not known. */
double byte_stream_share(const struct byte_stream *s);

/** The whole file, unpacked, as read_file() gives it: a 0 byte after it, at most 256 MiB; the caller frees it. */
char *read_packed(const char *path, size_t *length, struct mh_error *err);

#endif
