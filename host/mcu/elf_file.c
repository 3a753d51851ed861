#include "elf_file.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "elf_private.h"
#include "memhelm/registers.h"
#include "memhelm/text.h"

enum { SEGMENTS_MAX = 64 };

struct check {
    struct elf *e;
    const char *path;
    struct mh_error *err;
};

static bool in_memory(uint64_t start, uint64_t length)
{
    return elf_inside(MH_ITCM_BASE, MH_ITCM_BYTES, start, length) ||
           elf_inside(MH_DTCM_BASE, MH_DTCM_BYTES, start, length);
}

/* --- What kind of file it is. */

static int check_kind(const struct check *c)
{
    const Elf32_Ehdr *h = &c->e->head;
    const unsigned char *id = h->e_ident;
    if (memcmp(id, ELFMAG, SELFMAG))
        return mh_fail(c->err, "%s: not an ELF file; firmware images are built by `make`", c->path);
    if (id[EI_CLASS] != ELFCLASS32 || h->e_machine != EM_RISCV || id[EI_DATA] != ELFDATA2LSB)
        return mh_fail(c->err,
                       "%s: not a 32-bit little-endian RISC-V program (class %u, machine %u); "
                       "build it with -march=rv32imc -mabi=ilp32",
                       c->path, id[EI_CLASS] * 32u, h->e_machine);
    if (h->e_type != ET_EXEC)
        return mh_fail(c->err, "%s: an object or library (type %u); link it to an executable", c->path, h->e_type);
    if (h->e_flags & EF_RISCV_FLOAT_ABI)
        return mh_fail(c->err, "%s: hardware floating point; the core has none: build it with -mabi=ilp32", c->path);
    if (!h->e_phnum)
        return mh_fail(c->err, "%s: no program headers; link it with the memory layout in linker/", c->path);
    return 0;
}

/* Sizes of headers, by which their tables are read. */
static int check_headers(const struct check *c)
{
    const Elf32_Ehdr *h = &c->e->head;
    if (h->e_phentsize != sizeof(Elf32_Phdr) || h->e_phnum > SEGMENTS_MAX)
        return mh_fail(
            c->err,
            "%s: %u program headers of %u bytes at offset 0x%x; an image has up to %d of %zu bytes: the file "
            "is damaged",
            c->path, h->e_phnum, h->e_phentsize, h->e_phoff, SEGMENTS_MAX, sizeof(Elf32_Phdr));
    if (h->e_shnum && h->e_shentsize != sizeof(Elf32_Shdr))
        return mh_fail(c->err, "%s: section headers of %u bytes at offset 0x%x; they have %zu: the file is damaged",
                       c->path, h->e_shentsize, h->e_shoff, sizeof(Elf32_Shdr));
    if (h->e_shnum && (uint64_t)h->e_shoff + h->e_shnum * sizeof(Elf32_Shdr) > c->e->length)
        return mh_fail(c->err, "%s: %u section headers at offset 0x%x, but the file has %zu bytes: it is cut", c->path,
                       h->e_shnum, h->e_shoff, c->e->length);
    return 0;
}

/* --- Segments. */

static uint32_t segment_at(const struct check *c, unsigned i)
{
    return c->e->head.e_phoff + i * (uint32_t)sizeof(Elf32_Phdr);
}

static int check_segment(const struct check *c, unsigned i, const Elf32_Phdr *p)
{
    if (p->p_filesz && (uint64_t)p->p_offset + p->p_filesz > c->e->length)
        return mh_fail(c->err,
                       "%s: segment %u ends at offset %llu, but the file has %zu bytes: it is cut (its header is at "
                       "offset 0x%x)",
                       c->path, i, (unsigned long long)p->p_offset + p->p_filesz, c->e->length, segment_at(c, i));
    if (p->p_filesz > p->p_memsz)
        return mh_fail(c->err,
                       "%s: segment %u is larger in the file than in memory, %u and %u bytes (its header is at offset "
                       "0x%x)",
                       c->path, i, p->p_filesz, p->p_memsz, segment_at(c, i));
    if (p->p_memsz && (!in_memory(p->p_vaddr, p->p_memsz) || !in_memory(p->p_paddr, p->p_filesz)))
        return mh_fail(c->err,
                       "%s: segment %u does not fit: 0x%x + %u bytes, loaded at 0x%x; the core has code memory 0x%x + "
                       "%u and data memory 0x%x + %u",
                       c->path, i, p->p_vaddr, p->p_memsz, p->p_paddr, MH_ITCM_BASE, MH_ITCM_BYTES, MH_DTCM_BASE,
                       MH_DTCM_BYTES);
    return 0;
}

static bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a_bytes && b_bytes && a < b + b_bytes && b < a + a_bytes;
}

/* Which of two would win is nothing that a program should depend on. */
static int check_apart(const struct check *c, unsigned i, unsigned k)
{
    Elf32_Phdr a, b;
    if (!elf_segment(c->e, i, &a) || !elf_segment(c->e, k, &b) || b.p_type != PT_LOAD)
        return 0;
    if (overlap(a.p_vaddr, a.p_memsz, b.p_vaddr, b.p_memsz))
        return mh_fail(c->err,
                       "%s: segments %u and %u overlap in memory: 0x%x + %u bytes and 0x%x + %u bytes; mend the "
                       "linker script",
                       c->path, k, i, b.p_vaddr, b.p_memsz, a.p_vaddr, a.p_memsz);
    if (overlap(a.p_paddr, a.p_filesz, b.p_paddr, b.p_filesz))
        return mh_fail(c->err,
                       "%s: segments %u and %u are loaded over each other: %u bytes at 0x%x and %u bytes at 0x%x; mend "
                       "the linker script",
                       c->path, k, i, b.p_filesz, b.p_paddr, a.p_filesz, a.p_paddr);
    return 0;
}

static int check_entry(const struct check *c)
{
    uint32_t entry = c->e->head.e_entry;
    return elf_is_code(c->e, entry) ? 0
                                    : mh_fail(c->err, "%s: entry point 0x%x is in no code segment%s", c->path, entry,
                                              entry % 2 ? ": it is odd" : "");
}

static int check_segments(const struct check *c)
{
    Elf32_Phdr p;
    for (unsigned i = 0; i < c->e->head.e_phnum; i++) {
        if (!elf_segment(c->e, i, &p))
            return mh_fail(c->err, "%s: program header %u, at offset 0x%x, is beyond the end of the file: it is cut",
                           c->path, i, segment_at(c, i));
        if (p.p_type != PT_LOAD)
            continue;
        if (check_segment(c, i, &p))
            return -1;
        for (unsigned k = 0; k < i; k++)
            if (check_apart(c, i, k))
                return -1;
    }
    return check_entry(c);
}

/* --- Sections. */

static int damaged(const struct check *c, unsigned i, const char *what)
{
    return mh_fail(c->err, "%s: section %u %s (its header is at offset 0x%x): the file is damaged", c->path, i, what,
                   c->e->head.e_shoff + i * (uint32_t)sizeof(Elf32_Shdr));
}

static int check_section(const struct check *c, unsigned i, const Elf32_Shdr *s)
{
    bool has_bytes = s->sh_type != SHT_NULL && s->sh_type != SHT_NOBITS;
    if (has_bytes && (uint64_t)s->sh_offset + s->sh_size > c->e->length)
        return damaged(c, i, "ends beyond the end of the file");
    if (s->sh_flags & SHF_ALLOC && s->sh_size && !in_memory(s->sh_addr, s->sh_size))
        return damaged(c, i, "lies in no memory of the core");
    if (c->e->names.sh_size && s->sh_name >= c->e->names.sh_size)
        return damaged(c, i, "has its name outside of the names");
    return 0;
}

/* A table whose last byte is 0: each text in it ends. */
static int check_strings(const struct check *c, unsigned i, Elf32_Shdr *s)
{
    if (!elf_section(c->e, i, s) || s->sh_type != SHT_STRTAB)
        return mh_fail(c->err, "%s: names are in section %u, which is no string table: the file is damaged", c->path,
                       i);
    if (check_section(c, i, s))
        return -1;
    return s->sh_size && c->e->data[s->sh_offset + s->sh_size - 1] ? damaged(c, i, "does not end with a 0 byte") : 0;
}

