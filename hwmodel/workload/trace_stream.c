#include "workload/trace_stream.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static bool is_zstd(const uint8_t *data, size_t size)
{
    static const uint8_t magic[] = {0x28, 0xb5, 0x2f, 0xfd};

    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

int mh_stream_init(struct mh_stream *s, const void *data, size_t size, struct mh_error *err)
{
    *s = (struct mh_stream){.in = data, .in_size = size};
    if (!is_zstd(data, size)) {
        s->out = (uint8_t *)(uintptr_t)data; /* never written */
        s->out_size = size;
        return 0;
    }
    s->zstd = ZSTD_createDStream();
    s->out = malloc(MH_STREAM_CHUNK);
    s->in_frame = true;
    if (!s->zstd || !s->out) {
        mh_stream_end(s);
        return mh_fail(err, "out of memory for decompression");
    }
    return 0;
}

void mh_stream_end(struct mh_stream *s)
{
    if (s->zstd || s->in_frame) {
        ZSTD_freeDStream(s->zstd);
        free(s->out);
    }
    *s = (struct mh_stream){0};
}

/* One step of decompression into `out`; sets `failure` when it cannot go on. */
static void decompress(struct mh_stream *s)
{
    ZSTD_inBuffer in = {s->in, s->in_size, s->in_pos};
    ZSTD_outBuffer out = {s->out, MH_STREAM_CHUNK, 0};
    size_t rc = ZSTD_decompressStream(s->zstd, &out, &in);

    if (ZSTD_isError(rc))
        s->failure = ZSTD_getErrorName(rc);
    else if (in.pos == s->in_pos && out.pos == 0)
        s->failure = "the compressed file is truncated";
    s->in_frame = rc != 0;
    s->in_pos = in.pos;
    s->out_size = s->failure ? 0 : out.pos;
}

bool mh_stream_refill(struct mh_stream *s)
{
    if (!s->zstd || s->failure)
        return false;
    s->out_start += s->out_size;
    s->out_pos = s->out_size = 0;
    while (s->out_size == 0 && !s->failure && (s->in_frame || s->in_pos < s->in_size))
        decompress(s);
    if (s->out_start + s->out_size > MH_STREAM_MAX) {
        s->failure = "the file unpacks to more than 2 GiB";
        s->out_size = 0;
    }
    return s->out_size > 0;
}
