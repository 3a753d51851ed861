#include "trace_info.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "base/escape.h"
#include "memhelm/trace.h"
#include "run/traces.h"

static const char *const kind_names[] = {"load", "store", "atomic"};

struct trace {
    struct mh_workload *w;
    const struct mh_trace_about *about;
    struct mh_workload_stats stats;
};

static int open_trace(struct trace *t, const char *path, bool lenient, struct mh_error *err)
{
    t->w = mh_trace_open(path, (struct mh_trace_how){.lenient = lenient}, err);
    if (!t->w)
        return -1;
    t->about = mh_trace_about(t->w);
    if (!mh_workload_stats(t->w, t->about->lanes, &t->stats, err))
        return 0;
    mh_workload_stats_free(&t->stats);
    mh_trace_close(t->w);
    return -1;
}

static void close_trace(struct trace *t)
{
    mh_workload_stats_free(&t->stats);
    mh_trace_close(t->w);
}

static double per(uint64_t sum, uint64_t count)
{
    return count ? (double)sum / (double)count : 0;
}

static uint64_t recorded_in(const struct trace *t)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < t->about->launch_count; i++)
        sum += t->about->recorded_in[i];
    return sum;
}

/* Instructions of warps: what is recorded in detail, and what is only counted. */
static void print_mix(const struct trace *t)
{
    const struct mh_workload_stats *s = &t->stats;
    const struct mh_trace_mix *m = &t->about->mix;
    uint64_t all = s->sums.ops + s->kinds[MH_OP_BARRIER] + s->sums.gap;

    printf("instructions    %" PRIu64 "\n", all);
    printf("  loads         %-12" PRIu64 " %5.1f %%\n", s->kinds[MH_OP_LOAD], 100 * per(s->kinds[MH_OP_LOAD], all));
    printf("  stores        %-12" PRIu64 " %5.1f %%\n", s->kinds[MH_OP_STORE], 100 * per(s->kinds[MH_OP_STORE], all));
    printf("  atomics       %-12" PRIu64 " %5.1f %%\n", s->kinds[MH_OP_ATOMIC], 100 * per(s->kinds[MH_OP_ATOMIC], all));
    printf("  barriers      %-12" PRIu64 " %5.1f %%\n", s->kinds[MH_OP_BARRIER],
           100 * per(s->kinds[MH_OP_BARRIER], all));
    printf("  others        %-12" PRIu64 " %5.1f %%", s->sums.gap, 100 * per(s->sums.gap, all));
    if (t->about->pcs)
        printf("  (shared memory %" PRIu64 ", local %" PRIu64 ", constant %" PRIu64 ", texture %" PRIu64
               ", no active lane %" PRIu64 "; %" PRIu64 " after the last access of a warp)",
               m->shared, m->local, m->constant, m->texture, m->idle, s->last_gap);
    printf("\n");
}

static void print_accesses(const struct trace *t)
{
    const struct mh_workload_stats *s = &t->stats;
    const struct mh_op_sums *a = &s->sums;

    printf("per access      %.3f lanes, %.3f sectors, %.3f lines, %.3f pages (max %" PRIu32 ")\n",
           per(a->lanes, a->ops), per(a->sectors, a->ops), per(a->lines, a->ops), per(a->pages, a->ops), a->max_pages);
    printf("8 pages or more %.2f %% of accesses\n", 100 * per(a->ops_8_pages, a->ops));
    printf("footprint       %.3f MB in 128-byte lines, %.3f MB in 4 KiB pages\n", (double)s->lines * 128e-6,
           (double)s->pages * 4096e-6);
    printf("buffers         %" PRIu32 "\n", t->about->buffer_count);
    if (t->about->moved)
        printf("moved           %" PRIu64 " addresses of lanes, from outside the buffers into them\n", t->about->moved);
}

static void print_assumption(const struct trace *t)
{
    char name[1024], text[1024];

    if (!t->about->assumption)
        return;
    snprintf(name, sizeof name, "%s", t->about->assumption);
    piped_names(name, sizeof name);
    printf("assumed         %s\n", escape_text(text, sizeof text, name));
}

static void print_launches(const struct trace *t)
{
    for (uint32_t i = 0; i < t->about->launch_count; i++) {
        const struct mh_launch *l = &t->about->launches[i];
        const struct mh_trace_shape *s = &t->about->shapes[i];
        char name[101];

        printf("  %-4" PRIu32 " %s  grid %ux%ux%u  block %ux%ux%u  CTAs %" PRIu32 " of %" PRIu64 "  registers %" PRIu32
               "  shared %" PRIu32 "%s\n",
               i, escape_text(name, sizeof name, l->name), s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1],
               s->block[2], l->ctas, t->about->recorded_in[i], l->registers, l->shared_bytes,
               s->empty ? "  no instruction" : "");
    }
}

static void print_place(const struct mh_trace_pc *p)
{
    char opcode[sizeof p->opcode], kernel[61];

    printf("  %s at %04" PRIx64 " of %s", escape_text(opcode, sizeof opcode, p->opcode), p->offset,
           escape_text(kernel, sizeof kernel, p->kernel));
}

static void print_pcs(const struct trace *t)
{
    printf("%-8s %-7s %5s %10s %8s %8s %8s %8s %8s  %s\n", "pc", "kind", "bytes", "accesses", "lanes", "sectors",
           "lines", "pages", "gap", "instruction");
    for (uint32_t i = 0; i < t->stats.pc_count; i++) {
        const struct mh_pc_stats *p = &t->stats.pcs[i];
        const struct mh_op_sums *a = &p->sums;

        printf("%-8" PRIu32 " %-7s %5u %10" PRIu64 " %8.3f %8.3f %8.3f %8.3f %8.2f", p->pc, kind_names[p->kind],
               p->bytes, a->ops, per(a->lanes, a->ops), per(a->sectors, a->ops), per(a->lines, a->ops),
               per(a->pages, a->ops), per(a->gap, a->ops));
        if (t->about->pcs && p->pc <= t->about->pc_count)
            print_place(&t->about->pcs[p->pc - 1]);
        printf("\n");
    }
}

