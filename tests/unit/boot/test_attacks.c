/* What an attacker can do to a slot: none of it runs, each has its own answer, and nothing of it stays in memory. */
#include "unit/test.h"

#include "boot_fixture.h"

static struct boot_machine m;

static int whole(void **state)
{
    boot_machine_init(&m);
    return 0;
}

static void refused(enum mh_boot found)
{
    boot_machine_run(&m);
    assert_int_equal(m.choice.runs, BOOT_NO_SLOT);
    assert_int_equal(m.choice.found[0], found);
    assert_int_equal(boot_status(&m.choice), (uint32_t)found | BOOT_EMPTY << 8);
}

/* All bits: test_bits.c. */
TEST(test_some_bits)
{
    assert_int_equal(boot_flip_each(&m, 0, MH_BOOT_HEADER_BYTES, 5) & BOOT_FLIPPED_RUNS, 0);
    assert_int_equal(boot_flip_each(&m, MH_BOOT_HEADER_BYTES, BOOT_WHOLE, 61), 1u << BOOT_SIGNATURE);
}

/* What is missing reads as erased flash, or as zeros. */
static void cut_everywhere(int filler)
{
    for (uint32_t left = 0; left < BOOT_WHOLE; left += left < MH_BOOT_HEADER_BYTES ? 1 : 9) {
        uint8_t *bytes = (uint8_t *)m.slot[0];
        boot_machine_init(&m);
        memset(bytes + left, filler, MH_SLOT_BYTES - left);
        boot_machine_run(&m);
        assert_int_equal(m.choice.runs, BOOT_NO_SLOT);
        assert_true(left || m.choice.found[0] == BOOT_EMPTY);
    }
}

TEST(test_cut)
{
    cut_everywhere(0xff);
    cut_everywhere(0);
}

TEST(test_zero_signature)
{
    memset((uint8_t *)m.slot[0] + BOOT_BYTES, 0, MH_BOOT_SIGNATURE_BYTES);
    refused(BOOT_SIGNATURE);
    assert_true(boot_machine_blank(&m));
}

TEST(test_swapped_segments)
{
    struct boot_header h = boot_header_by_hand(5);
    const struct boot_segment first = h.segment[0];
    h.segment[0] = h.segment[1];
    h.segment[1] = first;
    header_write(&h, (uint8_t *)m.slot[0]);
    refused(BOOT_SIGNATURE);
}

TEST(test_swapped_payload)
{
    uint8_t *payload = (uint8_t *)m.slot[0] + MH_BOOT_HEADER_BYTES, first[BOOT_DATA];
    memcpy(first, payload, sizeof first);
    memcpy(payload, payload + BOOT_CODE, sizeof first);
    memcpy(payload + BOOT_CODE, first, sizeof first);
    refused(BOOT_SIGNATURE);
}

TEST(test_signature_of_another_image)
{
    const struct boot_header other = boot_header_by_hand(6);
    boot_put(m.slot[1], &other);
    memcpy((uint8_t *)m.slot[0] + BOOT_BYTES, (uint8_t *)m.slot[1] + BOOT_BYTES, MH_BOOT_SIGNATURE_BYTES);
    memset(m.slot[1], 0xff, sizeof m.slot[1]);
    refused(BOOT_SIGNATURE);
}

/* Who signs with another key says so; who claims to be ours has no signature of ours. */
TEST(test_another_key)
{
    struct boot_header h = boot_header_by_hand(5);
    uint8_t key[MH_BOOT_KEY_BYTES];
    boot_sign(m.slot[0], BOOT_BYTES, 9);
    refused(BOOT_SIGNATURE);
    boot_public(9, key);
    boot_key_id(key, h.key_id);
    boot_put(m.slot[0], &h);
    boot_sign(m.slot[0], BOOT_BYTES, 9);
    refused(BOOT_KEY);
    memcpy(m.key, key, sizeof m.key);
    boot_machine_run(&m);
    assert_int_equal(m.choice.runs, 0);
}

/* A machine without a key trusts nobody. */
TEST(test_no_key)
{
    struct boot_header h = boot_header_by_hand(5);
    memset(m.key, 0xff, sizeof m.key);
    boot_key_id(m.key, h.key_id);
    boot_put(m.slot[0], &h);
    refused(BOOT_SIGNATURE);
}

