/*
 * Generated kernels against recordings of the real programs, per static memory instruction:
 *     validate_kernels [--rows] [--pcs] [DIR]     DIR: other recordings than those in tests/data; --pcs: each
 * instruction
 *
 * A row is a function of a program: the largest deviation, in %, that any of its instructions has in lanes, in 128 B
 * lines and in 4 KiB pages per warp instruction, in distinct lines, in how often it runs, and in the instructions
 * before it, since the last access or barrier. Programs of tests/data/opencl have the accesses of the published ones,
 * not their arithmetic: the last number is not compared. Where inputs decide addresses they are others
 * than the recorded ones, of the same distribution: several seeds, the worst of which counts. Where they do not, the
 * address of every lane has to be the recorded one, too.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agreement.h"
#include "validate/table.h"
#include "workload/trace/trace.h"

enum { TOLERANCE = 5 /* % */ };

static const struct recording {
    const char *kernel, *trace;
    uint64_t size;
    uint32_t skip;  /* launches of each name before the first recorded one */
    uint32_t seeds; /* of input data that decide addresses; 0 = none do */
} recordings[] = {
    {"GUPS", "gups", 1 << 24, 0, 4},    {"SSSP", "pan_sssp", 1 << 18, 0, 4},
    {"SAD", "parb_sad", 704, 0, 0},     {"2DCONV", "pb_2dconv", 4096, 0, 0},
    {"ATAX", "pb_atax_k1", 4096, 0, 0}, {"ATAX", "pb_atax_k2", 4096, 0, 0},
    {"BICG", "pb_bicg", 4096, 0, 0},    {"GEMM", "pb_gemm", 1024, 0, 0},
    {"FDTD", "pb_fdtd2d", 2048, 0, 0},  {"BP", "rod_backprop", 1 << 20, 0, 0},
    {"HS", "rod_hotspot", 1024, 0, 0},  {"LUD", "rod_lud", 2048, 0, 0},
    {"NW", "rod_nw", 2048, 60, 0},      {"SRAD", "rod_srad", 1024, 0, 0},
    {"FFT", "shoc_fft", 24576, 0, 0}, /* -s 3: 96 MiB of 512-point transforms */
};

/* Recordings of tests/data/opencl: instructions between accesses are not compared. */
static const struct recording accesses[] = {
    {"TOKENWISE", "tokenwise", 512, 0, 0}, {"JOIN", "join", 7813, 0, 4},        {"EMBED", "embed", 32, 0, 4},
    {"PAGED", "paged", 3, 0, 1},           {"RADIX", "radix", 48 * 4096, 0, 4},
};

static const char about[] =
    "Kernels and recordings: function x launches, CTAs, static instructions: largest deviation of "
    "lanes/lines/pages/footprint/mix/instructions between\n"
    "Where addresses do not depend on data every lane's is compared, too. -: not compared, the program is ours.";

static bool show_pcs;

static void print_pair(const char *side, const struct agreement_pc *p)
{
    const double n = (double)p->sums.ops;

    printf("  %s %-3u %8.0f %8.4f %8.4f %8.4f %8.0f %8.4f", side, p->pc, n, (double)p->sums.lanes / n,
           (double)p->sums.lines / n, (double)p->sums.pages / n, (double)p->footprint, (double)p->sums.gap / n);
}

static void print_pcs(const struct agreement_function *f)
{
    static const char kind[] = "LSA";

    printf("%s: pc, executions, lanes, lines, pages, distinct lines, instructions before\n", f->name);
    for (uint32_t i = 0; i < f->recorded.count && i < f->generated.count; i++) {
        printf("  %c%u", kind[f->recorded.pc[i].kind], f->recorded.pc[i].bytes);
        print_pair("recorded", &f->recorded.pc[i]);
        print_pair("generated", &f->generated.pc[i]);
        printf("\n");
    }
}

