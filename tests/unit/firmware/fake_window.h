/*
 * A GPU window for tests of the firmware: registers in an array, every access logged in order. Only what the firmware
 * relies on behaves: COMMIT applies or rejects, KNOB_RESET resets, IRQ_PENDING is write 1 to clear, EVENT_POP and
 * WALK_ARRIVAL and PAGE_FAULT take from queues, timers expire when fake_timer() and fake_timer_2() say so.
 *
 * The firmware runs as its native twin on `fake_host`: mh_twin_init(&fake_host) boots the test's own image, and
 * fake_epoch() is the interrupt at the end of an epoch. cmocka.h comes first.
 */
#ifndef TESTS_FAKE_WINDOW_H
#define TESTS_FAKE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "control/control.h"
#include "image/common/fw.h"
#include "memhelm/registers.h"
#include "platform/twin.h"

/** Sets a parameter of a policy, as the host does before boot. */
#define fake_param(name, to)                                                                                           \
    do {                                                                                                               \
        extern const volatile uint32_t name;                                                                           \
        *(volatile uint32_t *)(uintptr_t)&name = (to);                                                                 \
    } while (0)

enum { FAKE_LOG_MAX = 4096, FAKE_EVENTS_MAX = 16, FAKE_ARRIVALS_MAX = 256, FAKE_FAULTS_MAX = 256 };

struct fake_access {
    bool write;
    uint32_t offset, value;
};

static struct {
    uint32_t reg[MH_WINDOW_BYTES / 4];
    struct fake_access log[FAKE_LOG_MAX];
    unsigned logged;
    uint32_t events[FAKE_EVENTS_MAX];
    unsigned events_in, events_out;
    uint32_t arrivals[FAKE_ARRIVALS_MAX];
    unsigned arrivals_in, arrivals_out;
    uint32_t faults[FAKE_FAULTS_MAX];
    unsigned faults_in, faults_out;
    uint32_t reject_offset; /* the next COMMITs are rejected because of this register; 0 = none */
    uint32_t error_offset;  /* this register answers with an error; 0 = none */
    char console[8192];     /* all that went to the uart, terminated */
    unsigned exits;         /* writes to EXIT */
    uint32_t exit_code;     /* of the last one */
} fake;

static inline void fake_set(uint32_t offset, uint32_t value)
{
    fake.reg[offset / 4] = value;
}

static inline uint32_t fake_get(uint32_t offset)
{
    return fake.reg[offset / 4];
}

static inline uint32_t fake_counter_offset(uint32_t tenant, enum mh_counter_index counter)
{
    return MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 8 * (uint32_t)counter;
}

static inline void fake_counter(uint32_t tenant, enum mh_counter_index counter, uint64_t value)
{
    fake_set(fake_counter_offset(tenant, counter), (uint32_t)value);
    fake_set(fake_counter_offset(tenant, counter) + 4, (uint32_t)(value >> 32));
}

static inline void fake_event(uint32_t kind, uint32_t tenant, uint32_t argument)
{
    fake.events[fake.events_in++] = kind | tenant << 8 | argument << 16;
    fake.reg[MH_REG_IRQ_PENDING / 4] |= MH_IRQ_EVENT;
}

/* A GPU of 30 SMs with 64 warps and 16 CTA slots, an epoch of 100 000 cycles, 16 walkers, 192 places for walks. */
static inline void fake_reset(uint32_t tenants)
{
    memset(&fake, 0, sizeof fake);
    fake_set(MH_REG_ID, 0x4d48454c);
    fake_set(MH_REG_VERSION, MH_REGISTERS_VERSION);
    fake_set(MH_REG_CAP_SMS, 30);
    fake_set(MH_REG_CAP_TENANTS, tenants);
    fake_set(MH_REG_TENANTS, (1u << tenants) - 1);
    fake_set(MH_REG_CAP_WARPS, 64);
    fake_set(MH_REG_CAP_LANES, 64);
    fake_set(MH_REG_CAP_CTA_SLOTS, 16);
    fake_set(MH_REG_CAP_WALKERS, 16);
    fake_set(MH_REG_CAP_WALK_QUEUE, 192);
    fake_set(MH_REG_CAP_EPOCH, 100000);
    fake_set(MH_REG_CAP_FEATURES, MH_FEATURE_TOKENS | MH_FEATURE_CTA_LIMIT | MH_FEATURE_WALK_QUEUES);
}

