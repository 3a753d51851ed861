#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/process.h"
#include "base/words.h"
#include "argument.h"
#include "memhelm/registers.h"
#include "base/hash.h"

const struct command command_table[] = {
#define COMMAND(name, summary) {#name, summary, &name##_argp, cmd_##name},
#include "commands.def"
#undef COMMAND
    {0}};

const char commands_title[] = "policy firmware at the helm of a modelled GPU memory system";

const char commands_about[] =
    "A run boots the image on a management core in QEMU; its GPU is a cycle model behind registers. The tenants of "
    "the\n"
    "workload share the GPU, each on its own SMs, all on one L2 TLB, L2 cache and DRAM. The same input gives the same\n"
    "bytes in the results.\n"
    "\n"
    "Start here:\n"
    "  memhelm compare baseline mask-tlb --workload MVT+GUPS --cycles 300000\n"
    "  memhelm list config                        every number of the GPU, to be changed with --set\n"
    "  memhelm doctor                             is all here that it needs?\n"
    "  memhelm COMMAND --help                     all options, more examples\n"
    "  memhelm --version\n";

const struct command *command_find(const char *name)
{
    for (const struct command *c = command_table; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

const struct command *command_formerly(const char *old)
{
    if (strcmp(old, "assumptions") != 0)
        return NULL;
    fputs("memhelm: the command `assumptions` is now `memhelm sensitivity`\n", stderr);
    return command_find("sensitivity");
}

int command_unknown(const char *word)
{
    struct nearest near = nearest_begin(word, "");
    struct mh_error err;
    char list[256] = "";
    if (!strcmp(word, "man"))
        return bad_input(
            &(struct mh_error){"`memhelm man` is now `make man`, and `man memhelm-COMMAND` after an installation"});
    if (*word == '-') {
        nearest_try(&near, "--help");
        nearest_try(&near, "--version");
    }
    for (const struct command *c = command_table; c->name; c++) {
        nearest_try(&near, c->name);
        text_add(list, sizeof list, "", " %s", c->name);
    }
    snprintf(err.text, sizeof err.text, "unknown command '%.60s'%s%s; there are:%s; see `memhelm --help`", word,
             meant_by(word, MEANT_OTHER).text, near.text, list);
    return bad_input(&err);
}

#define WHEN "auto always never"

enum { KEY_COLOR = 0x4000 /* apart from the options of any command */ };

static void set_colour(const char *text, struct argp_state *state)
{
    static const char *const words[] = {[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    for (enum colour_when w = COLOUR_AUTO; w <= COLOUR_NEVER; w++)
        if (!strcmp(text, words[w])) {
            colour_set(w);
            return;
        }
    argp_error(state, "--color: '%.40s'%s; there are: " WHEN, text, nearest_word(text, WHEN).text);
}

static const struct argp *parsed; /* the command's */

/* Of the command: by its letter, if it has one. */
static const char *option_of(const char *name)
{
    static char text[40];
    struct described list[DESCRIBE_OPTIONS];
    const struct described *o = describe_find(list, describe_options(parsed, list), name, strlen(name));
    if (o && o->letter)
        snprintf(text, sizeof text, "-%c", o->letter);
    else
        snprintf(text, sizeof text, "--%s", name);
    return o ? text : NULL;
}

static error_t parse_every(int key, char *arg, struct argp_state *state)
{
    if (key == ARGP_KEY_INIT)
        whole_options_check(state, parsed);
    if (key == ARGP_KEY_ARG && !(state->flags & ARGP_IN_ORDER)) /* a word that the command has no place for */
        argument_meant(arg, MEANT_OTHER, state);
    if (key != KEY_COLOR)
        return ARGP_ERR_UNKNOWN;
    set_colour(arg, state);
    return 0;
}

static const struct argp_option every_options[] = {
    {"color", KEY_COLOR, "auto|always|never", 0,
     "Colour of verdicts and errors; auto: on a terminal, unless NO_COLOR is set", -1},
    {0}};
const struct argp every_argp = {.options = every_options, .parser = parse_every};

/* A parser that is NULL hands its input to the first child. */
static void parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {&every_argp, 0, NULL, 0}, {0}};
    const struct argp whole = {.children = children};
    struct mh_error err;
    parsed = argp;
    meant_options(option_of);
    argp_parse(&whole, argc, argv, flags, NULL, input);
    if (files_take(&err))
        exit(bad_input(&err));
}

void command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    parse(argp, argc, argv, 0, input);
}

void command_parse_in_order(const struct argp *argp, int argc, char **argv, void *input)
{
    parse(argp, argc, argv, ARGP_IN_ORDER, input);
}

void version_print(FILE *out)
{
    fprintf(out, "memhelm %s, register table version %d, commit %s\nmodel %s\nmachine %s\n", MEMHELM_VERSION,
            MH_REGISTERS_VERSION, provenance_commit(), provenance_model(), provenance_machine());
}
