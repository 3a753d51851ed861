#include "pages/page_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/arith.h"

/*
 * From the leaf up. A leaf node covers 2 MiB at most: pages of 64 KiB need no more than five index bits. For pages of
 * 2 MiB there is no such node: the entries of the level above are the leaves.
 */
static void init_indices(struct mh_page_tables *pt, uint32_t page_bytes, uint32_t node_bits)
{
    uint32_t bits = page_bytes == 1 << 16 ? mh_min32(node_bits, MH_PT_MAX_BITS - 4) : node_bits, shift = 0;

    for (uint32_t depth = pt->levels; depth; depth--) {
        pt->shift[depth] = shift;
        pt->mask[depth] = (1u << bits) - 1;
        shift += bits;
        bits = node_bits;
    }
    pt->reach_bits = shift;
}

static uint32_t log2_of(uint32_t power)
{
    return (uint32_t)__builtin_ctz(power);
}

/* All nodes alike: also the leaves of 64 KiB pages, of whose entries they use 32 at most. */
static void init_layout(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    uint32_t page = cfg->memory.page_bytes, node = cfg->walk.pte_bytes << cfg->walk.node_bits,
             piece = node < page ? node : page;

    pt->line_bytes = cfg->memory.line_bytes;
    pt->lines_per_page = page / pt->line_bytes;
    pt->pte_shift = log2_of(cfg->walk.pte_bytes);
    pt->line_shift = log2_of(pt->line_bytes);
    pt->piece_shift = log2_of(piece);
    pt->pieces = node / piece;
    pt->piece_lines = piece / pt->line_bytes - 1;
}

int mh_pt_init(struct mh_page_tables *pt, const struct mh_config *cfg)
{
    memset(pt, 0, sizeof *pt);
    pt->levels = cfg->walk.levels;
    pt->seed = cfg->run.seed;
    init_indices(pt, cfg->memory.page_bytes, cfg->walk.node_bits);
    pt->frame_bits = (uint32_t)__builtin_ctzll(cfg->memory.bytes / cfg->memory.page_bytes);
    init_layout(pt, cfg);
    pt->node_capacity = 64;
    pt->node = malloc(pt->node_capacity * sizeof *pt->node);
    pt->owner = calloc(1ull << pt->frame_bits, 1);
    pt->state = calloc(1ull << pt->frame_bits, 1);
    return pt->node && pt->owner && pt->state ? 0 : -1;
}

void mh_pt_free(struct mh_page_tables *pt)
{
    free(pt->node);
    free(pt->owner);
    free(pt->state);
}

/* A keyed bijection on frame numbers: odd multiplication and xor-shift are both invertible modulo 2^bits. */
static uint32_t permute(const struct mh_page_tables *pt, uint64_t x)
{
    uint64_t mask = (1ull << pt->frame_bits) - 1;

    for (uint32_t round = 0; round < 3; round++) {
        x = (x * 0x9e3779b97f4a7c15ull + (pt->seed + 1) * 0xbf58476d1ce4e5b9ull + round) & mask;
        x ^= x >> (pt->frame_bits / 2);
    }
    return (uint32_t)x;
}

/* Frame numbers go by turns to the address spaces: what one gets does not depend on what others have got. */
static uint32_t new_frame(struct mh_page_tables *pt, uint32_t asid)
{
    uint64_t n = pt->next[asid - 1]++ * MH_MAX_TENANTS + (asid - 1);

    if (n >> pt->frame_bits)
        return MH_PT_NONE;
    uint32_t frame = permute(pt, n);

    pt->owner[frame] = (uint8_t)asid;
    return frame;
}

/* Room for a piece of a node, in a frame that holds nodes alone: several, if pages are larger than nodes. */
static uint32_t piece_line(struct mh_page_tables *pt, uint32_t asid)
{
    uint32_t lines = pt->piece_lines + 1, room = pt->lines_per_page / lines;
    uint32_t *frame = &pt->node_frame[asid - 1], *left = &pt->node_left[asid - 1];

    if (!*left) {
        *frame = new_frame(pt, asid);
        if (*frame == MH_PT_NONE)
            return MH_PT_NONE;
        *left = room;
    }
    (*left)--;
    return *frame * pt->lines_per_page + (room - 1 - *left) * lines;
}

static uint32_t new_node(struct mh_page_tables *pt, uint32_t asid)
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
        node->line[i] = piece_line(pt, asid);
        if (node->line[i] == MH_PT_NONE)
            return MH_PT_NONE;
    }
    memset(node->entry, 0xff, sizeof node->entry);
    return pt->node_count++;
}

uint32_t mh_pt_root(struct mh_page_tables *pt, uint32_t asid)
{
    return new_node(pt, asid);
}

/* The leaf node that covers a page, and those above it: made where there are none. MH_PT_NONE: frames ran out. */
static uint32_t make_leaf(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn)
{
    uint32_t node = root;

    for (uint32_t depth = 1; depth < pt->levels; depth++) {
        uint32_t i = mh_pt_index(pt, vpn, depth);

        if (pt->node[node].entry[i] == MH_PT_NONE) {
            /* May move the array: no pointer to a node is kept across it. */
            uint32_t child = new_node(pt, asid);

            if (child == MH_PT_NONE)
                return MH_PT_NONE;
            pt->node[node].entry[i] = child;
        }
        node = pt->node[node].entry[i];
    }
    return node;
}

int mh_pt_map(struct mh_page_tables *pt, uint32_t root, uint32_t asid, uint32_t vpn, uint32_t pages)
{
    for (uint32_t n; pages; pages -= n, vpn += n) {
        uint32_t leaf = make_leaf(pt, root, asid, vpn), first = mh_pt_index(pt, vpn, pt->levels);

        if (leaf == MH_PT_NONE)
            return -1;
        n = mh_min32(pages, pt->mask[pt->levels] + 1 - first);
        for (uint32_t *entry = &pt->node[leaf].entry[first], *end = entry + n; entry < end; entry++) {
            /* Two buffers may share a page: then it is mapped. */
            if (*entry == MH_PT_NONE)
                *entry = new_frame(pt, asid);
            if (*entry == MH_PT_NONE)
                return -1;
        }
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
    uint32_t frame = leaf && *leaf != MH_PT_NONE ? new_frame(pt, asid) : MH_PT_NONE;

    if (frame == MH_PT_NONE)
        return -1;
    /* Never handed out again, so that debug builds recognise a use after PTE_CHANGED. */
    pt->state[*leaf] = MH_PT_LEFT;
    pt->left[asid - 1]++;
    *leaf = frame;
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
    *leaf_of(pt, root, vpn) = frame;
    pt->owner[frame] = (uint8_t)asid;
    pt->state[frame] = MH_PT_IN_USE;
}

uint32_t mh_pt_lift(struct mh_page_tables *pt, uint32_t root, uint32_t vpn)
{
    uint32_t *leaf = leaf_of(pt, root, vpn), frame = *leaf;

    *leaf = MH_PT_NONE;
    pt->state[frame] = MH_PT_LEAVING;
    return frame;
}

void mh_pt_give_back(struct mh_page_tables *pt, uint32_t frame)
{
    pt->owner[frame] = 0;
    pt->state[frame] = MH_PT_FREED;
}
