/* Pages of a workload's values, compressed. */
#ifndef MEMHELM_UVM_COMPRESS_COMPRESS_H
#define MEMHELM_UVM_COMPRESS_COMPRESS_H

#include "uvm/compress/lcp.h"

struct mh_values;

/** What the `count` blocks from `va` on compress to. `stored`: see mh_values_read(). */
void mh_compress_blocks(struct mh_values *v, bool stored, uint64_t va, uint32_t count, uint8_t *sizes);

/** The page at `va`, a multiple of MH_LCP_PAGE, packed, and its blocks' sizes. */
struct mh_lcp_page mh_compress_page(struct mh_values *v, bool stored, uint64_t va, uint8_t sizes[MH_LCP_BLOCKS]);

#endif
