/*
 * What a workload's memory holds: the bytes of any place at a time. Arrays begin as the published program fills them,
 * and each launch changes them as the program computes. See README.md.
 */
#ifndef MEMHELM_WORKLOAD_VALUES_H
#define MEMHELM_WORKLOAD_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"

struct mh_values;
struct mh_workload;

/** True if the kernel of NAME[@..] has values, and `w`, unless it is NULL, is it; a trace has none. */
bool mh_values_known(const char *spec, const struct mh_workload *w);

/** Of a workload that mh_workload_create() made of `spec` and that outlives them. NULL and `err`: none, no memory. */
struct mh_values *mh_values_create(const char *spec, const struct mh_workload *w, struct mh_error *err);

void mh_values_destroy(struct mh_values *v);

/** `launches` of the workload's launches have finished, 0..launch_count; never fewer than before. Costs nothing until
 * they are read. */
void mh_values_finish(struct mh_values *v, uint32_t launches);

/** The workload starts again, from its input. */
void mh_values_restart(struct mh_values *v);

/**
 * The bytes at `va`. `stored`: as the launch that runs will leave them, for what it has stored already; else as the
 * last that finished has left them. What lies in no buffer is zero. Nothing of it depends on what was read before.
 */
void mh_values_read(struct mh_values *v, bool stored, uint64_t va, void *bytes, uint32_t count);

/** Array `i`, in the order of the program's allocations: its name in the source, where it is; NULL: there are fewer. */
const char *mh_values_array(const struct mh_values *v, uint32_t i, uint64_t *base, uint64_t *bytes);

#endif
