/* radix FILE.cl: partitions 48 chunks of random keys: 16 of the 64 work-groups have none. */
#include "device.h"

enum { CHUNKS = 48, TUPLES = CHUNKS * 4096, GROUPS = 64, THREADS = 1024, PARTS = 256, BUCKET = 4096 };

static const uint64_t no_bucket = 1 << 18;
static int32_t key[TUPLES];

int main(int argc, char **argv)
{
    const uint64_t offsets[] = {0, TUPLES, TUPLES, TUPLES};
    const uint32_t used = PARTS;
    uint64_t state = 1, head[PARTS];
    cl_mem offset, keys, payloads, heads, buckets_used, chains, counts, out_keys, out_payloads;

    for (int i = 0; i < TUPLES; i++)
        key[i] = (int32_t)(device_random(&state) >> 32);
    for (int j = 0; j < PARTS; j++)
        head[j] = no_bucket | (uint64_t)(BUCKET - 1) << 32;
    device_begin(argv[argc - 1]);
    offset = device_copy(sizeof offsets, offsets);
    keys = device_copy(sizeof key, key);
    payloads = device_buffer(sizeof key);
    heads = device_copy(sizeof head, head);
    buckets_used = device_copy(sizeof used, &used);
    chains = device_buffer(PARTS * sizeof(uint32_t));
    counts = device_buffer(PARTS * sizeof(uint32_t));
    out_keys = device_buffer(PARTS * BUCKET * sizeof(int32_t));
    out_payloads = device_buffer(PARTS * BUCKET * sizeof(int32_t));
    device_launch("partition_pass_one", GROUPS, THREADS, 1,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(keys), DEVICE_VALUE(payloads), DEVICE_VALUE(offset),
                                   DEVICE_VALUE(heads), DEVICE_VALUE(buckets_used), DEVICE_VALUE(chains),
                                   DEVICE_VALUE(counts), DEVICE_VALUE(out_keys), DEVICE_VALUE(out_payloads)));
    return 0;
}
