/* The surface of two kernels as a heat map: SVG and PNG. */
#ifndef HOST_SEARCH_SEARCH_PLOT_H
#define HOST_SEARCH_SEARCH_PLOT_H

#include "search.h"

/** DIR/search-WORKLOAD.svg for each workload of two kernels (search-spatial-.. with SMs split), others are named on
 * standard error. */
int search_plot(const struct search *s, const char *dir, struct mh_error *err);

#endif
