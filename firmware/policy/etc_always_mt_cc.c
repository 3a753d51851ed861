/* Throttling and capacity compression for every tenant that is oversubscribed. */
#define ETC_ALWAYS_POLICY     etc_always_mt_cc
#define ETC_ALWAYS_TECHNIQUES (ETC_MT | ETC_CC)
#include "etc_always_policy.h"
