/*
 * Radix page tables in modelled memory: every node has a physical frame, so a walk's reads compete for the real L2 and
 * DRAM. Pages are mapped before the run starts; frames are placed pseudo-randomly by the seed, and the n-th frame of an
 * address space is the same whoever else runs (so that alone and shared runs have the same placement).
 */
#ifndef MEMHELM_TRANSLATE_PAGE_TABLE_H
#define MEMHELM_TRANSLATE_PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/config.h"

enum {
    MH_PT_BITS = 9, /**< index bits per level: 512 entries of 8 bytes in a 4 KiB node */
    MH_PT_ENTRIES = 1 << MH_PT_BITS,
    MH_PTE_BYTES = 8,
    MH_PT_NODE_BYTES = MH_PT_ENTRIES * MH_PTE_BYTES,
};
#define MH_PT_NONE UINT32_MAX

struct mh_pt_node {
    uint32_t frame;                /**< physical page frame that holds this node */
    uint32_t entry[MH_PT_ENTRIES]; /**< next node, or at the leaf level the physical page; MH_PT_NONE = not mapped */
};

struct mh_page_tables {
    struct mh_pt_node *node;
    uint32_t node_count, node_capacity;
    uint32_t levels;
    uint32_t frame_bits;
    uint64_t seed;
    uint64_t next[MH_MAX_TENANTS]; /**< frames handed out, per address space */
    uint8_t *owner;                /**< [frames], asid of each frame or 0: for the check that nothing crosses */
};

/** 0, or -1 when memory ran out. */
int mh_pt_init(struct mh_page_tables *pt, const struct mh_config *cfg);
void mh_pt_free(struct mh_page_tables *pt);

/** A new, empty table of address space `asid` (1..MH_MAX_TENANTS); its root node, or MH_PT_NONE when frames ran out. */
uint32_t mh_pt_root(struct mh_page_tables *pt, uint32_t asid);

/** Maps one page to a fresh frame. 0, or -1 when the address space's share of physical memory is used up. */
int mh_pt_map(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn);

/** Index into the node at `depth` (1 = root .. levels) on the path to `vpn`. */
static inline uint32_t mh_pt_index(const struct mh_page_tables *pt, uint32_t vpn, uint32_t depth)
{
    return (uint32_t)((uint64_t)vpn >> (MH_PT_BITS * (pt->levels - depth))) & (MH_PT_ENTRIES - 1);
}

/** Physical line that holds the page table entry for `vpn` in `node` at `depth`. */
static inline uint32_t mh_pt_line(const struct mh_page_tables *pt, uint32_t node, uint32_t vpn, uint32_t depth)
{
    uint32_t byte = mh_pt_index(pt, vpn, depth) * MH_PTE_BYTES;

    return pt->node[node].frame * (MH_PT_NODE_BYTES / MH_LINE_BYTES) + byte / MH_LINE_BYTES;
}

/** The entry itself: next node or physical page. */
static inline uint32_t mh_pt_entry(const struct mh_page_tables *pt, uint32_t node, uint32_t vpn, uint32_t depth)
{
    return pt->node[node].entry[mh_pt_index(pt, vpn, depth)];
}

#endif
