#include <argp.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "base/memory.h"
#include "base/words.h"
#include "mcu/timing.h"
#include "mcu/image.h"
#include "mcu/signed.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "plan/quantity.h"
#include "argument.h"
#include "run/setup.h"
#include "run/traces.h"

#define WHAT                                                                                                           \
    "  papers    each paper's images, preset, an example and its rows\n"                                               \
    "  images    firmware images that are built: paper, preset, what each does;\n"                                     \
    "            of NAME, what it steers, its policies and parameters\n"                                               \
    "  presets   built-in configurations\n"                                                                            \
    "  designs   built-in changes to them: the papers' baselines\n"                                                    \
    "  kernels   workloads with their problem size\n"                                                                  \
    "  sharing   programs of ETC: do their kernels share data, by the paper's rule and by its list?\n"                 \
    "  traces    recorded kernels in DIR (default: here, and the tests' data)\n"                                       \
    "  cores     timing tables of cores that the mcu can be; of NAME, each value's source\n"                           \
    "  values    how a kernel's arrays compress, at the start and at the end\n"                                        \
    "  config    every key: value in preset NAME (default mask), range, meaning\n"                                     \
    "  config KEY  one key, or those of a block: l1tlb.mshrs, sm.\n"                                                   \
    "  config --preset NAME\n"                                                                                         \
    "            every key: value in that GPU, unit, and where it stands:\n"                                           \
    "            file, line and source\n"                                                                              \
    "  metrics   names that a metric may have: unit, meaning; [t] is one tenant's,\n"                                  \
    "            such as ipc[0]; knobs are those at the end of the run\n"

static const char doc[] = "Shows what `run` and `compare` can be given; alone what there is to show.\v" WHAT "\n"
                          "Examples:\n"
                          "  memhelm list config\n"
                          "  memhelm list config --preset dws --design PWCache\n"
                          "  memhelm list config l1tlb.mshrs\n"
                          "  memhelm list cores ibex\n"
                          "  memhelm list images --json\n"
                          "\n"
                          "Exit codes: 0; 2 bad input.";

#define WORDS "papers images presets designs kernels sharing traces cores values config metrics"

enum { KEY_JSON = 0x100 };

static const struct argp_option options[] = {
    {"preset", 'p', "NAME", 0, "With config: the built-in configuration whose values and sources are shown", 0},
    {"design", 'd', "NAME", 0, "With config: changed by this design (of mask unless --preset says otherwise)", 0},
    {"json", KEY_JSON, 0, 0, "For programs: papers, images, presets, designs, kernels, cores", 0},
    {0},
};

struct request {
    const char *what, *argument, *preset, *design;
    bool json;
};

static const struct take takes[] = {
    {'p', TAKE_ONCE, .at = offsetof(struct request, preset)},
    {'d', TAKE_ONCE, .at = offsetof(struct request, design)},
    {KEY_JSON, TAKE_TRUE, .at = offsetof(struct request, json)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (r->argument)
            argp_error(state, "one word more than needed: %s", arg);
        else if (r->what)
            r->argument = arg;
        else
            r->what = arg;
        return 0;
    case ARGP_KEY_END:
        if (r->json && (!r->what || r->argument))
            argp_error(state, "--json: of a whole list, such as `memhelm list images --json`");
        if ((r->preset || r->design) && (!r->what || strcmp(r->what, "config")))
            argp_error(state, "--preset and --design go with `config` alone");
        return 0;
    default:
        return argument_take(takes, r, key, arg, state);
    }
}

static bool is_signed(const char *name)
{
    struct image image;
    struct mh_error later; /* an image that cannot be opened is refused when it is run */
    const bool is = !image_open(&image, name, false, &later) && signed_exists(&image);
    image_close(&image);
    return is;
}

static void print_image(const char *name, bool twin)
{
    const struct image_row *row = image_row(name);
    printf("%-14s %-5s %-9s %s%s%s\n", name, row ? row->paper : "", row ? row->preset : "", row ? row->sentence : "",
           twin ? "" : " (no native twin)", is_signed(name) ? " (signed)" : "");
}

static void print_row(const struct image_row *row)
{
    printf("%s: %s\n", row->name, row->sentence);
    printf("  paper     %s\n  preset    %s\n  steers    %s\n  needs     %s\n  policies  %s\n",
           *row->paper ? row->paper : "ours", row->preset, *row->steers ? row->steers : "-",
           *row->needs ? row->needs : "-", row->policies);
}

