/* The `plots` of a rows file. Private to the study's readers. */
#ifndef HOST_REPRODUCE_STUDY_PLOTS_H
#define HOST_REPRODUCE_STUDY_PLOTS_H

#include "study.h"
#include "base/yaml_tree.h"

/** After rows, grids and lists: what they name is checked. study_plots_free() follows, after an error, too. */
int study_plots_load(const struct tree *t, struct study *s);
void study_plots_free(struct study *s);

#endif
