/*
 * A GPU that loses an event on purpose (mh_loss), and what its report says. cmocka.h comes first.
 */
#ifndef TESTS_DEADLOCK_FIXTURE_H
#define TESTS_DEADLOCK_FIXTURE_H

#include <string.h>

#include "chain.h"

/** The event with this number of its kind, counted from now on, never comes. */
static inline void lose(struct mh_gpu *g, uint32_t kind, uint32_t number)
{
    *g->loss = (struct mh_loss){.kind = kind, .number = number};
}

static inline void assert_says(const char *text, const char *part)
{
    if (!text || !strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text ? text : "(no report)");
}

/** One load of page 2 and what waits for it, at cycle 0. */
static inline struct mh_gpu *one_load(void)
{
    struct mh_config cfg = script_config(1, 1);
    struct script *s;
    uint64_t addr = in_page(2, 3);
    return chain_gpu(&cfg, 1, &addr, &s);
}

#endif
