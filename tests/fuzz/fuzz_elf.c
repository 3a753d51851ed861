/*
 * Firmware files that are wrong: an ELF by hand with changes in its headers, tables, names, policies and code, cut or
 * with something behind it, through all that reads one: elf_parse(), the hash, the core table, budget's stack.
 *   fuzz_elf [ITERATIONS [SEED]]
 * Deterministic. Nothing may crash; what is refused says which file and why; what is accepted QEMU can load, and what
 * stands in its table is code.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/code/program.h"
#include "fuzz/dice.h"
#include "mcu/code.h"
#include "mcu/timing.h"
#include "unit/elf_by_hand.h"
#include "unit/instructions.h"

enum { MUTATIONS = 4, BEHIND = 64, ROUNDS_BARE = 64 };

static struct core core;
static unsigned accepted, refused, tables, stacks;

static void hold(bool good, const char *what, uint64_t where)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_elf: %s (%" PRIu64 ")\n", what, where);
    abort();
}

/* --- The file: boot, handler and fault, which budget begins with, and one policy with one hook. */

enum { START = 0, TRAP = 16, FAULT = 40, MAIN = 48, HOOK = 68, IMAGE = TEXT_BYTES, POLICY = IMAGE + 12 };
enum { NAME = POLICY + 36 };

static const uint32_t text[] = {
    LUI(SP, 0x203),
    JAL(RA, MAIN - 4),
    WFI,
    JAL(0, -4), /* _start */
    ADDI(SP, SP, -16),
    SW(RA, SP, 12),
    JAL(RA, HOOK - TRAP - 8),
    LW(RA, SP, 12),
    ADDI(SP, SP, 16),
    MRET,
    WFI,
    JAL(0, -4), /* trap_fault */
    ADDI(SP, SP, -16),
    SW(RA, SP, 12),
    LW(RA, SP, 12),
    ADDI(SP, SP, 16),
    RET, /* main */
    LI(A0, 3),
    RET, /* hook */
};

static struct elf_by_hand whole(void)
{
    struct elf_by_hand p = elf_by_hand();
    uint32_t at = MH_ITCM_BASE;
    uint32_t image[] = {at + NAME, at + POLICY, 0, at + NAME, 0, at + HOOK, 0, 0, 0, 0, 0, 0};
    memcpy(p.text, text, sizeof text);
    memcpy(p.rodata, image, sizeof image);
    memcpy((char *)p.rodata + sizeof image, "one", 4);
    p.symbol[1] = elf_by_hand_symbol(&p, "_start", STT_FUNC, at + START, TRAP - START);
    p.symbol[2] = elf_by_hand_symbol(&p, "trap_entry", STT_FUNC, at + TRAP, FAULT - TRAP);
    p.symbol[3] = elf_by_hand_symbol(&p, "trap_fault", STT_FUNC, at + FAULT, MAIN - FAULT);
    p.symbol[4] = elf_by_hand_symbol(&p, "f", STT_FUNC, at + MAIN, HOOK - MAIN);
    p.symbol[5] = elf_by_hand_symbol(&p, "h", STT_FUNC, at + HOOK, 8);
    p.symbol[6] = elf_by_hand_symbol(&p, "fw_image", STT_OBJECT, at + IMAGE, 12);
    p.symbol[7] = elf_by_hand_symbol(&p, "__stack_bottom", STT_NOTYPE, 0x203000, 0);
    p.symbol[8] = elf_by_hand_symbol(&p, "__stack_top", STT_NOTYPE, 0x203400, 0);
    return p;
}

/* --- Changes. */

static uint32_t value(struct dice *d, uint32_t old)
{
    static const uint32_t edges[] = {0,
                                     1,
                                     2,
                                     3,
                                     4,
                                     7,
                                     16,
                                     31,
                                     32,
                                     40,
                                     64,
                                     0xff00,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0xfffffff0,
                                     sizeof(struct elf_by_hand),
                                     MH_ITCM_BASE,
                                     MH_ITCM_BASE + MH_ITCM_BYTES,
                                     MH_DTCM_BASE,
                                     MH_DTCM_BASE + MH_DTCM_BYTES};
    switch (roll(d, 4)) {
    case 0:
        return old + (uint32_t)roll(d, 9) - 4;
    case 1:
        return edges[roll(d, sizeof edges / sizeof *edges)] + (uint32_t)roll(d, 3) - 1;
    case 2:
        return (uint32_t)roll(d, sizeof(struct elf_by_hand));
    default:
        return (uint32_t)roll(d, 1ull << 32);
    }
}

