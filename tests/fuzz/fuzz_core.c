/*
 * The instruction decoder, the cost of instructions and the reader of timing tables.
 *   fuzz_core [ITERATIONS [SEED]]
 * Deterministic. All compressed words once; then, each round, random instructions and a built-in table with changes in
 * its text. Nothing may crash; what is decoded is sound, costs keep the order of their bounds, what is refused has a
 * reason with the file's name, what is accepted is whole.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mcu/timing.h"
#include "mcu/cost.h"
#include "base/file.h"
#include "fuzz/dice.h"

enum { TEXT_MAX = 1 << 15, CORES_MAX = 16, WORDS = 256, COST_MAX = 4 * 1000 + 10 * 1000 };

static struct core cores[CORES_MAX];
static char *texts[CORES_MAX];
static unsigned count, accepted, refused;

static void hold(bool good, const char *what, uint64_t where)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_core: %s (%" PRIx64 ")\n", what, where);
    abort();
}

/* --- Instructions. */

static void check_insn(uint32_t word)
{
    struct insn i, whole;
    insn_decode(word, &i);
    hold(i.size == ((word & 3) == 3 ? 4 : 2), "a size that the low bits do not give", word);
    hold(i.cls < INSN_CLASSES && i.rd < 32 && i.rs1 < 32 && i.rs2 < 32, "a class or register that there is not", word);
    hold(core_row_of(&i) < CORE_CLASS_ROWS, "a class without a row", word);
    if (i.cls == INSN_ILLEGAL) {
        hold(!i.word && !i.rd && !i.rs1 && !i.rs2 && !i.imm, "something of an illegal instruction", word);
        return;
    }
    insn_decode(i.word, &whole);
    hold(whole.size == 4, "the expansion is not 32 bits", word);
    whole.size = i.size;
    hold(whole.word == i.word && whole.cls == i.cls && whole.rd == i.rd && whole.rs1 == i.rs1 && whole.rs2 == i.rs2 &&
             whole.imm == i.imm,
         "the expansion is another instruction", word);
}

static void all_compressed(struct dice *d)
{
    for (uint32_t half = 0; half < 0x10000; half++)
        if ((half & 3) != 3) {
            check_insn(half);
            check_insn(half | (uint32_t)roll(d, 1 << 16) << 16);
        }
}

/* Every second one has an opcode that there is. */
static uint32_t random_word(struct dice *d)
{
    static const uint8_t opcodes[] = {0x03, 0x0f, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x67, 0x6f, 0x73};
    uint32_t word = (uint32_t)roll(d, 1ull << 32);
    return roll(d, 2) ? (word & ~0x7fu) | opcodes[roll(d, sizeof opcodes)] : word;
}

static void check_cost(struct dice *d)
{
    struct cost_window w;
    struct cost cost[CORE_BOUNDS];
    uint32_t address = (uint32_t)roll(d, 1 << 16) * 2, word = random_word(d);
    const struct core *c = &cores[roll(d, count)];
    memset(&w, 0, sizeof w);
    insn_decode(word, &w.at[0]);
    for (unsigned n = 1; n < 3 && roll(d, 8); n++)
        insn_decode(random_word(d), &w.at[n]);
    for (unsigned b = 0; b < CORE_BOUNDS; b++) {
        cost[b] = core_cost(c->values, (enum core_bound)b, &w, address);
        hold(cost[b].extra < COST_MAX && cost[b].taken < COST_MAX, "a cost out of all bounds", word);
        hold(!cost[b].taken || w.at[0].cls == INSN_BRANCH, "what is no branch is taken", word);
        hold(!b || (cost[b - 1].extra <= cost[b].extra && cost[b - 1].landing <= cost[b].landing &&
                    cost[b - 1].extra + cost[b - 1].taken <= cost[b].extra + cost[b].taken),
             "bounds out of order", word);
    }
}

/* --- Tables. */

static const char *const pieces[] = {
    "- ",
    "{",
    "}",
    "[",
    "]",
    ": ",
    ", ",
    "#",
    "\t",
    "&a ",
    "*a",
    "|",
    "\"",
    "---\n",
    "~",
    "<<: *a",
    "0",
    "-1",
    "1000",
    "1001",
    "99999999999999999999",
    "\xc3\xa4",
    "\xff",
    "cycles: 3",
    "min: 0, ",
    "max: 1, ",
    "kind: rtl, ",
    "name: alu, ",
    "events:\n",
    "classes:\n",
    "checks:\n",
    "sources: []\n",
    "core: x\n",
    "alu: 1, ",
    "note: n, ",
};

