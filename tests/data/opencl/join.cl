/*
 * A hash join without partitioning, after Lutz et al. (SIGMOD 2022): entries of a key and a payload of 8 bytes, linear
 * probing from the multiply-shift hash of the golden ratio. A key of -1 is an empty entry. Volatile are accesses that
 * the compiler would narrow, or move out of the loop.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

#define FACTOR 11400714819323198485ul

ulong home(long key, ulong entries)
{
    return (ulong)key * FACTOR >> (64 - popcount(entries - 1));
}

kernel void gpu_ht_build_linearprobing_int64(global const long *restrict keys, global const long *restrict payloads,
                                             ulong tuples, global volatile long *table, ulong entries)
{
    for (ulong i = get_global_id(0); i < tuples; i += get_global_size(0)) {
        long key = keys[i], payload = payloads[i];
        ulong e = home(key, entries);

        while (atom_cmpxchg(&table[2 * e], -1l, key) != -1)
            e = (e + 1) & (entries - 1);
        table[2 * e + 1] = payload;
    }
}

/* Whether entries from `e` on have the key before an empty one; `e` is where. */
bool found(global const volatile long2 *table, ulong entries, long key, ulong *e)
{
    ulong next = *e;
    long2 entry;

    do {
        *e = next;
        entry = table[*e];
        next = (*e + 1) & (entries - 1);
    } while (entry.x != key & entry.x != -1);
    return entry.x == key;
}

kernel void gpu_ht_probe_aggregate_linearprobing_int64(global const long *restrict keys,
                                                       global const long *restrict payloads, ulong tuples,
                                                       global const volatile long2 *table, ulong entries,
                                                       global volatile long *sums)
{
    ulong thread = get_global_id(0);

    for (ulong i = thread; i < tuples; i += get_global_size(0)) {
        long key = keys[i];
        ulong e = home(key, entries);

        if (!found(table, entries, key, &e))
            continue;
        do {
            sums[thread] += payloads[i];
            e = (e + 1) & (entries - 1);
        } while (found(table, entries, key, &e));
    }
}
