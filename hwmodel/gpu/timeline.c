#include "gpu/timeline.h"

#include "dram/memory.h"
#include "engine/gpu.h"
#include "gpu/blocks.h"
#include "memhelm/dram.h"

void mh_timeline_init(struct mh_timeline *t, const struct mh_config *cfg)
{
    t->every = cfg->run.log_timeline;
    t->next = t->every ? t->every : UINT64_MAX;
}

void mh_timeline_take(struct mh_gpu *g)
{
    struct mh_timeline *t = g->timeline;
    struct mh_timeline_sample sample = {.cycle = g->wheel.now, .tenant = t->count, .channels = g->memory->channels};

    t->next += t->every;
    if (!t->obs.timeline)
        return;
    mh_blocks_counters(g, t->count);
    for (uint32_t c = 0; c < sample.channels; c++)
        sample.queued[c] = mh_dram_waiting(g->memory->channel[c].dram);
    t->obs.timeline(t->obs.ctx, &sample);
}
