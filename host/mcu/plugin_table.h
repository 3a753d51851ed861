/*
 * What the plugin in QEMU needs to know of an image and a core, as text; the same image and core give the same bytes.
 *
 *     memhelm-core-table 3
 *     core NAME
 *     stack BOTTOM TOP
 *     irq ENTRY WAKE
 *     k ID NAME CYCLES
 *     f ID ADDRESS SIZE NAME
 *     h ID ADDRESS POLICY HOOK
 *
 * stack: the image's (0 0: not known).
 * irq: cycles in front of a handler's first instruction when an interrupt comes while the core runs, and when it ends a
 * wfi.
 * k: a row of values.def. The plugin costs what QEMU translates, so code needs no line here (cost.h).
 * f: a function; IDs count from 0, by address. What executes outside of all of them is costed as well.
 * h: a hook: the function that a policy of fw_image has there.
 *
 * Lines are in this order, those of a kind by ID or address. Addresses are hexadecimal, the rest is decimal. Readers
 * must ignore what stands behind the words that they know.
 */
#ifndef HOST_MCU_PLUGIN_TABLE_H
#define HOST_MCU_PLUGIN_TABLE_H

#include <stdio.h>

#include "timing.h"
#include "image.h"

/**
 * Writes the table of an image for the core (not of a twin), without f and h if there are to be no `names`: another
 * image takes over in mid-run. -1 and `err`: the image has no symbols or is damaged.
 */
int core_table_write(const struct image *image, const struct core *c, bool names, FILE *out, struct mh_error *err);

/** Cycles in front of an interrupt handler's first instruction: CORE_IRQ_ENTRY; CORE_IRQ_WAKE: when it ends a wfi. */
unsigned core_table_entry(const struct core *c, enum core_row row);

#endif
