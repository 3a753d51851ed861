#include "workload/stream.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* The largest dictionary of `xz -9` needs 65 MiB. */
#define XZ_MEMORY ((uint64_t)256 << 20)

/* Bytes of the source into `to`; 0 at the end, or on a failure. */
static size_t read_source(struct mh_stream *s, uint8_t *to)
{
    size_t left = s->source.size - s->data_pos, got;

    if (!s->file) {
        got = left < MH_STREAM_CHUNK ? left : MH_STREAM_CHUNK;
        if (got)
            memcpy(to, s->source.data + s->data_pos, got);
        s->data_pos += got;
        return got;
    }
    got = fread(to, 1, MH_STREAM_CHUNK, s->file);
    if (got == 0 && ferror(s->file))
        s->failure = strerror(errno);
    return got;
}

static enum mh_coding coding_of(const uint8_t *data, size_t size)
{
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd}, xz[] = {0xfd, '7', 'z', 'X', 'Z', 0}, gzip[] = {0x1f, 0x8b};

    if (size >= sizeof zstd && memcmp(data, zstd, sizeof zstd) == 0)
        return MH_CODING_ZSTD;
    if (size >= sizeof xz && memcmp(data, xz, sizeof xz) == 0)
        return MH_CODING_XZ;
    if (size >= sizeof gzip && memcmp(data, gzip, sizeof gzip) == 0)
        return MH_CODING_GZIP;
    return MH_CODING_PLAIN;
}