/* Changes `text` in one place; returns its new length. */
static size_t change(struct dice *d, char *text, size_t n)
{
    const char *piece = pieces[roll(d, sizeof pieces / sizeof *pieces)];
    size_t at = n ? roll(d, n) : 0, length = strlen(piece);
    switch (roll(d, 6)) {
    case 0:
        if (n)
            text[at] = (char)roll(d, 256);
        return n;
    case 1:
        return roll(d, 8) ? n : at;
    case 2:
    case 3: /* a digit to another: most such tables are good ones */
        while (at < n && (text[at] < '0' || text[at] > '9'))
            at++;
        if (at < n)
            text[at] = (char)('0' + roll(d, 10));
        return n;
    case 4: /* without a line */
        while (at && text[at - 1] != '\n')
            at--;
        length = strcspn(text + at, "\n");
        memmove(text + at, text + at + length, n - at - length + 1);
        return n - length;
    default:
        if (n + length >= TEXT_MAX)
            return n;
        memmove(text + at + length, text + at, n - at + 1);
        memcpy(text + at, piece, length);
        return n + length;
    }
}

static void check_core(const struct core *c, uint64_t round)
{
    static FILE *nowhere;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        die("cannot open ", "/dev/null");
    for (unsigned row = 0; row < CORE_ROWS; row++) {
        const uint16_t *n = c->values[row].cycles;
        hold(c->values[row].given || row >= CORE_CLASS_ROWS, "accepted without a class", round);
        hold(n[CORE_MIN] <= n[CORE_CYCLES] && n[CORE_CYCLES] <= n[CORE_MAX], "accepted with bounds out of order",
             round);
        hold(n[CORE_MIN] || row >= CORE_CLASS_ROWS, "accepted with an instruction in no time", round);
    }
    core_show(c, nowhere);
}

static void check_table(struct dice *d, uint64_t round)
{
    static char text[TEXT_MAX];
    struct mh_error err = {""};
    struct core c;
    size_t n = strlen(strcpy(text, texts[roll(d, count)]));
    for (uint64_t i = roll(d, 4) + 1; i; i--) {
        n = change(d, text, n);
        text[n] = 0;
    }
    if (core_load(&c, "fuzz.yaml", text, n, &err)) {
        refused++;
        hold(!strncmp(err.text, "fuzz.yaml", 9), "refused without the file's name", round);
        return;
    }
    accepted++;
    check_core(&c, round);
    core_close(&c);
}

static void open_all(void)
{
    struct mh_error err;
    char path[HOST_PATH];
    size_t length;
    for (const char *const *n = core_names(); *n; n++, count++) {
        if (count == CORES_MAX)
            die("more tables than CORES_MAX, with ", *n);
        snprintf(path, sizeof path, "host/mcu/cores/%s.yaml", *n);
        texts[count] = read_file(path, &length, &err);
        if (core_open(&cores[count], *n, &err) || !texts[count] || length >= TEXT_MAX)
            die("run it from the top of the tree: ", path);
    }
}

static void close_all(void)
{
    for (unsigned i = 0; i < count; i++) {
        core_close(&cores[i]);
        free(texts[i]);
    }
}

int main(int argc, char **argv)
{
    uint64_t iterations = dice_argument(argc, argv, 1, 20000), seed = dice_argument(argc, argv, 2, 1);
    struct dice d = {seed, 0};
    printf("fuzz_core: %" PRIu64 " iterations, seed %" PRIu64 "\n", iterations, seed);
    open_all();
    all_compressed(&d);
    for (uint64_t i = 0; i < iterations; i++) {
        d = (struct dice){seed + i, 0};
        for (unsigned w = 0; w < WORDS; w++) {
            check_insn(random_word(&d));
            check_cost(&d);
        }
        check_table(&d, i);
    }
    close_all();
    hold(iterations < 1000 || (accepted > iterations / 20 && refused > iterations / 20),
         "the inputs reached too little", accepted);
    printf("fuzz_core: ok: %u tables accepted, %u refused\n", accepted, refused);
    return 0;
}
