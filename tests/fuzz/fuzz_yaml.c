/*
 * Mutated presets through the YAML reader, assignments and workload specifications.
 *   fuzz_yaml [ITERATIONS [SEED]]
 * Deterministic. Nothing may crash; what is refused leaves the configuration as it was, with a text that names the
 * line; what is accepted and resolves is written and read back to the same bytes. Bases are files that were mutated,
 * too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/internal.h"
#include "fuzz/dice.h"
#include "memhelm/config_file.h"

enum { TEXT_MAX = 1 << 15 };

static uint64_t rng;
static unsigned accepted, refused, resolved, inherited;

/* xorshift64* */
static uint32_t below(uint32_t n)
{
    rng ^= rng >> 12;
    rng ^= rng << 25;
    rng ^= rng >> 27;
    return (uint32_t)((rng * 0x2545f4914f6cdd1dull) >> 32) % n;
}

static const char *const pieces[] = {"sm:",
                                     "  count: 4\n",
                                     "\n",
                                     "tenants:\n- {kernel: MVT}\n",
                                     "- ",
                                     "{",
                                     "}",
                                     "[",
                                     "]",
                                     ": ",
                                     "#",
                                     "\t",
                                     "&a ",
                                     "*a",
                                     "|",
                                     ">",
                                     "\"",
                                     "'",
                                     "---\n",
                                     "...\n",
                                     "!!",
                                     "<<: *a",
                                     "~",
                                     "inf",
                                     "0x10",
                                     "-1",
                                     "99999999999999999999",
                                     "\xc3\xa4",
                                     "\xff",
                                     "preset: mask\n",
                                     "base: gddr6\n",
                                     "\nbase: [one, two]\n",
                                     "\nbase: two\n",
                                     "%YAML 1.1\n",
                                     "? ",
                                     "tenants[0].size",
                                     "=",
                                     "+",
                                     "trace:x",
                                     "@",
                                     "BFS@mesh",
                                     "uvm:\n  mode: on\n",
                                     "  capacity: 75%\n",
                                     "unlimited",
                                     "%"};

/* Changes `text` in one place; returns its new length. */
static size_t mutate(char *text, size_t n)
{
    size_t at = n ? below((uint32_t)n) : 0, length;
    const char *piece = pieces[below(sizeof pieces / sizeof *pieces)];
    switch (below(5)) {
    case 0:
        if (n)
            text[at] = (char)below(256);
        return n;
    case 1:
        length = below(40);
        length = length < n - at ? length : n - at;
        memmove(text + at, text + at + length, n - at - length);
        return n - length;
    case 2:
        return n ? at : 0;
    default:
        length = strlen(piece);
        if (n + length >= TEXT_MAX)
            return n;
        memmove(text + at + length, text + at, n - at);
        memcpy(text + at, piece, length);
        return n + length;
    }
}

static void check_written(const struct mh_config *cfg, const char *path)
{
    struct mh_config back;
    struct mh_error err;
    FILE *f = fopen(path, "w");
    require(f != NULL, "cannot write");
    int status = mh_config_write(cfg, f, &err);
    fclose(f);
    require(!status, "cannot be written as YAML");
    memset(&back, 0, sizeof back);
    require(mh_config_load(&back, path, &err) == 0, "what was written is refused");
    require(!memcmp(&back, cfg, sizeof back), "what was written reads back differently");
}

/* One input, refused or accepted. */
static void judge(const struct mh_config *before, struct mh_config *cfg, int status, const struct mh_error *err,
                  const char *path)
{
    struct mh_error why;
    if (status) {
        refused++;
        require(*err->text, "refused without a reason");
        require(!memcmp(before, cfg, sizeof *cfg), "refused, but the configuration has changed");
        return;
    }
    accepted++;
    if (!mh_config_resolve(cfg, &why)) {
        resolved++;
        check_written(cfg, path);
    }
}

static void start_config(struct mh_config *cfg)
{
    struct mh_error err;
    require(mh_config_preset(cfg, "mask", &err) == 0, "the preset is refused");
    require(mh_config_workload(cfg, "MVT+GUPS", &err) == 0, "the workload is refused");
}

