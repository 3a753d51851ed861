/* L2 bypass of MASK. */
#define MASK_CACHE_POLICY mask_cache
#include "mask_cache_policy.h"