TEST(test_roll_back)
{
    m.counter = 6;
    refused(BOOT_OLD);
    m.counter = 5;
    boot_machine_run(&m);
    assert_int_equal(m.choice.runs, 0);
    assert_int_equal(m.choice.version, 5);
}

static void header_refused(struct boot_header h, enum mh_boot found)
{
    boot_put(m.slot[0], &h);
    refused(found);
}

static void segment_refused(uint32_t address, uint32_t length)
{
    struct boot_header h = boot_header_by_hand(5);
    h.segment[1] = (struct boot_segment){address, length};
    header_refused(h, BOOT_PLACE);
}

/* Signed with our own key: the signature is not what stops them. */
TEST(test_segments_outside)
{
    segment_refused(MH_DTCM_BASE - 4, BOOT_DATA);
    segment_refused(MH_DTCM_BASE + MH_DTCM_BYTES - BOOT_DATA + 4, BOOT_DATA);
    segment_refused(MH_DTCM_BASE + MH_DTCM_BYTES, BOOT_DATA);
    segment_refused(MH_DTCM_BASE, MH_DTCM_BYTES + 4);
    segment_refused(MH_DTCM_BASE, 0xfffffffc);
    segment_refused(0, BOOT_DATA);
    segment_refused(0xfffffffc, BOOT_DATA);
    segment_refused(MH_ROM_RAM_BASE, BOOT_DATA);
    segment_refused(MH_MACHINE_BASE, BOOT_DATA);
    segment_refused(MH_GPU_BASE, BOOT_DATA);
    segment_refused(MH_DTCM_BASE + 2, BOOT_DATA);
    segment_refused(MH_DTCM_BASE, BOOT_DATA - 1);
    segment_refused(MH_DTCM_BASE, 0);
}

TEST(test_segments_overlap)
{
    struct boot_header h = boot_header_by_hand(5);
    h.segment[1].address = MH_ITCM_BASE + BOOT_CODE - 4;
    header_refused(h, BOOT_OVERLAP);
    h.segment[1].address = MH_ITCM_BASE;
    header_refused(h, BOOT_OVERLAP);
}

TEST(test_entry_outside)
{
    static const uint32_t entries[] = {0,           MH_ITCM_BASE - 4, MH_ITCM_BASE + BOOT_CODE, MH_ITCM_BASE + 1,
                                       MH_ROM_BASE, MH_SLOT_BASE,     MH_DTCM_BASE + 16,        0xfffffffe};
    struct boot_header h = boot_header_by_hand(5);
    for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++) {
        h.entry = entries[i];
        header_refused(h, BOOT_ENTRY);
    }
}

TEST(test_length)
{
    static const uint32_t lengths[] = {
        0, 4, BOOT_BYTES, BOOT_WHOLE - 4, BOOT_WHOLE + 4, MH_SLOT_BYTES, MH_SLOT_BYTES + 4, 0xffffffff};
    struct boot_header h = boot_header_by_hand(5);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        h.length = lengths[i];
        header_refused(h, BOOT_LENGTH);
    }
}

TEST(test_segment_counts)
{
    struct boot_header h = boot_header_by_hand(5);
    h.segments = 1; /* the words of the second stay in the file */
    header_write(&h, (uint8_t *)m.slot[0]);
    ((uint32_t *)m.slot[0])[11] = MH_DTCM_BASE;
    boot_sign(m.slot[0], BOOT_BYTES, BOOT_KEY_FIRST);
    refused(BOOT_SEGMENTS);
    for (uint32_t count = 0; count < 2; count++) {
        m.slot[0][8] = count ? MH_BOOT_SEGMENTS + 1 : 0;
        boot_sign(m.slot[0], BOOT_BYTES, BOOT_KEY_FIRST);
        refused(BOOT_SEGMENTS);
    }
}

TEST(test_another_register_table)
{
    struct boot_header h = boot_header_by_hand(5);
    h.registers++;
    header_refused(h, BOOT_REGISTERS);
}

TEST_GROUP(.before_each = whole);
