/* A word of a configuration from its text, for tests whose tables hold texts. */
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

#endif
