/* A boot after a reset of the mcu: what the ROM has verified is not verified again, and nothing else is trusted. */
#include "unit/test.h"

#include "boot_fixture.h"

static struct boot_machine m;

static int whole(void **state)
{
    const struct boot_header h = boot_header_by_hand(5);
    boot_machine_init(&m);
    boot_put(m.slot[1], &h);
    memset(&m.kept, 0, sizeof m.kept);
    return 0;
}

static void runs(uint32_t wanted, uint32_t slot)
{
    boot_machine_again(&m, wanted);
    assert_int_equal(m.choice.runs, slot);
    assert_memory_equal(m.itcm, (uint8_t *)m.slot[slot] + MH_BOOT_HEADER_BYTES, BOOT_CODE);
}

static void fill(uint32_t slot, uint32_t version)
{
    const struct boot_header h = boot_header_by_hand(version);
    boot_fills[slot] += 2;
    boot_put(m.slot[slot], &h);
}

/* As no host does it: behind the ROM's back. */
static void spoil_signature(uint32_t slot)
{
    memset((uint8_t *)m.slot[slot] + BOOT_BYTES, 0, MH_BOOT_SIGNATURE_BYTES);
}

static enum mh_boot offered(uint32_t slot)
{
    const struct boot_context context = boot_context_of(&m);
    const enum mh_boot found = boot_try(&context, slot);
    assert_true(boot_machine_blank(&m));
    return found;
}

TEST(test_the_wanted_slot)
{
    runs(0, 0);
    runs(1, 1);
    runs(BOOT_NO_SLOT, 0);
    fill(1, 4);
    runs(1, 1); /* older, but wanted */
    runs(0xffffffff, 0);
}

TEST(test_the_other_one_if_it_is_refused)
{
    fill(1, 4);
    m.counter = 5;
    runs(1, 0);
    assert_int_equal(m.choice.found[1], BOOT_OLD);
    m.counter = 0;
    m.slot[1][BOOT_BYTES / 8] ^= 1;
    runs(1, 0);
    assert_int_equal(m.choice.found[1], BOOT_SIGNATURE);
}

/* The signature is what says so: a slot that was verified boots without it. */
TEST(test_a_verified_slot_is_not_hashed_again)
{
    const uint8_t *hash = m.kept.slot[0].hash;
    runs(0, 0);
    assert_int_equal(m.kept.slot[0].fills, 2);
    assert_memory_equal(hash, m.choice.hash, MH_BOOT_HASH_BYTES);
    m.kept.known = 0;
    spoil_signature(0);
    runs(0, 0);
    assert_memory_equal(hash, m.choice.hash, MH_BOOT_HASH_BYTES);
}

TEST(test_a_slot_that_was_filled_is)
{
    runs(0, 0);
    fill(0, 6);
    m.slot[0][BOOT_BYTES / 8] ^= 1;
    runs(0, 1);
    assert_int_equal(m.choice.found[0], BOOT_SIGNATURE);
    assert_int_equal(m.kept.slot[0].fills, 2);
}

/* Odd: the host is at it. What was copied is verified, and runs; what lies there is not known. */
TEST(test_a_slot_that_is_being_filled)
{
    boot_fills[0] = 3;
    runs(0, 0);
    assert_int_equal(m.kept.slot[0].fills, 0);
    boot_fills[0] = 0;
    runs(0, 0);
    assert_int_equal(m.kept.slot[0].fills, 0);
}

/* Reads the count as a host that fills the slot between the ROM's two looks. */
static uint32_t moves(uint32_t slot)
{
    static uint32_t count;
    (void)slot;
    return count += 2;
}

TEST(test_a_slot_that_is_filled_meanwhile)
{
    struct boot_context context = boot_context_of(&m);
    context.slots.fills = moves;
    boot_choose(&context, 0, &m.choice);
    assert_int_equal(m.choice.runs, 0);
    assert_int_equal(m.kept.slot[0].fills, 0);
    assert_int_equal(m.kept.known, 1);
}

/* In another slot, or filled in again: the hash is known. */
TEST(test_a_known_image_needs_no_signature)
{
    runs(0, 0);
    spoil_signature(1);
    runs(1, 1);
    fill(0, 5);
    spoil_signature(0);
    runs(0, 0);
    fill(0, 6); /* another one is not known */
    spoil_signature(0);
    runs(0, 1);
}

TEST(test_an_offer)
{
    assert_int_equal(offered(1), BOOT_VERIFIED);
    assert_int_equal(m.kept.slot[1].fills, 2);
    spoil_signature(0);
    assert_int_equal(offered(0), BOOT_VERIFIED); /* the image of slot B */
    fill(1, 6);
    spoil_signature(1);
    assert_int_equal(offered(1), BOOT_SIGNATURE);
    m.counter = 7;
    assert_int_equal(offered(1), BOOT_OLD);
    memset(m.slot[1], 0xff, sizeof m.slot[1]);
    assert_int_equal(offered(1), BOOT_EMPTY);
}

TEST(test_more_images_than_are_remembered)
{
    for (uint32_t version = 1; version <= MH_BOOT_KNOWN + 1; version++) {
        fill(0, version);
        assert_int_equal(offered(0), BOOT_VERIFIED);
    }
    assert_int_equal(m.kept.known, MH_BOOT_KNOWN);
    runs(0, 0); /* measured all the same */
    fill(0, MH_BOOT_KNOWN + 1);
    runs(0, 0);
}

TEST_GROUP(.before_each = whole);