static void change_word(struct dice *d, unsigned char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    word = value(d, word);
    memcpy(at, &word, roll(d, 3) ? sizeof word : sizeof word / 2);
}

/* Where a word is changed: in headers and symbols, in policies, in code. Names change by bytes. */
static void change(struct dice *d, struct elf_by_hand *p)
{
    unsigned char *bytes = (unsigned char *)p;
    switch (roll(d, 8)) {
    case 0:
        change_word(d, bytes + 2 * roll(d, sizeof p->head / 2 - 1));
        break;
    case 1:
        change_word(d, (unsigned char *)p->segment + 4 * roll(d, sizeof p->segment / 4));
        break;
    case 2:
        change_word(d, (unsigned char *)p->section + 4 * roll(d, sizeof p->section / 4));
        break;
    case 3:
        change_word(d, (unsigned char *)p->symbol + 4 * roll(d, sizeof p->symbol / 4));
        break;
    case 4:
        change_word(d, (unsigned char *)p->rodata + 4 * roll(d, RODATA_BYTES / 4));
        break;
    case 5:
        change_word(d, (unsigned char *)p->text + 2 * roll(d, TEXT_BYTES / 2 - 1));
        break;
    case 6:
        p->names[roll(d, sizeof p->names)] = (char)roll(d, 256);
        break;
    default:
        p->segment[roll(d, 3)] = p->segment[roll(d, 3)];
        p->section[roll(d, 8)] = p->section[roll(d, 8)];
    }
}

/* --- What is accepted. */

/* Written again from what QEMU 7.2's loader and the machine ask of a file. */
static void check_loads(const unsigned char *bytes, size_t length, uint64_t round)
{
    Elf32_Ehdr h;
    Elf32_Phdr p;
    memcpy(&h, bytes, sizeof h);
    hold(h.e_phentsize == sizeof p && h.e_phoff + (uint64_t)h.e_phnum * sizeof p <= length, "headers not in the file",
         round);
    for (unsigned i = 0; i < h.e_phnum; i++) {
        memcpy(&p, bytes + h.e_phoff + i * sizeof p, sizeof p);
        if (p.p_type != PT_LOAD)
            continue;
        hold(!p.p_filesz || (uint64_t)p.p_offset + p.p_filesz <= length, "a segment that is not in the file", round);
        hold(p.p_filesz <= p.p_memsz, "a segment that is not in memory", round);
        hold(!p.p_memsz || p.p_vaddr - MH_ITCM_BASE < MH_ITCM_BYTES || p.p_vaddr - MH_DTCM_BASE < MH_DTCM_BYTES,
             "a segment in a hole", round);
    }
}

static void check_file(struct dice *d, const struct elf *e, uint64_t round)
{
    char first[HASH_TEXT], second[HASH_TEXT];
    struct elf_symbol s;
    elf_hash(e, first);
    elf_hash(e, second);
    hold(!strcmp(first, second), "two hashes of one file", round);
    for (uint32_t i = 0; elf_symbol(e, i, &s); i++) {
        const char *name = s.function && s.size ? elf_function(e, s.value) : "";
        hold(strlen(s.name) < sizeof(struct elf_by_hand) + BEHIND && name, "a name without an end", round);
    }
    for (unsigned i = 0; i < 16; i++) {
        size_t size = roll(d, 300);
        uint8_t *to = malloc(size + 1);
        hold(to != NULL, "out of memory", round);
        (void)elf_read(e, value(d, MH_ITCM_BASE), to, size);
        free(to);
    }
}