/* The largest deviation of a function with `count` seeds; -1 and `err` when there is more to it. */
static int deviation(const struct agreement *a, uint32_t count, uint32_t function, bool exact,
                     struct agreement_deviation *d, struct mh_error *err)
{
    *d = (struct agreement_deviation){.lanes = 0};
    for (uint32_t s = 0; s < count; s++) {
        const struct agreement_function *f = &a[s].function[function];

        if (agreement_paired(f, err))
            return -1;
        *d = agreement_larger(*d, agreement_of_function(f));
        if (exact && agreement_elsewhere(f))
            return mh_fail(err, "other addresses in %u instructions", agreement_elsewhere(f));
    }
    return 0;
}

static void print_row(struct agreement_deviation d, const char *what, bool gaps)
{
    char gap[32] = "-";

    if (gaps)
        snprintf(gap, sizeof gap, "%.2g", d.gap);
    table_at_most(TOLERANCE, gaps ? agreement_worst(d) : agreement_worst_access(d),
                  "%s: %.2g/%.2g/%.2g/%.2g/%.2g/%s %%", what, d.lanes, d.lines, d.pages, d.footprint, d.mix, gap);
}

/* The rows of one recording, from one agreement per seed; all have the recording's functions. */
static void print_rows(const struct agreement *a, uint32_t count, const struct recording *r, bool gaps)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct agreement_function *f = &a->function[i];
        struct agreement_deviation d;
        struct mh_error err;
        char what[64];

        for (uint32_t s = 0; s < count && show_pcs; s++)
            print_pcs(&a[s].function[i]);
        snprintf(what, sizeof what, "%.32s x%u, %llu CTAs, %u pcs", f->name, f->launches, (unsigned long long)f->ctas,
                 f->recorded.count);
        if (deviation(a, count, i, !r->seeds, &d, &err))
            table_miss(err.text, "%s", what);
        else
            print_row(d, what, gaps);
    }
}

static int collect(struct agreement *a, const struct recording *r, const struct mh_workload *recorded, uint32_t lanes,
                   uint64_t seed, struct mh_error *err)
{
    struct mh_workload *generated = mh_workload_create(r->kernel, r->size, seed, lanes, err);
    int status;

    if (!generated)
        return -1;
    status = agreement_collect(a, recorded, mh_trace_about(recorded)->recorded_in, generated, r->skip, lanes, err);
    generated->destroy(generated);
    return status;
}

static void compare(const struct recording *r, const char *path, uint32_t lanes, bool gaps)
{
    const uint32_t count = r->seeds ? r->seeds : 1;
    struct agreement *a = calloc(count, sizeof *a);
    struct mh_error err = {"out of memory"};
    struct mh_workload *recorded = a ? mh_trace_open(path, (struct mh_trace_how){.lanes = lanes}, &err) : NULL;
    int status = recorded ? 0 : -1;

    table_layer("%s %s.w%u", r->kernel, r->trace, lanes);
    for (uint32_t s = 0; s < count && !status; s++)
        status = collect(&a[s], r, recorded, lanes, 1 + s, &err);
    if (status)
        table_miss(err.text, "-");
    else
        print_rows(a, count, r, gaps);
    if (recorded)
        recorded->destroy(recorded);
    free(a);
}

/* Either warp width that is there; one must be. */
static void compare_widths(const struct recording *r, const char *dir, bool gaps)
{
    unsigned found = 0;
    char path[512];

    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        snprintf(path, sizeof path, "%s/%s.w%u.gmt.zst", dir, r->trace, lanes);
        if (access(path, R_OK))
            continue;
        compare(r, path, lanes, gaps);
        found++;
    }
    if (!found) {
        table_layer("%s %s", r->kernel, r->trace);
        table_miss("no recording", "%s", path);
    }
}

int main(int argc, char **argv)
{
    const char *dir = MH_TEST_DATA;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--pcs"))
            show_pcs = true;
        else if (strcmp(argv[i], "--rows") != 0)
            dir = argv[i];
    }
    table_open(argc, argv);
    puts(about);
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++)
        compare_widths(&recordings[i], dir, true);
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++)
        compare_widths(&accesses[i], dir, false);
    return table_close();
}
