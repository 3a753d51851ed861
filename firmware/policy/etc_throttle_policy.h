/*
 * Makes a policy of ETC's memory-aware throttling (sec. 4.3). The policy's file defines ETC_THROTTLE_POLICY, its name,
 * may define what is below, and the lengths of epochs (etc_epochs_policy.h), and includes this.
 *
 * Half of the SMs that hold CTAs first. Then, at the end of each detection epoch: no fault: release the SM throttled
 * last. A fault, but no eviction requested since the epoch began: no change. Both: throttle the SM that faulted, once
 * its fault is resolved. The paper checks for "an eviction request": an eviction requested before the epoch does not
 * count even if it ends in the epoch.
 *
 * All warps of a released SM fetch again at once (ours): the paper "gradually enables the fetch units" and gives no
 * step.
 */
#include <string.h>

#include "etc.h"
#include "policy.h"
#include "policy_name.h"

/* SMs throttled and released at a time (sec. 6.4: best at 1 and 1). */
#ifndef ETC_THROTTLE_DEGREE
#define ETC_THROTTLE_DEGREE 1
#endif
#ifndef ETC_RELEASE_DEGREE
#define ETC_RELEASE_DEGREE 1
#endif
/* 1: what the fault itself evicts until it is resolved counts, too. The paper's figure 7 ends the epoch before. */
#ifndef ETC_OWN_EVICTION
#define ETC_OWN_EVICTION 0
#endif

POLICY_OWNS(SM_THROTTLE_0);
POLICY_OWNS(TIMER_CTRL);
POLICY_OWNS(FAULT_EVENTS);

#include "etc_epochs_policy.h"
#include "etc_throttle_sms.h"

#define ETC_THROTTLE(what) POLICY_NAME(ETC_THROTTLE_POLICY, what)

enum { ETC_NO_SM = 0xff };
_Static_assert(GPU_MAX_SMS <= ETC_NO_SM, "a byte for an SM, and for none");

static struct {
    struct etc_epochs epochs;
    struct etc_sms sms;
    struct etc_owners owners;
    uint32_t shadow[GPU_SM_WORDS];
    uint8_t faulted[GPU_MAX_TENANTS]; /* SM that is throttled when its fault is resolved */
} ETC_THROTTLE(_state);

static enum policy_status ETC_THROTTLE(_init)(const struct gpu_caps *caps)
{
    memset(&ETC_THROTTLE(_state), 0, sizeof ETC_THROTTLE(_state));
    memset(ETC_THROTTLE(_state).faulted, ETC_NO_SM, sizeof ETC_THROTTLE(_state).faulted);
    return caps->features & MH_FEATURE_SM_THROTTLE ? POLICY_OK : POLICY_UNSUPPORTED;
}

/* A detection epoch hears of faults that are raised; who waits for one to be resolved, of those that are. */
static void ETC_THROTTLE(_listen)(void)
{
    uint32_t wanted = ETC_THROTTLE(_state).epochs.phase == ETC_DETECTION ? MH_FAULT_RAISED : 0;

    for (uint32_t tenant = 0; tenant < GPU_MAX_TENANTS; tenant++)
        if (ETC_THROTTLE(_state).faulted[tenant] != ETC_NO_SM)
            wanted |= MH_FAULT_COME;
    gpu_set_knob(FAULT_EVENTS, 0, wanted);
}

static void ETC_THROTTLE(_show)(const struct gpu_caps *caps)
{
    etc_show_throttled(caps, &ETC_THROTTLE(_state).sms, ETC_THROTTLE(_state).shadow);
}

/* The SM whose fault is resolved; there need be none. */
static void ETC_THROTTLE(_more)(const struct gpu_caps *caps, uint32_t tenant)
{
    uint32_t sm = ETC_THROTTLE(_state).faulted[tenant], holders[GPU_SM_WORDS];

    if (sm == ETC_NO_SM)
        return;
    ETC_THROTTLE(_state).faulted[tenant] = ETC_NO_SM;
    etc_holders(caps, &ETC_THROTTLE(_state).owners, tenant, holders);
    etc_sms_throttle(&ETC_THROTTLE(_state).sms, tenant, sm, ETC_THROTTLE_DEGREE, holders);
}

/* Half of its SMs, as soon as CTAs of it are there. False: none are. */
static bool ETC_THROTTLE(_first)(const struct gpu_caps *caps, uint32_t tenant)
{
    uint32_t holders[GPU_SM_WORDS], any = 0;

    etc_find_owners(caps, &ETC_THROTTLE(_state).owners);
    etc_holders(caps, &ETC_THROTTLE(_state).owners, tenant, holders);
    for (uint32_t word = 0; word < GPU_SM_WORDS; word++)
        any |= holders[word];
    etc_sms_halve(&ETC_THROTTLE(_state).sms, tenant, holders);
    return any != 0;
}

