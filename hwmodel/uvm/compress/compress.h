/* Pages of a workload's values, compressed. */
#ifndef MEMHELM_UVM_COMPRESS_COMPRESS_H
#define MEMHELM_UVM_COMPRESS_COMPRESS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Base-delta-immediate compression of a block (Pekhimenko et al., PACT 2012): words that are near zero or near one base
 * are kept as their differences. How large a block becomes is all that the model needs.
 */
/** Bytes of a block: a cache line of the two papers. A line of 128 bytes is two of them. */
enum { MH_BDI_BLOCK = 64 };

/**
 * Bytes that the block takes: 1 (zeros), 8 (one word of 8 bytes again and again), or base and deltas: 16, 24, 40 (words
 * of 8 bytes, deltas of 1, 2, 4), 20, 36 (4; 1, 2), 34 (2; 1); MH_BDI_BLOCK: it does not compress. Table 2 of the
 * paper: the encoding and the mask of words near zero do not count, they are metadata. Words are little-endian.
 */
uint32_t mh_bdi_bytes(const uint8_t block[MH_BDI_BLOCK]);

/*
 * Linearly compressed pages (Pekhimenko et al., MICRO 2013): all blocks of a page get the same room, so that a block is
 * found without a search; those that need more are exceptions, whole, behind the page's metadata. What is said here of
 * the paper's format, public code has too: BDI in CMU-SAFARI/BDICompression, pages in an LCP for zsim.
 */
enum {
    MH_LCP_PAGE = 4096,
    MH_LCP_BLOCKS = MH_LCP_PAGE / MH_BDI_BLOCK,
    /** Of a compressed page: per block, whether and which exception it is (7 bits); per exception, whether it is used.
     */
    MH_LCP_METADATA = 64,
    MH_LCP_CLASSES = 4, /**< sizes that a page in memory may have: 512, 1024, 2048 and 4096 bytes */
};

/** A page as memory holds it. */
struct mh_lcp_page {
    uint64_t exceptions; /**< bit b: block b is one */
    uint8_t size;        /**< class: 512 << size bytes */
    uint8_t room;        /**< bytes of a block that is no exception; MH_BDI_BLOCK: the page is not compressed */
};

static inline uint32_t mh_lcp_bytes(const struct mh_lcp_page *p)
{
    return 512u << p->size;
}

/** A page that is not compressed. */
static inline struct mh_lcp_page mh_lcp_whole(void)
{
    return (struct mh_lcp_page){.size = MH_LCP_CLASSES - 1, .room = MH_BDI_BLOCK};
}

static inline bool mh_lcp_compressed(const struct mh_lcp_page *p)
{
    return p->room < MH_BDI_BLOCK;
}

/** Exceptions that a page has places for: what its class leaves behind the blocks and the metadata. */
uint32_t mh_lcp_places(const struct mh_lcp_page *p);

/**
 * The page of blocks that compress to so many bytes, each a result of mh_bdi_bytes(). The room of a block is that of
 * one of BDI's eight encodings (3 bits of the PTE), the one that makes the page smallest. A page that would need 4 KB
 * is left whole: only its place in memory matters here, and there is nothing to win (ours).
 */
struct mh_lcp_page mh_lcp_pack(const uint8_t bytes[MH_LCP_BLOCKS]);

/**
 * Block `b` is written and takes `bytes` now. False: it needs an exception's place and there is none: the page
 * overflows and is as it was. The caller packs it anew.
 */
bool mh_lcp_write(struct mh_lcp_page *p, uint32_t b, uint32_t bytes);

struct mh_values;

/** What the `count` blocks from `va` on compress to. `stored`: see mh_values_read(). */
void mh_compress_blocks(struct mh_values *v, bool stored, uint64_t va, uint32_t count, uint8_t *sizes);

/** The page at `va`, a multiple of MH_LCP_PAGE, packed, and its blocks' sizes. */
struct mh_lcp_page mh_compress_page(struct mh_values *v, bool stored, uint64_t va, uint8_t sizes[MH_LCP_BLOCKS]);

#endif
