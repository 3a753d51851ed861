#include <math.h>
#include <string.h>

#include "part.h"
#include "report/epoch_log.h"

enum { CYCLE = 1, LATENCY, NAME = 120 };

/* --- An epoch log. */

static double latency_of(const struct epoch_log *l, unsigned epoch)
{
    return epoch_log_at(l, epoch, 0, LATENCY);
}

/* The COMMIT that leaves the knobs as the epoch's row has them. */
static double commit_of(const struct epoch_log *l, unsigned epoch)
{
    const double latency = latency_of(l, epoch);

    return epoch_log_at(l, epoch, 0, CYCLE) + (isnan(latency) ? 0 : latency);
}

static void add_quantity(struct timeline_line *line, const struct epoch_log *l, const char *text, unsigned tenant)
{
    struct mh_error err;
    struct expr *e = expr_parse(text, &err);

    for (unsigned i = 0; e && !epoch_log_check(l, e, &err) && i < l->epochs; i++)
        timeline_add(line, epoch_log_begin(l, i), epoch_log_begin(l, i + 1), epoch_log_value(l, e, i, tenant));
    expr_free(e);
}

/* The last epoch's decision takes no time: the run ends with it. A twin's never do. */
static void add_decisions(struct timeline *t, const struct epoch_log *l)
{
    static const char track[] = "Decisions, GPU cycles";
    double longest = 0;

    for (unsigned i = 0; i < l->epochs; i++)
        longest = isnan(latency_of(l, i)) ? INFINITY : fmax(longest, latency_of(l, i));
    for (unsigned i = 0; i < l->epochs && longest > 0; i++) {
        const double begin = epoch_log_at(l, i, 0, CYCLE), latency = latency_of(l, i);
        if (isnan(latency))
            timeline_add(timeline_line(t, track, "missed", TIMELINE_MISSED, 0), begin, begin, 0);
        else if (latency > 0 || i + 1 < l->epochs)
            timeline_add(timeline_line(t, track, "", TIMELINE_FLAGS, 0), begin, begin + latency, latency);
    }
}

/* Has every tenant the value of tenant 0? */
static bool is_common(const struct epoch_log *l, unsigned column)
{
    for (unsigned i = 0; i < l->epochs; i++)
        for (unsigned tenant = 1; tenant < l->tenants; tenant++)
            if (epoch_log_at(l, i, tenant, column) != epoch_log_at(l, i, 0, column))
                return false;
    return true;
}

static void add_knob(struct timeline *t, const struct epoch_log *l, unsigned column)
{
    const bool common = is_common(l, column);
    char track[NAME], name[NAME] = "";
    const char *unit = epoch_log_knob(l->columns[column]);

    snprintf(track, sizeof track, "%.60s%s%.50s", l->columns[column], *unit ? ", " : "", unit);
    for (unsigned tenant = 0; tenant < (common ? 1 : l->tenants); tenant++) {
        if (!common)
            epoch_log_tenant(l, tenant, name, sizeof name);
        struct timeline_line *line = timeline_line(t, track, name, TIMELINE_STEPS, (int)tenant);
        for (unsigned i = 0; i < l->epochs; i++)
            timeline_add(line, commit_of(l, i), i + 1 < l->epochs ? commit_of(l, i + 1) : epoch_log_begin(l, i + 1),
                         epoch_log_at(l, i, tenant, column));
    }
}

static int add_epochs(struct timeline *t, const struct input *in, struct mh_error *err)
{
    struct epoch_log l;
    char name[NAME];

    if (epoch_log_read(&l, in->path, err))
        return -1;
    for (unsigned tenant = 0; tenant < l.tenants; tenant++) {
        snprintf(name, sizeof name, "IPC, tenant %u%s%s", tenant, *l.kernels[tenant] ? " " : "", l.kernels[tenant]);
        add_quantity(timeline_line(t, name, "", TIMELINE_STEPS, (int)tenant), &l, "lane_instr / cycles", tenant);
    }
    add_decisions(t, &l);
    for (unsigned c = 0; c < l.column_count; c++)
        if (epoch_log_turns(&l, c))
            add_knob(t, &l, c);
    for (unsigned tenant = 0; tenant < l.tenants; tenant++) {
        epoch_log_tenant(&l, tenant, name, sizeof name);
        add_quantity(timeline_line(t, "L2 TLB misses per epoch", name, TIMELINE_STEPS, (int)tenant), &l,
                     "l2tlb_access - l2tlb_hit", tenant);
    }
    epoch_log_free(&l);
    return 0;
}

/* --- Trace events (hwmodel/record/trace_events.c). */

enum { GROUPS = 64 };

struct events {
    struct timeline *t;
    const char *groups[GROUPS]; /* [pid]: its name */
    double hz, period;          /* GPU clock; cycles between two samples */
    double fault;               /* cycle at which the last fault began; its end is the next event */
};

