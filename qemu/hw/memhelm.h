/*
 * The memhelm machine: what its devices share.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Time. Instruction counting makes QEMU_CLOCK_VIRTUAL the clock of the mcu:
 * one virtual nanosecond is one mcu cycle. The GPU window derives the GPU's
 * time from it (memhelm_gpu_time.c); the machine block ends the run
 * (memhelm_block_end.c), and the guard decides whether a fault does
 * (memhelm_guard.c).
 */
#ifndef HW_RISCV_MEMHELM_H
#define HW_RISCV_MEMHELM_H

#include "chardev/char-fe.h"
#include "hw/sysbus.h"
#include "qemu/notify.h"
#include "qom/object.h"

#include "memhelm/boot.h"
#include "memhelm/config.h"
#include "memhelm/hwmodel.h"
#include "memhelm/record.h"
#include "memhelm/registers.h"
#include "memhelm_slots.h"

/* Cycles of the mcu from the latched end of the run to the firmware's EXIT. */
#define MEMHELM_GRACE 200000

/* Cycles of the mcu after which the GPU waits for no first COMMIT any more. */
#define MEMHELM_BOOT 1000000

/* .. and a boot ROM has hung: it may verify nine images, on a slow core. */
#define MEMHELM_ROM INT64_C(4000000000)

/* Cycles without sleep after which an infinitely fast mcu has hung. */
#define MEMHELM_AWAKE_LIMIT 10000000
/* .. and if it has before: a quarter of the last limit, and this at least. */
#define MEMHELM_AWAKE_LEAST 200000
/* .. between two looks at GPU time that has not begun, at least. */
#define MEMHELM_HELD 64
/* .. between two looks at GPU time that stands still. */
#define MEMHELM_LOOK 1000
/* GPU cycles that the model runs ahead before QEMU looks for signals. */
#define MEMHELM_AHEAD 50000

/* Exit status of the process when the run was interrupted or not recorded. */
#define MEMHELM_EXIT_INTERRUPTED 5

/* Resets of the mcu without an answered epoch after which it stays so. */
#define MEMHELM_RESETS 200
/* .. and hangs of an infinitely fast mcu, which take no GPU time. */
#define MEMHELM_SLEEPLESS 20

/*
 * Mcu cycles by which a decision may be longer than the firmware reports: it
 * reads its clock behind BEGIN and before it writes the source's register.
 */
#define MEMHELM_CLAIM_SLACK 128
/*
 * .. that the mcu may be awake without working on a decision: our images take
 * 118 instructions at most, 529 cycles on picorv32.
 */
#define MEMHELM_BETWEEN 1000

struct mh_mcu_port;

/* What the mcu's instructions take beyond one cycle each, if anything. */
typedef struct MemhelmMcuState {
    struct mh_mcu_port *port; /* of the plugin; NULL: one cycle each */
    int64_t applied;          /* cycles of it that the clock has */
    int64_t anchor;           /* busy cycles when it last slept or decided */
    uint64_t undecided;       /* .. outside of decisions, > MEMHELM_BETWEEN */
} MemhelmMcuState;

#define TYPE_MEMHELM_BLOCK "memhelm-block"
OBJECT_DECLARE_SIMPLE_TYPE(MemhelmBlockState, MEMHELM_BLOCK)

#define TYPE_MEMHELM_GPU "memhelm-gpu"
OBJECT_DECLARE_SIMPLE_TYPE(MemhelmGpuState, MEMHELM_GPU)

struct MemhelmGpuState {
    /*< private >*/
    SysBusDevice parent_obj;

    /*< public >*/
    MemoryRegion mmio;
    qemu_irq irq;
    CPUState *mcu;            /* whose sleep lets the model run ahead */

    char *core_plugin;        /* path of the loaded plugin, NULL = none */
    MemhelmMcuState timing;

    struct mh_config cfg;     /* filled in by the machine before realize */
    struct mh_gpu *gpu;

