#include "elf_file.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "elf_private.h"

struct elf *elf_parse(const char *path, char *data, size_t length, struct mh_error *err)
{
    struct elf *e = calloc(1, sizeof *e);
    if (!e) {
        (void)mh_fail(err, "%s: out of memory", path);
        free(data);
        return NULL;
    }
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
