/* slow: a second or more */
/*
 * The decoder against another one, objdump: class, size, registers, immediates and targets of every instruction of all
 * built images, and of all compressed encodings there are.
 */
#include "unit/test.h"

#include <glob.h>

#include "mcu/functions.h"
#include "mcu/insn.h"
#include "unit/temp_dir.h"

/*
 * How objdump prints operands: d rd, D rd that is also read, s rs1, 2 rs2, m offset(rs1), i a number, u one for bits
 * 31..12, t an address, c a control register, - anything. `implied`: the register that is written without being named.
 */
static const struct form {
    const char *name;
    enum insn_class cls;
    const char *operands;
    int implied;
} forms[] = {
    {"addi", INSN_ALU, "dsi", 0},
    {"slti", INSN_ALU, "dsi", 0},
    {"sltiu", INSN_ALU, "dsi", 0},
    {"xori", INSN_ALU, "dsi", 0},
    {"ori", INSN_ALU, "dsi", 0},
    {"andi", INSN_ALU, "dsi", 0},
    {"lui", INSN_ALU, "du", 0},
    {"auipc", INSN_ALU, "du", 0},
    {"add", INSN_ALU, "ds2", 0},
    {"sub", INSN_ALU, "ds2", 0},
    {"slt", INSN_ALU, "ds2", 0},
    {"sltu", INSN_ALU, "ds2", 0},
    {"xor", INSN_ALU, "ds2", 0},
    {"or", INSN_ALU, "ds2", 0},
    {"and", INSN_ALU, "ds2", 0},
    {"slli", INSN_SHIFT_IMM, "dsi", 0},
    {"srli", INSN_SHIFT_IMM, "dsi", 0},
    {"srai", INSN_SHIFT_IMM, "dsi", 0},
    {"sll", INSN_SHIFT_REG, "ds2", 0},
    {"srl", INSN_SHIFT_REG, "ds2", 0},
    {"sra", INSN_SHIFT_REG, "ds2", 0},
    {"mul", INSN_MUL, "ds2", 0},
    {"mulh", INSN_MULH, "ds2", 0},
    {"mulhu", INSN_MULH, "ds2", 0},
    {"mulhsu", INSN_MULH, "ds2", 0},
    {"div", INSN_DIV, "ds2", 0},
    {"divu", INSN_DIV, "ds2", 0},
    {"rem", INSN_DIV, "ds2", 0},
    {"remu", INSN_DIV, "ds2", 0},
    {"lb", INSN_LOAD, "dm", 0},
    {"lh", INSN_LOAD, "dm", 0},
    {"lw", INSN_LOAD, "dm", 0},
    {"lbu", INSN_LOAD, "dm", 0},
    {"lhu", INSN_LOAD, "dm", 0},
    {"sb", INSN_STORE, "2m", 0},
    {"sh", INSN_STORE, "2m", 0},
    {"sw", INSN_STORE, "2m", 0},
    {"beq", INSN_BRANCH, "s2t", 0},
    {"bne", INSN_BRANCH, "s2t", 0},
    {"blt", INSN_BRANCH, "s2t", 0},
    {"bge", INSN_BRANCH, "s2t", 0},
    {"bltu", INSN_BRANCH, "s2t", 0},
    {"bgeu", INSN_BRANCH, "s2t", 0},
    {"jal", INSN_JAL, "dt", 0},
    {"jalr", INSN_JALR, "dm", 0},
    {"csrrw", INSN_CSR, "dcs", 0},
    {"csrrs", INSN_CSR, "dcs", 0},
    {"csrrc", INSN_CSR, "dcs", 0},
    {"csrrwi", INSN_CSR, "dc-", 0},
    {"csrrsi", INSN_CSR, "dc-", 0},
    {"csrrci", INSN_CSR, "dc-", 0},
    {"fence", INSN_FENCE, "--", 0},
    {"fence.i", INSN_FENCE_I, "", 0},
    {"ecall", INSN_ECALL, "", 0},
    {"ebreak", INSN_EBREAK, "", 0},
    {"mret", INSN_MRET, "", 0},
    {"wfi", INSN_WFI, "", 0},
    {"c.addi4spn", INSN_ALU, "dsi", 0},
    {"c.addi16sp", INSN_ALU, "Di", 0},
    {"c.addi", INSN_ALU, "Di", 0},
    {"c.li", INSN_ALU, "di", 0},
    {"c.lui", INSN_ALU, "du", 0},
    {"c.andi", INSN_ALU, "Di", 0},
    {"c.mv", INSN_ALU, "d2", 0},
    {"c.add", INSN_ALU, "D2", 0},
    {"c.sub", INSN_ALU, "D2", 0},
    {"c.xor", INSN_ALU, "D2", 0},
    {"c.or", INSN_ALU, "D2", 0},
    {"c.and", INSN_ALU, "D2", 0},
    {"c.slli", INSN_SHIFT_IMM, "Di", 0},
    {"c.srli", INSN_SHIFT_IMM, "Di", 0},
    {"c.srai", INSN_SHIFT_IMM, "Di", 0},
    {"c.slli64", INSN_SHIFT_IMM, "D", 0},
    {"c.srli64", INSN_SHIFT_IMM, "D", 0},
    {"c.srai64", INSN_SHIFT_IMM, "D", 0},
    {"c.lw", INSN_LOAD, "dm", 0},
    {"c.lwsp", INSN_LOAD, "dm", 0},
    {"c.sw", INSN_STORE, "2m", 0},
    {"c.swsp", INSN_STORE, "2m", 0},
    {"c.beqz", INSN_BRANCH, "st", 0},
    {"c.bnez", INSN_BRANCH, "st", 0},
    {"c.j", INSN_JAL, "t", 0},
    {"c.jal", INSN_JAL, "t", REG_RA},
    {"c.jr", INSN_JALR, "s", 0},
    {"c.jalr", INSN_JALR, "s", REG_RA},
    {"c.ebreak", INSN_EBREAK, "", 0},
    /* Nothing that a core without floating point and supervisor executes. */
    {"c.unimp", INSN_ILLEGAL, NULL, 0},
    {".2byte", INSN_ILLEGAL, NULL, 0},
    {".4byte", INSN_ILLEGAL, NULL, 0},
    {".byte", INSN_ILLEGAL, NULL, 0},
    {"c.flw", INSN_ILLEGAL, NULL, 0},
    {"c.fld", INSN_ILLEGAL, NULL, 0},
    {"c.fsw", INSN_ILLEGAL, NULL, 0},
    {"c.fsd", INSN_ILLEGAL, NULL, 0},
    {"c.flwsp", INSN_ILLEGAL, NULL, 0},
    {"c.fldsp", INSN_ILLEGAL, NULL, 0},
    {"c.fswsp", INSN_ILLEGAL, NULL, 0},
    {"c.fsdsp", INSN_ILLEGAL, NULL, 0},
};

