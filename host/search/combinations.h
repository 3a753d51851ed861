/*
 * CTA combinations: how many CTAs of each kernel may be on an SM. All kernels have at least one; all SMs have the same
 * combination (CCBP section 5.2). Counting alone: no model, no files.
 */
#ifndef HOST_SEARCH_COMBINATIONS_H
#define HOST_SEARCH_COMBINATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"
#include "memhelm/config.h"
#include "memhelm/kernels.h"

enum { COMBINATIONS_MOST = 1000000 };

/** A launch of a kernel. */
struct cta_launch {
    struct mh_cta_room needs; /**< of a CTA */
    uint32_t ctas;            /**< of the launch */
};

/** What a kernel launches, in any order: one of them at a time. */
struct cta_kernel {
    struct cta_launch *launch;
    unsigned count;
};

/** In rising order, the last kernel's number changing first. */
struct combinations {
    unsigned kernels, count, room;
    uint8_t (*ctas)[MH_MAX_TENANTS]; /**< [count][kernels] */
};

/**
 * The highest limit that any launch of the kernel can reach: a higher one gives the same run. On SMs that others may
 * fill first, all CTAs of a launch may come to one SM. A kernel that has `sms` of its own starts with all of them
 * empty and goes from one to the next, so that none gets more than its share; 0: shared SMs.
 */
unsigned cta_most(const struct mh_cta_room *sm, const struct cta_kernel *kernel, unsigned sms);

/** All that fit an SM together; none if not even one CTA of each does. -1 and `err`: too many. */
int combinations_together(struct combinations *c, const struct mh_cta_room *sm, const struct cta_kernel *kernels,
                          unsigned count, struct mh_error *err);

/** Kernels on SMs of their own: each has 1..most[k] CTAs, independent of the others. */
int combinations_apart(struct combinations *c, const unsigned *most, unsigned count, struct mh_error *err);

void combinations_free(struct combinations *c);

/** Drops those that are not kept, [count]. */
void combinations_keep(struct combinations *c, const bool *kept);

/** Its index, -1: it is none of them. */
int combinations_find(const struct combinations *c, const uint8_t *ctas);

/** The greatest number of CTAs of kernel `k` in any of them. */
unsigned combinations_highest(const struct combinations *c, unsigned k);

/* The 66 pairs of kernels of CCBP section 7.1, by class. */

enum pair_class { PAIR_LS_LS, PAIR_LS_BI, PAIR_NBI_DBI, PAIR_CLASSES };

/** "LS+LS" and so on. */
extern const char *const pair_names[PAIR_CLASSES];

struct pair {
    enum pair_class class;
    const char *first, *second; /**< workloads: joined with + they are one */
};

/** Names of the classes, and of all together. */
#define SEARCH_PAIRS "LS+LS LS+BI NBI+DBI all"

enum { PAIRS_MOST = 128 };

/** All of them, class by class; their number. */
unsigned pairs_all(struct pair out[PAIRS_MOST]);

/* What the CTAs of a tenant need of an SM, from the launches of its kernel. */

/**
 * Adds the launches of tenant `t`, whose workload `work` is, to `kernel`, each kind once: of those that need the same
 * the largest. With several seeds: of each, because a graph's or an image's data may decide how large a launch is.
 * -1 and `err`: a CTA of a launch fits no SM.
 */
int needs_add(struct cta_kernel *kernel, const struct mh_config *cfg, uint32_t t, const struct mh_workload *work,
              struct mh_error *err);

void needs_free(struct cta_kernel *kernel);

#endif
