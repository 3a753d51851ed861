/* core.table: of a program written here, line by line; of all built images, whole and the same each time. */
#include "unit/test.h"

#include <glob.h>

#include "mcu/code.h"
#include "mcu/timing.h"
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

/* Ibex: mie 3 cycles, wfi 3, jumps 2, mret 3, ebreak 3, loads and stores 2, divisions 37, products 3, taken 2 more. */
#define IBEX                                                                                                           \
    "k 0 alu 1\n"                                                                                                      \
    "k 1 shift_imm 1\n"                                                                                                \
    "k 2 shift_reg 1\n"                                                                                                \
    "k 3 mul 3\n"                                                                                                      \
    "k 4 mulh 4\n"                                                                                                     \
    "k 5 div 37\n"                                                                                                     \
    "k 6 load 2\n"                                                                                                     \
    "k 7 store 2\n"                                                                                                    \
    "k 8 branch_not_taken 1\n"                                                                                         \
    "k 9 branch_taken 3\n"                                                                                             \
    "k 10 jal 2\n"                                                                                                     \
    "k 11 jalr 2\n"                                                                                                    \
    "k 12 csr 1\n"                                                                                                     \
    "k 13 csr_flush 3\n"                                                                                               \
    "k 14 fence 1\n"                                                                                                   \
    "k 15 fence_i 2\n"                                                                                                 \
    "k 16 ecall 3\n"                                                                                                   \
    "k 17 ebreak 3\n"                                                                                                  \
    "k 18 mret 3\n"                                                                                                    \
    "k 19 wfi 3\n"                                                                                                     \
    "k 20 target_unaligned32 1\n"                                                                                      \
    "k 21 insn_unaligned32 0\n"                                                                                        \
    "k 22 shift_step 0\n"                                                                                              \
    "k 23 load_use_1 0\n"                                                                                              \
    "k 24 load_use_2 0\n"                                                                                              \
    "k 25 mul_use_1 0\n"                                                                                               \
    "k 26 mul_use_2 0\n"                                                                                               \
    "k 27 div_use_1 0\n"                                                                                               \
    "k 28 irq_entry 3\n"                                                                                               \
    "k 29 irq_wake 4\n"                                                                                                \
    "k 30 vector_jump 2\n"

static const char expected[] = "memhelm-core-table 3\n"
                               "core ibex\n"
                               "stack 0x00203000 0x00203400\n"
                               "irq 5 6\n" IBEX "f 0 0x00100000 16 _start\n"
                               "f 1 0x00100010 8 trap_entry\n"
                               "f 2 0x00100018 16 alias\n"
                               "f 3 0x00100028 12 work\n"
                               "f 4 0x00100034 8 last\n"
                               "h 0 0x00100018 one on_epoch\n"
                               "h 1 0x00100028 t_w_o init\n"
                               "h 2 0x00100018 t_w_o on_epoch\n"
                               "h 3 0x00100028 t_w_o on_walk_epoch\n"
                               "h 4 0x00100034 t_w_o on_arrival\n"
                               "h 5 0x00100034 t_w_o on_event\n"
                               "h 6 0x00100028 t_w_o on_timer\n"
                               "h 7 0x00100034 t_w_o on_timer_2\n";

/* Address, size, flags, cycles beyond one, more when taken, more when jumped to, function, class. */
static const char expected_code[] = "0x00100000 4 0x0000 2 0 0 0 13\n"
                                    "0x00100004 4 0x0080 2 0 0 0 19\n"
                                    "0x00100008 4 0x0018 1 0 0 0 10\n"
                                    "0x0010000c 4 0x0008 1 0 0 0 10\n"
                                    "0x00100010 4 0x0000 0 0 0 1 12\n"
                                    "0x00100014 4 0x0040 2 0 0 1 18\n"
                                    "0x00100018 2 0x0104 0 2 0 2 8\n"
                                    "0x0010001a 2 0x0000 2 0 0 2 17\n"
                                    "0x0010001c 2 0x0001 1 0 0 2 6\n"
                                    "0x0010001e 4 0x0000 36 0 1 2 5\n"
                                    "0x00100022 4 0x0002 1 0 1 2 7\n"
                                    "0x00100026 2 0x0028 1 0 0 2 11\n"
                                    "0x00100028 4 0x0104 0 2 0 3 8\n"
                                    "0x0010002c 4 0x0000 2 0 0 3 3\n"
                                    "0x00100030 2 0x0028 1 0 0 3 11\n"
                                    "0x00100032 2 0x0000 2 0 0 3 17\n"
                                    "0x00100034 4 0x0000 0 0 0 4 0\n"
                                    "0x00100038 4 0x0008 1 0 0 4 11\n";

