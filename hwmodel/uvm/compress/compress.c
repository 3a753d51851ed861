#include "uvm/compress/compress.h"

#include "workload/values/values.h"

void mh_compress_blocks(struct mh_values *v, bool stored, uint64_t va, uint32_t count, uint8_t *sizes)
{
    for (uint32_t b = 0; b < count; b++) {
        uint8_t block[MH_BDI_BLOCK];

        mh_values_read(v, stored, va + (uint64_t)b * MH_BDI_BLOCK, block, sizeof block);
        sizes[b] = (uint8_t)mh_bdi_bytes(block);
    }
}

struct mh_lcp_page mh_compress_page(struct mh_values *v, bool stored, uint64_t va, uint8_t sizes[MH_LCP_BLOCKS])
{
    mh_compress_blocks(v, stored, va, MH_LCP_BLOCKS, sizes);
    return mh_lcp_pack(sizes);
}
