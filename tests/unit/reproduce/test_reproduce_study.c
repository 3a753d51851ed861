/* Rows files: what is read, what is refused and where; the built-in ones. */
#include "unit/test.h"

#include "classes/classes.h"
#include "memhelm/config_file.h"
#include "memhelm/kernels.h"
#include "unit/near.h"
#include "rows_text.h"
#include "search/combinations.h"
#include "workload/workload.h"

/* A row that goes on with its partitions, on the sixth line. */
#define PARTED "- {id: r, figure: f, what: w, kind: level, paper: 1, metric: ipc, run: x, workloads: MM,\n   "

#define LISTS  "kernels: {GUP: GUP:524288}\nlists: {a: [GUP+MM, NN], b: [a, MM]}\n"

TEST(test_reads)
{
    static const char text[] = HEAD LISTS
        "rows:\n" ROW "- {id: r2, figure: f, what: w, kind: level, paper: 50 %, metric: ipc, preset: fermi,\n"
        "   run: {image: x, design: D, set: [a=1, b=2], machine: twin}, against: y, workloads: [a, SC], cycles: 500,\n"
        "   alone: whole, over: share, above: 0.25, set: [c=3], note: why}\n"
        "- {id: r3, figure: f, what: w, kind: order, paper: higher, missing: no way}\n"
        "doubling: [r1]\n"
        "quick: {cycles: 100, rows: [r2], lists: {a: [NN]}}\n";
    struct study s;
    struct mh_error err;
    unsigned count;

    assert_good(!open_text(&s, text, &err), err);
    assert_int_equal(s.row_count, 3);
    assert_int_equal(s.rows[0].measure.relation, RELATION_GAIN);
    assert_int_equal(s.rows[0].measure.cycles, 1000);
    assert_true(s.rows[0].claim.gain);
    const struct row *r = &s.rows[1];
    assert_int_equal(r->measure.relation, RELATION_RATIO); /* of a level */
    assert_string_equal(r->run.design, "D");
    assert_string_equal(r->run.sets[1], "b=2");
    assert_int_equal(r->run.machine, MACHINE_TWIN);
    assert_string_equal(r->measure.common.preset, "fermi");
    assert_string_equal(r->measure.common.sets[0], "c=3");
    assert_true(r->measure.alone_whole);
    NEAR(r->above, 0.25);
    assert_string_equal(s.rows[2].missing, "no way");
    struct workload *w = study_workloads(&s, &s.rows[0].measure, &count, &err);
    assert_int_equal(count, 3);
    assert_string_equal(w[0].spec, "GUP:524288+MM"); /* a kernel's name is spelt out, also in a pair */
    assert_string_equal(w[0].name, "GUP+MM");
    assert_string_equal(w[1].spec, "NN");
    assert_string_equal(w[2].spec, "MM");
    study_free_workloads(w, count);
    study_cycles(&s, 2000);
    assert_int_equal(s.rows[0].measure.cycles, 2000);
    assert_int_equal(s.rows[1].measure.cycles, 1000);
    study_quick(&s);
    assert_int_equal(s.row_count, 1);
    assert_int_equal(s.rows[0].measure.cycles, 100);
    w = study_workloads(&s, &s.rows[0].measure, &count, &err);
    assert_int_equal(count, 2);
    assert_string_equal(w[0].spec, "NN");
    study_free_workloads(w, count);
    study_close(&s);
}

