/* One DRAM channel with the timings of the `mask` preset, for tests and the benchmark. */
#ifndef TESTS_DRAM_FIXTURE_H
#define TESTS_DRAM_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "memhelm/dram.h"
#include "random.h"

/* GDDR5 at a command clock of 1674 MHz; a line is 2 column commands, 4 cycles of data bus. */
static const struct mh_dram_cfg mask_dram = {
    .channels = 8,
    .banks = 8,
    .row_bytes = 2048,
    .bus_bytes = 8,
    .burst = 8,
    .data_rate = 4,
    .queue = 256,
    .write_high = 64,
    .write_low = 16,
    .hit_cap = 64,
    .rank_hits = 64,
    .cl = 22,
    .cwl = 8,
    .rcd = 22,
    .rp = 22,
    .ras = 51,
    .rc = 73,
    .rrd = 11,
    .faw = 44,
    .wr = 22,
    .wtr = 10,
    .rtp = 4,
    .ccd = 2,
    .rtrs = 2,
    .refi = 6528,
    .rfc = 109,
};
enum { LINE_CYCLES = 4, ROW_LINES = 16 };

/** Channel-local address of a line of a bank's row: undoes the permutation of the banks. */
static inline uint64_t dram_addr(const struct mh_dram_cfg *cfg, uint32_t bank, uint32_t row, uint32_t line)
{
    uint64_t page = (uint64_t)row * cfg->banks + ((bank ^ row) & (cfg->banks - 1));
    return page * cfg->row_bytes + line * MH_LINE_BYTES;
}

/** Traffic: gives request number i, in an endless stream. */
typedef void dram_stream(void *ctx, uint64_t i, struct mh_dram_request *req);

/** True if there is room for the request. */
static inline bool dram_takes(const struct mh_dram *d, const struct mh_dram_request *req)
{
    return mh_dram_free(d) || mh_dram_takes(d, req->write ? NULL : req, req->write);
}

/** mh_dram_free() of a channel in which nothing waits. */
static inline uint32_t dram_all_free(const struct mh_dram_cfg *cfg)
{
    return cfg->write_queue && cfg->write_queue < cfg->queue ? cfg->write_queue : cfg->queue;
}

/** Pushes `count` requests in order as fast as the channel takes them, steps until `served` (counted by the owner) is
 * `count`. */
static inline void dram_saturate(struct mh_dram *d, dram_stream *stream, void *ctx, uint64_t count,
                                 const uint64_t *served)
{
    uint64_t now = 0, pushed = 0, next = MH_DRAM_NEVER;
    struct mh_dram_request req;
    bool made = false;
    while (*served < count) {
        for (; pushed < count; pushed++, made = false) {
            if (!made) {
                req = (struct mh_dram_request){0};
                stream(ctx, pushed, &req);
                made = true;
            }
            if (!dram_takes(d, &req))
                break;
            next = mh_dram_push(d, now, &req);
        }
        now = next > now ? next : now;
        next = mh_dram_step(d, now);
    }
}

static inline void dram_sequential(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    (void)ctx;
    req->addr = i * MH_LINE_BYTES;
}

/** Reads of lines anywhere in 1 GiB; ctx is the generator's state. */
static inline void dram_scattered(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    (void)i;
    req->addr = random_next(ctx) % (1u << 23) * MH_LINE_BYTES;
}

#endif
