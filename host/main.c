#include <argp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "commit.h"
#include "base/provenance.h"
#include "base/nearest.h"
#include "base/signals.h"
#include "cmd/version.h"
#include "memhelm/error.h"

static const char help[] =
    "memhelm: policy firmware at the helm of a modelled GPU memory system\n"
    "\n"
    "  memhelm run      one firmware image on a workload: what it did to each tenant, and what it cost\n"
    "  memhelm compare  several images on the same workload, a row each\n"
    "  memhelm classes  every kernel alone: is it light or heavy, regular or irregular, as its paper says?\n"
    "  memhelm reproduce  a paper's evaluation: its numbers beside ours, row by row\n"
    "  memhelm assumptions  which of the values that no source gives a paper's headlines hang on\n"
    "  memhelm budget   does a policy fit the mcu: bytes, stack, cycles per decision, deadlines\n"
    "  memhelm latency  what it costs that a policy decides in firmware: from which clock on is its gain kept?\n"
    "  memhelm sweep    images and workloads over a range of GPUs: a grid, a sample, a list of points\n"
    "  memhelm search   every CTA combination of kernels that share SMs: which one is the best?\n"
    "  memhelm table    a sweep's points, or means of them: on the terminal, as CSV, JSON or Markdown\n"
    "  memhelm plot     the same as lines, bars or a heat map; runs' epoch logs\n"
    "  memhelm dram     the DRAM channel alone, driven by a trace of requests\n"
    "  memhelm trace    what a recorded trace holds; Accel-Sim's traces in a compact format\n"
    "  memhelm record   an OpenCL program, run without a GPU, as a trace\n"
    "  memhelm init     a new policy, its image and its test, out of the template\n"
    "  memhelm doctor   what is installed, what is missing, and the remedy\n"
    "  memhelm list     images | presets | designs | kernels | sharing | traces | cores | values | config\n"
    "\n"
    "A run boots the image on a management core in QEMU; its GPU is a cycle model behind registers. The tenants of "
    "the\n"
    "workload share the GPU, each on its own SMs, all on one L2 TLB, L2 cache and DRAM. The same input gives the same\n"
    "bytes in the results.\n"
    "\n"
    "Start here:\n"
    "  memhelm compare baseline mask-tlb --workload MVT+GUPS --cycles 300000\n"
    "  memhelm list config                        every number of the GPU, to be changed with --set\n"
    "  memhelm COMMAND --help                     all options, more examples\n"
    "  memhelm --version\n";

static bool reader_is_gone(void)
{
    struct pollfd out = {STDOUT_FILENO, POLLOUT, 0};
    return poll(&out, 1, 0) == 1 && out.revents & POLLERR;
}

/* A table that could not be written is not to pass for one that was, nor a command that was interrupted for another. */
static int written(int code)
{
    int signal = signals_pending();
    if (signal)
        return 128 + signal;
    if ((!fflush(stdout) && !ferror(stdout)) || reader_is_gone())
        return code;
    fputs("memhelm: standard output: cannot write all of it: is its disk full?\n", stderr);
    return code ? code : EXIT_BAD_INPUT;
}

static const struct {
    const char *name, *title;
    int (*run)(int argc, char **argv);
} commands[] = {{"run", "memhelm run", cmd_run},
                {"compare", "memhelm compare", cmd_compare},
                {"classes", "memhelm classes", cmd_classes},
                {"reproduce", "memhelm reproduce", cmd_reproduce},
                {"assumptions", "memhelm assumptions", cmd_assumptions},
                {"budget", "memhelm budget", cmd_budget},
                {"latency", "memhelm latency", cmd_latency},
                {"search", "memhelm search", cmd_search},
                {"sweep", "memhelm sweep", cmd_sweep},
                {"table", "memhelm table", cmd_table},
                {"plot", "memhelm plot", cmd_plot},
                {"dram", "memhelm dram", cmd_dram},
                {"trace", "memhelm trace", cmd_trace},
                {"record", "memhelm record", cmd_record},
                {"list", "memhelm list", cmd_list},
                {"init", "memhelm init", cmd_init},
                {"doctor", "memhelm doctor", cmd_doctor}};

/* --version of every command. */
static void print_version(FILE *out, struct argp_state *state)
{
    (void)state;
    version_print(out);
}

static int unknown_command(const char *word)
{
    struct nearest near = nearest_begin(word, "");
    struct mh_error err;
    char list[256] = "";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        nearest_try(&near, commands[i].name);
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", commands[i].name);
    }
    snprintf(err.text, sizeof err.text, "unknown command '%.60s'%s; there are:%s; see `memhelm --help`", word,
             near.text, list);
    return bad_input(&err);
}

static int run_command(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name)) {
            argv[1] = (char *)commands[i].title;
            return written(commands[i].run(argc - 1, argv + 1));
        }
    return unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_program_version_hook = print_version;
    provenance_set_commit(BUILD_COMMIT);
    signals_catch();
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        fputs(help, argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_BAD_INPUT : written(EXIT_PASSED);
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        version_print(stdout);
        return written(EXIT_PASSED);
    }
    return run_command(argc, argv);
}
