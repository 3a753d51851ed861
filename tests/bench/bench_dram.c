/* Requests per second of wall time that one channel model serves: `bench_dram [million requests per pattern]`. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "../dram_fixture.h"
#include "memhelm/config_file.h"

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

static void mixed(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    dram_scattered(ctx, i, req);
    req->write = dram_random(ctx) % 4 == 0;
}

/* 32 sequential streams in turn, one in four writes back. */
static void streams(void *ctx, uint64_t i, struct mh_dram_request *req)
{
    (void)ctx;
    req->addr = (i / 32 + i % 32 * 100003) * MH_LINE_BYTES;
    req->write = i % 4 == 3;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(const struct mh_dram_cfg *cfg, const char *name, dram_stream *stream, uint64_t count)
{
    struct sink s = {0};
    uint64_t rng = 1;
    struct mh_dram_hooks hooks = {.ctx = &s, .done = done};
    struct mh_dram *d = mh_dram_create(cfg, &hooks);
    if (!d)
        exit(1);
    double start = seconds();
    dram_saturate(d, stream, &rng, count, &s.served);
    double took = seconds() - start;
    printf("%-12s %7.2f M requests/s, %6.1f ns a request, %5.2f cycles a request, %5.1f %% row hits\n", name,
           (double)count / took * 1e-6, took / (double)count * 1e9, (double)s.last / (double)count,
           100.0 * (double)s.hits / (double)count);
    mh_dram_destroy(d);
}

int main(int argc, char **argv)
{
    uint64_t count = (argc > 1 ? strtoull(argv[1], NULL, 0) : 5) * 1000000;
    for (const char *const *name = mh_dram_preset_names(); *name; name++) {
        struct mh_config c = {0};
        if (mh_config_dram_preset(&c, *name, NULL))
            return 1;
        printf("%s\n", *name);
        bench(&c.dram, "sequential", dram_sequential, count);
        bench(&c.dram, "random", dram_scattered, count);
        bench(&c.dram, "random r+w", mixed, count);
        bench(&c.dram, "streams r+w", streams, count);
    }
    return 0;
}
