#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dram_oracle.h"
#include "memhelm/config_file.h"

enum { MAX_LAUNCHES = 64, MAX_BUFFERS = 64, PATIENCE = 20000000 /* cycles until a run counts as hung */ };

struct item {
    struct mh_op op;
    uint64_t *addr; /* of a list */
    uint64_t issued;
};

struct stream {
    uint32_t launch, cta, warp;
    uint64_t placed;
    struct item *item;
    uint32_t count, capacity;
};

struct script {
    struct mh_workload work; /* first: the callbacks find the rest behind it */
    struct mh_launch launch[MAX_LAUNCHES];
    struct mh_buffer buffer[MAX_BUFFERS];
    struct stream *stream;
    uint32_t count, capacity;
    script_next *next;
    void *ctx;
    struct mh_gpu *gpu; /* NULL while it is built, which is cycle 0 */
    uint32_t tenant;
    bool repeat, hold;
};

static void give_up(const char *why)
{
    fprintf(stderr, "script: %s\n", why);
    abort();
}

static void *grow(void *old, uint32_t count, uint32_t *capacity, size_t size)
{
    if (count < *capacity)
        return old;
    *capacity = *capacity ? 2 * *capacity : 8;
    void *p = realloc(old, *capacity * size);
    if (!p)
        give_up("out of memory");
    return p;
}

static uint64_t now(const struct script *s)
{
    return s->gpu ? mh_gpu_now(s->gpu) : 0;
}

static struct stream *find(const struct script *s, uint32_t launch, uint32_t cta, uint32_t warp)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct stream *t = &s->stream[i];
        if (t->launch == launch && t->cta == cta && t->warp == warp)
            return t;
    }
    return NULL;
}

static struct stream *find_or_add(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp)
{
    struct stream *t = find(s, launch, cta, warp);
    if (t)
        return t;
    s->stream = grow(s->stream, s->count, &s->capacity, sizeof *s->stream);
    t = &s->stream[s->count++];
    *t = (struct stream){.launch = launch, .cta = cta, .warp = warp, .placed = SCRIPT_NEVER};
    return t;
}

/* --- The workload's callbacks. v[0] = operations fetched, v[1] = index of the stream. */

static void lose_sms(struct mh_gpu *g, uint32_t tenant)
{
    memset(g->tenant[tenant].sms, 0, sizeof g->tenant[tenant].sms);
}

static void hold_after_last(struct script *s, const struct mh_cursor *c)
{
    bool last = c->launch + 1 == s->work.launch_count && c->cta + 1 == s->launch[c->launch].ctas;
    s->hold = last && !s->repeat;
    if (s->hold && s->gpu)
        lose_sms(s->gpu, s->tenant);
}

static void start(const struct mh_workload *w, struct mh_cursor *c)
{
    struct script *s = (struct script *)w;
    c->v[0] = 0;
    hold_after_last(s, c);
    if (s->next)
        return;
    struct stream *t = find_or_add(s, c->launch, c->cta, c->warp);
    if (t->placed == SCRIPT_NEVER)
        t->placed = now(s);
    c->v[1] = (uint64_t)(t - s->stream);
}

static void next_generated(struct script *s, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    if (!s->next(s->ctx, c, c->v[0]++, op, addr))
        *op = op_exit();
}

/* A warp that fetches an operation has just issued the one before. */
static void next(const struct mh_workload *w, struct mh_cursor *c, struct mh_op *op, uint64_t *addr)
{
    struct script *s = (struct script *)w;
    if (s->next) {
        next_generated(s, c, op, addr);
        return;
    }
    struct stream *t = &s->stream[c->v[1]];
    uint64_t i = c->v[0]++;
    if (i && t->item[i - 1].issued == SCRIPT_NEVER)
        t->item[i - 1].issued = now(s);
    if (i >= t->count) {
        *op = op_exit();
        return;
    }
    *op = t->item[i].op;
    if (op->list)
        memcpy(addr, t->item[i].addr, MH_MAX_LANES * sizeof *addr);
}

static void destroy(struct mh_workload *w)
{
    struct script *s = (struct script *)w;
    for (uint32_t i = 0; i < s->count; i++) {
        for (uint32_t k = 0; k < s->stream[i].count; k++)
            free(s->stream[i].item[k].addr);
        free(s->stream[i].item);
    }
    free(s->stream);
    free(s);
}

/* --- Building. */

