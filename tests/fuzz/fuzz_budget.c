/*
 * Mutated call graphs (.ci), linker maps and code through what reads them for budgets.
 *   fuzz_budget [ITERATIONS [SEED]]
 * Deterministic. Nothing may crash; what is refused says where and leaves nothing behind; what a map is read as lies
 * inside its text; a function's frame is the same in each walk.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "budget/code/build_files.h"
#include "budget/code/program.h"
#include "fuzz/dice.h"

enum { TEXT_MAX = 4096, MUTATIONS = 6, HALVES = 24 };

static unsigned accepted, refused;

static const char graph[] =
    "graph: { title: \"firmware/fw.c\"\n"
    "node: { title: \"firmware/fw.c:finish\" label: \"finish\\nfw.c:18:23\\n48 bytes (static)\" }\n"
    "node: { title: \"mcu_exit\" label: \"mcu_exit\\nmcu.h:29:16\" shape : ellipse }\n"
    "edge: { sourcename: \"firmware/fw.c:finish\" targetname: \"mcu_exit\" label: \"fw.c:36:5\" }\n"
    "node: { title: \"__indirect_call\" label: \"Indirect Call Placeholder\" shape : ellipse }\n"
    "edge: { sourcename: \"firmware/fw.c:finish\" targetname: \"__indirect_call\" }\n"
    "}\n";

static const char map[] = "\nLinker script and memory map\n\n"
                          ".text           0x00100000     0x1124\n"
                          " .text.start    0x00100000       0xf4 build/firmware/obj/boot/start.S.o\n"
                          "                0x00100000                _start\n"
                          " .text.heap_seal\n"
                          "                0x00100184        0xc build/firmware/policies.a(mask_tokens.c.o)\n"
                          " *fill*         0x00100190        0x2 \n"
                          ".bss            0x00200000        0x8\n"
                          " COMMON         0x00200000        0x8 /lib/libc.a(lib_a-x.o)\n";

static const char *const pieces[] = {
    "\n",       "\"", "node: {", "edge: {",    "title: \"", "label: \"",      " bytes (",
    "(static)", "0x", ".text ",  " .text",     ".rodata\n", "*fill*",         "99999999999",
    ":",        "}",  " ",       "0xffffffff", "a(b",       "sourcename: \"", "\\n"};

/* Changes `text` in one place; returns its new length. It holds no 0 byte, as files that are read whole do not here. */
static size_t mutate(struct dice *d, char *text, size_t n)
{
    size_t at = n ? roll(d, n) : 0, length;
    const char *piece = pieces[roll(d, sizeof pieces / sizeof *pieces)];
    switch (roll(d, 4)) {
    case 0:
        if (n)
            text[at] = (char)(1 + roll(d, 255));
        return n;
    case 1:
        length = roll(d, 30);
        length = length < n - at ? length : n - at;
        memmove(text + at, text + at + length, n - at - length);
        return n - length;
    default:
        length = strlen(piece);
        if (n + length >= TEXT_MAX)
            return n;
        memmove(text + at + length, text + at, n - at);
        memcpy(text + at, piece, length);
        return n + length;
    }
}

/* In memory of its own, so that a read beyond the end is found. */
static char *mutated(struct dice *d, const char *text, size_t *n)
{
    char room[TEXT_MAX];
    *n = strlen(text);
    memcpy(room, text, *n);
    for (uint64_t i = roll(d, MUTATIONS); i; i--)
        *n = mutate(d, room, *n);
    char *own = malloc(*n + 1);
    require(own != NULL, "out of memory");
    memcpy(own, room, *n);
    own[*n] = 0;
    return own;
}

static void judge(int status, const struct mh_error *err, const char *name)
{
    require(status ? !strncmp(err->text, name, strlen(name)) : 1, "refused without file and line");
    accepted += !status;
    refused += status != 0;
}

static void fuzz_graph(struct dice *d)
{
    struct callgraph g = {0};
    struct mh_error err = {""};
    size_t n;
    char *text = mutated(d, graph, &n), *exact = malloc(n ? n : 1);
    require(exact != NULL, "out of memory");
    memcpy(exact, text, n); /* no 0 byte behind it */
    int status = callgraph_parse(&g, "x.ci", exact, n, &err);
    judge(status, &err, "x.ci");
    require(!status || !g.functions, "refused, but something is left");
    for (unsigned i = 0; i < g.count; i++)
        require(callgraph_find(&g, g.functions[i].name, 0) != NULL, "a function is not found");
    callgraph_free(&g);
    free(exact);
    free(text);
}

static void fuzz_map(struct dice *d)
{
    struct map_file m;
    struct mh_error err = {""};
    struct owner owners[OWNERS];
    size_t n;
    uint64_t bytes = 0, summed = 0;
    char *text = mutated(d, map, &n);
    int status = map_parse(&m, "x.map", text, &err);
    judge(status, &err, "x.map");
    for (unsigned i = 0; i < m.count; i++) {
        require(m.pieces[i].size > 0, "an empty piece");
        bytes += m.pieces[i].size;
    }
    unsigned count = status ? 0 : map_owners(&m, owners);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < MAP_KINDS; k++)
            summed += owners[i].bytes[k];
    require((uint32_t)summed == (uint32_t)bytes, "owners do not add up to the pieces");
    map_free(&m);
}

/* Instructions that move sp, jump, call and return, and any others. */
static void fuzz_code(struct dice *d)
{
    static const uint16_t common[] = {0x1101, 0x7139, 0x6105, 0x8082, 0xa001, 0xc119, 0x9782, 0x8782, 0x2011, 0x4781};
    uint16_t code[HALVES];
    struct frame once, twice;
    struct mh_error err = {""}, again;
    uint32_t size = 2 + (uint32_t)roll(d, 2 * HALVES - 1);
    for (unsigned i = 0; i < HALVES; i++)
        code[i] = roll(d, 4) ? common[roll(d, sizeof common / sizeof *common)] : (uint16_t)roll(d, 65536);
    uint8_t *exact = malloc(size);
    require(exact != NULL, "out of memory");
    memcpy(exact, code, size);
    bool table = roll(d, 2), switching = roll(d, 2);
    int status = frame_walk(&once, exact, 0x100000, size, table, switching, &err);
    require(frame_walk(&twice, exact, 0x100000, size, table, switching, &again) == status, "two walks, two answers");
    require(once.bytes == twice.bytes && once.count == twice.count, "two walks, two frames");
    judge(status, &err, "at 0x");
    require(!status || !once.calls, "refused, but something is left");
    frame_free(&once);
    frame_free(&twice);
    free(exact);
}

int main(int argc, char **argv)
{
    static void (*const fuzz[])(struct dice * d) = {fuzz_graph, fuzz_map, fuzz_code};
    uint64_t iterations = dice_argument(argc, argv, 1, 20000), seed = dice_argument(argc, argv, 2, 1);
    printf("fuzz_budget: %" PRIu64 " iterations, seed %" PRIu64 "\n", iterations, seed);
    for (uint64_t i = 0; i < iterations; i++) {
        struct dice d = {.seed = seed + i};
        fuzz[i % 3](&d);
    }
    require(iterations < 1000 || (accepted && refused), "the inputs reached too little");
    printf("fuzz_budget: ok: %u accepted, %u refused\n", accepted, refused);
    return 0;
}
