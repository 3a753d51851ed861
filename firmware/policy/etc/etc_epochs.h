/*
 * The epochs of ETC's throttling (sec. 4.3, figure 7): a detection epoch, which ends with a page fault or when its time
 * is over, an adjustment, an execution epoch, and again. All but etc_epochs_begin() is pure: the policy that calls it
 * hears of the faults.
 *
 * Tenants share one timer: all begin a detection epoch together, each ends its own with its own first fault, and the
 * execution epoch begins when all have, or with the time-out (ours; with one tenant it is the paper's).
 */
#ifndef FIRMWARE_ETC_EPOCHS_H
#define FIRMWARE_ETC_EPOCHS_H

#include <stdbool.h>
#include <stdint.h>

enum etc_phase {
    ETC_IDLE, /**< no tenant is throttled */
    ETC_DETECTION,
    ETC_EXECUTION,
};

struct etc_epochs {
    enum etc_phase phase;
    uint32_t tenants; /**< bit t: tenant t takes part */
    uint32_t watched; /**< bit t: no fault of tenant t yet in this detection epoch */
};

/** These tenants take part, bits. True: the phase has changed; a detection epoch begins, or no tenant is left. */
bool etc_epochs_join(struct etc_epochs *epochs, uint32_t tenants);

/**
 * The time of the phase is over; the next one begins, but after ETC_IDLE, which has no time: an expiry that is heard of
 * late means nothing. Returns the tenants for which a detection epoch ended without a fault, bits.
 */
uint32_t etc_epochs_expire(struct etc_epochs *epochs);

/** A fault of a tenant was raised. True: it ends the tenant's detection epoch. The execution epoch may have begun. */
bool etc_epochs_fault(struct etc_epochs *epochs, uint32_t tenant);

/** The phase begins: the policies' timer and the latch of evictions follow it. The policy that calls it owns
 * TIMER_CTRL. */
void etc_epochs_begin(const struct etc_epochs *epochs, uint32_t tenants);

#endif