static const struct {
    const char *name;
    int number;
} csrs[] = {
    {"mstatus", 0x300},  {"mie", 0x304},       {"mtvec", 0x305},    {"mscratch", 0x340}, {"mepc", 0x341},
    {"mcause", 0x342},   {"mtval", 0x343},     {"mip", 0x344},      {"pmpcfg0", 0x3a0},  {"pmpaddr0", 0x3b0},
    {"pmpaddr1", 0x3b1}, {"pmpaddr2", 0x3b2},  {"pmpaddr3", 0x3b3}, {"mcycle", 0xb00},   {"minstret", 0xb02},
    {"mcycleh", 0xb80},  {"minstreth", 0xb82}, {"cycle", 0xc00},    {"mhartid", 0xf14},
};

/* A line of objdump: "  ADDRESS:\tENCODING  \tNAME\tOPERANDS". */
struct line {
    uint32_t address, word;
    unsigned size;
    char name[32], operands[128];
};

static const struct form *find_form(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].name, name))
            return &forms[i];
    return NULL;
}

/* A name that no table here has is taken for the encoding's number, if that has no other name. */
static int csr_number(const struct line *l, const char *name)
{
    const int encoded = (int)(l->word >> 20);
    for (size_t i = 0; i < sizeof csrs / sizeof *csrs; i++)
        if (!strcmp(csrs[i].name, name))
            return csrs[i].number;
        else if (csrs[i].number == encoded)
            fail_msg("%x: control register 0x%x is %s, and not '%s'", l->address, encoded, csrs[i].name, name);
    return strncmp(name, "0x", 2) ? encoded : (int)strtol(name, NULL, 16);
}