/* Assembles and links; `symbols` are options of the linker. */
static int build_and_open(struct image *image, const char *source, const char *symbols, struct mh_error *err)
{
    const char *text = in_base("program.S"), *elf = in_base("program.elf");
    char command[3 * HOST_PATH];
    assert_good(!write_file(text, source, strlen(source), err), *err);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -nostdlib "
             "-Wl,-N,--no-warn-rwx-segments,-Ttext=0x100000,--build-id=none%s "
             "-o %s %s",
             symbols, elf, text);
    assert_int_equal(system(command), 0);
    return image_open(image, elf, false, err);
}

static void build(struct image *image, const char *source, const char *symbols)
{
    struct mh_error err;
    assert_good(!build_and_open(image, source, symbols, &err), err);
}

/* The table as text, which the caller frees; NULL and the error otherwise. */
static char *table_of(const struct image *image, const char *core, struct mh_error *err)
{
    struct core c;
    int status;
    assert_good(!core_open(&c, core, err), *err);
    char *text = PRINTED(out, status = core_table_write(image, &c, true, out, err));
    core_close(&c);
    if (!status)
        return text;
    free(text);
    return NULL;
}

TEST(test_by_hand)
{
    struct image image;
    struct mh_error err;

    build(&image, CODE POLICIES, ",--defsym=__stack_bottom=0x203000,--defsym=__stack_top=0x203400");
    char *text = table_of(&image, "ibex", &err);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    image_close(&image);
}

/* A line per instruction. The caller frees it. */
static char *code_text(const struct code *code)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    for (unsigned i = 0; i < code->count; i++) {
        const struct code_line *l = &code->list[i];
        const struct cost *cost = &l->cost[CORE_CYCLES];
        fprintf(out, "0x%08x %u 0x%04x %u %u %u %u %u\n", l->address, l->insn.size, l->flags, cost->extra, cost->taken,
                cost->landing, l->function, (unsigned)core_row_of(&l->insn));
    }
    fclose(out);
    return text;
}

