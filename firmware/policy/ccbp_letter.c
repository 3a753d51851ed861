/* CCBP to the letter: all kernels are held to what algorithm 1 grants them. */
#define CORUN_POLICY ccbp_letter
#define CCBP_LETTER  1
#include "ccbp_policy.h"
