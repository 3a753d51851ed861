/* CCBP that leaves bandwidth unused which nobody was granted: one part of ccbp-letter. */
#define CORUN_POLICY  ccbp_unshared
#define CCBP_UNSHARED 1
#include "ccbp_policy.h"
