/* What wakes the core, and what a run says of it. */
#ifndef HOST_BUDGET_SOURCES_H
#define HOST_BUDGET_SOURCES_H

#include "limits.h"
#include "memhelm/record.h"

enum event_source { SOURCE_EPOCH, SOURCE_WALK_EPOCH, SOURCE_ARRIVAL, SOURCES };

struct source_info {
    const char *name;   /**< as in limits and results */
    const char *hook;   /**< of policies */
    const char *missed; /**< when its deadline is missed */
    bool limited;
    enum limit limit; /**< of its core cycles, if limited */
};
extern const struct source_info source_infos[SOURCES];

struct source_stats {
    uint64_t decisions, sum, min, max; /**< core cycles, bus stalls excluded */
    uint64_t raised;                   /**< events with a deadline; 0 where the run does not count them */
    uint64_t missed;                   /**< deadlines */
};

struct source_stats source_read(const struct mh_result *r, enum event_source source);

/** Share of the time since GPU time began in which the core was awake; NaN without any. */
double core_duty(const struct mh_result *r);

#endif
