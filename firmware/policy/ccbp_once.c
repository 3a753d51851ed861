/* CCBP that learns once what a request costs, and detects once: one part of ccbp-letter. */
#define CORUN_POLICY ccbp_once
#define CCBP_ONCE    1
#include "ccbp_policy.h"
