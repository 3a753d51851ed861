/*
 * What is scarce (ours): signals from counters, for the policies of helm. A signal is a cause: what acts on it stays in
 * force until the cause is gone, for a mechanism that helps takes away what called for it.
 */
#ifndef FIRMWARE_HELM_SIGNALS_H
#define FIRMWARE_HELM_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"

/** Low words of cumulative counters of one tenant. */
struct helm_counters {
    uint32_t walks; /**< page walks finished */
    uint32_t area;  /**< walks x GPU cycles */
    uint32_t data;  /**< reads of data lines from DRAM */
};

/** What is remembered. All zero at boot. */
struct helm_signals {
    struct helm_counters last[GPU_MAX_TENANTS];
    uint32_t last_cycle;
    bool waiting;  /**< more walks than walkers live, in the mean; gone below a part of the walkers */
    bool flooded;  /**< more than HELM_FLOODED times as many live as there are walkers */
    bool few_data; /**< so few DRAM reads of data for a walk that walks matter to what waits there */
};

enum {
    HELM_WAITING_GONE = 4, /**< part of the walkers */
    HELM_FLOODED = 3,      /**< walks for a walker */
    HELM_DATA_GONE = 4,    /**< so many data for a walk more: that part of the limit */
};

/**
 * The signals of the epoch that ends in `cycle` (low word), of 1..8 tenants on a GPU with `walkers` walkers. An epoch
 * has less than 2^32 of each count of a tenant. few_data: up to `data` reads for a walk, 4..65535; gone above a quarter
 * more, and without walks.
 */
void helm_signals_update(struct helm_signals *s, uint32_t tenants, uint32_t walkers, uint32_t data, uint32_t cycle,
                         const struct helm_counters *now);

/** What came from the host for what a tenant touched. All zero when it arrives. */
struct helm_thrash {
    uint32_t last_in, last_lines; /**< low words of cumulative counters, at the last epoch */
    uint64_t in, lines;           /**< since it arrived: bytes over the link; lines of its memory instructions */
    bool thrashes;                /**< much of what it touches comes for it */
};

enum {
    HELM_THRASH_GONE = 4, /**< times as many bytes touched */
};

/**
 * At the end of an epoch: whether, since the tenant arrived, of `bytes` bytes that it touched one or more came over the
 * link; gone below a HELM_THRASH_GONE-th. Not of the epoch alone: what throttles acts over many epochs, and one in
 * which nothing comes is its success. A line has `line` bytes; `in` and `lines` are low words. An epoch has less than
 * 2^32 of each, and a run less than 2^48 of both.
 */
void helm_thrash_update(struct helm_thrash *t, uint32_t line, uint32_t bytes, uint32_t in, uint32_t lines);

#endif