/* KNOB_RESET, by the register table. */
static inline void fake_reset_knobs(void)
{
    const struct mh_caps caps = {.sms = fake_get(MH_REG_CAP_SMS),
                                 .tenants = fake_get(MH_REG_CAP_TENANTS),
                                 .warps = fake_get(MH_REG_CAP_WARPS),
                                 .lanes = fake_get(MH_REG_CAP_LANES),
                                 .cta_slots = fake_get(MH_REG_CAP_CTA_SLOTS),
                                 .walkers = fake_get(MH_REG_CAP_WALKERS)};

#define CAP(name) caps.name
#define COPY      copy
#define FAKE_KNOB(offset, count, stride, reset)                                                                        \
    for (uint32_t copy = 0; copy < (count); copy++)                                                                    \
        fake_set((offset) + copy * (stride), (reset));
#define FAKE_RO(...)
#define FAKE_RW(...)
#define FAKE_SNAP(...)
#define FAKE_CMD(...)
#define FAKE_W1C(...)
#define FAKE_POP(...)
#define MH_REG(name, offset, count, stride, width, access, reset, ...) FAKE_##access(offset, count, stride, reset)
#include "memhelm/registers.def"
#undef CAP
#undef COPY
}

static inline void fake_log(bool write, uint32_t offset, uint32_t value)
{
    if (fake.logged < FAKE_LOG_MAX)
        fake.log[fake.logged++] = (struct fake_access){write, offset, value};
}

static inline void fake_arrival(uint32_t instruction, uint32_t tenant, uint32_t reads)
{
    fake.arrivals[fake.arrivals_in++] =
        MH_WALK_ARRIVAL_VALID | reads << MH_WALK_ARRIVAL_READS | tenant << MH_WALK_ARRIVAL_TENANT | instruction;
}

static inline void fake_fault(bool come, bool evicted, uint32_t tenant, uint32_t sm)
{
    fake.faults[fake.faults_in++] = MH_PAGE_FAULT_VALID | (come ? MH_PAGE_FAULT_COME : 0) |
                                    (evicted ? MH_PAGE_FAULT_EVICTED : 0) | tenant << MH_PAGE_FAULT_TENANT |
                                    sm << MH_PAGE_FAULT_SM;
}

static inline int fake_read(void *ctx, uint32_t offset, uint32_t *value)
{
    (void)ctx;
    if (offset % 4 != 0 || offset >= MH_WINDOW_BYTES || (fake.error_offset != 0 && offset == fake.error_offset))
        return 1;
    *value = fake_get(offset);
    if (offset == MH_REG_EVENT_POP)
        *value = fake.events_out < fake.events_in ? fake.events[fake.events_out++] : 0;
    if (offset == MH_REG_WALK_ARRIVAL)
        *value = fake.arrivals_out < fake.arrivals_in ? fake.arrivals[fake.arrivals_out++] : 0;
    if (offset == MH_REG_PAGE_FAULT)
        *value = fake.faults_out < fake.faults_in ? fake.faults[fake.faults_out++] : 0;
    fake_log(false, offset, *value);
    return 0;
}

