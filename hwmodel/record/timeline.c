#include "record/timeline.h"

#include <stdlib.h>
#include <string.h>

int mh_thinned_init(struct mh_thinned *t, size_t bytes, uint32_t room)
{
    *t = (struct mh_thinned){.bytes = bytes, .room = room, .every = 1};
    t->item = calloc(room, bytes);
    t->group = calloc(room, sizeof *t->group);
    return t->item && t->group ? 0 : -1;
}

void mh_thinned_free(struct mh_thinned *t)
{
    free(t->item);
    free(t->group);
}

/* false: all belong to groups that stay, one that has filled it alone. */
static bool thin(struct mh_thinned *t)
{
    const uint32_t before = t->count;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < before; i++) {
        if (t->group[i] % (2 * t->every))
            continue;
        memmove(t->item + kept * t->bytes, t->item + i * t->bytes, t->bytes);
        t->group[kept++] = t->group[i];
    }
    t->count = kept;
    t->every *= kept < before ? 2 : 1;
    return kept < before;
}

void mh_thinned_add(struct mh_thinned *t, uint64_t group, const void *item)
{
    t->all++;
    while (t->count == t->room && group % t->every == 0)
        if (!thin(t))
            return;
    if (group % t->every)
        return;
    memcpy(t->item + t->count * t->bytes, item, t->bytes);
    t->group[t->count++] = group;
}

/* Growth of a tenant's counters in a sample; the last ones are sums of what stood there at the samples' cycles. */
enum { LANE_INSTR, SM_STALLS, L2TLB_MISS, DRAM, FAULTS, WALKS_LIVE, FAULTS_WAIT, COLUMNS };

struct tenant_sample {
    uint64_t column[COLUMNS];
};

struct sample {
    struct tenant_sample tenant[MH_MAX_TENANTS];
    uint64_t queued[MH_MAX_CHANNELS];
};

struct slice {
    enum mh_mcu_work work;
    const char *name;
    uint64_t from, to;
};

struct mark {
    const char *name;
    uint64_t cycle;
};

/* Knobs of the whole GPU. */
#define KNOB_TENANT(name)
#define KNOB_WALKER(name)
#define KNOB_SM_MASK(name)
#define KNOB_TENANT_SM(name)
#define KNOB_GPU(name) {MH_REG_##name, #name},
static const struct {
    uint32_t offset;
    const char *name;
} gpu_knobs[] = {
#define MH_KNOB(name, field, shape, ...) KNOB_##shape(name)
#include "memhelm/registers.def"
};
enum { GPU_KNOBS = sizeof gpu_knobs / sizeof *gpu_knobs };

struct knob_write {
    uint64_t cycle;
    uint32_t knob, value; /* gpu_knobs[knob] */
};

struct mh_timeline_log {
    const struct mh_config *cfg;
    struct sample *sample; /* [room] */
    uint32_t samples, room, channels;
    uint32_t merged;  /* samples of run.log_timeline cycles in one */
    uint32_t pending; /* of those, in the last one */
    uint64_t begin;   /* cycle of the first */
    uint64_t last[MH_MAX_TENANTS][WALKS_LIVE];
    struct mh_thinned slices, marks, knobs, faults, launches;
    struct {
        bool known;
        uint32_t value;
    } written[GPU_KNOBS]; /* last */
    uint64_t awakenings;  /* so far: slices of one stay or go together */
};

struct mh_timeline_log *mh_timeline_open(const struct mh_config *cfg)
{
    struct mh_timeline_log *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->cfg = cfg;
    l->merged = 1;
    l->room = cfg->dram.channels > MH_TIMELINE_CHANNELS ? MH_TIMELINE_SAMPLES / 4 : MH_TIMELINE_SAMPLES;
    l->sample = calloc(l->room, sizeof *l->sample);
    bool bad = !l->sample;

    bad |= mh_thinned_init(&l->slices, sizeof(struct slice), MH_TIMELINE_SLICES) != 0;
    bad |= mh_thinned_init(&l->marks, sizeof(struct mark), MH_TIMELINE_MARKS) != 0;
    bad |= mh_thinned_init(&l->knobs, sizeof(struct knob_write), MH_TIMELINE_KNOBS) != 0;
    bad |= mh_thinned_init(&l->faults, sizeof(struct mh_page_fault), MH_TIMELINE_FAULTS) != 0;
    bad |= mh_thinned_init(&l->launches, sizeof(struct mh_launch_row), MH_TIMELINE_LAUNCHES) != 0;
    if (!bad)
        return l;
    mh_timeline_close(l);
    return NULL;
}

void mh_timeline_close(struct mh_timeline_log *l)
{
    if (!l)
        return;
    free(l->sample);
    mh_thinned_free(&l->slices);
    mh_thinned_free(&l->marks);
    mh_thinned_free(&l->knobs);
    mh_thinned_free(&l->faults);
    mh_thinned_free(&l->launches);
    free(l);
}

/* --- Samples. */

