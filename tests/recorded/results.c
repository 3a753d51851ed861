#include "recorded/recorded.h"

#include <string.h>

#include "base/json.h"
#include "recorded/cell.h"

#define LINK "reproduce/results/"

/* The recording NAME of a folder of host/. The caller releases it; NULL and `err`: there is none such. */
static json_t *recording_read(const char *folder, const char *name, struct mh_error *err)
{
    char path[HOST_PATH];

    snprintf(path, sizeof path, "host/%s/results/%s.json.zst", folder, name);
    return json_read(path, err);
}

/* How the table of the papers begins. */
#define PAPERS_HEAD "| paper | headline |"

/* A paper, the row that stands for it, and where each is recorded. */
static const struct paper {
    const char *study, *name, *headline, *row, *quick_row;
} papers[] = {
    {"mask", "MASK, ASPLOS 2018", "mask-headline", "fig11-mask", "fig11-mask"},
    {"simt", "SIMT-aware walks, ISCA 2018", "simt", "fig8-mean", "fig8-mean"},
    {"dws", "DWS, HPCA 2021", "dws-headline", "fig5-dws-heavy", "fig5-dws-heavy"},
    {"etc", "ETC, ASPLOS 2019", "etc-headline", "fig10-irregular-75", "fig10-irregular-75"},
    {"ccbp", "CCBP, TACO 2019", "ccbp", "fig9-ws-h", "own-twelve"},
};
enum { PAPERS = sizeof papers / sizeof *papers };

static const json_t *by_id(const json_t *list, const char *id)
{
    size_t i;
    const json_t *o;

    json_array_foreach(list, i, o) if (!strcmp(cell_text(o, "id"), id)) return o;
    return NULL;
}

/* A value in the form that its row has: a gain in %, all else as a number. */
static void print_value(const char *relation, const json_t *value, FILE *out)
{
    const double v = json_number_value(value);

    if (!json_is_number(value))
        fputc('-', out);
    else if (!strcmp(relation, "gain"))
        fprintf(out, "%+.1f %%", v * 100);
    else
        fprintf(out, "%.4g", v);
}

/* The value, and the half of its interval if it has one. */
static void print_ours(const json_t *row, FILE *out)
{
    const json_t *interval = json_object_get(row, "interval");
    const char *relation = cell_text(row, "relation");
    const double scale = strcmp(relation, "gain") ? 1 : 100;

    print_value(relation, json_object_get(row, "ours"), out);
    if (json_is_number(interval))
        fprintf(out, " (+- %.2g)", scale * json_number_value(interval));
}

static json_int_t count_of(const json_t *o, const char *key)
{
    return json_integer_value(json_object_get(o, key));
}

/* One line of the papers' table. `folder` leads to host/. */
static int paper_line(const struct paper *p, const char *folder, FILE *out, struct mh_error *err)
{
    json_t *study = recording_read("reproduce", p->study, err), *head = recording_read("reproduce", p->headline, err);
    char name[64];
    snprintf(name, sizeof name, "%s-sensitivity", p->study);
    json_t *doubt = recording_read("sensitivity", name, err);
    const json_t *row = head ? by_id(json_object_get(head, "rows"), p->row) : NULL;
    const json_t *quick = doubt ? by_id(json_object_get(doubt, "rows"), p->quick_row) : NULL;

    if (study && row && quick) {
        fprintf(out, "| [%s](%s" LINK "%s.md) | %s | %s | ", p->name, folder, p->study, cell_text(row, "what"),
                cell_text(row, "paper"));
        print_ours(row, out);
        fputs(" | ", out);
        print_value(cell_text(row, "relation"), json_object_get(row, "median"), out);
        fprintf(out, " | %lld, %lld of %zu | [%lld of %lld](%ssensitivity/results/%s.md) |\n",
                (long long)count_of(study, "agree"), (long long)count_of(study, "quarter"),
                json_array_size(json_object_get(study, "rows")), (long long)count_of(quick, "depends_on"),
                (long long)count_of(quick, "varied"), folder, name);
    }
    json_decref(study);
    json_decref(head);
    json_decref(doubt);
    return study && row && quick ? 0 : study && head && doubt ? mh_fail(err, "%s: no row %s", p->headline, p->row) : -1;
}

static int paper_table(const char *folder, FILE *out, struct mh_error *err)
{
    fputs(PAPERS_HEAD " the paper | ours | median | rows: same sign, within a quarter | unspecified values that "
                      "change it |\n|---|---|---:|---:|---:|---:|---:|\n",
          out);
    for (size_t i = 0; i < PAPERS; i++)
        if (paper_line(&papers[i], folder, out, err))
            return -1;
    return 0;
}

