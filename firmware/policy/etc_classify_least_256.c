/* The same with samples of 256 instructions instead of 64, which is ours. */
#define ETC_CLASSIFY_POLICY etc_classify_least_256
#define ETC_CLASSIFY_LEAST  256
#include "etc_classify_policy.h"
