/* The same with a quarter of our amount. */
#define ETC_PE_POLICY etc_pe_512k
#define ETC_PE_BYTES  0x80000
#include "etc_pe_policy.h"
