/*
 * The names that metrics of rows files may use, and their values in one point:
 *
 *     COUNTER            a tenant counter of the register table in lower case, such as walk_cycles; COUNTER[t] of one
 *                        tenant, without it the sum of all
 *     alone.COUNTER      the same of the tenants' alone runs; alone.cycles[t]
 *     ipc speedup        of one tenant ([t]); ipc of all together is their sum
 *     weighted_speedup harmonic_speedup max_slowdown fairness
 *     dram_share         used part of the DRAM's peak bandwidth; of one tenant ([t]) or of all
 *     noc_share          the same of the crossbar towards the SMs, by data replies
 *     noc_burst dram_burst  standard deviation over mean of reply flits, and of DRAM accesses, in 400 GPU cycles
 *                        (run/bursts.h); alone.noc_burst[t]
 *     demand_over        as noc_over, of the flits that the replies to new reads will have (run/bursts.h): figure 3
 *     noc_over dram_over the share of such periods in which they were more than 60 % of the crossbar's peak, 70 % of
 *                        the DRAM's; alone.noc_over[t]
 *     decision_latency   GPU cycles from timer to COMMIT, mean
 *     walk_epoch_latency GPU cycles from the end of a walk epoch to the COMMIT that answers it, mean
 *     cycles tenants     window; number of tenants
 *     sms                SMs of one tenant ([t]), or of all
 *     epochs missed      expiries of timer 0; those without a COMMIT before the next one
 *     walk_epochs walk_missed  ends of walk epochs; those without an answer before the next one
 *     knob.NAME          a knob of the register table in lower case when the run ends; of tenants' knobs the sum, or
 *                        one tenant's ([t]); of masks the SMs in them; WALKER_OWNER is no number
 *     config.KEY         a number of the configuration, such as config.sm.count
 */
#ifndef HOST_PLAN_QUANTITY_H
#define HOST_PLAN_QUANTITY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/words.h"
#include "metrics.h"
#include "memhelm/config.h"
#include "plan.h"

/** -1 and the name in `err` when this model has no such value. */
int values_check(const struct expr *e, struct mh_error *err);

/** -1 and the reason in `err` when it asks for a tenant beyond the first `tenants`. */
int values_check_tenants(const struct expr *e, unsigned tenants, struct mh_error *err);

/** Does it look at alone runs? */
bool values_need_alone(const struct expr *e);

/** Does it look at bursts, and so at a series of each run? */
bool values_need_series(const struct expr *e);

/** The metric of a point; NaN when a run of it has no result, or a division by 0. */
double values_of(const struct expr *e, const struct point *p);

/** Why that is NaN, or infinite, although all runs have results: a few words. */
void values_reason(const struct expr *e, const struct point *p, char *text, size_t size);

/** Its weighted speedup, as `weighted_speedup`. */
double values_weighted_speedup(const struct point *p);

/* Numbers of the configuration, by their keys, such as `sm.count`. */

/** NaN: there is no such key, or it is no number. */
double config_key_value(const struct mh_config *cfg, const char *key);

/** Is there such a key, and is it a number? */
bool config_key_is(const char *key);

/** The one that is nearest to `key`. */
struct nearest config_key_near(const char *key);

/* The names that a metric may have, for people. */

/** A table: name, whether one tenant has it, unit, meaning. */
void quantities_show(FILE *out);

#endif
