/* A run's epoch log, as `memhelm run --epochs` writes it: a row for each epoch and tenant. */
#ifndef HOST_REPORT_EPOCH_LOG_H
#define HOST_REPORT_EPOCH_LOG_H

#include <stdbool.h>

#include "memhelm/config.h"
#include "plan/metrics.h"

enum { EPOCH_COLUMNS = 256 };

struct epoch_log {
    char name[64]; /**< of the file, without directory and .csv */
    char *text;    /**< of the heading, which `columns` points into */
    const char *columns[EPOCH_COLUMNS];
    unsigned column_count, epochs, tenants;
    bool named;                       /**< it has tenants' kernels behind its columns */
    char kernels[MH_MAX_TENANTS][64]; /**< of tenants; "": logs of before had no such column */
    double *values;                   /**< [epoch][tenant][column]; NaN: nothing there; of a mask the SMs in it */
};

/** -1 and `err`: it cannot be read, or is no epoch log. epoch_log_free() frees it. */
int epoch_log_read(struct epoch_log *l, const char *path, struct mh_error *err);
void epoch_log_free(struct epoch_log *l);

/** The tenant's kernel, with the tenant's number if another one has it too; without a name, "tenant 1". */
void epoch_log_tenant(const struct epoch_log *l, unsigned tenant, char *text, size_t size);

/** The column of that name; -1: there is none. */
int epoch_log_column(const struct epoch_log *l, const char *name);

double epoch_log_at(const struct epoch_log *l, unsigned epoch, unsigned tenant, unsigned column);

/** GPU cycle at which the epoch began. */
double epoch_log_begin(const struct epoch_log *l, unsigned epoch);

/** Are all names in it columns, or `cycles`, the epoch's length? -1 and `err` with the nearest one. */
int epoch_log_check(const struct epoch_log *l, const struct expr *e, struct mh_error *err);

/** Of one epoch and tenant, with the knobs in force during it (NaN: the first one, of which no row is); `name[1]` is of
 * that tenant whatever `tenant` says. */
double epoch_log_value(const struct epoch_log *l, const struct expr *e, unsigned epoch, unsigned tenant);

/** The unit of a knob's column; NULL: it is none. */
const char *epoch_log_knob(const char *column);

/** Is the column a knob that has more than one value in the log? */
bool epoch_log_turns(const struct epoch_log *l, unsigned column);

/*
 * Epoch logs as small panels: quantities below each other, runs beside each other, all over one time axis; a line for
 * each tenant. A quantity has one scale in all runs.
 */

enum { EPOCH_PLOT_PANELS = 8, EPOCH_PLOT_LOGS = 8 };

struct epoch_plot {
    const char *files[EPOCH_PLOT_LOGS];
    unsigned file_count;
    const char
        *panels[EPOCH_PLOT_PANELS]; /**< expressions of columns (plan/metrics.h), such as `lane_instr / cycles` */
    unsigned panel_count;           /**< 0: IPC, misses of the L2 TLB, latency of decisions, and knobs that change */
    bool sums;                      /**< also draws the sum up to each epoch, on the right axis */
    const char *title;              /**< NULL: none */
};

/** Reads the logs and writes DIR/NAME.dat and .gp, and .svg and .png by gnuplot. */
int epoch_plot_write(const struct epoch_plot *p, const char *dir, const char *name, struct mh_error *err);

#endif