static void *new_xz(void)
{
    static const lzma_stream init = LZMA_STREAM_INIT;
    lzma_stream *z = malloc(sizeof *z);

    if (!z)
        return NULL;
    *z = init;
    if (lzma_stream_decoder(z, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK)
        return z;
    free(z);
    return NULL;
}

static void *new_gzip(void)
{
    z_stream *z = calloc(1, sizeof *z);

    if (z && inflateInit2(z, MAX_WBITS + 16) == Z_OK) /* 16: a gzip header */
        return z;
    free(z);
    return NULL;
}

static void *new_decoder(enum mh_coding coding)
{
    switch (coding) {
    case MH_CODING_XZ:
        return new_xz();
    case MH_CODING_GZIP:
        return new_gzip();
    default:
        return ZSTD_createDStream();
    }
}

static void free_decoder(struct mh_stream *s)
{
    if (s->coding == MH_CODING_ZSTD)
        ZSTD_freeDStream(s->decoder);
    if (s->coding == MH_CODING_XZ && s->decoder) {
        lzma_end(s->decoder);
        free(s->decoder);
    }
    if (s->coding == MH_CODING_GZIP && s->decoder) {
        inflateEnd(s->decoder);
        free(s->decoder);
    }
    s->decoder = NULL;
}

/* The decoder that the first bytes ask for. Plain bytes become the first chunk. */
static bool start(struct mh_stream *s)
{
    s->in_size = read_source(s, s->in);
    s->coding = coding_of(s->in, s->in_size);
    s->in_frame = s->coding != MH_CODING_PLAIN;
    if (s->coding == MH_CODING_PLAIN) {
        memcpy(s->out, s->in, s->in_size);
        s->out_size = s->in_size;
        return true;
    }
    s->decoder = new_decoder(s->coding);
    if (!s->decoder)
        return false;
    (void)mh_stream_refill(s);
    return true;
}

static int fail_open(struct mh_stream *s, struct mh_error *err)
{
    char name[400];

    snprintf(name, sizeof name, "%.384s", s->source.path);
    if (s->failure && s->file && ferror(s->file))
        (void)mh_fail(err, "%s: cannot read: %s", name, s->failure);
    else
        (void)mh_fail(err, "%s: out of memory", name);
    mh_stream_end(s);
    return -1;
}

/* From the first byte of an open source. */
static int begin(struct mh_stream *s, struct mh_error *err)
{
    s->in = malloc(MH_STREAM_CHUNK);
    s->out = malloc(MH_STREAM_CHUNK);
    s->line = malloc(MH_STREAM_MAX_LINE + 1);
    if (!s->in || !s->out || !s->line || !start(s) || (s->failure && s->file && ferror(s->file)))
        return fail_open(s, err);
    return 0;
}

int mh_stream_open(struct mh_stream *s, const struct mh_source *source, struct mh_error *err)
{
    *s = (struct mh_stream){.source = *source};
    if (!source->data && !(s->file = fopen(source->path, "rb")))
        return mh_fail(err, "%.384s: cannot open: %s", source->path, strerror(errno));
    return begin(s, err);
}

/* The file stays open: it may have a new name by now, or none. */
int mh_stream_rewind(struct mh_stream *s, struct mh_error *err)
{
    struct mh_stream again = {.source = s->source, .file = s->file};

    s->file = NULL;
    mh_stream_end(s);
    *s = again;
    if (s->file && fseek(s->file, 0, SEEK_SET)) {
        (void)mh_fail(err, "%.384s: cannot be read again: %s; give a file, not a pipe", s->source.path,
                      strerror(errno));
        mh_stream_end(s);
        return -1;
    }
    return begin(s, err);
}

void mh_stream_end(struct mh_stream *s)
{
    free_decoder(s);
    if (s->file)
        fclose(s->file);
    free(s->in);
    free(s->out);
    free(s->line);
    *s = (struct mh_stream){0};
}

static const char truncated[] = "the compressed file is truncated";

static void decode_zstd(struct mh_stream *s)
{
    ZSTD_inBuffer in = {s->in, s->in_size, s->in_pos};
    ZSTD_outBuffer out = {s->out, MH_STREAM_CHUNK, 0};
    size_t rc = ZSTD_decompressStream(s->decoder, &out, &in);

    if (ZSTD_isError(rc))
        s->failure = ZSTD_getErrorName(rc);
    else if (in.pos == s->in_pos && out.pos == 0 && s->in_size == 0)
        s->failure = truncated;
    s->in_frame = rc != 0;
    s->in_pos = in.pos;
    s->out_size = s->failure ? 0 : out.pos;
}

static void decode_xz(struct mh_stream *s)
{
    lzma_stream *z = s->decoder;
    lzma_ret rc;

    z->next_in = s->in + s->in_pos;
    z->avail_in = s->in_size - s->in_pos;
    z->next_out = s->out;
    z->avail_out = MH_STREAM_CHUNK;
    rc = lzma_code(z, s->in_size ? LZMA_RUN : LZMA_FINISH);
    s->in_pos = s->in_size - z->avail_in;
    s->out_size = MH_STREAM_CHUNK - z->avail_out;
    s->in_frame = rc != LZMA_STREAM_END;
    if (rc == LZMA_BUF_ERROR && s->in_size == 0)
        s->failure = truncated;
    else if (rc != LZMA_OK && rc != LZMA_STREAM_END && rc != LZMA_BUF_ERROR)
        s->failure = rc == LZMA_MEM_ERROR || rc == LZMA_MEMLIMIT_ERROR ? "the xz file needs too much memory"
                                                                       : "the xz file is damaged";
    if (s->failure)
        s->out_size = 0;
}

/* Several files of gzip may stand one behind the other, as `cat` leaves them. */
static void decode_gzip(struct mh_stream *s)
{
    z_stream *z = s->decoder;
    int rc;

    if (!s->in_frame && inflateReset(z) != Z_OK)
        s->failure = "the gzip file is damaged";
    z->next_in = s->in + s->in_pos;
    z->avail_in = (uInt)(s->in_size - s->in_pos);
    z->next_out = s->out;
    z->avail_out = MH_STREAM_CHUNK;
    rc = inflate(z, Z_NO_FLUSH);
    s->in_pos = s->in_size - z->avail_in;
    s->out_size = MH_STREAM_CHUNK - z->avail_out;
    s->in_frame = rc != Z_STREAM_END;
    if (rc == Z_BUF_ERROR && s->in_size == 0)
        s->failure = truncated;
    else if (rc != Z_OK && rc != Z_STREAM_END && rc != Z_BUF_ERROR)
        s->failure = rc == Z_MEM_ERROR ? "the gzip file needs too much memory" : "the gzip file is damaged";
    if (s->failure)
        s->out_size = 0;
}

/* in_size 0 after this says that the source has ended. */
static void feed(struct mh_stream *s)
{
    if (s->in_pos < s->in_size || s->ended)
        return;
    s->in_pos = 0;
    s->in_size = read_source(s, s->in);
    s->ended = s->in_size == 0;
}

static void decode(struct mh_stream *s)
{
    if (s->coding == MH_CODING_XZ)
        decode_xz(s);
    else if (s->coding == MH_CODING_GZIP)
        decode_gzip(s);
    else
        decode_zstd(s);
}

static void sum_up(struct mh_stream *s)
{
    if (s->summing)
        s->sum = (uint32_t)crc32(s->sum, s->out + s->sum_pos, (uInt)(s->out_pos - s->sum_pos));
    s->sum_pos = s->out_pos;
}

uint32_t mh_stream_sum(struct mh_stream *s)
{
    uint32_t sum;

    sum_up(s);
    sum = s->sum;
    s->sum = 0;
    s->summing = true;
    return sum;
}

bool mh_stream_refill(struct mh_stream *s)
{
    sum_up(s);
    s->sum_pos = 0;
    s->out_start += s->out_size;
    s->out_pos = s->out_size = 0;
    if (s->failure)
        return false;
    if (s->coding == MH_CODING_PLAIN) {
        s->out_size = read_source(s, s->out);
        return s->out_size > 0;
    }
    while (s->out_size == 0 && !s->failure) {
        feed(s);
        if (s->failure || (s->in_size == 0 && !s->in_frame))
            break;
        decode(s);
    }
    return s->out_size > 0;
}

/* Editors write it; behind it stands the file's first line. */
static void skip_mark(struct mh_stream *s)
{
    static const char mark[] = "\xef\xbb\xbf";

    if (s->line_number == 1 && !strncmp(s->line, mark, strlen(mark)))
        memmove(s->line, s->line + strlen(mark), strlen(s->line + strlen(mark)) + 1);
}

bool mh_stream_line(struct mh_stream *s)
{
    size_t length = 0, part;
    const uint8_t *end = NULL;

    while (!end) {
        s->line[length] = 0; /* a line that cannot be read to its end has its beginning */
        if (s->out_pos == s->out_size && !mh_stream_refill(s)) {
            if (length == 0 || s->failure)
                return false;
            break;
        }
        end = memchr(s->out + s->out_pos, '\n', s->out_size - s->out_pos);
        part = (end ? (size_t)(end - s->out) : s->out_size) - s->out_pos;
        if (length + part > MH_STREAM_MAX_LINE) {
            s->failure = "a line has more than 65536 bytes";
            return false;
        }
        memcpy(s->line + length, s->out + s->out_pos, part);
        length += part;
        s->out_pos += part + (end != NULL);
    }
    if (length && s->line[length - 1] == '\r')
        length--;
    s->line[length] = 0;
    s->line_number++;
    skip_mark(s);
    return true;
}
