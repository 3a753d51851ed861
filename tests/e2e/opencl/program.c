/*
 * A small OpenCL program to record: each word of the command line is a kernel to launch. `none` launches nothing,
 * `fail` exits with 3, `slow` sleeps, so that somebody can interrupt it.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 1 << 16 };

static const char source[] = "kernel void copy(global const int *from, global int *to)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    to[i] = from[i];\n"
                             "}\n"
                             "kernel void triangle(global const int *from, global int *to)\n"
                             "{\n"
                             "    size_t i = get_local_id(0);\n"
                             "    for (size_t j = 0; j <= i; j++)\n"
                             "        to[64 * j + i] = i;\n"
                             "}\n"
                             "kernel void turn(global const int *from, global int *to)\n"
                             "{\n"
                             "    local int tile[64];\n"
                             "    size_t i = get_local_id(0) + get_local_size(0) * get_local_id(1);\n"
                             "    tile[i] = from[100 * get_local_id(1) + get_local_id(0)];\n"
                             "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    to[i] = tile[63 - i];\n"
                             "}\n"
                             "kernel void wide(global const float *from, global float *to)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    float16 v = vload16(i, from);\n"
                             "    atomic_add((global int *)to + (i & 1), 1);\n"
                             "    vstore3(v.s012, i, to + 16);\n"
                             "}\n"
                             "__attribute__((noinline)) void put(global int *to, size_t n, size_t i)\n"
                             "{\n"
                             "    for (size_t j = 0; j < n; j++)\n"
                             "        to[64 * j + i] = j;\n"
                             "}\n"
                             "kernel void calls(global const int *from, global int *to)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    put(to, 1, i);\n"
                             "    if (i & 1)\n"
                             "        put(to, 2, i);\n"
                             "}\n"
                             "kernel void outside(global const int *from, global int *to)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "    to[i] = from[(long)i - 1];\n"
                             "}\n";

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffer[2];

static void must(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: error %d\n", what, status);
    exit(4);
}

static void begin(void)
{
    const char *text = source;
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;

    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "queue");
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    must(status, "program");
    must(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    for (int i = 0; i < 2; i++) {
        buffer[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &status);
        must(status, "buffer");
    }
}

/* `turn` has work-groups of 8 x 8, the others two of 40. */
static void launch(const char *name)
{
    static const size_t line[] = {2 * 40}, line_group[] = {40}, square[] = {8, 16}, square_group[] = {8, 8};
    int is_square = strcmp(name, "turn") == 0;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);

    must(status, name);
    for (cl_uint i = 0; i < 2; i++)
        must(clSetKernelArg(kernel, i, sizeof buffer[i], &buffer[i]), "argument");
    must(clEnqueueNDRangeKernel(queue, kernel, is_square ? 2 : 1, NULL, is_square ? square : line,
                                is_square ? square_group : line_group, 0, NULL, NULL),
         name);
    must(clFinish(queue), "finish");
    clReleaseKernel(kernel);
}

static void end(void)
{
    for (int i = 0; i < 2; i++)
        clReleaseMemObject(buffer[i]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}

int main(int argc, char **argv)
{
    int code = 0;

    begin();
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "fail")) {
            code = 3;
        } else if (!strcmp(argv[i], "slow")) {
            sleep(60);
        } else if (!strcmp(argv[i], "again")) {
            end();
            begin();
        } else if (strcmp(argv[i], "none")) {
            launch(argv[i]);
        }
    }
    end();
    puts("the program's own words");
    return code;
}
