/*
 * Feeds `memhelm dram` damaged traces: fuzz_dram [ITERATIONS [SEED]]. A trace is written, plain or packed, damaged or
 * not, and run through a channel. Damage is refused with file and line, or what is left is served to the last request;
 * a trace without damage is always taken. Every round is a function of seed and round number.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <zlib.h>
#include <zstd.h>

#include "dram/dram.h"
#include "fuzz/dice.h"
#include "memhelm/config_file.h"

enum { LINES = 300, ROOM = 1 << 16 };

struct text {
    uint8_t data[ROOM];
    size_t size;
};

/* Requests as people write them; returns how many. */
static unsigned write_trace(struct dice *d, struct text *t)
{
    static const char *const kinds[] = {"READ", "WRITE", "read", "write"};
    static const char *const ends[] = {"\n", "\r\n", " \t\n", "\n\n", "\n# a comment\n"};
    unsigned lines = 1 + (unsigned)roll(d, LINES);
    uint64_t cycle = 0;
    t->size = 0;
    for (unsigned i = 0; i < lines; i++) {
        uint64_t addr = roll(d, 4) ? roll(d, 1 << 16) * 128 : mh_random(d->seed, i);
        cycle += roll(d, roll(d, 8) ? 4 : 5000);
        t->size += (size_t)sprintf((char *)t->data + t->size, "0x%llx %s %llu%s", (unsigned long long)addr,
                                   kinds[roll(d, 4)], (unsigned long long)cycle, ends[roll(d, 5)]);
    }
    return lines;
}

/* One change; the size stays below ROOM because writing leaves most of it. */
static void damage(struct dice *d, struct text *t)
{
    static const char interesting[] = "0xREADWT \t\r\n#-9f\0\xff";
    size_t at = t->size ? roll(d, t->size) : 0, n = 1 + roll(d, 12);
    if (!t->size)
        return;
    switch (roll(d, 5)) {
    case 0:
        t->data[at] ^= (uint8_t)(1u << roll(d, 8));
        break;
    case 1:
        t->data[at] = (uint8_t)interesting[roll(d, sizeof interesting)];
        break;
    case 2:
        t->size = at;
        break;
    case 3: /* leave out */
        n = n < t->size - at ? n : t->size - at;
        memmove(t->data + at, t->data + at + n, t->size - at - n);
        t->size -= n;
        break;
    case 4: /* repeat */
        n = n < t->size - at ? n : t->size - at;
        if (t->size + n < ROOM) {
            memmove(t->data + at + n, t->data + at, t->size - at);
            t->size += n;
        }
        break;
    }
}

static void damage_some(struct dice *d, struct text *t)
{
    for (uint64_t n = 1 + roll(d, 4); n > 0; n--)
        damage(d, t);
}

static void pack_gzip(struct text *t)
{
    static uint8_t out[ROOM];
    z_stream z = {.next_in = t->data, .avail_in = (uInt)t->size, .next_out = out, .avail_out = ROOM};
    if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&z, Z_FINISH) != Z_STREAM_END)
        die("cannot pack", "");
    t->size = z.total_out;
    memcpy(t->data, out, t->size);
    deflateEnd(&z);
}

static void pack_zstd(struct text *t)
{
    static uint8_t out[ROOM];
    t->size = ZSTD_compress(out, ROOM, t->data, t->size, 1);
    if (ZSTD_isError(t->size))
        die("cannot pack", "");
    memcpy(t->data, out, t->size);
}

/* Without refreshes, which a slip in a cycle would make a thousand million of. */
static void configure(struct dice *d, struct mh_config *cfg)
{
    unsigned sets = 0;
    while (mh_dram_preset_names()[sets])
        sets++;
    memset(cfg, 0, sizeof *cfg);
    if (mh_config_dram_preset(cfg, mh_dram_preset_names()[roll(d, sets)], NULL))
        die("no parameters", "");
    cfg->dram.refi = cfg->dram.rfc_bank = 0;
    cfg->dram.queue = 2 + (uint32_t)roll(d, 64);
    cfg->dram.write_queue = (uint32_t)(roll(d, 2) * roll(d, 64));
    cfg->dram.queue_latency = (uint32_t)(roll(d, 2) * roll(d, 20));
    cfg->dram.opened_first = (uint32_t)roll(d, 2);
    cfg->dram.hit_cap = 1 + (uint32_t)roll(d, 99);
    cfg->dram.rank_hits = 1 + (uint32_t)roll(d, 99);
    cfg->dram.write_high = 1 + (uint32_t)roll(d, cfg->dram.write_queue ? cfg->dram.write_queue : cfg->dram.queue);
    cfg->dram.write_low = (uint32_t)roll(d, cfg->dram.write_high);
    cfg->dram.rows = roll(d, 2) ? MH_ROWS_OPEN : MH_ROWS_CLOSED;
}

/* Requests served, or -1 when the trace was refused. */
static long serve(const struct mh_config *cfg, const char *path)
{
    struct mh_error err = {""};
    struct dram_result r = {0};
    struct dram_trace *trace = dram_trace_open(path, &err);
    if (!trace)
        die(err.text, "");
    int status = dram_run(&cfg->dram, trace, NULL, false, &r, &err);
    long served = status ? -1 : (long)r.requests;
    if (status && (strncmp(err.text, path, strlen(path)) || !strchr("0123456789", err.text[strlen(path) + 1])))
        abort(); /* a refusal says where */
    if (!status && (r.latency.reads != r.reads || r.reads + r.writes != r.requests || r.row_hits > r.requests))
        abort(); /* somebody was not served */
    dram_result_free(&r);
    dram_trace_close(trace);
    return served;
}

static bool run_round(uint64_t seed, uint64_t n)
{
    static struct text t;
    struct dice d = {.seed = mh_random(seed, n)};
    struct mh_config cfg;
    char path[40];
    unsigned lines = write_trace(&d, &t);
    bool before = roll(&d, 3) == 0, after = false;
    if (before)
        damage_some(&d, &t);
    uint64_t packing = roll(&d, 4);
    if (packing < 2) {
        (packing ? pack_gzip : pack_zstd)(&t);
        if ((after = roll(&d, 2)))
            damage_some(&d, &t);
    }
    configure(&d, &cfg);
    int fd = memfd_create("trace", 0);
    if (fd < 0 || write(fd, t.data, t.size) != (ssize_t)t.size)
        die("cannot write a file in memory", "");
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    hang_begins();
    long served = serve(&cfg, path);
    hang_ends();
    close(fd);
    if (!before && !after && served != (long)lines)
        abort();
    return served >= 0;
}

int main(int argc, char **argv)
{
    return dice_rounds(argc, argv, "fuzz_dram", 2000, run_round);
}
