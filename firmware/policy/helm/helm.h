/*
 * helm (ours): one image for any GPU and any tenants. Three policies, each for what can be scarce: helm_memory (who
 * goes first at DRAM, who fills the L2 TLB), helm_walks (who goes first at the page walkers), helm_paging (what leaves
 * memory). A policy calls the mechanisms' own, and only those that are in force.
 */
#ifndef FIRMWARE_HELM_H
#define FIRMWARE_HELM_H

#include <stdbool.h>
#include <stdint.h>

#include "../../platform/gpu.h"
#include "../policy.h"

/*
 * What is scarce (ours): signals from counters, for the policies of helm. A signal is a cause: what acts on it stays in
 * force until the cause is gone, for a mechanism that helps takes away what called for it.
 */

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

/*
 * Whether a mechanism starves a tenant at the page walkers (ours): a trial, for helm_walks.
 *
 * Signals say where a mechanism can help, not whom it takes it from. A tenant that starves loses a third and more, most
 * at once: three stretches show it, without the mechanism, with it, without it. The first part of each does not count.
 * Who starves makes less and walks less; who only makes less is in another phase.
 *
 * An epoch's progress moves by 10 to 30 % by itself, so a trial is no measure of small gains: it refuses large harm.
 */

enum {
    HELM_TRIAL_STRETCHES = 3,
    HELM_TRIAL_ONE = 1024, /**< progress as without the mechanism */
};

/** Low words of cumulative counters of one tenant, or differences of them. */
struct helm_made {
    uint32_t instructions; /**< warp instructions issued */
    uint32_t walks;        /**< page walks finished */
};

/** What was made in stretches that have ended, without the mechanism [0] and with it [1]. */
struct helm_trial {
    struct helm_made made[2][GPU_MAX_TENANTS];
    uint32_t cycles[2];                     /**< GPU cycles */
    struct helm_made last[GPU_MAX_TENANTS]; /**< when the stretch began to count */
    uint32_t last_cycle;                    /**< low word of that cycle */
    uint8_t stretch;                        /**< that runs, 0..HELM_TRIAL_STRETCHES - 1 */
};

/** A trial begins. */
void helm_trial_start(struct helm_trial *trial);

/** The mechanism is to be on in the stretch that runs. */
bool helm_trial_with(const struct helm_trial *trial);

/** What is made counts from here on; `cycle` is a low word. tenants: 1..8. */
void helm_trial_begin(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now);

/** The stretch has ended; it has less than 2^31 of each count. True: so has the trial. */
bool helm_trial_end(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now);

/**
 * The mechanism stays, and has been on since helm_trial_begin() or the last call: what was made since then stands for
 * it from now on. Some starve slowly.
 */
void helm_trial_watch(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now);

/** With the mechanism some tenant makes less than `floor` percent, 1..100, of what it makes without, and walks less. */
bool helm_trial_starves(const struct helm_trial *trial, uint32_t tenants, uint32_t floor);

/**
 * All tenants together make more progress with the mechanism than `gain` thousandths for a tenant in the mean, 0..1000.
 * Progress is the sum over tenants of (with - without) / (with + without), in instructions per cycle: each counts by
 * its own. Who makes nothing without it counts for nothing.
 */
bool helm_trial_gains(const struct helm_trial *trial, uint32_t tenants, uint32_t gain);

/** Of the epoch that has ended. helm_memory updates them, first of the three. */
extern struct helm_signals helm_signals;

/** All features are there: MH_FEATURE_*. */
static inline bool helm_has(const struct gpu_caps *caps, uint32_t features)
{
    return (caps->features & features) == features;
}

/** One tenant is there, or none. */
static inline bool helm_alone(void)
{
    uint32_t present = reg_read(MH_REG_TENANTS);

    return (present & (present - 1)) == 0;
}

/** helm_memory's first look at the signals, within the first epoch: helm_walks, which has a timer, calls it. */
void helm_memory_first(const struct gpu_caps *caps);

#endif
