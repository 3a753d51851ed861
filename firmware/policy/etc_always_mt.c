/* Throttling for every tenant that is oversubscribed. */
#define ETC_ALWAYS_POLICY     etc_always_mt
#define ETC_ALWAYS_TECHNIQUES ETC_MT
#include "etc_always_policy.h"