/* Names are shown to people and written into files of lines. */
static int check_name(const struct check *c, uint32_t i, const char *name)
{
    const char *broken = mh_utf8_broken(name);
    for (const char *n = name; *n; n++)
        if ((unsigned char)*n < ' ' || *n == 0x7f)
            return mh_fail(c->err, "%s: the name of symbol %u has a control character (0x%02x): the file is damaged",
                           c->path, i, (unsigned)*n);
    return broken ? mh_fail(c->err, "%s: the name of symbol %u is not UTF-8 (0x%02x): the file is damaged", c->path, i,
                            (unsigned char)*broken)
                  : 0;
}

static int check_symbols(const struct check *c)
{
    const struct elf *e = c->e;
    for (uint32_t i = 0; i < elf_symbol_count(e); i++) {
        Elf32_Sym s = elf_raw_symbol(e, i);
        const char *what = s.st_name && s.st_name >= e->strings.sh_size                  ? "name"
                           : s.st_shndx >= e->head.e_shnum && s.st_shndx < SHN_LORESERVE ? "section"
                                                                                         : NULL;
        if (what)
            return mh_fail(c->err, "%s: symbol %u, at offset 0x%zx, has a %s that is not there: the file is damaged",
                           c->path, i, e->symbols.sh_offset + i * sizeof s, what);
        if (s.st_name && check_name(c, i, e->data + e->strings.sh_offset + s.st_name))
            return -1;
    }
    return 0;
}

static int check_table(const struct check *c, unsigned i, const Elf32_Shdr *s)
{
    if (s->sh_entsize != sizeof(Elf32_Sym) || s->sh_size % sizeof(Elf32_Sym))
        return damaged(c, i, "is a table of symbols of a wrong size");
    if (check_strings(c, s->sh_link, &c->e->strings))
        return -1;
    c->e->symbols = *s;
    return check_symbols(c);
}

/* Of several tables of symbols the first counts, here as in QEMU. */
static int check_sections(const struct check *c)
{
    Elf32_Shdr s;
    unsigned table = 0;
    if (c->e->head.e_shnum && c->e->head.e_shstrndx != SHN_UNDEF &&
        check_strings(c, c->e->head.e_shstrndx, &c->e->names))
        return -1;
    for (unsigned i = 0; elf_section(c->e, i, &s); i++) {
        if (check_section(c, i, &s))
            return -1;
        if (s.sh_type == SHT_SYMTAB && !table)
            table = i;
    }
    return table && elf_section(c->e, table, &s) ? check_table(c, table, &s) : 0;
}

/*
 * Everything that is read later lies in the file, and what QEMU's loader needs is there. `path` stands in errors, with
 * the offset of the header that is wrong. -1 and `err` otherwise.
 */
static int elf_check(struct elf *e, const char *path, struct mh_error *err)
{
    const struct check c = {e, path, err};
    if (!elf_fetch(e, 0, &e->head, sizeof e->head))
        return mh_fail(err, "%s: %zu bytes are no ELF file; firmware images are built by `make`", path, e->length);
    return check_kind(&c) || check_headers(&c) || check_segments(&c) || check_sections(&c) ? -1 : 0;
}

struct elf *elf_parse(const char *path, char *data, size_t length, struct mh_error *err)
{
    struct elf *e = must_have(1, sizeof *e);
    e->data = data;
    e->length = length;
    if (!elf_check(e, path, err))
        return e;
    elf_close(e);
    return NULL;
}

struct elf *elf_open(const char *path, struct mh_error *err)
{
    struct stat st;
    size_t length;
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
        (void)mh_fail(err, "%s: a %s, not a file; QEMU reads an image once more", path,
                      S_ISDIR(st.st_mode) ? "directory" : "pipe or device");
        return NULL;
    }
    char *data = read_file(path, &length, err);
    return data ? elf_parse(path, data, length, err) : NULL;
}

void elf_close(struct elf *e)
{
    free(e->data);
    free(e);
}