TEST(test_refuses)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "is empty"},
        {"rows: [", "rows.yaml:"},
        {"a", "takes keys and values"},
        {HEAD, "a list of rows is missing"},
        {HEAD "grids: []\nrows: 5\n", "a list of rows is missing"},
        {"title: t\nrows:\n" ROW, "title, preset and cycles are needed"},
        {HEAD "cycles: 5\n", "given twice"},
        {HEAD "rows:\n- {id: r1}\n", "rows.yaml:5: a row needs figure"},
        {HEAD "rows:\n" ROW ROW, "id 'r1' is given twice"},
        {HEAD "rows:\n- {id: R!, figure: f, what: w, kind: level, paper: 1, missing: m}\n", "lower case letters"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: best, paper: 1, missing: m}\n",
         "rows.yaml:5: kind is one of: effect level order; not 'best'"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: much, missing: m}\n", "is no claim of a paper"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1}\n", "neither a run nor missing"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc}\n",
         "workloads are missing"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc /, workloads: MM}\n",
         "rows.yaml:5: metric 'ipc /', column 6"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc, workloads: MM,\n"
              "   relation: gain}\n",
         "has against"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: {design: D}, metric: ipc,\n"
              "   workloads: MM}\n",
         "a run needs an image"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc, workloads: MM,\n"
              "   over: share}\n",
         "has above"},
        {HEAD "rows:\n- {id: r, figure: f, what: w, kind: level, paper: 1, run: x, metric: ipc, workloads: MM,\n"
              "   cycles: -5}\n",
         "cycles is a whole number"},
        {HEAD "rows:\n" PARTED "alone: both}\n", "rows.yaml:5: alone: both, but ipc looks at no tenant alone"},
        {HEAD "rows:\n" ROW
              "grids:\n- {id: g, title: t, metric: fairness, workloads: MM, columns: {a: x}, alone: both}\n",
         "alone: both is for rows; a grid has same or whole"},
        {HEAD "rows:\n- {id: r, fgure: f, what: w, kind: level, paper: 1, missing: m}\n", "no key 'fgure'"},
        {HEAD "rows:\n" ROW "doubling: [r9]\n", "there is no row 'r9'"},
        {HEAD "rows:\n" ROW "quick: {rows: [r9]}\n", "there is no row 'r9'"},
        {HEAD "rows:\n" ROW "grids: [{id: g, title: t, metric: ipc, workloads: MM}]\n", "columns takes a mapping"},
        {HEAD "rows:\n" ROW "grids:\n- {id: g, title: t, metric: ipc, workloads: MM, digits: 7}\n",
         "rows.yaml:7: digits is a whole number, 0..6"},
        {HEAD "rows:\n" ROW "grids:\n- {id: g, title: t, metric: ipc, workloads: MM, columns: {a: x}, over: max}\n",
         "over is one of: geomean mean; not 'max'"},
        {HEAD "rows:\n" PARTED "partitions: 5}\n", "rows.yaml:6: partitions: a list of 1 to 63"},
        {HEAD "rows:\n" PARTED "partitions: []}\n", "rows.yaml:6: partitions: a list of 1 to 63"},
        {HEAD "rows:\n" PARTED "partitions: [5,\n   0]}\n", "rows.yaml:7: partitions, SMs of the first tenant"},
        {HEAD "rows:\n" PARTED "partitions: [5, 5]}\n", "in ascending order, is a whole number, 6..255, not '5'"},
        {HEAD "rows:\n" PARTED "partitions: [5, 256]}\n", "6..255, not '256'"},
        {HEAD "rows:\n" PARTED "partitions: [5, ten]}\n", "not 'ten'"},
        {HEAD "rows:\n" PARTED "under: y}\n", "rows.yaml:6: under is the run for which a partition is the best"},
        {HEAD "rows:\n" PARTED "partitions: [5], under: {image: y, partitions: [6]}}\n",
         "rows.yaml:6: under has no partitions of its own"},
        {HEAD "rows:\n" PARTED "partitions: [5], under: {design: D}}\n", "a run needs an image"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study s;
        struct mh_error err;
        if (!open_text(&s, cases[i].text, &err))
            fail_msg("taken: %s", cases[i].text);
        assert_has(err.text, cases[i].message);
    }
}

/* Those of the study come first, also where a row is compared with itself without its own. */
TEST(test_sets)
{
    static const char text[] = HEAD
        "set: [s=1, s=2]\n"
        "rows:\n" ROW
        "- {id: r2, figure: f, what: w, kind: effect, paper: 5 %, metric: ipc, run: x, against: y, workloads: MM,\n"
        "   set: [a=1], less: plain}\n";
    static const char many[] = HEAD "set: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]\nrows:\n" PARTED "set: [a=9]}\n";
    struct study s;
    struct mh_error err;

    assert_good(!open_text(&s, text, &err), err);
    assert_int_equal(s.rows[0].measure.common.set_count, 2);
    assert_string_equal(s.rows[0].measure.common.sets[1], "s=2");
    assert_int_equal(s.rows[1].measure.common.set_count, 3);
    assert_string_equal(s.rows[1].measure.common.sets[2], "a=1");
    assert_int_equal(s.rows[1].plain.common.set_count, 2);
    assert_string_equal(s.rows[1].plain.common.sets[0], "s=1");
    study_close(&s);
    assert_int_equal(open_text(&s, many, &err), -1);
    assert_non_null(strstr(err.text, "at most 12 with those of the study"));
}

