/* The whole model, for tests that look into its blocks. */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include "cache/l2.h"
#include "control/control.h"
#include "dram/memory.h"
#include "engine/gpu.h"
#include "gpu/gpu.h"
#include "missq/missq.h"
#include "noc/noc.h"
#include "sm/sm.h"
#include "translate/gpctlb.h"
#include "translate/instruction.h"
#include "translate/iommu.h"
#include "translate/l2tlb.h"
#include "pages/page_table.h"
#include "translate/pwc.h"
#include "translate/steal.h"
#include "translate/walk.h"
#include "uvm/uvm.h"
#include "workload/workload.h"

#endif
