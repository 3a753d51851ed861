/* The same with a threshold of 9 lines (sec. 6.3: any from 5 to 10 classifies all right). */
#define ETC_CLASSIFY_POLICY etc_classify_9
#define ETC_CLASSIFY_LINES  9
#include "etc_classify_policy.h"