static int list_image(const char *what)
{
    struct mh_error err;
    struct params p;
    if (image_params(what, false, &p, &err))
        return bad_input(&err);
    const struct image_row *row = image_row(what);
    if (row)
        print_row(row);
    printf("parameters%s\n", p.count ? ":" : ": none");
    for (unsigned i = 0; i < p.count; i++) {
        const struct param *one = &p.list[i];
        printf("  %-18s %10" PRIu32 "  %" PRIu32 "..%" PRIu32 "  %s\n", one->name, one->standard, one->least, one->most,
               one->text);
    }
    return EXIT_PASSED;
}

static int list_images(const struct request *r)
{
    struct mh_error err;
    if (r->argument)
        return list_image(r->argument);
    return image_list(print_image, &err) ? bad_input(&err) : EXIT_PASSED;
}

static void print_paper(const struct paper_row *p)
{
    printf("%s: %s\n  preset    %s\n  images    %s, compared with %s; its others:", p->name, p->title, paper_preset(p),
           p->image, p->baseline);
    for (const struct image_row *i = image_rows; i->name; i++)
        if (!strcmp(i->paper, p->name) && strcmp(i->name, p->image) && strcmp(i->name, p->baseline))
            printf(" %s", i->name);
    printf("\n  example   ");
    paper_command(p, "memhelm", stdout);
    printf("\n  its rows  memhelm reproduce %s --list; memhelm reproduce %s --quick\n", p->study, p->study);
}

static int list_papers(const struct request *r)
{
    (void)r;
    for (const struct paper_row *p = paper_rows; p->name; p++)
        if (!*p->preset)
            print_paper(p);
    return EXIT_PASSED;
}

static int list_presets(const struct request *r)
{
    (void)r;
    for (const char *const *n = mh_preset_names(); *n; n++)
        printf("%-12s %s\n", *n, mh_preset_summary(*n));
    return EXIT_PASSED;
}

static int list_designs(const struct request *r)
{
    (void)r;
    for (const char *const *n = mh_design_names(); *n; n++)
        printf("%-18s %s\n", *n, mh_design_summary(*n));
    return EXIT_PASSED;
}

static int list_kernels(const struct request *r)
{
    (void)r;
    for (const struct mh_kernel *const *p = mh_kernels; *p; p++) {
        const struct mh_kernel *k = *p;
        printf("%-11s %-22s %s\n%-34s size: %s, %" PRIu64 "..%" PRIu64, k->name, k->suite, k->summary, "",
               k->size_meaning, k->size_min, k->size_max);
        if (k->size_multiple)
            printf(", a multiple of %" PRIu64, k->size_multiple);
        if (k->size_powers)
            printf(", a power of two%s%s", k->variants ? ", of @" : "", k->variants ? k->variants[0] : "");
        printf(", default %" PRIu64 "\n", k->size_default);
        for (const char *const *v = k->variants; v && *v; v++)
            printf("%*s%s@%s%s", v == k->variants ? 35 : 1, "", k->name, *v, v[1] ? "" : "\n");
        if (k->input)
            printf("%35s%s:FILE, a %s: Matrix Market, METIS, DIMACS, Rodinia, KONECT or a list of edges\n", "", k->name,
                   k->input == MH_INPUT_GRAPH ? "graph" : "matrix");
    }
    return EXIT_PASSED;
}

static int list_sharing(const struct request *r)
{
    (void)r;
    printf("%-9s %-8s %-6s\n", "kernel", "derived", "paper");
    for (const struct mh_sharing *s = mh_sharing; s->kernel; s++) {
        struct mh_error err;
        int derived = mh_sharing_derive(s->kernel, MH_MAX_LANES, &err);
        if (derived < 0)
            return bad_input(&err);
        printf("%-9s %-8s %-6s%s%s\n", s->kernel, derived ? "yes" : "no", s->paper ? "yes" : "no", *s->note ? " " : "",
               s->note);
    }
    return EXIT_PASSED;
}

static int list_traces(const struct request *r)
{
    char data[HOST_PATH];
    struct mh_error err;
    unsigned count = traces_list(r->argument ? r->argument : ".");
    if (!r->argument && !path_join(data, exe_dir(), "../tests/data", &err))
        count += traces_list(data);
    if (count)
        return EXIT_PASSED;
    snprintf(err.text, sizeof err.text, "no .gmt, .gmt.zst or .traceg file in %.500s",
             r->argument ? r->argument : "this directory");
    return bad_input(&err);
}

