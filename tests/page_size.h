/* Another page size for a configuration, with the levels that its page table then has. */
#ifndef TESTS_PAGE_SIZE_H
#define TESTS_PAGE_SIZE_H

#include "memhelm/config.h"

/** `bytes` is 4 KiB, 64 KiB or 2 MiB; a plain table has the fewest levels that it may have. */
static inline void set_page_size(struct mh_config *cfg, uint32_t bytes)
{
    static const uint32_t levels[] = {
        [MH_WALK_FORMAT_PLAIN] = 4, [MH_WALK_FORMAT_AMPERE] = 5, [MH_WALK_FORMAT_HOPPER] = 6};

    cfg->memory.page_bytes = bytes;
    cfg->memory.large_bytes = 0;
    cfg->walk.levels = levels[cfg->walk.format] - (bytes == 2 << 20);
}

#endif
