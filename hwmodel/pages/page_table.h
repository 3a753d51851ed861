/*
 * Radix page tables in modelled memory: every node has a physical frame, so a walk's reads compete for the real L2 and
 * DRAM. Pages are mapped before the run starts; frames are placed pseudo-randomly by the seed. The n-th frame of an
 * address space does not depend on other tenants, so that alone and shared runs have the same placement: frame n of
 * address space a is a keyed permutation of MH_MAX_TENANTS * n + a - 1, so each owns its part of memory, and no more.
 * With memory.owned whole each address space has a permutation of its own, of all frames, and leaves out those that
 * another has: placement alone and shared differs only there.
 *
 * walk.format plain: a node has 2^walk.node_bits entries, walk.pte_bytes apart; 4 or 5 levels for pages of 4 and 64
 * KiB, one less for 2 MiB, whose leaf entry stands where smaller pages have the pointer to their leaf node. A leaf node
 * covers 2 MiB at most, so with 64 KiB pages it has 32 entries. A node of 9 bits is 4 KiB with the 8 bytes of an entry;
 * of larger pages' frames several share one, and a node that is larger than a page is in pieces, a frame each.
 *
 * walk.format ampere and hopper: NVIDIA's MMU formats version 2 and 3 (bits below). Entries of 8 bytes, those above the
 * leaf tables (PDE0, or the leaves of 2 MiB pages) of 16; tables of 4 KiB, leaf tables of 64 KiB pages of 256 bytes.
 *
 * memory.large_bytes: what fills an aligned large page of 2 MiB is one: its entry stands where others have the pointer
 * to their leaf node. Frames then come in blocks of that size, of which small pages and nodes take one after the other.
 * A page's number is that of the small page at its start, and its frame the first of its block.
 */
#ifndef MEMHELM_PAGES_PAGE_TABLE_H
#define MEMHELM_PAGES_PAGE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/assoc.h"
#include "engine/gpu.h"

enum {
    MH_PT_MAX_BITS = 9, /**< most walk.node_bits */
    MH_PT_ENTRIES = 1 << MH_PT_MAX_BITS,
    MH_PTE_BYTES = 8, /**< an entry itself, as the page walk cache holds it */
    MH_PT_MAX_LEVELS = 6,
    MH_PT_MAX_PIECES = MH_PT_ENTRIES * 128 / 4096, /**< most walk.pte_bytes, smallest page */
};
#define MH_PT_NONE UINT32_MAX
#define MH_PT_PAGE                                                                                                     \
    (1u << 31) /**< of an entry: it is a page's, its frame in the bits below, or MH_PT_NONE; else a node's */
#define MH_PT_LARGE_KEY                                                                                                \
    (1u << 26) /**< of a translation's key: a large page's; small ones of 64 KiB have fewer bits                       \
                */

/** What has become of a frame that a page was moved away from (mh_pt_remap()). */
enum mh_pt_frame {
    MH_PT_IN_USE,
    MH_PT_LEFT,    /**< no page maps it, but TLBs may still have it */
    MH_PT_LEAVING, /**< demand paging: no longer translated to, but lines of it are in flight */
    MH_PT_FREED,   /**< may not be used */
};

struct mh_pt_node {
    uint32_t line[MH_PT_MAX_PIECES]; /**< physical line at which each piece starts; the first is the node's */
    uint32_t entry[MH_PT_ENTRIES];   /**< next node, or MH_PT_PAGE and the frame; MH_PT_NONE = not mapped */
};

/** Room that is handed out piece by piece. */
struct mh_pt_shared {
    uint32_t frame; /**< of the next piece, while `left` is not 0 */
    uint32_t left;  /**< pieces for which there is room */
};

