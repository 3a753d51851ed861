/* Firmware files: is it an RV32 program that fits the core's memories, how big is it, what stands at an address. */
#ifndef HOST_MCU_ELF_FILE_H
#define HOST_MCU_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "memhelm/error.h"

struct elf;

/** Bytes in the loaded image. `stack` is the section .stack, if the linker script makes one. */
struct elf_sizes {
    uint32_t code, rodata, data, bss, stack;
};

/**
 * Reads `path` and checks it: 32-bit little-endian RISC-V executable, soft-float, every segment inside the file and
 * inside ITCM or DTCM and apart from the others, entry in the code; sections, symbols and their names in the file,
 * names in UTF-8 without control characters. What is accepted QEMU loads. NULL and `err` (what is wrong, at which
 * header, how to mend it) otherwise.
 */
struct elf *elf_open(const char *path, struct mh_error *err);

/** elf_open() of `length` bytes in memory, which it frees, also when it refuses them; `path` stands in errors. */
struct elf *elf_parse(const char *path, char *data, size_t length, struct mh_error *err);
void elf_close(struct elf *e);

struct elf_sizes elf_sizes(const struct elf *e);

/** Hash of what reaches the core: address, size and bytes of each loadable segment, and the entry point. */
void elf_hash(const struct elf *e, char text[HASH_TEXT]);

/** Name of the function at `pc`; NULL when no function covers it. Valid until elf_close(). */
const char *elf_function(const struct elf *e, uint32_t pc);

/** A named symbol of the file's table; `name` is valid until elf_close(). */
struct elf_symbol {
    const char *name;
    uint32_t value, size;
    bool function; /**< as its type says: assembly needs `.type name, @function` */
};

/** The symbol with number `i` in the file's order; false behind the last. Symbols without a name have an empty one. */
bool elf_symbol(const struct elf *e, uint32_t i, struct elf_symbol *out);

/** Address of the object or function of that name; false: the file has none. */
bool elf_address(const struct elf *e, const char *name, uint32_t *address);

/** The file's bytes. */
const char *elf_bytes(const struct elf *e, size_t *length);

/** Puts a word into what the file loads to `address`; false unless it loads four bytes there. Hashes change with it. */
bool elf_set_word(struct elf *e, uint32_t address, uint32_t word);

/** Copies `size` bytes that the file loads to `address`; false unless it has them all. */
bool elf_read(const struct elf *e, uint32_t address, void *out, size_t size);

/** Can an instruction begin at `address`: is it even, and in code that the file loads? */
bool elf_is_code(const struct elf *e, uint32_t address);

#endif
