/*
 * Policies that belong together, for the lists of images: a paper's parts once, in the order in which they decide.
 */
#ifndef FIRMWARE_GROUPS_H
#define FIRMWARE_GROUPS_H

/** MASK (Ausavarungnirun et al.): all of its parts that are built. */
#define GROUP_MASK(POLICY)                                                                                             \
    POLICY(mask_tokens)                                                                                                \
    POLICY(mask_cache)                                                                                                 \
    POLICY(mask_dram)

#endif
