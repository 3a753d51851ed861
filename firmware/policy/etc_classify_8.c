/* The same with a threshold of 8 lines (sec. 6.3: any from 5 to 10 classifies all right). */
#define ETC_CLASSIFY_POLICY etc_classify_8
#define ETC_CLASSIFY_LINES  8
#include "etc_classify_policy.h"
