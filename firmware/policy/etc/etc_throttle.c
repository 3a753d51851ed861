/*
 * ETC's memory-aware throttling (sec. 4.3).
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

#include "../param.h"
#include "../policy.h"
#include "etc.h"

POLICY_PARAM(throttle_degree, 1, 1, 128, "SMs: throttled at a time (ETC sec. 6.4: best at 1)");
POLICY_PARAM(throttle_release, 1, 1, 128, "SMs: released at a time (ETC sec. 6.4: best at 1)");
/* The paper's figure 7 ends the epoch before the fault is resolved. */
POLICY_PARAM(throttle_own, 0, 0, 1, "1: evictions of the fault itself count, until it is resolved (ours); 0: not");

POLICY_OWNS(SM_THROTTLE_0);
POLICY_OWNS(TIMER_CTRL);
POLICY_OWNS(FAULT_EVENTS);

enum { ETC_NO_SM = 0xff };
_Static_assert(GPU_MAX_SMS <= ETC_NO_SM, "a byte for an SM, and for none");

static struct {
    struct etc_epochs epochs;
    struct etc_sms sms;
    struct etc_owners owners;
    uint32_t shadow[GPU_SM_WORDS];
    uint8_t faulted[GPU_MAX_TENANTS]; /* SM that is throttled when its fault is resolved */
} etc_throttle_state;

static enum policy_status etc_throttle_init(const struct gpu_caps *caps)
{
    memset(&etc_throttle_state, 0, sizeof etc_throttle_state);
    memset(etc_throttle_state.faulted, ETC_NO_SM, sizeof etc_throttle_state.faulted);
    return caps->features & MH_FEATURE_SM_THROTTLE ? POLICY_OK : POLICY_UNSUPPORTED;
}

/* A detection epoch hears of faults that are raised; who waits for one to be resolved, of those that are. */
static void etc_throttle_listen(void)
{
    uint32_t wanted = etc_throttle_state.epochs.phase == ETC_DETECTION ? MH_FAULT_RAISED : 0;

    for (uint32_t tenant = 0; tenant < GPU_MAX_TENANTS; tenant++)
        if (etc_throttle_state.faulted[tenant] != ETC_NO_SM)
            wanted |= MH_FAULT_COME;
    gpu_set_knob(FAULT_EVENTS, 0, wanted);
}

static void etc_throttle_show(const struct gpu_caps *caps)
{
    etc_show_throttled(caps, &etc_throttle_state.sms, etc_throttle_state.shadow);
}

/* The SM whose fault is resolved; there need be none. */
static void etc_throttle_more(const struct gpu_caps *caps, uint32_t tenant)
{
    uint32_t sm = etc_throttle_state.faulted[tenant], holders[GPU_SM_WORDS];

    if (sm == ETC_NO_SM)
        return;
    etc_throttle_state.faulted[tenant] = ETC_NO_SM;
    etc_holders(caps, &etc_throttle_state.owners, tenant, holders);
    etc_sms_throttle(&etc_throttle_state.sms, tenant, sm, throttle_degree, holders);
}

/* Half of its SMs, as soon as CTAs of it are there. False: none are. */
static bool etc_throttle_first(const struct gpu_caps *caps, uint32_t tenant)
{
    uint32_t holders[GPU_SM_WORDS], any = 0;

    etc_find_owners(caps, &etc_throttle_state.owners);
    etc_holders(caps, &etc_throttle_state.owners, tenant, holders);
    for (uint32_t word = 0; word < GPU_SM_WORDS; word++)
        any |= holders[word];
    etc_sms_halve(&etc_throttle_state.sms, tenant, holders);
    return any != 0;
}

static void etc_throttle_leave(uint32_t tenant)
{
    etc_throttle_state.faulted[tenant] = ETC_NO_SM;
    etc_sms_release(&etc_throttle_state.sms, tenant, GPU_MAX_SMS);
}

