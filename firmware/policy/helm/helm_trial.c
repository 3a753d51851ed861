#include "helm.h"

#include <string.h>

enum {
    COUNT_BITS = 20,           /* of what is divided: times HELM_TRIAL_ONE it fits 32 bits */
    MOST = 8 * HELM_TRIAL_ONE, /* of a quotient: more is as good, and a product fits */
};

void helm_trial_start(struct helm_trial *trial)
{
    memset(trial, 0, sizeof *trial);
}

bool helm_trial_with(const struct helm_trial *trial)
{
    return trial->stretch == 1;
}

void helm_trial_begin(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now)
{
    memcpy(trial->last, now, tenants * sizeof *now);
    trial->last_cycle = cycle;
}

static void add(struct helm_trial *trial, uint32_t with, uint32_t tenants, uint32_t cycle, const struct helm_made *now)
{
    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        trial->made[with][tenant].instructions += now[tenant].instructions - trial->last[tenant].instructions;
        trial->made[with][tenant].walks += now[tenant].walks - trial->last[tenant].walks;
    }
    trial->cycles[with] += cycle - trial->last_cycle;
}

bool helm_trial_end(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now)
{
    add(trial, helm_trial_with(trial), tenants, cycle, now);
    return ++trial->stretch == HELM_TRIAL_STRETCHES;
}

void helm_trial_watch(struct helm_trial *trial, uint32_t tenants, uint32_t cycle, const struct helm_made *now)
{
    memset(trial->made[1], 0, sizeof trial->made[1]);
    trial->cycles[1] = 0;
    add(trial, 1, tenants, cycle, now);
    helm_trial_begin(trial, tenants, cycle, now);
}

/* In units of 1 / HELM_TRIAL_ONE, rounded down; MOST for a divisor of 0. */
static uint32_t quotient(uint32_t a, uint32_t b)
{
    uint32_t shift = 0, q;

    while ((a | b) >> shift >> COUNT_BITS)
        shift++;
    if (b >> shift == 0)
        return MOST;
    q = (a >> shift) * HELM_TRIAL_ONE / (b >> shift);
    return q < MOST ? q : MOST;
}

/* What is made in a cycle with the mechanism, over that without. */
static uint32_t kept(const struct helm_trial *trial, uint32_t with, uint32_t without)
{
    return quotient(with, without) * quotient(trial->cycles[0], trial->cycles[1]) / HELM_TRIAL_ONE;
}

bool helm_trial_starves(const struct helm_trial *trial, uint32_t tenants, uint32_t floor)
{
    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        const struct helm_made *with = &trial->made[1][tenant], *without = &trial->made[0][tenant];

        if (100 * kept(trial, with->instructions, without->instructions) < floor * HELM_TRIAL_ONE &&
            100 * kept(trial, with->walks, without->walks) < floor * HELM_TRIAL_ONE)
            return true;
    }
    return false;
}

bool helm_trial_gains(const struct helm_trial *trial, uint32_t tenants, uint32_t gain)
{
    int32_t sum = 0;

    for (uint32_t tenant = 0; tenant < tenants; tenant++) {
        uint32_t without = trial->made[0][tenant].instructions;
        int32_t part = (int32_t)kept(trial, trial->made[1][tenant].instructions, without);

        if (without != 0)
            sum += (part - HELM_TRIAL_ONE) * 1000 / (part + HELM_TRIAL_ONE);
    }
    return sum > (int32_t)(tenants * gain);
}
