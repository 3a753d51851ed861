/*
 * Epoch logs as small panels: quantities below each other, a column per run, all over one time axis; a line for
 * each tenant. A quantity has one scale in all runs.
 */
#ifndef HOST_REPORT_EPOCH_PLOT_H
#define HOST_REPORT_EPOCH_PLOT_H

#include "epoch_log.h"

enum { EPOCH_PLOT_PANELS = 8, EPOCH_PLOT_LOGS = 8 };

struct epoch_plot {
    const char *files[EPOCH_PLOT_LOGS];
    unsigned file_count;
    const char *panels[EPOCH_PLOT_PANELS]; /**< expressions of columns (plan/expr.h), such as `lane_instr / cycles` */
    unsigned panel_count; /**< 0: IPC, misses of the L2 TLB, latency of decisions, and knobs that change */
    bool sums;            /**< also the running sum, on the right axis */
    const char *title;    /**< NULL: none */
};

/** Reads the logs and writes DIR/NAME.dat and .gp, and .svg and .png by gnuplot. */
int epoch_plot_write(const struct epoch_plot *p, const char *dir, const char *name, struct mh_error *err);

#endif
