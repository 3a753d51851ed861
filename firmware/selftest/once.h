/* For images that go wrong once: in the third epoch, unless the core has been reset. */
#ifndef FIRMWARE_SELFTEST_ONCE_H
#define FIRMWARE_SELFTEST_ONCE_H

#include <stdbool.h>

#include "../platform/core.h"

/** Called once per epoch, with the epochs counted so far. */
static inline bool once(uint32_t *epochs)
{
    return ++*epochs == 3 && core_resets() == 0;
}

#endif
