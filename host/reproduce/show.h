/* What `memhelm reproduce` prints: rows compared with the paper, grids, the list of rows; also as Markdown. */
#ifndef HOST_REPRODUCE_SHOW_H
#define HOST_REPRODUCE_SHOW_H

#include <jansson.h>
#include <stdio.h>

#include "reproduce.h"

/** Everything on the terminal; the last line counts. */
void show_reproduction(const struct reproduction *r, FILE *out);

/** Ids, figures, claims and the number of workloads; nothing is run. */
void show_list(const struct reproduction *r, FILE *out);

/** What show_reproduction() says, written to `path` as Markdown: the rows first. */
int show_markdown(const struct reproduction *r, const char *path, struct mh_error *err);

/* Bar plots of a study by gnuplot, each as SVG and PNG, with its data and script. */

/**
 * What `plots` of the rows file say, with the rows and grids of the call; of a grid that none of them has, a group of
 * bars per workload; and STUDY-rows: the paper's effects and ours.
 */
int plot_write(const struct reproduction *r, const char *dir, struct mh_error *err);

/* Figures from a recording (--from-recorded): its file has the cells of rows and grids, and nothing runs. */

/**
 * Reads the recording of `o->study`, from the file `o->recorded` or, if that is empty, from
 * host/reproduce/results/STUDY.json.zst; sets the seeds of `o` to the recorded ones. NULL and `err`: unreadable, of
 * another study, or no recording of rows. The caller releases it.
 */
json_t *from_recorded_read(struct reproduce_options *o, struct mh_error *err);

/**
 * Fills the cells of all series of `r`. Rows and columns that the recording lacks have no value; `missing` is their
 * number. -1 and `err`: a row or column has other workloads than were recorded.
 */
int from_recorded_fill(struct reproduction *r, const json_t *recording, unsigned *missing, struct mh_error *err);

/* What `memhelm reproduce` measured, as JSON: schema memhelm-reproduce-1. */

/**
 * Rows and grids with every cell; the same bytes for the same input. Of a row `ours`, `interval` (half its width),
 * `least` and `most` (of a seed), `verdict`; of a mean over workloads also `median`, `quartiles`, `moves_most` and
 * `one_pair` (outcome.h). Of each series `core` ({name, hz}; hz 0 is infinitely fast; null: a twin), `cells`, a list
 * per seed, and `partitions` and `against_partitions` where one of several counts. `config_sha256` is over all runs of
 * it.
 */
int rows_json_write(const struct reproduction *r, const char *path, struct mh_error *err);

#endif
