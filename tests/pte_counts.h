/* Counters of page table reads, depth by depth. */
#ifndef TESTS_PTE_COUNTS_H
#define TESTS_PTE_COUNTS_H

#include "memhelm/hwmodel.h"

enum { PTE_DEPTHS = 6 };

/** L2 look-ups of page walks, or those that hit, of depths 1 to PTE_DEPTHS. */
struct pte_counts {
    uint64_t of[PTE_DEPTHS];
    uint64_t sum;
};

static inline struct pte_counts pte_counts_from(const uint64_t *of)
{
    struct pte_counts p = {{0}, 0};

    for (uint32_t d = 0; d < PTE_DEPTHS; d++)
        p.sum += p.of[d] = of[d];
    return p;
}

static inline struct pte_counts pte_accesses(const struct mh_counters *c)
{
    return pte_counts_from((const uint64_t[]){c->pte1_access, c->pte2_access, c->pte3_access, c->pte4_access,
                                              c->pte5_access, c->pte6_access});
}

static inline struct pte_counts pte_hits(const struct mh_counters *c)
{
    return pte_counts_from(
        (const uint64_t[]){c->pte1_hit, c->pte2_hit, c->pte3_hit, c->pte4_hit, c->pte5_hit, c->pte6_hit});
}

#endif
