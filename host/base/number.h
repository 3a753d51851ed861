/* Whole numbers as people write them. */
#ifndef HOST_BASE_NUMBER_H
#define HOST_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/** 500, 2M: digits, and K (or k), M or G for thousands and so on, as clocks are written. False: none that fits. */
bool number_scaled(const char *text, uint64_t *value);

#endif
