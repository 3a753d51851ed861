/* CCBP whose sustainable bandwidths are those that it sees, where that is more than the paper's constants. */
#define CORUN_POLICY   ccbp_calibrated
#define CCBP_CALIBRATE 1
#include "ccbp_policy.h"
