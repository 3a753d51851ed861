/*
 * The mailbox between host and boot ROM.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "memhelm_mailbox.h"

#include <string.h>

uint32_t memhelm_mailbox_read(const struct memhelm_mailbox *m, uint32_t offset)
{
    switch (offset) {
    case MH_MACHINE_BOOT_STATUS:
        return m->status;
    case MH_MACHINE_BOOT_COUNTER:
        return m->counter;
    case MH_MACHINE_BOOT_VERSION:
        return m->version;
    case MH_MACHINE_BOOT_OFFER:
        return m->offer;
    case MH_MACHINE_BOOT_WANTED:
        return m->wanted;
    case MH_MACHINE_BOOT_HASH_0 ... MH_MACHINE_BOOT_HASH_7:
        return m->hash[(offset - MH_MACHINE_BOOT_HASH_0) / 4];
    case MH_MACHINE_SLOT_A_FILLS:
        return m->fills[0];
    case MH_MACHINE_SLOT_B_FILLS:
        return m->fills[1];
    default:
        return 0;
    }
}

/* The ROM's own registers, until it leaves. */
static enum memhelm_mail memhelm_mailbox_publish(struct memhelm_mailbox *m,
                                                 uint32_t offset,
                                                 uint32_t value)
{
    switch (offset) {
    case MH_MACHINE_BOOT_STATUS:
        m->status = value;
        m->over = true;
        return MEMHELM_MAIL_OVER;
    case MH_MACHINE_BOOT_VERSION:
        m->version = value;
        return MEMHELM_MAIL_KEPT;
    case MH_MACHINE_BOOT_HASH_0 ... MH_MACHINE_BOOT_HASH_7:
        m->hash[(offset - MH_MACHINE_BOOT_HASH_0) / 4] = value;
        return MEMHELM_MAIL_KEPT;
    case MH_MACHINE_BOOT_OFFER:
        if (!m->offer) {
            return MEMHELM_MAIL_DROPPED;
        }
        m->offer = 0;
        m->answer = value;
        return MEMHELM_MAIL_ANSWERED;
    default:
        return MEMHELM_MAIL_DROPPED;
    }
}

enum memhelm_mail memhelm_mailbox_write(struct memhelm_mailbox *m,
                                        uint32_t offset, uint32_t value)
{
    if (offset == MH_MACHINE_BOOT_COUNTER) {
        if (value <= m->counter) {
            return MEMHELM_MAIL_DROPPED;
        }
        m->counter = value;
        return MEMHELM_MAIL_KEPT;
    }
    return m->over || offset % 4 ? MEMHELM_MAIL_DROPPED
                                 : memhelm_mailbox_publish(m, offset, value);
}

void memhelm_mailbox_reset(struct memhelm_mailbox *m)
{
    m->over = false;
    m->status = m->version = 0;
    memset(m->hash, 0, sizeof(m->hash));
}

uint32_t memhelm_mailbox_runs(const struct memhelm_mailbox *m)
{
    uint32_t runs = (m->status >> MH_BOOT_STATUS_RUNS) - 1;

    return runs < MH_BOOT_SLOTS ? runs : MH_BOOT_SLOTS;
}

enum mh_boot memhelm_mailbox_found(const struct memhelm_mailbox *m,
                                   uint32_t slot)
{
    uint32_t found = m->status >> MH_BOOT_STATUS_SLOT * slot & 0xff;

    return found < BOOT_ROWS ? found : BOOT_TRAP;
}

void memhelm_mailbox_fill(struct memhelm_mailbox *m, uint32_t slot,
                          const void *bytes, size_t length)
{
    m->fills[slot]++; /* odd: no content */
    memset(m->slot[slot], MEMHELM_ERASED, MH_SLOT_BYTES);
    memcpy(m->slot[slot], bytes, length);
    m->fills[slot]++;
}

void memhelm_mailbox_offer(struct memhelm_mailbox *m, uint32_t slot)
{
    m->offer = slot + 1;
}

void memhelm_mailbox_want(struct memhelm_mailbox *m, uint32_t slot)
{
    m->wanted = slot + 1;
}

void memhelm_mailbox_raise(struct memhelm_mailbox *m, uint32_t version)
{
    if (version > m->counter) {
        m->counter = version;
    }
}
