#include "etc_epochs.h"

static void detect(struct etc_epochs *epochs)
{
    epochs->phase = ETC_DETECTION;
    epochs->watched = epochs->tenants;
}

bool etc_epochs_join(struct etc_epochs *epochs, uint32_t tenants)
{
    enum etc_phase before = epochs->phase;

    epochs->tenants = tenants;
    epochs->watched &= tenants; /* who joins is watched from the next detection epoch on */
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
