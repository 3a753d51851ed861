/*
 * timeline.json: trace events of Chrome and Perfetto. It is made at the end of a run from what was kept in a bounded
 * place: when that is full every second piece goes, and from then on every second one is not kept, and so on. The file
 * has at most MH_TIMELINE_BYTES.
 */
#ifndef MEMHELM_RECORD_TIMELINE_H
#define MEMHELM_RECORD_TIMELINE_H

#include <stdio.h>

#include "memhelm/record.h"

enum {
    MH_TIMELINE_SAMPLES = 2048,
    MH_TIMELINE_SLICES = 16384, /**< of the mcu */
    MH_TIMELINE_MARKS = 16384,  /**< SNAPSHOTs and COMMITs */
    MH_TIMELINE_FAULTS = 16384,
    MH_TIMELINE_BYTES = 32 << 20
};

struct mh_timeline_log;

/** NULL: out of memory. `cfg` must stay. */
struct mh_timeline_log *mh_timeline_open(const struct mh_config *cfg);
void mh_timeline_close(struct mh_timeline_log *l);

void mh_timeline_sample(struct mh_timeline_log *l, const struct mh_timeline_sample *s);
void mh_timeline_fault(struct mh_timeline_log *l, const struct mh_page_fault *f);
void mh_timeline_slice(struct mh_timeline_log *l, enum mh_mcu_work work, const char *name, uint64_t from, uint64_t to);

/** The mcu wrote SNAPSHOT or COMMIT. */
void mh_timeline_mark(struct mh_timeline_log *l, uint64_t cycle, const char *name);

/** The file; nothing is added any more. */
void mh_timeline_write(const struct mh_timeline_log *l, FILE *out);

#endif