static bool read_line(const char *text, struct line *l)
{
    char code[64] = "";
    unsigned address;
    l->operands[0] = 0;
    if (sscanf(text, " %x:\t%60[0-9a-f ]\t%31s\t%127[^\n]", &address, code, l->name, l->operands) < 3)
        return false;
    code[strcspn(code, " ")] = 0;
    l->address = address;
    l->word = (uint32_t)strtoul(code, NULL, 16);
    l->size = (unsigned)strlen(code) / 2;
    return true;
}

/* What the operands say, into `want`; for csr instructions also the class. */
static void read_operands(const struct line *l, const struct form *f, struct insn *want)
{
    char text[128], *rest = text;
    strcpy(text, l->operands);
    for (const char *o = f->operands; *o; o++) {
        char *word = strsep(&rest, ","), *open;
        if (!word)
            fail_msg("%x: %s %s has too few operands", l->address, l->name, l->operands);
        word[strcspn(word, " ")] = 0;
        switch (*o) {
        case 'd':
        case 'D':
            want->rd = (uint8_t)atoi(word + 1);
            want->rs1 = *o == 'D' ? want->rd : want->rs1;
            break;
        case 's':
            want->rs1 = (uint8_t)atoi(word + 1);
            break;
        case '2':
            want->rs2 = (uint8_t)atoi(word + 1);
            break;
        case 'm':
            want->imm = (int32_t)strtol(word, &open, 0);
            want->rs1 = (uint8_t)atoi(open + 2);
            break;
        case 'i':
            want->imm = (int32_t)strtol(word, NULL, 0);
            break;
        case 'u':
            want->imm = (int32_t)((uint32_t)strtoul(word, NULL, 0) << 12);
            break;
        case 't':
            want->imm = (int32_t)((uint32_t)strtoul(word, NULL, 16) - l->address);
            break;
        case 'c':
            want->imm = csr_number(l, word);
            break;
        default:
            break;
        }
    }
}

/* mstatus and mie are written by csrrw, and by csrrs with a source. */
static bool flushes(const struct line *l)
{
    bool sets = !strncmp(l->name, "csrrs", 5), nothing = strstr(l->operands, ",x0") || strstr(l->operands, ",0");
    bool known = strstr(l->operands, ",mstatus,") || strstr(l->operands, ",mie,");
    return known && (!strncmp(l->name, "csrrw", 5) || (sets && !nothing));
}

