/*
 * The experiment: each image on mcus of several clocks and bus latencies, in no time, and not at all, on a few
 * workloads, and what came out.
 */
#ifndef HOST_LATENCY_LATENCY_H
#define HOST_LATENCY_LATENCY_H

#include "base/number.h"
#include "base/table.h"
#include "plan/plan.h"
#include "set.h"

enum {
    LATENCY_IMAGES = 127,
    LATENCY_SETS = 16,
    LATENCY_SEEDS = 5 /**< unless the request says otherwise */
};

/** Pointers are into argv. NULL, 0 or false = not given. */
struct latency_request {
    const char *images[LATENCY_IMAGES]; /**< none: those of the set that are built */
    unsigned image_count;
    bool all; /**< variants, too */
    const char *preset, *core, *reference;
    const char *workloads[SET_WORKLOADS];
    unsigned workload_count;
    const char *sets[LATENCY_SETS];
    unsigned set_count;
    uint64_t cycles;
    unsigned seed_first, seeds; /**< all points are run with `seeds` of them, at most SEEDS_MOST */
    unsigned jobs;
    const char *results;
};

/** An image with its runs. */
struct latency_image {
    const char *what; /**< a name, or the path of an ELF file */
    struct set_preset how;
    const char *workloads[SET_WORKLOADS];
    unsigned workload_count;
    struct point *cells;   /**< [point][workload][seed]: see latency_cell() */
    struct point *guarded; /**< [point][workload]: the same with the watchdog on; empty: it cannot bite */
    const char *core;      /**< that its firmware ran on */
};

struct latency {
    const struct latency_request *request;
    struct latency_set set;
    struct latency_image images[LATENCY_IMAGES];
    unsigned image_count;
    struct plan *plan;
    bool guessed; /**< the cost of a workload was not measured */
};

/** Decides what is run and checks it. NULL and `err`: bad input, nothing was run. */
struct latency *latency_open(const struct latency_request *request, struct mh_error *err);

/** Runs what the store does not have. 0, or the number of the signal that ended it early; -1 and `err`. */
int latency_run(struct latency *l, struct mh_error *err);

void latency_close(struct latency *l);

/** The run of `seed` (from 0). */
struct point *latency_cell(const struct latency *l, const struct latency_image *image, unsigned point,
                           unsigned workload, unsigned seed);

/** Name of the image, without path and suffix. */
const char *latency_image_name(const struct latency_image *image);

/** "MM+GUP": the kernels of a workload without their sizes. */
void latency_workload_name(const struct latency *l, const struct latency_image *image, unsigned workload, char *text,
                           size_t size);

/* What runs measured, and what that comes to: gains, what each point loses of them, how slow the mcu may be. */

/** One point of an image, over its workloads, seeds and event sources. NaN where a run has no result. */
struct latency_row {
    double fairness;                     /**< of the workloads: geometric mean; mean over the seeds */
    double answer_mean;                  /**< GPU cycles from question to answer, all sources and workloads */
    uint64_t answer_max, raised, missed; /**< questions, those answered too late or never; all runs together */
    double awake;                        /**< share of time without boot, mean of the runs; NaN in no time */
    bool bites;                          /**< the watchdog would */
};

void latency_row(const struct latency *l, const struct latency_image *image, unsigned point, struct latency_row *row);

/** Weighted speedup of one run; NaN when it or an alone run has no result. */
double latency_speedup(const struct latency *l, const struct latency_image *image, unsigned point, unsigned workload,
                       unsigned seed);

/*
 * What of a gain is kept, and down to where: pure functions over paired values. A gain is weighted speedup over that of
 * no policy with the same seed, less 1. A loss is the gain in no time less the gain at a point, with the same seed.
 */

#define KNEE_LOSS 0.05 /**< part of the gain in no time that may be missing where it counts as kept */

/** What there is to keep. */
enum gain_verdict {
    GAIN_UNKNOWN,  /**< a run is missing */
    GAIN_ONE_SEED, /**< one value has no interval */
    GAIN_REAL,     /**< above 0 by more than the interval */
    GAIN_NONE,     /**< within it: nothing to gain */
    GAIN_LOSS      /**< below 0 by more */
};

enum gain_verdict gain_judge(const struct interval *gain);