/* The rows of a recording; `twice`: with the value of twice the window. */
static int rows_of(const char *name, bool twice, FILE *out, struct mh_error *err)
{
    json_t *study = recording_read("reproduce", name, err);
    size_t i;
    const json_t *row;

    if (!study)
        return -1;
    json_array_foreach(json_object_get(study, "rows"), i, row)
    {
        fprintf(out, "| [%s](" LINK "%s.md) `%s` | %s | %s | ", name, name, cell_text(row, "id"),
                cell_text(row, "what"), cell_text(row, "paper"));
        print_ours(row, out);
        fputs(" | ", out);
        print_value(cell_text(row, "relation"), json_object_get(row, twice ? "twice" : "median"), out);
        fprintf(out, " | %s |\n", cell_text(row, "verdict"));
    }
    json_decref(study);
    return 0;
}

static int headlines(FILE *out, struct mh_error *err)
{
    static const char *const names[] = {"mask-headline", "dws-headline", "etc-headline", "ccbp-headline"};

    fputs("\n## Headline rows, seeds 1-5\n\nIn brackets: half of the 95 % interval of the mean over seeds.\n\n"
          "| recording and row | what | paper | ours | median of the workloads | verdict "
          "|\n|---|---|---:|---:|---:|---|\n",
          out);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (rows_of(names[i], false, out, err))
            return -1;
    return 0;
}

static int windows(FILE *out, struct mh_error *err)
{
    fputs("\n## Twice the window\n\n| recording and row | what | paper | ours | with twice the window | verdict "
          "|\n|---|---|---:|---:|---:|---|\n",
          out);
    return rows_of("simt-doubling", true, out, err) || rows_of("ccbp-doubling", true, out, err) ? -1 : 0;
}

/* A line for each table over an axis: the value of the axis, and the mean gain there. */
static int axes_of(const char *name, FILE *out, struct mh_error *err)
{
    json_t *study = recording_read("reproduce", name, err);
    size_t i, k;
    const json_t *grid, *column;

    if (!study)
        return -1;
    json_array_foreach(json_object_get(study, "grids"), i, grid)
    {
        if (!json_object_get(grid, "axis"))
            continue;
        fprintf(out, "| %s | `%s` |", cell_text(grid, "title"), cell_text(grid, "axis"));
        json_array_foreach(json_object_get(grid, "columns"), k, column)
        {
            fprintf(out, "%s %s: ", k ? "," : "", cell_text(column, "name"));
            print_value("gain", json_object_get(column, "ours"), out);
        }
        fputs(" |\n", out);
    }
    json_decref(study);
    return 0;
}

static int other_gpus(FILE *out, struct mh_error *err)
{
    fputs("\n## On other GPUs\n\nThe mean over the workloads of each table of [map](" LINK
          "map.md).\n\n| what | key | its value: gain |\n|---|---|---|\n",
          out);
    return axes_of("map", out, err);
}

static void hertz(const json_t *hz, FILE *out)
{
    if (json_is_number(hz))
        fprintf(out, "%.4g MHz", json_number_value(hz) / 1e6);
    else
        fputs("-", out);
}

/* What an image loses at 500 MHz, workload by workload. */
static void losses(const json_t *image, FILE *out)
{
    size_t i, k;
    const json_t *point, *workload;

    json_array_foreach(json_object_get(image, "points"), i, point)
    {
        if (strcmp(cell_text(point, "name"), "500 MHz"))
            continue;
        json_array_foreach(json_object_get(image, "workloads"), k, workload)
        {
            const json_t *loss = json_array_get(json_object_get(point, "losses"), k);
            fprintf(out, "%s %s: ", k ? "," : "", cell_text(workload, "workload"));
            if (json_is_number(loss))
                fprintf(out, "%.0f %%", 100 * json_number_value(loss));
            else
                fputc('-', out);
        }
    }
}

static int latencies(FILE *out, struct mh_error *err)
{
    json_t *latency = recording_read("latency", "latency", err);
    size_t i;
    const json_t *image;

    if (!latency)
        return -1;
    fputs("\n## What decisions cost\n\nFrom [latency](latency/results/latency.md). Knee: the slowest mcu on which the "
          "gain "
          "is kept. Lost: part of the gain that decisions in no time have.\n\n| image | knee | lost at 500 MHz "
          "|\n|---|---:|---|\n",
          out);
    json_array_foreach(json_object_get(latency, "images"), i, image)
    {
        fprintf(out, "| `%s` | ", cell_text(image, "name"));
        hertz(json_object_get(image, "knee_hz"), out);
        fputs(" |", out);
        losses(image, out);
        fputs(" |\n", out);
    }
    json_decref(latency);
    return 0;
}

