#include "control/regs.h"
#include "control/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct mh_counters) == MH_COUNTERS * sizeof(uint64_t), "counters are 64-bit words, in order");
_Static_assert(2 * 4 * MH_COUNTERS <= MH_COUNTER_STRIDE, "counters of one tenant fit their stride");
_Static_assert(MH_COUNTER_BASE + MH_MAX_TENANTS * MH_COUNTER_STRIDE <= MH_WINDOW_BYTES, "counters fit the window");
_Static_assert(MH_TENANT_SM_STRIDE == 4 * MH_STEERED_SMS, "a word per SM");
/* How a row says that it is per tenant: it has MH_MAX_TENANTS copies. */
_Static_assert(MH_TIMERS != MH_MAX_TENANTS && MH_SM_WORDS != MH_MAX_TENANTS, "rows would be taken for per-tenant ones");
/* Per SM: MH_STEERED_SMS copies. */
_Static_assert(MH_STEERED_SMS > MH_MAX_TENANTS && MH_STEERED_SMS >= MH_MAX_WALKER_QUEUES,
               "the most copies that a row has");

const char *const mh_counter_names[] = {
#define MH_TENANT_COUNTER(name, field, unit, doc) #field,
#include "memhelm/registers.def"
};

void mh_counters_leave_out(struct mh_counters *c, const struct mh_counters *before)
{
#define MH_TENANT_GAUGE(name, field, unit, doc)
#define MH_TENANT_COUNTER(name, field, unit, doc) c->field -= before->field;
#include "memhelm/registers.def"
}

bool mh_counter_is_gauge(uint32_t index)
{
    static const bool gauge[] = {
#define MH_TENANT_COUNTER(name, field, unit, doc) false,
#define MH_TENANT_GAUGE(name, field, unit, doc)   true,
#include "memhelm/registers.def"
    };

    return gauge[index];
}

struct row {
    uint32_t offset, copies, stride, width, reset, min, max;
    uint8_t row, access;
    uint16_t word; /* KNOB: of struct mh_knobs */
};

/* Descriptors count from 1: 0 in the map is an undefined register. */
static void add(struct mh_regmap *map, const struct mh_reg_desc *desc)
{
    assert(desc->offset % 4 == 0 && desc->offset < MH_WINDOW_BYTES);
    assert(map->index[desc->offset / 4] == 0 && map->count < MH_REG_COPIES);
    map->desc[++map->count] = *desc;
    map->index[desc->offset / 4] = map->count;
}

static void add_copy(struct mh_regmap *map, const struct row *row, uint32_t copy)
{
    struct mh_reg_desc desc = {
        .offset = row->offset + copy * row->stride,
        .reset = row->reset,
        .min = row->min,
        .max = row->max,
        .mask = row->width == 32 ? UINT32_MAX : (1u << row->width) - 1,
        .word = (uint16_t)(row->word + copy),
        .row = row->row,
        .access = row->access,
        .copy = (uint8_t)copy,
    };

    add(map, &desc);
}

/* SMs that have registers: all, or none. Those of some would not say what the others do. */
static uint32_t steered(const struct mh_caps *caps)
{
    return caps->sms <= MH_STEERED_SMS ? caps->sms : 0;
}

/* Of a row with `count` of them, those that exist. */
static uint32_t copies(const struct mh_caps *caps, uint32_t count)
{
    if (count == MH_STEERED_SMS)
        return steered(caps);
    if (count == MH_SM_WORDS)
        return steered(caps) ? MH_SM_WORDS : 0;
    return count == MH_MAX_TENANTS ? caps->tenants : count;
}

