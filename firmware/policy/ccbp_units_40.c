/* CCBP with an M of 40 (sec. 5.2: above 20 it changes little). */
#define CORUN_POLICY ccbp_units_40
#define CCBP_UNITS   40
#include "ccbp_policy.h"
