/* What wakes the mcu. Event sources are the MH_SOURCE rows of the register table. */
#ifndef HOST_BUDGET_SOURCES_H
#define HOST_BUDGET_SOURCES_H

#include <stdbool.h>

#include "limits.h"
#include "memhelm/record.h"

struct source_info {
    const char *name;   /**< as in results */
    const char *hook;   /**< of policies; NULL for a source whose hook is not known here */
    const char *missed; /**< when its deadline is missed */
    bool limited;
    enum limit limit; /**< of its mcu cycles, if limited */
};

/** Of source 0 .. MH_SOURCES - 1. */
struct source_info source_info(unsigned source);

#endif
