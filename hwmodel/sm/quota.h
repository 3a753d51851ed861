/*
 * What the tenants of a shared SM may issue: WARP_QUOTA, MEM_QUOTA and MEM_LIMIT, the hardware of CCBP's rivals. The
 * papers of these are not at hand: what is said here without a source is ours. Each SM counts for itself, its
 * schedulers together.
 *
 * WARP_QUOTA: SMK (Wang et al., HPCA 2016). Warp instructions that a tenant may issue in a round. Strict: a tenant that
 * has used up its quota waits, even while no other can issue. The round ends, and all quotas are given anew, when every
 * tenant that holds it has used up its own. A tenant holds it if it has a quota and, on the SM, a warp that no throttle
 * stops: whatever such a warp waits for comes without the others' instructions, so no tenant waits for ever. A warp's
 * end is no instruction, but waits as one. Under GTO a gap is no burst then.
 *
 * MEM_QUOTA: BMI, by quotas (Dai et al., HPCA 2018). Memory instructions of a round. It is a priority (CCBP sec. 7.5):
 * a tenant that has used up its quota lets others go first, and may go on without any. Its memory instructions wait in
 * a cycle in which, without them, some scheduler would give the LSU one of a tenant with quota left. Rounds as above.
 *
 * MEM_LIMIT: MIL (Dai et al.). The most memory instructions in flight: loads from issue until all their data have come,
 * stores and atomics until the LSU has taken their last line (no warp waits for them). Further ones wait. They are
 * counted, and their peak kept, for tenants that have a limit.
 *
 * A tenant whose knob is 0 is not held back, and holds no other back. A change of one tenant's quota begins a new round
 * on all SMs in the cycle of the COMMIT. Warps of a tenant that has left are not held back.
 *
 * For issue, LSU, CTAs and throttles. While no knob is set (`rationed`) nothing here is called.
 */
#ifndef MEMHELM_SM_QUOTA_H
#define MEMHELM_SM_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

struct mh_gpu;
struct mh_knobs;
struct mh_sm;
struct mh_warp;

/** Of one SM; by tenant, or a bit for each. */
struct mh_quota {
    uint64_t held_memory; /**< positions of `full`; those of `spent` are the SM's `held` */
    uint32_t spent;       /**< have used up WARP_QUOTA */
    uint32_t mem_spent;   /**< MEM_QUOTA */
    uint32_t full;        /**< are at MEM_LIMIT */
    uint32_t left[MH_MAX_TENANTS];
    uint32_t mem_left[MH_MAX_TENANTS];
    uint32_t in_flight[MH_MAX_TENANTS];
    uint32_t peak[MH_MAX_TENANTS]; /**< of in_flight, since the last SNAPSHOT */
};

/** What follows from the SM's configuration and from `rationed`: which units are told of what. */
void mh_quota_tell(struct mh_sm *sm, const struct mh_config *cfg);

/** How gaps are issued: in bursts, from stocks or one by one. `quotas`: some tenant has a WARP_QUOTA. */
void mh_quota_bursts(struct mh_sm *sm, const struct mh_config *cfg, bool quotas);

/** The knobs have changed; the caller wakes the SM. */
void mh_quota_apply(struct mh_gpu *g, struct mh_sm *sm, const struct mh_knobs *before);

/** The warp issues an instruction of its gap, or its operation. The caller asks again which warps may issue. */
void mh_quota_issue(struct mh_gpu *g, struct mh_sm *sm, const struct mh_warp *w);

/** A memory instruction of the tenant is done. */
void mh_quota_done(struct mh_gpu *g, struct mh_sm *sm, uint32_t tenant);

/** Throttles have changed, or a tenant has fewer warps: a round may be over. The caller wakes the SM. */
void mh_quota_look(const struct mh_gpu *g, struct mh_sm *sm);

/** Warps have come, have left or have new positions. */
void mh_quota_hold(struct mh_sm *sm);

/** Of those in `warps`, the ones that are at a memory instruction without MEM_QUOTA. */
uint64_t mh_quota_late(const struct mh_sm *sm, uint64_t warps);

/** A tenant with a MEM_QUOTA that it has not used up. */
bool mh_quota_first(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant);

/** Tenants, a bit each, that hold the round of WARP_QUOTA: it ends when all of them have used up theirs. */
uint32_t mh_quota_holders(const struct mh_gpu *g, const struct mh_sm *sm);

/** Memory instructions of the tenant that are in flight on the SM, counted from what the SM holds. */
uint32_t mh_quota_count(const struct mh_gpu *g, const struct mh_sm *sm, uint32_t tenant);

/** A SNAPSHOT has been taken. */
void mh_quota_restart(struct mh_sm *sm);

#endif
