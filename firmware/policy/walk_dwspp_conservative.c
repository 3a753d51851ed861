/* DWS++, conservative (table VII): steals only while its own queue is short. */
#define DWSPP_POLICY walk_dwspp_conservative
#define DWSPP_TABLE  dwspp_conservative
#include "dwspp_policy.h"
