/* Rules between values of a configuration, a file per topic: 0, or -1 and an error with key, value and remedy. */
#ifndef MEMHELM_CONFIG_RESOLVE_H
#define MEMHELM_CONFIG_RESOLVE_H

#include "memhelm/config.h"
#include "memhelm/error.h"

/** Page sizes, and the format and levels of the page table that they take. */
int mh_resolve_pages(const struct mh_config *cfg, struct mh_error *err);

/** Of section `sm`, but for what tenants have of it. */
int mh_resolve_sm(const struct mh_config *cfg, struct mh_error *err);

/** l2.halves and what hangs on it. */
int mh_resolve_halves(const struct mh_config *cfg, struct mh_error *err);
/** TLBs, page walk cache, walkers, IOMMU. */
int mh_resolve_translation(const struct mh_config *cfg, struct mh_error *err);

/** Size of memory: channels, banks, pages, and lines that the caches tell apart. */
int mh_resolve_memory(const struct mh_config *cfg, struct mh_error *err);

/** l1d.store_miss beside l1d.store_hit. */
int mh_resolve_stores(const struct mh_config *cfg, struct mh_error *err);

/** l2.atomics and what hangs on it. */
int mh_resolve_atomics(const struct mh_config *cfg, struct mh_error *err);

#endif
