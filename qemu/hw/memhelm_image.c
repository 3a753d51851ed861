/*
 * Firmware images: ELF files, and where in the mcu's memories they lie; signed
 * ones, which the boot ROM loads.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "elf.h"
#include "exec/address-spaces.h"
#include "memhelm.h"

struct memhelm_image {
    char *name;
    char *bytes; /* the file */
    gsize size;
};

static bool memhelm_in_tcm(uint64_t from, uint64_t bytes)
{
    uint64_t to = from + bytes;

    return (from >= MH_ITCM_BASE && to <= MH_ITCM_BASE + MH_ITCM_BYTES) ||
           (from >= MH_DTCM_BASE && to <= MH_DTCM_BASE + MH_DTCM_BYTES);
}

static void memhelm_check_segment(const char *file, const Elf32_Phdr *ph,
                                  gsize size)
{
    if (ph->p_type != PT_LOAD || ph->p_memsz == 0) {
        return;
    }
    if (!memhelm_in_tcm(ph->p_paddr, ph->p_filesz) ||
        !memhelm_in_tcm(ph->p_vaddr, ph->p_memsz)) {
        error_report("memhelm: %s does not fit: a segment of %" PRIu32
                     " bytes at 0x%08" PRIx32 " (loaded at 0x%08" PRIx32
                     ") lies outside of ITCM (0x%08x, %u bytes) and DTCM "
                     "(0x%08x, %u bytes)",
                     file, ph->p_memsz, ph->p_vaddr, ph->p_paddr,
                     MH_ITCM_BASE, MH_ITCM_BYTES, MH_DTCM_BASE, MH_DTCM_BYTES);
        exit(EXIT_FAILURE);
    }
    if (ph->p_offset + (uint64_t)ph->p_filesz > size) {
        error_report("memhelm: %s is cut: a segment ends behind it", file);
        exit(EXIT_FAILURE);
    }
}

static Elf32_Phdr memhelm_segment(const char *bytes, int i)
{
    const Elf32_Ehdr *eh = (const Elf32_Ehdr *)bytes;
    Elf32_Phdr ph;

    memcpy(&ph, bytes + eh->e_phoff + i * sizeof(ph), sizeof(ph));
    return ph;
}

static struct memhelm_image *memhelm_image_open(const char *file,
                                                const char *name)
{
    struct memhelm_image *image = g_new0(struct memhelm_image, 1);

    if (!g_file_get_contents(file, &image->bytes, &image->size, NULL)) {
        error_report("memhelm: cannot read the image %s", file);
        exit(EXIT_FAILURE);
    }
    image->name = g_strdup(name);
    return image;
}

struct memhelm_image *memhelm_image_read(const char *file, const char *name)
{
    struct memhelm_image *image = memhelm_image_open(file, name);
    const Elf32_Ehdr *eh = (const Elf32_Ehdr *)image->bytes;
    gsize size = image->size;

    if (size < sizeof(*eh) || memcmp(eh->e_ident, ELFMAG, SELFMAG) ||
        eh->e_ident[EI_CLASS] != ELFCLASS32 ||
        eh->e_ident[EI_DATA] != ELFDATA2LSB || eh->e_machine != EM_RISCV ||
        eh->e_phentsize != sizeof(Elf32_Phdr) ||
        eh->e_phoff + (uint64_t)eh->e_phnum * sizeof(Elf32_Phdr) > size) {
        error_report("memhelm: %s is not an RV32 ELF image", file);
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < eh->e_phnum; i++) {
        Elf32_Phdr ph = memhelm_segment(image->bytes, i);

        memhelm_check_segment(file, &ph, size);
    }
    return image;
}

struct memhelm_image *memhelm_image_read_signed(const char *file,
                                                const char *name)
{
    struct memhelm_image *image = memhelm_image_open(file, name);

    if (image->size > MH_SLOT_BYTES) {
        error_report("memhelm: %s: %zu bytes, more than a slot has", file,
                     (size_t)image->size);
        exit(EXIT_FAILURE);
    }
    return image;
}

uint32_t memhelm_image_entry(const struct memhelm_image *image)
{
    return ((const Elf32_Ehdr *)image->bytes)->e_entry;
}

void memhelm_image_fill(const struct memhelm_image *image,
                        struct memhelm_mailbox *m, uint32_t slot)
{
    memhelm_mailbox_fill(m, slot, image->bytes, image->size);
}

/* Word 4 of the header (memhelm/boot.h), which the ROM has read before. */
uint32_t memhelm_image_version(const struct memhelm_image *image)
{
    return image->size >= MH_BOOT_HEADER_BYTES ? ldl_le_p(image->bytes + 4 * 4)
                                               : 0;
}

void memhelm_image_free(struct memhelm_image *image)
{
    g_free(image->name);
    g_free(image->bytes);
    g_free(image);
}

const char *memhelm_image_name(const struct memhelm_image *image)
{
    return image->name;
}

static void memhelm_image_write(hwaddr to, const void *bytes, hwaddr size)
{
    address_space_write_rom(&address_space_memory, to, MEMTXATTRS_UNSPECIFIED,
                            bytes, size);
}

void memhelm_image_place(const struct memhelm_image *image)
{
    const Elf32_Ehdr *eh = (const Elf32_Ehdr *)image->bytes;
    g_autofree void *zeros = g_malloc0(MH_ITCM_BYTES + MH_DTCM_BYTES);

    memhelm_image_write(MH_ITCM_BASE, zeros, MH_ITCM_BYTES);
    memhelm_image_write(MH_DTCM_BASE, zeros, MH_DTCM_BYTES);
    for (int i = 0; i < eh->e_phnum; i++) {
        Elf32_Phdr ph = memhelm_segment(image->bytes, i);

        if (ph.p_type == PT_LOAD && ph.p_filesz) {
            memhelm_image_write(ph.p_paddr, image->bytes + ph.p_offset,
                                ph.p_filesz);
        }
    }
}