/* The study's reading counts; the other one is the same but for the SMs of a tenant alone. */
TEST(test_both_readings)
{
    static const char row[] =
        "rows:\n- {id: r, figure: f, what: w, kind: order, paper: lower, metric: fairness, run: x,\n"
        "   against: y, workloads: MM, alone: both}\n";

    for (unsigned whole = 0; whole < 2; whole++) {
        char text[1024];
        struct study s;
        struct mh_error err;
        snprintf(text, sizeof text, HEAD "%s%s", whole ? "alone: whole\n" : "", row);
        assert_good(!open_text(&s, text, &err), err);
        assert_true(s.rows[0].measure.alone_both);
        assert_int_equal(s.rows[0].measure.alone_whole, whole);
        assert_int_equal(s.rows[0].other.alone_whole, !whole);
        assert_ptr_equal(s.rows[0].other.expr, s.rows[0].measure.expr);
        study_cycles(&s, 3000); /* its window goes with the row's */
        assert_int_equal(s.rows[0].other.cycles, s.rows[0].measure.cycles);
        study_close(&s);
    }
}

TEST(test_partitions)
{
    static const char text[] =
        HEAD "rows:\n" ROW PARTED "partitions: [1, 10, 127], under: {image: y, design: D}}\n"
             "grids:\n- {id: g, title: t, use: table, digits: 0, metric: 'sms[0]', workloads: MM, partitions: [4, 5],\n"
             "   over: geomean, columns: {own: {image: x, partitions: [7]}, all: x}}\n"
             "- {id: h, title: t, metric: ipc, workloads: MM, columns: {all: x}}\n";
    struct study s;
    struct mh_error err;

    assert_good(!open_text(&s, text, &err), err);
    assert_int_equal(s.rows[0].measure.common.partition_count, 0);
    const struct measure *m = &s.rows[1].measure;
    assert_int_equal(m->common.partition_count, 3);
    assert_int_equal(m->common.partitions[0], 1);
    assert_int_equal(m->common.partitions[2], 127);
    assert_string_equal(m->under.design, "D");
    assert_int_equal(s.grids[0].use, GRID_TABLE);
    assert_int_equal(s.grids[0].digits, 0);
    assert_int_equal(s.grids[0].over, OVER_GEOMEAN);
    assert_int_equal(s.grids[0].measure.common.partitions[1], 5);
    assert_int_equal(s.grids[0].columns[0].partitions[0], 7);
    assert_int_equal(s.grids[0].columns[1].partition_count, 0);
    assert_int_equal(s.grids[1].use, GRID_PLOT);
    assert_int_equal(s.grids[1].digits, 3);
    assert_int_equal(s.grids[1].over, OVER_MEAN);
    study_close(&s);
}

TEST(test_lists_in_circles)
{
    struct study s;
    struct mh_error err;
    unsigned count;

    assert_int_equal(open_text(&s, HEAD "lists: {a: [b], b: [a]}\nrows:\n" ROW, &err), 0);
    assert_null(study_workloads(&s, &s.rows[0].measure, &count, &err));
    assert_non_null(strstr(err.text, "lists in lists"));
    study_close(&s);
}

static bool in_classes(enum class_paper paper, const char *spec)
{
    struct mh_config cfg;
    struct mh_error err;
    if (!strncmp(spec, "trace:", 6)) /* a recording is of no class */
        return true;
    memset(&cfg, 0, sizeof cfg);
    if (mh_config_workload(&cfg, spec, &err))
        return false;
    for (size_t i = 0; i < class_row_count; i++)
        if (class_rows[i].paper == paper &&
            mh_kernel_find(class_rows[i].kernel) == mh_kernel_find(cfg.tenants[0].kernel) &&
            class_rows[i].size == cfg.tenants[0].size)
            return true;
    return false;
}