/* Columns of a row may name CAP(x) and COPY: the table is evaluated anew for each number of a copy. */
static void add_copies(struct mh_regmap *map, const struct mh_caps *caps, uint32_t COPY)
{
#define CAP(capability)          caps->capability
#define COPIES_TENANT            caps->tenants
#define COPIES_GPU               1
#define COPIES_SM_MASK           (steered(caps) != 0)
#define COPIES_WALKER            caps->walker_owners
#define COPIES_TENANT_SM(tenant) ((tenant) < caps->tenants ? steered(caps) : 0)
#define KNOB_WORD(member)        offsetof(struct mh_knobs, member) / sizeof(uint32_t)
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    {offset, copies(caps, count), stride, width, reset, min, max, MH_ROW_##name, MH_ACC_##access, 0},
#define MH_KNOB_REG(name, member, shape, offset, count, stride, width, reset, min, max, unit, doc)                     \
    {offset, COPIES_##shape, stride, width, reset, min, max, MH_ROW_##name, MH_ACC_KNOB, KNOB_WORD(member)},
    const struct row rows[] = {
#include "memhelm/registers.def"
    };
#undef CAP
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (COPY < rows[i].copies)
            add_copy(map, &rows[i], COPY);
}

static void add_counters(struct mh_regmap *map, uint32_t tenant)
{
    for (uint32_t word = 0; word < 2 * MH_COUNTERS; word++) {
        struct mh_reg_desc desc = {
            .offset = MH_COUNTER_BASE + tenant * MH_COUNTER_STRIDE + 4 * word,
            .mask = UINT32_MAX,
            .word = (uint16_t)word,
            .row = MH_ROW_COUNTER,
            .access = MH_ACC_SNAP,
            .copy = (uint8_t)tenant,
        };

        add(map, &desc);
    }
}

void mh_regmap_build(struct mh_regmap *map, const struct mh_caps *caps)
{
    *map = (struct mh_regmap){0};
    for (uint32_t copy = 0; copy < MH_STEERED_SMS; copy++) /* no row has more */
        add_copies(map, caps, copy);
    for (uint32_t t = 0; t < caps->tenants; t++)
        add_counters(map, t);
    /* In order of offsets: the first illegal shadow that COMMIT finds is the lowest, for COMMIT_BAD. */
    for (uint32_t i = 0; i < MH_WINDOW_BYTES / 4; i++)
        if (map->index[i] && map->desc[map->index[i]].access == MH_ACC_KNOB)
            map->knob[map->knobs++] = map->index[i];
}

const struct mh_reg_desc *mh_regmap_find(const struct mh_regmap *map, uint32_t offset, uint32_t size)
{
    if (size != 4 || offset % 4 || offset >= MH_WINDOW_BYTES || !map->index[offset / 4])
        return NULL;
    return &map->desc[map->index[offset / 4]];
}

const char *mh_reg_name(const struct mh_reg_desc *d)
{
    static const char *const names[] = {
#define MH_REG(name, ...) #name,
#include "memhelm/registers.def"
        [MH_ROW_COUNTER] = "COUNTER",
    };

    return names[d->row];
}

bool mh_reg_legal(const struct mh_reg_desc *d, uint32_t value)
{
    return !(value & ~d->mask) && value >= d->min && value <= d->max;
}

/* What is at an offset of the window, in words: also where this GPU has nothing. */

/* "CTA_LIMIT[1]"; of a counter its own name. */
static void name(char *text, size_t size, const struct mh_reg_desc *d)
{
    const char *of = d->row == MH_ROW_COUNTER ? mh_counter_names[d->word / 2] : mh_reg_name(d);

    snprintf(text, size, "%s[%u]", of, d->copy);
}

/* With every tenant, SM and walker that a register can be of. */
static struct mh_regmap *whole(const struct mh_caps *caps)
{
    struct mh_regmap *map = malloc(sizeof *map);
    struct mh_caps all = *caps;

    all.tenants = MH_MAX_TENANTS;
    all.sms = MH_STEERED_SMS;
    all.walker_owners = MH_MAX_WALKER_QUEUES;
    if (map)
        mh_regmap_build(map, &all);
    return map;
}

void mh_control_describe(const struct mh_control *c, uint32_t offset, char *text, size_t size)
{
    const struct mh_reg_desc *d = mh_regmap_find(&c->map, offset & ~3u, 4);
    char what[64];

    if (d) {
        name(what, sizeof what, d);
        snprintf(text, size, "register %s%s", what, offset % 4 ? ", in its middle" : "");
        return;
    }
    struct mh_regmap *map = whole(&c->caps);

    d = map ? mh_regmap_find(map, offset & ~3u, 4) : NULL;
    if (d) {
        name(what, sizeof what, d);
        snprintf(text, size,
                 "register %s, which this GPU does not have: it has %" PRIu32 " tenants and %" PRIu32 " SMs%s", what,
                 c->caps.tenants, c->caps.sms, steered(&c->caps) ? "" : ", too many for registers of single SMs");
    } else {
        snprintf(text, size, "no register");
    }
    free(map);
}

/* A reset of the mcu alone: what MH_REG_MCU_RESET rows of the register table say, and knobs. */

enum effect { MCU_RESET_NONE, MCU_RESET_VALUE, MCU_RESET_FORGETS, MCU_RESET_OWN, MCU_RESET_STAYS, MCU_RESET_NOTHING };

static const uint8_t effect_on[MH_ROW_COUNTER + 1] = {
#define MH_REG_MCU_RESET(name, effect, doc) [MH_ROW_##name] = MCU_RESET_##effect,
#include "memhelm/registers.def"
};

static void forget_snapshot(struct mh_control *c)
{
    memset(c->snap, 0, sizeof c->snap);
    c->snap_cycle = 0;
}

/* What waits in a FIFO is the next firmware's, even if the one before has acknowledged it. */
static uint32_t waiting(const struct mh_control *c)
{
    return (c->fifo.count ? MH_IRQ_EVENT : 0) | (c->arrivals.count ? MH_IRQ_WALK_ARRIVAL : 0) |
           (c->faults.count ? MH_IRQ_PAGE_FAULT : 0);
}

static void reset_register(struct mh_control *c, const struct mh_reg_desc *d)
{
    if (d->access == MH_ACC_SNAP || effect_on[d->row] == MCU_RESET_VALUE)
        c->value[d - c->map.desc] = d->reset;
    else if (d->row == MH_ROW_TIMER_CTRL && d->copy > 0)
        mh_control_timer_set(c, 0, d->copy, 0);
}

/* All but the knobs. */
static void reset_registers(struct mh_control *c)
{
    for (uint32_t i = 1; i <= c->map.count; i++)
        reset_register(c, &c->map.desc[i]);
    forget_snapshot(c);
    c->commit_status = 0;
    c->evicted = 0;
    c->pending = waiting(c);
}

/* An epoch that is open gets its row before the knobs change: they were in force in it. */
void mh_control_safe(struct mh_control *c)
{
    mh_control_drop(c);
    mh_control_reset_knobs(c);
    reset_registers(c);
}

/* The next row of the epoch log begins where the last one ended, before the swap. */
static void move_origin(struct mh_control *c)
{
    struct mh_counters passed[MH_MAX_TENANTS] = {0};

    mh_control_counters(c, passed);
    c->ops.counters(c->ops.gpu, c->origin);
    for (uint32_t t = 0; t < c->tenants; t++)
        mh_counters_leave_out(&c->epoch.base[t], &passed[t]);
}

void mh_control_swap(struct mh_control *c)
{
    mh_control_drop(c);
    mh_control_reset_shadows(c);
    reset_registers(c);
    move_origin(c);
}
