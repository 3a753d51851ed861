#include <argp.h>

#include "argument.h"
#include "commands.h"
#include "init/init.h"

static const char doc[] =
    "Compiles and links a firmware image of your own policy, which may lie anywhere: one C file, several, or a folder "
    "of them. Each file may #include what firmware/policy and firmware/platform have: \"policy.h\", \"param.h\", "
    "\"platform/console.h\". Every `const struct policy policy_NAME` in them is in the image.\v"
    "Needs the Debian packages gcc-riscv64-unknown-elf and make. The linker's map lies beside the image. "
    "FIRMWARE_CFLAGS=-Og in the environment is for single steps in gdb. An image of the tree has a native twin; this "
    "one has not.\n"
    "\n"
    "Examples:\n"
    "  memhelm init walk_share --here && memhelm build walk_share.c\n"
    "  memhelm build mine.c                      ./mine.elf\n"
    "  memhelm build mine.c --with dws -o both.elf\n"
    "      the policies of image dws decide first, then mine\n"
    "  memhelm build policies                    all .c files of a folder\n"
    "  memhelm compare baseline ./mine.elf -w GUPS+3DS -p dws --cycles 1M\n"
    "\n"
    "Exit codes: 0 built; 2 not built, and why.";

enum { KEY_WITH = 0x100 };

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "The image, NAME.elf (default: named after the first source, in this folder)", 0},
    {"with", KEY_WITH, "IMAGE,...", 0, "The policies of these images, too; they decide before yours", 0},
    {0},
};

static const struct take takes[] = {
    {'o', TAKE_FILE, .at = offsetof(struct build_request, out), .what = "an image"},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct build_request *q = state->input;

    switch (key) {
    case KEY_WITH:
        words_split(&q->with, arg);
        return 0;
    case ARGP_KEY_ARG:
        files_input(arg);
        words_add(&q->sources, arg);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which policy? a C file or a folder; `memhelm init NAME --here` makes NAME.c");
        return 0;
    default:
        return argument_take(takes, q, key, arg, state);
    }
}

const struct argp build_argp = {.options = options, .parser = parse, .args_doc = "FILE.c...", .doc = doc};

int cmd_build(int argc, char **argv)
{
    struct build_request q = {0};
    struct mh_error err;

    command_parse(&build_argp, argc, argv, &q);
    int status = files_check(&err) ? -1 : build_image(&q, &err);
    words_free(&q.sources);
    words_free(&q.with);
    return status < 0 ? bad_input(&err) : status ? EXIT_BAD_INPUT : EXIT_PASSED;
}
