/* Keys of a configuration, for tests: a word from its text, and a page size with what has to go with it. */
#ifndef MEMHELM_TESTS_SET_WORD_H
#define MEMHELM_TESTS_SET_WORD_H

#include <stdio.h>
#include <stdlib.h>

#include "memhelm/config_file.h"

/** `key` becomes `word`, which is one of its words. */
static inline void set_word(struct mh_config *cfg, const char *key, const char *word)
{
    struct mh_error err;
    char assignment[128];

    snprintf(assignment, sizeof assignment, "%s=%s", key, word);
    if (mh_config_set(cfg, assignment, &err))
        abort();
}

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
