#include "memhelm/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memhelm/registers.h"
#include "record/timeline.h"

enum { FILE_MAX = MH_PATH_MAX + 32, LOG_BUFFER = 1 << 16 };

/* What one DRAM channel did, in cycles of its clock. */
struct channel_totals {
    uint64_t reads, writes, row_hits, latency, last;
};

struct mh_record {
    char dir[MH_PATH_MAX];
    char kernel[MH_MAX_TENANTS][MH_PATH_MAX];                     /* for the epoch log */
    FILE *epochs, *registers, *dram, *faults, *series, *timeline; /* NULL: not asked for */
    struct mh_timeline_log *line;                                 /* what `timeline` will have */
    uint32_t channel;
    struct channel_totals served;
    int progress; /* -1: cannot be written; no result needs it */
};

static int open_progress(const char *dir, int flags)
{
    char path[FILE_MAX];

    snprintf(path, sizeof path, "%.*s/progress", MH_PATH_MAX, dir);
    return open(path, flags | O_CLOEXEC, 0666);
}

/* In place, 8 bytes at once: a reader sees a whole number. Progress that cannot be written fails no run. */
static void show_progress(const struct mh_record *rec, uint64_t cycle)
{
    if (rec->progress >= 0 && pwrite(rec->progress, &cycle, sizeof cycle, 0) < 0)
        return;
}

uint64_t mh_record_progress(const char *dir)
{
    uint64_t cycle = 0;
    int fd = open_progress(dir, O_RDONLY);

    if (fd < 0)
        return 0;
    if (pread(fd, &cycle, sizeof cycle, 0) != sizeof cycle)
        cycle = 0;
    close(fd);
    return cycle;
}

static void log_access(void *ctx, uint64_t cycle, bool write, uint32_t offset, uint32_t value, enum mh_access result)
{
    struct mh_record *rec = ctx;

    if (rec->line && write && result == MH_ACCESS_OK && (offset == MH_REG_COMMIT || offset == MH_REG_SNAPSHOT))
        mh_timeline_mark(rec->line, cycle, offset == MH_REG_COMMIT ? "COMMIT" : "SNAPSHOT");
    else if (rec->line && write && result == MH_ACCESS_OK)
        mh_timeline_register(rec->line, cycle, offset, value);
    if (!rec->registers)
        return;
    fprintf(rec->registers, "%" PRIu64 " %c 0x%04x 0x%08x %s\n", cycle, write ? 'W' : 'R', offset, value,
            result == MH_ACCESS_OK ? "ok" : "error");
}

/* One column for all SMs, the highest first, as one number in hex. */
static void log_mask(FILE *out, const uint32_t *words)
{
    fputs(",0x", out);
    for (unsigned i = MH_SM_WORDS; i--;)
        fprintf(out, "%08" PRIx32, words[i]);
}

static void log_epoch(void *ctx, const struct mh_epoch_row *row)
{
    const struct mh_record *rec = ctx;
    FILE *out = rec->epochs;

    if (row->tenant == 0) /* an epoch has a row per tenant: once is enough */
        show_progress(rec, row->cycle);
    if (!out)
        return;
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",", row->epoch, row->cycle);
    if (row->latency != UINT64_MAX)
        fprintf(out, "%" PRIu64, row->latency);
    fprintf(out, ",%u", row->tenant);
#define MH_TENANT_COUNTER(name, field, unit, doc) fprintf(out, ",%" PRIu64, row->delta.field);
#include "memhelm/registers.def"
#define LOG_TENANT(field)                fprintf(out, ",%u", row->knobs->field[row->tenant])
#define LOG_SM_MASK(field)               log_mask(out, row->knobs->field)
#define LOG_GPU(field)                   fprintf(out, ",%u", row->knobs->field)
#define LOG_WALKER(field)                (void)0
#define LOG_TENANT_SM(field)             (void)0
#define MH_KNOB(name, field, shape, ...) LOG_##shape(field);
#include "memhelm/registers.def"
    fprintf(out, ",%s\n", rec->kernel[row->tenant]);
}

static void log_fault(void *ctx, const struct mh_page_fault *f)
{
    const struct mh_record *rec = ctx;

    if (rec->line)
        mh_timeline_fault(rec->line, f);
    if (!rec->faults)
        return;
    fprintf(rec->faults, "%" PRIu64 ",0x%" PRIx64 ",%u,%u,%" PRIu64 ",%u,%u\n", f->cycle, f->address, f->tenant, f->sm,
            f->latency, f->evicted, f->prefetched);
}

static void log_timeline(void *ctx, const struct mh_timeline_sample *sample)
{
    mh_timeline_sample(((struct mh_record *)ctx)->line, sample);
}

static void log_launch(void *ctx, const struct mh_launch_row *row)
{
    mh_timeline_launch(((struct mh_record *)ctx)->line, row);
}

