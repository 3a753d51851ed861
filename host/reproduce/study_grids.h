/* The `grids` of a rows file. Private to the study's readers. */
#ifndef HOST_REPRODUCE_STUDY_GRIDS_H
#define HOST_REPRODUCE_STUDY_GRIDS_H

#include "base/yaml_tree.h"
#include "study.h"

/** After kernels and lists. study_grids_free() follows, after an error, too. */
int study_grids_load(const struct tree *t, struct study *s);
void study_grids_free(struct study *s);

#endif
