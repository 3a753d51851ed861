/* The host's heap, as the firmware may use it. */
#ifndef FIRMWARE_TWIN_HEAP_H
#define FIRMWARE_TWIN_HEAP_H

#include <stdbool.h>

/** From now on the firmware's malloc, calloc and realloc are a trap, or, if not `now`, no longer. */
void twin_heap_seal(bool now);

#endif
