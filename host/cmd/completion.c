/* `memhelm completion`: scripts for shells, and the words that may stand where a command line ends. */
#include "base/words.h"

#include <argp.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "argument.h"
#include "commands.h"
#include "values.h"

/* The command line: a command, its options, and what is typed so far. */
struct line {
    const char *const *words;
    unsigned count; /* behind the command, the last being `typed` */
    const char *typed;
    const struct command *command;
    struct described options[DESCRIBE_OPTIONS];
    unsigned option_count;
    FILE *out;
    const char *before; /* is put before each candidate: what of a word stays */
    size_t before_length;
};

static void give(struct line *l, const char *word, const char *about)
{
    if (!strncmp(word, l->typed, strlen(l->typed)))
        fprintf(l->out, "%.*s%s\t%.*s\n", (int)l->before_length, l->before, word, (int)strcspn(about, "\n"), about);
}

static void give_value(void *ctx, const char *word, const char *about)
{
    give(ctx, word, about);
}

/* What is typed stays up to `at`, from which on it is completed. */
static void keep(struct line *l, const char *at)
{
    if (!l->before)
        l->before = l->typed;
    l->before_length = (size_t)(at - l->before);
    l->typed = at;
}

/* In A+B the last tenant, in A,B the last of the list. */
static void keep_parts(struct line *l, const char *arg, bool tenants)
{
    const char *comma = strchr(arg, ',') ? strrchr(l->typed, ',') : NULL,
               *plus = tenants ? strrchr(l->typed, '+') : NULL;
    if (comma || plus)
        keep(l, (plus > comma ? plus : comma) + 1);
}

/* The words in small letters of an argument such as stop|recover, N|inf or NAME|FILE. */
static void give_choices(struct line *l, const char *arg)
{
    char word[32];
    for (size_t length; *arg; arg += length, arg += *arg == '|') {
        length = strcspn(arg, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, arg);
        if (islower((unsigned char)*word))
            give(l, word, "");
    }
}

static void give_places(struct line *l, const char *arg, enum value_kind kind)
{
    if (strstr(arg, "FILE") || kind == VALUE_FILES)
        fputs(":files\n", l->out);
    else if (!strcmp(arg, "DIR") || kind == VALUE_DIRECTORIES)
        fputs(":directories\n", l->out);
}

/* The first word that is no option and no option's value; NULL when there is none. */
static const char *first_argument(const struct line *l);

static void give_values(struct line *l, const struct described *o)
{
    enum value_kind kind = value_of_option(l->command->name, o->name, o->arg);
    keep_parts(l, o->arg, kind == VALUE_KERNELS);
    value_list(kind, first_argument(l), give_value, l);
    give_choices(l, o->arg);
    give_places(l, o->arg, kind);
}

static void give_options(struct line *l)
{
    char word[64];
    for (unsigned i = 0; i < l->option_count; i++) {
        const struct described *o = &l->options[i];
        if (!o->name)
            continue;
        snprintf(word, sizeof word, "--%s", o->name);
        give(l, word, o->doc);
    }
}

/* The option whose value the word behind `word` is; NULL when it takes none, or has it already. */
static const struct described *waits(const struct line *l, const char *word)
{
    const struct described *o = NULL;
    if (!strncmp(word, "--", 2) && !strchr(word, '='))
        o = describe_find(l->options, l->option_count, word + 2, strlen(word + 2));
    else if (word[0] == '-' && word[1] && !word[2])
        o = describe_find(l->options, l->option_count, word + 1, 1);
    return o && o->arg && !o->optional ? o : NULL;
}

/* Of `--opt` `=` `value`, as bash parts it, the three are one. */
static bool is_value(const struct line *l, unsigned i)
{
    if (i && waits(l, l->words[i - 1]))
        return true;
    return i > 1 && !strcmp(l->words[i - 1], "=") && waits(l, l->words[i - 2]);
}

static bool is_argument(const struct line *l, unsigned i)
{
    return l->words[i][0] != '-' && strcmp(l->words[i], "=") != 0 && !is_value(l, i);
}

static const char *first_argument(const struct line *l)
{
    for (unsigned i = 0; i + 1 < l->count; i++)
        if (is_argument(l, i))
            return l->words[i];
    return NULL;
}

/* --- Arguments, by the lines of the command's args_doc. */

/* The word number `n` of a line, or the last one if it may be repeated; its length in `length`, 0 when there is none.
 */
static const char *word_of(const char *text, unsigned n, size_t *length)
{
    size_t line = strcspn(text, "\n");
    const char *end = text + line, *word = text;
    for (;; n--) {
        *length = 0;
        word += strspn(word, " ");
        if (word >= end)
            return NULL;
        *length = strcspn(word, " \n");
        bool repeated = *length > 3 && !strncmp(word + *length - 3, "...", 3);
        if (!n || repeated)
            return word;
        word += *length;
    }
}

static bool literal(const char *word)
{
    return islower((unsigned char)*word);
}

/* Do the arguments before the one that is typed fit this line? */
static bool fits(const struct line *l, const char *text)
{
    unsigned n = 0;
    for (unsigned i = 0; i + 1 < l->count; i++) {
        size_t length;
        if (!is_argument(l, i))
            continue;
        const char *word = word_of(text, n++, &length);
        if (!word || (literal(word) && (strlen(l->words[i]) != length || strncmp(word, l->words[i], length))))
            return false;
    }
    return true;
}

static unsigned arguments_before(const struct line *l)
{
    unsigned n = 0;
    for (unsigned i = 0; i + 1 < l->count; i++)
        n += is_argument(l, i);
    return n;
}

