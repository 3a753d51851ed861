/* Random traces for fuzzers, in both formats, and the replay of one that was accepted. */
#ifndef TESTS_FUZZ_TRACES_H
#define TESTS_FUZZ_TRACES_H

#include <string.h>

#include "fuzz/dice.h"
#include "workload/trace/trace.h"
#include "workload/op_stats.h"

/* ---- GMT traces that follow the format: what the recordings are too long for. Some of their parts are empty. */

struct sample {
    uint8_t *data;
    size_t size;
};

enum { MAX_PLAIN = 1 << 16 /**< bytes of a sample, not compressed */ };

static inline void put(struct sample *m, uint64_t v)
{
    for (; v > 0x7f; v >>= 7)
        m->data[m->size++] = (uint8_t)(v | 0x80);
    m->data[m->size++] = (uint8_t)v;
}

static inline void put_signed(struct sample *m, int64_t v)
{
    put(m, ((uint64_t)v << 1) ^ (0 - (uint64_t)(v < 0)));
}

/* Which loads an op with this gap needs; rarely more than there is. */
static inline void put_needs(struct dice *d, struct sample *m, uint64_t gap)
{
    put(m, MH_NEEDS(1 + roll(d, MH_WAIT_MAX), roll(d, gap + 1)) + (roll(d, 64) ? 0 : roll(d, 4096)));
}

/* A record of any kind, with all lanes; addresses lie in the 64 KiB at 1 MiB, or nearly always do. */
static inline void put_record(struct dice *d, struct sample *m, uint32_t lanes, bool second, bool *used)
{
    static const unsigned kinds[] = {0x20, 0x21, 0x22, 0x28, 0x29, 0x38, 0x70, 0x03};
    unsigned flags = kinds[roll(d, sizeof kinds / sizeof *kinds)];
    uint64_t pc = 1 + roll(d, 8), gap = roll(d, 300);
    bool depends = second && roll(d, 2);

    m->data[m->size++] = (uint8_t)(flags | (depends ? 0x80 : 0));
    put(m, gap);
    put(m, pc);
    if (depends)
        put_needs(d, m, gap);
    if (flags == 0x03) /* a barrier */
        return;
    if (flags >= 0x70)
        put(m, 1 + roll(d, 32));
    put_signed(m, used[pc] ? 0 : (1 << 20) + 8192 + (int64_t)roll(d, 32768));
    used[pc] = true;
    if (!(flags & 8))
        put_signed(m, (int64_t)roll(d, 256) - 127);
    for (uint32_t l = 1; flags & 8 && l < lanes; l++)
        put_signed(m, (int64_t)roll(d, 256) - 127);
}

static inline void put_warp(struct dice *d, struct sample *m, uint32_t warp, uint32_t lanes, bool second,
                            uint64_t records)
{
    bool used[16] = {false};
    uint64_t gap = roll(d, 2) * roll(d, 8);

    m->data[m->size++] = 'W';
    put(m, warp);
    put(m, records);
    while (records-- > 0)
        put_record(d, m, lanes, second, used);
    if (!second)
        return;
    put(m, gap);
    if (roll(d, 2))
        put_needs(d, m, gap);
    else
        put(m, 0);
}

static inline void put_launch(struct dice *d, struct sample *m, uint32_t ctas, uint32_t threads, bool second)
{
    const uint64_t head[] = {1, 'k', ctas, 1, 1, threads, 1, 1}, rest[] = {ctas, 1, 1 << 20, 1 << 16};

    m->data[m->size++] = 'L';
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        put(m, head[i]);
    for (size_t i = 0; second && i < 2; i++)
        put(m, roll(d, 64)); /* registers, shared memory */
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        put(m, rest[i]);
}

