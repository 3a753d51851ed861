#include "etc.h"

#include "../param.h"
#include "../policy.h"

/*
 * The paper has no lengths. A fault takes 20 us, 20 400 cycles at 1020 MHz, and an SM with one missing page raises no
 * other meanwhile: a detection epoch of one or two of these would end without a fault because all SMs wait for one.
 * Five of them are long enough to tell. An execution epoch is as long: an SM that is released asks for its pages in the
 * first of them, and works with them in the others.
 */
POLICY_PARAM(throttle_detect, 102000, 100, 0x7fffffff, "GPU cycles: of a detection epoch (ours)");
POLICY_PARAM(throttle_execute, 102000, 100, 0x7fffffff, "GPU cycles: of an execution epoch (ours)");

POLICY_USES(TIMER_CTRL);

static void detect(struct etc_epochs *epochs)
{
    epochs->phase = ETC_DETECTION;
    epochs->watched = epochs->tenants;
}

bool etc_epochs_join(struct etc_epochs *epochs, uint32_t tenants)
{
    enum etc_phase before = epochs->phase;

    epochs->tenants = tenants;
    epochs->watched &= tenants; /* a tenant that joins is watched from the next detection epoch on */
    if (tenants == 0)
        epochs->phase = ETC_IDLE;
    else if (before == ETC_IDLE)
        detect(epochs);
    else if (before == ETC_DETECTION && epochs->watched == 0)
        epochs->phase = ETC_EXECUTION;
    return epochs->phase != before;
}

uint32_t etc_epochs_expire(struct etc_epochs *epochs)
{
    uint32_t quiet = epochs->watched;

    switch (epochs->phase) {
    case ETC_DETECTION:
        epochs->phase = ETC_EXECUTION;
        epochs->watched = 0;
        return quiet;
    case ETC_EXECUTION:
        detect(epochs);
        return 0;
    default:
        return 0;
    }
}

bool etc_epochs_fault(struct etc_epochs *epochs, uint32_t tenant)
{
    if (!(epochs->watched >> tenant & 1))
        return false;
    epochs->watched &= ~(1u << tenant);
    if (epochs->watched == 0)
        epochs->phase = ETC_EXECUTION;
    return true;
}

void etc_epochs_begin(const struct etc_epochs *epochs, uint32_t tenants)
{
    switch (epochs->phase) {
    case ETC_IDLE:
        gpu_stop_timer();
        break;
    case ETC_DETECTION:
        for (uint32_t tenant = 0; tenant < tenants; tenant++)
            if (epochs->watched >> tenant & 1)
                gpu_arm_eviction(tenant);
        gpu_set_timer(throttle_detect);
        break;
    case ETC_EXECUTION:
        gpu_set_timer(throttle_execute);
        break;
    }
}
