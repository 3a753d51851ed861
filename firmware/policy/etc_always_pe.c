/* Proactive eviction for every tenant that is oversubscribed. */
#define ETC_ALWAYS_POLICY     etc_always_pe
#define ETC_ALWAYS_TECHNIQUES ETC_PE
#include "etc_always_policy.h"