static void count_section(const struct elf *e, const Elf32_Shdr *s, struct elf_sizes *sizes)
{
    const char *name = e->names.sh_size ? e->data + e->names.sh_offset + s->sh_name : "";
    if (!(s->sh_flags & SHF_ALLOC))
        return;
    if (!strcmp(name, ".stack"))
        sizes->stack += s->sh_size;
    else if (s->sh_flags & SHF_EXECINSTR)
        sizes->code += s->sh_size;
    else if (s->sh_type == SHT_NOBITS)
        sizes->bss += s->sh_size;
    else if (s->sh_flags & SHF_WRITE)
        sizes->data += s->sh_size;
    else
        sizes->rodata += s->sh_size;
}

struct elf_sizes elf_sizes(const struct elf *e)
{
    struct elf_sizes sizes = {0};
    Elf32_Shdr s;
    for (unsigned i = 0; elf_section(e, i, &s); i++)
        count_section(e, &s, &sizes);
    return sizes;
}

void elf_hash(const struct elf *e, char text[HASH_TEXT])
{
    struct hash *h = hash_begin();
    Elf32_Phdr p;
    hash_add(h, &e->head.e_entry, sizeof e->head.e_entry);
    for (unsigned i = 0; elf_segment(e, i, &p); i++) {
        if (p.p_type != PT_LOAD)
            continue;
        uint32_t place[] = {p.p_vaddr, p.p_paddr, p.p_filesz, p.p_memsz, p.p_flags};
        hash_add(h, place, sizeof place);
        if (p.p_filesz)
            hash_add(h, e->data + p.p_offset, p.p_filesz);
    }
    hash_end(h, text);
}

const char *elf_function(const struct elf *e, uint32_t pc)
{
    struct elf_symbol s;
    for (uint32_t i = 0; elf_symbol(e, i, &s); i++)
        if (s.function && pc >= s.value && pc - s.value < s.size)
            return s.name;
    return NULL;
}

bool elf_symbol(const struct elf *e, uint32_t i, struct elf_symbol *out)
{
    if (i >= elf_symbol_count(e))
        return false;
    Elf32_Sym s = elf_raw_symbol(e, i);
    *out = (struct elf_symbol){.name = s.st_name ? e->data + e->strings.sh_offset + s.st_name : "",
                               .value = s.st_value,
                               .size = s.st_size,
                               .function = ELF32_ST_TYPE(s.st_info) == STT_FUNC};
    return true;
}

/* The segment that loads `size` bytes to `address`; false: none does. */
static bool segment_of(const struct elf *e, uint32_t address, size_t size, Elf32_Phdr *p)
{
    for (unsigned i = 0; elf_segment(e, i, p); i++)
        if (p->p_type == PT_LOAD && elf_inside(p->p_vaddr, p->p_filesz, address, size))
            return true;
    return false;
}

bool elf_read(const struct elf *e, uint32_t address, void *out, size_t size)
{
    Elf32_Phdr p;
    return segment_of(e, address, size, &p) && elf_fetch(e, p.p_offset + (uint64_t)(address - p.p_vaddr), out, size);
}

bool elf_address(const struct elf *e, const char *name, uint32_t *address)
{
    struct elf_symbol s;
    for (uint32_t i = 0; elf_symbol(e, i, &s); i++)
        if (!strcmp(s.name, name)) {
            *address = s.value;
            return true;
        }
    return false;
}

const char *elf_bytes(const struct elf *e, size_t *length)
{
    *length = e->length;
    return e->data;
}

bool elf_set_word(struct elf *e, uint32_t address, uint32_t word)
{
    const uint8_t bytes[] = {word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24};
    Elf32_Phdr p;
    if (!segment_of(e, address, sizeof bytes, &p) ||
        (uint64_t)p.p_offset + (address - p.p_vaddr) + sizeof bytes > e->length)
        return false;
    memcpy(e->data + p.p_offset + (address - p.p_vaddr), bytes, sizeof bytes);
    return true;
}

bool elf_is_code(const struct elf *e, uint32_t address)
{
    Elf32_Phdr p;
    return address % 2 == 0 && segment_of(e, address, 2, &p) && p.p_flags & PF_X;
}
