#include "elf_file.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "memhelm/registers.h"

struct elf {
    char *data;
    size_t length;
    const char *path;
    Elf32_Ehdr head;
};

/* Copies `size` bytes at `offset`; the file may be cut or lie about its offsets. */
static bool fetch(const struct elf *e, uint64_t offset, void *out, size_t size)
{
    if (offset > e->length || size > e->length - offset)
        return false;
    memcpy(out, e->data + offset, size);
    return true;
}

static bool segment(const struct elf *e, unsigned i, Elf32_Phdr *p)
{
    return fetch(e, e->head.e_phoff + (uint64_t)i * sizeof *p, p, sizeof *p);
}

static bool section(const struct elf *e, unsigned i, Elf32_Shdr *s)
{
    return i < e->head.e_shnum && fetch(e, e->head.e_shoff + (uint64_t)i * sizeof *s, s, sizeof *s);
}

/* Text at `offset` in string section `index`; NULL unless it ends inside the section. */
static const char *string_at(const struct elf *e, unsigned index, uint32_t offset)
{
    Elf32_Shdr s;
    if (!section(e, index, &s) || s.sh_type != SHT_STRTAB || offset >= s.sh_size || s.sh_offset > e->length ||
        s.sh_size > e->length - s.sh_offset)
        return NULL;
    const char *text = e->data + s.sh_offset + offset;
    return memchr(text, 0, s.sh_size - offset) ? text : NULL;
}

static bool inside(uint64_t base, uint64_t bytes, uint64_t start, uint64_t length)
{
    return start >= base && start + length <= base + bytes;
}

static bool in_memory(uint64_t start, uint64_t length)
{
    return inside(MH_ITCM_BASE, MH_ITCM_BYTES, start, length) || inside(MH_DTCM_BASE, MH_DTCM_BYTES, start, length);
}

static int check_head(const struct elf *e, struct mh_error *err)
{
    const unsigned char *id = e->head.e_ident;
    if (memcmp(id, ELFMAG, SELFMAG))
        return mh_fail(err, "%s: not an ELF file; firmware images are built by `make`", e->path);
    if (id[EI_CLASS] != ELFCLASS32 || e->head.e_machine != EM_RISCV || id[EI_DATA] != ELFDATA2LSB)
        return mh_fail(err,
                       "%s: not a 32-bit little-endian RISC-V program (class %u, machine %u); "
                       "build it with -march=rv32imc -mabi=ilp32",
                       e->path, id[EI_CLASS] * 32u, e->head.e_machine);
    if (e->head.e_type != ET_EXEC)
        return mh_fail(err, "%s: an object or library (type %u); link it to an executable", e->path, e->head.e_type);
    if (e->head.e_flags & EF_RISCV_FLOAT_ABI)
        return mh_fail(err, "%s: hardware floating point; the core has none: build it with -mabi=ilp32", e->path);
    if (e->head.e_phentsize != sizeof(Elf32_Phdr) || !e->head.e_phnum)
        return mh_fail(err, "%s: no program headers; link it with the memory layout in linker/", e->path);
    return 0;
}

static int check_segment(const struct elf *e, unsigned i, const Elf32_Phdr *p, struct mh_error *err)
{
    if (p->p_offset > e->length || p->p_filesz > e->length - p->p_offset)
        return mh_fail(err, "%s: segment %u ends at offset %llu, but the file has %zu bytes: it is cut", e->path, i,
                       (unsigned long long)p->p_offset + p->p_filesz, e->length);
    if (p->p_filesz > p->p_memsz)
        return mh_fail(err, "%s: segment %u is larger in the file than in memory", e->path, i);
    if (!in_memory(p->p_vaddr, p->p_memsz) || !in_memory(p->p_paddr, p->p_filesz))
        return mh_fail(err,
                       "%s: segment %u does not fit: 0x%x + %u bytes, loaded at 0x%x; the core has code memory 0x%x + "
                       "%u and data memory 0x%x + %u",
                       e->path, i, p->p_vaddr, p->p_memsz, p->p_paddr, MH_ITCM_BASE, MH_ITCM_BYTES, MH_DTCM_BASE,
                       MH_DTCM_BYTES);
    return 0;
}

static bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return a < b + b_bytes && b < a + a_bytes;
}

/* Which of two would win is nothing that a program should depend on. */
static int check_apart(const struct elf *e, unsigned i, unsigned k, struct mh_error *err)
{
    Elf32_Phdr a, b;
    if (!segment(e, i, &a) || !segment(e, k, &b) || b.p_type != PT_LOAD)
        return 0;
    if (overlap(a.p_vaddr, a.p_memsz, b.p_vaddr, b.p_memsz))
        return mh_fail(err,
                       "%s: segments %u and %u overlap in memory: 0x%x + %u bytes and 0x%x + %u bytes; mend the "
                       "linker script",
                       e->path, k, i, b.p_vaddr, b.p_memsz, a.p_vaddr, a.p_memsz);
    if (overlap(a.p_paddr, a.p_filesz, b.p_paddr, b.p_filesz))
        return mh_fail(err,
                       "%s: segments %u and %u are loaded over each other: %u bytes at 0x%x and %u bytes at 0x%x; mend "
                       "the linker script",
                       e->path, k, i, b.p_filesz, b.p_paddr, a.p_filesz, a.p_paddr);
    return 0;
}

