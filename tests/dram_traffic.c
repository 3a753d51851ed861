#include "dram_traffic.h"

struct run {
    struct mh_dram_request req; /* the last of those made */
    struct dram_check check;
    struct mh_dram *d;
    uint64_t made, served, rng, now, next;
    uint64_t wanted; /* column commands of all requests */
    uint32_t whole;  /* of a whole one */
    uint8_t *seen;   /* by tag: times served */
};

void dram_mixed(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    if (random_next(ctx) % 2)
        req->addr %= 64 * 2048;
    req->write = random_next(ctx) % 3 == 0;
}

void dram_writes(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    req->write = 1;
}

void dram_parts(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_mixed(ctx, i, req);
    req->bursts = random_next(ctx) % 2;
}

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct run *r = ctx;

    (void)finish, (void)row_hit;
    r->served++;
    r->seen[tag]++;
}

static void command(void *ctx, uint64_t cycle, enum mh_dram_command cmd, uint32_t bank, uint32_t row)
{
    struct run *r = ctx;

    dram_check_command(&r->check, cycle, cmd, bank, row);
}

/* False: there is no room for it. */
static bool push(struct run *r, dram_stream *stream, uint64_t i)
{
    if (r->made == i) {
        r->req = (struct mh_dram_request){0};
        stream(&r->rng, i, &r->req);
        r->req.tag = (uint32_t)i;
        r->wanted += r->req.bursts ? r->req.bursts : r->whole;
        r->made++;
    }
    if (!dram_takes(r->d, &r->req))
        return false;
    r->next = mh_dram_push(r->d, r->now, &r->req);
    return true;
}

static void drive(struct run *r, dram_stream *stream, uint32_t count)
{
    for (uint64_t pushed = 0; r->served < count || r->next != MH_DRAM_NEVER;) {
        uint64_t burst = random_next(&r->rng) % 300;

        for (; burst && pushed < count && push(r, stream, pushed); burst--)
            pushed++;
        uint64_t late = random_next(&r->rng) % 3;
        r->now = r->next == MH_DRAM_NEVER || r->next + late < r->now ? r->now + 200 : r->next + late;
        r->next = mh_dram_step(r->d, r->now);
    }
}

struct dram_traffic dram_traffic_run(const struct mh_dram_cfg *cfg, dram_stream *stream, uint32_t count)
{
    struct run r = {.rng = 42, .next = MH_DRAM_NEVER, .seen = calloc(count, 1)};
    struct mh_dram_hooks hooks = {&r, done, command};
    struct dram_traffic t = {.commands = 0};

    r.whole = (cfg->request_bytes ? cfg->request_bytes : MH_LINE_BYTES) / (cfg->bus_bytes * cfg->burst);
    dram_check_init(&r.check, cfg);
    r.d = mh_dram_create(cfg, &hooks);
    if (!r.seen || !r.d)
        abort();
    drive(&r, stream, count);
    t.check = r.check;
    t.cycles = r.now;
    t.wanted = r.wanted;
    for (int i = 0; i <= MH_DRAM_REFB; i++)
        t.commands += r.check.count[i];
    for (uint32_t i = 0; i < count; i++)
        t.lost += r.seen[i] != 1;
    t.queue_leaked = mh_dram_free(r.d) != dram_all_free(cfg);
    mh_dram_destroy(r.d);
    free(r.seen);
    return t;
}