static void add_sample(struct sample *to, const struct sample *from)
{
    for (uint32_t t = 0; t < MH_MAX_TENANTS; t++)
        for (uint32_t c = 0; c < COLUMNS; c++)
            to->tenant[t].column[c] += from->tenant[t].column[c];
    for (uint32_t c = 0; c < MH_MAX_CHANNELS; c++)
        to->queued[c] += from->queued[c];
}

/* Two neighbours become one. */
static void merge(struct mh_timeline_log *l)
{
    for (uint32_t i = 0; i < l->room / 2; i++) {
        l->sample[i] = l->sample[2 * i];
        add_sample(&l->sample[i], &l->sample[2 * i + 1]);
    }
    l->samples = l->room / 2;
    memset(&l->sample[l->samples], 0, l->samples * sizeof *l->sample);
    l->merged *= 2;
}

static void take_tenant(struct mh_timeline_log *l, uint32_t t, const struct mh_counters *c, struct tenant_sample *out)
{
    const uint64_t now[WALKS_LIVE] = {
        [LANE_INSTR] = c->lane_instr,
        [SM_STALLS] = c->sm_stalls,
        [L2TLB_MISS] = c->l2tlb_access - c->l2tlb_hit - c->bypass_hit,
        [DRAM] = c->dram_read + c->dram_write + c->dram_walk,
        [FAULTS] = c->uvm_faults,
    };

    for (uint32_t i = 0; i < WALKS_LIVE; i++) {
        out->column[i] = now[i] - l->last[t][i];
        l->last[t][i] = now[i];
    }
    out->column[WALKS_LIVE] = c->walks_live;
    out->column[FAULTS_WAIT] = c->uvm_queue;
}

void mh_timeline_sample(struct mh_timeline_log *l, const struct mh_timeline_sample *s)
{
    struct sample one = {0};

    if (l->samples == l->room)
        merge(l);
    for (uint32_t t = 0; t < l->cfg->tenants_count; t++)
        take_tenant(l, t, &s->tenant[t], &one.tenant[t]);
    for (uint32_t c = 0; c < s->channels; c++)
        one.queued[c] = s->queued[c];
    l->channels = s->channels;
    add_sample(&l->sample[l->samples], &one);
    if (++l->pending < l->merged)
        return;
    l->pending = 0;
    l->samples++;
}

/* --- The rest. */

void mh_timeline_fault(struct mh_timeline_log *l, const struct mh_page_fault *f)
{
    mh_thinned_add(&l->faults, l->faults.all, f);
}

void mh_timeline_launch(struct mh_timeline_log *l, const struct mh_launch_row *row)
{
    mh_thinned_add(&l->launches, l->launches.all, row);
}

void mh_timeline_slice(struct mh_timeline_log *l, enum mh_mcu_work work, const char *name, uint64_t from, uint64_t to)
{
    const struct slice s = {work, name, from, to};

    mh_thinned_add(&l->slices, l->awakenings, &s);
    l->awakenings += work == MH_MCU_AWAKE;
}

void mh_timeline_mark(struct mh_timeline_log *l, uint64_t cycle, const char *name)
{
    const struct mark m = {name, cycle};

    mh_thinned_add(&l->marks, l->marks.all, &m);
}

void mh_timeline_register(struct mh_timeline_log *l, uint64_t cycle, uint32_t offset, uint32_t value)
{
    uint32_t k = 0;

    while (k < GPU_KNOBS && gpu_knobs[k].offset != offset)
        k++;
    if (k == GPU_KNOBS || (l->written[k].known && l->written[k].value == value))
        return;
    l->written[k].known = true;
    l->written[k].value = value;
    const struct knob_write w = {cycle, k, value};

    mh_thinned_add(&l->knobs, l->knobs.all, &w);
}

/* --- Written. */

/* An interrupt may rise while the core is at another. A tenant's counters are track 1. */
enum { TID_CORE = 1, TID_LINE, TID_LAUNCHES = 2 };
enum { PID_MCU = 1, PID_WALKS, PID_DRAM, PID_FAULTS, PID_TENANT };

static void write_names(struct mh_trace_events *e, const struct mh_timeline_log *l)
{
    char name[MH_PATH_MAX + 32];

    mh_trace_process(e, PID_MCU, l->cfg->mcu.hz ? "mcu" : "mcu, in no time");
    mh_trace_track(e, PID_MCU, TID_CORE, "core");
    mh_trace_track(e, PID_MCU, TID_LINE, "interrupt line");
    mh_trace_process(e, PID_WALKS, "page walks");
    mh_trace_process(e, PID_DRAM, "DRAM queues");
    if (l->faults.all)
        mh_trace_process(e, PID_FAULTS, "page faults");
    for (uint32_t t = 0; t < l->cfg->tenants_count; t++) {
        snprintf(name, sizeof name, "tenant %u %s", t, l->cfg->tenants[t].kernel);
        mh_trace_process(e, PID_TENANT + (int)t, name);
        mh_trace_track(e, PID_TENANT + (int)t, TID_LAUNCHES, "launches");
    }
}

