/* Capacity compression for every tenant that is oversubscribed. */
#define ETC_ALWAYS_POLICY     etc_always_cc
#define ETC_ALWAYS_TECHNIQUES ETC_CC
#include "etc_always_policy.h"
