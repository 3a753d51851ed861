#include "class_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/table.h"

/* --- Terminal. */

static const char *const headings[PAPERS] = {
    [PAPER_MASK] = "L1 TLB miss|L2 TLB miss",
    [PAPER_DWS] = "MPMI",
    [PAPER_CCBP] = "thro/NoC/DRAM/L2 miss %|paper|demand",
    [PAPER_ETC] = "lines|pages",
    [PAPER_SIMT] = "pages|walks|paper",
};

static void heading(struct table *t, enum class_paper paper)
{
    const char *name = headings[paper];
    table_row(t);
    table_text(t, "%s", class_tables[paper].name);
    table_text(t, "size");
    table_text(t, "cycles");
    for (size_t n = 0; *name; name += n + (name[n] == '|')) {
        n = strcspn(name, "|");
        table_text(t, "%.*s", (int)n, name);
    }
    table_text(t, "class");
    table_text(t, "paper's");
}

static void utilisation_cells(struct table *t, const struct class_row *row, const struct class_outcome *o)
{
    const struct class_values *v = &o->whole;
    if (isnan(v->noc))
        table_text(t, "-");
    else
        table_text(t, "%.0f/%.0f/%.0f/%.0f", 100 * v->throughput, 100 * v->noc, 100 * v->dram, 100 * v->l2_miss);
    table_text(t, "%s", row->printed);
    table_number(t, class_ccbp_demand(o->half.noc, o->half.dram), 2);
}

static void value_cells(struct table *t, const struct class_row *row, const struct class_outcome *o)
{
    const struct class_values *v = &o->whole;
    switch (row->paper) {
    case PAPER_MASK:
        table_percent(t, v->l1tlb_miss);
        table_percent(t, v->l2tlb_miss);
        break;
    case PAPER_DWS:
        table_number(t, v->mpmi, 1);
        break;
    case PAPER_CCBP:
        utilisation_cells(t, row, o);
        break;
    case PAPER_ETC:
        table_number(t, v->lines, 2);
        table_number(t, v->pages, 2);
        break;
    default:
        table_number(t, v->pages, 2);
        table_number(t, v->walks, 3);
        table_text(t, "%s", row->printed);
    }
}

static void row_cells(struct table *t, const struct class_case *c, const struct class_outcome *o)
{
    table_row(t);
    table_text(t, "%s", c->row->kernel);
    table_text(t, "%" PRIu64, c->whole->sim.cfg.tenants[0].size);
    table_text(t, "%" PRIu64 "%s", o->cycles, o->cut ? "+" : "");
    value_cells(t, c->row, o);
    table_text(t, "%s", o->class ? o->class : "-");
    table_text(t, "%s", c->row->class);
    if (o->right)
        return;
    table_text(t, "%s", o->class ? "MISS" : "no result");
    table_colour(t, o->class ? COLOUR_BAD : COLOUR_DOUBT);
}

static void title(enum class_paper paper, const struct mh_config *cfg, FILE *out)
{
    fprintf(out, "%s, preset %s, one execution within %" PRIu64 " GPU cycles, seed %" PRIu64,
            class_tables[paper].source, cfg->preset, cfg->run.cycles, cfg->run.seed);
    fprintf(out, ", image baseline as a native twin:\n%s\n", class_tables[paper].rule);
}

/* The notes were found out with the default options; they need not hold with others. */
static void explain(const struct class_run *r, enum class_paper paper, FILE *out)
{
    bool first = true;
    for (unsigned i = 0; i < r->count; i++) {
        const struct class_row *row = r->cases[i].row;
        struct class_outcome o;
        class_run_outcome(&r->cases[i], &o);
        if (row->paper != paper || !o.class || o.right)
            continue;
        if (first)
            fprintf(out, "misses, as found out with the default options:\n");
        first = false;
        fprintf(out, "  %s: %s\n", row->kernel, *row->note ? row->note : "right with the default options");
    }
}

/* Rows of one paper; returns how many are right. */
static unsigned report_paper(const struct class_run *r, enum class_paper paper, FILE *out)
{
    struct table *t = table_new();
    const struct mh_config *cfg = NULL;
    unsigned right = 0;
    heading(t, paper);
    for (unsigned i = 0; i < r->count; i++) {
        struct class_outcome o;
        if (r->cases[i].row->paper != paper)
            continue;
        cfg = &r->cases[i].whole->sim.cfg;
        class_run_outcome(&r->cases[i], &o);
        row_cells(t, &r->cases[i], &o);
        right += o.right;
    }
    if (cfg) {
        title(paper, cfg, out);
        table_print(t, out);
        explain(r, paper, out);
        fputc('\n', out);
    }
    table_free(t);
    return right;
}

bool class_report(const struct class_run *r, FILE *out)
{
    unsigned right = 0;
    for (enum class_paper p = 0; p < PAPERS; p++)
        right += report_paper(r, p, out);
    fprintf(out, "%u of %u classes as in the papers\n", right, r->count);
    return 10 * right >= 9 * r->count;
}

/* --- JSON. */

static json_t *values_json(const struct class_values *v)
{
    json_t *o = json_object();
    json_put_real(o, "l1tlb_miss", v->l1tlb_miss);
    json_put_real(o, "l2tlb_miss", v->l2tlb_miss);
    json_put_real(o, "mpmi", v->mpmi);
    json_put_real(o, "throughput", v->throughput);
    json_put_real(o, "noc", v->noc);
    json_put_real(o, "dram", v->dram);
    json_put_real(o, "l2_miss", v->l2_miss);
    json_put_real(o, "lines", v->lines);
    json_put_real(o, "pages", v->pages);
    json_put_real(o, "walks", v->walks);
    return o;
}

static json_t *case_json(const struct class_case *c)
{
    const struct mh_config *cfg = &c->whole->sim.cfg;
    json_t *j = json_object();
    struct class_outcome o;
    class_run_outcome(c, &o);
    json_put(j, "paper", json_string(class_tables[c->row->paper].name));
    json_put(j, "kernel", json_string(c->row->kernel));
    json_put_count(j, "size", cfg->tenants[0].size);
    json_put_count(j, "window", cfg->run.cycles);
    json_put_count(j, "cycles", o.cycles);
    json_put(j, "cut", json_boolean(o.cut));
    json_put_count(j, "seed", cfg->run.seed);
    json_put(j, "paper_class", json_string(c->row->class));
    json_put(j, "class", o.class ? json_string(o.class) : json_null());
    json_put(j, "right", json_boolean(o.right));
    json_put(j, "values", values_json(&o.whole));
    if (c->half)
        json_put(j, "half", values_json(&o.half));
    if (o.class && !o.right && *c->row->note)
        json_put(j, "note", json_string(c->row->note));
    return j;
}

int class_report_json(const struct class_run *r, const char *path, struct mh_error *err)
{
    json_t *o = json_object(), *set = json_array(), *list = json_array();
    for (unsigned i = 0; i < r->options->set_count; i++)
        json_array_append_new(set, json_string(r->options->sets[i]));
    for (unsigned i = 0; i < r->count; i++)
        json_array_append_new(list, case_json(&r->cases[i]));
    json_put(o, "schema", json_string("memhelm-classes-1"));
    json_put(o, "image", json_string(r->cases[0].whole->sim.image->name));
    json_put(o, "image_sha256", json_string(r->cases[0].whole->sim.image->sha256));
    json_put(o, "set", set);
    json_put(o, "classes", list);
    return json_write(o, path, err);
}
