/* ETC classification from at least 64 memory instructions. Compare with etc_classify for the cost of a late class. */
#define ETC_CLASSIFY_POLICY etc_classify_least_64
#define ETC_CLASSIFY_LEAST  64
#include "etc_classify_policy.h"
