/*
 * Feeds the reader of Accel-Sim's traces damaged ones: fuzz_traceg [ITERATIONS [SEED [FILE..]]]. As fuzz_trace: every
 * round is a function of seed and round number; a crash, a leak or a hang is what it looks for. A trace that is
 * accepted is replayed twice, the second time from the end, and has to say the same and to stay in its buffers.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/dice.h"
#include "workload/op_stats.h"
#include "workload/trace/trace.h"

#ifndef TEST_DATA
#define TEST_DATA "tests/data/"
#endif

enum {
    MAX_SEEDS = 16,
    MAX_TEXT = 1 << 16,
    ROUND_SECONDS = 20, /* longer is a hang */
    REPLAY_OPS = 2000,
};

struct text {
    char *s;
    size_t size;
};

static const char *const default_files[] = {
    TEST_DATA "traceg/kernel-1.traceg",  TEST_DATA "traceg/kernel-2.traceg", TEST_DATA "traceg/kernel-3.traceg.xz",
    TEST_DATA "traceg/version-1.traceg", TEST_DATA "traceg/kernelslist.g",
};

static struct text new_text(void)
{
    struct text t = {malloc(MAX_TEXT + 4096), 0};

    if (!t.s)
        die("out of memory", "");
    return t;
}

static struct text load(const char *path)
{
    struct text t = new_text();
    FILE *f = fopen(path, "rb");

    if (!f)
        die("cannot read ", path);
    t.size = fread(t.s, 1, MAX_TEXT, f);
    fclose(f);
    return t;
}

static void add(struct text *t, const char *s)
{
    size_t length = strlen(s);

    if (t->size + length < MAX_TEXT) {
        memcpy(t->s + t->size, s, length);
        t->size += length;
    }
}

/* ---- traces that follow the grammar, more or less ---- */

static void add_number(struct text *t, const char *format, uint64_t v)
{
    char s[64];

    snprintf(s, sizeof s, format, (unsigned long long)v);
    add(t, s);
}

static void add_registers(struct dice *d, struct text *t, uint64_t most)
{
    uint64_t n = roll(d, most + 1);

    add_number(t, "%llu ", n);
    while (n-- > 0)
        add_number(t, "R%llu ", roll(d, 20) ? roll(d, 12) : 255);
}

