#include "engine/sets.h"

/* The set of the low bits alone. */
static uint32_t set_of_low(const struct mh_sets *s, uint32_t line)
{
    struct mh_sets low = *s;

    low.rule = s->low;
    return mh_set_of(&low, line & MH_TAG_LINE);
}

uint32_t mh_set_wide(const struct mh_sets *s, uint32_t line)
{
    return mh_set_moved(s, set_of_low(s, line), line);
}

uint32_t mh_set_line(const struct mh_sets *s, uint32_t set, uint32_t tag)
{
    return s->rule == MH_SETS_WIDE ? mh_set_wide_line(s, set, set_of_low(s, tag), tag) : tag;
}
