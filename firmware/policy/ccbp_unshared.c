/* CCBP without sharing of bandwidth that is granted to no kernel: one part of ccbp-letter. */
#define CORUN_POLICY  ccbp_unshared
#define CCBP_UNSHARED 1
#include "ccbp_policy.h"
