#include "sweep_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/escape.h"
#include "base/wall.h"

static void say_count(uint64_t n, const char *one, FILE *out)
{
    fprintf(out, "%" PRIu64 " %s%s", n, one, n == 1 ? "" : "s");
}

static void say_runs(const struct sweep_tally *t, const struct sweep_request *r, FILE *out)
{
    say_count(t->done, "point", out);
    if (t->done < t->points)
        fprintf(out, " of %" PRIu64, t->points);
    fputs(", ", out);
    say_count(t->runs, "run", out);
    fprintf(out, ", %" PRIu64 " of them kept from before", t->kept);
    if (r->shards)
        fprintf(out, "; this is part %u of %u", r->shard, r->shards);
    fputs("\n", out);
}

static void say_dry(const struct sweep_tally *t, const struct sweep_request *r, FILE *out)
{
    fprintf(out, "%.0f million GPU cycles are to be simulated: ", t->cycles / 1e6);
    wall_say(t->cycles / 1e6 * PLAN_SECONDS_PER_MCYCLE / r->jobs, r->jobs, out);
}

static void say_missing(const struct sweep_tally *t, FILE *out)
{
    const struct {
        uint64_t count;
        const char *one, *more;
    } kinds[] = {{t->refused, "cannot be run", "cannot be run"},
                 {t->failed, "failed", "failed"},
                 {t->valueless, "has a metric without a value", "have a metric without a value"}};
    char text[1024];
    const char *sep = "";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].count)
            continue;
        fputs(sep, out);
        say_count(kinds[i].count, "point", out);
        fprintf(out, " %s", kinds[i].count == 1 ? kinds[i].one : kinds[i].more);
        sep = "; ";
    }
    escape_text(text, sizeof text, t->reason);
    if (*sep)
        fprintf(out, ". The first: %s\n", text);
}

/* A file's name may be any bytes: on a terminal what is no text is escaped. */
static void say_word(const char *word, FILE *out)
{
    char text[HOST_PATH];
    escape_text(text, sizeof text, word);
    shell_word(out, text);
}

/* The first axis that has more than one value, but for the images. */
static const char *rows_of(const struct sweep_spec *spec)
{
    for (unsigned a = 0; a < spec->axis_count; a++)
        for (unsigned i = 1; i < spec->axes[a].values.count; i++)
            if (strcmp(spec->axes[a].values.text[i], spec->axes[a].values.text[0]) != 0)
                return spec->axes[a].key;
    if (spec->workloads.count > 1)
        return "workload";
    if (spec->presets.count > 1 || spec->designs.count > 1)
        return spec->presets.count > 1 ? "preset" : "design";
    return spec->seed_first < spec->seed_last ? "seed" : "image";
}

/* The usual next question: that axis against the images. */
static void say_next(const struct sweep *s, const struct sweep_spec *spec, FILE *out)
{
    const char *rows = rows_of(spec);
    fputs("  memhelm table ", out);
    say_word(sweep_output(s), out);
    fputs(" --rows ", out);
    say_word(rows, out);
    if (spec->images.count > 1 && strcmp(rows, "image") != 0)
        fputs(" --columns image", out);
    fputs(" --value ", out);
    say_word(spec->metric_names.text[0], out);
    fputs("\n", out);
}

void sweep_report(const struct sweep *s, const struct sweep_request *r, bool dry, FILE *out)
{
    const struct sweep_tally *t = sweep_tally(s);
    say_runs(t, r, out);
    if (dry)
        say_dry(t, r, out);
    if (dry || r->shards) {
        if (t->refused)
            say_missing(t, out);
        return;
    }
    say_missing(t, out);
    say_next(s, &r->spec, out);
}
