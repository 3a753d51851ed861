#include "record/timeline.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

enum { TID = 1, LAUNCH_NAME = 256 };

/* A kernel's name may have anything in it. */
static void put_text(FILE *out, const char *text)
{
    json_t *v = json_string(text);
    char *quoted = v ? json_dumps(v, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;

    fputs(quoted ? quoted : "\"?\"", out);
    free(quoted);
    json_decref(v);
}

static void put_time(const struct mh_trace_events *e, const char *key, uint64_t cycles)
{
    const uint64_t ns = (uint64_t)((unsigned __int128)cycles * 1000000000u / e->gpu_hz);

    fprintf(e->out, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, ns / 1000, ns % 1000);
}

/* Up to its name. */
static void event(struct mh_trace_events *e, const char *ph, int pid, int tid)
{
    fprintf(e->out, "%s{\"ph\":\"%s\",\"pid\":%d,\"tid\":%d", e->some ? ",\n" : "", ph, pid, tid);
    e->some = true;
}

static void put_name(const struct mh_trace_events *e, const char *name)
{
    fputs(",\"name\":", e->out);
    put_text(e->out, name);
}

void mh_trace_begin(struct mh_trace_events *e, FILE *out, const struct mh_config *cfg, uint64_t sample_cycles,
                    const struct mh_trace_kept *kept, uint32_t kinds)
{
    *e = (struct mh_trace_events){.out = out, .gpu_hz = cfg->clock.gpu_hz};
    fprintf(out,
            "{\"schema\":\"memhelm-timeline-1\",\"displayTimeUnit\":\"ns\",\n\"otherData\":{\"gpu_hz\":%" PRIu64
            ",\"sample_cycles\":%" PRIu64,
            cfg->clock.gpu_hz, sample_cycles);
    for (uint32_t i = 0; i < kinds; i++)
        fprintf(out, ",\"%s\":\"%" PRIu64 " of %" PRIu64 "\"", kept[i].what, kept[i].kept, kept[i].all);
    fputs("},\n\"traceEvents\":[\n", out);
}

void mh_trace_end(struct mh_trace_events *e)
{
    fputs("\n]}\n", e->out);
}

void mh_trace_track(struct mh_trace_events *e, int pid, int tid, const char *name)
{
    event(e, "M", pid, tid);
    fputs(",\"name\":\"thread_name\",\"args\":{\"name\":", e->out);
    put_text(e->out, name);
    fputs("}}", e->out);
}

void mh_trace_process(struct mh_trace_events *e, int pid, const char *name)
{
    event(e, "M", pid, TID);
    fputs(",\"name\":\"process_name\",\"args\":{\"name\":", e->out);
    put_text(e->out, name);
    fputs("}}", e->out);
    event(e, "M", pid, TID);
    fprintf(e->out, ",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%d}}", pid);
}

void mh_trace_counter(struct mh_trace_events *e, int pid, uint64_t cycle, const char *name, double value)
{
    event(e, "C", pid, TID);
    put_time(e, "ts", cycle);
    put_name(e, name);
    fprintf(e->out, ",\"args\":{\"value\":%.4g}}", value);
}

/* Up to its last argument. */
static void slice(struct mh_trace_events *e, int pid, int tid, uint64_t from, uint64_t to, const char *name)
{
    event(e, "X", pid, tid);
    put_time(e, "ts", from);
    put_time(e, "dur", to - from);
    put_name(e, name);
    fprintf(e->out, ",\"args\":{\"cycle\":%" PRIu64 ",\"cycles\":%" PRIu64, from, to - from);
}

void mh_trace_slice(struct mh_trace_events *e, int pid, int tid, uint64_t from, uint64_t to, const char *name)
{
    slice(e, pid, tid, from, to, name);
    fputs("}}", e->out);
}

void mh_trace_launch(struct mh_trace_events *e, int pid, int tid, const struct mh_launch_row *row)
{
    char name[LAUNCH_NAME];

    snprintf(name, sizeof name, "%.*s", LAUNCH_NAME - 1, row->name);
    slice(e, pid, tid, row->from, row->to, name);
    fprintf(e->out, ",\"tenant\":%u,\"launch\":%" PRIu64 ",\"lane_instr\":%" PRIu64 ",\"finished\":%s}}", row->tenant,
            row->number, row->lane_instr, row->finished ? "true" : "false");
}

void mh_trace_mark(struct mh_trace_events *e, int pid, uint64_t cycle, const char *name)
{
    event(e, "i", pid, TID);
    put_time(e, "ts", cycle);
    put_name(e, name);
    fprintf(e->out, ",\"s\":\"t\",\"args\":{\"cycle\":%" PRIu64 "}}", cycle);
}

/* One of the two ends of a fault. */
static void fault_end(struct mh_trace_events *e, const char *ph, int pid, uint32_t id, uint64_t cycle, uint32_t tenant)
{
    event(e, ph, pid, TID);
    put_time(e, "ts", cycle);
    fprintf(e->out, ",\"cat\":\"fault\",\"id\":%u,\"name\":\"tenant %u\"", id, tenant);
}

void mh_trace_fault(struct mh_trace_events *e, int pid, uint32_t id, const struct mh_page_fault *f)
{
    fault_end(e, "b", pid, id, f->cycle, f->tenant);
    fprintf(e->out, ",\"args\":{\"address\":\"0x%" PRIx64 "\",\"sm\":%u,\"evicted\":%u,\"prefetched\":%u}}", f->address,
            f->sm, f->evicted, f->prefetched);
    fault_end(e, "e", pid, id, f->cycle + f->latency, f->tenant);
    fputc('}', e->out);
}
