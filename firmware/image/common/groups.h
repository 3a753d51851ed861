/*
 * Policies that belong together, for the lists of images: a paper's parts once, in the order in which they decide.
 */
#ifndef FIRMWARE_GROUPS_H
#define FIRMWARE_GROUPS_H

/** MASK (Ausavarungnirun et al.): all of its parts. */
#define GROUP_MASK(POLICY)                                                                                             \
    POLICY(mask_tokens)                                                                                                \
    POLICY(mask_cache)                                                                                                 \
    POLICY(mask_dram)

/** DWS (Pratheek et al.): owners of walkers, and stealing when the owner has no walks. */
#define GROUP_DWS(POLICY)                                                                                              \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dws)

/** DWS++ of the same paper: stealing earlier, too. */
#define GROUP_DWSPP(POLICY)                                                                                            \
    POLICY(walk_partition)                                                                                             \
    POLICY(walk_dwspp)

/** ETC (Li et al.): which tenants are oversubscribed, their class, and the three techniques. */
#define GROUP_ETC(POLICY)                                                                                              \
    POLICY(etc_memory)                                                                                                 \
    POLICY(etc_classify)                                                                                               \
    POLICY(etc_pe)                                                                                                     \
    POLICY(etc_cc)                                                                                                     \
    POLICY(etc_throttle)

/** helm: a policy for each thing that can be scarce. */
#define GROUP_HELM(POLICY)                                                                                             \
    POLICY(helm_memory)                                                                                                \
    POLICY(helm_walks)                                                                                                 \
    POLICY(helm_paging)

#endif
