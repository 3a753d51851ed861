/* newlib's heap: usable until boot is over, then sealed. */
#ifndef FIRMWARE_HEAP_H
#define FIRMWARE_HEAP_H

/** From now on malloc, calloc and realloc are an ebreak: memory use is fixed at boot. */
void heap_seal(void);

#endif