/*
 * `tenants`, bits, shall be throttled, and no others. One at a time begins, others have their turn at the ends of the
 * next epochs (ours): eight at once would take an epoch's decision over its limit.
 */
static void etc_throttle_set(const struct gpu_caps *caps, uint32_t tenants)
{
    uint32_t before = etc_throttle_state.epochs.tenants;
    bool begun = false;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        uint32_t bit = 1u << tenant;

        if (tenants & ~before & bit) {
            bool begins = !begun && etc_throttle_first(caps, tenant);

            begun |= begins;
            tenants &= begins ? ~0u : ~bit;
        }
        if (before & ~tenants & bit)
            etc_throttle_leave(tenant);
    }
    if (etc_epochs_join(&etc_throttle_state.epochs, tenants))
        etc_epochs_begin(&etc_throttle_state.epochs, caps->tenants);
    etc_throttle_listen();
    etc_throttle_show(caps);
}

void etc_throttle_on_epoch(const struct gpu_caps *caps)
{
    uint32_t tenants = 0;

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        tenants |= (uint32_t)etc_wants(tenant, ETC_MT) << tenant;
    if (tenants != etc_throttle_state.epochs.tenants)
        etc_throttle_set(caps, tenants);
}

/* Its SMs get the CTAs of others. */
void etc_throttle_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind == MH_EVENT_TENANT_ARRIVED || event->kind == MH_EVENT_TENANT_LEFT)
        etc_throttle_state.owners.known = false;
    if (event->kind == MH_EVENT_TENANT_LEFT && event->tenant < caps->tenants)
        etc_throttle_set(caps, etc_throttle_state.epochs.tenants & ~(1u << event->tenant));
}

static void etc_throttle_raised(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (!etc_epochs_fault(&etc_throttle_state.epochs, fault->tenant))
        return;
    if (fault->evicted || throttle_own)
        etc_throttle_state.faulted[fault->tenant] = fault->sm;
    if (etc_throttle_state.epochs.phase == ETC_EXECUTION)
        etc_epochs_begin(&etc_throttle_state.epochs, caps->tenants);
    etc_throttle_listen();
}

static void etc_throttle_come(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (etc_throttle_state.faulted[fault->tenant] != fault->sm)
        return;
    if (!fault->evicted)
        etc_throttle_state.faulted[fault->tenant] = ETC_NO_SM;
    etc_throttle_more(caps, fault->tenant);
    etc_throttle_show(caps);
    etc_throttle_listen();
}

void etc_throttle_on_page_fault(const struct gpu_caps *caps, const struct gpu_page_fault *fault)
{
    if (fault->tenant >= caps->tenants)
        return;
    if (fault->come)
        etc_throttle_come(caps, fault);
    else
        etc_throttle_raised(caps, fault);
}

/* A fault that is not resolved by the end of an execution epoch, or whose entry was lost, counts as resolved (ours). */
void etc_throttle_on_timer(const struct gpu_caps *caps)
{
    bool executed = etc_throttle_state.epochs.phase == ETC_EXECUTION;
    uint32_t quiet = etc_epochs_expire(&etc_throttle_state.epochs);

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++) {
        if (executed)
            etc_throttle_more(caps, tenant);
        if (quiet >> tenant & 1)
            etc_sms_release(&etc_throttle_state.sms, tenant, throttle_release);
    }
    etc_epochs_begin(&etc_throttle_state.epochs, caps->tenants);
    etc_throttle_listen();
    etc_throttle_show(caps);
}

/* helm_paging calls this and not init: with init visible outside the compiler moves functions, and decisions of all ETC
 * images take other cycles. */
enum policy_status etc_throttle_begin(const struct gpu_caps *caps)
{
    return etc_throttle_init(caps);
}

const struct policy policy_etc_throttle = {
    .name = "etc_throttle",
    .init = etc_throttle_init,
    .on_epoch = etc_throttle_on_epoch,
    .on_event = etc_throttle_on_event,
    .on_page_fault = etc_throttle_on_page_fault,
    .on_timer = etc_throttle_on_timer,
};
