/* What the CTAs of a tenant need of an SM, from the launches of its kernel. */
#ifndef HOST_SEARCH_NEEDS_H
#define HOST_SEARCH_NEEDS_H

#include "combinations.h"
#include "memhelm/config.h"
#include "memhelm/kernels.h"

/**
 * Adds the launches of tenant `t`, whose workload `work` is, to `kernel`, each kind once: of those that need the same
 * the largest. With several seeds: of each, because a graph's or an image's data may decide how large a launch is.
 * -1 and `err`: a CTA of a launch fits no SM.
 */
int needs_add(struct cta_kernel *kernel, const struct mh_config *cfg, uint32_t t, const struct mh_workload *work,
              struct mh_error *err);

void needs_free(struct cta_kernel *kernel);

#endif
