/*
 * CCBP to the letter: all kernels are held to what algorithm 1 grants them, by what they cost when they were detected;
 * nobody has what is left, and nothing bounds priority.
 */
#define CORUN_POLICY  ccbp_letter
#define CCBP_HELD     1
#define CCBP_UNSHARED 1
#define CCBP_ONCE     1
#define CCBP_STRICT   1
#include "ccbp_policy.h"