static void ETC_THROTTLE(_leave)(uint32_t tenant)
{
    ETC_THROTTLE(_state).faulted[tenant] = ETC_NO_SM;
    etc_sms_release(&ETC_THROTTLE(_state).sms, tenant, GPU_MAX_SMS);
}

/*
 * `tenants`, bits, shall be throttled, and no others. One at a time begins, others have their turn at the ends of the
 * next epochs (ours): eight at once would take an epoch's decision over its limit.
 */
static void ETC_THROTTLE(_set)(const struct gpu_caps *caps, uint32_t tenants)
{
    uint32_t before = ETC_THROTTLE(_state).epochs.tenants;
    bool begun = false;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint32_t bit = 1u << tenant;

        if (tenants & ~before & bit) {
            bool begins = !begun && ETC_THROTTLE(_first)(caps, tenant);

            begun |= begins;
            tenants &= begins ? ~0u : ~bit;
        }
        if (before & ~tenants & bit)
            ETC_THROTTLE(_leave)(tenant);
    }
    if (etc_epochs_join(&ETC_THROTTLE(_state).epochs, tenants))
        etc_epochs_begin(&ETC_THROTTLE(_state).epochs, caps->tenants);
    ETC_THROTTLE(_listen)();
    ETC_THROTTLE(_show)(caps);
}

static void ETC_THROTTLE(_on_epoch)(const struct gpu_caps *caps)
{
    uint32_t tenants = 0;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        tenants |= (uint32_t)etc_wants(tenant, ETC_MT) << tenant;
    if (tenants != ETC_THROTTLE(_state).epochs.tenants)
        ETC_THROTTLE(_set)(caps, tenants);
}

/* Its SMs get the CTAs of others. */
static void ETC_THROTTLE(_on_event)(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_ARRIVED || event->kind == MH_EVENT_TENANT_LEFT)
        ETC_THROTTLE(_state).owners.known = false;
    if (event->kind == MH_EVENT_TENANT_LEFT && event->tenant < caps->tenants)
        ETC_THROTTLE(_set)(caps, ETC_THROTTLE(_state).epochs.tenants & ~(1u << event->tenant));
}

static void ETC_THROTTLE(_raised)(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (!etc_epochs_fault(&ETC_THROTTLE(_state).epochs, fault->tenant))
        return;
    if (fault->evicted || ETC_OWN_EVICTION)
        ETC_THROTTLE(_state).faulted[fault->tenant] = fault->sm;
    if (ETC_THROTTLE(_state).epochs.phase == ETC_EXECUTION)
        etc_epochs_begin(&ETC_THROTTLE(_state).epochs, caps->tenants);
    ETC_THROTTLE(_listen)();
}

static void ETC_THROTTLE(_come)(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (ETC_THROTTLE(_state).faulted[fault->tenant] != fault->sm)
        return;
    if (!fault->evicted)
        ETC_THROTTLE(_state).faulted[fault->tenant] = ETC_NO_SM;
    ETC_THROTTLE(_more)(caps, fault->tenant);
    ETC_THROTTLE(_show)(caps);
    ETC_THROTTLE(_listen)();
}

static void ETC_THROTTLE(_on_page_fault)(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (fault->tenant >= caps->tenants)
        return;
    if (fault->come)
        ETC_THROTTLE(_come)(caps, fault);
    else
        ETC_THROTTLE(_raised)(caps, fault);
}

/* A fault that is not resolved by the end of an execution epoch, or whose entry was lost, counts as resolved (ours). */
static void ETC_THROTTLE(_on_timer)(const struct gpu_caps *caps)
{
    bool executed = ETC_THROTTLE(_state).epochs.phase == ETC_EXECUTION;
    uint32_t quiet = etc_epochs_expire(&ETC_THROTTLE(_state).epochs);

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        if (executed)
            ETC_THROTTLE(_more)(caps, tenant);
        if (quiet >> tenant & 1)
            etc_sms_release(&ETC_THROTTLE(_state).sms, tenant, ETC_RELEASE_DEGREE);
    }
    etc_epochs_begin(&ETC_THROTTLE(_state).epochs, caps->tenants);
    ETC_THROTTLE(_listen)();
    ETC_THROTTLE(_show)(caps);
}

const struct policy POLICY_NAME(policy_, ETC_THROTTLE_POLICY) = {
    .name = POLICY_TEXT(ETC_THROTTLE_POLICY),
    .init = ETC_THROTTLE(_init),
    .on_epoch = ETC_THROTTLE(_on_epoch),
    .on_event = ETC_THROTTLE(_on_event),
    .on_page_fault = ETC_THROTTLE(_on_page_fault),
    .on_timer = ETC_THROTTLE(_on_timer),
};
