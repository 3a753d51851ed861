/* DWS++ of the walk stealing paper, table IV. */
#define DWSPP_POLICY walk_dwspp
#define DWSPP_TABLE  dwspp_default
#include "dwspp_policy.h"
