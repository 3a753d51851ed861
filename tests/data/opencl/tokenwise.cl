/*
 * Root mean square norm, after vLLM's fused_add_rms_norm: a work-group a row, vectors of 8 elements. Oclgrind has no
 * arithmetic of fp16: elements are the upper halves of floats.
 */
float8 widened(ushort8 v)
{
    return as_float8(convert_uint8(v) << 16);
}

ushort8 narrowed(float8 v)
{
    return convert_ushort8(as_uint8(v) >> 16);
}

kernel void fused_add_rms_norm(global ushort8 *in, global ushort8 *residual, global const ushort8 *weight, int vectors,
                               local float *sums)
{
    int row = get_group_id(0) * vectors, tid = get_local_id(0), threads = get_local_size(0);
    float sum = 0, scale;

    for (int i = tid; i < vectors; i += threads) {
        float8 v = widened(in[row + i]) + widened(residual[row + i]);

        sum += dot(v.lo, v.lo) + dot(v.hi, v.hi);
        residual[row + i] = narrowed(v);
    }
    sums[tid] = sum;
    for (int others = threads / 2; others; others /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < others)
            sums[tid] += sums[tid + others];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    scale = rsqrt(sums[0] / (8 * vectors) + 1e-5f);
    for (int i = tid; i < vectors; i += threads)
        in[row + i] = narrowed(widened(residual[row + i]) * scale * widened(weight[i]));
}
