/* BMI (Dai et al., CCBP sec. 7.5): memory instructions of kernels in rounds, so that each makes as many requests. */
#include "bmi.h"

#include <string.h>

#include "../policy.h"

enum { REQUESTS_MOST = 65535 };

uint32_t bmi_requests(uint32_t lines, uint32_t instructions)
{
    uint64_t requests = instructions ? (uint64_t)lines * BMI_ONE / instructions : BMI_ONE;

    if (requests < BMI_ONE)
        return BMI_ONE;
    return requests > REQUESTS_MOST ? REQUESTS_MOST : (uint32_t)requests;
}

void bmi_quotas(uint32_t kernels, const uint32_t *requests, uint32_t most, uint32_t *quota)
{
    uint32_t fewest = REQUESTS_MOST;

    for (uint32_t k = 0; k < kernels; k++)
        fewest = requests[k] < fewest ? requests[k] : fewest;
    for (uint32_t k = 0; k < kernels; k++) {
        /* Both factors are below 2^16. */
        uint32_t part = most * fewest / requests[k], rest = most * fewest % requests[k];

        part += rest >= requests[k] - rest;
        quota[k] = part ? part : 1;
    }
}

/* ---- on the GPU */

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
