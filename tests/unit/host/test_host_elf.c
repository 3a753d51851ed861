/* Firmware files: good ones measured and hashed, bad ones refused before boot with the reason. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcu/elf_file.h"
#include "memhelm/registers.h"

/* The smallest program with everything that is looked at. */
struct program {
    Elf32_Ehdr head;
    Elf32_Phdr segment[3]; /* code, data, bss + stack */
    Elf32_Shdr section[8];
    Elf32_Sym symbol[3];
    uint8_t code[64], data[16];
    char names[64], symbols[32];
};

#define AT(member) offsetof(struct program, member)

static uint32_t name_of(struct program *p, const char *name)
{
    size_t at = 1;
    while (p->names[at])
        at += strlen(p->names + at) + 1;
    strcpy(p->names + at, name);
    return (uint32_t)at;
}

static void add_section(struct program *p, unsigned i, const char *name, uint32_t type, uint32_t flags, uint32_t offset,
                        uint32_t size)
{
    p->section[i] = (Elf32_Shdr){
        .sh_name = name_of(p, name), .sh_type = type, .sh_flags = flags, .sh_offset = offset, .sh_size = size};
}

static void add_sections(struct program *p)
{
    add_section(p, 1, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, AT(code), 48);
    add_section(p, 2, ".rodata", SHT_PROGBITS, SHF_ALLOC, AT(code) + 48, 16);
    add_section(p, 3, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, AT(data), 16);
    add_section(p, 4, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, 200);
    add_section(p, 5, ".stack", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, 1024);
    add_section(p, 6, ".symtab", SHT_SYMTAB, 0, AT(symbol), sizeof p->symbol);
    add_section(p, 7, ".strtab", SHT_STRTAB, 0, AT(names), sizeof p->names);
    p->section[6].sh_link = 7;
}

static void add_segments(struct program *p)
{
    p->segment[0] = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_offset = AT(code),
                                 .p_vaddr = MH_ITCM_BASE,
                                 .p_paddr = MH_ITCM_BASE,
                                 .p_filesz = 64,
                                 .p_memsz = 64};
    p->segment[1] = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_W,
                                 .p_offset = AT(data),
                                 .p_vaddr = MH_DTCM_BASE,
                                 .p_paddr = MH_ITCM_BASE + 64,
                                 .p_filesz = 16,
                                 .p_memsz = 16};
    p->segment[2] = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_W,
                                 .p_vaddr = MH_DTCM_BASE + 16,
                                 .p_paddr = MH_DTCM_BASE + 16,
                                 .p_memsz = MH_DTCM_BYTES - 16};
}

static struct program good(void)
{
    struct program p = {.head = {.e_type = ET_EXEC,
                                 .e_machine = EM_RISCV,
                                 .e_version = EV_CURRENT,
                                 .e_entry = MH_ITCM_BASE,
                                 .e_phoff = AT(segment),
                                 .e_shoff = AT(section),
                                 .e_flags = EF_RISCV_RVC,
                                 .e_ehsize = sizeof(Elf32_Ehdr),
                                 .e_phentsize = sizeof(Elf32_Phdr),
                                 .e_phnum = 3,
                                 .e_shentsize = sizeof(Elf32_Shdr),
                                 .e_shnum = 8,
                                 .e_shstrndx = 7}};
    memcpy(p.head.e_ident, ELFMAG, SELFMAG);
    p.head.e_ident[EI_CLASS] = ELFCLASS32;
    p.head.e_ident[EI_DATA] = ELFDATA2LSB;
    add_segments(&p);
    add_sections(&p);
    p.symbol[1] = (Elf32_Sym){.st_name = name_of(&p, "main"),
                              .st_value = MH_ITCM_BASE + 8,
                              .st_size = 20,
                              .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC)};
    p.symbol[2] = (Elf32_Sym){
        .st_name = 60, .st_value = MH_ITCM_BASE + 40, .st_size = 4, .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT)};
    return p;
}

static struct elf *open_bytes(const void *bytes, size_t length, struct mh_error *err)
{
    char path[] = "/tmp/memhelm-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, length), length);
    close(fd);
    struct elf *e = elf_open(path, err);
    unlink(path);
    return e;
}

static void refuse(const struct program *p, size_t length, const char *part)
{
    struct mh_error err;
    if (open_bytes(p, length, &err))
        fail_msg("accepted, but should say: %s", part);
    if (!strstr(err.text, part))
        fail_msg("error is '%s', without '%s'", err.text, part);
}

