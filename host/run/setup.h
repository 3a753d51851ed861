/* From options to the resolved configuration of the shared run, and what identifies it. */
#ifndef HOST_RUN_SETUP_H
#define HOST_RUN_SETUP_H

#include "base/hash.h"
#include "memhelm/config_file.h"
#include "options.h"

/**
 * Preset, design, file, workload, assignments, in this order; then kernels are looked up and everything is checked.
 * -1 and `err`: what is wrong, and where that was set (origin.h).
 */
int setup_config(const struct options *o, struct mh_config *cfg, struct mh_error *err);

/** setup_config() without building the GPU: does not find a damaged trace or a kernel that does not fit. */
int setup_words(const struct options *o, struct mh_config *cfg, struct mh_error *err);

/** Builds the GPU of a complete configuration once, and so reads its recordings to the end. It takes a while. */
int setup_build(const struct mh_config *cfg, struct mh_error *err);

/**
 * The configuration of tenant `t` running alone: same SMs, address space and everything else, but no other tenant, no
 * CTA limit and no `alone_ipc`.
 */
void setup_alone(const struct mh_config *cfg, uint32_t t, struct mh_config *alone);

/**
 * What of `cfg` determines results: a trace or an input is named by its hash instead of its path, and logs are off.
 * Also used as the configuration that results show.
 */
int setup_identity(const struct mh_config *cfg, struct mh_config *identity, struct mh_error *err);

/** Adds the configuration's YAML to `h`. */
int setup_hash(const struct mh_config *identity, struct hash *h, struct mh_error *err);

/** Into `file` the path of the trace or input in a complete tenant's `kernel`; false when it has none. */
bool setup_file(const char *kernel, char file[MH_PATH_MAX]);

/** Short name of a tenant's workload: the kernel, or the trace's or the input's file name without directories. */
const char *setup_kernel_name(const struct mh_tenant_cfg *tenant);

#endif
