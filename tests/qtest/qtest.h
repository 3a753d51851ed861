/*
 * QEMU's raw test protocol over a unix socket: enough to read and write the bus of a machine without running an mcu.
 *
 * A session is one QEMU process. Any failure of the connection fails the running cmocka test: a QEMU that crashed is
 * a failed test, not a skipped one.
 */
#ifndef MEMHELM_QTEST_H
#define MEMHELM_QTEST_H

#include <stdbool.h>
#include <stdint.h>
#include "memhelm/config.h"

struct qtest;

/** Starts `qemu` as machine memhelm with run=`dir` and waits for it to connect. */
struct qtest *qtest_start(const char *qemu, const char *dir);

/** Asks QEMU to quit (when it still runs), waits for it and frees `q`. Returns its wait status. */
int qtest_stop(struct qtest *q);

/** Waits for QEMU to end by itself and frees `q`. Returns its wait status. */
int qtest_wait(struct qtest *q);

/** One aligned or misaligned access of 1, 2 or 4 bytes at a physical address. Bus errors are not visible here. */
uint32_t qtest_read(struct qtest *q, uint32_t address, unsigned size);
void qtest_write(struct qtest *q, uint32_t address, uint32_t value, unsigned size);

/** Lets virtual time pass: mcu cycles. */
void qtest_step(struct qtest *q, uint64_t cycles);

/** From here on the interrupt inputs of the mcu are watched; qtest_irq() is the level of one as last reported. */
void qtest_intercept(struct qtest *q);
bool qtest_irq(const struct qtest *q, unsigned line);

/* ---- The device under test: a QEMU per test, and its register window. */

/** What the device is configured as: config.yaml, resolved, of the run's directory, which is $QTEST_RUN. */
extern struct mh_config cfg;

/** The session of the running test; NULL when its QEMU has ended. */
extern struct qtest *device;

/** A word of the register window. */
uint32_t get(uint32_t offset);
void set(uint32_t offset, uint32_t value);

/** Setup and teardown of a test: $MEMHELM_QEMU is started, and ended if it still runs. */
int device_start(void **state);
int device_stop(void **state);

/** Path of the run's result, which may not be there. */
const char *device_result(void);

#endif
