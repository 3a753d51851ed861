#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { MOST_SOURCE = 1 << 16 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(1);
}

static void read_source(const char *file, char *text)
{
    FILE *f = fopen(file, "r");

    must(f ? CL_SUCCESS : CL_INVALID_VALUE, file);
    text[fread(text, 1, MOST_SOURCE - 1, f)] = 0;
    fclose(f);
}

static void print_log(cl_device_id device)
{
    static char log[MOST_SOURCE];

    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(log, stderr);
}

void device_begin(const char *file)
{
    static char text[MOST_SOURCE];
    const char *source = text;
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    read_source(file, text);
    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "queue");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must(status, "program");
    status = clBuildProgram(program, 1, &device, "", NULL, NULL);
    if (status != CL_SUCCESS)
        print_log(device);
    must(status, file);
}

cl_mem device_buffer(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    cl_int status = at == MAP_FAILED ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS;
    cl_mem buffer;

    must(status, "mmap");
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, at, &status);
    must(status, "buffer");
    return buffer;
}

cl_mem device_copy(size_t bytes, const void *data)
{
    cl_mem buffer = device_buffer(bytes);

    must(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "write");
    return buffer;
}

void device_launch(const char *name, size_t groups, size_t x, size_t y, const struct device_argument *arguments)
{
    const size_t global[] = {groups * x, y}, local[] = {x, y};
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    must(status, name);
    for (cl_uint i = 0; arguments[i].bytes; i++)
        must(clSetKernelArg(kernel, i, arguments[i].bytes, arguments[i].value), "argument");
    must(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), name);
    must(clFinish(queue), "finish");
    clReleaseKernel(kernel);
}