/* One program and size per name of a kernel, here and in `memhelm classes`. */
TEST(test_built_in)
{
    static const struct {
        const char *name;
        enum class_paper paper;
        unsigned rows; /* of the mechanisms' tables, at least */
    } studies[] = {{"mask", PAPER_MASK, 50},
                   {"simt", PAPER_SIMT, 24},
                   {"dws", PAPER_DWS, 70},
                   {"partition", PAPER_MASK, 20},
                   {"ccbp", PAPER_CCBP, 90}};

    for (size_t i = 0; i < sizeof studies / sizeof *studies; i++) {
        struct study s;
        struct mh_error err;
        unsigned count;
        assert_good(!study_open(&s, studies[i].name, NULL, &err), err);
        assert_true(s.row_count >= studies[i].rows);
        assert_true(s.quick_rows.count > 0 && s.doubling.count > 0);
        for (unsigned k = 0; k < s.kernel_count; k++)
            if (!in_classes(studies[i].paper, s.kernels[k].items[0]))
                fail_msg("%s: %s is another program or size than in classes.def", s.name, s.kernels[k].items[0]);
        for (unsigned r = 0; r < s.row_count; r++) {
            if (s.rows[r].missing)
                continue;
            struct workload *w = study_workloads(&s, &s.rows[r].measure, &count, &err);
            if (!w)
                fail_msg("%s: %s", s.rows[r].id, err.text);
            for (unsigned k = 0; k < count; k++) {
                struct mh_config cfg;
                memset(&cfg, 0, sizeof cfg);
                if (mh_config_workload(&cfg, w[k].spec, &err))
                    fail_msg("%s: %s", s.rows[r].id, err.text);
            }
            study_free_workloads(w, count);
        }
        study_close(&s);
    }
}

/* MASK has 35 pairs in three classes; DWS 45, 32 of them with a heavy one. */
TEST(test_numbers_of_pairs)
{
    static const struct {
        const char *study, *list;
        unsigned count;
    } lists[] = {{"mask", "pairs", 35},    {"mask", "ten", 10},      {"dws", "all", 45},    {"dws", "heavy", 32},
                 {"dws", "ten", 10},       {"partition", "ten", 10}, {"simt", "ten", 10},   {"simt", "all", 12},
                 {"dws", "three", 7},      {"ccbp", "LS+LS", 5},     {"ccbp", "LS+BI", 20}, {"ccbp", "NBI+DBI", 8},
                 {"ccbp", "all", 33},      {"ccbp", "twelve", 12},   {"ccbp", "three", 10}, {"ccbp", "four", 10},
                 {"ccbp", "three-few", 5}, {"ccbp", "four-few", 5}};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct study s;
        struct mh_error err;
        unsigned count;
        struct measure m = {.lists = {lists[i].list}, .list_count = 1};
        assert_int_equal(study_open(&s, lists[i].study, NULL, &err), 0);
        struct workload *w = study_workloads(&s, &m, &count, &err);
        assert_int_equal(count, lists[i].count);
        for (unsigned a = 0; a < count; a++)
            for (unsigned b = 0; b < a; b++)
                assert_string_not_equal(w[a].spec, w[b].spec);
        study_free_workloads(w, count);
        study_close(&s);
    }
}

/* An oracle is looked up by the words of `memhelm search --pairs all`. */
TEST(test_pairs_of_the_search)
{
    struct pair pairs[PAIRS_MOST];
    const unsigned most = pairs_all(pairs);
    struct study s;
    struct mh_error err;
    unsigned count;
    struct measure m = {.lists = {"all"}, .list_count = 1};

    assert_int_equal(study_open(&s, "ccbp", NULL, &err), 0);
    struct workload *w = study_workloads(&s, &m, &count, &err);
    for (unsigned k = 0; k < count; k++) {
        char text[256] = "";
        for (unsigned i = 0; i < most && strcmp(w[k].spec, text) != 0; i++)
            snprintf(text, sizeof text, "%s+%s", pairs[i].first, pairs[i].second);
        assert_string_equal(w[k].spec, text);
    }
    study_free_workloads(w, count);
    study_close(&s);
}