/** What a point does to a gain that is real. */
enum keep {
    KEEP_UNKNOWN, /**< a run is missing */
    KEEP_KEPT,    /**< the mean loss is at most KNEE_LOSS of the gain, and known better than to the gain itself */
    KEEP_UNSHOWN, /**< it is more, but not beyond its interval: no loss shown */
    KEEP_UNCLEAR, /**< no loss beyond an interval so wide that it would not show the loss of the whole gain */
    KEEP_LOST     /**< it is more, and beyond its interval */
};

/**
 * `gain` is that in no time, above 0. A loss is unclear where a gain is barely one, or where a workload has two states
 * and the seed decides between them.
 */
enum keep keep_judge(const struct interval *gain, const struct interval *loss);

/** Does the mcu cost something, whatever there is to gain: is the loss above 0 by more than its interval? */
bool loss_is_cost(const struct interval *loss);

/**
 * How many points, from the first (the fastest mcu, the shortest bus) on, keep: the last of them is the knee. 0: not
 * even the first. -1: a run is missing before the first that does not.
 */
struct knee {
    int knee; /**< where no loss shown counts as kept; what is unclear never does */
    int kept; /**< where it does not */
};

struct knee knee_find(const enum keep *points, unsigned count);

/** A workload of an image. Each value is of one seed, against runs with the same seed. */
struct latency_losses {
    struct interval gain[POINTS]; /**< over no policy; the first: in no time */
    struct interval loss[POINTS]; /**< gain in no time less that of the point */
    enum gain_verdict verdict;    /**< of the gain in no time */
    enum keep keep[POINTS];       /**< of firmware's points, where the verdict is GAIN_REAL */
    struct knee clock, bus;       /**< the same */
};

void latency_losses(const struct latency *l, const struct latency_image *image, unsigned workload,
                    struct latency_losses *losses);

/** Part of the gain in no time that a point keeps: 1 = all, below 0 = it loses more than there was. */
double latency_kept(const struct latency_losses *losses, unsigned point);

/** An image as a whole. */
struct latency_summary {
    struct latency_losses workloads[SET_WORKLOADS];
    enum gain_verdict verdict; /**< real: of one workload; else loss: of one; unknown, one seed: of any */
    /* Of a real verdict: */
    unsigned worst; /**< the workload with the fastest knee; of several, that with the least kept at POINTS_HZ */
    struct knee clock, bus; /**< the worst of all workloads with something to gain */
    bool lost;              /**< a gain is lost at POINTS_HZ */
};

void latency_summarise(const struct latency *l, const struct latency_image *image, struct latency_summary *s);

/* A table per image with its knee in words; one of all, the least affordable first; the same as JSON and as figures. */

/** All tables; in Markdown that of all images stands first. */
void latency_report(const struct latency *l, const struct doc *d);

/** All images: which gains firmware cannot afford, in words, and a row per image, the worst first. */
void latency_all(const struct latency *l, const struct doc *d);

/**
 * memhelm-latency-2: all that was measured. Of each image: what it ran on, its knees, its workloads and its points. In
 * a point, `speedups` has a list per workload of a number per seed; `gains`, `losses`, `loss_halves` and `keeps` have a
 * value per workload. A knee is a clock in Hz or a bus latency, null where none keeps the gain.
 */
int latency_write_json(const struct latency *l, const char *path, struct mh_error *err);

/**
 * latency-IMAGE.svg and .png in `dir`, with their data and script: a line per workload, its gain over the mcu's clock
 * and over bus latency with the interval of what is lost of it, its gain in no time without points, and the knee if
 * there is one.
 */
int latency_plot(const struct latency *l, const char *dir, struct mh_error *err);

/* --- Numbers and knees in words. */

enum { WORDS = 64 };

/** "+93.8 +- 60.3 %", "0.04 +- 0.01 %" (small, and known better than that); without an interval the mean alone. */
void words_interval(const struct interval *i, bool sign, char text[WORDS]);

/** A workload's loss at a point with what it means: "", "?" (no loss shown), "unclear", "lost", "costs". */
void words_loss(const struct latency_losses *losses, unsigned point, char text[WORDS]);

/** "200 MHz", "not even 2 GHz", "runs are missing"; of a number of points that keep: see struct knee. */
void words_clock(int keeping, char text[WORDS]);

/** The greatest bus latency that keeps the gain: "100", "not even 5". */
void words_bus(int keeping, char text[WORDS]);

/** A point of a list, which begins with `name`, for each workload whose gain is lost at POINTS_HZ; how many. */
unsigned words_lost(const struct latency *l, const struct latency_image *image, const struct latency_summary *s,
                    const char *name, const struct doc *d);

#endif
