#include "commands.h"

#include <string.h>

#include "base/nearest.h"

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

const char commands_environment[] =
    "`MEMHELM_QEMU` and `MEMHELM_CORE_PLUGIN` are paths of another QEMU with machine memhelm, and of its plugin.\n"
    "\n"
    "`XDG_CACHE_HOME` (default: ~/.cache) has memhelm/results.sqlite, which keeps finished runs.\n"
    "\n"
    "`TMPDIR` (default: /tmp) has the private directories of runs.\n";

const struct command *command_find(const char *name)
{
    for (const struct command *c = command_table; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

int command_unknown(const char *word)
{
    struct nearest near = nearest_begin(word, "");
    struct mh_error err;
    char list[256] = "";
    for (const struct command *c = command_table; c->name; c++) {
        nearest_try(&near, c->name);
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", c->name);
    }
    snprintf(err.text, sizeof err.text, "unknown command '%.60s'%s; there are:%s; see `memhelm --help`", word,
             near.text, list);
    return bad_input(&err);
}

void command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    argp_parse(argp, argc, argv, 0, NULL, input);
}

void command_parse_in_order(const struct argp *argp, int argc, char **argv, void *input)
{
    argp_parse(argp, argc, argv, ARGP_IN_ORDER, NULL, input);
}
