#include "bmi.h"

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
