/* What is at an offset of the window, in words: also where this GPU has nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "control/internal.h"

/* "CTA_LIMIT[1]"; of a counter its own name. */
static void name(char *text, size_t size, const struct mh_reg_desc *d)
{
    const char *of = d->row == MH_ROW_COUNTER ? mh_counter_names[d->word / 2] : mh_reg_name(d);

    snprintf(text, size, "%s[%u]", of, d->copy);
}

/* With every tenant, SM and walker that a register can be of. */
static struct mh_regmap *whole(const struct mh_caps *caps)
{
    struct mh_regmap *map = malloc(sizeof *map);
    struct mh_caps all = *caps;

    all.tenants = MH_MAX_TENANTS;
    all.sms = MH_MAX_SMS;
    all.walker_owners = MH_MAX_WALKER_QUEUES;
    if (map)
        mh_regmap_build(map, &all);
    return map;
}

void mh_control_describe(const struct mh_control *c, uint32_t offset, char *text, size_t size)
{
    const struct mh_reg_desc *d = mh_regmap_find(&c->map, offset & ~3u, 4);
    char what[64];

    if (d) {
        name(what, sizeof what, d);
        snprintf(text, size, "register %s%s", what, offset % 4 ? ", in its middle" : "");
        return;
    }
    struct mh_regmap *map = whole(&c->caps);

    d = map ? mh_regmap_find(map, offset & ~3u, 4) : NULL;
    if (d) {
        name(what, sizeof what, d);
        snprintf(text, size,
                 "register %s, which this GPU does not have: it has %" PRIu32 " tenants and %" PRIu32 " SMs", what,
                 c->caps.tenants, c->caps.sms);
    } else {
        snprintf(text, size, "no register");
    }
    free(map);
}
