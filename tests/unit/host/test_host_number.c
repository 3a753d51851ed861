/* Numbers with letters for thousands: what is one, what is none, and what does not fit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/number.h"

static void test_numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {{"0", 0},        {"500", 500},       {"500K", 500000}, {"500k", 500000},
                 {"2M", 2000000}, {"3G", 3000000000}, {"007", 7},       {"18446744073709551615", UINT64_MAX}};
    uint64_t v;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(number_scaled(cases[i].text, &v));
        assert_true(v == cases[i].value);
    }
}

static void test_none(void **state)
{
    static const char *const none[] = {"",
                                       "M",
                                       "-1",
                                       "+1",
                                       " 1",
                                       "1 ",
                                       "2MM",
                                       "2m",
                                       "2T",
                                       "0x10",
                                       "1.5M",
                                       "18446744073709551616",
                                       "18446744073709551615K"};
    uint64_t v;

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (number_scaled(none[i], &v))
            fail_msg("'%s' is a number", none[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers), cmocka_unit_test(test_none)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
