#include "gpu/loss.h"

#ifdef MH_DEBUG
#include <string.h>

#include "engine/gpu.h"

/* Without a number the event is never lost: strtoul() of nothing is 0. */
void mh_loss_init(struct mh_loss *loss)
{
    const char *wish = getenv("MEMHELM_LOSE_EVENT");
    size_t n = wish ? strcspn(wish, ":") : 0;

    for (uint32_t kind = 0; n && mh_event_name(kind); kind++)
        if (strlen(mh_event_name(kind)) == n && !strncmp(wish, mh_event_name(kind), n))
            *loss = (struct mh_loss){.kind = kind, .number = (uint32_t)strtoul(wish + n + (wish[n] == ':'), NULL, 10)};
}

bool mh_event_lost(struct mh_gpu *g, uint32_t event)
{
    if (!g->loss->number || g->loss->kind != MH_EVENT_KIND(event) || --g->loss->number)
        return false;
    /* Put off, not lost: it comes again in this cycle, which so does not end. */
    if (g->loss->again) {
        g->loss->number = 1;
        mh_wheel_add(&g->wheel, g->wheel.now, event);
    }
    return true;
}

#endif