static void write_tenant(struct mh_trace_events *e, const struct mh_timeline_log *l, uint32_t t, uint64_t at,
                         const struct tenant_sample *s)
{
    const double cycles = (double)l->merged * (double)l->cfg->run.log_timeline;
    const double gpu_hz = (double)l->cfg->clock.gpu_hz;
    const int pid = PID_TENANT + (int)t;

    mh_trace_counter(e, pid, at, "IPC", (double)s->column[LANE_INSTR] / cycles);
    mh_trace_counter(e, pid, at, "SMs stalled", (double)s->column[SM_STALLS] / cycles);
    mh_trace_counter(e, pid, at, "L2 TLB misses per 1000 cycles", 1000 * (double)s->column[L2TLB_MISS] / cycles);
    mh_trace_counter(e, pid, at, "DRAM GB/s",
                     (double)s->column[DRAM] * l->cfg->memory.line_bytes / cycles * gpu_hz / 1e9);
    if (!l->faults.all)
        return;
    mh_trace_counter(e, pid, at, "faults", (double)s->column[FAULTS]);
    mh_trace_counter(e, pid, at, "faults that wait", (double)s->column[FAULTS_WAIT] / l->merged);
}

static void write_sample(struct mh_trace_events *e, const struct mh_timeline_log *l, uint32_t i)
{
    const uint64_t at = (uint64_t)i * l->merged * l->cfg->run.log_timeline;
    const struct sample *s = &l->sample[i];
    char name[48];

    for (uint32_t t = 0; t < l->cfg->tenants_count; t++) {
        write_tenant(e, l, t, at, &s->tenant[t]);
        snprintf(name, sizeof name, "tenant %u, waiting or running", t);
        mh_trace_counter(e, PID_WALKS, at, name, (double)s->tenant[t].column[WALKS_LIVE] / l->merged);
    }
    for (uint32_t c = 0; c < l->channels; c++) {
        snprintf(name, sizeof name, "channel %u", c);
        mh_trace_counter(e, PID_DRAM, at, name, (double)s->queued[c] / l->merged);
    }
}

/* What holds others comes before them. */
static int outer_first(const void *a, const void *b)
{
    const struct slice *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to > y->to ? -1 : 1;
    return (int)x->work - (int)y->work;
}

static void write_slices(struct mh_trace_events *e, const struct mh_timeline_log *l)
{
    static const char *const names[] = {
        [MH_MCU_AWAKE] = "awake", [MH_MCU_INTERRUPT] = "interrupt", [MH_MCU_SOURCE] = "", [MH_MCU_HOOK] = ""};

    /* The log ends with this: their order is free. */
    qsort(l->slices.item, l->slices.count, sizeof(struct slice), outer_first);
    for (uint32_t i = 0; i < l->slices.count; i++) {
        const struct slice *s = mh_thinned_at(&l->slices, i);

        mh_trace_slice(e, PID_MCU, s->work == MH_MCU_INTERRUPT ? TID_LINE : TID_CORE, s->from, s->to,
                       s->name ? s->name : names[s->work]);
    }
    for (uint32_t i = 0; i < l->marks.count; i++) {
        const struct mark *m = mh_thinned_at(&l->marks, i);

        mh_trace_mark(e, PID_MCU, m->cycle, m->name);
    }
}

static void write_knobs(struct mh_trace_events *e, const struct mh_timeline_log *l)
{
    for (uint32_t i = 0; i < l->knobs.count; i++) {
        const struct knob_write *w = mh_thinned_at(&l->knobs, i);

        mh_trace_counter(e, PID_MCU, w->cycle, gpu_knobs[w->knob].name, w->value);
    }
}

static void write_faults(struct mh_trace_events *e, const struct mh_timeline_log *l)
{
    for (uint32_t i = 0; i < l->faults.count; i++)
        mh_trace_fault(e, PID_FAULTS, i, mh_thinned_at(&l->faults, i));
}

static void write_launches(struct mh_trace_events *e, const struct mh_timeline_log *l)
{
    for (uint32_t i = 0; i < l->launches.count; i++) {
        const struct mh_launch_row *row = mh_thinned_at(&l->launches, i);

        mh_trace_launch(e, PID_TENANT + (int)row->tenant, TID_LAUNCHES, row);
    }
}

void mh_timeline_write(const struct mh_timeline_log *l, FILE *out)
{
    const struct mh_trace_kept kept[] = {{"mcu slices", l->slices.count, l->slices.all},
                                         {"SNAPSHOTs and COMMITs", l->marks.count, l->marks.all},
                                         {"knob writes", l->knobs.count, l->knobs.all},
                                         {"page faults", l->faults.count, l->faults.all},
                                         {"launches", l->launches.count, l->launches.all}};
    struct mh_trace_events e;

    mh_trace_begin(&e, out, l->cfg, (uint64_t)l->merged * l->cfg->run.log_timeline, kept, sizeof kept / sizeof *kept);
    write_names(&e, l);
    for (uint32_t i = 0; i < l->samples; i++)
        write_sample(&e, l, i);
    write_slices(&e, l);
    write_knobs(&e, l);
    write_faults(&e, l);
    write_launches(&e, l);
    mh_trace_end(&e);
}