static void test_good(void **state)
{
    struct program p = good();
    struct mh_error err;
    (void)state;
    struct elf *e = open_bytes(&p, sizeof p, &err);
    if (!e)
        fail_msg("%s", err.text);
    struct elf_sizes s = elf_sizes(e);
    assert_int_equal(s.code, 48);
    assert_int_equal(s.rodata, 16);
    assert_int_equal(s.data, 16);
    assert_int_equal(s.bss, 200);
    assert_int_equal(s.stack, 1024);
    assert_null(elf_function(e, MH_ITCM_BASE + 7));
    assert_string_equal(elf_function(e, MH_ITCM_BASE + 8), "main");
    assert_string_equal(elf_function(e, MH_ITCM_BASE + 27), "main");
    assert_null(elf_function(e, MH_ITCM_BASE + 28));
    assert_null(elf_function(e, MH_ITCM_BASE + 40)); /* data, not a function */
    assert_null(elf_function(e, 0));
    elf_close(e);
}

static void test_symbols(void **state)
{
    struct program p = good();
    struct elf_symbol s;
    (void)state;
    struct elf *e = open_bytes(&p, sizeof p, NULL);
    assert_true(elf_symbol(e, 0, &s));
    assert_string_equal(s.name, "");
    assert_true(elf_symbol(e, 1, &s));
    assert_string_equal(s.name, "main");
    assert_int_equal(s.value, MH_ITCM_BASE + 8);
    assert_int_equal(s.size, 20);
    assert_true(s.function);
    assert_true(elf_symbol(e, 2, &s));
    assert_false(s.function);
    assert_false(elf_symbol(e, 3, &s));
    assert_false(elf_symbol(e, 0xffffffff, &s));
    elf_close(e);
}

/* Bytes come from where they run, and only those that are in the file. */
static void test_read(void **state)
{
    struct program p = good();
    uint8_t b[8] = {0};
    (void)state;
    memcpy(p.code + 60, "code", 4);
    memcpy(p.data, "data", 4);
    struct elf *e = open_bytes(&p, sizeof p, NULL);
    assert_true(elf_read(e, MH_ITCM_BASE + 60, b, 4));
    assert_memory_equal(b, "code", 4);
    assert_true(elf_read(e, MH_DTCM_BASE, b, 4));
    assert_memory_equal(b, "data", 4);
    assert_false(elf_read(e, MH_ITCM_BASE + 60, b, 5));
    assert_false(elf_read(e, MH_ITCM_BASE + 64, b, 1)); /* where .data loads */
    assert_false(elf_read(e, MH_DTCM_BASE + 16, b, 1)); /* .bss */
    assert_false(elf_read(e, MH_ITCM_BASE - 1, b, 1));
    assert_false(elf_read(e, 0xffffffff, b, 8));
    elf_close(e);
}

/* In memory, and where they are loaded from; in the file they may share bytes. */
static void test_overlap(void **state)
{
    struct program p = good();
    struct mh_error err;
    char part[128];
    (void)state;
    p.segment[2].p_vaddr -= 1;
    p.segment[2].p_paddr -= 1;
    snprintf(part, sizeof part, "segments 1 and 2 overlap in memory: 0x%x + 16 bytes and 0x%x + %u bytes", MH_DTCM_BASE,
             MH_DTCM_BASE + 15, MH_DTCM_BYTES - 16);
    refuse(&p, sizeof p, part);
    p = good();
    p.segment[2].p_vaddr = p.segment[0].p_vaddr + 8; /* inside of another */
    p.segment[2].p_memsz = 8;
    refuse(&p, sizeof p, "segments 0 and 2 overlap in memory");
    p = good();
    p.segment[1].p_paddr = MH_ITCM_BASE + 63;
    snprintf(part, sizeof part, "segments 0 and 1 are loaded over each other: 64 bytes at 0x%x and 16 bytes at 0x%x",
             MH_ITCM_BASE, MH_ITCM_BASE + 63);
    refuse(&p, sizeof p, part);
    p = good();
    p.segment[1].p_offset = p.segment[0].p_offset; /* the same bytes twice */
    struct elf *e = open_bytes(&p, sizeof p, &err);
    if (!e)
        fail_msg("%s", err.text);
    elf_close(e);
    p = good();
    p.segment[2] = p.segment[0];
    p.segment[2].p_type = PT_NOTE; /* is not loaded */
    e = open_bytes(&p, sizeof p, &err);
    if (!e)
        fail_msg("%s", err.text);
    elf_close(e);
}

static void test_names(void **state)
{
    struct program p = good();
    (void)state;
    memcpy(p.names + p.symbol[1].st_name, "m\x1b[m", 4);
    refuse(&p, sizeof p, "the name of symbol 1 has a control character (0x1b)");
}

