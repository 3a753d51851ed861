/*
 * What the plugin that counts and the machine tell each other.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The plugin exports one object, mh_mcu_port; the machine finds it by that
 * name. All calls are made while the mcu executes nothing, or from within
 * its access to a device.
 */
#ifndef MEMHELM_MCU_PORT_H
#define MEMHELM_MCU_PORT_H

#include <stdint.h>

#define MH_MCU_ABI 3
#define MH_MCU_PORT "mh_mcu_port"

struct mh_mcu_port {
    uint32_t abi;          /* MH_MCU_ABI of the plugin */
    char core[64];         /* name of the core in the table */
    uint64_t instructions; /* begun so far */
    uint64_t faulted;      /* of them, those whose access faulted */
    uint64_t extra;        /* mcu cycles so far beyond one per instruction */

    uint64_t stalls;       /* the machine's: cycles that the mcu waited */

    /*
     * The machine's: registers of the mcu as of its last access to memory, and
     * how many of 'size' bytes at an address its memories have; the rest is not
     * read.
     */
    const uint32_t *sp, *mtvec;
    uint32_t (*fetch)(uint32_t address, void *to, uint32_t size);

    /*
     * The machine's: data memory from 'data' up to the guard below the stack,
     * which are the same while there is no guard. An access was made while sp
     * was there, first by the instruction at over_pc; 0: none was.
     */
    uint32_t data, guard;
    uint32_t over_pc, over_sp;

    /*
     * The machine's, or NULL: a call of a policy's hook has ended. Times are
     * instructions + extra + stalls; made while the mcu executes. The name
     * stays.
     */
    void (*called)(void *opaque, const char *name, uint64_t from, uint64_t to);
    void *opaque;

    /*
     * The firmware said that its work for an event source begins, or that it
     * has ended. An end without a beginning is ignored; a second beginning
     * drops the first.
     */
    void (*begin)(uint32_t source);
    void (*finish)(uint32_t source);

    /* The mcu alone was reset: nobody is on its stack. */
    void (*reset)(void);

    /*
     * The run is over after 'executed' instructions as the machine counts
     * them: writes core.json. 0, or an errno.
     */
    int (*end)(uint64_t executed);
};

#endif
