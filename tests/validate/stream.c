#include "validate/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"
#include "memhelm/config_file.h"
#include "validate/table.h"

struct mh_gpu *stream_gpu(const struct mh_config *cfg, struct stream *s, script_next *next)
{
    struct script *script = script_new();

    s->sms = s->sms ? s->sms : cfg->sm.count;
    s->warps = s->warps ? s->warps : cfg->sm.warps;
    s->lanes = cfg->sm.lanes;
    s->page = cfg->memory.page_bytes;
    s->line = cfg->memory.line_bytes;
    script_buffer(script, SCRIPT_BASE, s->bytes);
    script_launch(script, (struct mh_launch){.ctas = s->sms, .threads = s->warps * s->lanes});
    script_generate(script, next, s);
    return script_gpu(cfg, &script);
}

struct mh_op stream_lines(const struct stream *s, const struct mh_cursor *c, uint64_t i, enum mh_op_kind kind)
{
    uint64_t first = (i * s->warps + c->warp) * s->lanes * s->line % s->bytes;

    return op_lanes(kind, 4, stream_mask(s), SCRIPT_BASE + first, s->line);
}

double stream_rate(struct mh_gpu *g, size_t offset, uint64_t from, uint64_t to)
{
    struct mh_counters before, after;

    mh_gpu_advance(g, from);
    mh_blocks_counters(g, &before);
    mh_gpu_advance(g, to);
    mh_blocks_counters(g, &after);
    uint64_t count = *(uint64_t *)((char *)&after + offset) - *(uint64_t *)((char *)&before + offset);
    return (double)count / (double)(to - from);
}

static bool sleep_for_ever(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    (void)ctx, (void)c, (void)i, (void)addr;
    *op = op_after(2000000000, op_exit());
    return true;
}

void stream_choose(const struct mh_config *cfg, struct stream *s, uint32_t count,
                   bool (*right)(const struct mh_gpu *g, uint32_t line, const struct stream *s))
{
    struct stream idle = {.bytes = s->bytes};
    struct mh_gpu *g = stream_gpu(cfg, &idle, sleep_for_ever);

    s->address = calloc(count, sizeof *s->address);
    s->addresses = 0;
    for (uint64_t a = SCRIPT_BASE; s->address && a < SCRIPT_BASE + s->bytes && s->addresses < count;
         a += cfg->memory.line_bytes)
        if (right(g, script_line(g, 0, a), s))
            s->address[s->addresses++] = a;
    mh_gpu_destroy(g);
    if (s->addresses == count)
        return;
    fprintf(stderr, "stream: a buffer of %llu bytes has %u of %u lines\n", (unsigned long long)s->bytes, s->addresses,
            count);
    abort();
}

void stream_simplify(struct mh_config *cfg)
{
    cfg->l2.halves = 1;
    cfg->l2.far = MH_FAR_HOME;
    cfg->l2.far_latency = cfg->l2.link_bytes = 0;
    cfg->l2.sector_bytes = 0;
    cfg->l2.partial_stores = MH_PARTIAL_FETCH;
    cfg->gpctlb.entries = 0;
}

struct mh_config stream_preset(const char *preset, uint32_t sms, uint32_t tenants)
{
    struct mh_config cfg = script_preset(preset, sms, tenants);

    stream_simplify(&cfg);
    return cfg;
}

int stream_validate(int argc, char **argv, stream_preset_fn *preset, void (*layer)(const struct mh_config *cfg))
{
    table_open(argc, argv);
    for (const char *const *name = mh_preset_names(); *name; name++) {
        struct mh_config cfg = preset(*name, 0, 1);

        table_layer("%s", *name);
        layer(&cfg);
    }
    return table_close();
}