int trace_info_text(const char *path, struct trace_info_how how, struct mh_error *err)
{
    struct trace t;

    if (open_trace(&t, path, how.lenient, err))
        return -1;
    printf("%s, %" PRIu32 " lanes", t.about->format, t.about->lanes);
    if (t.about->version)
        printf(", tracer version %" PRIu32, t.about->version);
    printf("; %s\n",
           t.about->dependences ? "waits for loads where they are used" : "every access after a load waits for it");
    if (t.about->memcpys)
        printf("copies to device %" PRIu64 ", %.1f MB (not simulated)\n", t.about->memcpys,
               (double)t.about->memcpy_bytes / 1e6);
    print_assumption(&t);
    printf("launches        %" PRIu32 "\n", t.about->launch_count);
    print_launches(&t);
    printf("CTAs            %" PRIu64 " of %" PRIu64 "\n", t.stats.ctas, recorded_in(&t));
    printf("warps           %" PRIu64 "\n", t.stats.warps);
    print_mix(&t);
    print_accesses(&t);
    if (how.pcs)
        print_pcs(&t);
    close_trace(&t);
    return 0;
}

/* ---- JSON ---- */

static json_t *dimensions(const uint32_t d[3])
{
    return json_pack("[I,I,I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *launches(const struct trace *t)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < t->about->launch_count; i++) {
        const struct mh_launch *l = &t->about->launches[i];
        const struct mh_trace_shape *s = &t->about->shapes[i];

        json_array_append_new(list, json_pack("{s:s,s:o,s:o,s:I,s:I,s:I,s:I}", "kernel", l->name, "grid",
                                              dimensions(s->grid), "block", dimensions(s->block), "ctas_total",
                                              (json_int_t)t->about->recorded_in[i], "ctas_run", (json_int_t)l->ctas,
                                              "registers", (json_int_t)l->registers, "shared_bytes",
                                              (json_int_t)l->shared_bytes));
    }
    return list;
}

static void add_sums(json_t *j, const struct mh_op_sums *a)
{
    json_object_set_new(j, "avg_lanes", json_real(per(a->lanes, a->ops)));
    json_object_set_new(j, "avg_sectors32", json_real(per(a->sectors, a->ops)));
    json_object_set_new(j, "avg_lines128", json_real(per(a->lines, a->ops)));
    json_object_set_new(j, "avg_pages4k", json_real(per(a->pages, a->ops)));
    json_object_set_new(j, "max_pages4k", json_integer(a->max_pages));
    json_object_set_new(j, "frac_ge8_pages", json_real(per(a->ops_8_pages, a->ops)));
}

static json_t *instructions(const struct trace *t)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < t->stats.pc_count; i++) {
        const struct mh_pc_stats *p = &t->stats.pcs[i];
        json_t *j =
            json_pack("{s:I,s:s,s:i,s:I,s:I}", "pc", (json_int_t)p->pc, "op", kind_names[p->kind], "bytes",
                      (int)p->bytes, "records", (json_int_t)p->sums.ops, "nonmem_instr", (json_int_t)p->sums.gap);

        add_sums(j, &p->sums);
        json_array_append_new(list, j);
    }
    return list;
}

static json_t *as_json(const struct trace *t, bool pcs)
{
    const struct mh_workload_stats *s = &t->stats;
    json_t *j = json_pack("{s:s,s:i,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:i}", "format", t->about->format, "warp",
                          (int)t->about->lanes, "launches", launches(t), "ctas", (json_int_t)s->ctas, "warps",
                          (json_int_t)s->warps, "records", (json_int_t)s->sums.ops, "loads",
                          (json_int_t)s->kinds[MH_OP_LOAD], "stores", (json_int_t)s->kinds[MH_OP_STORE], "atomics",
                          (json_int_t)s->kinds[MH_OP_ATOMIC], "barriers", (json_int_t)s->kinds[MH_OP_BARRIER],
                          "nonmem_instr", (json_int_t)(s->sums.gap - s->last_gap), "nonmem_instr_last",
                          (json_int_t)s->last_gap, "pcs", (int)s->pc_count);

    if (!j)
        return NULL;
    add_sums(j, &s->sums);
    json_object_set_new(j, "footprint_lines_bytes", json_integer((json_int_t)(s->lines * 128)));
    json_object_set_new(j, "footprint_pages_bytes", json_integer((json_int_t)(s->pages * 4096)));
    json_object_set_new(j, "moved", json_integer((json_int_t)t->about->moved));
    if (t->about->assumption)
        json_object_set_new(j, "assumed", json_string(t->about->assumption));
    if (pcs)
        json_object_set_new(j, "instructions", instructions(t));
    return j;
}

int trace_info_json(const char *path, struct trace_info_how how, struct mh_error *err)
{
    struct trace t;
    json_t *j;
    int status = 0;

    if (open_trace(&t, path, how.lenient, err))
        return -1;
    j = as_json(&t, how.pcs);
    if (!j || json_dumpf(j, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(10)))
        status = mh_fail(err, "cannot write JSON: out of memory, or standard output is full");
    printf("\n");
    json_decref(j);
    close_trace(&t);
    return status;
}