    QEMUTimer *tick;
    int64_t start;            /* mcu cycle of GPU cycle 0; INT64_MAX: to come */
    int64_t boot_until;       /* mcu cycle up to which it waits for a COMMIT */
    int64_t due;              /* mcu cycle at which the model's state shows */
    bool ahead;               /* the tick is the end of a run-ahead */
    bool level;               /* of the interrupt line */
    bool stopped;             /* the run is over */
    bool end_notified;
    int64_t awake_since;      /* instructions executed when last seen asleep */
    MemhelmBlockState *block; /* which guards the mcu's stack */
    NotifierList ended;       /* the cycle limit has come, and is visible */
    NotifierList committed;   /* a COMMIT has ended, applied or rejected */

    uint64_t accesses;
    uint64_t stall_cycles;
    int64_t risen;            /* mcu cycle; -1: the line is low, or seen */
    struct mh_record *record; /* of the run; NULL: it is over */
    int64_t woken;            /* mcu cycle; -1: asleep */
    int64_t anchor;           /* an mcu cycle .. */
    uint64_t anchor_busy;     /* .. and the plugin's count of cycles then */
    uint32_t looks;           /* IRQ_PENDING read since it was last written */
    uint64_t irq_latency_count;
    uint64_t irq_latency_sum;
    uint64_t irq_latency_max;
};

/* The mcu cycle now. */
int64_t memhelm_now(void);

/* Instructions the mcu has executed; 0 without instruction counting. */
int64_t memhelm_executed(void);

/* True for a read or write that the mcu did not make: debugger, monitor. */
bool memhelm_is_peek(void);

/*
 * The plugin that counts and costs instructions, loaded by QEMU as 'plugin';
 * NULL is right for core ipc1 only.
 */
bool memhelm_mcu_open(MemhelmMcuState *m, CPUState *mcu, const char *plugin,
                      const char *name, Error **errp);

/* Fold what the mcu's instructions took so far into the one clock. */
void memhelm_mcu_sync(MemhelmMcuState *m);

/* The mcu waited for the bus. */
void memhelm_mcu_stalled(MemhelmMcuState *m, uint32_t cycles);

/* Cycles that the mcu has been awake so far, bus stalls excluded. */
int64_t memhelm_mcu_busy(MemhelmMcuState *m);

/*
 * The busy cycle at which work began that the firmware announces now: this one,
 * or that of its last sleep or decision if MEMHELM_BETWEEN have passed.
 */
int64_t memhelm_mcu_began(MemhelmMcuState *m);

/* The mcu falls asleep. */
void memhelm_mcu_slept(MemhelmMcuState *m);

/* The firmware's work for an event source begins, and has ended. */
void memhelm_mcu_begin(MemhelmMcuState *m, uint32_t source);
void memhelm_mcu_finish(MemhelmMcuState *m, uint32_t source);

/* The mcu alone is reset. */
void memhelm_mcu_reset(MemhelmMcuState *m);

/*
 * The run is over: write core.json; a run that passed is counted exactly.
 * 'undone' instructions were begun and trapped, and are not executed ones.
 */
bool memhelm_mcu_end(MemhelmMcuState *m, bool passed, uint64_t undone,
                     Error **errp);

/* The CSRs are those of memhelm/csrs.def. Before the mcu is made. */
void memhelm_csr_init(void);

/* The mcu alone, CSRs and its own timer included, is as after power-on. */
void memhelm_core_reset(CPUState *cs);

/* The mcu executes nothing more until its reset. */
void memhelm_core_park(CPUState *cs);

/* Once the mcu is there: QEMU's sandbox, and what it says when it crashes. */
void memhelm_process_init(CPUState *mcu);

/* Begin to watch the time (memhelm_gpu_time.c); it stands until the boot. */
void memhelm_gpu_time_init(MemhelmGpuState *s);

/* A COMMIT has been applied: the first one is GPU cycle 0. */
void memhelm_gpu_booted(MemhelmGpuState *s);

/* GPU time that has not begun waits for the first COMMIT up to mcu cycle t. */
void memhelm_gpu_boot_until(MemhelmGpuState *s, int64_t t);

/* Set the timer that moves the model on: the mcu may sleep, or be awake. */
void memhelm_gpu_schedule(MemhelmGpuState *s);

/* mcu.hz 0: GPU time passes only while the mcu sleeps. */
bool memhelm_gpu_infinite(MemhelmGpuState *s);

/* Show the model's interrupt line and its end, once their cycle has come. */
void memhelm_gpu_show(MemhelmGpuState *s, int64_t t);

