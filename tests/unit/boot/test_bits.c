/* Each bit of header and signature, a sample of the others: none runs once it is flipped. */
#include "unit/test.h"

#include "boot_fixture.h"

static struct boot_machine m;

static int whole(void **state)
{
    boot_machine_init(&m);
    return 0;
}

/* Not EMPTY: that takes a whole word. OVERLAP takes more than one bit, and OLD a counter. */
TEST(test_each_bit_of_the_header)
{
    assert_int_equal(boot_flip_each(&m, 0, MH_BOOT_HEADER_BYTES, 1),
                     1u << BOOT_MAGIC | 1u << BOOT_FORMAT | 1u << BOOT_LENGTH | 1u << BOOT_SEGMENTS | 1u << BOOT_PLACE |
                         1u << BOOT_ENTRY | 1u << BOOT_REGISTERS | 1u << BOOT_KEY | 1u << BOOT_SIGNATURE);
}

TEST(test_each_bit_of_the_signature)
{
    assert_int_equal(boot_flip_each(&m, BOOT_BYTES, BOOT_WHOLE, 1), 1u << BOOT_SIGNATURE);
}

TEST(test_bits_of_code_and_data)
{
    assert_int_equal(boot_flip_each(&m, MH_BOOT_HEADER_BYTES, BOOT_BYTES, 13), 1u << BOOT_SIGNATURE);
}

TEST_GROUP(.before_each = whole, .slow = true);
