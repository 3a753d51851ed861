/*
 * The Trace Event Format of Chrome, which Perfetto reads: a JSON object with a list of events. Times in it are
 * microseconds with three decimals; here they are GPU cycles.
 */
#ifndef MEMHELM_RECORD_TRACE_EVENTS_H
#define MEMHELM_RECORD_TRACE_EVENTS_H

#include <stdbool.h>
#include <stdio.h>

#include "memhelm/record.h"

struct mh_trace_events {
    FILE *out;
    uint64_t gpu_hz;
    bool some;
};

/** How many of all pieces of a kind the file has. */
struct mh_trace_kept {
    const char *what;
    uint64_t kept, all;
};

void mh_trace_begin(struct mh_trace_events *e, FILE *out, const struct mh_config *cfg, uint64_t sample_cycles,
                    const struct mh_trace_kept *kept, uint32_t kinds);
void mh_trace_end(struct mh_trace_events *e);

/** A group of tracks, with a name; groups stand in the order of their numbers. */
void mh_trace_process(struct mh_trace_events *e, int pid, const char *name);

/** A counter's value from this cycle on. Names here and below are plain words. */
void mh_trace_counter(struct mh_trace_events *e, int pid, uint64_t cycle, const char *name, double value);

/** A track of a group that has more than one. Counters are tracks by themselves. */
void mh_trace_track(struct mh_trace_events *e, int pid, int tid, const char *name);

/** Slices of a track lie within one another or apart; what holds others comes first. */
void mh_trace_slice(struct mh_trace_events *e, int pid, int tid, uint64_t from, uint64_t to, const char *name);

/** On the first track. */
void mh_trace_mark(struct mh_trace_events *e, int pid, uint64_t cycle, const char *name);

/** From the first walk that missed the unit to the unit's arrival; faults may overlap. */
void mh_trace_fault(struct mh_trace_events *e, int pid, uint32_t id, const struct mh_page_fault *f);

#endif