/* Bring the model to the present and its interrupt line to the mcu. */
void memhelm_gpu_catch_up(MemhelmGpuState *s);

/* The GPU cycle at mcu cycle t, which has been. */
uint64_t memhelm_gpu_at(MemhelmGpuState *s, int64_t t);

/*
 * The timeline of the mcu (memhelm_timeline.c), at mcu cycles: it woke or fell
 * asleep; an interrupt was seen that rose at 'from'; work for an event source
 * ended; an image that took over has come to its first COMMIT; the present,
 * exactly, which the plugin's counts are measured from.
 */
bool memhelm_timeline_on(MemhelmGpuState *s);
void memhelm_timeline_woken(MemhelmGpuState *s, int64_t t);
void memhelm_timeline_asleep(MemhelmGpuState *s, int64_t t);
void memhelm_timeline_irq(MemhelmGpuState *s, int64_t from, int64_t to);
void memhelm_timeline_source(MemhelmGpuState *s, uint32_t source,
                             int64_t from, int64_t to);
void memhelm_timeline_swap(MemhelmGpuState *s, const struct mh_swap *swap);
void memhelm_timeline_anchor(MemhelmGpuState *s, int64_t t);

/* The GPU cycle now, to which the model may not have come yet. */
uint64_t memhelm_gpu_present(MemhelmGpuState *s);

/*
 * The mcu cycle at which that GPU cycle comes, if the mcu sleeps till then;
 * while GPU time has not begun, one at which it cannot have come yet.
 */
int64_t memhelm_gpu_when(MemhelmGpuState *s, uint64_t gpu);

/*
 * An mcu that may be asleep is going to be reset at this cycle: the model does
 * not run ahead of it any more. The reset of the device ends this.
 */
void memhelm_gpu_hold(MemhelmGpuState *s);

/* The run is over: latch the statistics at this cycle; nothing moves on. */
void memhelm_gpu_stop(MemhelmGpuState *s);

typedef struct MemhelmGuardState MemhelmGuardState;

struct MemhelmGuardState {
    DeviceState *block;       /* reset with the mcu */
    MemhelmGpuState *gpu;
    void (*bite)(MemhelmGuardState *g);
    bool recover;             /* mcu.on_fault */

    uint32_t timeout;         /* WATCHDOG, GPU cycles */
    uint64_t since;           /* GPU cycle from which it counts */
    int64_t boot;             /* mcu cycle up to which a boot may take */
    uint64_t reset_at;        /* GPU cycle of the mcu's last reset */
    uint32_t resets_in_row;   /* without an answered epoch */
    uint32_t sleepless;       /* hangs of an infinitely fast mcu, in all */
    bool given_up;            /* the mcu stays in reset */
    bool ran;                 /* a COMMIT has been applied */
    bool locked;              /* the same, since the mcu's reset */
    bool booted;              /* one has ended since, applied or rejected */
    bool committed;           /* one has ended since the last kick */
    bool due;                 /* the next kick counts */
    bool kicked;              /* one has counted since the mcu's reset */
    bool undecided;           /* no DECISION since a kick counted for an epoch */
    uint64_t answered;        /* epochs, when it last became due */
    uint32_t commits;         /* that have ended since the last kick counted */
    bool faulted;             /* the mcu reported a trap and waits */
    uint64_t lost_since;      /* GPU cycle from which there is no policy */
    uint32_t bad_kicks;
    uint32_t bad_periods;
    struct mh_recovery stats;

    QEMUTimer *timer;
    Notifier commit;
    Notifier ended;
};

/* 'bite' is called when the watchdog bites; it asks memhelm_guard_hang(). */
void memhelm_guard_init(MemhelmGuardState *g, DeviceState *block,
                        MemhelmGpuState *gpu,
                        void (*bite)(MemhelmGuardState *g));

/* Writes to WATCHDOG, WATCHDOG_KICK and DECISION. */
void memhelm_guard_set(MemhelmGuardState *g, uint32_t timeout);
void memhelm_guard_kick(MemhelmGuardState *g);
void memhelm_guard_decided(MemhelmGuardState *g);

