/*
 * The decoder against another one, objdump: class, size, registers, immediates and targets of every instruction of all
 * built images, and of all compressed encodings there are.
 */
#include "unit/test.h"

#include <glob.h>

#include "mcu/code.h"
#include "mcu/insn.h"
#include "random.h"
#include "unit/temp_dir.h"

/*
 * How objdump prints operands: d rd, D rd that is also read, s rs1, 2 rs2, m offset(rs1), i a number, u one for bits
 * 31..12, t an address, c a control register, - anything. `implied`: the register that is written without being named.
 */
static const struct form {
    const char *names;
    enum insn_class cls;
    const char *operands;
    int implied;
} forms[] = {
    {"addi slti sltiu xori ori andi c.addi4spn", INSN_ALU, "dsi", 0},
    {"lui auipc c.lui", INSN_ALU, "du", 0},
    {"add sub slt sltu xor or and", INSN_ALU, "ds2", 0},
    {"slli srli srai", INSN_SHIFT_IMM, "dsi", 0},
    {"sll srl sra", INSN_SHIFT_REG, "ds2", 0},
    {"mul", INSN_MUL, "ds2", 0},
    {"mulh mulhu mulhsu", INSN_MULH, "ds2", 0},
    {"div divu rem remu", INSN_DIV, "ds2", 0},
    {"lb lh lw lbu lhu c.lw c.lwsp", INSN_LOAD, "dm", 0},
    {"sb sh sw c.sw c.swsp", INSN_STORE, "2m", 0},
    {"beq bne blt bge bltu bgeu", INSN_BRANCH, "s2t", 0},
    {"jal", INSN_JAL, "dt", 0},
    {"jalr", INSN_JALR, "dm", 0},
    {"csrrw csrrs csrrc", INSN_CSR, "dcs", 0},
    {"csrrwi csrrsi csrrci", INSN_CSR, "dc-", 0},
    {"fence", INSN_FENCE, "--", 0},
    {"fence.i", INSN_FENCE_I, "", 0},
    {"ecall", INSN_ECALL, "", 0},
    {"ebreak c.ebreak", INSN_EBREAK, "", 0},
    {"mret", INSN_MRET, "", 0},
    {"wfi", INSN_WFI, "", 0},
    {"c.addi16sp c.addi c.andi", INSN_ALU, "Di", 0},
    {"c.li", INSN_ALU, "di", 0},
    {"c.mv", INSN_ALU, "d2", 0},
    {"c.add c.sub c.xor c.or c.and", INSN_ALU, "D2", 0},
    {"c.slli c.srli c.srai", INSN_SHIFT_IMM, "Di", 0},
    {"c.slli64 c.srli64 c.srai64", INSN_SHIFT_IMM, "D", 0},
    {"c.beqz c.bnez", INSN_BRANCH, "st", 0},
    {"c.j", INSN_JAL, "t", 0},
    {"c.jal", INSN_JAL, "t", REG_RA},
    {"c.jr", INSN_JALR, "s", 0},
    {"c.jalr", INSN_JALR, "s", REG_RA},
    /* Nothing that a core without floating point and supervisor executes. */
    {"c.unimp .2byte .4byte .byte c.flw c.fld c.fsw c.fsd c.flwsp c.fldsp c.fswsp c.fsdsp", INSN_ILLEGAL, NULL, 0},
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

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

/* Without a form: an extension that the core lacks. */
static const struct form *find_form(const char *name)
{
    static const struct form lacking = {"", INSN_ILLEGAL, NULL, 0};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (has_word(forms[i].names, name))
            return &forms[i];
    return &lacking;
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
        if (f->cls == INSN_ILLEGAL && functions->count && !inside)
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
        assert_good(!(!elf || functions_find(&functions, elf, found.gl_pathv[i], &err)), err);
        snprintf(command, sizeof command, "riscv64-unknown-elf-objdump -d -M no-aliases,numeric '%s'",
                 found.gl_pathv[i]);
        lines += check_file(found.gl_pathv[i], command, &functions);
        functions_free(&functions);
        elf_close(elf);
    }
    globfree(&found);
    return lines;
}

TEST(test_images)
{
    assert_true(check_images("firmware") > 10000);
}

TEST(test_selftests)
{
    assert_true(check_images("firmware/selftest") > 5000);
}

/* Compares what `path` holds, all of it code, and returns the number of instructions. */
static unsigned check_binary(const char *path)
{
    const struct functions none = {0};
    char command[HOST_PATH + 100];

    snprintf(command, sizeof command,
             "riscv64-unknown-elf-objdump -D -z -b binary -m riscv:rv32 -M no-aliases,numeric %s", path);
    return check_file(path, command, &none);
}

TEST(test_compressed)
{
    FILE *f = fopen(in_base("compressed"), "w");

    assert_non_null(f);
    for (uint32_t h = 0; h < 0x10000; h++)
        if ((h & 3) != 3)
            fwrite(&h, 2, 1, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(check_binary(in_base("compressed")), 3 << 14);
}

/* Of any opcode, most of those there are; funct7 is mostly one that means something. Fields of fences are ignored. */
static uint32_t random_word(uint64_t *rng)
{
    static const uint8_t opcodes[] = {0x03, 0x0f, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6f, 0x73};
    static const uint8_t functs[] = {0, 0, 1, 0x20};
    uint32_t word = (uint32_t)random_next(rng);

    if (pick(rng, 0, 3))
        word = (word & ~127u) | opcodes[pick(rng, 0, 10)];
    if (pick(rng, 0, 3))
        word = (word & 0x1ffffff) | (uint32_t)functs[pick(rng, 0, 3)] << 25;
    word |= 3;
    return (word & 0x7f) == 0x0f ? word & 0x707f : word;
}

TEST(test_words)
{
    enum { WORDS = 200000 };
    uint64_t rng = 1;
    FILE *f = fopen(in_base("words"), "w");

    assert_non_null(f);
    for (unsigned n = 0; n < WORDS;) {
        uint32_t word = random_word(&rng);

        if ((word & 0x1c) != 0x1c) /* longer ones */
            n += (unsigned)fwrite(&word, 4, 1, f);
    }
    assert_int_equal(fclose(f), 0);
    assert_int_equal(check_binary(in_base("words")), WORDS);
}

TEST_GROUP(.slow = true, .setup = make_base, .teardown = remove_base);
