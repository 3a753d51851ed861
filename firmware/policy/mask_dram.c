/* DRAM scheduler of MASK, with means over the epoch. */
#define MASK_DRAM_POLICY mask_dram
#include "mask_dram_mean.h"