struct mh_page_tables {
    struct mh_pt_node *node;
    uint32_t node_count, node_capacity;
    uint32_t levels;
    uint32_t shift[MH_PT_MAX_LEVELS + 1], mask[MH_PT_MAX_LEVELS + 1]; /**< of a page's index, per depth */
    uint8_t pte_shift[MH_PT_MAX_LEVELS + 1]; /**< log2 of the bytes from entry to entry, per depth */
    uint32_t reach_bits;                     /**< log2 of the pages that a table can tell apart */
    uint32_t frames;                         /**< of physical memory */
    uint32_t frame_bits;                     /**< log2 of them, rounded up */
    uint32_t block_bits;                     /**< log2 of the frames that are handed out together; 0: no large pages */
    uint32_t blocks;                         /**< of so many frames */
    uint32_t number_bits;                    /**< log2 of them, rounded up */
    uint32_t large_bit;                      /**< MH_PT_LARGE_KEY; 0: no large pages */
    bool whole;                              /**< memory.owned */
    uint32_t lines_per_page, line_bytes;
    uint32_t line_shift, piece_shift; /**< log2 of the bytes of a line, of a piece */
    uint32_t pieces;                  /**< of a node */
    uint32_t piece_lines;             /**< of a piece, less 1 */
    uint32_t leaf_lines;              /**< of a leaf node, all in one piece, less 1 */
    uint64_t seed;
    uint64_t next[MH_MAX_TENANTS];             /**< blocks handed out, or left out, per address space */
    struct mh_pt_shared block[MH_MAX_TENANTS]; /**< whose frames small pages and nodes take, with large pages */
    uint64_t *large[MH_MAX_TENANTS]; /**< bit per large page of the address space that is one; NULL: none is */
    struct mh_pt_shared shared[2][MH_MAX_TENANTS]; /**< frames of nodes; [1]: of leaf nodes smaller than others */
    uint8_t *owner;                /**< [frames], asid of each frame or 0: for the check that nothing crosses */
    uint8_t *state;                /**< [frames], enum mh_pt_frame */
    uint32_t left[MH_MAX_TENANTS]; /**< frames in state MH_PT_LEFT, per address space */
};

/** 0, or -1 when memory ran out. */
int mh_pt_init(struct mh_page_tables *pt, const struct mh_config *cfg);
void mh_pt_free(struct mh_page_tables *pt);

/** A new, empty table of address space `asid` (1..MH_MAX_TENANTS); its root node, or MH_PT_NONE when frames ran out. */
uint32_t mh_pt_root(struct mh_page_tables *pt, uint32_t asid);

/**
 * Maps `pages` small pages from `vpn` on, each to a fresh frame, or large pages where they fill one of which nothing is
 * mapped; those that are mapped stay. 0, or -1 when the address
 * space's share of physical memory is used up.
 */
int mh_pt_map(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t pages);

/** Moves a mapped small page to a fresh frame. 0, or -1 when there is none, or the address space has no frame left. */
int mh_pt_remap(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn);

/** No TLB has the frames any more that pages of the address space were moved away from: they are freed. */
void mh_pt_free_left(struct mh_page_tables *pt, uint32_t asid);

/** Demand paging: the page, which has a place in the table, is in this frame from now on. */
void mh_pt_place(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t frame);

/** Demand paging: the page has no frame from now on; returns the one it had, which is MH_PT_LEAVING. */
uint32_t mh_pt_lift(struct mh_page_tables *pt, uint32_t root, uint32_t vpn);

/** Demand paging: frees the frame. */
void mh_pt_give_back(struct mh_page_tables *pt, uint32_t frame);

/** For the checks of a debug build: the address space may use this frame. */
static inline bool mh_pt_usable(const struct mh_page_tables *pt, uint32_t frame, uint32_t asid)
{
    return pt->owner[frame] == asid && pt->state[frame] != MH_PT_FREED;
}

/** Index into the node at `depth` (1 = root .. levels) on the path to `vpn`; 0 above the page number's 32 bits. */
static inline uint32_t mh_pt_index(const struct mh_page_tables *pt, uint32_t vpn, uint32_t depth)
{
    return vpn >> pt->shift[depth] & pt->mask[depth];
}

/** Bytes from the start of the node to that entry. */
static inline uint32_t mh_pt_offset(const struct mh_page_tables *pt, uint32_t vpn, uint32_t depth)
{
    return mh_pt_index(pt, vpn, depth) << pt->pte_shift[depth];
}

/** Sector of 32 bytes of its line in which the entry of 8 bytes lies, as a mask. */
static inline uint8_t mh_pt_sector(const struct mh_page_tables *pt, uint32_t vpn, uint32_t depth)
{
    return (uint8_t)(1u << ((mh_pt_offset(pt, vpn, depth) & (pt->line_bytes - 1)) >> MH_SECTOR_SHIFT));
}

