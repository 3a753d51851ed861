/* What is run and measured, as rows and grids of a rows file state it alike. Private to the study's readers. */
#ifndef HOST_REPRODUCE_STUDY_MEASURE_H
#define HOST_REPRODUCE_STUDY_MEASURE_H

#include "base/yaml_tree.h"
#include "study.h"

/** The keys of a mapping that study_measure_load() reads. */
#define STUDY_MEASURE_KEYS "metric relation against workloads cycles preset design set alone partitions under"

/** Adds a list of assignments; those under `set` of `map`, if it is there. */
int study_sets_add(const struct tree *t, const yaml_node_t *list, struct variant *v);
int study_sets_load(const struct tree *t, const yaml_node_t *map, struct variant *v);

/** An image, or {image, design, ..}. */
int study_variant_load(const struct tree *t, const yaml_node_t *n, struct variant *v);

/** `level`: what the relation to `against` is, where the map does not say so, is a ratio; else a gain. */
int study_measure_load(const struct tree *t, const yaml_node_t *map, const struct study *s, bool level,
                       struct measure *m);

#endif
