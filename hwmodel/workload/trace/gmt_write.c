/* Writing GMT: any trace, op by op, through its workload. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "workload/trace/gmt.h"
#include "workload/trace/trace.h"
#include "workload/trace/trace_cache.h"

enum { MAX_RECORD = 64 + 10 * MH_MAX_LANES, LEVEL = 9, CHUNK = 1 << 16 };

struct out {
    FILE *file;
    ZSTD_CStream *zstd; /* NULL: plain */
    uint8_t *packed;
    uint32_t sum; /* of the block: CRC-32 */
    bool failed;
};

struct writer {
    struct out out;
    const struct mh_workload *w;
    const struct mh_trace_about *about;
    enum mh_gmt_version version;
    struct mh_gmt_table table;
    uint64_t serial; /* of the warp */
    struct mh_code records;
    const char *why; /* it cannot go on */
};

static void put_file(struct out *o, const void *data, size_t size)
{
    if (size && fwrite(data, 1, size, o->file) != size)
        o->failed = true;
}

static void put(struct out *o, const void *data, size_t size, ZSTD_EndDirective end)
{
    ZSTD_inBuffer in = {data, size, 0};
    size_t left;

    if (size) /* of nothing at NULL, crc32() is 0 */
        o->sum = (uint32_t)crc32_z(o->sum, data, size);
    if (!o->zstd) {
        put_file(o, data, size);
        return;
    }
    do {
        ZSTD_outBuffer out = {o->packed, CHUNK, 0};

        left = ZSTD_compressStream2(o->zstd, &out, &in, end);
        if (ZSTD_isError(left))
            o->failed = true;
        put_file(o, o->packed, out.pos);
    } while (!o->failed && (in.pos < in.size || (end == ZSTD_e_end && left > 0)));
}

/* Ends a block: a launch, a CTA or the file's end. */
static void put_check(struct out *o, ZSTD_EndDirective end)
{
    const uint32_t sum = o->sum;
    const uint8_t check[] = {'K', (uint8_t)sum, (uint8_t)(sum >> 8), (uint8_t)(sum >> 16), (uint8_t)(sum >> 24)};

    put(o, check, sizeof check, end);
    o->sum = 0;
}

static bool reserve(struct mh_code *c)
{
    size_t capacity = c->capacity ? c->capacity * 2 : CHUNK;
    uint8_t *bytes;

    if (c->capacity - c->size >= MAX_RECORD)
        return true;
    bytes = realloc(c->bytes, capacity);
    if (!bytes)
        return false;
    c->bytes = bytes;
    c->capacity = capacity;
    return true;
}

static uint64_t lanes_of(const struct writer *x, uint32_t launch, uint32_t warp)
{
    uint32_t threads = x->w->launches[launch].threads - warp * x->about->lanes;

    return UINT64_MAX >> (64 - (threads < x->about->lanes ? threads : x->about->lanes));
}

static unsigned size_code(uint32_t bytes)
{
    return (bytes & (bytes - 1)) ? MH_GMT_SIZE_FOLLOWS : (unsigned)__builtin_ctz(bytes);
}

static uint8_t *put_addresses(uint8_t *to, struct mh_gmt_last *last, const struct mh_op *op, const uint64_t *addr)
{
    unsigned lane = (unsigned)__builtin_ctzll(op->mask);
    uint64_t first = op->list ? addr[lane] : op->base + (uint64_t)op->stride * lane, at = first;

    to = mh_put_signed(to, first - last->address);
    last->address = first;
    if (!op->list)
        return mh_put_signed(to, (uint64_t)op->stride);
    for (uint64_t m = op->mask & (op->mask - 1); m; m &= m - 1) {
        to = mh_put_signed(to, addr[__builtin_ctzll(m)] - at);
        at = addr[__builtin_ctzll(m)];
    }
    return to;
}

