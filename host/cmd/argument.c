#include "argument.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/process.h"
#include "base/words.h"
#include "memhelm/config_file.h"
#include "memhelm/trace.h"
#include "run/setup.h"

unsigned argument_number(const char *what, const char *text, unsigned max, struct argp_state *state)
{
    char *end;
    unsigned long v = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || v < 1 || v > max)
        argp_error(state, "%s: '%s'; allowed: 1..%u", what, text, max);
    return (unsigned)v;
}

/* Of --cycles: 1..ARGUMENT_CYCLES, with K, M or G if need be, or an argp error. */
static uint64_t argument_cycles(const char *text, struct argp_state *state)
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

/*
 * Takes the name of a folder, once. An argp error when it is empty, as an unset variable of the shell is, or `-`, which
 * is standard output.
 */
static void argument_folder(const char **value, const char *option, const char *text, struct argp_state *state)
{
    refuse_standard_output(option, "a folder", text, state);
    take_path(value, option, "folder", text, state);
}

void argument_output(const char **value, const char *option, const char *text, struct argp_state *state)
{
    take_path(value, option, "file", text, state);
    files_output(text);
}

/* As argument_output(), but `-` is an argp error: `what`, such as "a database", cannot go to standard output. */
static void argument_output_file(const char **value, const char *option, const char *what, const char *text,
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

void argument_add(const char **list, unsigned *count, unsigned most, const char *what, const char *text,
                  struct argp_state *state)
{
    if (*count == most)
        argp_error(state, "more than %u %s", most, what);
    else
        list[(*count)++] = text;
}

static const char *name_of(const struct argp *argp, int key)
{
    const char *name = NULL;
    for (const struct argp_option *o = argp->options; o && (o->name || o->doc); o++)
        if (o->name && o->key == key)
            return o->name;
    for (const struct argp_child *c = argp->children; c && c->argp && !name; c++)
        name = name_of(c->argp, key);
    return name;
}

static void take(const struct take *t, void *at, const char *option, const char *text, struct argp_state *state)
{
    switch (t->how) {
    case TAKE_TRUE:
        *(bool *)at = true;
        break;
    case TAKE_ONCE:
        argument_once(at, option, text, state);
        break;
    case TAKE_INPUT:
        argument_input(at, option, text, state);
        break;
    case TAKE_OUTPUT:
        argument_output(at, option, text, state);
        break;
    case TAKE_FILE:
        argument_output_file(at, option, t->what, text, state);
        break;
    case TAKE_FOLDER:
        argument_folder(at, option, text, state);
        break;
    case TAKE_CYCLES:
        *(uint64_t *)at = argument_cycles(text, state);
        break;
    case TAKE_NUMBER:
        *(unsigned *)at = argument_number(option, text, t->most, state);
        break;
    }
}

error_t argument_take(const struct take *takes, void *request, int key, const char *text, struct argp_state *state)
{
    char option[64];
    const struct take *t = takes;
    while (t->key && t->key != key)
        t++;
    if (!t->key)
        return ARGP_ERR_UNKNOWN;
    snprintf(option, sizeof option, "--%s", name_of(state->root_argp, key));
    take(t, (char *)request + t->at, option, text, state);
    return 0;
}

static struct words outputs, inputs;

void files_output(const char *path)
{
    words_add(&outputs, path);
}

void files_input(const char *path)
{
    words_add(&inputs, path);
}

static int add_part(void *ctx, const char *file, struct mh_error *err)
{
    (void)ctx, (void)err;
    files_input(file);
    return 0;
}

void files_trace(const char *path)
{
    struct mh_error later;
    struct stat st;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || mh_trace_files(path, add_part, NULL, &later))
        files_input(path);
}

void files_kernel(const char *kernel)
{
    char file[MH_PATH_MAX];
    if (!setup_file(kernel, file))
        return;
    if (!strncmp(kernel, "trace:", strlen("trace:")))
        files_trace(file);
    else
        files_input(file);
}

void files_workload(const char *workload)
{
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    struct mh_error later;
    const bool read = !mh_config_workload(cfg, workload, &later);
    for (uint32_t t = 0; read && t < cfg->tenants_count; t++)
        files_kernel(cfg->tenants[t].kernel);
    free(cfg);
}

/* Of files that are not there yet only the names tell; /dev/stdout may be a file, and takes both. */
static bool are_one(const char *a, const char *b)
{
    return (same_file(a, b) || !strcmp(a, b)) && strncmp(a, "/dev/", strlen("/dev/"));
}

static int check_output(unsigned i, struct mh_error *err)
{
    const char *path = outputs.text[i];
    for (unsigned k = 0; k < inputs.count; k++)
        if (!standard_output_named(path) && same_file(path, inputs.text[k]))
            return mh_fail(err, "%s: would be written over, but it is read: choose another name for the result", path);
    for (unsigned k = 0; k < i; k++)
        if (standard_output_named(path) && standard_output_named(outputs.text[k]))
            return mh_fail(err, "-: two results would go to standard output: give one a file of its own");
        else if (are_one(path, outputs.text[k]))
            return mh_fail(err, "%s: two results would be written to it: give each a file of its own", path);
    return 0;
}

int files_check(struct mh_error *err)
{
    for (unsigned i = 0; i < outputs.count; i++)
        if (check_output(i, err))
            return -1;
    return 0;
}

int files_take(struct mh_error *err)
{
    int status = files_check(err);
    for (unsigned i = 0; !status && i < outputs.count; i++)
        if (standard_output_named(outputs.text[i]))
            status = standard_output_take(err);
    return status;
}
