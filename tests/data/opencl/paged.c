/*
 * paged FILE.cl: one layer of Llama 3 8B, 32 heads and 8 of KV, for a batch of which PAGED has drawn the lengths with
 * the seed 1. Blocks are in random order in the cache.
 */
#include "device.h"

enum { HEADS = 32, KV_HEADS = 8, HEAD = 128, HALF = 2, BLOCK = 16, PARTITION = 512, PITCH = 8192 / BLOCK };
enum { THREADS = 128, MOST_BLOCKS = 512 };

static const cl_int lengths[] = {57, 54, 2915};

enum { SEQUENCES = sizeof lengths / sizeof *lengths };

static cl_int tables[SEQUENCES * PITCH];

/* Returns how many blocks there are. */
static int draw_tables(void)
{
    static cl_int order[MOST_BLOCKS];
    uint64_t state = 1;
    int blocks = 0;

    for (int s = 0; s < SEQUENCES; s++)
        blocks += (lengths[s] + BLOCK - 1) / BLOCK;
    for (int i = 0; i < blocks; i++) {
        int other = (int)(device_random(&state) % (uint64_t)(i + 1));

        order[i] = order[other];
        order[other] = i;
    }
    for (int s = 0, next = 0; s < SEQUENCES; s++)
        for (int b = 0; b < (lengths[s] + BLOCK - 1) / BLOCK; b++)
            tables[s * PITCH + b] = order[next++];
    return blocks;
}

int main(int argc, char **argv)
{
    const cl_int heads = HEADS, kv_heads = KV_HEADS, sequences = SEQUENCES, pitch = PITCH;
    const size_t rows = SEQUENCES * HEADS, unit_bytes = BLOCK * HEAD * HALF;
    const size_t cache_bytes = (size_t)draw_tables() * KV_HEADS * unit_bytes;
    cl_int partitions = 0;
    cl_mem query, out, length, table, sums, maxima, partial, keys, values;

    for (int s = 0; s < SEQUENCES; s++)
        if (partitions < (lengths[s] + PARTITION - 1) / PARTITION)
            partitions = (lengths[s] + PARTITION - 1) / PARTITION;
    device_begin(argv[argc - 1]);
    query = device_buffer(rows * HEAD * HALF);
    out = device_buffer(rows * HEAD * HALF);
    length = device_copy(sizeof lengths, lengths);
    table = device_copy(sizeof tables, tables);
    sums = device_buffer(rows * (size_t)partitions * sizeof(float));
    maxima = device_buffer(rows * (size_t)partitions * sizeof(float));
    partial = device_buffer(rows * (size_t)partitions * HEAD * HALF);
    keys = device_buffer(cache_bytes);
    values = device_buffer(cache_bytes);
    device_launch("paged_attention_v2", rows * (size_t)partitions, THREADS, 1,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(query), DEVICE_VALUE(keys), DEVICE_VALUE(values), DEVICE_VALUE(table),
                                   DEVICE_VALUE(length), DEVICE_VALUE(sums), DEVICE_VALUE(maxima),
                                   DEVICE_VALUE(partial), DEVICE_VALUE(heads), DEVICE_VALUE(kv_heads),
                                   DEVICE_VALUE(sequences), DEVICE_VALUE(partitions), DEVICE_VALUE(pitch)));
    device_launch("paged_attention_v2_reduce", rows, THREADS, 1,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(length), DEVICE_VALUE(sums), DEVICE_VALUE(maxima),
                                   DEVICE_VALUE(partial), DEVICE_VALUE(out), DEVICE_VALUE(heads),
                                   DEVICE_VALUE(partitions)));
    return 0;
}