/* The values that change a row by more than the bar, and what it has with each. */
static void doubts(const json_t *row, FILE *out)
{
    size_t i, k;
    const json_t *key, *value;
    const char *between = "";

    json_array_foreach(json_object_get(row, "keys"), i, key)
    {
        json_array_foreach(json_object_get(key, "values"), k, value)
        {
            if (!json_is_true(json_object_get(value, "depends")))
                continue;
            fprintf(out, "%s`%s=%s` ", between, cell_text(key, "key"), cell_text(value, "value"));
            print_value("gain", json_object_get(value, "ours"), out);
            between = "; ";
        }
    }
}

static int sensitivity_of(const char *study, FILE *out, struct mh_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "%s-sensitivity", study);
    json_t *doubt = recording_read("sensitivity", name, err);
    size_t i;
    const json_t *row;

    if (!doubt)
        return -1;
    json_array_foreach(json_object_get(doubt, "rows"), i, row)
    {
        fprintf(out, "| [%s](sensitivity/results/%s.md) `%s` | %s | ", study, name, cell_text(row, "id"),
                cell_text(row, "paper"));
        print_value("gain", json_object_get(row, "ours"), out);
        fprintf(out, " | %lld of %lld | ", (long long)count_of(row, "depends_on"), (long long)count_of(row, "varied"));
        doubts(row, out);
        fputs(" |\n", out);
    }
    json_decref(doubt);
    return 0;
}

static int sensitivities(FILE *out, struct mh_error *err)
{
    static const char *const studies[] = {"mask", "simt", "dws", "etc", "ccbp"};

    fputs("\n## What the headlines depend on\n\nOn the quick subsets, with policies as native twins: values that no "
          "source gives, each replaced by others.\n\n| study and row | paper | ours | change it | with |\n"
          "|---|---:|---:|---:|---|\n",
          out);
    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++)
        if (sensitivity_of(studies[i], out, err))
            return -1;
    return 0;
}

static int regular(FILE *out, struct mh_error *err)
{
    json_t *study = recording_read("reproduce", "regular", err);

    if (!study)
        return -1;
    fprintf(out,
            "\n## Kernels with nothing to gain\n\n%lld of %zu cases lose less than 2 %% ([regular](" LINK
            "regular.md)).\n",
            (long long)count_of(study, "agree"), json_array_size(json_object_get(study, "rows")));
    json_decref(study);
    return 0;
}

int results_page(FILE *out, struct mh_error *err)
{
    fputs("# Results in short\n`make readme` makes this page from the recordings, which [recordings.mk](recordings.mk) "
          "lists. [Why ours differ from the papers'](" LINK "README.md).\n\n## The papers\n\n",
          out);
    if (paper_table("", out, err) || headlines(out, err) || windows(out, err) || other_gpus(out, err) ||
        regular(out, err) || latencies(out, err) || sensitivities(out, err))
        return -1;
    return 0;
}

static int headline(const struct paper *p, FILE *out, struct mh_error *err)
{
    json_t *head = recording_read("reproduce", p->headline, err);
    const json_t *row = head ? by_id(json_object_get(head, "rows"), p->row) : NULL;

    if (row) {
        fprintf(out, "HEADLINE(\"%s\", \"%s\", \"", p->study, cell_text(row, "paper"));
        print_ours(row, out);
        fprintf(out, "\", \"%s\")\n", cell_text(row, "what"));
    }
    json_decref(head);
    return row ? 0 : head ? mh_fail(err, "%s: no row %s", p->headline, p->row) : -1;
}

int results_headlines(FILE *out, struct mh_error *err)
{
    fputs("/* HEADLINE(study, paper, ours, what): made from the recordings by `make readme`. */\n", out);
    for (size_t i = 0; i < PAPERS; i++)
        if (headline(&papers[i], out, err))
            return -1;
    return 0;
}

int results_into(const char *text, FILE *out, struct mh_error *err)
{
    const char *begin = strstr(text, PAPERS_HEAD), *end = begin ? strstr(begin, "|\n\n") : NULL;

    if (!end)
        return mh_fail(err, "lacks the table that begins with %s", PAPERS_HEAD);
    fwrite(text, 1, (size_t)(begin - text), out);
    if (paper_table("host/", out, err))
        return -1;
    fputs(end + strlen("|\n"), out);
    return 0;
}