/* What a paper says of one pair is measured on that pair, and a bound of it is no effect. */
TEST(test_rows_as_stated)
{
    static const struct {
        const char *study, *id, *workloads;
        enum claim_form form;
        enum aggregate over;
    } rows[] = {
        {"mask", "sec7.2-dram-latency", "SCAN+SAD", CLAIM_RANGE, OVER_GEOMEAN}, /* "by up to 10.6% (SCAN_SAD)" */
        {"mask", "sec7.2-dram-bandwidth", "SCAN+HISTO", CLAIM_RANGE, OVER_GEOMEAN},
        {"mask", "sec7.2-srad", "SCAN+SRAD", CLAIM_RANGE, OVER_GEOMEAN},
        {"mask", "sec7.2-cons", "SCAN+CONS", CLAIM_RANGE, OVER_GEOMEAN},
        {"mask", "sec7.3-2mb-mask", "ten", CLAIM_WITHIN, OVER_GEOMEAN}, /* "within 1.8% of Ideal" */
        {"mask", "sec7.1-misses", "pairs", CLAIM_BELOW, OVER_GEOMEAN},  /* "by over 50%" */
        {"mask", "sec7.2-l2-hits", "pairs", CLAIM_ABOVE, OVER_MIN},     /* "for all of our workloads" */
        {"simt", "fig3-gesummv", "GESUMMV", CLAIM_RANGE, OVER_GEOMEAN},
        {"simt", "fig8-best", "irregular", CLAIM_RANGE, OVER_MAX}, /* "by up to 41%" of all */
        {"dws", "fig5-gups-jpeg", "GUPS+JPEG", CLAIM_RANGE, OVER_GEOMEAN},
        {"dws", "fig6-blk-3ds", "BLK+3DS", CLAIM_BELOW, OVER_GEOMEAN},
        {"etc", "fig13-cc-mvt", "MVT", CLAIM_RANGE, OVER_GEOMEAN},
        {"etc", "fig13-mt-bicg", "BICG", CLAIM_BELOW, OVER_GEOMEAN},
        {"etc", "fig12-bl-50", "sharing", CLAIM_RANGE, OVER_GEOMEAN},
        {"etc", "fig10-unshared-75", "unshared", CLAIM_WITHIN, OVER_GEOMEAN}, /* "similar to the ideal" */
        {"ccbp", "fig9-oracle-h-lsbi", "LS+BI", CLAIM_RANGE, OVER_GEOMEAN},
        {"ccbp", "fig9-oracle-h-most", "BI", CLAIM_RANGE, OVER_MAX}, /* "by up to 51%" */
        {"ccbp", "fig10-cfd-ftd", "CFD+FTD", CLAIM_RANGE, OVER_GEOMEAN},
        {"ccbp", "sec62-arbiter-4", "six", CLAIM_WITHIN, OVER_GEOMEAN}, /* "only 0.11% - 0.72%" */
        {"ccbp", "own-even-least", "twelve", CLAIM_ABOVE, OVER_MIN},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct study s;
        struct mh_error err;
        assert_int_equal(study_open(&s, rows[i].study, NULL, &err), 0);
        const struct row *r = study_row(&s, rows[i].id);
        assert_non_null(r);
        assert_int_equal(r->measure.list_count, 1);
        assert_string_equal(r->measure.lists[0], rows[i].workloads);
        assert_int_equal(r->claim.form, rows[i].form);
        assert_int_equal(r->over, rows[i].over);
        study_close(&s);
    }
}

static double footprint(const char *spec)
{
    struct mh_config cfg;
    struct mh_error err;
    double bytes = 0;
    assert_int_equal(mh_config_preset(&cfg, "etc", &err), 0);
    assert_int_equal(mh_config_workload(&cfg, spec, &err), 0);
    struct mh_workload *w = mh_workload_create(cfg.tenants[0].kernel, cfg.tenants[0].size, 1, cfg.sm.lanes, &err);
    assert_non_null(w);
    for (uint32_t b = 0; b < w->buffer_count; b++)
        bytes += (double)w->buffers[b].bytes;
    w->destroy(w);
    return bytes;
}

/* ETC, section 5: 7.28 to 70 MB, 22.5 MB in the mean. */
TEST(test_footprints_of_etc)
{
    struct study s;
    struct mh_error err;
    double sum = 0;

    assert_int_equal(study_open(&s, "etc", NULL, &err), 0);
    assert_int_equal(s.kernel_count, 16);
    for (unsigned i = 0; i < s.kernel_count; i++) {
        double bytes = footprint(s.kernels[i].items[0]);
        assert_true(bytes >= 7.28e6 && bytes <= 70e6);
        if (strcmp(s.kernels[i].name, "RED")) /* of figure 1 alone */
            sum += bytes;
    }
    assert_true(fabs(sum / 15e6 - 22.5) < 22.5 / 8);
    study_close(&s);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
