#include "etc.h"

#include <stdbool.h>
#include <string.h>

#include "../policy.h"

POLICY_USES(SM_THROTTLE_0);

static bool has(const uint32_t mask[GPU_SM_WORDS], uint32_t sm)
{
    return mask[sm / 32] >> (sm % 32) & 1;
}

static bool is_active(const struct etc_sms *sms, const uint32_t holders[GPU_SM_WORDS], uint32_t sm)
{
    return has(holders, sm) && !has(sms->throttled, sm);
}

static void push(struct etc_sms *sms, uint32_t tenant, uint32_t sm)
{
    sms->throttled[sm / 32] |= 1u << (sm % 32);
    sms->sm[sms->count] = (uint8_t)sm;
    sms->tenant[sms->count++] = (uint8_t)tenant;
}

static uint32_t bits(uint32_t mask)
{
    uint32_t count = 0;

    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

static uint32_t active_count(const struct etc_sms *sms, const uint32_t holders[GPU_SM_WORDS])
{
    uint32_t count = 0;

    for (uint32_t word = 0; word < GPU_SM_WORDS; word++)
        count += bits(holders[word] & ~sms->throttled[word]);
    return count;
}

static void take_out(struct etc_sms *sms, uint32_t at)
{
    sms->throttled[sms->sm[at] / 32] &= ~(1u << (sms->sm[at] % 32));
    sms->count--;
    for (; at < sms->count; at++) {
        sms->sm[at] = sms->sm[at + 1];
        sms->tenant[at] = sms->tenant[at + 1];
    }
}

static void throttle_highest(struct etc_sms *sms, uint32_t tenant, uint32_t count, const uint32_t holders[GPU_SM_WORDS])
{
    for (uint32_t word = GPU_SM_WORDS; word-- > 0;) {
        uint32_t left = holders[word] & ~sms->throttled[word];

        for (uint32_t sm = 32 * word + 31; left != 0 && count > 0; sm--, left <<= 1)
            if (left >> 31) {
                push(sms, tenant, sm);
                count--;
            }
    }
}

static void release_holders(struct etc_sms *sms, uint32_t tenant, uint32_t count, const uint32_t holders[GPU_SM_WORDS])
{
    for (uint32_t at = sms->count; at-- > 0 && count > 0;)
        if (sms->tenant[at] == tenant && has(holders, sms->sm[at])) {
            take_out(sms, at);
            count--;
        }
}

void etc_sms_halve(struct etc_sms *sms, uint32_t tenant, const uint32_t holders[GPU_SM_WORDS])
{
    uint32_t active = active_count(sms, holders), all = 0, half;

    for (uint32_t word = 0; word < GPU_SM_WORDS; word++)
        all += bits(holders[word]);
    half = all - all / 2;
    if (active > half)
        throttle_highest(sms, tenant, active - half, holders);
    else
        release_holders(sms, tenant, half - active, holders);
}

void etc_sms_throttle(struct etc_sms *sms, uint32_t tenant, uint32_t sm, uint32_t degree,
                      const uint32_t holders[GPU_SM_WORDS])
{
    uint32_t left = active_count(sms, holders);

    if (!is_active(sms, holders, sm))
        return;
    for (; degree > 0 && left > 1; sm = (sm + 1) % GPU_MAX_SMS)
        if (is_active(sms, holders, sm)) {
            push(sms, tenant, sm);
            degree--;
            left--;
        }
}

void etc_sms_release(struct etc_sms *sms, uint32_t tenant, uint32_t degree)
{
    for (uint32_t at = sms->count; at-- > 0 && degree > 0;)
        if (sms->tenant[at] == tenant) {
            take_out(sms, at);
            degree--;
        }
}

/* ---- on the GPU */

void etc_find_owners(const struct gpu_caps *caps, struct etc_owners *owners)
{
    if (owners->known)
        return;
    memset(owners->own, caps->tenants == 1 ? 0xff : 0, sizeof owners->own);
    for (uint32_t sm = 0; caps->tenants > 1 && sm < caps->sms; sm++) {
        uint32_t root = gpu_sm_root(sm), bit = 1u << (sm % 32);

        if (root < GPU_MAX_TENANTS)
            owners->own[root][sm / 32] |= bit;
        for (uint32_t tenant = 0; root == MH_NO_ROOT && tenant < caps->tenants; tenant++)
            owners->own[tenant][sm / 32] |= bit;
    }
    owners->known = true;
}

void etc_holders(const struct gpu_caps *caps, const struct etc_owners *owners, uint32_t tenant,
                 uint32_t holders[GPU_SM_WORDS])
{
    for (uint32_t word = 0; word < GPU_SM_WORDS; word++)
        holders[word] = 32 * word < caps->sms ? gpu_sm_holds(word) & owners->own[tenant][word] : 0;
}

void etc_show_throttled(const struct gpu_caps *caps, const struct etc_sms *sms, uint32_t shadow[GPU_SM_WORDS])
{
    for (uint32_t word = 0; 32 * word < caps->sms; word++)
        if (sms->throttled[word] != shadow[word]) {
            shadow[word] = sms->throttled[word];
            gpu_throttle_sms(word, shadow[word]);
        }
}
