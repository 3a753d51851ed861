/* What the programs beside it share: one OpenCL device, buffers and launches. A failure ends the program. */
#ifndef DATA_OPENCL_DEVICE_H
#define DATA_OPENCL_DEVICE_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>

struct device_argument {
    size_t bytes; /**< 0 ends a list */
    const void *value;
};

/** Builds the kernels of an OpenCL C file for the first device. */
void device_begin(const char *file);

/** A buffer of zeroes that stay unallocated until they are written: it may be larger than memory. */
cl_mem device_buffer(size_t bytes);

/** A buffer with a copy of `data`. */
cl_mem device_copy(size_t bytes, const void *data);

/** Runs a kernel on `groups` work-groups of x * y work items, and waits. */
void device_launch(const char *kernel, size_t groups, size_t x, size_t y, const struct device_argument *arguments);

#define DEVICE_VALUE(v)                                                                                                \
    {                                                                                                                  \
        sizeof(v), &(v)                                                                                                \
    }
#define DEVICE_ARGUMENTS(...)                                                                                          \
    (const struct device_argument[])                                                                                   \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            0, NULL                                                                                                    \
        }                                                                                                              \
    }

/** xorshift64* (Vigna 2016): another generator than the model's. */
static inline uint64_t device_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du;
}

#endif
