/*
 * helm_walks: SIMT-aware order for a tenant alone. For several it starves whoever has many walks for an instruction:
 * they have order of arrival, or DWS while walks wait, if a trial says that it starves none of them. There is no trial
 * where many walks wait for each walker: whoever has most of them starves, and does not recover for long.
 */
#include <string.h>

#include "../param.h"
#include "../walk/walk.h"
#include "helm.h"

POLICY_PARAM(helm_floor, 80, 1, 100, "%: of its progress that a mechanism must leave each tenant (ours)");
POLICY_PARAM(helm_gain, 10, 0, 1000, "thousandths: progress of a tenant above which a mechanism stays (ours)");
POLICY_PARAM(helm_settle, 4000, 100, 1000000, "GPU cycles: of a stretch of a trial that do not count (ours)");
POLICY_PARAM(helm_stretch, 8000, 100, 1000000, "GPU cycles: of a stretch that count (ours)");
POLICY_PARAM(helm_gap, 8, 1, 1000, "epochs: from a trial to the next; twice as many while trials agree (ours)");

enum {
    HELM_WALKS_GAP_MAX = 64, /* epochs (ours) */
    HELM_WALKS_LOOK = 10000, /* GPU cycles from boot to helm_memory's first look: an epoch is long to wait (ours) */
    HELM_WALKS_FIRST = 1,    /* epochs in which walks wait before the first trial: caches fill (ours) */
};

POLICY_OWNS(WALK_ORDER);
POLICY_OWNS(TIMER_2_CTRL);
POLICY_OWNS(WALK_STEAL);
POLICY_USES(WALK_QUEUES);

static struct {
    struct helm_trial trial;
    uint32_t gap, due;  /* epochs between trials, and until the next */
    bool tries, counts; /* a trial runs; its stretch counts */
    bool first;         /* the timer is that of helm_memory_first() */
    bool steals;        /* DWS is in force, outside of trials */
} helm_walks;

static void helm_walks_set(const struct gpu_caps *caps, bool steals)
{
    bool alone = helm_alone();

    if (helm_has(caps, MH_FEATURE_WALK_ORDER))
        gpu_set_knob(WALK_ORDER, 0, alone ? MH_WALK_SIMT : MH_WALK_FCFS);
    if (helm_has(caps, MH_FEATURE_WALK_QUEUES))
        gpu_set_knob(WALK_QUEUES, 0, steals && !alone);
}

static void helm_walks_restart(const struct gpu_caps *caps)
{
    if (helm_walks.tries)
        gpu_stop_timer_2();
    helm_walks.tries = helm_walks.steals = false;
    helm_walks.gap = helm_gap;
    helm_walks.due = HELM_WALKS_FIRST;
    helm_walks_set(caps, false);
}

static enum policy_status helm_walks_init(const struct gpu_caps *caps)
{
    memset(&helm_walks, 0, sizeof helm_walks);
    if (helm_has(caps, MH_FEATURE_WALK_QUEUES)) {
        (void)walk_partition_init(caps);
        gpu_set_knob(WALK_STEAL, 0, MH_STEAL_DWS);
    }
    helm_walks_restart(caps);
    helm_walks.first = true;
    gpu_set_timer_2(HELM_WALKS_LOOK);
    return POLICY_OK;
}

static void helm_walks_next_stretch(const struct gpu_caps *caps)
{
    helm_walks.counts = false;
    helm_walks_set(caps, helm_trial_with(&helm_walks.trial));
    gpu_set_timer_2(helm_settle);
}

/* At the last SNAPSHOT. */
static const struct helm_made *helm_walks_made(const struct gpu_caps *caps)
{
    static struct helm_made now[GPU_MAX_TENANTS];

    for (uint32_t tenant = 0; tenant < caps->tenants; tenant++)
        now[tenant] = (struct helm_made){
            .instructions = gpu_count(tenant, MH_COUNTER_WARP_INSTR),
            .walks = gpu_count(tenant, MH_COUNTER_WALKS),
        };
    return now;
}

/* A tenant that starves slowly ends it, up to the next trial. */
static void helm_walks_watch(const struct gpu_caps *caps)
{
    helm_trial_watch(&helm_walks.trial, caps->tenants, gpu_snap_cycle_low(), helm_walks_made(caps));
    helm_walks.steals = !helm_trial_starves(&helm_walks.trial, caps->tenants, helm_floor);
    helm_walks_set(caps, helm_walks.steals);
}

static void helm_walks_on_epoch(const struct gpu_caps *caps)
{
    if (helm_alone() || !helm_has(caps, MH_FEATURE_WALK_QUEUES))
        return;
    if (helm_walks.steals && !helm_walks.tries)
        helm_walks_watch(caps);
    if (!helm_signals.waiting) {
        helm_walks_restart(caps);
    } else if (!helm_walks.tries && !helm_signals.flooded && helm_walks.due-- == 0) {
        helm_trial_start(&helm_walks.trial);
        helm_walks.tries = true;
        helm_walks_next_stretch(caps);
    }
}

static void helm_walks_decide(const struct gpu_caps *caps)
{
    bool steals = !helm_trial_starves(&helm_walks.trial, caps->tenants, helm_floor) &&
                  helm_trial_gains(&helm_walks.trial, caps->tenants, helm_gain);

    helm_walks.tries = false;
    helm_walks.due = helm_walks.gap;
    if (steals != helm_walks.steals)
        helm_walks.gap = helm_gap;
    else if (helm_walks.gap < HELM_WALKS_GAP_MAX)
        helm_walks.gap *= 2;
    helm_walks.steals = steals;
    helm_walks_set(caps, steals);
}

static void helm_walks_on_timer(const struct gpu_caps *caps)
{
    const struct helm_made *now;

    if (helm_walks.first)
        helm_memory_first(caps);
    helm_walks.first = false;
    if (!helm_walks.tries)
        return;
    gpu_snapshot_window();
    now = helm_walks_made(caps);
    if (!helm_walks.counts) {
        helm_walks.counts = true;
        helm_trial_begin(&helm_walks.trial, caps->tenants, gpu_snap_cycle_low(), now);
        gpu_set_timer_2(helm_stretch);
    } else if (helm_trial_end(&helm_walks.trial, caps->tenants, gpu_snap_cycle_low(), now)) {
        helm_walks_decide(caps);
        helm_trial_begin(&helm_walks.trial, caps->tenants, gpu_snap_cycle_low(), now);
    } else {
        helm_walks_next_stretch(caps);
    }
}

/* What was measured with other tenants says nothing about these. */
static void helm_walks_on_event(const struct gpu_caps *caps, const struct gpu_event *event)
{
    if (event->kind != MH_EVENT_TENANT_ARRIVED && event->kind != MH_EVENT_TENANT_LEFT)
        return;
    if (helm_has(caps, MH_FEATURE_WALK_QUEUES))
        walk_partition_on_event(caps, event);
    helm_walks_restart(caps);
}

const struct policy policy_helm_walks = {
    .name = "helm_walks",
    .init = helm_walks_init,
    .on_epoch = helm_walks_on_epoch,
    .on_event = helm_walks_on_event,
    .on_timer_2 = helm_walks_on_timer,
};
