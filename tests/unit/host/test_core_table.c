/* core.table: of a program written here, line by line; of all built images, whole and the same each time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <glob.h>
#include <string.h>

#include "mcu/code.h"
#include "mcu/plugin_table.h"
#include "mcu/hooks.h"
#include "unit/temp_dir.h"

#define FUNCTION(name) ".type " name ", @function\n" name ":\n"
#define SIZE(name)     ".size " name ", . - " name "\n"
#define LONG           ".option norvc\n"
#define SHORT          ".option rvc\n"

#define CODE                                                                                                           \
    ".option norelax\n" LONG                                                                                           \
    ".globl _start\n" FUNCTION("_start") "csrw mie, zero\n"                                                            \
                                         "wfi\n"                                                                       \
                                         "jal ra, work\n"                                                              \
                                         "j _start\n" SIZE("_start")                                                   \
                                             FUNCTION("trap_entry") "csrr t0, mcause\n"                                \
                                                                    "mret\n" SIZE("trap_entry") FUNCTION("epoch")      \
                                                                        FUNCTION("alias") SHORT                        \
        "c.bnez a1, 1f\n"                                                                                              \
        "c.ebreak\n"                                                                                                   \
        "1: c.lw a5, 0(a0)\n" LONG "divu a0, a0, a1\n"                                                                 \
        "sw a0, 0(sp)\n" SHORT "c.jr ra\n" SIZE("epoch") SIZE("alias") FUNCTION("work") LONG                           \
        "beq a0, zero, 2f\n"                                                                                           \
        "mul a0, a0, a1\n" SHORT "c.jr ra\n"                                                                           \
        "2: c.ebreak\n" FUNCTION("last") LONG "lui a0, 1\n"                                                            \
                                              "jalr x0, 4(ra)\n" SIZE("last")

#define POLICIES                                                                                                       \
    ".balign 4\n"                                                                                                      \
    "fw_image: .word name, first, second, 0\n"                                                                         \
    "first: .word name, 0, epoch, 0, 0, 0, 0, 0, 0\n"                                                                  \
    "second: .word odd, work, epoch, work, last, last, 0, work, last\n"                                                \
    "name: .asciz \"one\"\n"                                                                                           \
    "odd: .asciz \"t w\\to\"\n"

#define CLASSES                                                                                                        \
    "k 0 alu\n"                                                                                                        \
    "k 1 shift_imm\n"                                                                                                  \
    "k 2 shift_reg\n"                                                                                                  \
    "k 3 mul\n"                                                                                                        \
    "k 4 mulh\n"                                                                                                       \
    "k 5 div\n"                                                                                                        \
    "k 6 load\n"                                                                                                       \
    "k 7 store\n"                                                                                                      \
    "k 8 branch_not_taken\n"                                                                                           \
    "k 9 branch_taken\n"                                                                                               \
    "k 10 jal\n"                                                                                                       \
    "k 11 jalr\n"                                                                                                      \
    "k 12 csr\n"                                                                                                       \
    "k 13 csr_flush\n"                                                                                                 \
    "k 14 fence\n"                                                                                                     \
    "k 15 fence_i\n"                                                                                                   \
    "k 16 ecall\n"                                                                                                     \
    "k 17 ebreak\n"                                                                                                    \
    "k 18 mret\n"                                                                                                      \
    "k 19 wfi\n"

/* Ibex: mie 3 cycles, wfi 3, jumps 2, mret 3, ebreak 3, loads and stores 2, divisions 37, products 3, taken 2 more. */
static const char expected[] = "memhelm-core-table 2\n"
                               "core ibex\n"
                               "range 0x00100000 0x8000 stack 0x00203000 0x00203400\n"
                               "trap 0x00100010 5 6\n" CLASSES "f 0 0x00100000 _start\n"
                               "f 1 0x00100010 trap_entry\n"
                               "f 2 0x00100018 alias\n"
                               "f 3 0x00100028 work\n"
                               "f 4 0x00100034 last\n"
                               "h 0 0x00100018 one on_epoch\n"
                               "h 1 0x00100028 t_w_o init\n"
                               "h 2 0x00100018 t_w_o on_epoch\n"
                               "h 3 0x00100028 t_w_o on_walk_epoch\n"
                               "h 4 0x00100034 t_w_o on_arrival\n"
                               "h 5 0x00100034 t_w_o on_event\n"
                               "h 6 0x00100028 t_w_o on_timer\n"
                               "h 7 0x00100034 t_w_o on_timer_2\n"
                               "i 0x00100000 4 0x0000 2 0 0 0 13\n"
                               "i 0x00100004 4 0x0080 2 0 0 0 19\n"
                               "i 0x00100008 4 0x0018 1 0 0 0 10\n"
                               "i 0x0010000c 4 0x0008 1 0 0 0 10\n"
                               "i 0x00100010 4 0x0000 0 0 0 1 12\n"
                               "i 0x00100014 4 0x0040 2 0 0 1 18\n"
                               "i 0x00100018 2 0x0104 0 2 0 2 8\n"
                               "i 0x0010001a 2 0x0000 2 0 0 2 17\n"
                               "i 0x0010001c 2 0x0001 1 0 0 2 6\n"
                               "i 0x0010001e 4 0x0000 36 0 1 2 5\n"
                               "i 0x00100022 4 0x0002 1 0 1 2 7\n"
                               "i 0x00100026 2 0x0028 1 0 0 2 11\n"
                               "i 0x00100028 4 0x0104 0 2 0 3 8\n"
                               "i 0x0010002c 4 0x0000 2 0 0 3 3\n"
                               "i 0x00100030 2 0x0028 1 0 0 3 11\n"
                               "i 0x00100032 2 0x0000 2 0 0 3 17\n"
                               "i 0x00100034 4 0x0000 0 0 0 4 0\n"
                               "i 0x00100038 4 0x0008 1 0 0 4 11\n";

