#include "values.h"

#include <string.h>

#include "classes/classes.h"
#include "commands.h"
#include "mcu/image.h"
#include "mcu/timing.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "reproduce/study.h"
#include "search/search.h"
#include "search/combinations.h"

struct rule {
    const char *word;
    enum value_kind kind;
};

/* Options have one meaning in all commands, but for two. */
static const struct rule options[] = {{"image", VALUE_IMAGES},   {"preset", VALUE_PRESETS}, {"design", VALUE_DESIGNS},
                                      {"core", VALUE_CORES},     {"set", VALUE_KEYS},       {"workload", VALUE_KERNELS},
                                      {"kernel", VALUE_KERNELS}, {"key", VALUE_KEYS},       {"row", VALUE_ROWS},
                                      {"paper", VALUE_PAPERS},   {"pairs", VALUE_PAIRS},    {"metric", VALUE_METRICS},
                                      {"vary", VALUE_KEYS},      {"with", VALUE_IMAGES}};
static const struct rule arguments[] = {
    {"IMAGE", VALUE_IMAGES}, {"PAPER", VALUE_STUDIES},  {"COMMAND", VALUE_COMMANDS}, {"PRESET", VALUE_PRESETS},
    {"CORE", VALUE_CORES},   {"KERNEL", VALUE_KERNELS}, {"FILE", VALUE_FILES},       {"DIR", VALUE_DIRECTORIES},
    {"TRACE", VALUE_FILES},  {"OUT", VALUE_FILES}};

static enum value_kind find(const struct rule *rules, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(rules[i].word) == length && !strncmp(rules[i].word, word, length))
            return rules[i].kind;
    return VALUE_NONE;
}

enum value_kind value_of_argument(const char *word)
{
    return find(arguments, sizeof arguments / sizeof *arguments, word, strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"));
}

enum value_kind value_of_option(const char *command, const char *option, const char *arg)
{
    enum value_kind kind = find(options, sizeof options / sizeof *options, option, strlen(option));
    if (kind == VALUE_PRESETS && !strcmp(command, "dram"))
        return VALUE_DRAM_PRESETS;
    if (kind == VALUE_METRICS && strcmp(command, "search") != 0) /* an expression */
        return VALUE_NONE;
    return kind ? kind : value_of_argument(arg);
}

/* --- The lists. */

static value_each *image_each;
static void *image_ctx;

static void give_image(const char *name, bool twin)
{
    image_each(image_ctx, name, twin ? "" : "no native twin");
}

static void give_names(const char *const *names, const char *(*about)(const char *), value_each *each, void *ctx)
{
    for (; *names; names++)
        each(ctx, *names, about ? about(*names) : "");
}

static void give_words(const char *words, value_each *each, void *ctx)
{
    char word[64];
    for (size_t length; *words; words += length) {
        words += strspn(words, " ");
        length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (length)
            each(ctx, word, "");
    }
}

static void give_kernels(value_each *each, void *ctx)
{
    for (const struct mh_kernel *const *k = mh_kernels; *k; k++)
        each(ctx, (*k)->name, (*k)->summary);
}

struct key_list {
    value_each *each;
    void *ctx;
};

static void give_key(void *ctx, const char *key, const char *text, bool number)
{
    const struct key_list *l = ctx;
    char word[128];
    (void)number;
    snprintf(word, sizeof word, "%s=", key);
    l->each(l->ctx, word, text);
}

static void give_keys(value_each *each, void *ctx)
{
    static struct mh_config cfg;
    struct key_list l = {each, ctx};
    if (!mh_config_preset(&cfg, "mask", NULL))
        mh_config_visit(&cfg, give_key, &l);
}

static void give_rows(const char *study, value_each *each, void *ctx)
{
    static struct study s;
    const char *name = study ? study_name(study) : NULL;
    if (!name || study_open(&s, name, NULL, NULL))
        return;
    for (unsigned i = 0; i < s.row_count; i++)
        each(ctx, s.rows[i].id, "");
    study_close(&s);
}

static void give_studies(value_each *each, void *ctx)
{
#define STUDY(paper, what) each(ctx, #paper, what);
#include "reproduce/studies.def"
}

static void give_presets(enum value_kind kind, value_each *each, void *ctx)
{
    if (kind == VALUE_DRAM_PRESETS)
        give_names(mh_dram_preset_names(), mh_dram_preset_summary, each, ctx);
    give_names(mh_preset_names(), mh_preset_summary, each, ctx);
}

static void give_images(value_each *each, void *ctx)
{
    image_each = each;
    image_ctx = ctx;
    (void)image_list(give_image, NULL);
}

static void give_commands(value_each *each, void *ctx)
{
    for (const struct command *c = command_table; c->name; c++)
        each(ctx, c->name, c->summary);
}

void value_list(enum value_kind kind, const char *of, value_each *each, void *ctx)
{
    switch (kind) {
    case VALUE_IMAGES:
        give_images(each, ctx);
        break;
    case VALUE_PRESETS:
    case VALUE_DRAM_PRESETS:
        give_presets(kind, each, ctx);
        break;
    case VALUE_DESIGNS:
        give_names(mh_design_names(), mh_design_summary, each, ctx);
        break;
    case VALUE_CORES:
        give_names(core_names(), NULL, each, ctx);
        break;
    case VALUE_KERNELS:
        give_kernels(each, ctx);
        break;
    case VALUE_KEYS:
        give_keys(each, ctx);
        break;
    case VALUE_STUDIES:
        give_studies(each, ctx);
        break;
    case VALUE_ROWS:
        give_rows(of, each, ctx);
        break;
    case VALUE_COMMANDS:
        give_commands(each, ctx);
        break;
    case VALUE_PAPERS:
        give_words(CLASS_PAPERS, each, ctx);
        break;
    case VALUE_PAIRS:
        give_words(SEARCH_PAIRS, each, ctx);
        break;
    case VALUE_METRICS:
        give_words(SEARCH_METRIC_NAMES, each, ctx);
        break;
    case VALUE_NONE:
    case VALUE_FILES:
    case VALUE_DIRECTORIES:
        break;
    }
}
