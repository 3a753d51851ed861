#include "file.h"
#include "memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

enum { CHUNK = 1 << 16, GZIP_WINDOW = 15 + 16 };

enum packing { UNKNOWN, PLAIN, GZIP, ZSTD };

struct byte_stream {
    FILE *file;
    enum packing packing;
    bool ended;  /* the file */
    bool inside; /* a member or frame that has not ended */
    uint64_t taken, size;
    z_stream gzip;
    ZSTD_DStream *zstd;
    size_t used, at; /* of `in`: bytes there, bytes unpacked */
    unsigned char in[CHUNK];
};

struct byte_stream *byte_stream_open(const char *path, struct mh_error *err)
{
    struct stat st;
    struct byte_stream *s = must_have(1, sizeof *s);
    s->file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    if (!s->file) {
        (void)mh_fail(err, "%s: cannot open: %s", path, strerror(errno));
        free(s);
        return NULL;
    }
    if (!fstat(fileno(s->file), &st) && S_ISREG(st.st_mode))
        s->size = (uint64_t)st.st_size;
    return s;
}

void byte_stream_close(struct byte_stream *s)
{
    if (!s)
        return;
    if (s->packing == GZIP)
        inflateEnd(&s->gzip);
    ZSTD_freeDStream(s->zstd);
    if (s->file != stdin)
        fclose(s->file);
    free(s);
}

/* Fills an empty buffer. */
static int refill(struct byte_stream *s, const char **why)
{
    if (s->ended || s->at < s->used)
        return 0;
    s->at = 0;
    s->used = fread(s->in, 1, sizeof s->in, s->file);
    s->taken += s->used;
    s->ended = s->used == 0;
    if (!ferror(s->file))
        return 0;
    *why = strerror(errno);
    return -1;
}

static int recognise(struct byte_stream *s, const char **why)
{
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    s->packing = PLAIN;
    if (s->used >= sizeof gzip && !memcmp(s->in, gzip, sizeof gzip)) {
        if (inflateInit2(&s->gzip, GZIP_WINDOW) == Z_OK)
            s->packing = GZIP;
        else
            *why = "out of memory";
    } else if (s->used >= sizeof zstd && !memcmp(s->in, zstd, sizeof zstd)) {
        s->packing = ZSTD;
        s->zstd = ZSTD_createDStream();
        if (!s->zstd)
            *why = "out of memory";
    }
    return *why ? -1 : 0;
}

/* Each of these unpacks what it can and returns the number of bytes, or -1. */

static long read_plain(struct byte_stream *s, void *out, size_t size)
{
    size_t n = s->used - s->at < size ? s->used - s->at : size;
    memcpy(out, s->in + s->at, n);
    s->at += n;
    return (long)n;
}

static long read_gzip(struct byte_stream *s, void *out, size_t size, const char **why)
{
    s->gzip.next_in = s->in + s->at;
    s->gzip.avail_in = (uInt)(s->used - s->at);
    s->gzip.next_out = out;
    s->gzip.avail_out = (uInt)size;
    int status = inflate(&s->gzip, Z_NO_FLUSH);
    s->at = s->used - s->gzip.avail_in;
    s->inside = status != Z_STREAM_END;
    if (status == Z_STREAM_END)
        inflateReset(&s->gzip); /* another member may follow */
    else if (status != Z_OK && status != Z_BUF_ERROR)
        *why = s->gzip.msg ? s->gzip.msg : "not gzip data";
    return *why ? -1 : (long)(size - s->gzip.avail_out);
}

static long read_zstd(struct byte_stream *s, void *out, size_t size, const char **why)
{
    ZSTD_inBuffer in = {s->in, s->used, s->at};
    ZSTD_outBuffer to = {out, size, 0};
    size_t status = ZSTD_decompressStream(s->zstd, &to, &in);
    s->at = in.pos;
    s->inside = status != 0;
    if (ZSTD_isError(status))
        *why = ZSTD_getErrorName(status);
    return *why ? -1 : (long)to.pos;
}

long byte_stream_read(struct byte_stream *s, void *out, size_t size, const char **why)
{
    long got = 0;
    *why = NULL;
    while (!got) {
        if (refill(s, why) || (s->packing == UNKNOWN && recognise(s, why)))
            return -1;
        bool dry = s->ended && s->at == s->used;
        if (dry && !s->inside)
            return 0;
        got = s->packing == PLAIN  ? read_plain(s, out, size)
              : s->packing == GZIP ? read_gzip(s, out, size, why)
                                   : read_zstd(s, out, size, why);
        if (dry && !got) {
            *why = "packed data end too early: the file is cut off";
            return -1;
        }
    }
    return got;
}

double byte_stream_share(const struct byte_stream *s)
{
    return s->size ? (double)s->taken / (double)s->size : -1;
}

enum { MOST = 256 << 20 };

/* Reads to the end of the file; `text` is the caller's also where it fails. */
static int read_whole(struct byte_stream *s, char **text, size_t *length, const char **why)
{
    size_t room = 0;
    long got = 1;

    for (*length = 0; got > 0; *length += (size_t)got) {
        if (*length + CHUNK >= room) {
            char *more = room < MOST ? realloc(*text, room = room ? 2 * room : 4 * CHUNK) : NULL;

            *why = room < MOST ? "out of memory" : "larger than 256 MiB";
            if (!more)
                return -1;
            *text = more;
        }
        got = byte_stream_read(s, *text + *length, CHUNK, why);
        if (got < 0)
            return -1;
    }
    (*text)[*length] = 0;
    return 0;
}

char *read_packed(const char *path, size_t *length, struct mh_error *err)
{
    struct byte_stream *s = byte_stream_open(path, err);
    const char *why;
    char *text = NULL;

    if (!s)
        return NULL;
    if (read_whole(s, &text, length, &why)) {
        (void)mh_fail(err, "%s: cannot read: %s", path, why);
        free(text);
        text = NULL;
    }
    byte_stream_close(s);
    return text;
}
