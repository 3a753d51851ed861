#include "gpu/series.h"

#include "engine/gpu.h"

void mh_series_init(struct mh_series *s, const struct mh_config *cfg)
{
    s->every = cfg->run.log_series;
    s->next = s->every ? s->every : UINT64_MAX;
}

static void take_one(struct mh_series *s, struct mh_gpu *g, uint32_t tenant)
{
    const struct mh_counters *c = &g->tenant[tenant].count;
    struct mh_series_row row = {.cycle = g->wheel.now, .tenant = tenant};
    const uint64_t now[] = {
#define MH_SERIES(field) c->field,
#include "memhelm/series.def"
    };

    for (uint32_t i = 0; i < MH_SERIES_COLUMNS; i++) {
        row.delta[i] = now[i] - s->last[tenant][i];
        s->last[tenant][i] = now[i];
    }
    if (s->obs.series)
        s->obs.series(s->obs.ctx, &row);
}

void mh_series_take(struct mh_gpu *g)
{
    g->series->next += g->series->every;
    for (uint32_t t = 0; t < g->tenants; t++)
        take_one(g->series, g, t);
}
