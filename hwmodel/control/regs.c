#include "control/regs.h"

#include <assert.h>
#include <stddef.h>

_Static_assert(sizeof(struct mh_counters) == MH_COUNTERS * sizeof(uint64_t), "counters are 64-bit words, in order");
_Static_assert(2 * 4 * MH_COUNTERS <= MH_COUNTER_STRIDE, "counters of one tenant fit their stride");
_Static_assert(MH_COUNTER_BASE + MH_MAX_TENANTS * MH_COUNTER_STRIDE <= MH_WINDOW_BYTES, "counters fit the window");
_Static_assert(MH_TENANT_SM_STRIDE == 4 * MH_MAX_SMS, "a word per SM");
/* How a row says that it is per tenant: it has MH_MAX_TENANTS copies. */
_Static_assert(MH_TIMERS != MH_MAX_TENANTS && MH_SM_WORDS != MH_MAX_TENANTS, "rows would be taken for per-tenant ones");
/* Per SM: MH_MAX_SMS copies. */
_Static_assert(MH_MAX_SMS > MH_MAX_TENANTS && MH_MAX_SMS >= MH_MAX_WALKER_QUEUES, "the most copies that a row has");

const char *const mh_counter_names[] = {
#define MH_TENANT_COUNTER(name, field, unit, doc) #field,
#include "memhelm/registers.def"
};

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

/* Of a row with `count` of them, those that exist. */
static uint32_t copies(const struct mh_caps *caps, uint32_t count)
{
    if (count == MH_MAX_SMS)
        return caps->sms;
    return count == MH_MAX_TENANTS ? caps->tenants : count;
}

/* Columns of a row may name CAP(x) and COPY: the table is evaluated anew for each number of a copy. */
static void add_copies(struct mh_regmap *map, const struct mh_caps *caps, uint32_t COPY)
{
#define CAP(capability)          caps->capability
#define COPIES_TENANT            caps->tenants
#define COPIES_GPU               1
#define COPIES_SM_MASK           1
#define COPIES_WALKER            caps->walker_owners
#define COPIES_TENANT_SM(tenant) ((tenant) < caps->tenants ? caps->sms : 0)
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
    for (uint32_t copy = 0; copy < MH_MAX_SMS; copy++) /* no row has more */
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
