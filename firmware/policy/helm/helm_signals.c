#include "helm.h"

void helm_signals_update(struct helm_signals *s, uint32_t tenants, uint32_t walkers, uint32_t data, uint32_t cycle,
                         const struct helm_counters *now)
{
    uint64_t area = 0, walks = 0, reads = 0, all = (uint64_t)walkers * (cycle - s->last_cycle);

    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        const struct helm_counters *last = &s->last[tenant];

        walks += now[tenant].walks - last->walks;
        area += now[tenant].area - last->area;
        reads += now[tenant].data - last->data;
        s->last[tenant] = now[tenant];
    }
    s->last_cycle = cycle;
    s->waiting = s->waiting ? area >= all / HELM_WAITING_GONE : area > all;
    s->flooded = area > all * HELM_FLOODED;
    s->few_data = walks != 0 && reads <= walks * (data + (s->few_data ? data / HELM_DATA_GONE : 0));
}

void helm_thrash_update(struct helm_thrash *t, uint32_t line, uint32_t bytes, uint32_t in, uint32_t lines)
{
    t->in += in - t->last_in;
    t->lines += lines - t->last_lines;
    t->last_in = in;
    t->last_lines = lines;
    t->thrashes = t->in * bytes * (t->thrashes ? HELM_THRASH_GONE : 1) >= t->lines * line;
}