/* Assembles and links; `symbols` are options of the linker. */
static void build(struct image *image, const char *source, const char *symbols)
{
    const char *text = in_base("program.S"), *elf = in_base("program.elf");
    char command[3 * HOST_PATH];
    struct mh_error err;
    if (write_file(text, source, strlen(source), &err))
        fail_msg("%s", err.text);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib "
             "-Wl,-N,--no-warn-rwx-segments,-Ttext=0x100000,--build-id=none%s "
             "-o %s %s",
             symbols, elf, text);
    assert_int_equal(system(command), 0);
    if (image_open(image, elf, false, &err))
        fail_msg("%s", err.text);
}

/* The table as text, which the caller frees; NULL and the error otherwise. */
static char *table_of(const struct image *image, const char *core, struct mh_error *err)
{
    struct core c;
    char *text = NULL;
    size_t length;
    if (core_open(&c, core, err))
        fail_msg("%s", err->text);
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    int status = core_table_write(image, &c, out, err);
    fclose(out);
    core_close(&c);
    if (!status)
        return text;
    free(text);
    return NULL;
}

static void test_by_hand(void **state)
{
    struct image image;
    struct mh_error err;
    (void)state;
    build(&image, CODE POLICIES, ",--defsym=__stack_bottom=0x203000,--defsym=__stack_top=0x203400");
    char *text = table_of(&image, "ibex", &err);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    image_close(&image);
}

/* The same, for who adds up what was executed. */
static void test_code(void **state)
{
    struct image image;
    struct functions f;
    struct code code;
    struct core c;
    struct mh_error err;
    uint64_t rows[CORE_CLASS_ROWS] = {0};
    (void)state;
    build(&image, CODE POLICIES, "");
    assert_int_equal(core_open(&c, "ibex", &err), 0);
    assert_int_equal(functions_find(&f, image.elf, "program", &err), 0);
    assert_int_equal(code_read(&code, image.elf, &f, &c, "program", &err), 0);
    assert_null(code_at(&code, 0x100002)); /* within an instruction */
    assert_null(code_at(&code, 0xffffe));
    assert_null(code_at(&code, 0x10003c));
    const struct code_line *divu = code_at(&code, 0x10001e), *branch = code_at(&code, 0x100018);
    assert_int_equal(divu->insn.cls, INSN_DIV);
    assert_int_equal(divu->function, 2);
    assert_int_equal(divu->cost[CORE_MIN].extra, 1); /* divisor 0 */
    assert_int_equal(divu->cost[CORE_MAX].extra, 37);
    code_count(divu, 5, 0, rows);
    code_count(branch, 10, 3, rows);
    assert_int_equal(rows[CORE_DIV], 5);
    assert_int_equal(rows[CORE_BRANCH_TAKEN], 3);
    assert_int_equal(rows[CORE_BRANCH_NOT_TAKEN], 7);
    code_free(&code);
    functions_free(&f);
    core_close(&c);
    image_close(&image);
}

