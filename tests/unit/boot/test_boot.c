/* What the boot ROM runs: the newest slot that is good, and what it leaves in memory and publishes. */
#include "unit/test.h"

#include "base/hash.h"
#include "boot_fixture.h"

static struct boot_machine m;

static int whole(void **state)
{
    boot_machine_init(&m);
    return 0;
}

static void runs(uint32_t slot, uint32_t version)
{
    boot_machine_run(&m);
    assert_int_equal(m.choice.runs, slot);
    assert_int_equal(m.choice.found[slot], BOOT_RUNS);
    assert_int_equal(m.choice.version, version);
    assert_int_equal(boot_status(&m.choice) >> MH_BOOT_STATUS_RUNS, slot + 1);
}

/* Segments where the header says, and nothing else of what was there. */
TEST(test_memory)
{
    const uint8_t *payload = (uint8_t *)m.slot[0] + MH_BOOT_HEADER_BYTES;
    runs(0, 5);
    assert_int_equal(m.choice.entry, MH_ITCM_BASE);
    assert_memory_equal(m.itcm, payload, BOOT_CODE);
    assert_memory_equal((uint8_t *)m.dtcm + 16, payload + BOOT_CODE, BOOT_DATA);
    memset(m.itcm, 0, BOOT_CODE);
    memset((uint8_t *)m.dtcm + 16, 0, BOOT_DATA);
    assert_true(boot_machine_blank(&m));
}

/* By OpenSSL's SHA-256. */
TEST(test_measured)
{
    char expected[HASH_TEXT], text[HASH_TEXT];
    runs(0, 5);
    hash_text((const char *)m.slot[0], BOOT_BYTES, expected);
    for (unsigned i = 0; i < MH_BOOT_HASH_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", m.choice.hash[i]);
    assert_string_equal(text, expected);
}

static void put(uint32_t slot, uint32_t version)
{
    const struct boot_header h = boot_header_by_hand(version);
    boot_put(m.slot[slot], &h);
}

TEST(test_newest)
{
    put(1, 6);
    runs(1, 6);
    assert_int_equal(m.choice.found[0], BOOT_UNTRIED);
    put(1, 4);
    runs(0, 5);
    put(1, 5); /* of two alike the first */
    runs(0, 5);
    put(1, 0xffffffff);
    runs(1, 0xffffffff);
}

/* The newest is damaged: the other one runs, and nothing of the newest is left. */
TEST(test_falls_back)
{
    put(1, 6);
    m.slot[1][BOOT_BYTES / 4] ^= 1;
    runs(0, 5);
    assert_int_equal(m.choice.found[1], BOOT_SIGNATURE);
    assert_memory_equal(m.itcm, (uint8_t *)m.slot[0] + MH_BOOT_HEADER_BYTES, BOOT_CODE);
}

TEST(test_falls_back_not_below_the_counter)
{
    put(1, 6);
    m.slot[1][BOOT_BYTES / 4] ^= 1;
    m.counter = 6;
    boot_machine_run(&m);
    assert_int_equal(m.choice.runs, BOOT_NO_SLOT);
    assert_int_equal(boot_status(&m.choice), BOOT_OLD | BOOT_SIGNATURE << 8);
    assert_true(boot_machine_blank(&m));
}

TEST(test_empty)
{
    memset(m.slot[0], 0xff, sizeof m.slot[0]);
    memset(m.slot[1], 0, sizeof m.slot[1]);
    boot_machine_run(&m);
    assert_int_equal(boot_status(&m.choice), BOOT_EMPTY | BOOT_EMPTY << 8);
}

/* The largest image: both memories full. */
TEST(test_full)
{
    struct boot_header h = boot_header_by_hand(5);
    h.segment[0] = (struct boot_segment){MH_ITCM_BASE, MH_ITCM_BYTES};
    h.segment[1] = (struct boot_segment){MH_DTCM_BASE, MH_DTCM_BYTES};
    h.entry = MH_ITCM_BASE + MH_ITCM_BYTES - 2;
    h.length = MH_BOOT_HEADER_BYTES + header_payload(&h) + MH_BOOT_SIGNATURE_BYTES;
    header_write(&h, (uint8_t *)m.slot[0]);
    boot_sign(m.slot[0], h.length - MH_BOOT_SIGNATURE_BYTES, BOOT_KEY_FIRST);
    runs(0, 5);
    assert_int_equal(m.dtcm[MH_DTCM_BYTES / 4 - 1],
                     m.slot[0][(MH_BOOT_HEADER_BYTES + MH_ITCM_BYTES + MH_DTCM_BYTES) / 4 - 1]);
}

TEST(test_header_both_ways)
{
    const struct boot_header h = boot_header_by_hand(5);
    struct boot_header again = {0};
    uint8_t bytes[MH_BOOT_HEADER_BYTES];
    header_write(&h, bytes);
    assert_int_equal(header_read(bytes, MH_SLOT_BYTES, &again), BOOT_UNTRIED);
    assert_memory_equal(&again, &h, sizeof h);
    assert_int_equal(header_read(bytes, BOOT_WHOLE, &again), BOOT_UNTRIED);
    assert_int_equal(header_read(bytes, BOOT_WHOLE - 1, &again), BOOT_LENGTH);
}

TEST_GROUP(.before_each = whole);
