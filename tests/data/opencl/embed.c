/*
 * embed FILE.cl: bags of 32 samples from the 26 tables of MLPerf's DLRM-DCNv2 in fp16, 48 GB of which only the rows
 * that are read exist. Rows are drawn by Zipf's law with the exponent 1, by inversion in floating point; rank r of a
 * table of n rows is its row r * step modulo n.
 */
#include <math.h>
#include <stdlib.h>

#include "device.h"

enum { TABLES = 26, DIMENSION = 128, HALF = 2, SAMPLES = 32, WARPS = 16, LANES = 32, INDICES = 214 * SAMPLES };

static const int64_t rows[TABLES] = {39884406, 39043,    17289,    7420,     20263,  3,     7120, 1543, 63,
                                     38532951, 2953546,  403346,   10,       2208,   11938, 155,  4,    976,
                                     14,       39979771, 25641295, 39664984, 585935, 12972, 108,  36};
static const int pooling[TABLES] = {3, 2, 1, 2, 6, 1, 1, 1, 1, 7, 3, 8, 1, 6, 9, 5, 1, 1, 1, 12, 100, 27, 10, 3, 1, 1};

static int64_t indices[INDICES], offsets[TABLES * SAMPLES + 1], weights_offsets[TABLES];
static int32_t placements[TABLES], d_offsets[TABLES + 1];

/* Of 1 .. n: the exact sum over the first ranks, then the integral, whose error is below 1e-4 of a rank's weight. */
static double weight_below(int64_t n)
{
    double sum = 0;

    for (int64_t r = 1; r <= n && r <= 1000; r++)
        sum += 1.0 / (double)r;
    return n <= 1000 ? sum : sum + log(((double)n + 0.5) / 1000.5);
}

static int64_t draw_rank(uint64_t *state, int64_t n)
{
    double left = (double)(device_random(state) >> 11) / 9007199254740992.0 * weight_below(n),
           first = weight_below(1000);
    int64_t r = 1;

    if (left >= first)
        return (int64_t)fmin(floor(1000.5 * exp(left - first) - 0.5), (double)(n - 1));
    while ((left -= 1.0 / (double)r) >= 0 && r < n)
        r++;
    return r - 1;
}

static int64_t row_of_rank(int64_t rank, int64_t n)
{
    const int64_t step = 2147483647; /* a prime: no divisor of a table's rows */

    return (int64_t)((unsigned __int128)rank * (unsigned __int128)step % (unsigned __int128)n);
}

/* Fills the tables' places and the batch; returns the rows of all tables. */
static int64_t draw_batch(void)
{
    uint64_t state = 1;
    int64_t count = 0, first_row = 0;

    for (int t = 0; t < TABLES; t++) {
        weights_offsets[t] = first_row * DIMENSION;
        d_offsets[t + 1] = d_offsets[t] + DIMENSION;
        first_row += rows[t];
        for (int s = 0; s < SAMPLES; s++) {
            for (int j = 0; j < pooling[t]; j++)
                indices[count++] = row_of_rank(draw_rank(&state, rows[t]), rows[t]);
            offsets[t * SAMPLES + s + 1] = count;
        }
    }
    return first_row;
}

int main(int argc, char **argv)
{
    const cl_int samples = SAMPLES;
    const size_t bags = TABLES * SAMPLES;
    const int64_t all = draw_batch();
    cl_mem weight, placement, weights_offset, d_offset, index, offset, output, shuffled;

    device_begin(argv[argc - 1]);
    weight = device_buffer((size_t)all * DIMENSION * HALF);
    placement = device_copy(sizeof placements, placements);
    weights_offset = device_copy(sizeof weights_offsets, weights_offsets);
    d_offset = device_copy(sizeof d_offsets, d_offsets);
    index = device_copy(sizeof indices, indices);
    offset = device_copy(sizeof offsets, offsets);
    output = device_buffer(bags * DIMENSION * sizeof(float));
    shuffled = device_copy(sizeof indices, indices);
    device_launch("split_embedding_codegen_forward_unweighted_kernel", (bags + WARPS - 1) / WARPS, LANES, WARPS,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(weight), DEVICE_VALUE(placement), DEVICE_VALUE(weights_offset),
                                   DEVICE_VALUE(d_offset), DEVICE_VALUE(index), DEVICE_VALUE(offset),
                                   DEVICE_VALUE(output), DEVICE_VALUE(shuffled), DEVICE_VALUE(samples)));
    return 0;
}