static double cycle_of(const struct events *s, const json_t *e)
{
    return round(input_number(e, "ts") * s->hz / 1e6);
}

static const char *group_of(const struct events *s, const json_t *e)
{
    const double pid = input_number(e, "pid");

    return pid >= 0 && pid < GROUPS && s->groups[(unsigned)pid] ? s->groups[(unsigned)pid] : "";
}

/* NULL: the group is none of a tenant. */
static struct timeline_line *ipc_of(const struct events *s, const char *group)
{
    char track[NAME];
    unsigned tenant;

    snprintf(track, sizeof track, "IPC, %.80s", group);
    return sscanf(group, "tenant %u", &tenant) == 1
               ? timeline_line(s->t, track, "", TIMELINE_STEPS, (int)(tenant % GROUPS))
               : NULL;
}

/* Each tenant has a track for its IPC; all tenants share a track for each other sample. */
static void add_sample(const struct events *s, const json_t *e)
{
    const char *group = group_of(s, e), *name = input_text(e, "name");
    const double from = s->period * round(cycle_of(s, e) / s->period);
    struct timeline_line *line = ipc_of(s, group);

    if (line && strcmp(name, "IPC") != 0)
        line = timeline_line(s->t, name, group, TIMELINE_STEPS, TIMELINE_NEXT);
    else if (!line)
        line = timeline_line(s->t, group, name, TIMELINE_STEPS, TIMELINE_NEXT);
    timeline_add(line, from, from + s->period, input_number(json_object_get(e, "args"), "value"));
}

/* Of the mcu, or a launch of a tenant. */
static void add_slice(const struct events *s, const json_t *e)
{
    const json_t *args = json_object_get(e, "args");
    const double from = input_number(args, "cycle"), cycles = input_number(args, "cycles");
    char track[NAME] = "What the mcu did, GPU cycles";

    if (json_object_get(args, "launch"))
        snprintf(track, sizeof track, "Launches of %.80s, GPU cycles", group_of(s, e));
    timeline_add(timeline_line(s->t, track, input_text(e, "name"), TIMELINE_FLAGS, TIMELINE_NEXT), from, from + cycles,
                 cycles);
}

static void add_fault(const struct events *s, const json_t *e)
{
    timeline_add(timeline_line(s->t, "Page faults, GPU cycles", input_text(e, "name"), TIMELINE_FLAGS, TIMELINE_NEXT),
                 s->fault, cycle_of(s, e), cycle_of(s, e) - s->fault);
}

/* Names come before all samples: tracks of IPC are the first. */
static void add_group(struct events *s, const json_t *e)
{
    const double pid = input_number(e, "pid");
    const char *name = input_text(json_object_get(e, "args"), "name");

    if (strcmp(input_text(e, "name"), "process_name") != 0 || !(pid >= 0 && pid < GROUPS))
        return;
    s->groups[(unsigned)pid] = name;
    (void)ipc_of(s, name);
}

static void add_event(struct events *s, const json_t *e)
{
    switch (*input_text(e, "ph")) {
    case 'M':
        add_group(s, e);
        break;
    case 'C':
        add_sample(s, e);
        break;
    case 'X':
        add_slice(s, e);
        break;
    case 'b':
        s->fault = cycle_of(s, e);
        break;
    case 'e':
        add_fault(s, e);
        break;
    default:
        break;
    }
}

static void add_events(struct timeline *t, const struct input *in)
{
    const json_t *about = json_object_get(in->json, "otherData"), *e;
    struct events s = {.t = t,
                       .hz = input_number(about, "gpu_hz"),
                       .period = input_number(about, "sample_cycles"),
                       .fault = (double)NAN};
    size_t i;

    json_array_foreach(json_object_get(in->json, "traceEvents"), i, e)
    {
        add_event(&s, e);
    }
}

int part_timeline(struct part *p, const struct input *in, unsigned count, struct mh_error *err)
{
    struct timeline *t = timeline_new();
    int status = 0;

    part_begin(p, "Over time");
    doc_paragraph(
        &p->doc, "A knob's step is at the COMMIT; knobs with one value in the whole run are in the log alone. The mark "
                 "of a decision stands at the end of its epoch, as high as the GPU cycles until the COMMIT. All runs "
                 "have one time axis, and tracks of one name one scale.");
    for (unsigned i = 0; i < count && !status; i++) {
        char name[NAME];
        snprintf(name, sizeof name, "%.100s: %s", in[i].name, in[i].json ? "events" : "epochs");
        timeline_run(t, name);
        if (in[i].json)
            add_events(t, &in[i]);
        else
            status = add_epochs(t, &in[i], err);
    }
    if (!status)
        timeline_write(t, &p->doc);
    p->zooms = true;
    timeline_free(t);
    part_end(p);
    return status;
}
