/*
 * What a run leaves behind, written the same way by QEMU's device and by the native twin, into one directory:
 *   result.json     status, statistics, and what the mcu measured; written to a temporary name and renamed into place
 *   epochs.csv      a row per epoch and tenant (run.log_epochs)
 *   registers.log   the ordered register accesses, `cycle R|W offset value ok|error` (run.log_registers)
 *   dram.trace      the requests that entered one DRAM channel, as `memhelm dram` reads them; its last line, a comment,
 *                   says what the channel did with them (run.log_dram)
 *   faults.csv      a row per page fault that was resolved (run.log_faults)
 *   series.csv      a row per run.log_series cycles and tenant: growth of the counters of series.def
 *   timeline.json   trace events of Chrome and Perfetto: samples of the tenants and channels, what the mcu did, page
 *                   faults (run.log_timeline)
 *   progress        while the run goes on: the GPU cycle of the last epoch, 8 bytes (see mh_record_progress)
 * Nothing in the results depends on wall time, host, paths or the program that wrote it.
 */
#ifndef MEMHELM_RECORD_H
#define MEMHELM_RECORD_H

#include "memhelm/hwmodel.h"
#include "memhelm/swap.h"

struct mh_record;

/** How the run ended. */
enum mh_end {
    MH_END_PASS,     /**< firmware wrote EXIT 0, after the end of the GPU's run */
    MH_END_FAIL,     /**< firmware wrote EXIT with another code, or too early, or reported times that cannot be */
    MH_END_FAULT,    /**< unexpected trap, reported by the firmware or found by the machine */
    MH_END_HANG,     /**< firmware did not answer MH_EVENT_HOST_STOP, or never slept with an infinitely fast mcu */
    MH_END_DEADLOCK, /**< the model has stopped (mh_gpu_deadlock()): its fault or its configuration's */
};

/** Diagnosis of a run that did not pass. */
struct mh_fault {
    uint32_t pc, ra, cause, exit_code;
    char reason[1024]; /**< one sentence */
};

/** What went wrong with the mcu without ending the run (mcu.on_fault: recover), and what it cost. */
struct mh_recovery {
    uint32_t faults, bites; /**< traps that firmware or the machine reported; of the watchdog */
    uint32_t resets;        /**< of the mcu alone, with all knobs at reset */
    /**
     * GPU cycles without a policy: from a trap, or from the last kick before a bite without one, to the first COMMIT
     * after the reset, or to the end of the run.
     */
    uint64_t cycles_lost;
    uint64_t first_cycle;  /**< GPU cycle of the first fault or bite */
    struct mh_fault first; /**< what it was; zero when there was none */
};

/** Something went wrong: `first` says what. */
static inline bool mh_recovery_any(const struct mh_recovery *r)
{
    return r->faults || r->bites;
}

/** Decisions for one event source, as its DECISION register was told; mcu cycles. */
struct mh_decisions {
    uint64_t count, sum, min, max;
};

/** What only the machine can measure; zero in the twin. Times in mcu cycles. */
struct mh_mcu_stats {
    struct mh_decisions decision[MH_SOURCES]; /**< by enum mh_source */
    /** Rise of the interrupt line to the first read of IRQ_PENDING. */
    uint64_t irq_latency_count, irq_latency_sum, irq_latency_max;
    uint64_t stall_cycles;  /**< bus stalls */
    uint64_t accesses;      /**< accesses of the mcu to the GPU window */
    uint64_t awake, asleep; /**< mcu cycles */
    uint64_t boot;          /**< mcu cycles before GPU time began: up to the first COMMIT */
    uint32_t stack_used;    /**< bytes, STACK_USED register */
    uint32_t bad_accesses;  /**< to undefined registers of the machine block; the GPU window counts its own */
    uint32_t bad_kicks;     /**< of the watchdog, without a COMMIT since the last kick */
    uint32_t bad_periods;   /**< writes of WATCHDOG that were refused: longer, 0, or after the boot */
    uint32_t bad_reports;   /**< decisions that were reported to have taken more cycles than had passed */
    uint32_t underreported; /**< decisions that took longer than was reported: they count as long as they took */
    uint64_t underreported_claim, underreported_cycles; /**< mcu cycles of those: as reported, and taken */
    uint64_t undecided_cycles; /**< awake outside of decisions, for longer than between two of them */
    struct mh_recovery recovery;
    struct mh_swaps swaps; /**< the twin's, too */
};

/** Opens the logs that cfg asks for in `dir` and observes `gpu`. NULL and `err` on failure. */
struct mh_record *mh_record_open(const char *dir, const struct mh_config *cfg, struct mh_gpu *gpu,
                                 struct mh_error *err);

/** Writes result.json from the latched statistics, closes everything and frees `rec`. `fault` may be NULL for PASS. */
int mh_record_close(struct mh_record *rec, struct mh_gpu *gpu, enum mh_end end, const struct mh_mcu_stats *mcu,
                    const struct mh_fault *fault, struct mh_error *err);

/** A piece of what the mcu did. */
enum mh_mcu_work {
    MH_MCU_AWAKE,     /**< from its waking to its sleep */
    MH_MCU_INTERRUPT, /**< from the rise of the interrupt line to the first look at IRQ_PENDING */
    MH_MCU_SOURCE,    /**< the work for an event source, from its BEGIN to its DECISION */
    MH_MCU_HOOK       /**< a call of a policy's hook */
};

/**
 * The mcu was at it from GPU cycle `from` to `to`: a slice of the timeline. `name` says which source or hook, and must
 * stay until mh_record_close(); NULL of the others. Slices of one stretch awake come before its own. Without
 * run.log_timeline nothing happens.
 */
void mh_record_mcu(struct mh_record *rec, enum mh_mcu_work work, const char *name, uint64_t from, uint64_t to);

/**
 * What a write of `code` to EXIT makes of the run; to be asked at its cycle, before the statistics are latched. PASS
 * for 0 after the end of the GPU's run (mh_gpu_ended()); else FAIL, and `fault` says why.
 */
enum mh_end mh_record_exit(const struct mh_config *cfg, const struct mh_gpu *gpu, uint32_t code,
                           struct mh_fault *fault);

/** A result.json, read back. Its statistics have no `events`. */
struct mh_result {
    enum mh_end end;
    struct mh_stats stats;
    struct mh_mcu_stats mcu;
    struct mh_fault fault; /**< zero when end is MH_END_PASS */
};

/** Names of enum mh_end as they stand in the file: pass, fail, fault, hang, deadlock. */
extern const char *const mh_end_names[];

/** Reads `path`, written by mh_record_close(). Anything missing, of a wrong type or out of range is an error. */
int mh_record_read(const char *path, struct mh_result *result, struct mh_error *err);

/** As mh_record_read(), from a file's text; `name` is for errors. */
int mh_record_parse(const char *text, const char *name, struct mh_result *result, struct mh_error *err);

/** How far the run in `dir` has come: the cycle of its last epoch, 0 before the first. For a progress line only. */
uint64_t mh_record_progress(const char *dir);

/** Its `schema`. */
#define MH_RECORD_SCHEMA "memhelm-record-1"

/** Writes to `path`.tmp and renames it to `path`: a reader sees the whole file or none. */
int mh_result_write(const struct mh_result *result, const char *path, struct mh_error *err);

#endif
