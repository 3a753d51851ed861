/* What the parts of a sweep share. */
#ifndef HOST_SWEEP_SWEEP_PRIVATE_H
#define HOST_SWEEP_SWEEP_PRIVATE_H

#include "sweep.h"

enum { SWEEP_METRICS = 24, SWEEP_REASON = 512 };

struct sweep {
    const struct sweep_request *request;
    struct choices choices;
    struct expr *metrics[SWEEP_METRICS];
    bool alone;           /**< a metric looks at alone runs */
    struct expr *planned; /**< of `metrics`, the one that asks most of a run */
    struct points_column columns[POINTS_COLUMNS];
    unsigned column_count;
    struct store *store;
    struct points_writer *points; /**< NULL: of a shard */
    char output[HOST_PATH], base[HOST_PATH];
    void *seen; /**< names of all runs so far (tsearch) */
    struct sweep_tally tally;
};

/** Makes the file of points, or goes on with it. */
int sweep_open_points(struct sweep *s, struct mh_error *err);

/** Where a point is on each axis: indices into the spec's words, and the combination of the varied keys. */
struct place {
    unsigned preset, design, workload, image;
    uint64_t choice;
    uint64_t seed;
};

/** Of point `n`, from 0. */
struct place place_of(const struct sweep *s, uint64_t n);

/** Plans point `n`. */
void place_plan(const struct sweep *s, struct plan *p, uint64_t n, struct point *out);

/** The file's columns, and the values that a point has in them. */
int columns_make(struct sweep *s, struct mh_error *err);

/**
 * `reason`: why it has none of its values; if that is empty each metric is computed, and those without a value
 * are the reason then. `why` may be NULL. Texts belong to the sweep, the point, and `reason`.
 */
void columns_values(const struct sweep *s, uint64_t n, const struct point *p, const char *why,
                    char reason[SWEEP_REASON], struct points_value values[POINTS_COLUMNS]);

/**
 * In what `p` differs from `first`, the same under the first image: a text for each tenant, to be freed. NULL: they are
 * the same point, or one of them has no result, or no sm.wait_reasons.
 */
char *why_text(const struct sweep *s, uint64_t n, const struct point *p, const struct point *first);

#endif
