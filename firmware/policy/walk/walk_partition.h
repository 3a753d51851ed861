/*
 * Which tenant owns which page walker: equal parts (Pratheek et al., "Improving GPU Multi-tenancy with Page Walk
 * Stealing", HPCA 2021, sec. VI-B "Initialization", VI-C "Dynamically changing the number of tenants").
 */
#ifndef FIRMWARE_WALK_PARTITION_H
#define FIRMWARE_WALK_PARTITION_H

#include <stdint.h>

#include "../policy.h"

/**
 * Owner of `walker`, 0..walkers-1, when the tenants have walkers whose bit is set in `present`; of `tenants`, 1..32.
 * Each owns a run of walkers, in the order of their numbers (ours; [DWS] pagewalk.cc:606 deals them in turn); if they
 * do not divide evenly two differ by one, as there. With nobody there it is as with all. With more tenants than walkers
 * some own none.
 */
uint32_t walk_partition_owner(uint32_t walker, uint32_t walkers, uint32_t present, uint32_t tenants);

/** Hooks of policy walk_partition, which helm_walks calls. */
enum policy_status walk_partition_init(const struct gpu_caps *caps);
void walk_partition_on_event(const struct gpu_caps *caps, const struct gpu_event *event);

#endif
