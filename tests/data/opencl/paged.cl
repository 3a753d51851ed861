/*
 * Attention over a paged KV cache, after vLLM's paged_attention_v2 and its reduction: fp16, heads of 128, blocks of 16
 * tokens, 128 threads, warps of 32. K is [block][kv head][128 / 8][token][8], V is [block][kv head][128][token]. What
 * vLLM shuffles between lanes goes through local memory, and loops over vectors stay loops: one instruction each.
 */
enum { THREADS = 128, LANES = 32, WARPS = THREADS / LANES, HEAD = 128, BLOCK = 16, PARTITION = 512 };
enum { PIECE = 8 /* elements of K side by side */, UNIT = BLOCK * HEAD, VECTORS = HEAD / 4 / 2, ROWS = HEAD / BLOCK };

float4 widened4(ushort4 v)
{
    return as_float4(convert_uint4(v) << 16);
}

float8 widened8(ushort8 v)
{
    return as_float8(convert_uint8(v) << 16);
}

ushort narrowed(float v)
{
    return as_uint(v) >> 16;
}

/* Each work item's value becomes the largest, or the sum, of all. */
float joined(local float *shared, float mine, bool largest)
{
    int tid = get_local_id(0);
    float result;

    shared[tid] = mine;
    for (int others = THREADS / 2; others; others /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < others)
            shared[tid] = largest ? fmax(shared[tid], shared[tid + others]) : shared[tid] + shared[tid + others];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    result = shared[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

kernel void paged_attention_v2(global const ushort *restrict query, global const ushort *restrict keys,
                               global const ushort *restrict values, global const int *restrict tables,
                               global const int *restrict lengths, global float *restrict sums,
                               global float *restrict maxima, global ushort *restrict partial, int heads, int kv_heads,
                               int sequences, int partitions, int table_pitch)
{
    local float4 q[2][VECTORS];
    local float product[PARTITION][2], shared[THREADS], outputs[WARPS][2][HEAD];
    int group = get_group_id(0), head = group % heads, sequence = group / heads % sequences;
    int part = group / heads / sequences, tid = get_local_id(0), warp = tid / LANES, lane = tid % LANES;
    int kv_head = head / (heads / kv_heads), token = lane / 2, share = lane % 2;
    int tokens = lengths[sequence], first = part * (PARTITION / BLOCK);
    int end = min((tokens + BLOCK - 1) / BLOCK, first + PARTITION / BLOCK);
    int of_part = min(tokens - part * PARTITION, (int)PARTITION), row = (sequence * heads + head) * partitions + part;
    float largest = -INFINITY, sum = 0, accumulated[ROWS] = {0};

    if (of_part <= 0)
        return;
    for (int i = tid / 2; i < VECTORS; i += THREADS / 2)
        q[share][i] = widened4(vload4(0, query + (sequence * heads + head) * HEAD + (share + 2 * i) * 4));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = first + warp; b < end; b += WARPS) {
        long unit = (long)tables[sequence * table_pitch + b] * kv_heads + kv_head;
        float qk = 0;

#pragma unroll 1
        for (int j = 0; j < VECTORS; j++) {
            int element = (share + 2 * j) * 4;

            qk += dot(q[share][j], widened4(vload4(0, keys + unit * UNIT + token * PIECE +
                                                          element / PIECE * BLOCK * PIECE + element % PIECE)));
        }
        product[(b - first) * BLOCK + token][share] = qk;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = tid; i < of_part; i += THREADS)
        largest = fmax(largest, product[i][0] + product[i][1]);
    largest = joined(shared, largest, true);
    for (int i = tid; i < of_part; i += THREADS) {
        product[i][0] = exp(product[i][0] + product[i][1] - largest);
        sum += product[i][0];
    }
    sum = joined(shared, sum, false);
    if (tid == 0) {
        maxima[row] = largest;
        sums[row] = sum;
    }
    for (int b = first + warp; b < end; b += WARPS) {
        long unit = (long)tables[sequence * table_pitch + b] * kv_heads + kv_head;
        float8 weight = 0;

        for (int i = 0; i < 8 && (b - first) * BLOCK + share * 8 + i < of_part; i++)
            ((float *)&weight)[i] = product[(b - first) * BLOCK + share * 8 + i][0] / sum;
#pragma unroll 1
        for (int j = 0; j < ROWS; j++) {
            float8 v = widened8(vload8(0, values + unit * UNIT + (token + j * LANES / 2) * BLOCK + share * 8)) * weight;

            accumulated[j] += dot(v.lo, (float4)1) + dot(v.hi, (float4)1);
        }
    }
    for (int j = 0; j < ROWS; j++)
        outputs[warp][share][token + j * LANES / 2] = accumulated[j];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (warp || share)
        return;
#pragma unroll 1
    for (int j = 0; j < ROWS; j++) {
        int element = token + j * LANES / 2;
        float all = 0;

        for (int w = 0; w < WARPS; w++)
            all += outputs[w][0][element] + outputs[w][1][element];
        partial[row * HEAD + element] = narrowed(all);
    }
}

kernel void paged_attention_v2_reduce(global const int *restrict lengths, global const float *restrict sums,
                                      global const float *restrict maxima, global const ushort *restrict partial,
                                      global ushort *restrict out, int heads, int partitions)
{
    local float shared[THREADS], scale[THREADS];
    int row = get_group_id(0), tid = get_local_id(0), parts = (lengths[row / heads] + PARTITION - 1) / PARTITION;
    float largest = -INFINITY, sum = 1, all = 0;

    scale[0] = 1; /* one partition is copied */
    if (parts > 1) {
        sum = 0;
        for (int i = tid; i < parts; i += THREADS)
            largest = fmax(largest, scale[i] = maxima[row * partitions + i]);
        largest = joined(shared, largest, true);
        for (int i = tid; i < parts; i += THREADS)
            sum += scale[i] = sums[row * partitions + i] * exp(scale[i] - largest);
        sum = joined(shared, sum, false);
    }
#pragma unroll 1
    for (int j = 0; j < parts; j++)
        all += as_float((uint)partial[(row * partitions + j) * HEAD + tid] << 16) * scale[j] / sum;
    out[row * HEAD + tid] = narrowed(all);
}