static bool put_record(struct writer *x, const struct mh_op *op, const uint64_t *addr, uint64_t all)
{
    bool memory = op->kind <= MH_OP_ATOMIC;
    unsigned code = memory ? size_code(op->bytes) : 0, flags = op->kind | code << MH_GMT_SIZE_SHIFT;
    struct mh_gmt_last *last = memory ? mh_gmt_table_get(&x->table, op->pc, x->serial) : NULL;
    uint8_t *to;

    if (!reserve(&x->records) || (memory && !last))
        return false;
    flags |= (op->mask != all ? MH_GMT_HAS_MASK : 0) | (memory && op->list ? MH_GMT_IS_LIST : 0);
    if (x->version == MH_GMT2 && op->wait)
        flags |= MH_GMT_DEPENDS;
    to = x->records.bytes + x->records.size;
    *to++ = (uint8_t)flags;
    to = mh_put_number(to, op->gap);
    to = mh_put_number(to, op->pc);
    if (flags & MH_GMT_DEPENDS)
        to = mh_put_number(to, mh_op_needs(op));
    for (uint32_t i = 0; flags & MH_GMT_HAS_MASK && i < x->about->lanes; i += 8)
        *to++ = (uint8_t)(op->mask >> i);
    if (code == MH_GMT_SIZE_FOLLOWS)
        to = mh_put_number(to, op->bytes);
    if (memory)
        to = put_addresses(to, last, op, addr);
    x->records.size = (size_t)(to - x->records.bytes);
    return true;
}

static bool fail(struct writer *x, const char *why)
{
    x->why = why;
    return false;
}

static bool put_warp(struct writer *x, struct mh_cursor c)
{
    uint64_t addr[MH_MAX_LANES], count = 0, all = lanes_of(x, c.launch, c.warp);
    uint8_t head[32], *to = head;
    struct mh_op op;

    x->serial++;
    x->records.size = 0;
    x->w->start(x->w, &c);
    for (;; count++) {
        x->w->next(x->w, &c, &op, addr);
        if (op.kind == MH_OP_EXIT)
            break;
        if (count == MH_GMT_MAX_RECORDS)
            return fail(x, "a warp has more accesses and barriers than GMT can hold (33554432)");
        if (!put_record(x, &op, addr, all))
            return false;
    }
    *to++ = 'W';
    to = mh_put_number(to, c.warp);
    to = mh_put_number(to, count);
    put(&x->out, head, (size_t)(to - head), ZSTD_e_continue);
    put(&x->out, x->records.bytes, x->records.size, ZSTD_e_continue);
    if (x->version == MH_GMT2) {
        to = mh_put_number(head, op.gap);
        to = mh_put_number(to, mh_op_needs(&op));
        put(&x->out, head, (size_t)(to - head), ZSTD_e_continue);
    }
    return true;
}

static void put_buffers(struct writer *x)
{
    uint8_t text[32];

    put(&x->out, text, (size_t)(mh_put_number(text, x->w->buffer_count) - text), ZSTD_e_continue);
    for (uint32_t i = 0; i < x->w->buffer_count; i++) {
        uint8_t *to = mh_put_number(text, x->w->buffers[i].base);

        to = mh_put_number(to, x->w->buffers[i].bytes);
        put(&x->out, text, (size_t)(to - text), ZSTD_e_continue);
    }
}

static void put_launch(struct writer *x, uint32_t launch)
{
    const struct mh_launch *l = &x->w->launches[launch];
    const struct mh_trace_shape *s = &x->about->shapes[launch];
    size_t length = strlen(l->name);
    uint8_t head[128], *to = head;

    *to++ = 'L';
    to = mh_put_number(to, length);
    put(&x->out, head, (size_t)(to - head), ZSTD_e_continue);
    put(&x->out, l->name, length, ZSTD_e_continue);
    to = head;
    for (int i = 0; i < 3; i++)
        to = mh_put_number(to, s->grid[i]);
    for (int i = 0; i < 3; i++)
        to = mh_put_number(to, s->block[i]);
    if (x->version == MH_GMT2) {
        to = mh_put_number(to, l->registers);
        to = mh_put_number(to, l->shared_bytes);
    }
    to = mh_put_number(to, l->ctas);
    put(&x->out, head, (size_t)(to - head), ZSTD_e_continue);
    put_buffers(x);
    put_check(&x->out, ZSTD_e_continue);
}