/*
 * Something went wrong. True: it is recorded and the run goes on; false: it
 * ends the run. A fault leaves the mcu where it is, asleep; after a trap
 * loop or a hang it will be reset, and executes nothing before that. A trap
 * loop soon after a reset waits for the watchdog, as a fault does.
 */
bool memhelm_guard_fault(MemhelmGuardState *g, const struct mh_fault *fault);
bool memhelm_guard_trap_loop(MemhelmGuardState *g,
                             const struct mh_fault *fault);
bool memhelm_guard_hang(MemhelmGuardState *g, const struct mh_fault *fault);

/* The mcu boots another image: the watchdog begins anew. */
void memhelm_guard_swapped(MemhelmGuardState *g);

/* What the firmware has not done, and since when; to be freed. */
char *memhelm_guard_since(MemhelmGuardState *g);

/* A boot after a reset may take up to mcu cycle t. */
void memhelm_guard_boot_until(MemhelmGuardState *g, int64_t t);

/* The mcu alone is reset, whatever it does; nothing was wrong with it. */
void memhelm_guard_power_cut(MemhelmGuardState *g);

/* Adds what was counted. */
void memhelm_guard_stats(MemhelmGuardState *g, struct mh_mcu_stats *stats);

/* The run is over. */
void memhelm_guard_stop(MemhelmGuardState *g);

/* Verified boot (memhelm_boot.c). */

/* What the machine was given: files; rom NULL: there is no boot ROM. */
typedef struct MemhelmBootGiven {
    char *rom, *key, *slot_a, *slot_b, *refill;
    uint64_t counter;         /* BOOT_COUNTER at the start */
    uint64_t power_cut;       /* mcu cycle; 0: none */
} MemhelmBootGiven;

typedef struct MemhelmBootState {
    const MemhelmBootGiven *given;
    MemoryRegion memory[4];   /* ROM, fuses, slots A and B */
    MemoryRegion ram;
    QEMUTimer *cut;
    struct memhelm_mailbox mailbox;

    int64_t since;            /* mcu cycle of the reset */
    int64_t cycles;           /* of the mcu, that the first boot took */
    int64_t cycles_again;     /* .. and the last one after it */
    uint32_t boots;           /* that came to their end */
} MemhelmBootState;

/* Images that take over while the GPU works (memhelm_swap.c). */
typedef struct MemhelmSwapState {
    DeviceState *block;       /* reset with the mcu */
    MemhelmGpuState *gpu;
    MemhelmGuardState *guard;
    struct memhelm_image *image[MH_SWAPS];
    struct memhelm_image *now, *before; /* that the mcu boots, and had */
    struct memhelm_image *failed;       /* when 'returned' */
    const struct memhelm_image *placed; /* that is in its memories */
    MemhelmSlotsState slots;            /* .. or in slots */
    struct mh_swap_when when[MH_SWAPS];
    uint64_t look;            /* GPU cycle at which to ask for the next one */
    uint32_t count;
    struct mh_swaps swaps;    /* that have begun, or were refused; all names */
    struct mh_swap *current;  /* the last that has begun */
    struct mh_swap_watch watch;
    bool boots;               /* no COMMIT has been applied since */
    bool proves;              /* 'now' has not answered its epochs yet */
    bool returned;            /* .. and is there because another one failed */
    uint32_t probation;       /* epochs to answer */
    uint64_t answered;        /* epochs when 'now' began */
    Notifier commit;
} MemhelmSwapState;

/* 'run' is the directory of the run. On bad input QEMU ends. */
void memhelm_swap_init(MemhelmSwapState *s, const char *run, DeviceState *block,
                       MemhelmGpuState *gpu, MemhelmGuardState *guard,
                       MemhelmBootState *boot);

/* GPU cycle at which a swap may be due; UINT64_MAX: there is none. */
uint64_t memhelm_swap_cycle(MemhelmSwapState *s);

/* The image that takes over has not answered its epochs yet. */
bool memhelm_swap_proves(MemhelmSwapState *s);

/*
 * The mcu is going to be reset because its image failed. In its probation: the
 * one before it boots again. False: that one has failed, too.
 */
bool memhelm_swap_failed(MemhelmSwapState *s);

