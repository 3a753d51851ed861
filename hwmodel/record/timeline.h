/*
 * timeline.json: trace events of Chrome and Perfetto. It is made at the end of a run from what was kept in a bounded
 * place: when that is full every second piece goes, and from then on every second one is not kept, and so on. The file
 * has at most MH_TIMELINE_BYTES.
 */
#ifndef MEMHELM_RECORD_TIMELINE_H
#define MEMHELM_RECORD_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memhelm/record.h"

/*
 * A list with room for so many items that keeps a part of all, spread over the run: when it is full every second one
 * goes, and from then on one of twice as many is kept. Items of a group stay or go together. A function of the items
 * alone, so the same in every run.
 */
struct mh_thinned {
    unsigned char *item;
    uint64_t *group; /**< [room] */
    size_t bytes;    /**< of an item */
    uint32_t room, count;
    uint64_t every; /**< one group of so many is kept */
    uint64_t all;   /**< items so far */
};

/** 0, or -1: out of memory. All is freed by mh_thinned_free(), also after -1. */
int mh_thinned_init(struct mh_thinned *t, size_t bytes, uint32_t room);
void mh_thinned_free(struct mh_thinned *t);

/** Adds a copy; `group` never falls. */
void mh_thinned_add(struct mh_thinned *t, uint64_t group, const void *item);

static inline const void *mh_thinned_at(const struct mh_thinned *t, uint32_t i)
{
    return t->item + i * t->bytes;
}

/*
 * The Trace Event Format of Chrome, which Perfetto reads: a JSON object with a list of events. Times in it are
 * microseconds with three decimals; here they are GPU cycles.
 */
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

/** A slice of a tenant's launch; a long name is cut. */
void mh_trace_launch(struct mh_trace_events *e, int pid, int tid, const struct mh_launch_row *row);

/** On the first track. */
void mh_trace_mark(struct mh_trace_events *e, int pid, uint64_t cycle, const char *name);

/** From the first walk that missed the unit to the unit's arrival; faults may overlap. */
void mh_trace_fault(struct mh_trace_events *e, int pid, uint32_t id, const struct mh_page_fault *f);

enum {
    MH_TIMELINE_SAMPLES = 2048, /**< a quarter of them with more than MH_TIMELINE_CHANNELS */
    MH_TIMELINE_CHANNELS = 128,
    MH_TIMELINE_SLICES = 16384, /**< of the mcu */
    MH_TIMELINE_MARKS = 16384,  /**< SNAPSHOTs and COMMITs */
    MH_TIMELINE_KNOBS = 8192,   /**< writes of another value */
    MH_TIMELINE_FAULTS = 16384,
    MH_TIMELINE_LAUNCHES = 8192,
    MH_TIMELINE_BYTES = 32 << 20
};

struct mh_timeline_log;

/** NULL: out of memory. `cfg` must stay. */
struct mh_timeline_log *mh_timeline_open(const struct mh_config *cfg);
void mh_timeline_close(struct mh_timeline_log *l);

void mh_timeline_sample(struct mh_timeline_log *l, const struct mh_timeline_sample *s);
void mh_timeline_fault(struct mh_timeline_log *l, const struct mh_page_fault *f);
void mh_timeline_slice(struct mh_timeline_log *l, enum mh_mcu_work work, const char *name, uint64_t from, uint64_t to);

void mh_timeline_launch(struct mh_timeline_log *l, const struct mh_launch_row *row);

/** The mcu wrote SNAPSHOT or COMMIT. */
void mh_timeline_mark(struct mh_timeline_log *l, uint64_t cycle, const char *name);

/** The mcu wrote `value` to the register at `offset`: kept if that is a knob of the whole GPU and had another value. */
void mh_timeline_register(struct mh_timeline_log *l, uint64_t cycle, uint32_t offset, uint32_t value);

/** The file; nothing is added any more. */
void mh_timeline_write(const struct mh_timeline_log *l, FILE *out);

#endif
