/* The names that a metric may have, for people. */
#ifndef HOST_PLAN_QUANTITY_SHOW_H
#define HOST_PLAN_QUANTITY_SHOW_H

#include <stdio.h>

/** A table: name, whether one tenant has it, unit, meaning. */
void quantities_show(FILE *out);

#endif
