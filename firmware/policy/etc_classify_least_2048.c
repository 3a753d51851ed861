/* The same with samples of 2048 instructions instead of 64, which is ours. */
#define ETC_CLASSIFY_POLICY etc_classify_least_2048
#define ETC_CLASSIFY_LEAST  2048
#include "etc_classify_policy.h"
