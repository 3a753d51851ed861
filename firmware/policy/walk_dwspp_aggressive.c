/* DWS++, aggressive (table VII): steals at every ratio of walk rates. */
#define DWSPP_POLICY walk_dwspp_aggressive
#define DWSPP_TABLE  dwspp_aggressive
#include "dwspp_policy.h"