/* Without a stack, a trap entry or policies the table has none. */
static void test_bare(void **state)
{
    struct image image;
    struct mh_error err;
    (void)state;
    build(&image, ".globl _start\n" FUNCTION("_start") "c.j _start\n" SIZE("_start"), "");
    char *text = table_of(&image, "ipc1", &err);
    assert_string_equal(text,
                        "memhelm-core-table 2\ncore ipc1\nrange 0x00100000 0x8000 stack 0x00000000 0x00000000\n"
                        "trap 0x00000000 0 0\n" CLASSES "f 0 0x00100000 _start\ni 0x00100000 2 0x0008 0 0 0 0 10\n");
    free(text);
    image_close(&image);
}

static void refuse(const char *source, const char *options, const char *part)
{
    struct image image;
    struct mh_error err = {""};
    build(&image, source, options);
    char *text = table_of(&image, "ibex", &err);
    if (text || !strstr(err.text, part))
        fail_msg("error is '%s', without '%s'", text ? "none" : err.text, part);
    image_close(&image);
}

static void test_refused(void **state)
{
    (void)state;
    refuse(CODE, ",-s", "program: no function symbols: link it without -s");
    refuse(CODE "fw_image: .word 0, 0x12345678, 0\n", "",
           "program: policy 0 of fw_image (at 0x12345678) cannot be read");
    refuse(CODE "fw_image: .word 0, p, 0\np: .word 0x12345678, 0, 0, 0, 0, 0\n", "", "policy 0 of fw_image");
    refuse(CODE "fw_image: .word 0, p\np: .word n, 0, 0, 0, 0, 0\nn: .asciz \"\"\n", "", "policy 0 of fw_image");
    refuse(CODE "fw_image: .word 0\n", "", "program: the policies of fw_image do not end with NULL");
}

/* --- Built images. */

/* The instructions of the table fill each function, one behind the other; returns how many there are. */
static unsigned check_lines(const char *text, const struct functions *f, bool free_of_cost)
{
    unsigned count = 0, address, size, extra, taken, landing, id;
    uint32_t next = 0;
    for (const char *line = strstr(text, "\ni "); line; line = strchr(line + 1, '\n')) {
        if (sscanf(line, "\ni %x %u %*x %u %u %u %u", &address, &size, &extra, &taken, &landing, &id) != 6)
            break;
        assert_int_equal(function_at(f, address), id);
        assert_true(address == next || address == f->list[id].address);
        assert_true(!free_of_cost || extra + taken + landing == 0);
        next = address + size;
        count += size;
    }
    return count;
}

static void check_image(const struct image *image)
{
    struct functions f;
    struct mh_error err;
    unsigned bytes = 0;
    if (functions_find(&f, image->elf, image->name, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < f.count; i++)
        bytes += f.list[i].size;
    for (const char *const *n = core_names(); *n; n++) {
        char *text = table_of(image, *n, &err), *again = table_of(image, *n, &err);
        if (!text)
            fail_msg("%s", err.text);
        assert_string_equal(text, again);
        assert_int_equal(check_lines(text, &f, !strcmp(*n, "ipc1")), bytes);
        free(text);
        free(again);
    }
    functions_free(&f);
}

/* Every image has a policy, whose hooks are functions. */
static void check_hooks(const struct image *image)
{
    struct functions f;
    struct hooks h;
    struct mh_error err;
    assert_int_equal(functions_find(&f, image->elf, image->name, &err), 0);
    if (hooks_find(&h, image->elf, image->name, &err))
        fail_msg("%s", err.text);
    assert_true(h.count > 0);
    for (unsigned i = 0; i < h.count; i++)
        assert_int_equal(f.list[function_at(&f, h.list[i].address)].address, h.list[i].address);
    functions_free(&f);
}

static void test_images(void **state)
{
    const char *build_dir = getenv("MEMHELM_BUILD");
    char pattern[300];
    glob_t found;
    (void)state;
    snprintf(pattern, sizeof pattern, "%s/firmware/*.elf", build_dir ? build_dir : "build");
    if (glob(pattern, 0, NULL, &found))
        fail_msg("no file %s: run `make`, then this test from the top of the tree", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct image image;
        struct mh_error err;
        if (image_open(&image, found.gl_pathv[i], false, &err))
            fail_msg("%s", err.text);
        check_image(&image);
        check_hooks(&image);
        image_close(&image);
    }
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand), cmocka_unit_test(test_code),   cmocka_unit_test(test_bare),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_images),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
