/* The same with a threshold of 6 lines (sec. 6.3: any from 5 to 10 classifies all right). */
#define ETC_CLASSIFY_POLICY etc_classify_6
#define ETC_CLASSIFY_LINES  6
#include "etc_classify_policy.h"
