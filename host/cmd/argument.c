#include "argument.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/standard_output.h"
#include "describe.h"
#include "files.h"

unsigned argument_number(const char *what, const char *text, unsigned max, struct argp_state *state)
{
    char *end;
    unsigned long v = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || v < 1 || v > max)
        argp_error(state, "%s: '%s'; allowed: 1..%u", what, text, max);
    return (unsigned)v;
}

uint64_t argument_cycles(const char *text, struct argp_state *state)
{
    uint64_t v;
    if (!number_scaled(text, &v) || v < 1 || v > ARGUMENT_CYCLES)
        argp_error(state, "--cycles: '%s'; allowed: 1..%d, such as 500000, 500K or 2M", text, ARGUMENT_CYCLES);
    return v;
}

void argument_once(const char **value, const char *option, const char *text, struct argp_state *state)
{
    if (*value)
        argp_error(state, "%s given twice: '%.200s', then '%.200s'", option, *value, text);
    *value = text;
}

/* `--json --twin` and `--keep -w` lack a name; `--json=--twin` and `--json -x.json` have one. */
static bool is_forgotten(const char *text, const struct argp_state *state)
{
    struct described list[DESCRIBE_OPTIONS];
    if (text != state->argv[state->next - 1] || text[0] != '-' || !text[1])
        return false;
    return text[1] == '-' ||
           (!text[2] && describe_find(list, describe_options(state->root_argp, list), text + 1, 1) != NULL);
}

static void take_path(const char **value, const char *option, const char *what, const char *text,
                      struct argp_state *state)
{
    if (!*text)
        argp_error(state, "%s needs a %s's name; it is empty: is a variable of the shell not set?", option, what);
    if (is_forgotten(text, state))
        argp_error(state, "%s needs a %s's name, and '%.100s' looks like an option; ./%.100s is a file of that name",
                   option, what, text, text);
    argument_once(value, option, text, state);
}

static void refuse_standard_output(const char *option, const char *what, const char *text, struct argp_state *state)
{
    if (standard_output_named(text))
        argp_error(state, "%s: - is standard output, and %s needs a name of its own", option, what);
}

void argument_folder(const char **value, const char *option, const char *text, struct argp_state *state)
{
    refuse_standard_output(option, "a folder", text, state);
    take_path(value, option, "folder", text, state);
}

void argument_output(const char **value, const char *option, const char *text, struct argp_state *state)
{
    take_path(value, option, "file", text, state);
    files_output(text);
}

void argument_output_file(const char **value, const char *option, const char *what, const char *text,
                          struct argp_state *state)
{
    refuse_standard_output(option, what, text, state);
    argument_output(value, option, text, state);
}

void argument_meant(const char *text, enum meant_place place, struct argp_state *state)
{
    const struct meant m = meant_by(text, place);
    if (*m.text)
        argp_error(state, "%s", m.text + strlen("; "));
}

void argument_input(const char **value, const char *option, const char *text, struct argp_state *state)
{
    argument_meant(text, MEANT_FILE, state);
    take_path(value, option, "file", text, state);
    files_input(text);
}

void argument_workload(const char **value, const char *text, struct argp_state *state)
{
    if (*value)
        argp_error(state, "--workload given twice: join tenants with +, as in --workload '%.200s+%.200s'", *value,
                   text);
    argument_meant(text, MEANT_WORKLOAD, state);
    *value = text;
}
