#include "qtest/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "memhelm/config_file.h"
#include "memhelm/registers.h"
#include "qtest/expected.h"

struct mh_config cfg;
struct qtest *q;

static const char *run_dir;

static void device_open(void)
{
    char path[600];
    struct mh_error err;

    run_dir = getenv("QTEST_RUN");
    snprintf(path, sizeof path, "%s/config.yaml", run_dir);
    if (mh_config_load(&cfg, path, &err) || mh_config_resolve(&cfg, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    expected_build(&cfg);
}

uint32_t get(uint32_t offset)
{
    return qtest_read(q, MH_GPU_BASE + offset, 4);
}

void set(uint32_t offset, uint32_t value)
{
    qtest_write(q, MH_GPU_BASE + offset, value, 4);
}

int device_start(void **state)
{
    (void)state;
    if (!run_dir)
        device_open();
    q = qtest_start(getenv("MEMHELM_QEMU"), run_dir);
    return 0;
}

int device_stop(void **state)
{
    (void)state;
    if (q)
        qtest_stop(q);
    q = NULL;
    return 0;
}

const char *device_result(void)
{
    static char path[600];

    snprintf(path, sizeof path, "%s/result.json", run_dir);
    return path;
}
