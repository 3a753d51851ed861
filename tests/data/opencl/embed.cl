/*
 * Embedding bags, after FBGEMM's split_embedding_codegen_forward_unweighted_kernel: a warp of 32 a bag, four elements of
 * fp16 a lane, a bag's rows one after the other. Oclgrind has no shuffles: what another lane has loaded is read again
 * in constant memory. Volatile are loads that the compiler would move.
 */
enum { LANES = 32, TABLES = 26, DIMENSION = 128 };

float4 widened(ushort4 v)
{
    return as_float4(convert_uint4(v) << 16);
}

kernel void split_embedding_codegen_forward_unweighted_kernel(
    global const ushort *restrict weights, global const volatile int *restrict placements,
    global const volatile long *restrict weights_offsets, global const volatile int *restrict d_offsets,
    global const long *restrict indices, global const long *restrict offsets, global float4 *restrict output,
    constant long *shuffled, int samples)
{
    int lane = get_local_id(0), bag = get_group_id(0) * get_local_size(1) + get_local_id(1);
    int table = bag / samples, sample = bag % samples;

    if (bag >= TABLES * samples)
        return;

    long first = offsets[bag], end = offsets[bag + 1];
    int from = d_offsets[table], width = d_offsets[table + 1] - from;
    global const ushort *rows = weights + weights_offsets[table];
    float4 sum = placements[table]; /* 0: all rows are in device memory */

    for (long l = first; l < end; l += LANES) {
        long mine = 0;

        if (l + lane < end)
            mine = indices[l + lane];
        for (int j = 0; j < LANES && l + j < end; j++) {
            long row = j == lane ? mine : shuffled[l + j];

            sum += widened(vload4(lane, rows + row * width));
        }
    }
    output[((long)sample * TABLES * DIMENSION + from) / 4 + lane] = sum;
}