/* Launches, CTAs and warps without a record are as frequent as others, wherever they stand. */
static inline struct sample written_gmt(struct dice *d)
{
    uint32_t lanes = roll(d, 2) ? 32 : 64, warps = 1 + (uint32_t)roll(d, 3), ctas = 1 + (uint32_t)roll(d, 3);
    struct sample m = {malloc(MAX_PLAIN), 0};
    bool second = roll(d, 2);

    if (!m.data)
        die("out of memory", "");
    m.size = (size_t)sprintf((char *)m.data, second ? "GMT2.%d warp=%u\n" : "GMT%d warp=%u\n",
                             second ? MH_GMT2_CONTENT : 1, lanes);
    for (uint64_t launches = 1 + roll(d, 3); launches > 0; launches--) {
        bool launch_works = roll(d, 3);

        put_launch(d, &m, ctas, warps * lanes, second);
        for (uint32_t cta = 0; cta < ctas && roll(d, 8); cta++) {
            bool cta_works = launch_works && roll(d, 3);

            m.data[m.size++] = 'C';
            put(&m, cta);
            put(&m, warps);
            for (uint32_t w = 0; w < warps; w++)
                put_warp(d, &m, w, lanes, second, cta_works ? roll(d, 6) : 0);
        }
    }
    m.data[m.size++] = 'E';
    return m;
}

/*
 * ---- Kernels as Accel-Sim's tracer writes them: they follow the grammar, more or less. Blocks and warps of them are
 * empty, or do one kind of thing only.
 */

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

/* ---- The replay: every address lies in its buffers, and the order of warps changes nothing. */

enum { REPLAY_OPS = 2000 /* of a warp */, REPLAY_BACK = 16 /* CTAs of a launch */ };

static inline uint64_t replay_mix(uint64_t h, uint64_t v)
{
    return (h ^ v) * 0x9e3779b97f4a7c15u ^ h >> 31;
}

static inline uint64_t replay_op(const struct mh_workload *w, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t h = replay_mix(replay_mix(op->kind, op->gap), mh_op_needs(op));

    require(op->wait <= MH_WAIT_MAX && op->ahead <= op->gap && (!op->ahead || op->wait), "what an op waits for");
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1) {
        uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));
        uint32_t b = 0;

        while (b < w->buffer_count && (a < w->buffers[b].base || a - w->buffers[b].base >= w->buffers[b].bytes))
            b++;
        require(b < w->buffer_count, "an address in no buffer");
        h = replay_mix(h, a);
    }
    return h;
}

static inline uint64_t replay_warp(const struct mh_workload *w, struct mh_cursor c)
{
    uint64_t addr[MH_MAX_LANES], h = 0;
    struct mh_op op = {.kind = MH_OP_BARRIER};

    w->start(w, &c);
    for (unsigned left = REPLAY_OPS; op.kind != MH_OP_EXIT && left > 0; left--) {
        w->next(w, &c, &op, addr);
        h = replay_mix(h, replay_op(w, &op, addr));
    }
    return h;
}

static inline uint64_t replay_cta(const struct mh_workload *w, uint32_t lanes, uint32_t launch, uint32_t cta)
{
    uint64_t sum = 0;

    for (uint32_t warp = 0; warp * lanes < w->launches[launch].threads; warp++)
        sum += replay_warp(w, (struct mh_cursor){.launch = launch, .cta = cta, .warp = warp});
    return sum;
}

/** Every so many CTAs of a launch are replayed backwards. */
static inline uint32_t replay_step(const struct mh_workload *w, uint32_t launch)
{
    return 1 + w->launches[launch].ctas / REPLAY_BACK;
}

/** Forwards, then some of its CTAs backwards: to go back is to read the launch again. */
static inline void replay(const struct mh_workload *w, uint32_t lanes)
{
    uint64_t forward = 0, backward = 0;

    for (uint32_t l = 0; l < w->launch_count; l++)
        for (uint32_t cta = 0; cta < w->launches[l].ctas; cta++) {
            uint64_t sum = replay_cta(w, lanes, l, cta);

            forward += cta % replay_step(w, l) ? 0 : sum;
        }
    for (uint32_t l = w->launch_count; l-- > 0;)
        for (uint32_t i = (w->launches[l].ctas - 1) / replay_step(w, l) + 1; i-- > 0;)
            backward += replay_cta(w, lanes, l, i * replay_step(w, l));
    require(forward == backward, "another order of warps is another trace");
}

#endif