static int check_segments(const struct elf *e, struct mh_error *err)
{
    Elf32_Phdr p;
    bool entry = false;
    for (unsigned i = 0; i < e->head.e_phnum; i++) {
        if (!segment(e, i, &p))
            return mh_fail(err, "%s: program header %u is beyond the end of the file: it is cut", e->path, i);
        if (p.p_type != PT_LOAD || !p.p_memsz)
            continue;
        if (check_segment(e, i, &p, err))
            return -1;
        for (unsigned k = 0; k < i; k++)
            if (check_apart(e, i, k, err))
                return -1;
        entry |= (p.p_flags & PF_X) && inside(p.p_vaddr, p.p_filesz, e->head.e_entry, 2);
    }
    return entry ? 0 : mh_fail(err, "%s: entry point 0x%x is in no code segment", e->path, e->head.e_entry);
}

/* Names are shown to people and written into files of lines. */
static int check_names(const struct elf *e, struct mh_error *err)
{
    struct elf_symbol symbol;
    for (uint32_t i = 0; elf_symbol(e, i, &symbol); i++)
        for (const char *c = symbol.name; *c; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                return mh_fail(err, "%s: the name of symbol %u has a control character (0x%02x): the file is damaged",
                               e->path, i, (unsigned)*c);
    return 0;
}

struct elf *elf_open(const char *path, struct mh_error *err)
{
    struct elf *e = calloc(1, sizeof *e);
    if (!e) {
        (void)mh_fail(err, "%s: out of memory", path);
        return NULL;
    }
    e->path = path;
    e->data = read_file(path, &e->length, err);
    bool good = e->data != NULL;
    if (good && !fetch(e, 0, &e->head, sizeof e->head)) {
        (void)mh_fail(err, "%s: %zu bytes are no ELF file; firmware images are built by `make`", path, e->length);
        good = false;
    }
    if (!good || check_head(e, err) || check_segments(e, err) || check_names(e, err)) {
        elf_close(e);
        return NULL;
    }
    e->path = NULL;
    return e;
}

void elf_close(struct elf *e)
{
    free(e->data);
    free(e);
}

static void count_section(const struct elf *e, const Elf32_Shdr *s, struct elf_sizes *sizes)
{
    const char *name = string_at(e, e->head.e_shstrndx, s->sh_name);
    if (!(s->sh_flags & SHF_ALLOC))
        return;
    if (name && !strcmp(name, ".stack"))
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
    for (unsigned i = 0; section(e, i, &s); i++)
        count_section(e, &s, &sizes);
    return sizes;
}

void elf_hash(const struct elf *e, char text[HASH_TEXT])
{
    struct hash *h = hash_begin();
    Elf32_Phdr p;
    hash_add(h, &e->head.e_entry, sizeof e->head.e_entry);
    for (unsigned i = 0; i < e->head.e_phnum && segment(e, i, &p); i++) {
        if (p.p_type != PT_LOAD)
            continue;
        uint32_t place[] = {p.p_vaddr, p.p_paddr, p.p_filesz, p.p_memsz, p.p_flags};
        hash_add(h, place, sizeof place);
        hash_add(h, e->data + p.p_offset, p.p_filesz);
    }
    hash_end(h, text);
}

static const char *function_in(const struct elf *e, const Elf32_Shdr *table, uint32_t pc)
{
    Elf32_Sym sym;
    for (uint32_t i = 0; i < table->sh_size / sizeof sym; i++) {
        if (!fetch(e, table->sh_offset + (uint64_t)i * sizeof sym, &sym, sizeof sym))
            return NULL;
        if (ELF32_ST_TYPE(sym.st_info) == STT_FUNC && pc >= sym.st_value && pc - sym.st_value < sym.st_size)
            return string_at(e, table->sh_link, sym.st_name);
    }
    return NULL;
}

const char *elf_function(const struct elf *e, uint32_t pc)
{
    Elf32_Shdr s;
    for (unsigned i = 0; section(e, i, &s); i++)
        if (s.sh_type == SHT_SYMTAB)
            return function_in(e, &s, pc);
    return NULL;
}

bool elf_symbol(const struct elf *e, uint32_t i, struct elf_symbol *out)
{
    Elf32_Shdr s;
    Elf32_Sym sym;
    unsigned table = 0;
    while (section(e, table, &s) && s.sh_type != SHT_SYMTAB)
        table++;
    if (!section(e, table, &s) || i >= s.sh_size / sizeof sym ||
        !fetch(e, s.sh_offset + (uint64_t)i * sizeof sym, &sym, sizeof sym))
        return false;
    const char *name = string_at(e, s.sh_link, sym.st_name);
    *out = (struct elf_symbol){.name = name ? name : "",
                               .value = sym.st_value,
                               .size = sym.st_size,
                               .function = ELF32_ST_TYPE(sym.st_info) == STT_FUNC};
    return true;
}

bool elf_read(const struct elf *e, uint32_t address, void *out, size_t size)
{
    Elf32_Phdr p;
    for (unsigned i = 0; i < e->head.e_phnum && segment(e, i, &p); i++)
        if (p.p_type == PT_LOAD && inside(p.p_vaddr, p.p_filesz, address, size))
            return fetch(e, p.p_offset + (uint64_t)(address - p.p_vaddr), out, size);
    return false;
}
