/* The same with one unit of 64 KB. */
#define ETC_PE_POLICY etc_pe_64k
#define ETC_PE_BYTES  0x10000
#include "etc_pe_policy.h"