static bool put_cta(struct writer *x, uint32_t launch, uint32_t cta)
{
    uint32_t warps = (x->w->launches[launch].threads + x->about->lanes - 1) / x->about->lanes;
    uint8_t head[32], *to = head;

    *to++ = 'C';
    to = mh_put_number(to, mh_trace_cta_number(x->w, launch, cta));
    to = mh_put_number(to, warps);
    put(&x->out, head, (size_t)(to - head), ZSTD_e_continue);
    for (uint32_t warp = 0; warp < warps; warp++)
        if (!put_warp(x, (struct mh_cursor){.launch = launch, .cta = cta, .warp = warp}))
            return false;
    put_check(&x->out, ZSTD_e_continue);
    return true;
}

static void put_header(struct writer *x)
{
    char head[64], content[16] = "";

    if (x->version == MH_GMT2)
        snprintf(content, sizeof content, ".%d", MH_GMT2_CONTENT);
    put(&x->out, head,
        (size_t)snprintf(head, sizeof head, "GMT%d%s warp=%u check=crc32\n", (int)x->version, content, x->about->lanes),
        ZSTD_e_continue);
    x->out.sum = 0; /* the line itself says what it has to say */
}

static bool put_all(struct writer *x)
{
    if (x->w->buffer_count > MH_GMT_MAX_BUFFERS)
        return fail(x, "the trace touches more separate ranges of pages than GMT can list (1048576)");
    put_header(x);
    for (uint32_t l = 0; l < x->w->launch_count; l++) {
        put_launch(x, l);
        for (uint32_t c = 0; c < x->w->launches[l].ctas && !x->out.failed; c++)
            if (!put_cta(x, l, c))
                return false;
    }
    put(&x->out, "E", 1, ZSTD_e_continue);
    put_check(&x->out, ZSTD_e_end);
    return true;
}

static bool start(struct out *o, const char *temporary, bool compressed)
{
    o->file = fopen(temporary, "wb");
    if (!o->file || !compressed)
        return o->file != NULL;
    o->zstd = ZSTD_createCStream();
    o->packed = malloc(CHUNK);
    return o->zstd && o->packed && !ZSTD_isError(ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_compressionLevel, LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(o->zstd, ZSTD_c_checksumFlag, 1));
}

/* All of it, to `temporary`. */
static int write_to(struct writer *x, const char *temporary, const char *path, bool compressed, struct mh_error *err)
{
    int status = 0;

    errno = 0;
    if (!start(&x->out, temporary, compressed))
        status = mh_fail(err, "%.384s: cannot write: %s", path, errno ? strerror(errno) : "out of memory");
    else if (!put_all(x))
        status = mh_fail(err, "%.384s: %s", path, x->why);
    if (x->out.file && (fclose(x->out.file) || x->out.failed) && !status)
        status = mh_fail(err, "%.384s: cannot write: %s", path, errno ? strerror(errno) : "compression failed");
    return status;
}

int mh_gmt_write(const struct mh_workload *w, const char *path, enum mh_gmt_version version, struct mh_error *err)
{
    struct writer x = {.w = w, .about = mh_trace_about(w), .version = version, .why = "out of memory"};
    size_t length = strlen(path);
    char *temporary = malloc(length + 8);
    int status;

    if (!temporary)
        return mh_fail(err, "%.384s: out of memory", path);
    snprintf(temporary, length + 8, "%s.part", path);
    status = write_to(&x, temporary, path, length > 4 && strcmp(path + length - 4, ".zst") == 0, err);
    if (!status && rename(temporary, path))
        status = mh_fail(err, "%.384s: cannot write: %s", path, strerror(errno));
    if (status && x.out.file)
        unlink(temporary);
    ZSTD_freeCStream(x.out.zstd);
    free(x.out.packed);
    free(x.records.bytes);
    mh_gmt_table_free(&x.table);
    free(temporary);
    return status;
}
