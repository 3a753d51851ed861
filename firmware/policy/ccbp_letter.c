/* CCBP to the letter: all kernels are held to what algorithm 1 grants them, and nobody has what is left. */
#define CORUN_POLICY  ccbp_letter
#define CCBP_HELD     1
#define CCBP_UNSHARED 1
#include "ccbp_policy.h"
