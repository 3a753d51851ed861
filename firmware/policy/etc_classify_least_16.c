/* The same with samples of 16 instructions instead of 64, which is ours. */
#define ETC_CLASSIFY_POLICY etc_classify_least_16
#define ETC_CLASSIFY_LEAST  16
#include "etc_classify_policy.h"