struct script *script_new(void)
{
    struct script *s = calloc(1, sizeof *s);
    if (!s)
        give_up("out of memory");
    s->work = (struct mh_workload){
        .launches = s->launch, .buffers = s->buffer, .start = start, .next = next, .destroy = destroy};
    return s;
}

void script_buffer(struct script *s, uint64_t base, uint64_t bytes)
{
    if (s->work.buffer_count == MAX_BUFFERS)
        give_up("too many buffers");
    s->buffer[s->work.buffer_count++] = (struct mh_buffer){base, bytes};
}

uint32_t script_launch(struct script *s, struct mh_launch launch)
{
    if (s->work.launch_count == MAX_LAUNCHES)
        give_up("too many launches");
    if (!launch.name)
        launch.name = "script";
    s->launch[s->work.launch_count] = launch;
    return s->work.launch_count++;
}

void script_repeat(struct script *s)
{
    s->repeat = true;
}

uint32_t script_warps(struct script *s, uint32_t warps)
{
    return script_launch(s, (struct mh_launch){.ctas = 1, .threads = 64 * warps});
}

struct script *script_paged(uint64_t pages, uint32_t warps)
{
    struct script *s = script_new();

    script_buffer(s, SCRIPT_BASE, pages * SCRIPT_PAGE);
    script_warps(s, warps);
    return s;
}

void script_add(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, struct mh_op op)
{
    struct stream *t = find_or_add(s, launch, cta, warp);
    t->item = grow(t->item, t->count, &t->capacity, sizeof *t->item);
    t->item[t->count++] = (struct item){.op = op, .issued = SCRIPT_NEVER};
}

void script_add_ops(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, const struct mh_op *op,
                    uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        script_add(s, launch, cta, warp, op[i]);
}

void script_add_list(struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, struct mh_op op,
                     const uint64_t *addr)
{
    op.list = true;
    script_add(s, launch, cta, warp, op);
    struct stream *t = find(s, launch, cta, warp);
    struct item *i = &t->item[t->count - 1];
    i->addr = malloc(MH_MAX_LANES * sizeof *addr);
    if (!i->addr)
        give_up("out of memory");
    memcpy(i->addr, addr, MH_MAX_LANES * sizeof *addr);
}

void script_generate(struct script *s, script_next *fn, void *ctx)
{
    s->next = fn;
    s->ctx = ctx;
}

/* --- Looking. */

uint64_t script_issued(const struct script *s, uint32_t launch, uint32_t cta, uint32_t warp, uint32_t index)
{
    const struct stream *t = find(s, launch, cta, warp);
    if (!t || index >= t->count)
        give_up("no such operation");
    return t->item[index].issued;
}

uint64_t script_placed(const struct script *s, uint32_t launch, uint32_t cta)
{
    const struct stream *t = find(s, launch, cta, 0);
    return t ? t->placed : SCRIPT_NEVER;
}

uint32_t script_line(const struct mh_gpu *g, uint32_t tenant, uint64_t address)
{
    uint32_t vpn = (uint32_t)(address / g->cfg.memory.page_bytes);
    uint32_t frame = mh_pt_translate(g->pages, g->tenant[tenant].page_root, vpn);
    if (frame == MH_PT_NONE)
        give_up("address is not mapped");
    return frame * g->lines_per_page + (uint32_t)(address % g->cfg.memory.page_bytes / g->cfg.memory.line_bytes);
}

uint32_t script_bank(const struct mh_gpu *g, uint32_t line)
{
    return mh_noc_bank(g->noc, mh_line_tenant(g, line), line);
}

/* Written down again from the headers, not called: a test that used the model's own mapping would follow its faults. */
struct script_place script_place(const struct mh_gpu *g, uint32_t line)
{
    const struct mh_dram_cfg *d = &g->cfg.dram;
    uint32_t tenant = mh_line_tenant(g, line), per_channel = g->cfg.l2.banks / d->channels;
    uint32_t bank = mh_noc_bank(g->noc, tenant, line), own = d->channels;
    if (d->partition)
        own = d->channels / g->tenants + (tenant < d->channels % g->tenants ? 1 : 0);
    uint64_t local = (uint64_t)(line / (own * per_channel)) * per_channel + bank % per_channel;
    struct mh_dram_cfg lines = *d;
    lines.request_bytes = g->cfg.memory.line_bytes;
    struct dram_place p = dram_place_of(&lines, local * lines.request_bytes);
    return (struct script_place){bank / per_channel, dram_place_bank(d, &p), p.row, p.column};
}

