/* Creates and checks a whole GPU, for unit tests; the public interface is hwmodel.h. */
#ifndef MEMHELM_GPU_GPU_H
#define MEMHELM_GPU_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/block.h"
#include "memhelm/config.h"
#include "memhelm/error.h"
#include "memhelm/hwmodel.h"
#include "workload/workload.h"

struct mh_workload;

/**
 * As mh_gpu_create(), with the caller's workloads in place of those the configuration names: for unit tests that run
 * hand-made instruction streams. Tenants may have any SMs in common. Takes ownership of work[0 .. tenants_count - 1],
 * also on failure.
 */
struct mh_gpu *mh_gpu_create_with(const struct mh_config *cfg, struct mh_workload *const work[], struct mh_error *err);

/** Debug builds: panics unless every queue, MSHR and request is accounted for. */
void mh_gpu_check(const struct mh_gpu *g);

/* What is asked of all blocks, one after the other, in the order of blocks.def. */
/** 0, or -1 when memory ran out. */
int mh_blocks_init(struct mh_gpu *g);
void mh_blocks_free(struct mh_gpu *g);

/** The knobs of struct mh_gpu have taken effect; `before` were in force. */
void mh_blocks_apply(struct mh_gpu *g, const struct mh_knobs *before);

/** Debug builds: stops the program unless every queue, MSHR and request is accounted for. */
void mh_blocks_check(const struct mh_gpu *g);

/** The request that has been outstanding for longest; o->tell is NULL when there is none. */
struct mh_oldest mh_blocks_oldest(const struct mh_gpu *g);

/** Tells of one thing that a block still holds; false: all are empty. */
bool mh_blocks_left(const struct mh_gpu *g, FILE *out);

/** Counters of all tenants at this cycle. */
void mh_blocks_counters(struct mh_gpu *g, struct mh_counters *out);

/** They were latched. */
void mh_blocks_restart(struct mh_gpu *g);

/*
 * Tenants that come and go during the run, their SMs, and the page table roots of SMs.
 *
 * A tenant that comes starts its workload from the beginning. One that leaves is taken away as a driver tears a context
 * down: its CTAs are killed, what they have issued drains, then its translations are flushed. An SM that changes its
 * root drains first (MASK sec. 5.1); its CTAs finish.
 */
struct mh_gpu;
struct mh_sm;

/** Presence, SMs and roots as the configuration has them; before the register window is made. */
void mh_tenants_init(struct mh_gpu *g);

/** At cycle next_change, after its events: tenants leave, then others come. */
void mh_tenants_change(struct mh_gpu *g);

/** After a cycle with `attention`: ends the drains of SMs and of tenants that have left, as far as they are done. */
void mh_tenants_drain(struct mh_gpu *g);

/** The firmware is gone: SMs go back to their tenants at the start of the run. */
void mh_tenants_give_back(struct mh_gpu *g);

/** struct mh_control_ops: registers TENANTS, UVM_FREE, SM_DRAINING and SM_HOLDS; SM_ROOT, TLB_FLUSH and PTE_CHANGED. */
uint32_t mh_tenants_status(void *gpu, uint32_t offset);
bool mh_tenants_command(void *gpu, uint32_t offset, uint32_t value);

/* Faults on purpose, in debug builds: an event that is lost. */

/** An event that a test wants lost. */
struct mh_loss {
    uint32_t kind;   /**< enum mh_event_kind_internal */
    uint32_t number; /**< the n-th from here on, 1 = the next; 0 = none */
    bool again;      /**< not lost, but put off in its own cycle for ever */
};

#ifdef MH_DEBUG
/** Takes the loss from the environment: MEMHELM_LOSE_EVENT=EV_PTE:1000. */
void mh_loss_init(struct mh_loss *loss);

/** True when this event is the one, and must not be run. */
bool mh_event_lost(struct mh_gpu *g, uint32_t event);
#else
#define mh_loss_init(loss)      ((void)0)
#define mh_event_lost(g, event) false
#endif

/* Do the buffers of the tenants fit physical memory? Asked before anything is built of them, and of the GPU. */
/** Of a workload that is there, but for its page table: 0, or -1 and `err`. See mh_gpu_fits(). */
int mh_fit_workload(const struct mh_config *cfg, uint32_t tenant, const struct mh_workload *w, struct mh_error *err);

/** -1 and `err`: the buffers of `tenant`, at least so many bytes, do not fit its share of physical memory. */
int mh_fit_fail(const struct mh_config *cfg, uint32_t tenant, uint64_t bytes, struct mh_error *err);