static void hash_of(const struct program *p, char text[HASH_TEXT])
{
    struct mh_error err;
    struct elf *e = open_bytes(p, sizeof *p, &err);
    assert_non_null(e);
    elf_hash(e, text);
    elf_close(e);
}

static void test_hash(void **state)
{
    struct program p = good();
    char a[HASH_TEXT], b[HASH_TEXT];
    (void)state;
    hash_of(&p, a);
    assert_int_equal(strlen(a), 64);
    strcpy(p.names + 50, "debug"); /* not loaded: the same image */
    hash_of(&p, b);
    assert_string_equal(a, b);
    p.data[15] ^= 1;
    hash_of(&p, b);
    assert_string_not_equal(a, b);
    p = good();
    p.segment[2].p_memsz -= 4;
    hash_of(&p, b);
    assert_string_not_equal(a, b);
}

/* FIPS 180-4, the message "abc". */
static void test_sha256(void **state)
{
    char text[HASH_TEXT];
    (void)state;
    struct hash *h = hash_begin();
    hash_add(h, "a", 1);
    hash_add(h, "bc", 2);
    hash_end(h, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        struct program p = good();                                                                                     \
        change;                                                                                                        \
        refuse(&p, sizeof p, part);                                                                                    \
    } while (0)

static void test_wrong_kind(void **state)
{
    (void)state;
    REFUSE(p.head.e_ident[0] = 'M', "not an ELF file");
    REFUSE(p.head.e_ident[EI_CLASS] = ELFCLASS64, "not a 32-bit little-endian RISC-V program (class 64");
    REFUSE(p.head.e_machine = EM_ARM, "not a 32-bit little-endian RISC-V program");
    REFUSE(p.head.e_ident[EI_DATA] = ELFDATA2MSB, "not a 32-bit little-endian");
    REFUSE(p.head.e_type = ET_REL, "link it to an executable");
    REFUSE(p.head.e_flags |= EF_RISCV_FLOAT_ABI_SINGLE, "-mabi=ilp32");
    REFUSE(p.head.e_phnum = 0, "no program headers");
}

static void test_does_not_fit(void **state)
{
    (void)state;
    REFUSE(p.segment[0].p_memsz = MH_ITCM_BYTES + 1, "segment 0 does not fit");
    REFUSE(p.segment[2].p_memsz += 1, "segment 2 does not fit");
    REFUSE(p.segment[0].p_vaddr = 0x80000000, "segment 0 does not fit: 0x80000000");
    REFUSE(p.segment[1].p_paddr = MH_ITCM_BASE + MH_ITCM_BYTES - 8, "segment 1 does not fit");
    REFUSE(p.segment[2].p_vaddr = 0xffffff00, "segment 2 does not fit");
    REFUSE(p.segment[1].p_memsz = 8, "segment 1 is larger in the file");
    REFUSE(p.head.e_entry = MH_DTCM_BASE, "entry point 0x200000 is in no code segment");
    REFUSE(p.head.e_entry = 0, "entry point 0x0");
}

static void test_cut(void **state)
{
    struct program whole = good();
    (void)state;
    refuse(&whole, 0, "no ELF file");
    refuse(&whole, 10, "no ELF file");
    refuse(&whole, sizeof(Elf32_Ehdr), "program header 0 is beyond the end");
    refuse(&whole, AT(code) + 10, "segment 0 ends at offset");
    REFUSE(p.segment[1].p_offset = 0xfffffff0, "segment 1 ends at offset");
    REFUSE(p.head.e_phoff = 0xfffffff0, "program header 0 is beyond the end");
}

/* Sections only inform: bad ones are no reason to refuse, and no reason to crash. */
static void test_bad_sections(void **state)
{
    struct mh_error err;
    struct elf_symbol s;
    struct program p = good();
    (void)state;
    p.section[6].sh_offset = 0xfffffff0;
    p.section[7].sh_size = 0xffffffff;
    p.head.e_shstrndx = 99;
    struct elf *e = open_bytes(&p, sizeof p, &err);
    assert_non_null(e);
    assert_null(elf_function(e, MH_ITCM_BASE + 8));
    assert_false(elf_symbol(e, 0, &s));
    assert_int_equal(elf_sizes(e).code, 48);
    elf_close(e);
    p.head.e_shoff = 0xffffff00;
    e = open_bytes(&p, sizeof p, &err);
    assert_non_null(e);
    assert_int_equal(elf_sizes(e).code, 0);
    elf_close(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),         cmocka_unit_test(test_hash),         cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_wrong_kind),   cmocka_unit_test(test_does_not_fit), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_bad_sections), cmocka_unit_test(test_symbols),      cmocka_unit_test(test_read),
        cmocka_unit_test(test_overlap),      cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
