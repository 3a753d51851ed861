/*
 * join FILE.cl: builds a table of 128 M / 2^14 tuples, which is as full as that of 128 M, and probes it as often. Build
 * keys are 0 .. tuples - 1 in random order, probe keys uniform.
 */
#include "device.h"

enum { TUPLES = 7813, ENTRIES = 1 << 14, GROUPS = 216, THREADS = 128 };

static int64_t build_key[TUPLES], probe_key[TUPLES], payload[TUPLES], table[2 * ENTRIES];

static void draw_keys(void)
{
    uint64_t state = 1;

    for (int i = 0; i < TUPLES; i++) {
        int other = (int)(device_random(&state) % (uint64_t)(i + 1));

        build_key[i] = build_key[other];
        build_key[other] = i;
        probe_key[i] = (int64_t)(device_random(&state) % TUPLES);
    }
    for (int e = 0; e < ENTRIES; e++)
        table[2 * e] = -1;
}

int main(int argc, char **argv)
{
    const cl_ulong tuples = TUPLES, entries = ENTRIES;
    cl_mem keys, payloads, probe_keys, probe_payloads, entry, sums;

    draw_keys();
    device_begin(argv[argc - 1]);
    keys = device_copy(sizeof build_key, build_key);
    payloads = device_copy(sizeof payload, payload);
    probe_keys = device_copy(sizeof probe_key, probe_key);
    probe_payloads = device_copy(sizeof payload, payload);
    entry = device_copy(sizeof table, table);
    sums = device_buffer(GROUPS * THREADS * sizeof(int64_t));
    device_launch("gpu_ht_build_linearprobing_int64", GROUPS, THREADS, 1,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(keys), DEVICE_VALUE(payloads), DEVICE_VALUE(tuples),
                                   DEVICE_VALUE(entry), DEVICE_VALUE(entries)));
    device_launch("gpu_ht_probe_aggregate_linearprobing_int64", GROUPS, THREADS, 1,
                  DEVICE_ARGUMENTS(DEVICE_VALUE(probe_keys), DEVICE_VALUE(probe_payloads), DEVICE_VALUE(tuples),
                                   DEVICE_VALUE(entry), DEVICE_VALUE(entries), DEVICE_VALUE(sums)));
    return 0;
}
