/* Proactive eviction of 2 MB at a time, the most that an eviction takes (table 1). The paper does not state it: ours.
 */
#define ETC_PE_POLICY etc_pe
#define ETC_PE_BYTES  0x200000
#include "etc_pe_policy.h"
