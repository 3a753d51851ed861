/* Images, what they need, and what they may need: everything that `memhelm budget` shows. */
#ifndef HOST_BUDGET_BUDGET_H
#define HOST_BUDGET_BUDGET_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "code/program.h"
#include "limits.h"
#include "plan/plan.h"
#include "profile/interrupt.h"
#include "profile/profile.h"

/*
 * What was accepted of images before: `memhelm-baseline-2`, a file that is checked in. It shows which figure grew, and
 * which function. It holds sizes, so that equal inputs give equal bytes; no dates.
 */

/** What a function has, and what it takes. */
enum baseline_part {
    BASELINE_BYTES,  /**< of code */
    BASELINE_FRAME,  /**< bytes of its stack frame */
    BASELINE_CYCLES, /**< of the mcu, in the longest decision in which it is (callees apart) */
    BASELINE_PARTS
};

struct baseline_function {
    const char *name;
    uint64_t parts[BASELINE_PARTS];
};

/** What an image needed when it was accepted last. Figures are in the units of their limits; 0: none then. */
struct baseline {
    bool present;
    uint64_t needs[LIMITS];
    const char *core; /**< whose cycles */
    struct baseline_function *functions;
    unsigned count;
    json_t *json; /**< owner of the texts */
};

/** Entries that the file keeps of an image, the oldest first. */
enum { BASELINE_HISTORY = 5 };

/** The images of a file, none if there is no such file; the caller releases them. NULL and `err` when it is damaged. */
json_t *baselines_read(const char *path, struct mh_error *err);

/** The baseline of one of them; `present` is false without one. -1 and `err` when it is damaged. */
int baseline_of_image(struct baseline *b, json_t *images, const char *image, struct mh_error *err);

/** Puts `now` behind the entries of `before`; the same figures again add none. */
void baseline_put(json_t *images, const char *image, const struct baseline *now, const struct baseline *before,
                  const char *sha256);

/** Writes a file: images and functions by name, a line for each measurement and function. */
int baselines_write(json_t *images, const char *path, struct mh_error *err);
void baseline_free(struct baseline *b);

/** NULL when there was none. */
const struct baseline_function *baseline_function(const struct baseline *b, const char *name);

enum { BUDGET_IMAGES = 128, BUDGET_CLOCKS = 8, BUDGET_SETS = 16 };

/** The command line. NULL, 0 or false = not given. */
struct budget_request {
    const char *images[BUDGET_IMAGES];
    unsigned image_count;
    const char *clocks[BUDGET_CLOCKS]; /**< of the mcu, in Hz, as mcu.hz takes them */
    unsigned clock_count;
    const char *core;              /**< whose cycles; NULL: that of the limits */
    const char *sets[BUDGET_SETS]; /**< key=value */
    unsigned set_count;
    const char *limits, *reference; /**< files in place of the built-in ones */
    const char *baselines;          /**< file of the baselines; NULL: they do not matter */
    const char *flame, *callgrind;  /**< files, of the first image */
    const char *json, *keep;
    bool no_runs; /**< what can be said without */
    bool check;   /**< the workloads that are marked so, at the last clock; against the baselines */
    bool accept;  /**< the same; what is measured becomes the baseline */
    unsigned jobs;
};

struct budget_image {
    struct image image;
    const struct reference_preset *preset;
    bool known; /**< `program` is valid; else `why` says what cannot be said of it */
    struct program program;
    struct code code; /**< of program.symbols, on the core */
    struct checks checks;
    struct mh_error why;
    struct owner owners[OWNERS];
    unsigned owner_count;
    struct baseline baseline; /**< `present` only with request->baselines */
};

/** An image on a workload at a clock. */
struct budget_run {
    unsigned image;
    const struct reference_workload *workload;
    struct kept_sim *kept;
    struct profile *profile; /**< of a run that passed; else NULL */
    uint64_t trap;           /**< mean mcu cycles of an interrupt without its decisions (profile/interrupt.h) */
    struct interrupt around[MH_SOURCES]; /**< the longest around one decision for the source */
    struct checks_run checks;
};

struct budget {
    const struct budget_request *request;
    struct reference reference;
    struct limits limits;
    struct core core;
    json_t *baselines; /**< NULL without request->baselines */
    struct budget_image *images;
    unsigned image_count;
    struct budget_run *runs; /**< by image, workload, clock */
    unsigned run_count;
    struct plan *plan; /**< of `runs`; NULL with request->no_runs */
};

/** Checks and looks at everything that needs no run. NULL and `err` on failure. */
struct budget *budget_open(const struct budget_request *q, struct mh_error *err);
void budget_close(struct budget *b);

/**
 * Runs what the store does not have; with request->keep everything, for its directories. 0, or the number of the signal
 * that ended it early; -1 and `err` when counts cannot be read.
 */
int budget_run_all(struct budget *b, struct mh_error *err);

/** Did the run pass, and is what it executed known? */
bool budget_passed(const struct budget_run *r);

/** Decisions of a run for a source; NULL when it made none. */
const struct series *budget_series(const struct budget_run *r, unsigned source);

/** Mcu cycles of an interrupt around a decision for a source: at most, or where that is not known the run's
 * mean. */
uint64_t budget_interrupt(const struct budget_run *r, unsigned source);

/** What is limited: mcu cycles of the longest decision for a source, with the interrupt around it; 0 without one. */
uint64_t budget_cycles(const struct budget_run *r, unsigned source);

/** The image's run with a source's longest decision, or with a hook's longest call; NULL when there was none. */
const struct budget_run *budget_longest_source(const struct budget *b, unsigned image, unsigned source);
const struct budget_run *budget_longest_hook(const struct budget *b, unsigned image, unsigned hook);

/** "mask_tokens_decide 2569, memcpy 2297": where the longest decision of a series was spent, the most first. */
void budget_worst_text(const struct budget_image *i, const struct series *s, char *text, size_t size);

/** Core whose cycles the runs count. */
const char *budget_core(const struct budget *b);

/** Deepest stack that a run of the image has seen, bytes; 0 without one. */
uint32_t budget_stack_measured(const struct budget *b, unsigned image);

/** The most that the image needs of what is limited but for cycles; of cycles, in its runs (0: no such decision). */
uint64_t budget_need(const struct budget *b, unsigned image, enum limit limit);

#endif
