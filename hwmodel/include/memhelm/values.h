/* What kernels' arrays hold, as far as compressed memory is concerned. */
#ifndef MEMHELM_VALUES_H
#define MEMHELM_VALUES_H

#include <stdbool.h>
#include <stdio.h>

#include "memhelm/config.h"
#include "memhelm/error.h"

/**
 * Prints how the arrays of a tenant's kernel compress, before the first launch and after the last: bytes in pages of
 * each class, and the ratio of all to those. -1 and `err`: there is no such kernel or size, or its values are not
 * known.
 */
int mh_values_describe(const struct mh_tenant_cfg *tenant, FILE *out, struct mh_error *err);

/** True if it is known what the tenant's arrays hold. If not, they do not compress; no recorded trace's are known. */
bool mh_values_are_known(const struct mh_tenant_cfg *tenant);

#endif
