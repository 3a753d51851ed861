/*
 * Data sharing across kernels: do several kernels of a program use the same data? ETC (ASPLOS 2019) has it from the
 * compiler, which looks for pointers that several kernels contain (sec. 4.1). Here it is derived from what the launches
 * touch, or as the paper lists its programs (sec. 5); the two differ.
 */
#ifndef MEMHELM_SHARING_H
#define MEMHELM_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "memhelm/error.h"

/** A program of the paper. */
struct mh_sharing {
    const char *kernel; /**< as `memhelm list kernels` has it */
    bool paper;         /**< listed as one with data sharing; of irregular programs the paper does not say: false */
    const char *note;   /**< why the pointer rule says something else; empty: it does not */
};

/** The paper's programs; ends with a row without a kernel. */
extern const struct mh_sharing mh_sharing[];

/** Its row in the paper; NULL: it has none. `spec` is a kernel's name, NAME@VARIANT or trace:FILE. */
const struct mh_sharing *mh_sharing_find(const char *spec);

/** The pointer rule on the kernel at its default size. 1 or 0; -1 and `err`. */
int mh_sharing_derive(const char *spec, uint32_t lanes, struct mh_error *err);

#endif
