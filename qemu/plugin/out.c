/*
 * core.json.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "calls.h"
#include "out.h"

static uint32_t or_none(uint32_t stack_low)
{
    return stack_low == UINT32_MAX ? 0 : stack_low;
}

static void write_mix(FILE *f, const struct mh_mix *mix)
{
    fputs("{\"classes\": [", f);
    for (uint32_t k = 0; k <= CORE_CLASS_ROWS; k++) {
        fprintf(f, "%s%" PRIu64, k ? ", " : "", mix->count[k]);
    }
    fprintf(f, "], \"taken\": %" PRIu64 ", \"mmio\": %" PRIu64
            ", \"traps\": %" PRIu64 "}", mix->count[MH_MIX_TAKEN],
            mix->count[MH_MIX_MMIO], mix->count[MH_MIX_TRAPS]);
}

static void write_run(FILE *f, const struct mh_table *t,
                      const struct mh_run_counts *run)
{
    fprintf(f, "{\"schema\": \"memhelm-core-2\", \"core\": \"%s\",\n", t->core);
    fprintf(f, " \"instructions\": %" PRIu64 ", \"faulted\": %" PRIu64
            ", \"executed\": %" PRIu64 ", \"extra\": %" PRIu64 ",\n",
            run->instructions, run->faulted, run->executed, run->extra);
    fprintf(f, " \"traps\": %" PRIu64 ", \"resyncs\": %" PRIu64
            ", \"unknown\": %" PRIu64 ", \"lost_spans\": %" PRIu64
            ", \"stack_low\": %" PRIu32 ",\n \"mix\": ", mh_calls_traps(),
            mh_calls_resyncs(), run->mix->count[CORE_CLASS_ROWS],
            mh_spans_lost(), or_none(run->stack_low));
    write_mix(f, run->mix);
    fputs(",\n", f);
}

static const char *write_page(FILE *f, const struct mh_insn *page,
                              const char *comma)
{
    for (uint32_t k = 0; page && k < MH_PAGE_INSNS; k++) {
        const struct mh_insn *i = &page[k];

        if (i->count) {
            fprintf(f, "%s\n  [%" PRIu32 ", %" PRIu64 ", %" PRIu64 ", %" PRIu64
                    ", %" PRIu32 "]", comma, i->pc, i->count, i->taken, i->mmio,
                    or_none(i->stack_low));
            comma = ",";
        }
    }
    return comma;
}

static void write_addresses(FILE *f, const struct mh_table *t)
{
    const char *comma = "";

    fputs(" \"at\": [", f);
    for (uint32_t page = 0; page < 1u << 20; page++) {
        comma = write_page(f, t->page[page], comma);
    }
    fputs("],\n", f);
}

static void write_nodes(FILE *f)
{
    uint32_t count;
    const struct mh_node *node = mh_calls_nodes(&count);

    fputs(" \"nodes\": [", f);
    for (uint32_t n = 0; n < count; n++) {
        const struct mh_totals *spent = &node[n].spent;

        fprintf(f, "%s\n  [%" PRIu32 ", %" PRIu32 ", %" PRId32 ", %" PRIu64
                ", %" PRIu64 ", %" PRIu64 ", %" PRIu64 "]", n ? "," : "", n,
                node[n].parent, node[n].function, node[n].calls,
                spent->instructions, spent->cycles, spent->mmio);
    }
    fputs("],\n", f);
}

static void write_series(FILE *f, const char *kind, uint32_t id,
                         const struct mh_series *s)
{
    fprintf(f, "{\"kind\": \"%s\", \"id\": %" PRIu32 ", \"stack_low\": %" PRIu32
            ",\n   \"samples\": [", kind, id, or_none(s->stack_low));
    for (uint32_t i = 0; i < s->samples; i++) {
        const struct mh_sample *a = &s->sample[i];

        fprintf(f, "%s[%" PRIu64 ", %" PRIu32 ", %" PRIu32 "]", i ? ", " : "",
                a->instructions, a->cycles, a->stalls);
    }
    fputs("],\n   \"worst\": [", f);
    for (uint32_t i = 0; i < s->shares; i++) {
        const struct mh_share *w = &s->worst[i];

        fprintf(f, "%s[%" PRIu32 ", %" PRIu32 ", %" PRIu32 "]", i ? ", " : "",
                w->node, w->instructions, w->cycles);
    }
    fputs("],\n   \"mix\": ", f);
    write_mix(f, &s->mix);
    fputs(",\n   \"worst_mix\": ", f);
    write_mix(f, &s->worst_mix);
    fputs("}", f);
}

static void write_spans(FILE *f)
{
    static const char *const name[] = {
        [MH_SPAN_SOURCE] = "source", [MH_SPAN_HOOK] = "hook",
    };
    const char *comma = "";

    fputs(" \"spans\": [", f);
    for (int kind = 0; kind < MH_SPAN_KINDS; kind++) {
        const struct mh_series *s;

        for (uint32_t id = 0; (s = mh_spans_series(kind, id)) != NULL; id++) {
            if (s->samples) {
                fprintf(f, "%s\n  ", comma);
                write_series(f, name[kind], id, s);
                comma = ",";
            }
        }
    }
    fputs("]}\n", f);
}

int mh_out_write(const char *path, const struct mh_table *t,
                 const struct mh_run_counts *run)
{
    FILE *f = fopen(path, "w");
    bool bad;

    if (!f) {
        return errno;
    }
    write_run(f, t, run);
    write_addresses(f, t);
    write_nodes(f);
    write_spans(f);
    bad = ferror(f);
    return fclose(f) ? errno : bad ? EIO : 0;
}