void mh_record_mcu(struct mh_record *rec, enum mh_mcu_work work, const char *name, uint64_t from, uint64_t to)
{
    if (rec->line)
        mh_timeline_slice(rec->line, work, name, from, to);
}

static void log_series(void *ctx, const struct mh_series_row *row)
{
    const struct mh_record *rec = ctx;

    fprintf(rec->series, "%" PRIu64 ",%u", row->cycle, row->tenant);
    for (unsigned i = 0; i < MH_SERIES_COLUMNS; i++)
        fprintf(rec->series, ",%" PRIu64, row->delta[i]);
    fputc('\n', rec->series);
}

static void log_dram_enter(void *ctx, uint64_t cycle, uint64_t addr, bool write)
{
    struct mh_record *rec = ctx;

    fprintf(rec->dram, "0x%" PRIx64 " %s %" PRIu64 "\n", addr, write ? "WRITE" : "READ", cycle);
}

/* Latency is that of reads alone: no load waits for a write. */
static void log_dram_serve(void *ctx, uint64_t entered, uint64_t finish, bool write, bool row_hit)
{
    struct channel_totals *t = &((struct mh_record *)ctx)->served;

    t->row_hits += row_hit;
    t->last = finish > t->last ? finish : t->last;
    *(write ? &t->writes : &t->reads) += 1;
    t->latency += write ? 0 : finish - entered;
}

/* A comment at the end, so that the channel in the model can be compared with one that is driven by the file. */
static void dram_footer(const struct mh_record *rec)
{
    const struct channel_totals *t = &rec->served;
    uint64_t all = t->reads + t->writes;

    fprintf(rec->dram,
            "# channel %u served %" PRIu64 " reads, %" PRIu64 " writes in %" PRIu64
            " cycles: read latency %.6g, row hits %.6g\n",
            rec->channel, t->reads, t->writes, t->last, t->reads ? (double)t->latency / (double)t->reads : 0.0,
            all ? (double)t->row_hits / (double)all : 0.0);
}

static void epoch_header(FILE *out)
{
    fputs("epoch,cycle,latency,tenant", out);
#define MH_TENANT_COUNTER(name, field, unit, doc) fputs("," #field, out);
#include "memhelm/registers.def"
#define NAME_TENANT(field)               fputs("," #field, out)
#define NAME_SM_MASK(field)              NAME_TENANT(field)
#define NAME_GPU(field)                  NAME_TENANT(field)
#define NAME_WALKER(field)               (void)0
#define NAME_TENANT_SM(field)            (void)0
#define MH_KNOB(name, field, shape, ...) NAME_##shape(field);
#include "memhelm/registers.def"
    fputs(",kernel\n", out);
}

/* Of a file its name, in which nothing ends the cell. */
static void name_kernel(char name[MH_PATH_MAX], const char *kernel)
{
    const char *slash = strrchr(kernel, '/');

    snprintf(name, MH_PATH_MAX, "%s", slash ? slash + 1 : kernel);
    for (; *name; name++)
        if (strchr(",\"", *name) || (unsigned char)*name < ' ')
            *name = '_';
}

static void series_header(FILE *out)
{
    fputs("cycle,tenant", out);
#define MH_SERIES(field) fputs("," #field, out);
#include "memhelm/series.def"
    fputc('\n', out);
}

static FILE *create(const struct mh_record *rec, const char *name, struct mh_error *err)
{
    char path[FILE_MAX];

    snprintf(path, sizeof path, "%s/%s", rec->dir, name);
    FILE *f = fopen(path, "w");

    if (!f) {
        (void)mh_fail(err, "%s: cannot write: %s", path, strerror(errno));
        return NULL;
    }
    setvbuf(f, NULL, _IOFBF, LOG_BUFFER);
    return f;
}

static void drop(FILE *f)
{
    if (f)
        fclose(f);
}

static void drop_all(struct mh_record *rec)
{
    FILE *const logs[] = {rec->epochs, rec->registers, rec->dram, rec->faults, rec->series, rec->timeline};

    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        drop(logs[i]);
    mh_timeline_close(rec->line);
    free(rec);
}

/* One that was asked for, with its heading. */
static int open_log(struct mh_record *rec, uint64_t wanted, const char *name, FILE **f, struct mh_error *err)
{
    if (!wanted)
        return 0;
    *f = create(rec, name, err);
    return *f ? 0 : -1;
}

static int open_logs(struct mh_record *rec, const struct mh_config *cfg, struct mh_error *err)
{
    const struct mh_run_cfg *run = &cfg->run;

    if (open_log(rec, run->log_epochs, "epochs.csv", &rec->epochs, err) ||
        open_log(rec, run->log_registers, "registers.log", &rec->registers, err) ||
        open_log(rec, run->log_dram, "dram.trace", &rec->dram, err) ||
        open_log(rec, run->log_faults, "faults.csv", &rec->faults, err) ||
        open_log(rec, run->log_series, "series.csv", &rec->series, err) ||
        open_log(rec, run->log_timeline, "timeline.json", &rec->timeline, err))
        return -1;
    if (rec->timeline && !(rec->line = mh_timeline_open(cfg)))
        return mh_fail(err, "%.100s: out of memory", rec->dir);
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        name_kernel(rec->kernel[t], cfg->tenants[t].kernel);
    if (rec->epochs)
        epoch_header(rec->epochs);
    if (rec->faults)
        fputs("cycle,address,tenant,sm,latency,evicted,prefetched\n", rec->faults);
    if (rec->series)
        series_header(rec->series);
    return 0;
}

