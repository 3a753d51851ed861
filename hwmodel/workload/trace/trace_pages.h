/*
 * Which pages a trace touches, and where its addresses are put. Addresses of real GPUs lie above 2^39 (0x7f..); the
 * model's lie below. Every 2 MiB region that is touched moves to the next free one from 4 GiB up: the order of regions
 * and the offset in a region stay, gaps between regions go. So 4 KiB, 64 KiB and 2 MiB pages hold what they held, and
 * the upper levels of the page table become denser. Neighbours in DRAM rows and cache sets stay only within a region; a
 * stride over a gap becomes a list. Buffers are the touched 4 KiB pages.
 */
#ifndef MEMHELM_WORKLOAD_TRACE_PAGES_H
#define MEMHELM_WORKLOAD_TRACE_PAGES_H

#include "workload/workload.h"

enum { MH_REGION_SHIFT = 21, MH_REGION_PAGE_SHIFT = 12, MH_REGION_PAGES = 1 << (MH_REGION_SHIFT - 12) };

/** Where the first region goes, as in generated kernels and recorded traces. */
#define MH_REGION_BASE ((uint64_t)4 << 30)

struct mh_region {
    uint64_t id; /**< address >> MH_REGION_SHIFT */
    uint64_t pages[MH_REGION_PAGES / 64];
};

/** All zeroes is an empty one. */
struct mh_pages {
    struct mh_region *regions; /**< in order of first use; after mh_pages_seal() by address */
    uint32_t count, capacity;
    uint32_t *table; /**< open addressing by id: index + 1, 0 = free */
    uint32_t table_size;
    uint32_t last; /**< region of the last access */
    bool sealed;
};

enum mh_pages_status { MH_PAGES_OK, MH_PAGES_MEMORY, MH_PAGES_FULL };

/** Marks bytes address .. address + bytes - 1, which do not wrap around. FULL: they do not fit below 2^39. */
enum mh_pages_status mh_pages_touch(struct mh_pages *p, uint64_t address, uint32_t bytes);

/** Sorts the regions. False when memory is short. */
bool mh_pages_seal(struct mh_pages *p);

/** The new address of a touched one, once sealed. `ok` is set to false when it was never touched. */
uint64_t mh_pages_map(struct mh_pages *p, uint64_t address, bool *ok);

/** Runs of touched pages, at their new addresses, sorted; the caller frees them. NULL when memory is short. */
struct mh_buffer *mh_pages_ranges(const struct mh_pages *p, uint32_t *count);

void mh_pages_free(struct mh_pages *p);

#endif