/* A preset, a DRAM set or a design, mutated so often; returns its length. */
static size_t mutated(char text[TEXT_MAX], uint32_t times)
{
    static const struct mh_preset_set *const sets[] = {&mh_presets, &mh_dram_presets, &mh_designs};
    const struct mh_preset_set *set = sets[below(3)];
    const struct mh_preset *file = &set->preset[below((uint32_t)set->count)];
    size_t n = (size_t)(file->end - file->text);
    memcpy(text, file->text, n);
    for (; times; times--)
        n = mutate(text, n);
    return n;
}

static void fuzz_file(const char *path)
{
    static char text[TEXT_MAX];
    struct mh_config cfg, before;
    struct mh_error err = {""};
    size_t n = mutated(text, below(4) + 1);
    FILE *f = fopen(path, "w");
    require(f && fwrite(text, 1, n, f) == n, "cannot write");
    fclose(f);
    start_config(&cfg);
    memcpy(&before, &cfg, sizeof cfg);
    int status = mh_config_load(&cfg, path, &err);
    require(!status || !strncmp(err.text, path, strlen(path)), "the error does not begin with the file's name");
    judge(&before, &cfg, status, &err, path);
}

/* Two files, of which each may be the base of the other. */
static void fuzz_bases(const char *path)
{
    static const char *const starts[] = {"", "base: one\n", "base: two\n", "base: [two, hbm2]\n"};
    static char texts[2][TEXT_MAX + 1];
    struct mh_preset files[2] = {{.name = "one", .file = "one.yaml"}, {.name = "two", .file = "two.yaml"}};
    const struct mh_preset_set set = {"preset", files, 2, &mh_presets};
    struct mh_config cfg, before;
    struct mh_error err = {""};
    for (size_t i = 0; i < 2; i++) {
        size_t n = mutated(texts[i], below(3));
        texts[i][n] = 0;
        const char *start = strstr(texts[i], "base: ") ? "" : starts[below(4)];
        size_t head = strlen(start);
        n = n + head < TEXT_MAX ? n : TEXT_MAX - head;
        memmove(texts[i] + head, texts[i], n);
        memcpy(texts[i], start, head);
        files[i].text = texts[i];
        files[i].end = texts[i] + head + n;
    }
    start_config(&cfg);
    memcpy(&before, &cfg, sizeof cfg);
    int status = mh_load_named(&cfg, &set, "one", NULL, &err);
    inherited += !status && strstr(texts[0], "base: ");
    require(!status || strstr(err.text, ".yaml:"), "the error does not name a file");
    judge(&before, &cfg, status, &err, path);
}

static void fuzz_text(const char *path)
{
    static const char *const starts[] = {"l2tlb.entries=256", "tenants[1].size=4096", "MVT:64+trace:a.gmt+GUPS",
                                         "uvm.capacity=75%", "uvm.mode=on"};
    char text[TEXT_MAX];
    struct mh_config cfg, before;
    struct mh_error err = {""};
    strcpy(text, starts[below(sizeof starts / sizeof *starts)]);
    size_t n = strlen(text);
    for (uint32_t i = below(4); i; i--)
        n = mutate(text, n);
    text[n] = 0;
    start_config(&cfg);
    memcpy(&before, &cfg, sizeof cfg);
    int status = below(2) ? mh_config_set(&cfg, text, &err) : mh_config_workload(&cfg, text, &err);
    judge(&before, &cfg, status, &err, path);
}

int main(int argc, char **argv)
{
    uint64_t iterations = dice_argument(argc, argv, 1, 20000);
    rng = dice_argument(argc, argv, 2, 1);
    rng = rng ? rng : 1;
    printf("fuzz_yaml: %" PRIu64 " iterations, seed %" PRIu64 "\n", iterations, rng);
    char path[] = "/tmp/memhelm-fuzz-XXXXXX";
    int fd = mkstemp(path);
    require(fd >= 0, "cannot make a file");
    close(fd);
    for (uint64_t i = 0; i < iterations; i++) {
        void (*const fuzz[])(const char *path) = {fuzz_file, fuzz_file, fuzz_bases, fuzz_text};
        fuzz[below(4)](path);
    }
    unlink(path);
    require(iterations < 1000 || (accepted && refused && resolved && inherited), "the inputs reached too little");
    printf("fuzz_yaml: ok: %u accepted, %u of them resolved, %u with bases, %u refused\n", accepted, resolved,
           inherited, refused);
    return 0;
}
