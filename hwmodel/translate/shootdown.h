/*
 * Flushes: an SM's TLB (MASK sec. 5.1), and a tenant's translations wherever they are, when its page table has changed
 * or it has left.
 *
 * Rare and slow: they look at every entry. Look-ups know nothing of them.
 */
#ifndef MEMHELM_TRANSLATE_SHOOTDOWN_H
#define MEMHELM_TRANSLATE_SHOOTDOWN_H

#include <stdint.h>

struct mh_gpu;
struct mh_sm;

/**
 * The tenant's translations in the SM's L1 TLB, and those in L2 TLB and bypass cache. What is on its way there fills
 * them again: it is still right.
 */
void mh_flush_sm(struct mh_gpu *g, uint32_t sm, uint32_t tenant);

/** The tenant's translations in all TLBs, bypass cache, IOMMU and page walk cache. */
void mh_flush_tenant(struct mh_gpu *g, uint32_t tenant);

/**
 * Page table entries of the tenant have changed: as mh_flush_tenant(), and the L2 TLB and bypass cache that it uses
 * lose all they have, whoever's it is (MASK sec. 5.2: "all contents of the TLB and the TLB bypass cache", where "the
 * TLB" is the shared one). That L1 TLBs, the IOMMU's TLBs and the page walk cache lose the tenant's entries alone is
 * ours. Other tenants' walks go on, and fill again. Of the tenant, whatever was read before this cycle is used by
 * nobody after it. A walk under way starts again at the root when the read that it waits for has come; a translation on
 * its way back from the IOMMU, or from the L2 TLB, is asked for again when it arrives; a line in the LSU that has its
 * translation takes the new one, at no cost (ours).
 */
void mh_shootdown(struct mh_gpu *g, uint32_t tenant);

/**
 * One page has no translation any more: its entries go, in all TLBs, and who has been answered asks again. Entries of
 * the page walk cache are of the levels above, which stay.
 */
void mh_flush_page(struct mh_gpu *g, uint32_t tenant, uint32_t vpn);

#endif
