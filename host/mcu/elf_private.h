/* An ELF in memory. Offsets and sizes are the file's own until elf_check() has found them good. */
#ifndef HOST_MCU_ELF_PRIVATE_H
#define HOST_MCU_ELF_PRIVATE_H

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "elf_file.h"

struct elf {
    char *data;
    size_t length;
    Elf32_Ehdr head;
    /* Set by elf_check(); all zero where the file has none. */
    Elf32_Shdr symbols, strings; /* of symbols' names */
    Elf32_Shdr names;            /* of sections */
};

/** Copies `size` bytes at `offset`; false where the file ends before. */
static inline bool elf_fetch(const struct elf *e, uint64_t offset, void *out, size_t size)
{
    if (offset > e->length || size > e->length - offset)
        return false;
    memcpy(out, e->data + offset, size);
    return true;
}

static inline bool elf_segment(const struct elf *e, unsigned i, Elf32_Phdr *p)
{
    return i < e->head.e_phnum && elf_fetch(e, e->head.e_phoff + (uint64_t)i * sizeof *p, p, sizeof *p);
}

static inline bool elf_section(const struct elf *e, unsigned i, Elf32_Shdr *s)
{
    return i < e->head.e_shnum && elf_fetch(e, e->head.e_shoff + (uint64_t)i * sizeof *s, s, sizeof *s);
}

/** Is [start, start + length) inside [base, base + bytes)? */
static inline bool elf_inside(uint64_t base, uint64_t bytes, uint64_t start, uint64_t length)
{
    return start >= base && start + length <= base + bytes;
}

/** A symbol of a table that was checked. */
static inline Elf32_Sym elf_raw_symbol(const struct elf *e, uint32_t i)
{
    Elf32_Sym s = {0};
    (void)elf_fetch(e, e->symbols.sh_offset + (uint64_t)i * sizeof s, &s, sizeof s);
    return s;
}

static inline uint32_t elf_symbol_count(const struct elf *e)
{
    return e->symbols.sh_size / (uint32_t)sizeof(Elf32_Sym);
}

#endif
