/* Bytes of a trace, plain or zstd-compressed, from memory, with the offset in the decompressed stream. */
#ifndef MEMHELM_WORKLOAD_TRACE_STREAM_H
#define MEMHELM_WORKLOAD_TRACE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/error.h"

enum { MH_STREAM_CHUNK = 1 << 16 };

/** Decompressed bytes a trace may have: the guard against small files that unpack without end. */
#define MH_STREAM_MAX ((uint64_t)2 << 30)

struct mh_stream {
    const uint8_t *in; /**< the file; not owned */
    size_t in_size, in_pos;
    void *zstd;    /**< ZSTD_DStream, NULL for plain input */
    bool in_frame; /**< the compressed frame is not complete yet */
    uint8_t *out;  /**< decompressed chunk, or the plain input itself */
    size_t out_pos, out_size;
    uint64_t out_start;  /**< offset of out[0] */
    const char *failure; /**< why there are no more bytes; NULL: the end */
};

/** Reads `size` bytes at `data`, which stay the caller's. -1 and `err` when memory is short. */
int mh_stream_init(struct mh_stream *s, const void *data, size_t size, struct mh_error *err);
void mh_stream_end(struct mh_stream *s);

/** Gets the next chunk; false at the end or on a failure. */
bool mh_stream_refill(struct mh_stream *s);

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
