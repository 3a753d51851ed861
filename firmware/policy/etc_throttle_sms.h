/*
 * For policies that throttle SMs: whose SMs hold CTAs, and the knob. The policy owns SM_THROTTLE_0. Not for other
 * files.
 */
#include <string.h>

#include "etc_sms.h"

/* Which SMs a tenant may have: those with its root, and those that tenants share. */
struct etc_owners {
    uint32_t own[GPU_MAX_TENANTS][GPU_SM_WORDS];
    bool known;
};

/* Reads the root of every SM: only after tenants have come or gone. The only tenant has them all. */
static void etc_find_owners(const struct gpu_caps *caps, struct etc_owners *owners)
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

/* The tenant's SMs that hold CTAs now. */
static void etc_holders(const struct gpu_caps *caps, const struct etc_owners *owners, uint32_t tenant,
                        uint32_t holders[GPU_SM_WORDS])
{
    for (uint32_t word = 0; word < GPU_SM_WORDS; word++)
        holders[word] = 32 * word < caps->sms ? gpu_sm_holds(word) & owners->own[tenant][word] : 0;
}

/* What differs from `shadow` is written. */
static void etc_show_throttled(const struct gpu_caps *caps, const struct etc_sms *sms, uint32_t shadow[GPU_SM_WORDS])
{
    for (uint32_t word = 0; 32 * word < caps->sms; word++)
        if (sms->throttled[word] != shadow[word]) {
            shadow[word] = sms->throttled[word];
            gpu_throttle_sms(word, shadow[word]);
        }
}
