/*
 * Bytes or lines of a trace, from a file or from memory, plain or compressed (zstd, xz, gzip; told apart by their first
 * bytes), with the offset or line number in the decompressed stream. Reads in pieces: the file is never held whole.
 */
#ifndef MEMHELM_WORKLOAD_STREAM_H
#define MEMHELM_WORKLOAD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memhelm/error.h"

enum {
    MH_STREAM_CHUNK = 1 << 16,
    MH_STREAM_MAX_LINE = 1 << 16, /**< bytes; mangled kernel names have thousands */
};

/** What is read: a file, or `size` bytes at `data` where that is set. Not owned. */
struct mh_source {
    const char *path; /**< also the name in messages */
    const uint8_t *data;
    size_t size;
};

enum mh_coding { MH_CODING_PLAIN, MH_CODING_ZSTD, MH_CODING_XZ, MH_CODING_GZIP };

struct mh_stream {
    struct mh_source source;
    FILE *file; /**< NULL when the source is in memory */
    size_t data_pos;
    enum mh_coding coding;
    void *decoder; /**< of `coding`; NULL for plain input */
    bool in_frame; /**< the compressed frame is not complete yet */
    uint8_t *in;   /**< bytes of the file that are not decompressed yet */
    size_t in_pos, in_size;
    bool ended;   /**< the source has no more */
    uint8_t *out; /**< decompressed chunk */
    size_t out_pos, out_size;
    uint64_t out_start;   /**< offset of out[0] */
    bool summing;         /**< sums up what is read: mh_stream_sum() */
    uint32_t sum;         /**< CRC-32, of the chunks before this one */
    size_t sum_pos;       /**< from here on this one's bytes are not in it */
    const char *failure;  /**< why there are no more bytes; NULL: the end */
    char *line;           /**< the last line, terminated */
    uint64_t line_number; /**< of the last line, from 1 */
};

/** Opens and reads the first chunk. -1 and `err` when the file cannot be read or memory is short. */
int mh_stream_open(struct mh_stream *s, const struct mh_source *source, struct mh_error *err);

/** Back to the start. As mh_stream_open(). */
int mh_stream_rewind(struct mh_stream *s, struct mh_error *err);

/** Harmless on a stream that is all zeroes. */
void mh_stream_end(struct mh_stream *s);

/** Gets the next chunk; false at the end or on a failure. */
bool mh_stream_refill(struct mh_stream *s);

/**
 * The next line without its end, nor UTF-8's mark before the first one, terminated, in s->line; false at the end or on
 * a failure. A line with a failure in it has what came before that.
 */
bool mh_stream_line(struct mh_stream *s);

/** CRC-32 (zlib's) of what was read since the last call; the first one begins, and gives 0. */
uint32_t mh_stream_sum(struct mh_stream *s);

/** The next byte; -1 at the end of the input or on a failure. */
static inline int mh_stream_byte(struct mh_stream *s)
{
    if (s->out_pos == s->out_size && !mh_stream_refill(s))
        return -1;
    return s->out[s->out_pos++];
}

/** Offset of the next byte in the decompressed stream. */
static inline uint64_t mh_stream_offset(const struct mh_stream *s)
{
    return s->out_start + s->out_pos;
}

#endif
