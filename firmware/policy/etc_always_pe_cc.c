/* Proactive eviction and capacity compression for every tenant that is oversubscribed. */
#define ETC_ALWAYS_POLICY     etc_always_pe_cc
#define ETC_ALWAYS_TECHNIQUES (ETC_PE | ETC_CC)
#include "etc_always_policy.h"