/** Whether it takes long to make the tenant's data, or its recording has to be read. */
bool mh_fit_is_slow(const struct mh_tenant_cfg *tenant);

/* What the configuration can move at most, in GPU cycles: capabilities of the register window. Rounded down. */
/** CAP_RATE_INTERVAL: an interval of ISSUE_RATE, 1/256 GPU cycles; 0 without sub-queues. */
uint32_t mh_rate_interval(const struct mh_config *cfg);

/** CAP_REPLY_BYTES: header and line of a read's reply, in whole flits. */
uint32_t mh_reply_bytes(const struct mh_config *cfg);

/** CAP_NOC_PEAK: a flit per SM and NoC cycle, in bytes per 1024 GPU cycles (CCBP table 1). */
uint32_t mh_noc_peak(const struct mh_config *cfg);

/** CAP_DRAM_PEAK: the data buses, in bytes per 1024 GPU cycles. */
uint32_t mh_dram_peak(const struct mh_config *cfg);

/*
 * A series over time (run.log_series): every so many GPU cycles what a few counters of each tenant have grown by, as
 * CCBP draws in figures 3, 4 and 12. It only looks: nothing is brought up to date for it, so a run with it is the run.
 */
struct mh_series {
    struct mh_observer obs;
    uint64_t every; /**< GPU cycles */
    uint64_t next;  /**< cycle of the next rows; UINT64_MAX: there are none */
    uint64_t last[MH_MAX_TENANTS][MH_SERIES_COLUMNS];
};

void mh_series_init(struct mh_series *s, const struct mh_config *cfg);

/** `obs` is copied. */
static inline void mh_series_observe(struct mh_series *s, const struct mh_observer *obs)
{
    s->obs = *obs;
}

/** A row for each tenant; `next` is this cycle. */
void mh_series_take(struct mh_gpu *g);

/*
 * Samples for a timeline (run.log_timeline): every so many GPU cycles all counters of all tenants as a SNAPSHOT would
 * read them, and how full the DRAM channels' queues are. It only looks: a run with it is the run.
 */
struct mh_timeline {
    struct mh_observer obs;
    uint64_t every; /**< GPU cycles */
    uint64_t next;  /**< cycle of the next sample; UINT64_MAX: there is none */
    struct mh_counters count[MH_MAX_TENANTS];
};

void mh_timeline_init(struct mh_timeline *t, const struct mh_config *cfg);

/** `obs` is copied. */
static inline void mh_timeline_observe(struct mh_timeline *t, const struct mh_observer *obs)
{
    t->obs = *obs;
}

/** A sample; `next` is this cycle. */
void mh_timeline_take(struct mh_gpu *g);

/*
 * A model that has stopped is found and told, never waited for.
 *
 * Four signs: no event is left although requests are outstanding; the oldest request is older than any that a GPU
 * makes, and stands where it stood a look before; a cycle does not end, because its events schedule each other in it;
 * or because a workload without an instruction starts again in it. A GPU with nothing outstanding is idle, not
 * deadlocked.
 */

enum {
    MH_DEADLOCK_AGE = 1000000,   /**< GPU cycles: younger requests are not looked at (ours) */
    MH_DEADLOCK_LOOK = 1 << 18,  /**< GPU cycles between two looks, at least (ours) */
    MH_DEADLOCK_EVENTS = 16,     /**< events of one cycle for each place of the GPU: more do not end (ours) */
    MH_DEADLOCK_MOST = 1 << 24,  /**< of them, at most: their memory is asked for before they are too many (ours) */
    MH_DEADLOCK_PATH_MAX = 780,  /**< bytes of a path */
    MH_DEADLOCK_TEXT_MAX = 1024, /**< bytes of a report */
};

struct mh_deadlock {
    uint64_t look;     /**< cycle of the next look at the oldest request */
    uint64_t every;    /**< cycles between two; no request waits so long in one place, however slow the DRAM */
    uint64_t executed; /**< events run when an empty wheel was seen last */
    char path[MH_DEADLOCK_PATH_MAX];   /**< of the oldest request at the last look; empty when it was young */
    char report[MH_DEADLOCK_TEXT_MAX]; /**< empty = none found */
};

void mh_deadlock_init(struct mh_deadlock *d, const struct mh_config *cfg);

/** More events than one cycle of such a GPU can have: for struct mh_wheel, which looks when it has to grow. */
uint32_t mh_deadlock_most_events(const struct mh_config *cfg);

/** True, with `report` written, when the model has stopped. Called whenever the wheel has come to a limit; cheap. */
bool mh_deadlock_found(struct mh_gpu *g);

#endif
