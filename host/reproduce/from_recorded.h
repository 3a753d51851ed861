/* Figures from a recording (--from-recorded): cells of rows and grids are read from its file, and nothing runs. */
#ifndef HOST_REPRODUCE_FROM_RECORDED_H
#define HOST_REPRODUCE_FROM_RECORDED_H

#include <jansson.h>

#include "reproduce.h"

/**
 * The recording of `o->study`, from the file `o->recorded` or, if that is empty, host/reproduce/results/STUDY.json.zst;
 * sets the seeds of `o` to the recorded ones. NULL and `err`: unreadable, of another study, or no recording of rows.
 * The caller releases it.
 */
json_t *from_recorded_read(struct reproduce_options *o, struct mh_error *err);

/**
 * Fills the cells of all series of `r`. Rows and columns that the recording lacks have no value; `missing` is their
 * number. -1 and `err`: a row or column has other workloads than were recorded.
 */
int from_recorded_fill(struct reproduction *r, const json_t *recording, unsigned *missing, struct mh_error *err);

#endif
