/*
 * Requests per second that one channel model serves when its queue is kept full. One line of `name value`
 * pairs for tests/bench/run.sh.   bench_dram SET sequential|random|mixed|streams MILLIONS
 */
#include <stdio.h>
#include <string.h>

#include "../dram_fixture.h"
#include "memhelm/config_file.h"
#include "seconds.h"

struct sink {
    uint64_t served, hits, last;
};

static void done(void *ctx, uint32_t tag, uint64_t finish, bool row_hit)
{
    struct sink *s = ctx;
    (void)tag;
    s->served++;
    s->hits += row_hit;
    if (finish > s->last)
        s->last = finish;
}

/* Random, one in four writes. */
static void mixed(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    req->write = random_next(ctx) % 4 == 0;
}

/* 32 sequential streams in turn, one in four writes back. */
static void streams(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    (void)ctx;
    req->addr = (i / 32 + i % 32 * 100003) * MH_LINE_BYTES;
    req->write = i % 4 == 3;
}

static dram_stream *stream_named(const char *name)
{
    static const struct {
        const char *name;
        dram_stream *stream;
    } rows[] = {{"sequential", dram_sequential}, {"random", dram_scattered}, {"mixed", mixed}, {"streams", streams}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name))
            return rows[i].stream;
    fprintf(stderr, "bench_dram: no pattern '%s'; there are: sequential random mixed streams\n", name);
    exit(2);
}

static void bench(const struct mh_dram_cfg *cfg, dram_stream *stream, uint64_t count)
{
    struct sink s = {0};
    uint64_t rng = 1;
    struct mh_dram_hooks hooks = {.ctx = &s, .done = done};
    struct mh_dram *d = mh_dram_create(cfg, &hooks);
    if (!d)
        exit(1);
    double start = seconds();
    dram_saturate(d, stream, &rng, count, &s.served);
    double took = seconds() - start, n = (double)count;
    printf("seconds %.6f requests_per_s %.0f ns %.1f cycles_per_request %.2f row_hits %.1f\n", took, n / took,
           took / n * 1e9, (double)s.last / n, 100.0 * (double)s.hits / n);
    mh_dram_destroy(d);
}

int main(int argc, char **argv)
{
    struct mh_config c = {0};
    struct mh_error err;
    if (argc != 4) {
        fprintf(stderr, "usage: bench_dram SET sequential|random|mixed|streams MILLIONS\n");
        return 2;
    }
    if (mh_config_dram_preset(&c, argv[1], &err)) {
        fprintf(stderr, "bench_dram: %s\n", err.text);
        return 2;
    }
    bench(&c.dram, stream_named(argv[2]), strtoull(argv[3], NULL, 0) * 1000000);
    return 0;
}
