#include <argp.h>
#include <stdio.h>

#include "argument.h"
#include "commands.h"
#include "page/page.h"

static const char doc[] =
    "Puts results, sweeps and epoch logs onto one page of HTML: tables, figures, a timeline, what changed and why, and "
    "what made the numbers.\v"
    "FILE is what --json of a command wrote, a file of points of `memhelm sweep`, or what `memhelm run` wrote with "
    "--epochs or --timeline, which one can zoom over time. Runs of one configuration stand beside each other, from "
    "whichever files they come. Runs with --set sm.wait_reasons=1 have where SM cycles went, and sentences that say "
    "what made the difference; `memhelm explain --json` writes such.\n"
    "The page is DIR/index.html. It needs no network and no other file: mail it, print it. DIR/figures holds "
    "what the figures were drawn from.\n"
    "\n"
    "Examples:\n"
    "  memhelm report runs.json -o page\n"
    "  memhelm report runs.json baseline.csv mask-tlb.csv -o page --title 'MASK on MVT+GUPS'\n"
    "  memhelm report sweep.sqlite dws.json -o page\n"
    "\n"
    "Exit code: 0 done; 2 bad input, or a file could not be written.";

enum { KEY_TITLE = 0x100 };

static const struct argp_option report_options[] = {
    {"output", 'o', "DIR", 0, "The folder of the page (default: report)", 1},
    {"title", KEY_TITLE, "TEXT", 0, "Above it (default: the first file's name)", 1},
    {0},
};

static void add_file(struct page_request *q, const char *file, struct argp_state *state)
{
    argument_meant(file, MEANT_FILE, state);
    files_input(file);
    argument_add(q->files, &q->count, PAGE_FILES, "files", file, state);
}

static const struct take takes[] = {
    {KEY_TITLE, TAKE_ONCE, .at = offsetof(struct page_request, title)},
    {'o', TAKE_FOLDER, .at = offsetof(struct page_request, dir)},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct page_request *q = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        add_file(q, arg, state);
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which files? What --json, --epochs or --timeline wrote, a sweep's points");
        return 0;
    default:
        return argument_take(takes, q, key, arg, state);
    }
}

const struct argp report_argp = {report_options, parse, "FILE..", doc, NULL, NULL, NULL};

int cmd_report(int argc, char **argv)
{
    struct page_request q = {0};
    struct mh_error err;
    command_parse(&report_argp, argc, argv, &q);
    q.dir = q.dir ? q.dir : "report";
    if (page_write(&q, &err))
        return bad_input(&err);
    printf("%s/index.html\n", q.dir);
    return EXIT_PASSED;
}
