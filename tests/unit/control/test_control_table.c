/* Every register of the table, exercised by what its row says. */
#include "control_fixture.h"

enum access { RO, RW, KNOB, SNAP, CMD, W1C, POP };

struct reg {
    const char *name;
    uint32_t offset, copies, stride, width, reset, min, max;
    enum access access;
};

/* Copies that exist with the fixture's two tenants, its SMs and its walkers. */
#define CAP(x)                   fixture_caps.x
#define COPIES_TENANT            CAP(tenants)
#define COPIES_GPU               1
#define COPIES_SM_MASK           1
#define COPIES_WALKER            CAP(walker_owners)
#define COPIES_TENANT_SM(tenant) ((tenant) < CAP(tenants) ? CAP(sms) : 0)

static uint32_t copies(uint32_t count)
{
    return count == MH_STEERED_SMS ? CAP(sms) : count == MH_MAX_TENANTS ? CAP(tenants) : count;
}

/* Rows as they are for copy number COPY. Evaluated at run time: fixture_caps is not a constant expression. */
static size_t table(uint32_t COPY, struct reg *out)
{
    const struct reg rows[] = {
#define MH_REG(name, offset, count, stride, width, access, reset, min, max, unit, doc)                                 \
    {#name, offset, copies(count), stride, width, reset, min, max, access},
#define MH_KNOB_REG(name, member, shape, offset, count, stride, width, reset, min, max, unit, doc)                     \
    {#name, offset, COPIES_##shape, stride, width, reset, min, max, KNOB},
#include "memhelm/registers.def"
    };
    memcpy(out, rows, sizeof rows);
    return sizeof rows / sizeof rows[0];
}

static bool is_status(const struct reg *r)
{
    return r->offset == MH_REG_BAD_WRITES || r->offset == MH_REG_BAD_ACCESSES;
}

typedef void check_fn(struct fixture *f, const struct reg *r, uint32_t offset);

static void for_each(check_fn *check)
{
    struct reg rows[256];
    size_t n = table(0, rows);
    assert_true(n > 30);
    for (uint32_t k = 0; k < MH_STEERED_SMS; k++) {
        table(k, rows);
        for (size_t i = 0; i < n; i++) {
            if (k >= rows[i].copies)
                continue;
            struct fixture f;
            fixture_open(&f);
            check(&f, &rows[i], rows[i].offset + k * rows[i].stride);
            fixture_close(&f);
        }
    }
}

static void check_reset(struct fixture *f, const struct reg *r, uint32_t offset)
{
    uint32_t peeked = 1;
    assert_int_equal(mh_control_peek(f->c, offset, 4, &peeked), MH_ACCESS_OK);
    assert_int_equal(peeked, r->reset);
    assert_int_equal(get(f, offset), r->reset);
}

TEST(test_reset_values)
{
    for_each(check_reset);
}

static void check_size(struct fixture *f, const struct reg *r, uint32_t offset)
{
    static const uint32_t wrong[][2] = {{0, 1}, {0, 2}, {0, 8}, {0, 0}, {1, 4}, {2, 4}, {3, 1}};
    uint32_t value, before = mh_control_stats(f->c)->bad_accesses;
    for (unsigned i = 0; i < 7; i++) {
        value = 7;
        assert_int_equal(mh_control_read(f->c, 0, offset + wrong[i][0], wrong[i][1], &value), MH_ACCESS_ERROR);
        assert_int_equal(value, 0);
        assert_int_equal(mh_control_write(f->c, 0, offset + wrong[i][0], wrong[i][1], 1), MH_ACCESS_ERROR);
    }
    assert_int_equal(mh_control_stats(f->c)->bad_accesses, before + 14);
    assert_int_equal(mh_control_stats(f->c)->bad_writes, 0);
    assert_int_equal(mh_control_stats(f->c)->snapshots + mh_control_stats(f->c)->commits, 0);
}

TEST(test_wrong_size_is_an_error)
{
    for_each(check_size);
}

static void check_dropped(struct fixture *f, uint32_t offset, uint32_t value, uint32_t reads)
{
    uint32_t before = mh_control_stats(f->c)->bad_writes;
    put(f, offset, value);
    assert_int_equal(mh_control_stats(f->c)->bad_writes, before + 1);
    assert_int_equal(get(f, offset), reads);
}

static void check_access(struct fixture *f, const struct reg *r, uint32_t offset)
{
    uint32_t mask = r->width == 32 ? UINT32_MAX : (1u << r->width) - 1;
    switch (r->access) {
    case RO:
    case SNAP:
    case POP:
        check_dropped(f, offset, ~r->reset, is_status(r) ? r->reset + (r->offset == MH_REG_BAD_WRITES) : r->reset);
        break;
    case RW:
        put(f, offset, r->min);
        assert_int_equal(get(f, offset), r->min);
        put(f, offset, r->max);
        assert_int_equal(get(f, offset), r->max);
        assert_int_equal(mh_control_stats(f->c)->bad_writes, 0);
        check_dropped(f, offset, r->max + 1, r->max);
        if (r->min)
            check_dropped(f, offset, r->min - 1, r->max);
        if (~mask)
            check_dropped(f, offset, r->max | ~mask, r->max);
        break;
    case KNOB:
        put(f, offset, UINT32_MAX);
        assert_int_equal(get(f, offset), UINT32_MAX);
        put(f, offset, r->min);
        assert_int_equal(get(f, offset), r->min);
        assert_int_equal(mh_control_stats(f->c)->bad_writes, 0);
        break;
    case CMD:
        check_dropped(f, offset, r->max + 1, 0);
        check_dropped(f, offset, r->min - 1, 0);
        put(f, offset, r->min);
        assert_int_equal(get(f, offset), 0);
        assert_int_equal(mh_control_stats(f->c)->bad_writes, 2);
        break;
    case W1C:
        put(f, offset, r->max);
        assert_int_equal(get(f, offset), r->reset & ~r->max);
        check_dropped(f, offset, ~mask, 0);
        break;
    }
}

TEST(test_access_kinds)
{
    for_each(check_access);
}

static void check_knob(struct fixture *f, const struct reg *r, uint32_t offset)
{
    if (r->access != KNOB)
        return;
    const uint32_t legal[] = {r->min, r->max};
    for (unsigned i = 0; i < 2; i++) {
        put(f, offset, legal[i]);
        put(f, MH_REG_COMMIT, 1);
        assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 0);
    }
    const uint32_t illegal[] = {r->max + 1, UINT32_MAX, r->min - 1};
    for (unsigned i = 0; i < (r->min ? 3 : r->max < UINT32_MAX ? 2 : 0); i++) {
        put(f, offset, illegal[i]);
        put(f, MH_REG_COMMIT, 1);
        assert_int_equal(get(f, MH_REG_COMMIT_STATUS), 1);
        assert_int_equal(get(f, MH_REG_COMMIT_BAD), offset);
        assert_int_equal(get(f, offset), r->max);
    }
    assert_int_equal(f->gpu.applies, 2);
}

TEST(test_knob_ranges)
{
    for_each(check_knob);
}

/* What a reset of the mcu alone does to the registers that have a row; the others are not listed. */
enum effect { NO_ROW, VALUE, FORGETS, OWN, STAYS, NOTHING };

static enum effect mcu_reset_of(const char *name)
{
    static const struct {
        const char *name;
        enum effect effect;
    } rows[] = {
#define MH_REG_MCU_RESET(name, effect, doc) {#name, effect},
#include "memhelm/registers.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (!strcmp(rows[i].name, name))
            return rows[i].effect;
    return NO_ROW;
}

/* The largest legal value in force and another one left in the shadow: after the reset nothing of either. */
static void check_mcu_reset(struct fixture *f, const struct reg *r, uint32_t offset)
{
    const struct mh_knobs before = *mh_control_knobs(f->c);
    enum effect effect = mcu_reset_of(r->name);

    assert_int_equal(effect != NO_ROW, r->access == RW || r->access == CMD || r->access == W1C || r->access == POP);
    if (r->access != KNOB && r->access != RW)
        return;
    put(f, offset, r->max);
    put(f, MH_REG_COMMIT, 1);
    assert_int_equal(get(f, offset), r->max);
    if (r->access == KNOB)
        put(f, offset, r->min);
    mh_control_safe(f->c);
    assert_memory_equal(mh_control_knobs(f->c), &before, sizeof before);
    if (r->access == KNOB)
        assert_memory_equal(&f->gpu.applied, &before, sizeof before);
    if (effect != OWN)
        assert_int_equal(get(f, offset), r->reset);
}

TEST(test_mcu_reset)
{
    for_each(check_mcu_reset);
}

TEST(test_everything_else_is_undefined)
{
    static bool defined[MH_WINDOW_BYTES / 4];
    struct reg rows[256];
    size_t n = table(0, rows);
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < rows[i].copies; k++)
            defined[(rows[i].offset + k * rows[i].stride) / 4] = true;
    for (uint32_t t = 0; t < fixture_caps.tenants; t++)
        for (uint32_t w = 0; w < 2 * MH_COUNTERS; w++)
            defined[(MH_COUNTER_BASE + t * MH_COUNTER_STRIDE) / 4 + w] = true;

    struct fixture f;
    fixture_open(&f);
    uint32_t value, bad = 0;
    for (uint32_t offset = 0; offset < 2 * MH_WINDOW_BYTES; offset += 4) {
        enum mh_access want = offset < MH_WINDOW_BYTES && defined[offset / 4] ? MH_ACCESS_OK : MH_ACCESS_ERROR;
        assert_int_equal(mh_control_peek(f.c, offset, 4, &value), want);
        assert_int_equal(mh_control_read(f.c, 0, offset, 4, &value), want);
        bad += want == MH_ACCESS_ERROR;
    }
    assert_int_equal(mh_control_stats(f.c)->bad_accesses, bad);
    assert_int_equal(mh_control_read(f.c, 0, UINT32_MAX, 4, &value), MH_ACCESS_ERROR);
    assert_int_equal(mh_control_read(f.c, 0, UINT32_MAX - 3, 4, &value), MH_ACCESS_ERROR);
    fixture_close(&f);
}

TEST(test_tenants_that_are_not_there)
{
    struct fixture f;
    fixture_open(&f);
    uint32_t value;
    assert_int_equal(get(&f, MH_REG_TOKENS + MH_REG_TOKENS_STRIDE), 48);
    assert_int_equal(mh_control_read(f.c, 0, MH_REG_TOKENS + 2 * MH_REG_TOKENS_STRIDE, 4, &value), MH_ACCESS_ERROR);
    assert_int_equal(mh_control_read(f.c, 0, MH_COUNTER_BASE + 2 * MH_COUNTER_STRIDE, 4, &value), MH_ACCESS_ERROR);
    fixture_close(&f);
}

TEST(test_counter_names)
{
    assert_string_equal(mh_counter_names[MH_COUNTER_WARP_INSTR], "warp_instr");
    assert_string_equal(mh_counter_names[MH_COUNTER_WALKS_LIVE], "walks_live");
    assert_string_equal(mh_counter_names[MH_COUNTER_COMPLETIONS], "completions");
}
