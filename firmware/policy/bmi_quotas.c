/* BMI (Dai et al., CCBP sec. 7.5): memory instructions of kernels in rounds, so that each makes as many requests. */
#include <string.h>

#include "bmi.h"
#include "policy.h"

POLICY_OWNS(MEM_QUOTA);

enum { BMI_MOST = 64 /* memory instructions of a round: none is below 1 before it is rounded (bmi.h) */ };

static struct {
    uint32_t lines, instructions;
} bmi_quotas_before[GPU_MAX_TENANTS];

static enum policy_status bmi_quotas_init(const struct gpu_caps *caps)
{
    memset(bmi_quotas_before, 0, sizeof bmi_quotas_before);
    return caps->features & MH_FEATURE_QUOTAS ? POLICY_OK : POLICY_UNSUPPORTED;
}

static void bmi_quotas_on_epoch(const struct gpu_caps *caps)
{
    uint32_t requests[GPU_MAX_TENANTS], quota[GPU_MAX_TENANTS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint32_t lines = gpu_count(tenant, MH_COUNTER_MEM_LINES);
        uint32_t instructions = gpu_count(tenant, MH_COUNTER_MEM_INSTR);

        requests[tenant] = bmi_requests(lines - bmi_quotas_before[tenant].lines,
                                        instructions - bmi_quotas_before[tenant].instructions);
        bmi_quotas_before[tenant].lines = lines;
        bmi_quotas_before[tenant].instructions = instructions;
    }
    bmi_quotas(caps->tenants, requests, BMI_MOST, quota);
    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        gpu_set_knob(MEM_QUOTA, tenant, quota[tenant]);
}

const struct policy policy_bmi_quotas = {
    .name = "bmi_quotas", .init = bmi_quotas_init, .on_epoch = bmi_quotas_on_epoch};