static void give_argument(struct line *l, const char *word, size_t length, bool again)
{
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    const char *bare = text + (*text == '[');
    if (literal(text) && !again)
        give(l, text, "");
    if (literal(text) || *bare == '-')
        return;
    enum value_kind kind = value_of_argument(bare);
    value_list(kind, NULL, give_value, l);
    give_places(l, bare, kind);
    if (kind == VALUE_IMAGES) /* the path of an ELF file is one, too */
        fputs(":files\n", l->out);
}

/* Several lines may begin with one word: it is given once. */
static bool given(const char *all, const char *line, const char *word, size_t length, unsigned n)
{
    for (const char *text = all; text < line; text += strcspn(text, "\n") + 1) {
        size_t other;
        const char *before = word_of(text, n, &other);
        if (before && other == length && !strncmp(before, word, length))
            return true;
    }
    return false;
}

static void give_arguments(struct line *l)
{
    const char *all = l->command->argp->args_doc;
    unsigned n = arguments_before(l);
    for (const char *text = all; text && *text; text += strcspn(text, "\n"), text += *text == '\n') {
        size_t length;
        const char *word = word_of(text, n, &length);
        if (word && fits(l, text))
            give_argument(l, word, length, given(all, text, word, length, n));
    }
}

/* --- */

static void give_of_command(struct line *l)
{
    unsigned last = l->count - 1;
    const char *equals = strchr(l->typed, '=');
    const struct described *o = last ? waits(l, l->words[last - 1]) : NULL;
    if (o && !strcmp(l->typed, "=")) /* of bash: what is typed is the = alone */
        l->typed = "";
    if (!o && last > 1 && !strcmp(l->words[last - 1], "="))
        o = waits(l, l->words[last - 2]);
    if (!o && !strncmp(l->typed, "--", 2) && equals) {
        o = describe_find(l->options, l->option_count, l->typed + 2, (size_t)(equals - l->typed - 2));
        o = o && o->arg ? o : NULL;
        keep(l, equals + 1);
    }
    if (o)
        give_values(l, o);
    else if (*l->typed == '-')
        give_options(l);
    else
        give_arguments(l);
}

static void give_commands(struct line *l)
{
    static const char *const own[] = {"--help", "--version"};
    for (const struct command *c = command_table; c->name; c++)
        give(l, c->name, c->summary);
    for (size_t i = 0; i < 2 && *l->typed == '-'; i++)
        give(l, own[i], "");
}

/*
 * `words` are those behind `memhelm`, the last one being what is typed so far, perhaps "". Prints each candidate in a
 * line, a tab and a line about it behind it; where a file or a directory may stand, a line `:files` or `:directories`.
 * Shells may have parted `--option=value` at the =, as bash does.
 */
static void complete_words(const char *const *words, unsigned count, FILE *out)
{
    static struct line l;
    memset(&l, 0, sizeof l);
    l.out = out;
    l.typed = count ? words[count - 1] : "";
    if (count < 2) {
        give_commands(&l);
        return;
    }
    l.command = command_find(words[0]);
    if (!l.command)
        return;
    l.words = words + 1;
    l.count = count - 1;
    l.option_count = describe_options(l.command->argp, l.options);
    give_of_command(&l);
}

/* --- The command. */

static const char doc[] = "Prints a script that teaches a shell to complete memhelm's commands, options and names: of "
                          "images, presets, designs, "
                          "kernels, cores, studies and their rows, keys.\v"
                          "The script asks memhelm itself at each Tab, so that it knows what is built.\n"
                          "\n"
                          "Examples:\n"
                          "  source <(memhelm completion bash)        in ~/.bashrc\n"
                          "  source <(memhelm completion zsh)         in ~/.zshrc, behind compinit\n"
                          "  memhelm completion fish > ~/.config/fish/completions/memhelm.fish\n"
                          "\n"
                          "Exit codes: 0; 2 bad input.";

/* Paths start at the top of the tree: the assembler gets -I. from the Makefile. */
#define SHELL(name)                                                                                                    \
    extern const char completion_##name[];                                                                             \
    __asm__(".pushsection .rodata\n"                                                                                   \
            ".global completion_" #name "\n"                                                                           \
            "completion_" #name ": .incbin \"host/cmd/completion/memhelm." #name "\"\n"                                \
            ".byte 0\n"                                                                                                \
            ".popsection\n")
SHELL(bash);
SHELL(zsh);
SHELL(fish);

static const struct shell {
    const char *name, *script;
} shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};

enum { WORDS = 256 };

struct request {
    const char *words[WORDS];
    unsigned count;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (r->count == WORDS)
            argp_error(state, "more than %d words", WORDS);
        else
            r->words[r->count++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "of which shell? bash, zsh or fish");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp completion_argp = {.parser = parse, .args_doc = "bash\nzsh\nfish\nwords -- WORD...", .doc = doc};

int cmd_completion(int argc, char **argv)
{
    static struct request r;
    struct mh_error err;
    command_parse(&completion_argp, argc, argv, &r);
    if (!strcmp(r.words[0], "words")) {
        complete_words(r.words + 1, r.count - 1, stdout);
        return EXIT_PASSED;
    }
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(r.words[0], shells[i].name) && r.count == 1) {
            fputs(shells[i].script, stdout);
            return EXIT_PASSED;
        }
    snprintf(err.text, sizeof err.text, "no completion of '%.60s'%s; there are: bash zsh fish", r.words[0],
             nearest_word(r.words[0], "bash zsh fish").text);
    return bad_input(&err);
}
