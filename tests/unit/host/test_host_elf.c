/* Firmware files: good ones measured and hashed, bad ones refused before boot with the reason. */
#include "unit/test.h"

#include <unistd.h>

#include "mcu/elf_file.h"
#include "unit/elf_by_hand.h"

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

static void refuse(const struct elf_by_hand *p, size_t length, const char *part)
{
    struct mh_error err;
    if (open_bytes(p, length, &err))
        fail_msg("accepted, but should say: %s", part);
    assert_has(err.text, part);
}

TEST(test_good)
{
    struct elf_by_hand p = elf_by_hand();
    struct mh_error err;

    struct elf *e = open_bytes(&p, sizeof p, &err);
    assert_good(e, err);
    struct elf_sizes s = elf_sizes(e);
    assert_int_equal(s.code, TEXT_BYTES);
    assert_int_equal(s.rodata, RODATA_BYTES);
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

TEST(test_symbols)
{
    struct elf_by_hand p = elf_by_hand();
    struct elf_symbol s;

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
    assert_true(elf_symbol(e, PROGRAM_SYMBOLS - 1, &s)); /* empty */
    assert_false(elf_symbol(e, PROGRAM_SYMBOLS, &s));
    assert_false(elf_symbol(e, 0xffffffff, &s));
    elf_close(e);
}

/* Bytes come from where they run, and only those that are in the file. */
TEST(test_read)
{
    struct elf_by_hand p = elf_by_hand();
    uint8_t b[8] = {0};

    memcpy(&p.rodata[RODATA_BYTES / 4 - 1], "code", 4);
    memcpy(p.data, "data", 4);
    struct elf *e = open_bytes(&p, sizeof p, NULL);
    assert_true(elf_read(e, MH_ITCM_BASE + CODE_BYTES - 4, b, 4));
    assert_memory_equal(b, "code", 4);
    assert_true(elf_read(e, MH_DTCM_BASE, b, 4));
    assert_memory_equal(b, "data", 4);
    assert_false(elf_read(e, MH_ITCM_BASE + CODE_BYTES - 4, b, 5));
    assert_false(elf_read(e, MH_ITCM_BASE + CODE_BYTES, b, 1)); /* where .data loads */
    assert_false(elf_read(e, MH_DTCM_BASE + 16, b, 1));         /* .bss */
    assert_false(elf_read(e, MH_ITCM_BASE - 1, b, 1));
    assert_false(elf_read(e, 0xffffffff, b, 8));
    elf_close(e);
}

/* In memory, and where they are loaded from; in the file they may share bytes. */
TEST(test_overlap)
{
    struct elf_by_hand p = elf_by_hand();
    struct mh_error err;
    char part[128];

    p.segment[2].p_vaddr -= 1;
    p.segment[2].p_paddr -= 1;
    snprintf(part, sizeof part, "segments 1 and 2 overlap in memory: 0x%x + 16 bytes and 0x%x + %u bytes", MH_DTCM_BASE,
             MH_DTCM_BASE + 15, MH_DTCM_BYTES - 16);
    refuse(&p, sizeof p, part);
    p = elf_by_hand();
    p.segment[2].p_vaddr = p.segment[0].p_vaddr + 8; /* inside of another */
    p.segment[2].p_memsz = 8;
    refuse(&p, sizeof p, "segments 0 and 2 overlap in memory");
    p = elf_by_hand();
    p.segment[1].p_paddr = MH_ITCM_BASE + CODE_BYTES - 1;
    snprintf(part, sizeof part, "segments 0 and 1 are loaded over each other: %d bytes at 0x%x and 16 bytes at 0x%x",
             (int)CODE_BYTES, MH_ITCM_BASE, MH_ITCM_BASE + CODE_BYTES - 1);
    refuse(&p, sizeof p, part);
    p = elf_by_hand();
    p.segment[1].p_offset = p.segment[0].p_offset; /* the same bytes twice */
    struct elf *e = open_bytes(&p, sizeof p, &err);
    assert_good(e, err);
    elf_close(e);
    p = elf_by_hand();
    p.segment[2] = p.segment[0];
    p.segment[2].p_type = PT_NOTE; /* is not loaded */
    e = open_bytes(&p, sizeof p, &err);
    assert_good(e, err);
    elf_close(e);
}

TEST(test_names)
{
    struct elf_by_hand p = elf_by_hand();

    memcpy(p.names + p.symbol[1].st_name, "m\x1b[m", 4);
    refuse(&p, sizeof p, "the name of symbol 1 has a control character (0x1b)");
}

static void hash_of(const struct elf_by_hand *p, char text[HASH_TEXT])
{
    struct mh_error err;
    struct elf *e = open_bytes(p, sizeof *p, &err);
    assert_non_null(e);
    elf_hash(e, text);
    elf_close(e);
}

TEST(test_hash)
{
    struct elf_by_hand p = elf_by_hand();
    char a[HASH_TEXT], b[HASH_TEXT];

    hash_of(&p, a);
    assert_int_equal(strlen(a), 64);
    strcpy(p.names + 100, "debug"); /* not loaded: the same image */
    hash_of(&p, b);
    assert_string_equal(a, b);
    p.data[15] ^= 1;
    hash_of(&p, b);
    assert_string_not_equal(a, b);
    p = elf_by_hand();
    p.segment[2].p_memsz -= 4;
    hash_of(&p, b);
    assert_string_not_equal(a, b);
}

/* FIPS 180-4, the message "abc". */
TEST(test_sha256)
{
    char text[HASH_TEXT];

    struct hash *h = hash_begin();
    hash_add(h, "a", 1);
    hash_add(h, "bc", 2);
    hash_end(h, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#define REFUSE(change, part)                                                                                           \
    do {                                                                                                               \
        struct elf_by_hand p = elf_by_hand();                                                                          \
        change;                                                                                                        \
        refuse(&p, sizeof p, part);                                                                                    \
    } while (0)

TEST(test_wrong_kind)
{
    REFUSE(p.head.e_ident[0] = 'M', "not an ELF file");
    REFUSE(p.head.e_ident[EI_CLASS] = ELFCLASS64, "not a 32-bit little-endian RISC-V program (class 64");
    REFUSE(p.head.e_machine = EM_ARM, "not a 32-bit little-endian RISC-V program");
    REFUSE(p.head.e_ident[EI_DATA] = ELFDATA2MSB, "not a 32-bit little-endian");
    REFUSE(p.head.e_type = ET_REL, "link it to an executable");
    REFUSE(p.head.e_flags |= EF_RISCV_FLOAT_ABI_SINGLE, "-mabi=ilp32");
    REFUSE(p.head.e_phnum = 0, "no program headers");
}

TEST(test_does_not_fit)
{
    REFUSE(p.segment[0].p_memsz = MH_ITCM_BYTES + 1, "segment 0 does not fit");
    REFUSE(p.segment[2].p_memsz += 1, "segment 2 does not fit");
    REFUSE(p.segment[0].p_vaddr = 0x80000000, "segment 0 does not fit: 0x80000000");
    REFUSE(p.segment[1].p_paddr = MH_ITCM_BASE + MH_ITCM_BYTES - 8, "segment 1 does not fit");
    REFUSE(p.segment[2].p_vaddr = 0xffffff00, "segment 2 does not fit");
    REFUSE(p.segment[1].p_memsz = 8, "segment 1 is larger in the file");
    REFUSE(p.head.e_entry = MH_DTCM_BASE, "entry point 0x200000 is in no code segment");
    REFUSE(p.head.e_entry = 0, "entry point 0x0");
    REFUSE(p.head.e_entry = MH_ITCM_BASE + 1, "entry point 0x100001 is in no code segment: it is odd");
}

TEST(test_cut)
{
    struct elf_by_hand whole = elf_by_hand();

    refuse(&whole, 0, "no ELF file");
    refuse(&whole, 10, "no ELF file");
    whole.head.e_shnum = 0;
    refuse(&whole, sizeof(Elf32_Ehdr), "program header 0, at offset 0x34, is beyond the end");
    refuse(&whole, AT(text) + 10, "segment 0 ends at offset");
    REFUSE(p.segment[1].p_offset = 0xfffffff0, "segment 1 ends at offset");
    REFUSE(p.head.e_phoff = 0xfffffff0, "program header 0, at offset 0xfffffff0, is beyond the end");
}

/* Sections and symbols are read after this: what is not in the file is refused, with the header's place. */
TEST(test_bad_sections)
{
    char place[64];

    snprintf(place, sizeof place, "(its header is at offset 0x%zx)", AT(section[6]));
    REFUSE(p.section[6].sh_offset = 0xfffffff0, place);
    REFUSE(p.section[6].sh_offset = 0xfffffff0, "section 6 ends beyond the end of the file");
    REFUSE(p.section[7].sh_size = 0xffffffff, "section 7 ends beyond the end of the file");
    REFUSE(p.section[3].sh_offset = 0xffffffff, "section 3 ends beyond the end of the file");
    REFUSE(p.section[4].sh_size = 0xffffffff, "section 4 lies in no memory of the core");
    REFUSE(p.section[4].sh_addr = 0, "section 4 lies in no memory of the core");
    REFUSE(p.section[2].sh_name = sizeof p.names, "section 2 has its name outside of the names");
    REFUSE(p.head.e_shstrndx = 99, "names are in section 99, which is no string table");
    REFUSE(p.head.e_shstrndx = 3, "names are in section 3, which is no string table");
    REFUSE(p.names[sizeof p.names - 1] = 'x', "section 7 does not end with a 0 byte");
    REFUSE(p.head.e_shoff = 0xffffff00, "section headers at offset 0xffffff00, but the file has");
    REFUSE(p.head.e_shnum = 0xffff, "65535 section headers at offset");
    REFUSE(p.head.e_shentsize = 64, "section headers of 64 bytes");
    REFUSE(p.head.e_shentsize = 0, "section headers of 0 bytes");
    REFUSE(p.head.e_phentsize = 0, "3 program headers of 0 bytes");
    REFUSE(p.head.e_phentsize = 56, "3 program headers of 56 bytes");
    REFUSE(p.head.e_phnum = 0xffff, "65535 program headers of 32 bytes");
}

TEST(test_bad_symbols)
{
    char place[64];

    snprintf(place, sizeof place, "symbol 1, at offset 0x%zx, has a name that is not there", AT(symbol[1]));
    REFUSE(p.symbol[1].st_name = sizeof p.names, place);
    REFUSE(p.symbol[1].st_name = 0xffffffff, place);
    REFUSE(p.symbol[2].st_shndx = 8, "has a section that is not there");
    REFUSE(p.section[6].sh_link = 8, "names are in section 8, which is no string table");
    REFUSE(p.section[6].sh_link = 6, "names are in section 6, which is no string table");
    REFUSE(p.section[6].sh_entsize = 0, "section 6 is a table of symbols of a wrong size");
    REFUSE(p.section[6].sh_size -= 1, "section 6 is a table of symbols of a wrong size");
    REFUSE(p.names[p.symbol[1].st_name] = '\xff', "the name of symbol 1 is not UTF-8 (0xff)");
}

static void accept(const struct elf_by_hand *p)
{
    struct mh_error err;
    char text[HASH_TEXT];
    struct elf *e = open_bytes(p, sizeof *p, &err);
    assert_good(e, err);
    elf_hash(e, text);
    elf_close(e);
}

/* What a file may do without, and what is odd but no damage. */
TEST(test_sparse)
{
    struct elf_by_hand p = elf_by_hand();
    struct elf_symbol s;
    struct mh_error err;

    p.head.e_shnum = p.head.e_shentsize = p.head.e_shstrndx = 0; /* stripped of all sections */
    struct elf *e = open_bytes(&p, sizeof p, &err);
    assert_non_null(e);
    assert_false(elf_symbol(e, 0, &s));
    assert_null(elf_function(e, MH_ITCM_BASE + 8));
    assert_int_equal(elf_sizes(e).code, 0);
    elf_close(e);
    p = elf_by_hand();
    p.head.e_shstrndx = SHN_UNDEF; /* sections without names */
    p.section[2].sh_name = 1000;
    accept(&p);
    p = elf_by_hand();
    p.segment[2].p_offset = 0xffffffff; /* .bss takes nothing from the file */
    accept(&p);
    p = elf_by_hand();
    p.segment[2].p_memsz = 0; /* nothing at all, in the middle of another */
    p.segment[2].p_vaddr = p.segment[2].p_paddr = MH_ITCM_BASE + 8;
    accept(&p);
    p = elf_by_hand();
    p.symbol[2].st_shndx = SHN_ABS;
    p.symbol[1].st_value = 0xfffffff0; /* a function where no code is */
    p.symbol[1].st_size = 0xffffffff;
    accept(&p);
}

/* What has no bytes in memory has none in the file: they would be hashed, and never loaded. */
TEST(test_file_only)
{
    REFUSE((p.segment[2].p_memsz = 0, p.segment[2].p_filesz = 0x7fffffff), "segment 2 ends at offset 2147483647");
    REFUSE((p.segment[2].p_memsz = 0, p.segment[2].p_filesz = 4), "segment 2 is larger in the file than in memory");
    REFUSE((p.segment[2].p_memsz = 0, p.segment[2].p_filesz = 16, p.segment[2].p_offset = 0xfffffff0),
           "segment 2 ends at offset 4294967296");
}

TEST(test_no_file)
{
    struct mh_error err;

    assert_null(elf_open("/", &err));
    assert_string_equal(err.text, "/: a directory, not a file; QEMU reads an image once more");
    assert_null(elf_open("/dev/zero", &err));
    assert_string_equal(err.text, "/dev/zero: a pipe or device, not a file; QEMU reads an image once more");
}

TEST(test_code)
{
    struct elf_by_hand p = elf_by_hand();

    struct elf *e = open_bytes(&p, sizeof p, NULL);
    assert_true(elf_is_code(e, MH_ITCM_BASE) && elf_is_code(e, MH_ITCM_BASE + CODE_BYTES - 2));
    assert_false(elf_is_code(e, MH_ITCM_BASE + 1) || elf_is_code(e, MH_ITCM_BASE + CODE_BYTES));
    assert_false(elf_is_code(e, MH_DTCM_BASE) || elf_is_code(e, 0) || elf_is_code(e, 0xfffffffe));
    elf_close(e);
}
