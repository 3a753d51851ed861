/* Debug builds check every translation when it is used, and at the end that nothing was lost (engine/block.h). */
#ifndef MEMHELM_TRANSLATE_CHECK_H
#define MEMHELM_TRANSLATE_CHECK_H

#include <stdint.h>

struct mh_gpu;
struct mh_walk;

#ifdef MH_DEBUG
/**
 * Stops the program, and says whose frame it is, unless the tenant's page table maps `vpn` to `frame`. One that a page
 * of the tenant was moved away from passes until PTE_CHANGED is written.
 */
void mh_check_translation(const struct mh_gpu *g, uint32_t tenant, uint32_t vpn, uint32_t frame);

/** Stops the program unless the walk is at the node of its tenant's page table that leads to its page. */
void mh_check_walk(const struct mh_gpu *g, const struct mh_walk *w);

void mh_l2tlb_check(const struct mh_gpu *g);
void mh_gpctlb_check(const struct mh_gpu *g);
void mh_iommu_check(const struct mh_gpu *g);
void mh_walkers_check(const struct mh_gpu *g);
#else
#define mh_l2tlb_check                              NULL
#define mh_gpctlb_check                             NULL
#define mh_iommu_check                              NULL
#define mh_walkers_check                            NULL
#define mh_check_translation(g, tenant, vpn, frame) ((void)0)
#define mh_check_walk(g, w)                         ((void)0)
#endif

#endif