static int list_cores(const struct request *r)
{
    struct core c;
    struct mh_error err;
    for (const char *const *n = core_names(); !r->argument && *n; n++) {
        if (core_open(&c, *n, &err))
            return bad_input(&err);
        printf("%-14s %s\n", c.name, c.title);
        core_close(&c);
    }
    if (!r->argument)
        return EXIT_PASSED;
    if (core_open(&c, r->argument, &err))
        return bad_input(&err);
    core_show(&c, stdout);
    core_close(&c);
    return EXIT_PASSED;
}

static int list_values(const struct request *r)
{
    struct mh_config cfg;
    struct mh_error err;
    if (!r->argument) {
        snprintf(err.text, sizeof err.text, "values of what? KERNEL[@VARIANT][:SIZE]");
        return bad_input(&err);
    }
    if (mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, r->argument, &err))
        return bad_input(&err);
    if (cfg.tenants_count > 1) {
        snprintf(err.text, sizeof err.text, "values of one kernel at a time: not of %.80s", r->argument);
        return bad_input(&err);
    }
    return mh_values_describe(&cfg.tenants[0], stdout, &err) ? bad_input(&err) : EXIT_PASSED;
}

/* Prints the heading and what is of `key`, a key or the block before its point; false: nothing is. */
static bool print_of_key(const char *text, const char *key)
{
    const size_t length = strlen(key);
    bool found = false;
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        const bool fits = !strncmp(line, key, length) && (strchr(" .[", line[length]) || key[length - 1] == '.');
        if (fits && !found)
            printf("%.*s", (int)(strchr(text, '\n') + 1 - text), text);
        if (fits)
            printf("%.*s", (int)(end + 1 - line), line);
        found |= fits;
    }
    return found;
}

/* The error of a word that is no key; 0: it is a preset. One with a point is a key's, or a file's. */
static int no_key(struct mh_config *cfg, const char *word, struct mh_error *err)
{
    char assignment[100];
    const char *point = strchr(word, '.');
    if (!point || strchr(word, '/') || strstr(point, ".y"))
        return preset_load(cfg, word, err);
    snprintf(assignment, sizeof assignment, "%.90s=0", word);
    return mh_config_set(cfg, assignment, err);
}

static int list_config(const struct request *r)
{
    struct mh_config cfg;
    struct mh_error err;
    char *text = NULL;
    size_t size;
    FILE *out = must(open_memstream(&text, &size));
    const char *preset = r->preset ? r->preset : "mask", *key = r->argument;
    if (key && !r->preset && !preset_load(&cfg, key, &err)) {
        preset = key;
        key = NULL;
    }
    int status =
        r->preset || r->design ? preset_sources(preset, r->design, out, &err) : preset_load(&cfg, preset, &err);
    if (!status && !r->preset && !r->design)
        mh_config_describe(&cfg, out);
    fclose(out);
    if (!status && !key)
        fputs(text, stdout);
    else if (!status && !print_of_key(text, key) && (status = no_key(&cfg, key, &err)) == 0) {
        snprintf(err.text, sizeof err.text, "%.60s is a preset: no key is called so", key);
        status = -1;
    }
    free(text);
    return status ? bad_input(&err) : EXIT_PASSED;
}

static int list_metrics(const struct request *r)
{
    (void)r;
    quantities_show(stdout);
    return EXIT_PASSED;
}

const struct argp list_argp = {.options = options,
                               .parser = parse,
                               .args_doc =
                                   "\npapers\nimages [IMAGE]\npresets\ndesigns\nkernels\nsharing\ntraces [DIR]\ncores "
                                   "[CORE]\nvalues KERNEL[@VARIANT][:SIZE]\n"
                                   "config [PRESET|KEY]\nconfig [KEY] --preset NAME [--design NAME]\nmetrics",
                               .doc = doc};

int cmd_list(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*list)(const struct request *r);
    } lists[] = {{"papers", list_papers},   {"images", list_images},   {"presets", list_presets},
                 {"designs", list_designs}, {"kernels", list_kernels}, {"sharing", list_sharing},
                 {"traces", list_traces},   {"cores", list_cores},     {"values", list_values},
                 {"config", list_config},   {"metrics", list_metrics}};
    struct request r = {0};
    struct mh_error err;
    command_parse(&list_argp, argc, argv, &r);
    if (r.json)
        return list_json(r.what, stdout, &err) ? bad_input(&err) : EXIT_PASSED;
    if (!r.what) {
        fputs(WHAT, stdout);
        return 0;
    }
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!strcmp(r.what, lists[i].name))
            return lists[i].list(&r);
    snprintf(err.text, sizeof err.text, "cannot list '%.60s'%s; there are: " WORDS, r.what,
             nearest_word(r.what, WORDS).text);
    return bad_input(&err);
}