/* The file's content, for tests that add up what was executed. */
TEST(test_code)
{
    struct image image;
    struct functions f;
    struct code code;
    struct core c;
    struct mh_error err;
    uint64_t rows[CORE_CLASS_ROWS] = {0};

    build(&image, CODE POLICIES, "");
    assert_int_equal(core_open(&c, "ibex", &err), 0);
    assert_int_equal(functions_find(&f, image.elf, "program", &err), 0);
    code_read(&code, image.elf, &f, &c);
    char *text = code_text(&code);
    assert_string_equal(text, expected_code);
    free(text);
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

/* Without a stack or policies the table has none; nor has it a stack that is not in data memory. */
TEST(test_bare)
{
    static const char *const symbols[] = {"", ",--defsym=__stack_bottom=0x203400,--defsym=__stack_top=0x203000",
                                          ",--defsym=__stack_bottom=0x100000,--defsym=__stack_top=0x203000",
                                          ",--defsym=__stack_bottom=0x203000,--defsym=__stack_top=0x204004"};
    static const char head[] = "memhelm-core-table 3\ncore ipc1\nstack 0x00000000 0x00000000\nirq 0 0\nk 0 alu 1\n";
    struct image image;
    struct mh_error err;

    for (unsigned i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        build(&image, ".globl _start\n" FUNCTION("_start") "c.j _start\n" SIZE("_start"), symbols[i]);
        char *text = table_of(&image, "ipc1", &err);
        assert_memory_equal(text, head, strlen(head));
        assert_string_equal(strstr(text, "f 0"), "f 0 0x00100000 2 _start\n");
        free(text);
        image_close(&image);
    }
}

static void refuse(const char *source, const char *options, const char *part)
{
    struct image image;
    struct mh_error err = {""};
    bool opened = !build_and_open(&image, source, options, &err);
    char *text = opened ? table_of(&image, "ibex", &err) : NULL;
    if (text || !strstr(err.text, part))
        fail_msg("error is '%s', without '%s'", text ? "none" : err.text, part);
    if (opened)
        image_close(&image);
}

TEST(test_refused)
{
    refuse(CODE, ",-s", "program: no function symbols: link it without -s");
    refuse(CODE "fw_image: .word 0, 0x12345678, 0\n", "",
           "program.elf: policy 0 of fw_image (at 0x12345678) cannot be read");
    refuse(CODE "fw_image: .word 0, p, 0\np: .word 0x12345678, 0, 0, 0, 0, 0\n", "", "policy 0 of fw_image");
    refuse(CODE "fw_image: .word 0, p\np: .word n, 0, 0, 0, 0, 0\nn: .asciz \"\"\n", "", "policy 0 of fw_image");
    refuse(CODE "fw_image: .word 0\n", "", "program.elf: the policies of fw_image do not end with NULL");
    refuse(CODE "fw_image: .word 0, p, 0\np: .word n, 0, 0xfd00, 0, 0, 0, 0, 0, 0\nn: .asciz \"one\"\n", "",
           "program.elf: on_epoch of policy one (the word at 0x");
    refuse(CODE "fw_image: .word 0, p, 0\np: .word n, epoch + 1, 0, 0, 0, 0, 0, 0, 0\nn: .asciz \"one\"\n", "",
           "is 0x100019, where no code is");
    refuse(CODE "fw_image: .word 0, p, 0\np: .word n, 0, 0, 0, 0, 0, 0, 0, 0x200000\nn: .asciz \"one\"\n", "",
           "on_timer_2 of policy one");
}

/* --- Built images. */

/* The instructions fill each function, one behind the other, and on ipc1 none takes longer than a cycle. */
static void check_code(const struct image *image, const struct functions *f, const char *core)
{
    struct code code;
    struct core c;
    struct mh_error err;
    uint32_t next = 0, bytes = 0;
    assert_good(!core_open(&c, core, &err), err);
    code_read(&code, image->elf, f, &c);
    for (unsigned i = 0; i < code.count; i++) {
        const struct code_line *l = &code.list[i];
        const struct cost *cost = &l->cost[CORE_CYCLES];
        assert_int_equal(function_at(f, l->address), l->function);
        assert_true(l->address == next || l->address == f->list[l->function].address);
        assert_true(strcmp(core, "ipc1") || cost->extra + cost->taken + cost->landing == 0);
        next = l->address + l->insn.size;
        bytes += l->insn.size;
    }
    for (unsigned i = 0; i < f->count; i++)
        bytes -= f->list[i].size;
    assert_int_equal(bytes, 0);
    code_free(&code);
    core_close(&c);
}

static void check_image(const struct image *image)
{
    struct functions f;
    struct mh_error err;
    assert_good(!functions_find(&f, image->elf, image->name, &err), err);
    for (const char *const *n = core_names(); *n; n++) {
        char *text = table_of(image, *n, &err), *again = table_of(image, *n, &err);
        assert_good(text, err);
        assert_string_equal(text, again);
        check_code(image, &f, *n);
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
    assert_good(!hooks_find(&h, image->elf, image->name, &err), err);
    assert_true(h.count > 0);
    for (unsigned i = 0; i < h.count; i++)
        assert_int_equal(f.list[function_at(&f, h.list[i].address)].address, h.list[i].address);
    functions_free(&f);
}

TEST(test_images)
{
    const char *build_dir = getenv("MEMHELM_BUILD");
    char pattern[300];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/firmware/*.elf", build_dir ? build_dir : "build");
    if (glob(pattern, 0, NULL, &found))
        fail_msg("no file %s: run `make`, then this test from the top of the tree", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct image image;
        struct mh_error err;
        assert_good(!image_open(&image, found.gl_pathv[i], false, &err), err);
        check_image(&image);
        check_hooks(&image);
        image_close(&image);
    }
    globfree(&found);
}

TEST_GROUP(.slow = true, .setup = make_base, .teardown = remove_base);
