/* The name of a run's result: a hash of everything that determines it. */
#ifndef HOST_SIM_KEY_H
#define HOST_SIM_KEY_H

#include "hash.h"
#include "sim.h"

/** Configuration (traces by content), image, and the program that simulates: QEMU, or this executable for a twin. */
int sim_key(const struct sim *s, char key[HASH_TEXT], struct mh_error *err);

#endif
