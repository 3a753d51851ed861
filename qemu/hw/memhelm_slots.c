/*
 * Swaps of signed images: the host's side of the mailbox.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A signature takes longer to verify than most runs take. So the host offers all
 * images of the run at power-on, one after the other in slot B, the last first:
 * the first one is there when it is wanted. One that the ROM refuses is never
 * wanted, and the image that runs goes on. A later one is filled into the slot
 * that does not run; the ROM hashes it, and knows the hash.
 */
#include "qemu/osdep.h"
#include "memhelm_slots.h"

static void memhelm_slots_fill(MemhelmSlotsState *s, uint32_t slot,
                               const struct memhelm_image *image)
{
    if (s->in[slot] != image) {
        memhelm_image_fill(image, s->mailbox, slot);
        s->in[slot] = image;
    }
}

static void memhelm_slots_offer(MemhelmSlotsState *s)
{
    if (s->left) {
        memhelm_slots_fill(s, 1, s->offers[s->left - 1]);
        memhelm_mailbox_offer(s->mailbox, 1);
    }
}

void memhelm_slots_init(MemhelmSlotsState *s, struct memhelm_mailbox *m,
                        const struct memhelm_image *first,
                        struct memhelm_image *const *images, uint32_t count)
{
    s->mailbox = m;
    s->in[0] = first;
    s->offers = images;
    s->left = count;
    memhelm_mailbox_want(m, 0);
    memhelm_slots_offer(s);
}

void memhelm_slots_answered(MemhelmSlotsState *s)
{
    s->answer[--s->left] = MIN(s->mailbox->answer, BOOT_ROWS - 1);
    memhelm_slots_offer(s);
}

enum mh_boot memhelm_slots_refuse(const MemhelmSlotsState *s,
                                  const struct memhelm_image *image, uint32_t i)
{
    if (!s->mailbox) {
        return BOOT_UNTRIED;
    }
    if (s->answer[i] != BOOT_VERIFIED) {
        return s->answer[i];
    }
    return memhelm_image_version(image) < s->mailbox->counter ? BOOT_OLD
                                                              : BOOT_UNTRIED;
}

void memhelm_slots_want(MemhelmSlotsState *s, const struct memhelm_image *image)
{
    if (s->in[s->runs] != image) {
        s->runs = !s->runs;
        memhelm_slots_fill(s, s->runs, s->refill ? s->refill : image);
        s->refill = NULL;
    }
    memhelm_mailbox_want(s->mailbox, s->runs);
}
