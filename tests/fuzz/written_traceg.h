/*
 * Random kernels as Accel-Sim's tracer writes them: they follow the grammar, more or less. Blocks and warps of them are
 * empty, or do one kind of thing only.
 */
#ifndef TESTS_FUZZ_WRITTEN_TRACEG_H
#define TESTS_FUZZ_WRITTEN_TRACEG_H

#include <string.h>

#include "fuzz/dice.h"

struct text {
    char *s;
    size_t size;
};

enum { MAX_TEXT = 1 << 16 };

static inline struct text new_text(void)
{
    struct text t = {malloc(MAX_TEXT + 4096), 0};

    if (!t.s)
        die("out of memory", "");
    return t;
}

static inline void add(struct text *t, const char *s)
{
    size_t length = strlen(s);

    if (t->size + length < MAX_TEXT) {
        memcpy(t->s + t->size, s, length);
        t->size += length;
    }
}

static inline void add_number(struct text *t, const char *format, uint64_t v)
{
    char s[64];

    snprintf(s, sizeof s, format, (unsigned long long)v);
    add(t, s);
}

static inline void add_registers(struct dice *d, struct text *t, uint64_t most)
{
    uint64_t n = roll(d, most + 1);

    add_number(t, "%llu ", n);
    while (n-- > 0)
        add_number(t, "R%llu ", roll(d, 20) ? roll(d, 12) : 255);
}

/* Mode 1 has no place for gaps between active lanes. */
static inline uint64_t mode_of(struct dice *d, uint32_t mask)
{
    bool gaps = mask && ((mask >> __builtin_ctz(mask)) & ((mask >> __builtin_ctz(mask)) + 1));
    uint64_t mode = roll(d, 3);

    return mode == 1 && gaps && roll(d, 64) ? 2 : mode;
}

static inline void add_addresses(struct dice *d, struct text *t, uint32_t mask)
{
    uint64_t base = ((uint64_t)0x7f0000000000 | roll(d, 8) << 21 | roll(d, 1 << 21)), mode = mode_of(d, mask);
    unsigned lanes = (unsigned)__builtin_popcount(mask);

    add_number(t, "%llu ", mode);
    for (unsigned i = 0; mode == 0 && i < lanes; i++)
        add_number(t, "0x%llx ", base + roll(d, 1 << 12));
    if (mode == 0)
        return;
    add_number(t, "0x%llx ", base);
    for (unsigned i = 1; mode == 2 && i < lanes; i++)
        add_number(t, roll(d, 2) ? "-%llu " : "%llu ", roll(d, 64));
    if (mode == 1)
        add_number(t, roll(d, 4) ? "%llu " : "-%llu ", roll(d, 8) ? roll(d, 256) : roll(d, 1 << 22));
}

static const char *const opcodes[] = {
    "LDG.E",     "LDG.E.64.SYS",  "LDG.E.128", "STG.E",        "STG.E.U8",   "RED.E.ADD", "ATOMG.E.CAS.64",
    "LD.E",      "ST.E",          "LDS.U",     "LDL",          "FADD",       "DFMA",      "HMMA.16816.F32",
    "BAR.SYNC",  "BAR.ARV",       "EXIT",      "LDGDEPBAR",    "MOV",        "DEPBAR.LE", "LDGSTS.E.128",
    "IMAD.WIDE", "ATOM.E.ADD.64", "LDC",       "LDG.ENL2.256", "UTMALDG.2D",
};

/* Any opcode; the last one, which is refused, is rare. */
static inline const char *any_opcode(struct dice *d)
{
    return opcodes[roll(d, sizeof opcodes / sizeof *opcodes - (roll(d, 64) > 0))];
}

static inline void add_instruction(struct dice *d, struct text *t, bool line, const char *opcode)
{
    static const uint32_t masks[] = {0xffffffff, 0xffff, 1, 0, 0xff00ff, 0xf0};
    uint32_t mask = masks[roll(d, sizeof masks / sizeof *masks)];

    if (line)
        add(t, "7 ");
    add_number(t, "%04llx ", roll(d, 64) * 16);
    add_number(t, "%08llx ", mask);
    add_registers(d, t, 1);
    add(t, opcode);
    add(t, " ");
    add_registers(d, t, 3);
    if ((strchr("LSRA", *opcode) && strcmp(opcode, "LDGDEPBAR") && strcmp(opcode, "LDC")) || !roll(d, 16)) {
        add(t, "4 ");
        add_addresses(d, t, mask);
    } else {
        add(t, "0 ");
    }
    add(t, roll(d, 2) ? "1\n" : "\n");
}

/* One warp in four has instructions of a single opcode, such as barriers, and one in eight none at all. */
static inline void add_warp(struct dice *d, struct text *t, uint64_t warp, bool line)
{
    const char *only = roll(d, 4) ? NULL : any_opcode(d);
    uint64_t count = roll(d, 8) ? roll(d, 12) : 0;

    add_number(t, "warp = %llu\n", warp);
    add_number(t, "insts = %llu\n", count);
    while (count-- > 0)
        add_instruction(d, t, line, only ? only : any_opcode(d));
}

static inline struct text written_traceg(struct dice *d)
{
    struct text t = new_text();
    bool line = roll(d, 2);
    uint64_t ctas = 1 + roll(d, 3), warps = 1 + roll(d, 3);

    add_number(&t, "-kernel name = k%llu\n", roll(d, 9));
    add_number(&t, "-grid dim = (%llu,1,1)\n", ctas);
    add_number(&t, "-block dim = (%llu,1,1)\n-shmem = 0\n-nregs = 8\n", warps * 32);
    add(&t, "-shmem base_addr = 0x7f0000200000\n-local mem base_addr = 0x7f0000600000\n");
    add_number(&t, "-accelsim tracer version = %llu\n", 3 + roll(d, 3));
    add_number(&t, "-enable lineinfo = %llu\n", line);
    for (uint64_t c = 0; c < ctas && roll(d, 8); c++) {
        bool works = roll(d, 4);

        add_number(&t, "#BEGIN_TB\nthread block = %llu,0,0\n", c);
        for (uint64_t w = 0; w < warps; w++)
            if (works && roll(d, 4))
                add_warp(d, &t, w, line);
        add(&t, "#END_TB\n");
    }
    return t;
}

#endif
