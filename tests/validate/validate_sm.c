/*
 * Instructions that wait for results (sm.alu_latency, sm.shared_latency, sm.conflict_cycles), in every preset with the
 * latencies of an A100: 4 cycles from an FP32 or integer instruction to one that depends on it (Abdelkhalik et al.,
 * arXiv 2208.11174), 23 for a read of shared memory, 25, 29 and 37 with conflicts of 2, 4 and 8 ways (Sun et al., arXiv
 * 2206.02874). Those of 16 and 32 ways follow from the same 2 cycles a way.
 */
#include "memhelm/config_file.h"
#include "validate/stream.h"
#include "validate/table.h"

enum { CHAIN = 1000, ALU = 4, SHARED = 23, WAY = 2, FROM = 5000, TO = 105000 };

static struct mh_config of_a100(const struct mh_config *preset)
{
    struct mh_config cfg = *preset;

    cfg.sm.alu_latency = ALU;
    cfg.sm.shared_latency = SHARED;
    cfg.sm.conflict_cycles = WAY;
    return cfg;
}

/* A thousand instructions that depend on each other, and a store; `step` is how many ways they read, 0: they compute.
 */
static bool chain(void *ctx, const struct mh_cursor *c, uint64_t i, struct mh_op *op, uint64_t *addr)
{
    const struct stream *s = ctx;

    (void)c, (void)i, (void)addr;
    *op = op_after(CHAIN, op_store(SCRIPT_BASE));
    op->ways = (uint8_t)s->step;
    return true;
}

static double rate(const struct mh_config *cfg, uint32_t warps, uint32_t ways)
{
    struct stream s = {.bytes = SCRIPT_PAGE, .sms = 1, .warps = warps, .step = ways};
    LOCAL_GPU(g) = stream_gpu(cfg, &s, chain);

    return stream_rate(g, STREAM_COUNTER(warp_instr), FROM, TO);
}

/* Warp w is of scheduler w modulo their number. A scheduler issues every issue_cycles, a warp every `apart`. */
static double expected(const struct mh_config *cfg, uint32_t warps)
{
    const uint32_t issue = cfg->sm.issue_cycles, apart = issue > ALU ? issue : ALU;
    double sum = 0;

    for (uint32_t p = 0; p < cfg->sm.schedulers; p++) {
        const uint32_t of_port = (warps + cfg->sm.schedulers - 1 - p) / cfg->sm.schedulers;
        const double wanted = (double)of_port / apart, most = 1.0 / issue;

        sum += wanted < most ? wanted : most;
    }
    return sum;
}

static void computing(const struct mh_config *cfg)
{
    for (uint32_t warps = 1; warps <= 16 && warps <= cfg->sm.warps; warps *= 2)
        table_within(expected(cfg, warps), rate(cfg, warps, 0), 1,
                     "%u warp(s) of dependent instructions, %d cycles: instructions a cycle", warps, ALU);
}

static void conflicts(const struct mh_config *cfg)
{
    for (uint32_t ways = 1; ways <= 32; ways *= 2)
        table_within(SHARED + (ways - 1) * WAY, 1 / rate(cfg, 1, ways), 1,
                     "dependent reads of shared memory, conflicts of %u way(s): cycles each", ways);
    for (uint32_t ways = 8; ways <= 32; ways *= 2)
        table_within(1.0 / (1 + (ways - 1) * WAY), rate(cfg, 8, ways), 1,
                     "the same of 8 warps, %u ways: reads a cycle, a way each %d", ways, WAY);
}

static void layer(const struct mh_config *preset)
{
    const struct mh_config cfg = of_a100(preset);

    computing(&cfg);
    conflicts(&cfg);
}

int main(int argc, char **argv)
{
    return stream_validate(argc, argv, script_preset, layer);
}
