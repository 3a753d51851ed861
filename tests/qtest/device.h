/*
 * The device under test: a QEMU per test, and its register window.
 */
#ifndef MEMHELM_QTEST_DEVICE_H
#define MEMHELM_QTEST_DEVICE_H

#include <stdint.h>

#include "memhelm/config.h"
#include "qtest/qtest.h"

/** What the device is configured as: config.yaml, resolved, of the run's directory, which is $QTEST_RUN. */
extern struct mh_config cfg;

/** The session of the running test; NULL when its QEMU has ended. */
extern struct qtest *q;

/** A word of the register window. */
uint32_t get(uint32_t offset);
void set(uint32_t offset, uint32_t value);

/** Setup and teardown of a test: $MEMHELM_QEMU is started, and ended if it still runs. */
int device_start(void **state);
int device_stop(void **state);

/** Path of the run's result, which may not be there. */
const char *device_result(void);

#endif
