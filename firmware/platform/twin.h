/*
 * The native twin of an image: the same policies, the same main, compiled for the host into one shared object.
 *
 * The host (host/ or a test) loads $(BUILD)/twin/NAME.so with dlopen(RTLD_NOW | RTLD_LOCAL), finds the two entry
 * points with dlsym(), and plays the mcu: it advances the model to the next change of the interrupt line and calls
 * mh_twin_irq() for as long as the line is high. Window accesses go through the callbacks, so the twin uses the same
 * register entry as MMIO does, in the same order. A decision takes no GPU time here: that is the twin's meaning.
 *
 *     struct mh_twin_host host = {gpu, read_register, write_register, firmware_exit, uart_write};
 *     int ended = init(&host);
 *     while (!ended) {
 *         if (mh_gpu_irq(gpu))
 *             ended = irq();
 *         else
 *             mh_gpu_advance(gpu, UINT64_MAX);
 *     }
 *
 * One loaded object is one mcu: not for two runs at once. mh_twin_init() may be called again for the next run.
 * Accesses to the machine block have no counterpart here but EXIT and STATE: its MH_STATE_WORDS are registers behind
 * the window's, from MH_WINDOW_BYTES on, 0 before the first image, and the next image finds them as they are.
 */
#ifndef MEMHELM_TWIN_H
#define MEMHELM_TWIN_H

#include <stddef.h>
#include <stdint.h>

/** Exit code of firmware whose access the window answered with an error (on the mcu: an access fault). */
#define MH_TWIN_EXIT_FAULT 255

/** What the twin needs of its host. All four callbacks are needed; none may call back into the twin. */
struct mh_twin_host {
    void *ctx; /**< first argument of every callback */
    /** One aligned 4-byte read at `offset` of the GPU window. 0, or non-zero for an error response. */
    int (*read)(void *ctx, uint32_t offset, uint32_t *value);
    /** One aligned 4-byte write. 0, or non-zero for an error response. */
    int (*write)(void *ctx, uint32_t offset, uint32_t value);
    /** The firmware wrote EXIT: 0 = PASS, else 1..255. Called once; returns, and the firmware is left at once. */
    void (*exit)(void *ctx, uint32_t code);
    /** Bytes for the console; not terminated. */
    void (*uart)(void *ctx, const char *text, size_t length);
};

/** Boots the image: everything up to its first sleep. `host` is copied. Returns 0 = asleep, 1 = ended by EXIT. */
int mh_twin_init(const struct mh_twin_host *host);

/** Takes one interrupt, up to the next sleep. Returns 0 = asleep, 1 = ended by EXIT (then and in every later call). */
int mh_twin_irq(void);

typedef int mh_twin_init_fn(const struct mh_twin_host *host);
typedef int mh_twin_irq_fn(void);

#endif