static void check_table(const struct image *image, uint64_t round)
{
    struct mh_error err = {""};
    char *lines = NULL;
    size_t length;
    uint32_t address, size, end = 0;
    FILE *out = open_memstream(&lines, &length);
    hold(out != NULL, "out of memory", round);
    int status = core_table_write(image, &core, true, out, &err);
    fclose(out);
    hold(status ? !strncmp(err.text, "fuzz", 4) : !*err.text, "refused without the image's name", round);
    tables += !status;
    for (char *line = strtok(lines, "\n"); line && !status; line = strtok(NULL, "\n")) {
        if (sscanf(line, "h %*u %x", &address) == 1)
            hold(elf_is_code(image->elf, address), "a hook that is no code", round);
        if (sscanf(line, "f %*u %x %u", &address, &size) != 2)
            continue;
        hold(address >= end && size <= MH_ITCM_BYTES, "functions inside each other", round);
        end = address + size;
    }
    free(lines);
}

static void check_code(const struct image *image, uint64_t round)
{
    struct mh_error err = {""};
    struct functions f;
    struct code code;
    if (functions_find(&f, image->elf, image->name, &err))
        return;
    code_read(&code, image->elf, &f, &core);
    for (unsigned i = 1; i < code.count; i++)
        hold(code.list[i].address > code.list[i - 1].address, "code out of order", round);
    code_free(&code);
    functions_free(&f);
}

static void check_stack(const struct image *image, uint64_t round)
{
    struct mh_error err = {""};
    struct program p;
    int status = program_open(&p, image, &err);
    hold(!status || !strncmp(err.text, "fuzz", 4), "refused without the image's name", round);
    stacks += !status;
    if (!status)
        program_close(&p);
}

/* --- A round. */

static void judge(struct dice *d, const unsigned char *bytes, size_t length, uint64_t round)
{
    struct image image = {.name = "fuzz", .path = "fuzz.elf"};
    struct mh_error err = {""};
    char *own = malloc(length ? length : 1); /* no byte behind it */
    hold(own != NULL, "out of memory", round);
    memcpy(own, bytes, length);
    image.elf = elf_parse("fuzz.elf", own, length, &err);
    if (!image.elf) {
        hold(!strncmp(err.text, "fuzz.elf: ", 10), "refused without the file's name", round);
        refused++;
        return;
    }
    accepted++;
    check_loads(bytes, length, round);
    check_file(d, image.elf, round);
    image.sizes = elf_sizes(image.elf);
    check_table(&image, round);
    check_code(&image, round);
    check_stack(&image, round);
    image_close(&image);
}

static void one(struct dice *d, uint64_t round)
{
    static union {
        struct elf_by_hand p;
        unsigned char bytes[sizeof(struct elf_by_hand) + BEHIND];
    } file;
    size_t length = sizeof file.p;
    bool bare = round % ROUNDS_BARE == 0;
    file.p = whole();
    for (uint64_t i = bare ? 0 : 1 + roll(d, MUTATIONS); i; i--)
        change(d, &file.p);
    if (!bare && !roll(d, 8))
        length = roll(d, sizeof file.bytes);
    unsigned before = tables + stacks;
    judge(d, file.bytes, length, round);
    hold(!bare || tables + stacks == before + 2, "the file without a change is refused", round);
}

int main(int argc, char **argv)
{
    uint64_t iterations = dice_argument(argc, argv, 1, 20000), seed = dice_argument(argc, argv, 2, 1);
    struct mh_error err;
    printf("fuzz_elf: %" PRIu64 " iterations, seed %" PRIu64 "\n", iterations, seed);
    if (core_open(&core, "inorder5", &err))
        die("no core: ", err.text);
    for (uint64_t i = 0; i < iterations; i++) {
        struct dice d = {seed + i, 0};
        one(&d, i);
    }
    core_close(&core);
    hold(iterations < 1000 || (refused > iterations / 10 && tables > iterations / 20 && stacks > iterations / 100),
         "the inputs reached too little", stacks);
    printf("fuzz_elf: ok: %u accepted (%u with a table, %u with a stack), %u refused\n", accepted, tables, stacks,
           refused);
    return 0;
}
