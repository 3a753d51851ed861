/*
 * Firmware images that the machine reads, and the slots that signed ones lie in.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_RISCV_MEMHELM_SLOTS_H
#define HW_RISCV_MEMHELM_SLOTS_H

#include "memhelm/swap.h"
#include "memhelm_mailbox.h"

/* A firmware image that was read (memhelm_image.c). */
struct memhelm_image;

/*
 * Reads a file: an ELF file, and checks it, or a signed image, which only the
 * boot ROM checks. On an error, which they say, QEMU ends.
 */
struct memhelm_image *memhelm_image_read(const char *file, const char *name);
struct memhelm_image *memhelm_image_read_signed(const char *file,
                                                const char *name);
const char *memhelm_image_name(const struct memhelm_image *image);
void memhelm_image_free(struct memhelm_image *image);

/* Of an ELF file: where it begins. */
uint32_t memhelm_image_entry(const struct memhelm_image *image);

/* Fills the mcu's memories with an ELF file; they hold nothing else then. */
void memhelm_image_place(const struct memhelm_image *image);

/* Of a signed image: fills a slot with it; its version, as its header says. */
void memhelm_image_fill(const struct memhelm_image *image,
                        struct memhelm_mailbox *m, uint32_t slot);
uint32_t memhelm_image_version(const struct memhelm_image *image);

/*
 * Swaps of signed images (memhelm_slots.c): what lies in the slots. The image
 * that takes over is always in the slot that does not run.
 */
typedef struct MemhelmSlotsState {
    struct memhelm_mailbox *mailbox; /* NULL: there is no boot ROM */
    const struct memhelm_image *in[MH_BOOT_SLOTS];
    uint32_t runs;            /* the slot */
    struct memhelm_image *const *offers; /* images to verify, the last first */
    uint32_t left;            /* of them */
    uint32_t answer[MH_SWAPS]; /* enum mh_boot, of each */
    const struct memhelm_image *refill; /* for tests; NULL: none */
} MemhelmSlotsState;

/* 'first' lies in slot A, and the others will be wanted in their order. */
void memhelm_slots_init(MemhelmSlotsState *s, struct memhelm_mailbox *m,
                        const struct memhelm_image *first,
                        struct memhelm_image *const *images, uint32_t count);

/* The ROM has answered an offer. */
void memhelm_slots_answered(MemhelmSlotsState *s);

/* Why the image may not run: BOOT_UNTRIED if it may. */
enum mh_boot memhelm_slots_refuse(const MemhelmSlotsState *s,
                                  const struct memhelm_image *image, uint32_t i);

/* The next boot is to run this image: in the other slot, or the one there. */
void memhelm_slots_want(MemhelmSlotsState *s,
                        const struct memhelm_image *image);

#endif
