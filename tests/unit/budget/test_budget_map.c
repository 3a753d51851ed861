/* The linker's map, by hand: whose the bytes are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "budget/code/map_file.h"

static unsigned owners_of(const char *text, struct owner owners[OWNERS])
{
    struct map_file m;
    struct mh_error err;
    assert_int_equal(map_parse(&m, "toy.map", strdup(text), &err), 0);
    unsigned count = map_owners(&m, owners);
    map_free(&m);
    return count;
}

/* Two texts of the policy are equal to one of the image: the linker keeps one, and says the size of all three. */
static void test_merged_texts(void **state)
{
    (void)state;
    struct owner owners[OWNERS];
    assert_int_equal(owners_of("\nLinker script and memory map\n\n"
                               ".rodata         0x00000100       0x20\n"
                               " .rodata.str1.4\n"
                               "                0x00000100        0x4 build/firmware/obj/image/toy.c.o\n"
                               " .rodata.image  0x00000104       0x10 build/firmware/obj/image/toy.c.o\n"
                               " .rodata.str1.4\n"
                               "                0x00000114        0x4 build/firmware/policies.a(toy.c.o)\n"
                               " .rodata.policy 0x00000114        0xc build/firmware/policies.a(toy.c.o)\n"
                               " .rodata.str1.4\n"
                               "                0x00000120        0x4 build/firmware/policies.a(toy.c.o)\n\n"
                               ".data           0x00000200        0x8\n"
                               " .data.state    0x00000200        0x8 build/firmware/policies.a(toy.c.o)\n",
                               owners),
                     2);
    assert_string_equal(owners[0].name, "image");
    assert_int_equal(owners[0].bytes[MAP_RODATA], 0x14);
    assert_string_equal(owners[1].name, "toy");
    assert_int_equal(owners[1].bytes[MAP_RODATA], 0xc);
    assert_int_equal(owners[1].bytes[MAP_DATA], 0x8);
}

static void test_no_map(void **state)
{
    (void)state;
    struct map_file m;
    struct mh_error err;
    assert_int_equal(map_parse(&m, "toy.map", strdup("a text\n"), &err), -1);
    assert_string_equal(err.text, "toy.map:1: no memory map; link with -Wl,-Map=toy.map");
}

int test_budget_map(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merged_texts), cmocka_unit_test(test_no_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
