/* A file as a stream of bytes, plain or packed: gzip and zstd are known by their first bytes, not by the file's name.
 */
#ifndef HOST_BASE_BYTE_STREAM_H
#define HOST_BASE_BYTE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "memhelm/error.h"

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
