#include "spread.h"

#include <math.h>
#include <stdlib.h>

/* Over the seeds. */
static double mean_without(const struct series *s, const double *cells, int without, enum aggregate over)
{
    double sum = 0;
    for (unsigned seed = 0; seed < s->seeds; seed++)
        sum += series_average(s, cells + (size_t)seed * s->workload_count, without, over, 0);
    return sum / s->seeds;
}

static void take_without(const struct series *s, const double *cells, enum aggregate over, struct spread *out)
{
    const double mean = mean_without(s, cells, SERIES_ALL, over);
    double most = -1;
    for (unsigned w = 0; w < s->workload_count; w++) {
        double rest = mean_without(s, cells, (int)w, over), moved = fabs(rest - mean);
        if (isnan(series_cell_mean(s, w)) || !(moved > most))
            continue;
        most = moved;
        out->moves_most = w;
        out->without = rest;
    }
}

bool spread_of(const struct series *s, enum aggregate over, struct spread *out)
{
    unsigned count = 0;
    double *values = calloc(s->workload_count, sizeof *values), *cells = series_cells(s);
    if (!values)
        abort();
    for (unsigned w = 0; w < s->workload_count; w++) {
        double v = series_cell_mean(s, w);
        if (!isnan(v))
            values[count++] = v;
    }
    const bool known = quartiles_of(values, count, &out->quartiles);
    if (known)
        take_without(s, cells, over, out);
    free(values);
    free(cells);
    return known;
}
