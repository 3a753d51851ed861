#include "pages/page_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/arith.h"

/* Index bits of a format, from the level above the leaf tables of small pages (PDE0) up to the root (dev_mmu.h of
 * NVIDIA's open driver: MMU versions 2 and 3). */
static const uint8_t ampere[] = {8, 9, 9, 2}, hopper[] = {8, 9, 9, 9, 1};

enum { LEAF_TABLE_BITS = 21 - 12, BIG_PAGE_BITS = 21 - 16 };

/* Of the node `up` levels above the lowest; a leaf node covers 2 MiB at most. */
static uint32_t index_bits(const struct mh_config *cfg, uint32_t up)
{
    const uint32_t page = cfg->memory.page_bytes, leaf = page == 1 << 16 ? BIG_PAGE_BITS : LEAF_TABLE_BITS;

    if (cfg->walk.format == MH_WALK_FORMAT_PLAIN)
        return up || page > 1 << 16 ? cfg->walk.node_bits : mh_min32(cfg->walk.node_bits, leaf);
    if (page <= 1 << 16 && !up)
        return leaf;
    up -= page <= 1 << 16;
    return cfg->walk.format == MH_WALK_FORMAT_AMPERE ? ampere[up] : hopper[up];
}

/* For pages of 2 MiB there are no leaf tables: the entries of the level above are the leaves. */
static bool is_pde0(const struct mh_config *cfg, uint32_t up)
{
    return cfg->walk.format != MH_WALK_FORMAT_PLAIN && up == (cfg->memory.page_bytes <= 1 << 16);
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

/* From the leaf up. A page's number has 32 bits: above these indices are 0. */
static void init_indices(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    uint32_t shift = 0, pte = log2_of(cfg->walk.pte_bytes);

    for (uint32_t depth = pt->levels, up = 0; depth; depth--, up++) {
        uint32_t bits = index_bits(cfg, up);

        pt->shift[depth] = mh_min32(shift, 31);
        pt->mask[depth] = shift < 32 ? (1u << bits) - 1 : 0;
        pt->pte_shift[depth] = (uint8_t)(pte + is_pde0(cfg, up));
        shift += bits;
    }
    pt->reach_bits = shift;
}

/* All nodes of a plain table alike: also the leaves of 64 KiB pages, of whose entries they use 32 at most. */
static void init_layout(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    uint32_t page = cfg->memory.page_bytes, node = cfg->walk.pte_bytes << cfg->walk.node_bits,
             piece = node < page ? node : page;

    pt->line_bytes = cfg->memory.line_bytes;
    pt->lines_per_page = page / pt->line_bytes;
    pt->line_shift = log2_of(pt->line_bytes);
    pt->piece_shift = log2_of(piece);
    pt->pieces = node / piece;
    pt->piece_lines = piece / pt->line_bytes - 1;
    pt->leaf_lines = pt->piece_lines;
    if (cfg->walk.format != MH_WALK_FORMAT_PLAIN && page == 1 << 16)
        pt->leaf_lines = (cfg->walk.pte_bytes << BIG_PAGE_BITS) / pt->line_bytes - 1;
}

int mh_pt_init(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    memset(pt, 0, sizeof *pt);
    pt->levels = cfg->walk.levels;
    pt->seed = cfg->run.seed;
    init_indices(pt, cfg);
    mh_frames_init(pt, cfg);
    init_layout(pt, cfg);
    pt->node_capacity = 64;
    pt->node = malloc(pt->node_capacity * sizeof *pt->node);
    /* Zeros that the host has no memory for until a frame is handed out. */
    pt->owner = calloc(pt->frames, 1);
    pt->state = calloc(pt->frames, 1);
    return pt->node && pt->owner && pt->state ? 0 : -1;
}

void mh_pt_free(struct mh_page_tables *pt)
{
    for (uint32_t i = 0; i < MH_MAX_TENANTS; i++)
        free(pt->large[i]);
    free(pt->node);
    free(pt->owner);
    free(pt->state);
}

/* Room for a piece of a node, in a frame that holds nodes alone: several, if pages are larger than nodes. */
static uint32_t piece_line(struct mh_page_tables *pt, uint32_t asid, bool leaf)
{
    const bool small = leaf && pt->leaf_lines != pt->piece_lines;
    uint32_t lines = (small ? pt->leaf_lines : pt->piece_lines) + 1, room = pt->lines_per_page / lines;
    struct mh_pt_shared *s = &pt->shared[small][asid - 1];

    if (!s->left) {
        s->frame = mh_frame_new(pt, asid);
        if (s->frame == MH_PT_NONE)
            return MH_PT_NONE;
        s->left = room;
    }
    s->left--;
    return s->frame * pt->lines_per_page + (room - 1 - s->left) * lines;
}

static uint32_t new_node(struct mh_page_tables *pt, uint32_t asid, uint32_t depth)
{
    if (pt->node_count == pt->node_capacity) {
        struct mh_pt_node *more = realloc(pt->node, 2 * pt->node_capacity * sizeof *more);

        if (!more)
            return MH_PT_NONE;
        pt->node = more;
        pt->node_capacity *= 2;
    }
    struct mh_pt_node *node = &pt->node[pt->node_count];

    for (uint32_t i = 0; i < pt->pieces; i++) {
        node->line[i] = piece_line(pt, asid, depth == pt->levels);
        if (node->line[i] == MH_PT_NONE)
            return MH_PT_NONE;
    }
    memset(node->entry, 0xff, sizeof node->entry);
    return pt->node_count++;
}

uint32_t mh_pt_root(struct mh_page_tables *pt, uint32_t asid)
{
    return new_node(pt, asid, 1);
}

/*
 * The node at `end` on the way to a page, and those above it: made where there are none. A large page ends the way: its
 * entry. MH_PT_NONE: frames ran out.
 */
static uint32_t make_node(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t end)
{
    uint32_t node = root;

    for (uint32_t depth = 1; depth < end && !(node & MH_PT_PAGE); depth++) {
        uint32_t i = mh_pt_index(pt, vpn, depth);

        if (pt->node[node].entry[i] == MH_PT_NONE) {
            /* May move the array: no pointer to a node is kept across it. */
            uint32_t child = new_node(pt, asid, depth + 1);

            if (child == MH_PT_NONE)
                return MH_PT_NONE;
            pt->node[node].entry[i] = child;
        }
        node = pt->node[node].entry[i];
    }
    return node;
}

static int mark_large(struct mh_page_tables *pt, uint32_t asid, uint32_t large)
{
    uint64_t **bits = &pt->large[asid - 1];

    if (!*bits)
        *bits = calloc(MH_PT_LARGE_KEY / 64, sizeof **bits);
    if (!*bits)
        return -1;
    (*bits)[large / 64] |= 1ull << large % 64;
    return 0;
}

/* A large page, where small ones from `vpn` on fill one and nothing of it is mapped: 1. 0: none there. -1: no frames.
 */
static int map_large(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t pages)
{
    const uint32_t small = 1u << pt->block_bits;

    if (!pt->block_bits || vpn & (small - 1) || pages < small)
        return 0;
    uint32_t node = make_node(pt, root, asid, vpn, pt->levels - 1);

    if (node == MH_PT_NONE)
        return -1;
    uint32_t *entry = &pt->node[node].entry[mh_pt_index(pt, vpn, pt->levels - 1)];

    if (*entry != MH_PT_NONE)
        return 0;
    uint32_t frame = mh_frame_block(pt, asid);

    if (frame == MH_PT_NONE || mark_large(pt, asid, vpn >> pt->block_bits))
        return -1;
    *entry = MH_PT_PAGE | frame;
    return 1;
}

/* Small pages up to the end of their leaf node: how many, which may lie in a large page; 0: no frames. */
static uint32_t map_small(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t pages)
{
    uint32_t leaf = make_node(pt, root, asid, vpn, pt->levels), first = mh_pt_index(pt, vpn, pt->levels),
             n = mh_min32(pages, pt->mask[pt->levels] + 1 - first);

    if (leaf == MH_PT_NONE)
        return 0;
    if (leaf & MH_PT_PAGE)
        return n;
    for (uint32_t *entry = &pt->node[leaf].entry[first], *end = entry + n; entry < end; entry++) {
        /* Two buffers may share a page: then it is mapped. */
        if (*entry != MH_PT_NONE)
            continue;
        *entry = mh_frame_new(pt, asid);
        if (*entry == MH_PT_NONE)
            return 0;
        *entry |= MH_PT_PAGE;
    }
    return n;
}

int mh_pt_map(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t pages)
{
    for (uint32_t n; pages; pages -= n, vpn += n) {
        int large = map_large(pt, root, asid, vpn, pages);

        n = large > 0 ? 1u << pt->block_bits : !large ? map_small(pt, root, asid, vpn, pages) : 0;
        if (!n)
            return -1;
    }
    return 0;
}

static uint32_t *leaf_of(struct mh_page_tables *pt, uint32_t root, uint32_t vpn)
{
    uint32_t node = mh_pt_at(pt, root, vpn, pt->levels);

    return node == MH_PT_NONE ? NULL : &pt->node[node].entry[mh_pt_index(pt, vpn, pt->levels)];
}

int mh_pt_remap(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn)
{
    uint32_t *leaf = leaf_of(pt, root, vpn);
    uint32_t frame = leaf && *leaf != MH_PT_NONE ? mh_frame_new(pt, asid) : MH_PT_NONE;

    if (frame == MH_PT_NONE)
        return -1;
    /* Never handed out again, so that debug builds recognise a use after PTE_CHANGED. */
    pt->state[*leaf & ~MH_PT_PAGE] = MH_PT_LEFT;
    pt->left[asid - 1]++;
    *leaf = MH_PT_PAGE | frame;
    return 0;
}

void mh_pt_free_left(struct mh_page_tables *pt, uint32_t asid)
{
    for (uint64_t f = 0; pt->left[asid - 1]; f++)
        if (pt->state[f] == MH_PT_LEFT && pt->owner[f] == asid) {
            pt->state[f] = MH_PT_FREED;
            pt->left[asid - 1]--;
        }
}

void mh_pt_place(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t frame)
{
    *leaf_of(pt, root, vpn) = MH_PT_PAGE | frame;
    pt->owner[frame] = (uint8_t)asid;
    pt->state[frame] = MH_PT_IN_USE;
}

uint32_t mh_pt_lift(struct mh_page_tables *pt, uint32_t root, uint32_t vpn)
{
    uint32_t *leaf = leaf_of(pt, root, vpn), frame = *leaf & ~MH_PT_PAGE;

    *leaf = MH_PT_NONE;
    pt->state[frame] = MH_PT_LEAVING;
    return frame;
}

void mh_pt_give_back(struct mh_page_tables *pt, uint32_t frame)
{
    pt->owner[frame] = 0;
    pt->state[frame] = MH_PT_FREED;
}

/* --- Which frames an address space gets. */

static uint32_t bits_for(uint32_t count)
{
    return 32 - (uint32_t)__builtin_clz(count - 1);
}

void mh_frames_init(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    pt->frames = (uint32_t)(cfg->memory.bytes / cfg->memory.page_bytes);
    pt->frame_bits = bits_for(pt->frames);
    pt->whole = cfg->memory.owned == MH_OWNED_WHOLE;
    if (cfg->memory.large_bytes) {
        pt->block_bits = (uint32_t)__builtin_ctz(cfg->memory.large_bytes / cfg->memory.page_bytes);
        pt->large_bit = MH_PT_LARGE_KEY;
    }
    pt->blocks = pt->frames >> pt->block_bits;
    pt->number_bits = bits_for(pt->blocks);
}

/* A keyed bijection on numbers of so many bits: odd multiplication and xor-shift are both invertible modulo 2^bits. */
static inline uint64_t mix(const struct mh_page_tables *pt, uint64_t x, uint64_t seed)
{
    const uint64_t key = (seed + 1) * 0xbf58476d1ce4e5b9ull;
    const uint64_t mask = (1ull << pt->number_bits) - 1;
    const uint32_t half = pt->number_bits / 2;

#pragma GCC unroll 3
    for (uint32_t round = 0; round < 3; round++) {
        x = (x * 0x9e3779b97f4a7c15ull + key + round) & mask;
        x ^= x >> half;
    }
    return x;
}

/* On numbers of blocks: a number that is none goes on until it meets one, which it alone does. */
static uint32_t permute(const struct mh_page_tables *pt, uint64_t x, uint64_t seed)
{
    do
        x = mix(pt, x, seed);
    while (x >= pt->blocks);
    return (uint32_t)x;
}

/* Numbers go by turns to the address spaces: what one gets does not depend on what others have got. */
static uint32_t own_block(struct mh_page_tables *pt, uint32_t asid)
{
    uint64_t n = pt->next[asid - 1]++ * MH_MAX_TENANTS + (asid - 1);

    return n < pt->blocks ? permute(pt, n, pt->seed) : MH_PT_NONE;
}

/* The first in the address space's own order that nobody has or had. */
static uint32_t free_block(struct mh_page_tables *pt, uint32_t asid)
{
    while (pt->next[asid - 1] < pt->blocks) {
        uint32_t block = permute(pt, pt->next[asid - 1]++, pt->seed * MH_MAX_TENANTS + asid - 1),
                 frame = block << pt->block_bits;

        if (!pt->owner[frame] && pt->state[frame] == MH_PT_IN_USE)
            return block;
    }
    return MH_PT_NONE;
}

static uint32_t new_block(struct mh_page_tables *pt, uint32_t asid)
{
    return pt->whole ? free_block(pt, asid) : own_block(pt, asid);
}

uint32_t mh_frame_block(struct mh_page_tables *pt, uint32_t asid)
{
    uint32_t block = new_block(pt, asid), frame = block << pt->block_bits;

    if (block == MH_PT_NONE)
        return MH_PT_NONE;
    memset(&pt->owner[frame], (int)asid, 1u << pt->block_bits);
    return frame;
}

static __attribute__((noinline)) uint32_t frame_of_block(struct mh_page_tables *pt, uint32_t asid)
{
    struct mh_pt_shared *s = &pt->block[asid - 1];

    if (!s->left) {
        s->frame = mh_frame_block(pt, asid);
        if (s->frame == MH_PT_NONE)
            return MH_PT_NONE;
        s->left = 1u << pt->block_bits;
    }
    return s->frame + (1u << pt->block_bits) - s->left--;
}

/* Without large pages a block is one frame. */
uint32_t mh_frame_new(struct mh_page_tables *pt, uint32_t asid)
{
    if (pt->block_bits)
        return frame_of_block(pt, asid);
    uint32_t frame = new_block(pt, asid);

    if (frame != MH_PT_NONE)
        pt->owner[frame] = (uint8_t)asid;
    return frame;
}