static void check_line(const char *file, const struct line *l, const struct form *f)
{
    struct insn got, want = {.size = (uint8_t)l->size, .cls = f->cls, .rd = (uint8_t)f->implied};
    insn_decode(l->word, &got);
    if (f->operands)
        read_operands(l, f, &want);
    if (f->cls == INSN_CSR && flushes(l))
        want.cls = INSN_CSR_FLUSH;
    if (!strcmp(l->name, ".byte")) /* longer instructions than there are */
        want.size = 4;
    /* objdump lets these pass; RV32C reserves them. */
    if ((want.cls == INSN_SHIFT_IMM && want.imm > 31) || (!strcmp(l->name, "c.addi16sp") && !want.imm))
        want = (struct insn){.size = want.size, .cls = INSN_ILLEGAL};
    if (got.cls != want.cls || got.size != want.size || got.rd != want.rd || got.rs1 != want.rs1 ||
        got.rs2 != want.rs2 || got.imm != want.imm)
        fail_msg("%s: %x: %0*x %s %s: class %d size %d rd %d rs1 %d rs2 %d imm %d, objdump has %d %d %d %d %d %d", file,
                 l->address, (int)l->size * 2, l->word, l->name, l->operands, got.cls, got.size, got.rd, got.rs1,
                 got.rs2, got.imm, want.cls, want.size, want.rd, want.rs1, want.rs2, want.imm);
}

/*
 * Between functions is data: what objdump takes for an instruction there is compared, too, but not what it does not,
 * for it goes by the extensions of the object file before.
 */
static unsigned check_file(const char *path, const char *command, const struct functions *functions)
{
    char text[512];
    struct line l;
    unsigned lines = 0;
    uint32_t in_functions = 0;
    FILE *in = popen(command, "r");
    assert_non_null(in);
    while (fgets(text, sizeof text, in)) {
        if (!read_line(text, &l))
            continue;
        const struct form *f = find_form(l.name);
        bool inside = function_at(functions, l.address) < functions->count;
        if (!f && (inside || !functions->count))
            fail_msg("%s: %x: objdump has '%s %s', which is not in the test's table", path, l.address, l.name,
                     l.operands);
        if (!f || (f->cls == INSN_ILLEGAL && functions->count && !inside))
            continue;
        check_line(path, &l, f);
        lines++;
        in_functions += inside ? l.size : 0;
    }
    assert_int_equal(pclose(in), 0);
    for (unsigned i = 0; i < functions->count; i++)
        in_functions -= functions->list[i].size;
    if (in_functions)
        fail_msg("%s: %d bytes of functions were not compared", path, -(int)in_functions);
    return lines;
}

static unsigned check_images(const char *folder)
{
    const char *build = getenv("MEMHELM_BUILD");
    char pattern[300], command[600];
    unsigned lines = 0;
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/%s/*.elf", build ? build : "build", folder);
    if (glob(pattern, 0, NULL, &found))
        fail_msg("no file %s: run `make`, then this test from the top of the tree", pattern);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct functions functions;
        struct mh_error err;
        struct elf *elf = elf_open(found.gl_pathv[i], &err);
        if (!elf || functions_find(&functions, elf, found.gl_pathv[i], &err))
            fail_msg("%s", err.text);
        snprintf(command, sizeof command, "riscv64-unknown-elf-objdump -d -M no-aliases,numeric '%s'",
                 found.gl_pathv[i]);
        lines += check_file(found.gl_pathv[i], command, &functions);
        functions_free(&functions);
        elf_close(elf);
    }
    globfree(&found);
    return lines;
}

static void test_images(void **)
{
    assert_true(check_images("firmware") > 10000);
}

static void test_selftests(void **)
{
    assert_true(check_images("firmware/selftest") > 5000);
}

static void test_compressed(void **)
{
    const char *path = in_base("all");
    char command[HOST_PATH + 100];
    const struct functions none = {0};
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    for (uint32_t h = 0; h < 0x10000; h++)
        if ((h & 3) != 3 && (fputc((int)(h & 0xff), f) == EOF || fputc((int)(h >> 8), f) == EOF))
            fail_msg("%s: cannot be written", path);
    fclose(f);
    snprintf(command, sizeof command,
             "riscv64-unknown-elf-objdump -D -z -b binary -m riscv:rv32 -M no-aliases,numeric %s", path);
    unsigned lines = check_file("all compressed", command, &none);
    assert_int_equal(lines, 3 << 14);
}

int test_core_objdump(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_images), cmocka_unit_test(test_selftests),
                                       cmocka_unit_test(test_compressed)};
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
