#include "control/regs.h"

#include <assert.h>

/* The members of struct mh_knobs are the KNOB rows in table order, so a knob is a word of it. */
_Static_assert(sizeof(struct mh_knobs) == MH_KNOB_WORDS * sizeof(uint32_t), "a KNOB row or a member of mh_knobs lacks");
_Static_assert(sizeof(struct mh_counters) == MH_COUNTERS * sizeof(uint64_t), "counters are 64-bit words, in order");
_Static_assert(2 * 4 * MH_COUNTERS <= MH_COUNTER_STRIDE, "counters of one tenant fit their stride");
_Static_assert(MH_COUNTER_BASE + MH_MAX_TENANTS * MH_COUNTER_STRIDE <= MH_WINDOW_BYTES, "counters fit the window");
/* How a row says that it is per tenant: it has MH_MAX_TENANTS copies. */
_Static_assert(MH_TIMERS != MH_MAX_TENANTS && MH_SM_WORDS != MH_MAX_TENANTS, "rows would be taken for per-tenant ones");
/* Per SM: MH_MAX_SMS copies. */
_Static_assert(MH_MAX_SMS > MH_MAX_TENANTS, "the most copies that a row has");

const char *const mh_counter_names[] = {
#define MH_TENANT_COUNTER(name, field, unit, doc) #field,
#include "memhelm/registers.def"
};

bool mh_counter_is_gauge(uint32_t index)
{
    switch (index) {
    case MH_COUNTER_WALKS_LIVE:
    case MH_COUNTER_WALKS_PEAK:
    case MH_COUNTER_STALLED_PEAK:
    case MH_COUNTER_WARPS_ACTIVE:
    case MH_COUNTER_WARPS_PEAK:
        return true;
    default:
        return false;
    }
}

struct row {
    uint32_t offset, count, stride, width, reset, min, max;
    uint8_t row, access;
};

static void add(struct mh_regmap *map, const struct mh_reg_desc *desc)
{
    assert(desc->offset % 4 == 0 && desc->offset < MH_WINDOW_BYTES);
    assert(map->index[desc->offset / 4] == 0 && map->count < MH_REG_COPIES);
    map->desc[++map->count] = *desc;
    map->index[desc->offset / 4] = map->count;
}

static void add_copy(struct mh_regmap *map, const struct row *row, uint32_t copy, uint32_t knob_word)
{
    struct mh_reg_desc desc = {
        .offset = row->offset + copy * row->stride,
        .reset = row->reset,
        .min = row->min,
        .max = row->max,
        .mask = row->width == 32 ? UINT32_MAX : (1u << row->width) - 1,
        .word = (uint16_t)(knob_word + copy),
        .row = row->row,
        .access = row->access,
        .copy = (uint8_t)copy,
    };
    add(map, &desc);
}

static uint32_t copies(const struct row *row, const struct mh_caps *caps)
{
    if (row->row == MH_ROW_WALKER_OWNER) /* before the next rule: as many copies as SMs may have */
        return caps->walker_owners;
    if (row->count == MH_MAX_SMS)
        return caps->sms;
    return row->count == MH_MAX_TENANTS ? caps->tenants : row->count;
}

/* The rows' columns as they are for copy number COPY. */
static void add_copies(struct mh_regmap *map, const struct mh_caps *caps, uint32_t COPY)
{
#define CAP(capability) caps->capability
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    {offset, count, stride, width, reset, min, max, MH_ROW_##name, MH_ACC_##access},
    const struct row rows[] = {
#include "memhelm/registers.def"
    };
#undef CAP
    uint32_t knob_word = 0;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (COPY < copies(row, caps))
            add_copy(map, row, COPY, knob_word);
        if (row->access == MH_ACC_KNOB)
            knob_word += row->count;
    }
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
    for (uint32_t copy = 0; copy < MH_MAX_SMS; copy++)
        add_copies(map, caps, copy);
    for (uint32_t t = 0; t < caps->tenants; t++)
        add_counters(map, t);
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

bool mh_reg_legal(const struct mh_reg_desc *d, uint32_t value)
{
    return !(value & ~d->mask) && value >= d->min && value <= d->max;
}