/** Physical line that holds the page table entry for `vpn` in `node` at `depth`. */
static inline uint32_t mh_pt_line(const struct mh_page_tables *pt, uint32_t node, uint32_t vpn, uint32_t depth)
{
    uint32_t at = mh_pt_offset(pt, vpn, depth);

    return pt->node[node].line[at >> pt->piece_shift] + (at >> pt->line_shift & pt->piece_lines);
}

/** The entry itself. */
static inline uint32_t mh_pt_entry(const struct mh_page_tables *pt, uint32_t node, uint32_t vpn, uint32_t depth)
{
    return pt->node[node].entry[mh_pt_index(pt, vpn, depth)];
}

/** The node at depth `end` on the path to `vpn` in the table at `root`, at once. MH_PT_NONE: there is none. */
static inline uint32_t mh_pt_at(const struct mh_page_tables *pt, uint32_t root, uint32_t vpn, uint32_t end)
{
    uint32_t entry = root;

    for (uint32_t depth = 1; depth < end && !(entry & MH_PT_PAGE); depth++)
        entry = mh_pt_entry(pt, entry, vpn, depth);
    return entry & MH_PT_PAGE ? MH_PT_NONE : entry;
}

/**
 * Frame of a mapped `vpn` in the table at `root`, at once: what a walk would find, and in a large page as many frames
 * on. MH_PT_NONE: not mapped.
 */
static inline uint32_t mh_pt_translate(const struct mh_page_tables *pt, uint32_t root, uint32_t vpn)
{
    uint32_t entry = root, depth = 1;

    for (; !(entry & MH_PT_PAGE); depth++)
        entry = mh_pt_entry(pt, entry, vpn, depth);
    if (entry == MH_PT_NONE)
        return MH_PT_NONE;
    return (entry & ~MH_PT_PAGE) + (depth <= pt->levels ? vpn & ((1u << pt->block_bits) - 1) : 0);
}

/** `vpn` lies in a large page of the address space. */
static inline bool mh_pt_is_large(const struct mh_page_tables *pt, uint32_t asid, uint32_t vpn)
{
    const uint64_t *large = pt->large[asid - 1];
    const uint32_t at = vpn >> pt->block_bits;

    return large && large[at / 64] >> at % 64 & 1;
}

/** The page in which a small page lies: itself, or the first of a large page. */
static inline uint32_t mh_pt_first(const struct mh_page_tables *pt, uint32_t asid, uint32_t vpn)
{
    return mh_pt_is_large(pt, asid, vpn) ? vpn >> pt->block_bits << pt->block_bits : vpn;
}

/** Key of the translation of `vpn`, with the large page's own number if it lies in one. */
static inline uint32_t mh_pt_key(const struct mh_page_tables *pt, uint32_t tenant, uint32_t asid, uint32_t vpn)
{
    return mh_page_key(tenant, mh_pt_is_large(pt, asid, vpn) ? MH_PT_LARGE_KEY | vpn >> pt->block_bits : vpn);
}

/** Depth of the entry that has the page of this key. */
static inline uint32_t mh_pt_leaf(const struct mh_page_tables *pt, uint32_t key)
{
    return pt->levels - ((key & pt->large_bit) != 0);
}

/** The tenant whose memory a physical line is. */
static inline uint32_t mh_line_tenant(const struct mh_gpu *g, uint32_t line)
{
    return g->tenant_of_asid[g->pages->owner[line >> g->page_shift]];
}

/* --- Which page frames an address space gets (page_table.c). */

/** How frames are handed out: after memset() to 0, with `pt->seed` set. */
void mh_frames_init(struct mh_page_tables *pt, const struct mh_config *cfg);

/** A frame for a small page, or for nodes; MH_PT_NONE: the address space has no more. */
uint32_t mh_frame_new(struct mh_page_tables *pt, uint32_t asid);

/** The first frame of a block, for a large page; MH_PT_NONE: the address space has no more. */
uint32_t mh_frame_block(struct mh_page_tables *pt, uint32_t asid);

#endif
