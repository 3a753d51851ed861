#include "sources.h"

#include <math.h>

const struct source_info source_infos[SOURCES] = {
    {"epoch", "on_epoch", "the next epoch ends before the COMMIT", true, LIMIT_EPOCH},
    {"walk_epoch", "on_walk_epoch", "the next walk epoch ends before the COMMIT", true, LIMIT_WALK_EPOCH},
    {"arrival", "on_arrival", "the FIFO is full, or no walk of the instruction waits any more when its score comes",
     false, 0},
};

struct source_stats source_read(const struct mh_result *r, enum event_source source)
{
    const struct mh_core_stats *c = &r->core;
    const struct mh_control_stats *g = &r->stats.control;
    switch (source) {
    case SOURCE_EPOCH:
        return (struct source_stats){c->decisions,    c->decision_sum, c->decision_min,
                                     c->decision_max, g->epochs,       g->missed};
    case SOURCE_WALK_EPOCH:
        return (struct source_stats){c->walk_decisions,    c->walk_decision_sum, c->walk_decision_min,
                                     c->walk_decision_max, g->walk_epochs,       g->walk_missed};
    default:
        return (struct source_stats){c->arrival_decisions,
                                     c->arrival_decision_sum,
                                     c->arrival_decision_min,
                                     c->arrival_decision_max,
                                     0,
                                     (uint64_t)g->arrivals_lost + g->scores_late};
    }
}

/* All of boot is awake. */
double core_duty(const struct mh_result *r)
{
    uint64_t awake = r->core.awake > r->core.boot ? r->core.awake - r->core.boot : 0;
    uint64_t all = awake + r->core.asleep;
    return all ? (double)awake / (double)all : (double)NAN;
}
