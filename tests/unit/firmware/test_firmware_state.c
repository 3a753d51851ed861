/* What one image leaves for the next: taken whole, if magic, version and length are right, or not at all. */
#include "unit/test.h"

#include "fake_window.h"

#include "platform/state.h"

enum { MINE = 0x454e494d };

static bool taken; /* by the image's init */
static uint32_t words[4];

static enum policy_status keeper_init(const struct gpu_caps *caps)
{
    (void)caps;
    taken = state_take(MINE, 3, words, 2);
    return POLICY_OK;
}

static void keeper_on_epoch(const struct gpu_caps *caps)
{
    (void)caps;
    words[0]++;
    words[1] += 10;
    assert_true(state_publish(MINE, 3, words, 2));
}

static const struct policy policy_keeper = {.name = "keeper", .init = keeper_init, .on_epoch = keeper_on_epoch};
#define IMAGE_NAME             "test"
#define IMAGE_POLICIES(POLICY) POLICY(keeper)
#include "image/common/image.h"

static uint32_t block[MH_STATE_WORDS];

/* The host keeps STATE behind the window. */
static int with_state_read(void *ctx, uint32_t offset, uint32_t *value)
{
    if (offset < MH_WINDOW_BYTES)
        return fake_read(ctx, offset, value);
    *value = block[(offset - MH_WINDOW_BYTES) / 4];
    return 0;
}

static int with_state_write(void *ctx, uint32_t offset, uint32_t value)
{
    if (offset < MH_WINDOW_BYTES)
        return fake_write(ctx, offset, value);
    block[(offset - MH_WINDOW_BYTES) / 4] = value;
    return 0;
}

static void boots(bool takes)
{
    const struct mh_twin_host host = {NULL, with_state_read, with_state_write, fake_exit, fake_uart};
    fake_reset(2);
    words[0] = words[1] = 77;
    assert_int_equal(mh_twin_init(&host), 0);
    assert_int_equal(taken, takes);
}

TEST(state_lives_on)
{
    memset(block, 0, sizeof block);
    boots(false);
    assert_int_equal(words[0], 77); /* as it was */
    words[0] = 5, words[1] = 0xffffffff;
    assert_int_equal(fake_epoch(), 0);
    assert_int_equal(fake_epoch(), 0);
    boots(true);
    assert_int_equal(words[0], 7);
    assert_int_equal(words[1], 19);
    boots(true); /* it was not taken away */
    assert_int_equal(words[0], 7);
}

TEST(state_of_another_kind_is_not_taken)
{
    const uint32_t good[] = {MINE, 3, 8, 40, 50};
    memset(block, 0, sizeof block);
    memcpy(block, good, sizeof good);
    boots(true);
    assert_int_equal(words[1], 50);
    for (unsigned word = STATE_MAGIC; word <= STATE_LENGTH; word++) {
        block[word]++;
        boots(false);
        assert_int_equal(words[0], 77);
        block[word]--;
    }
    boots(true);
}

TEST(state_fits_or_is_refused)
{
    static uint32_t many[STATE_WORDS + 1], back[STATE_WORDS + 1];
    for (unsigned i = 0; i <= STATE_WORDS; i++)
        many[i] = 1000 + i;
    memset(block, 0, sizeof block);
    boots(false);
    assert_true(state_publish(MINE, 1, many, STATE_WORDS));
    assert_true(state_take(MINE, 1, back, STATE_WORDS));
    assert_memory_equal(back, many, 4 * STATE_WORDS);
    assert_false(state_take(MINE, 1, back, STATE_WORDS + 1));
    assert_false(state_publish(MINE, 1, many, STATE_WORDS + 1));
    assert_false(state_take(MINE, 1, back, STATE_WORDS)); /* the old one is gone */
    assert_true(state_publish(MINE, 1, many, 0));
    assert_true(state_take(MINE, 1, back, 0));
    assert_false(state_take(0, 0, back, 0));
}
