/* A firmware file by hand, for tests: change what you like in elf_by_hand(), then open its bytes. */
#ifndef TESTS_UNIT_ELF_BY_HAND_H
#define TESTS_UNIT_ELF_BY_HAND_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "memhelm/registers.h"

enum { TEXT_BYTES = 128, RODATA_BYTES = 64, CODE_BYTES = TEXT_BYTES + RODATA_BYTES, PROGRAM_SYMBOLS = 9 };

/** The smallest program with everything that is looked at. Code is the text and what is only read. */
struct elf_by_hand {
    Elf32_Ehdr head;
    Elf32_Phdr segment[3]; /* code, data, bss + stack */
    Elf32_Shdr section[8];
    Elf32_Sym symbol[PROGRAM_SYMBOLS];
    uint32_t text[TEXT_BYTES / 4], rodata[RODATA_BYTES / 4];
    uint8_t data[16];
    char names[160];
};

#define AT(member) offsetof(struct elf_by_hand, member)

static inline uint32_t elf_by_hand_name(struct elf_by_hand *p, const char *name)
{
    size_t at = 1;
    while (p->names[at])
        at += strlen(p->names + at) + 1;
    strcpy(p->names + at, name);
    return (uint32_t)at;
}

static inline void elf_by_hand_section(struct elf_by_hand *p, unsigned i, const char *name, uint32_t type,
                                       uint32_t flags, uint32_t offset, uint32_t size)
{
    p->section[i] = (Elf32_Shdr){
        .sh_name = elf_by_hand_name(p, name), .sh_type = type, .sh_flags = flags, .sh_offset = offset, .sh_size = size};
}

static inline void elf_by_hand_sections(struct elf_by_hand *p)
{
    elf_by_hand_section(p, 1, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, AT(text), TEXT_BYTES);
    elf_by_hand_section(p, 2, ".rodata", SHT_PROGBITS, SHF_ALLOC, AT(rodata), RODATA_BYTES);
    elf_by_hand_section(p, 3, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, AT(data), 16);
    elf_by_hand_section(p, 4, ".bss", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, 200);
    elf_by_hand_section(p, 5, ".stack", SHT_NOBITS, SHF_ALLOC | SHF_WRITE, 0, 1024);
    elf_by_hand_section(p, 6, ".symtab", SHT_SYMTAB, 0, AT(symbol), sizeof p->symbol);
    elf_by_hand_section(p, 7, ".strtab", SHT_STRTAB, 0, AT(names), sizeof p->names);
    for (unsigned i = 1; i <= 5; i++) /* not where they are: that they are in a memory of the core */
        p->section[i].sh_addr = MH_DTCM_BASE;
    p->section[6].sh_link = 7;
    p->section[6].sh_entsize = sizeof(Elf32_Sym);
}

static inline void elf_by_hand_segments(struct elf_by_hand *p)
{
    p->segment[0] = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_X,
                                 .p_offset = AT(text),
                                 .p_vaddr = MH_ITCM_BASE,
                                 .p_paddr = MH_ITCM_BASE,
                                 .p_filesz = CODE_BYTES,
                                 .p_memsz = CODE_BYTES};
    p->segment[1] = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_W,
                                 .p_offset = AT(data),
                                 .p_vaddr = MH_DTCM_BASE,
                                 .p_paddr = MH_ITCM_BASE + CODE_BYTES,
                                 .p_filesz = 16,
                                 .p_memsz = 16};
    p->segment[2] = (Elf32_Phdr){.p_type = PT_LOAD,
                                 .p_flags = PF_R | PF_W,
                                 .p_vaddr = MH_DTCM_BASE + 16,
                                 .p_paddr = MH_DTCM_BASE + 16,
                                 .p_memsz = MH_DTCM_BYTES - 16};
}

static inline Elf32_Sym elf_by_hand_symbol(struct elf_by_hand *p, const char *name, unsigned char type, uint32_t value,
                                           uint32_t size)
{
    return (Elf32_Sym){.st_name = elf_by_hand_name(p, name),
                       .st_value = value,
                       .st_size = size,
                       .st_info = (unsigned char)ELF32_ST_INFO(STB_GLOBAL, type)};
}

static inline struct elf_by_hand elf_by_hand(void)
{
    struct elf_by_hand p = {.head = {.e_type = ET_EXEC,
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
    elf_by_hand_segments(&p);
    elf_by_hand_sections(&p);
    p.symbol[1] = elf_by_hand_symbol(&p, "main", STT_FUNC, MH_ITCM_BASE + 8, 20);
    p.symbol[2] = (Elf32_Sym){.st_name = sizeof p.names - 4,
                              .st_value = MH_ITCM_BASE + 40,
                              .st_size = 4,
                              .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT)};
    return p;
}

#endif