struct mh_record *mh_record_open(const char *dir, const struct mh_config *cfg, struct mh_gpu *gpu, struct mh_error *err)
{
    struct mh_record *rec = calloc(1, sizeof *rec);

    if (!rec || strlen(dir) >= sizeof rec->dir) {
        free(rec);
        (void)mh_fail(err, rec ? "%.100s..: the directory's name is too long" : "%.100s: out of memory", dir);
        return NULL;
    }
    strcpy(rec->dir, dir);
    rec->channel = cfg->run.log_dram_channel;
    if (open_logs(rec, cfg, err)) {
        drop_all(rec);
        return NULL;
    }
    rec->progress = open_progress(dir, O_WRONLY | O_CREAT | O_TRUNC);
    struct mh_observer obs = {.ctx = rec,
                              .access = rec->registers || rec->line ? log_access : NULL,
                              .epoch = log_epoch,
                              .fault = rec->faults || rec->line ? log_fault : NULL,
                              .series = rec->series ? log_series : NULL,
                              .timeline = rec->line ? log_timeline : NULL,
                              .launch = rec->line ? log_launch : NULL,
                              .dram_enter = rec->dram ? log_dram_enter : NULL,
                              .dram_serve = rec->dram ? log_dram_serve : NULL};

    mh_gpu_observe(gpu, &obs);
    return rec;
}

/* A full disk shows at the latest here. */
static int close_log(const struct mh_record *rec, FILE *f, const char *name, struct mh_error *err)
{
    if (!f)
        return 0;
    bool bad = ferror(f);

    if (fclose(f) || bad)
        return mh_fail(err, "%s/%s: cannot write: %s", rec->dir, name, strerror(errno));
    return 0;
}

int mh_record_close(struct mh_record *rec, struct mh_gpu *gpu, enum mh_end end, const struct mh_mcu_stats *mcu,
                    const struct mh_fault *fault, struct mh_error *err)
{
    struct mh_result result = {.end = end, .stats = *mh_gpu_stats(gpu), .mcu = *mcu};
    char path[FILE_MAX];

    if (fault && end != MH_END_PASS)
        result.fault = *fault;
    mh_gpu_observe(gpu, &(struct mh_observer){0}); /* the logs are closed now: nothing may be written to them */
    int status = close_log(rec, rec->epochs, "epochs.csv", err);

    status |= close_log(rec, rec->registers, "registers.log", err);
    if (rec->dram)
        dram_footer(rec);
    status |= close_log(rec, rec->dram, "dram.trace", err);
    status |= close_log(rec, rec->faults, "faults.csv", err);
    status |= close_log(rec, rec->series, "series.csv", err);
    if (rec->line)
        mh_timeline_write(rec->line, rec->timeline);
    status |= close_log(rec, rec->timeline, "timeline.json", err);
    mh_timeline_close(rec->line);
    snprintf(path, sizeof path, "%s/result.json", rec->dir);
    /* Last, and only with whole logs: a result.json means that all files of the run are there. */
    if (!status)
        status = mh_result_write(&result, path, err);
    if (rec->progress >= 0)
        close(rec->progress);
    free(rec);
    return status ? -1 : 0;
}

static enum mh_end fail(struct mh_fault *fault, uint32_t code)
{
    *fault = (struct mh_fault){.exit_code = code};
    return MH_END_FAIL;
}

/* 0 written before the end is a failure, too: counts of a part of the run would pass for those of the whole. */
enum mh_end mh_record_exit(const struct mh_config *cfg, const struct mh_gpu *gpu, uint32_t code, struct mh_fault *fault)
{
    enum mh_end end = MH_END_PASS;
    char knob[200];

    if (code) {
        bool refused = mh_gpu_refused(gpu, knob, sizeof knob);

        end = fail(fault, code);
        snprintf(fault->reason, sizeof fault->reason, "the firmware wrote %" PRIu32 " to EXIT%s%s", code,
                 refused ? "; its last COMMIT was rejected: " : "", refused ? knob : "");
    } else if (!mh_gpu_ended(gpu)) {
        end = fail(fault, code);
        snprintf(fault->reason, sizeof fault->reason,
                 "the firmware wrote EXIT at GPU cycle %" PRIu64 ", before the run's end at %s%" PRIu64,
                 mh_gpu_now(gpu), cfg->run.completions ? "run.completions, or " : "", cfg->run.cycles);
    }
    return end;
}
