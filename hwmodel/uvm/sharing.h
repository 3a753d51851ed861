/* The tenant gauge UVM_SHARED. */
#ifndef MEMHELM_UVM_SHARING_H
#define MEMHELM_UVM_SHARING_H

#include "memhelm/config.h"
#include "workload/workload.h"

/** As uvm.sharing says; a program that the paper does not have is derived. `w` is the tenant's. -1: out of memory. */
int mh_uvm_shares(const struct mh_config *c, uint32_t tenant, const struct mh_workload *w);

#endif
