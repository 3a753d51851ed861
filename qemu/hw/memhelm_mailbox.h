/*
 * The mailbox between host and boot ROM: the registers of verified boot, and the
 * slots that the host fills. Plain C, no QEMU, so that a fuzzer can have it.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef HW_RISCV_MEMHELM_MAILBOX_H
#define HW_RISCV_MEMHELM_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "memhelm/boot.h"

/* What an erased slot reads as. */
#define MEMHELM_ERASED 0xff

struct memhelm_mailbox {
    uint8_t *slot[MH_BOOT_SLOTS]; /* MH_SLOT_BYTES each */

    /* The registers of their names. */
    uint32_t status, counter, version;
    uint32_t hash[MH_BOOT_HASH_BYTES / 4];
    uint32_t offer, wanted;
    uint32_t fills[MH_BOOT_SLOTS];

    uint32_t answer;          /* what the ROM said of the last offer */
    bool over;                /* BOOT_STATUS was written since the reset */
};

/* What a write has done. */
enum memhelm_mail {
    MEMHELM_MAIL_DROPPED,     /* nothing */
    MEMHELM_MAIL_KEPT,
    MEMHELM_MAIL_ANSWERED,    /* the ROM has answered the offer, which is over */
    MEMHELM_MAIL_OVER,        /* the boot has ended */
};

/* The mcu's side: offsets are those of the machine block. */
uint32_t memhelm_mailbox_read(const struct memhelm_mailbox *m, uint32_t offset);
enum memhelm_mail memhelm_mailbox_write(struct memhelm_mailbox *m,
                                        uint32_t offset, uint32_t value);

/* The mcu is reset: a boot begins. */
void memhelm_mailbox_reset(struct memhelm_mailbox *m);

/* The slot that runs; MH_BOOT_SLOTS: none. What the ROM said of a slot. */
uint32_t memhelm_mailbox_runs(const struct memhelm_mailbox *m);
enum mh_boot memhelm_mailbox_found(const struct memhelm_mailbox *m,
                                   uint32_t slot);

/*
 * The host's side. A slot holds the bytes, MH_SLOT_BYTES at most, and nothing
 * behind them; its image is offered to the ROM, or wanted to run.
 */
void memhelm_mailbox_fill(struct memhelm_mailbox *m, uint32_t slot,
                          const void *bytes, size_t length);
void memhelm_mailbox_offer(struct memhelm_mailbox *m, uint32_t slot);
void memhelm_mailbox_want(struct memhelm_mailbox *m, uint32_t slot);

/* The host moves the counter, which only goes up. */
void memhelm_mailbox_raise(struct memhelm_mailbox *m, uint32_t version);

#endif
