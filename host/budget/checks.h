/*
 * What the compiler's checks for a division by zero cost (-fsanitize=integer-divide-by-zero): each is a branch around
 * or to an ebreak. What a check keeps the compiler from doing elsewhere is not counted, nor how it makes one word of a
 * 64-bit divisor.
 */
#ifndef HOST_BUDGET_CHECKS_H
#define HOST_BUDGET_CHECKS_H

#include "mcu/code.h"
#include "mcu/functions.h"
#include "profile/profile.h"

/** Of an image. */
struct checks {
    unsigned sites;
    uint32_t bytes; /**< of branches and ebreaks */
};

struct checks checks_of(const struct code *code);

struct check_cost {
    uint64_t instructions, cycles;
};

/** In all of a run. A check counts for a source if its function ran for nothing else; else, and in boot, for none. */
struct checks_run {
    struct check_cost all, sources[MH_SOURCES];
};

struct checks_run checks_executed(const struct code *code, const struct profile *p, const struct functions *f,
                                  const struct hooks *h);

#endif