/* --- The GPU. */

struct mh_config script_preset(const char *preset, uint32_t sms, uint32_t tenants)
{
    struct mh_config cfg;
    struct mh_error err;
    memset(&cfg, 0, sizeof cfg);
    if (mh_config_preset(&cfg, preset, &err))
        give_up(err.text);
    sms = sms ? sms : cfg.sm.count;
    cfg.sm.count = sms;
    cfg.run.cycles = 1000000000000;
    cfg.tenants_count = tenants;
    for (uint32_t t = 0; t < tenants; t++) {
        cfg.tenants[t] = (struct mh_tenant_cfg){
            .kernel = "script", .asid = t + 1, .sm_first = t * (sms / tenants), .sm_count = sms / tenants};
    }
    return cfg;
}

struct mh_config script_config(uint32_t sms, uint32_t tenants)
{
    struct mh_config cfg = script_preset("mask", sms, tenants);

    cfg.clock.dram_hz = cfg.clock.gpu_hz;
    cfg.dram.refi = 0;
    cfg.l1tlb.mshrs = 32;
    return cfg;
}

void script_share_sms(struct mh_config *cfg)
{
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        cfg->tenants[t].sm_first = 0;
        cfg->tenants[t].sm_count = cfg->sm.count;
    }
}

struct mh_gpu *script_gpu(const struct mh_config *cfg, struct script *const scripts[])
{
    struct mh_workload *work[MH_MAX_TENANTS];
    struct mh_error err;
    for (uint32_t t = 0; t < cfg->tenants_count; t++)
        work[t] = &scripts[t]->work;
    struct mh_gpu *g = mh_gpu_create_with(cfg, work, &err);
    if (!g)
        give_up(err.text);
    for (uint32_t t = 0; t < cfg->tenants_count; t++) {
        scripts[t]->gpu = g;
        scripts[t]->tenant = t;
        if (scripts[t]->hold)
            lose_sms(g, t);
    }
    return g;
}

uint32_t script_read(struct mh_gpu *g, uint32_t offset)
{
    uint32_t value;
    if (mh_gpu_read(g, offset, 4, &value) != MH_ACCESS_OK)
        give_up("register read failed");
    return value;
}

void script_write(struct mh_gpu *g, uint32_t offset, uint32_t value)
{
    if (mh_gpu_write(g, offset, 4, value) != MH_ACCESS_OK)
        give_up("register write failed");
}

void script_commit(struct mh_gpu *g)
{
    script_write(g, MH_REG_COMMIT, 1);
    if (script_read(g, MH_REG_COMMIT_STATUS))
        give_up("a COMMIT is rejected");
}

void script_knob(struct mh_gpu *g, uint32_t offset, uint32_t value)
{
    script_write(g, offset, value);
    script_commit(g);
}

void script_refused(struct mh_gpu *g, uint32_t offset, uint32_t value)
{
    script_write(g, offset, value);
    script_write(g, MH_REG_COMMIT, 1);
    if (script_read(g, MH_REG_COMMIT_STATUS) != 1 || script_read(g, MH_REG_COMMIT_BAD) != offset)
        give_up("a COMMIT is accepted, or rejected because of another register");
}

uint64_t script_finish(struct mh_gpu *g, uint32_t tenant)
{
    uint64_t limit = mh_gpu_now(g) + PATIENCE, done = g->tenant[tenant].count.completions;
    script_write(g, MH_REG_IRQ_ENABLE, MH_IRQ_EVENT);
    while (g->tenant[tenant].count.completions == done) {
        if (mh_gpu_now(g) >= limit)
            give_up("the tenant does not finish");
        mh_gpu_advance(g, limit);
        script_write(g, MH_REG_IRQ_PENDING, MH_IRQ_EVENT);
        while (script_read(g, MH_REG_EVENT_POP))
            ;
    }
    return mh_gpu_now(g);
}

uint64_t script_until(struct mh_gpu *g, const uint64_t *counter, uint64_t value)
{
    uint64_t limit = mh_gpu_now(g) + PATIENCE;
    while (*counter < value) {
        if (mh_gpu_now(g) >= limit)
            give_up("the counter does not move");
        mh_gpu_advance(g, mh_gpu_now(g) + 1);
    }
    return mh_gpu_now(g);
}
