/*
 * helm (ours): one image for any GPU and any tenants. Three policies, each for what can be scarce: helm_memory (who
 * goes first at DRAM, who fills the L2 TLB), helm_walks (who goes first at the page walkers), helm_paging (what leaves
 * memory). A policy calls the mechanisms' own, and only those that are in force.
 */
#ifndef FIRMWARE_HELM_H
#define FIRMWARE_HELM_H

#include <stdbool.h>
#include <stdint.h>

#include "../policy.h"
#include "helm_signals.h"

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
