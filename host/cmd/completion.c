#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "commands.h"
#include "complete.h"

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
