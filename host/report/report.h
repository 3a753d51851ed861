/*
 * Tables for the terminal. Decisions are those that were applied: a COMMIT that answered timer 0. Cycles of the mcu per
 * decision are what the firmware reported, or what was counted if that is more, bus stalls excluded; the twin has none.
 * Walk epochs stand apart; one is missed when no answer came before the next. The twin answers in the same cycle: it
 * misses what its policy never answers.
 */
#ifndef HOST_REPORT_REPORT_H
#define HOST_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "base/table.h"
#include "plan/plan.h"

/**
 * The first image in detail: tenants, the GPU, the firmware. A line warns of a source of which more than 1 % [ours] is
 * missed, and of one that raised n questions and got more than 2 n + 10 decisions.
 */
void report_run(const struct experiment *x, FILE *out);

/** Of one run of several: what it finished, and warnings, a line each that begins with the image's name. */
void report_lines(const struct sim *s, FILE *out);

/**
 * A row per image, with the change against the first; all columns with options->wide. Of several seeds the mean and
 * half of its 95 % interval; changes are paired by seed.
 */
void report_compare(const struct experiment *x, FILE *out);

/** The tables of report_compare(), alone. */
void report_compare_tables(const struct experiment *x, const struct doc *d);

/**
 * A line per image and seed: seed, metrics of all tenants together, then kernel[t], ipc[t], ipc_alone[t], speedup[t];
 * names and units are those of a sweep's points (plan/quantity.h). A run without a result has empty cells.
 */
void report_compare_csv(const struct experiment *x, FILE *out);

/**
 * Bars in parts of the first image's: weighted speedup and each tenant's IPC; with `columns` 1 or 2 as wide as those of
 * a paper, without a title. -1 and `err`.
 */
int report_compare_plot(const struct experiment *x, unsigned columns, const char *path, struct mh_error *err);

/** Wall time and simulated cycles per second of what was run. */
void report_speed(const struct experiment *x, FILE *out);

/* --- What a result says of itself: the line above its tables, and what made it. */

/** "MVT+GUPS": the tenants' kernels without their sizes, with `between` them. */
void report_workload(const struct mh_config *cfg, const char *between, char *text, size_t size);

/** "mask as changed by 2 keys: MVT + GUPS, 300000 GPU cycles, seed 1, ..", and below it who comes and goes. */
void report_title(const struct experiment *x, FILE *out);

/* What made the numbers of a recorded file: its images and configurations (hash.h has model, machine, commit). */

/** Adds `made_by`, and `images`: file (NAME.elf or, of a twin, NAME.so) to the SHA-256 of each image in the plan. */
void made_put(json_t *o, const struct plan *p);

/** Adds the configurations of all runs of `points` in their order, alone runs included. */
void made_add_configs(struct hash *h, const struct point *points, size_t count);

/* --- What a table of numbers would not tell who only looks at the speedup. */

/** A line for a run that went on although something went wrong with its mcu. */
void report_recovery(const struct sim *s, FILE *out);

/** A list of the swaps, each with image, cycle, no_policy, ipc_before, ipc_during, ipc_after. */
json_t *result_swaps(const struct sim *s);

/** Addresses of recordings that were moved into buffers: a line for each tenant that has some. */
void report_moved(const struct sim *s, FILE *out);

/** A line when the run ends before its first epoch. Walk epochs and events may have asked for decisions. */
void report_short(const struct mh_config *cfg, FILE *out);

/** Tenants that are faster beside others than alone, which no sharing does: a line each. */
void report_faster(const struct mh_config *cfg, const struct metrics *m, FILE *out);

/**
 * A line for each event source with missed decisions or an interrupt that is not acknowledged, a line for decisions
 * that took longer than the firmware reported, and a line for work outside of all decisions.
 */
void report_warnings(const struct sim *s, FILE *out);

/* Launches of a run with --per-launch, from its timeline. */

/** A list, in the order of their ends: tenant, launch (from 0 on), kernel, cycle, cycles, lane_instr, ipc, finished. */
json_t *result_launches(const struct sim *s);

/*
 * A run's series as CCBP draws it (figures 3, 4 and 12): what crossbar and DRAM carry in each period, and what replies
 * reads ask the crossbar for, tenants one upon the other, in percent of what they sustain (sec. 3.2). The end of the
 * run, where policies have settled.
 */

/** Draws the first image's run into `path`; data and script stand beside it. Nothing of a run without a result. */
int series_plot_write(const struct experiment *x, const char *path, struct mh_error *err);

/*
 * Results and timings as JSON files. memhelm-result-1 has
 *
 *     made_by          commit, model, machine (hash.h)
 *     image            name, machine, sha256, sizes
 *     core             whose times the instructions take: name, sha256 of its table; null of a twin
 *     workload seed config config_sha256    a trace as trace:SHA256, of a list of files, of their digests; an
 *                                           input as KERNEL:SHA256
 *     alone            image of the alone runs; null without
 *     metrics          metrics.h, and `swaps` of images that took over: result_swaps(); null of a run that did not pass
 *     run              the statistics as the simulation wrote them (hwmodel/record)
 *     launches         with --per-launch alone: result_launches()
 *
 * No time, host, path or name of an output is in it. With --mcu-hz inf, QEMU and --twin differ in `image`, `core`, the
 * sha256 of `alone` and `run.core`, which only a core can measure, and in nothing else.
 */

/** The first image: schema memhelm-result-1. -1 and `err` when it cannot be written; nothing for a run without a
 * result. */
int result_write_run(const struct experiment *x, const char *path, struct mh_error *err);

/** All images: schema memhelm-compare-1, `results` holding one memhelm-result-1 each that has a result. */
int result_write_compare(const struct experiment *x, const char *path, struct mh_error *err);

/** Wall times: schema memhelm-timing-1. The only file that knows them. */
int result_write_timing(const struct experiment *x, const char *path, struct mh_error *err);

/* What demand paging did to each tenant: lines of the report of a run. */

/** A line per tenant; none with uvm.mode off. */
void report_paging(const struct mh_config *cfg, const struct mh_stats *stats, FILE *out);

/** Columns of a comparison: page faults, evictions and MB over the link, of all tenants. None with uvm.mode off. */
void report_paging_heading(const struct mh_config *cfg, struct table *t);
void report_paging_cells(const struct mh_config *cfg, const struct mh_stats *stats, struct table *t);

#endif
