#include "image.h"

#include <stddef.h>
#include <string.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../firmware/image/common/groups.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/words.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "timing.h"

#define POLICY(name) #name " "

const struct image_row image_rows[] = {
#define IMAGE(name, paper, preset, steers, needs, sentence, policies)                                                  \
    {name, paper, preset, steers, needs, sentence, "defaults " policies},
#include "../../firmware/images.def"
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL}};

const struct paper_row paper_rows[] = {
#define PAPER(...) {__VA_ARGS__},
#include "../../firmware/images.def"
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};

const struct image_row *image_row(const char *name)
{
    for (const struct image_row *r = image_rows; r->name; r++)
        if (!strcmp(r->name, name))
            return r;
    return NULL;
}

const char *paper_preset(const struct paper_row *p)
{
    return *p->preset ? p->preset : image_row(p->image)->preset;
}

void paper_command(const struct paper_row *p, const char *program, FILE *out)
{
    char settings[160], *rest = NULL;
    snprintf(settings, sizeof settings, "%s", p->settings);
    fprintf(out, "%s compare %s %s -w %s", program, p->baseline, p->image, p->workload);
    if (*p->preset)
        fprintf(out, " -p %s", p->preset);
    for (char *s = strtok_r(settings, " ", &rest); s; s = strtok_r(NULL, " ", &rest))
        fprintf(out, " -s %s", s);
    fprintf(out, " --cycles %s", p->cycles);
}

const char *image_formerly(const char *old)
{
    static const struct {
        const char *old, *now;
    } names[] = {
#define FORMERLY(was, is) {was, is},
#include "../../firmware/images.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i].old, old))
            return names[i].now;
    return NULL;
}

static const char *(*option_named)(const char *option);

void meant_options(const char *(*how)(const char *option))
{
    option_named = how;
}

static bool is_file(const char *word)
{
    struct stat st;
    return !stat(word, &st) && S_ISREG(st.st_mode);
}

static bool ends(const char *word, const char *end)
{
    const size_t n = strlen(word), m = strlen(end);
    return n > m && !strcmp(word + n - m, end);
}

static bool is_built(const char *folder, const char *name, const char *suffix)
{
    char path[2 * HOST_PATH];
    const int n = snprintf(path, sizeof path, "%s/%s/%s%s", exe_dir(), folder, name, suffix);
    return n < (int)sizeof path && !strchr(name, '/') && !access(path, R_OK);
}

static bool is_elf(const char *word)
{
    char magic[4] = "";
    FILE *f = is_file(word) ? fopen(word, "rb") : NULL;
    const bool elf = f && fread(magic, 1, 4, f) == 4 && !memcmp(magic, "\177ELF", 4);
    if (f)
        fclose(f);
    return elf;
}

static bool is_image(const char *word)
{
    return is_built("firmware", word, ".elf") || is_built("twin", word, ".so") || is_elf(word);
}

static bool is_tenant(const char *word)
{
    return !strncmp(word, "trace:", strlen("trace:")) || mh_kernel_find(word);
}

/* Of A+B the first part that is no tenant; NULL: all are. */
static const char *wrong_part(const char *word, char part[MH_PATH_MAX])
{
    for (; *word; word += *word == '+') {
        const size_t n = strcspn(word, "+");
        snprintf(part, MH_PATH_MAX, "%.*s", (int)n, word);
        if (!is_tenant(part))
            return part;
        word += n;
    }
    return NULL;
}

static bool is_workload(const char *word)
{
    char part[MH_PATH_MAX];
    return *word && !wrong_part(word, part);
}

static bool is_preset(const char *word)
{
    return mh_preset_summary(word) != NULL;
}

static bool is_design(const char *word)
{
    return mh_design_summary(word) != NULL;
}

static bool is_core(const char *word)
{
    for (const char *const *n = core_names(); *n; n++)
        if (!strcmp(*n, word))
            return true;
    return false;
}

static const struct kind {
    bool (*is)(const char *word);
    const char *what, *option;
} kinds[] = {
    [MEANT_IMAGE] = {is_image, "an image", "image"},    [MEANT_WORKLOAD] = {is_workload, "a workload", "workload"},
    [MEANT_PRESET] = {is_preset, "a preset", "preset"}, [MEANT_DESIGN] = {is_design, "a design", "design"},
    [MEANT_CORE] = {is_core, "a core", "core"},         [MEANT_FILE] = {is_file, "a file", "config"}};

/* `before` stands before the word behind the option. */
static void add(struct meant *m, const char *word, const char *what, const char *option, const char *before)
{
    const char *how = option_named ? option_named(option) : NULL;
    char shown[100];
    escape_text(shown, sizeof shown, word);
    text_add(m->text, sizeof m->text, "", "; %s is %s", shown, what);
    if (how)
        text_add(m->text, sizeof m->text, "", ": %s %s%s", how, before, shown);
}

static void add_source(struct meant *m, const char *word)
{
    char shown[100];

    escape_text(shown, sizeof shown, word);
    snprintf(m->text, sizeof m->text, "; %s is a source: memhelm build %s", shown, shown);
}

static void add_file(struct meant *m, const char *word, bool image)
{
    if (ends(word, ".elf") || ends(word, ".so"))
        return; /* one that is damaged */
    if (ends(word, ".signed"))
        snprintf(m->text, sizeof m->text, "; a signed image is for memhelm run --verify");
    else if (ends(word, ".c"))
        add_source(m, word);
    else if (ends(word, ".yaml") || ends(word, ".yml"))
        add(m, word, "a configuration", "config", "");
    else if (strstr(word, ".gmt") || strstr(word, ".traceg") || ends(word, "kernelslist.g"))
        add(m, word, "a recorded trace", "workload", "trace:");
    else
        add(m, word, image ? "no ELF file; a kernel may take it" : "a file, which a kernel may take", "workload",
            "SPMV:");
}

/* Tenants that a comma separates, as workloads of a sweep are. */
static void add_joined(struct meant *m, const char *word)
{
    char joined[MH_PATH_MAX];
    const char *how = option_named ? option_named("workload") : NULL;
    snprintf(joined, sizeof joined, "%s", word);
    for (char *comma; (comma = strchr(joined, ','));)
        *comma = '+';
    if (is_workload(joined))
        snprintf(m->text, sizeof m->text, "; + joins tenants: %s%s%.200s", how ? how : "", how ? " " : "", joined);
}

struct meant meant_by(const char *word, enum meant_place place)
{
    struct meant m = {""};
    char part[MH_PATH_MAX];
    if (place == MEANT_OTHER ? !*word : kinds[place].is(word))
        return m;
    if (place == MEANT_WORKLOAD && !is_file(word))
        word = wrong_part(word, part);
    if (word && place == MEANT_WORKLOAD && strchr(word, ','))
        add_joined(&m, word);
    for (enum meant_place k = MEANT_IMAGE; word && k < MEANT_FILE; k++)
        if (kinds[k].is(word))
            add(&m, word, kinds[k].what, kinds[k].option, "");
    if (word && !*m.text && is_file(word))
        add_file(&m, word, place == MEANT_IMAGE);
    return m;
}
