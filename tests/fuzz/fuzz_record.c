/*
 * What a program that is recorded may tell: messages in any order, with numbers that fit and some that do not.
 *   fuzz_record [ITERATIONS [SEED]]
 * Deterministic. Nothing may crash; what is refused has a reason; what is accepted is a trace that the reader takes,
 * and that comes back from the writer as it was, unless it has no CTA.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/dice.h"
#include "memhelm/trace.h"
#include "record/record.h"
#include "unit/workload_walk.h"
#include "workload/op_stats.h"

enum { MESSAGES = 60, ITEMS = 4 };

static const uint64_t base = 0x1000;

/* Mostly small. */
static uint64_t any(struct dice *d)
{
    return roll(d, 30) ? roll(d, 4) : mh_random(d->seed, d->count++) >> roll(d, 64);
}

static void put_numbers(struct dice *d, struct bytes *out, unsigned count)
{
    while (count--)
        bytes_number(out, any(d));
}

static void put_launch(struct dice *d, struct bytes *out)
{
    bytes_number(out, any(d));
    bytes_number(out, 1);
    bytes_text(out, "kernel");
    for (int i = 0; i < 3; i++)
        bytes_number(out, roll(d, 20) ? 1 + roll(d, 2) : any(d));
    bytes_number(out, roll(d, 20) ? ITEMS : any(d));
    bytes_number(out, 1);
    bytes_number(out, 1);
    bytes_number(out, roll(d, 5) != 0);
}

static void put_item(struct dice *d, struct bytes *out)
{
    struct record_access last = {0};

    bytes_number(out, roll(d, ITEMS));
    for (uint64_t n = roll(d, 4); n; n--) {
        struct record_access a = {.words = 1 + (unsigned)roll(d, 3), .kind = (uint8_t)roll(d, 4), .gap = any(d)};

        for (unsigned i = 0; i < a.words; i++)
            a.key[i] = 1 + (uint32_t)roll(d, 3);
        a.bytes = a.kind == RECORD_BARRIER ? 0 : 4;
        a.address = roll(d, 10) ? base + 4 * roll(d, 100) : any(d);
        record_access_put(out, &last, &a);
    }
}

static char put_message(struct dice *d, struct bytes *out)
{
    static const char types[] = "BFSLLGGIIIIIIgglHX?";
    char type = types[roll(d, sizeof types - 1 - (roll(d, 50) != 0) * 3)];

    switch (type) {
    case RECORD_BUFFER:
        bytes_number(out, 1);
        bytes_number(out, base + any(d));
        bytes_number(out, roll(d, 10) ? 1024 : any(d));
        break;
    case RECORD_LAUNCH:
        put_launch(d, out);
        break;
    case RECORD_ITEM:
        put_item(d, out);
        break;
    case RECORD_CODE:
        record_code_put(out, &(struct record_code){.pc = 1 + (uint32_t)roll(d, 3), .function = "f"});
        break;
    default:
        put_numbers(d, out, 3);
    }
    return type;
}

static void damage(struct dice *d, struct bytes *b)
{
    if (!b->size)
        return;
    if (roll(d, 2))
        b->size = roll(d, b->size);
    else
        b->at[roll(d, b->size)] = (uint8_t)roll(d, 256);
}

static bool feed(struct dice *d, struct recording *r, struct mh_error *err)
{
    bool good = true;

    for (uint64_t n = roll(d, MESSAGES); n && good; n--) {
        struct bytes b = {0};
        char type = put_message(d, &b);
        uint8_t *own;

        if (!roll(d, 100))
            damage(d, &b);
        own = malloc(b.size ? b.size : 1); /* a read beyond the end is found */
        require(own != NULL, "out of memory");
        if (b.size)
            memcpy(own, b.at, b.size);
        good = !recording_message(r, type, own, b.size, err);
        free(own);
        bytes_free(&b);
    }
    return good;
}

static uint64_t sum_op(uint64_t sum, const struct mh_op *op, const uint64_t *addr)
{
    sum = mh_random(sum ^ op->kind ^ (uint64_t)op->gap << 8, op->pc ^ (uint64_t)op->bytes << 40);
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1)
        sum = mh_random(sum, mh_op_address(op, addr, (unsigned)__builtin_ctzll(m)));
    return sum;
}

struct sum {
    uint64_t of_ops;
};

static void add_op(void *ctx, struct walk_place at, const struct mh_op *op, const uint64_t *addr)
{
    struct sum *s = ctx;

    (void)at;
    s->of_ops = sum_op(s->of_ops, op, addr);
}

/* All ops of the trace in one number. */
static uint64_t read_back(const char *path)
{
    struct mh_error err = {""};
    struct mh_workload *w = mh_trace_open(path, (struct mh_trace_how){0}, &err);
    struct sum s = {0};

    require(w != NULL, err.text);
    walk_all(w, 32, add_op, &s);
    mh_trace_close(w);
    return s.of_ops;
}

/* What the recorder has written is a trace, and so is what `memhelm record` makes of it: the same one. */
static void is_trace(FILE *f)
{
    char path[64], to[] = P_tmpdir "/fuzz_record-XXXXXX";
    struct mh_error err = {""};
    struct mh_workload *w;
    int fd = mkstemp(to);

    require(fd >= 0, "no file");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(f));
    w = mh_trace_open(path, (struct mh_trace_how){0}, &err);
    require(w != NULL, err.text);
    require(!mh_gmt_write(w, to, MH_GMT1, &err), err.text);
    mh_trace_close(w);
    require(read_back(path) == read_back(to), "another trace came back");
    close(fd);
    unlink(to);
}

static bool one_round(uint64_t seed, uint64_t n)
{
    struct dice d = {seed + n, 0};
    struct recording r;
    struct mh_error err = {""};
    FILE *f = fdopen(memfd_create("recording", 0), "w+b");
    bool good;

    require(f != NULL, "no file");
    require(!recording_start(&r, f, 32, 1 << 16, &err), "cannot start");
    good = feed(&d, &r, &err);
    require(good || *err.text, "refused without a reason");
    require(!recording_end(&r, roll(&d, 2), &err), "cannot end");
    good = good && r.launches;
    if (good)
        is_trace(f);
    recording_free(&r);
    fclose(f);
    return good;
}

int main(int argc, char **argv)
{
    return dice_rounds(argc, argv, "fuzz_record", 3000, one_round);
}
