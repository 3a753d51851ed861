/*
 * Base-delta-immediate compression of a block (Pekhimenko et al., PACT 2012): words that are near zero or near one base
 * are kept as their differences. How large a block becomes is all that the model needs.
 */
#ifndef MEMHELM_UVM_COMPRESS_BDI_H
#define MEMHELM_UVM_COMPRESS_BDI_H

#include <stdint.h>

/** Bytes of a block: a cache line of the two papers. A line of 128 bytes is two of them. */
enum { MH_BDI_BLOCK = 64 };

/**
 * Bytes that the block takes: 1 (zeros), 8 (one word of 8 bytes again and again), or base and deltas: 16, 24, 40 (words
 * of 8 bytes, deltas of 1, 2, 4), 20, 36 (4; 1, 2), 34 (2; 1); MH_BDI_BLOCK: it does not compress. Table 2 of the
 * paper: the encoding and the mask of words near zero do not count, they are metadata. Words are little-endian.
 */
uint32_t mh_bdi_bytes(const uint8_t block[MH_BDI_BLOCK]);

#endif
