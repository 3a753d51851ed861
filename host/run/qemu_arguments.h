/*
 * Arguments that QEMU gets in every run. They determine results: this file is part of the machine's hash
 * (hash.h), and child.c, which adds paths and what a person wants to see, is not.
 */
#ifndef HOST_RUN_QEMU_ARGUMENTS_H
#define HOST_RUN_QEMU_ARGUMENTS_H

#define QEMU_ARGUMENTS "-icount", "shift=0,sleep=off,align=off", "-display", "none", "-monitor", "none"

#endif
