/*
 * CCBP to the letter. All kernels have an issue rate, from algorithm 1's grant and the cost measured at detection.
 * Bandwidth that is granted to no kernel stays unused. Priority has no bound.
 */
#define CORUN_POLICY  ccbp_letter
#define CCBP_HELD     1
#define CCBP_UNSHARED 1
#define CCBP_ONCE     1
#define CCBP_STRICT   1
#include "ccbp_policy.h"
