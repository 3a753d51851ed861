/* tokenwise FILE.cl: fused_add_rms_norm of 512 tokens of a model that is 4096 wide. */
#include "device.h"

enum { TOKENS = 512, WIDTH = 4096, HALF = 2, THREADS = 256 };

int main(int argc, char **argv)
{
    const cl_int vectors = WIDTH / 8;
    cl_mem in, residual, weight;

    device_begin(argv[argc - 1]);
    in = device_buffer(TOKENS * WIDTH * HALF);
    residual = device_buffer(TOKENS * WIDTH * HALF);
    weight = device_buffer(WIDTH * HALF);
    device_launch("fused_add_rms_norm", TOKENS, THREADS, 1,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(in), DEVICE_VALUE(residual), DEVICE_VALUE(weight),
                                   DEVICE_VALUE(vectors), {THREADS * sizeof(float), NULL}));
    return 0;
}