static void add_addresses(struct dice *d, struct text *t, uint32_t mask)
{
    uint64_t base = ((uint64_t)0x7f0000000000 | roll(d, 8) << 21 | roll(d, 1 << 21)), mode = roll(d, 3);
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

static void add_instruction(struct dice *d, struct text *t, bool line)
{
    static const char *const opcodes[] = {
        "LDG.E",     "LDG.E.64.SYS",  "LDG.E.128", "STG.E",      "STG.E.U8", "RED.E.ADD", "ATOMG.E.CAS.64",
        "LD.E",      "ST.E",          "LDS.U",     "LDL",        "FADD",     "DFMA",      "HMMA.16816.F32",
        "BAR.SYNC",  "BAR.ARV",       "EXIT",      "LDGDEPBAR",  "MOV",      "DEPBAR.LE", "LDGSTS.E.128",
        "IMAD.WIDE", "ATOM.E.ADD.64", "LDC",       "UTMALDG.2D",
    };
    static const uint32_t masks[] = {0xffffffff, 0xffff, 1, 0, 0xff00ff, 0xf0};
    const char *opcode = opcodes[roll(d, sizeof opcodes / sizeof *opcodes - (roll(d, 64) > 0))];
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

static void add_warp(struct dice *d, struct text *t, uint64_t warp, bool line)
{
    uint64_t count = roll(d, 12);

    add_number(t, "warp = %llu\n", warp);
    add_number(t, "insts = %llu\n", count);
    while (count-- > 0)
        add_instruction(d, t, line);
}

static struct text written(struct dice *d)
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
    for (uint64_t c = 0; c < ctas; c++) {
        add_number(&t, "#BEGIN_TB\nthread block = %llu,0,0\n", c);
        for (uint64_t w = 0; w < warps; w++)
            if (roll(d, 8))
                add_warp(d, &t, w, line);
        add(&t, "#END_TB\n");
    }
    return t;
}

/* ---- damage ---- */

static char interesting(struct dice *d)
{
    static const char bytes[] = "0123456789abcdefRx-#=(), \t\n\r.LSDGTE";

    return roll(d, 8) ? bytes[roll(d, sizeof bytes - 1)] : (char)roll(d, 256);
}

static size_t line_at(const struct text *t, size_t at)
{
    while (at > 0 && t->s[at - 1] != '\n')
        at--;
    return at;
}

/* One change: a byte, a piece or a line left out or there twice, the end cut off. */
static void mutate(struct dice *d, struct text *t)
{
    size_t at = t->size ? roll(d, t->size) : 0, length = 1 + roll(d, 12);
    char *end;

    if (t->size == 0)
        return;
    if (roll(d, 3) == 0) { /* whole lines */
        at = line_at(t, at);
        end = memchr(t->s + at, '\n', t->size - at);
        length = end ? (size_t)(end - (t->s + at)) + 1 : 1;
    }
    if (at + length > t->size)
        length = t->size - at;
    switch (roll(d, 8)) {
    case 0:
        t->size = at;
        break;
    case 1:
    case 2:
        memmove(t->s + at, t->s + at + length, t->size - at - length);
        t->size -= length;
        break;
    case 3:
        if (t->size + length < MAX_TEXT) {
            memmove(t->s + at + length, t->s + at, t->size - at);
            t->size += length;
        }
        break;
    default:
        t->s[at] = interesting(d);
    }
}

static struct text one_sample(struct dice *d, const struct text *seeds, size_t count)
{
    const struct text *seed = &seeds[roll(d, count)];
    unsigned changes = (unsigned)roll(d, 4);
    struct text t;

    if (roll(d, 2)) {
        t = written(d);
    } else {
        t = new_text();
        memcpy(t.s, seed->s, seed->size);
        t.size = seed->size;
        changes++;
    }
    while (changes-- > 0)
        mutate(d, &t);
    return t;
}

/* ---- replay ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    return (h ^ v) * 0x9e3779b97f4a7c15u ^ h >> 31;
}

static uint64_t check_op(const struct mh_workload *w, const struct mh_op *op, const uint64_t *addr)
{
    uint64_t h = mix(mix(op->kind, op->gap), mh_op_needs(op));

    if (op->wait > MH_WAIT_MAX || op->ahead > op->gap || (op->ahead && !op->wait))
        abort();
    for (uint64_t m = mh_op_is_memory(op) ? op->mask : 0; m; m &= m - 1) {
        uint64_t a = mh_op_address(op, addr, (unsigned)__builtin_ctzll(m));
        uint32_t b = 0;

        while (b < w->buffer_count && (a < w->buffers[b].base || a - w->buffers[b].base >= w->buffers[b].bytes))
            b++;
        if (b == w->buffer_count)
            abort();
        h = mix(h, a);
    }
    return h;
}

static uint64_t replay_warp(const struct mh_workload *w, struct mh_cursor c)
{
    uint64_t addr[MH_MAX_LANES], h = 0;
    struct mh_op op = {.kind = MH_OP_BARRIER};

    w->start(w, &c);
    for (unsigned left = REPLAY_OPS; op.kind != MH_OP_EXIT && left > 0; left--) {
        w->next(w, &c, &op, addr);
        h = mix(h, check_op(w, &op, addr));
    }
    return h;
}

static void replay(const struct mh_workload *w)
{
    uint64_t forward = 0, backward = 0;

    for (uint32_t l = 0; l < w->launch_count; l++)
        for (uint32_t cta = 0; cta < w->launches[l].ctas; cta++)
            for (uint32_t warp = 0; warp * 32 < w->launches[l].threads; warp++)
                forward += replay_warp(w, (struct mh_cursor){.launch = l, .cta = cta, .warp = warp});
    for (uint32_t l = w->launch_count; l-- > 0;)
        for (uint32_t cta = w->launches[l].ctas; cta-- > 0;)
            for (uint32_t warp = 0; warp * 32 < w->launches[l].threads; warp++)
                backward += replay_warp(w, (struct mh_cursor){.launch = l, .cta = cta, .warp = warp});
    if (forward != backward)
        abort();
}

/* True when the trace was accepted. */
static bool run_round(uint64_t seed, uint64_t n, const struct text *seeds, size_t count)
{
    struct dice d = {.seed = mh_random(seed, n)};
    struct text t = one_sample(&d, seeds, count);
    struct mh_error err = {{0}};
    struct mh_workload *w;

    alarm(ROUND_SECONDS); /* ends a hang with SIGALRM */
    w = mh_trace_parse(t.s, t.size, TEST_DATA "traceg/fuzz", (struct mh_trace_how){.lanes = 32}, &err);
    if (!w && !err.text[0])
        abort(); /* a refusal has to say why */
    if (w) {
        replay(w);
        w->destroy(w);
    }
    alarm(0);
    free(t.s);
    return w != NULL;
}

int main(int argc, char **argv)
{
    uint64_t rounds = dice_argument(argc, argv, 1, 2000), seed = dice_argument(argc, argv, 2, 1), accepted = 0;
    const char *const *files = argc > 3 ? (const char *const *)argv + 3 : default_files;
    size_t count = argc > 3 ? (size_t)argc - 3 : sizeof default_files / sizeof *default_files;
    struct text seeds[MAX_SEEDS];

    if (count > MAX_SEEDS)
        die("too many files", "");
    for (size_t i = 0; i < count; i++)
        seeds[i] = load(files[i]);
    printf("fuzz_traceg: seed %llu, %llu rounds\n", (unsigned long long)seed, (unsigned long long)rounds);
    fflush(stdout);
    for (uint64_t n = 0; n < rounds; n++)
        accepted += run_round(seed, n, seeds, count);
    printf("fuzz_traceg: done, %llu traces accepted\n", (unsigned long long)accepted);
    for (size_t i = 0; i < count; i++)
        free(seeds[i].s);
    return 0;
}
