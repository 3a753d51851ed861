/* The application classification of ETC with the paper's threshold. */
#define ETC_CLASSIFY_POLICY etc_classify
#include "etc_classify_policy.h"