/* Why the mcu stays in reset, to be freed; NULL: not because of a swap. */
char *memhelm_swap_both_failed(MemhelmSwapState *s);

/* What the mcu boots, if that has changed; where it executes nothing. */
void memhelm_swap_place(MemhelmSwapState *s);

/* The boot ROM has ended. False: it runs what nobody asked for. */
bool memhelm_swap_verified(MemhelmSwapState *s);

/* The mcu sleeps, at this cycle. True: it boots another image. */
bool memhelm_swap_asleep(MemhelmSwapState *s);

struct MemhelmBlockState {
    /*< private >*/
    SysBusDevice parent_obj;

    /*< public >*/
    MemoryRegion mmio;
    MemoryRegion uart;
    CharBackend chr;
    MemhelmGpuState *gpu;
    CPUState *mcu;
    char *run;                /* directory of the results */

    struct mh_record *record;
    struct mh_mcu_stats stats;
    struct mh_fault fault;    /* FAULT_CAUSE, FAULT_PC, FAULT_RA as written */
    int64_t begun[MH_SOURCES]; /* mcu cycle of BEGIN; -1: none is open */
    int64_t busy[MH_SOURCES]; /* the mcu's busy cycle at which it began */
    struct {
        uint32_t source;
        uint32_t cycles;
        int64_t passed;       /* mcu cycles since BEGIN; -1: there was none */
    } misreport;              /* the first of stats.bad_reports */
    uint32_t state[MH_STATE_WORDS]; /* STATE */
    MemhelmGuardState guard;
    MemhelmSwapState swap;
    MemhelmBootState boot;
    bool ended;

    QEMUTimer *grace;
    QEMUTimer *awake;
    Notifier gpu_ended;
    Notifier shutdown;
};

/*
 * The end of the run (memhelm_block_end.c): latch the statistics at this
 * cycle, write the result and stop the mcu. 'fault' says why; NULL for PASS.
 * Once it has ended, nothing.
 */
void memhelm_block_end(MemhelmBlockState *s, enum mh_end end,
                       const struct mh_fault *fault);

/* EXIT was written. */
void memhelm_block_exit(MemhelmBlockState *s, uint32_t code);

/* Open the result and wait for what ends a run. */
void memhelm_block_end_init(MemhelmBlockState *s, Error **errp);

/* FAULT was written: the firmware reports the trap of FAULT_CAUSE, _PC, _RA. */
void memhelm_block_fault(MemhelmBlockState *s);

/*
 * The firmware passed, but reported decisions that cannot have taken so long:
 * how the run ends.
 */
enum mh_end memhelm_block_misreported(MemhelmBlockState *s,
                                      struct mh_fault *fault);

/*
 * Has a frame stepped over the guard below the stack since the last call?
 * Asked at each access of a device and each tick. True: the run is over, or the
 * mcu executes nothing before it is reset.
 */
bool memhelm_block_overflowed(MemhelmBlockState *s);

/* A trap loop was found. */
void memhelm_block_trap_loop(MemhelmBlockState *s, uint32_t first_pc,
                             uint32_t first_cause);

/* The mcu has hung, and no reset helps: the run ends. 'what' is how. */
void memhelm_block_hang(MemhelmBlockState *s, const char *what);

/* Watch over the mcu: the guard's watchdog, and an mcu that never sleeps. */
void memhelm_block_fault_init(MemhelmBlockState *s);

/* The memories of the boot ROM, if there is one. */
void memhelm_boot_add_memories(MemhelmBootState *b, Object *owner);

/* Once GPU and guard are there. */
void memhelm_boot_init(MemhelmBlockState *s);

/* The ROM has not come to its end since the mcu's last reset. */
bool memhelm_boot_running(const MemhelmBootState *b);

/* A write to its registers of the machine block; false: it is dropped. */
bool memhelm_boot_write(MemhelmBlockState *s, hwaddr addr, uint32_t value);

/* The mcu is reset: it begins in the ROM. */
void memhelm_boot_reset(MemhelmBlockState *s);

/* Write boot.json, if there is a ROM. */
bool memhelm_boot_save(MemhelmBlockState *s, Error **errp);

/* Add the uart (memhelm_uart.c) as the device's next region. */
void memhelm_uart_init(MemhelmBlockState *s);

#endif