static inline int fake_write(void *ctx, uint32_t offset, uint32_t value)
{
    (void)ctx;
    if (offset % 4 != 0 || offset >= MH_WINDOW_BYTES || (fake.error_offset != 0 && offset == fake.error_offset))
        return 1;
    fake_log(true, offset, value);
    if (offset == MH_REG_IRQ_PENDING)
        fake.reg[offset / 4] &= ~value;
    else if (offset == MH_REG_TIMER_INTERVAL && (value < 100 || value > 0x7fffffff))
        return 0; /* an illegal value is dropped */
    else
        fake_set(offset, value);
    if (offset == MH_REG_KNOB_RESET)
        fake_reset_knobs();
    if (offset == MH_REG_COMMIT) {
        fake_set(MH_REG_COMMIT_STATUS, fake.reject_offset != 0);
        if (fake.reject_offset != 0)
            fake_set(MH_REG_COMMIT_BAD, fake.reject_offset);
    }
    return 0;
}

static inline void fake_exit(void *ctx, uint32_t code)
{
    (void)ctx;
    fake.exits++;
    fake.exit_code = code;
}

static inline void fake_uart(void *ctx, const char *text, size_t length)
{
    size_t used = strlen(fake.console), room = sizeof fake.console - 1 - used;

    (void)ctx;
    memcpy(fake.console + used, text, length < room ? length : room);
}

static const struct mh_twin_host fake_host = {NULL, fake_read, fake_write, fake_exit, fake_uart};

/* The interrupts in `irqs` (MH_IRQ_*) come at once; 0 = asleep afterwards, 1 = ended. */
static inline int fake_irq(uint32_t irqs)
{
    fake.reg[MH_REG_IRQ_PENDING / 4] |= irqs;
    return mh_twin_irq();
}

static inline int fake_epoch(void)
{
    return fake_irq(MH_IRQ_TIMER0);
}

/* Timer 1, a one-shot, expires. */
static inline int fake_timer(void)
{
    fake_set(MH_REG_TIMER_CTRL + MH_REG_TIMER_CTRL_STRIDE, 0);
    return fake_irq(MH_IRQ_TIMER1);
}

/* Timer 2. */
static inline int fake_timer_2(void)
{
    fake_set(MH_REG_TIMER_CTRL + 2 * MH_REG_TIMER_CTRL_STRIDE, 0);
    return fake_irq(MH_IRQ_TIMER2);
}

/* Boots the test's image on the GPU as it has been set up. */
static inline void fake_boot(void)
{
    assert_int_equal(mh_twin_init(&fake_host), 0);
}

/* fake_boot() on the GPU of fake_reset() with only these features. */
static inline void fake_boot_with(uint32_t tenants, uint32_t features)
{
    fake_reset(tenants);
    fake_set(MH_REG_CAP_FEATURES, features);
    fake_boot();
}

/* Boots the test's image, whose policy must refuse the GPU as it has been set up. */
static inline void fake_assert_refused(void)
{
    assert_int_equal(mh_twin_init(&fake_host), 1);
    assert_int_equal(fake.exit_code, FW_FAIL_POLICY);
}

/* fake_assert_refused() on the GPU of fake_reset() with only these features. */
static inline void fake_assert_refused_with(uint32_t features)
{
    fake_reset(2);
    fake_set(MH_REG_CAP_FEATURES, features);
    fake_assert_refused();
}

/* What is in force for a tenant: knob NAME. */
#define fake_knob(NAME, tenant) fake_get(MH_REG_##NAME + (tenant) * (uint32_t)MH_REG_##NAME##_STRIDE)

/* Accesses of one kind to one register since reset. */
static inline unsigned fake_count(bool write, uint32_t offset)
{
    unsigned count = 0;

    for (unsigned i = 0; i < fake.logged; i++)
        count += fake.log[i].write == write && fake.log[i].offset == offset;
    return count;
}

/* An event, which the firmware answers with one COMMIT; the log begins with it. */
static inline void fake_hear(uint32_t kind, uint32_t tenant)
{
    fake_event(kind, tenant, 0);
    fake.logged = 0;
    assert_int_equal(mh_twin_irq(), 0);
    assert_int_equal(fake_count(true, MH_REG_COMMIT), 1);
}

#endif
