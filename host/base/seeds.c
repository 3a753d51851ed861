#include "seeds.h"

#include <stdlib.h>

int seeds_parse(const char *text, unsigned *first, unsigned *last, struct mh_error *err)
{
    char *end;
    const unsigned long from = strtoul(text, &end, 10);
    unsigned long to = from;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        to = strtoul(end + 1, &end, 10);
    if (*text < '0' || *text > '9' || *end || to < from)
        return mh_fail(err, "'%.40s'; write one such as 1, or a range such as 1-5", text);
    if (to > SEEDS_GREATEST)
        return mh_fail(err, "'%.40s'; the greatest seed is %d", text, SEEDS_GREATEST);
    if (to - from >= SEEDS_MOST)
        return mh_fail(err, "'%.40s' are %lu; at most %d are allowed", text, to - from + 1, SEEDS_MOST);
    *first = (unsigned)from;
    *last = (unsigned)to;
    return 0;
}
