/*
 * What the plugin in QEMU needs to know of an image on a core, as text; the same image and core give the same bytes.
 *
 *     memhelm-core-table 2
 *     core NAME
 *     range CODE BYTES stack BOTTOM TOP
 *     trap ADDRESS ENTRY WAKE
 *     k ID NAME
 *     f ID ADDRESS NAME
 *     h ID ADDRESS POLICY HOOK
 *     i ADDRESS SIZE FLAGS EXTRA TAKEN LANDING FUNCTION CLASS
 *
 * range: the core's code memory; the image's stack (0 0: not known).
 * trap: trap_entry (0: none); cycles in front of its first instruction when an interrupt comes while the core runs, and
 * when it ends a wfi.
 * k: a class of instructions, of values.def.
 * f: a function; IDs count from 0, by address.
 * h: a hook: the function that a policy of fw_image has there.
 * i: an instruction: bytes, enum code_flag, cycles beyond one each time, more when it is a branch that is taken, more
 * when a jump leads here; a class: branch_not_taken for all branches.
 *
 * Lines are in this order, those of a kind by ID or address. Addresses and flags are hexadecimal, the rest is decimal.
 * Code that no function symbol covers has no line. Readers must ignore what stands behind the words that they know.
 */
#ifndef HOST_MCU_PLUGIN_TABLE_H
#define HOST_MCU_PLUGIN_TABLE_H

#include <stdio.h>

#include "timing.h"
#include "image.h"

/** Writes the table of an image for the core (not of a twin). -1 and `err`: the image has no symbols or is damaged. */
int core_table_write(const struct image *image, const struct core *c, FILE *out, struct mh_error *err);

/** Cycles in front of an interrupt handler's first instruction: CORE_IRQ_ENTRY; CORE_IRQ_WAKE: when it ends a wfi. */
unsigned core_table_entry(const struct core *c, enum core_row row);

#endif
