/*
 * The first pass of a radix partitioned join, after partition_pass_one of Sioulas et al. (ICDE 2019): 1024 threads take
 * 4096 tuples at a time to 256 partitions, chains of buckets of 4096 tuples. A head has the number of its partition's
 * last tuple in the upper word, of its last bucket in the lower; NO_BUCKET is none. Loops over a thread's tuples that
 * store stay loops: one instruction each.
 */
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

enum { EACH = 4, THREADS = 1024, CHUNK = EACH * THREADS, PARTS = 256, BUCKET = 4096, BUCKET_BITS = 12 };
enum { NO_BUCKET = 1 << 18, SEGMENTS = 2 };

struct rooms {
    uint end[PARTS], count[PARTS], place[PARTS], next[PARTS]; /* in the chunk; tuples; in the output, and behind it */
};

/* Takes room for the chunk's tuples of partition j. */
void take_room(global volatile ulong *heads, global volatile uint *used, global uint *chains,
               global volatile uint *counts, local struct rooms *r, local uint *total, int j)
{
    uint count = r->count[j], bucket, last, next;

    if (!count)
        return;
    atomic_add(&counts[j], count);
    for (bool again = true; again;) {
        ulong old = atom_add(&heads[j], (ulong)count << 32);

        atom_min(&heads[j], (ulong)(2 * BUCKET) << 32);
        last = old >> 32;
        bucket = (uint)old;
        if (last >= BUCKET)
            continue; /* another work-group is taking a bucket */
        next = bucket;
        if (last + count >= BUCKET) {
            if (bucket < NO_BUCKET) {
                next = atomic_inc(used);
                chains[bucket] = next;
            } else {
                next = j;
            }
            atom_xchg(&heads[j], next + ((ulong)(last + count - BUCKET) << 32));
        }
        again = false;
    }
    r->end[j] = atomic_add(total, count);
    r->count[j] = 0;
    r->place[j] = (bucket << BUCKET_BITS) + last;
    r->next[j] = next << BUCKET_BITS;
}

/* Where tuple `i` of the ordered chunk goes. */
uint place_of(local const struct rooms *r, uint part, uint i)
{
    uint more = r->end[part] - i, place = r->place[part];

    if (((place + more) ^ place) & ~(BUCKET - 1))
        return r->next[part] + ((place + more) & (BUCKET - 1));
    return place + more;
}

kernel void partition_pass_one(global const int4 *restrict keys, global const int4 *restrict payloads,
                               global const ulong *restrict offsets, global volatile ulong *heads,
                               global volatile uint *used, global uint *chains, global volatile uint *counts,
                               global int *out_keys, global int *out_payloads)
{
    local int tuple[CHUNK];
    local struct rooms r;
    local uint total;
    local ulong segment[2 * SEGMENTS];
    int tid = get_local_id(0);

    if (tid < 2 * SEGMENTS)
        segment[tid] = offsets[tid];
    if (tid < PARTS)
        r.count[tid] = 0;
    if (tid == 0)
        total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int u = 0; u < SEGMENTS; u++) {
        for (ulong i = segment[2 * u] + EACH * get_global_id(0); i < segment[2 * u + 1];
             i += EACH * get_global_size(0)) {
            int4 key = keys[i / EACH], payload;
            uint4 part = as_uint4(key) & (PARTS - 1), place;
            uint parts[EACH];

            atomic_inc(&r.count[part.x]);
            atomic_inc(&r.count[part.y]);
            atomic_inc(&r.count[part.z]);
            atomic_inc(&r.count[part.w]);
            barrier(CLK_LOCAL_MEM_FENCE);
            if (tid < PARTS)
                take_room(heads, used, chains, counts, &r, &total, tid);
            barrier(CLK_LOCAL_MEM_FENCE);
            place.x = atomic_inc(&r.end[part.x]);
            place.y = atomic_inc(&r.end[part.y]);
            place.z = atomic_inc(&r.end[part.z]);
            place.w = atomic_inc(&r.end[part.w]);
            tuple[place.x] = key.x;
            tuple[place.y] = key.y;
            tuple[place.z] = key.z;
            tuple[place.w] = key.w;
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
            for (int k = 0; k < EACH; k++) {
                uint at = tid + k * THREADS;

                parts[k] = tuple[at] & (PARTS - 1);
                out_keys[place_of(&r, parts[k], at)] = tuple[at];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            payload = payloads[i / EACH];
            tuple[place.x] = payload.x;
            tuple[place.y] = payload.y;
            tuple[place.z] = payload.z;
            tuple[place.w] = payload.w;
            if (tid == 0)
                total = 0;
            barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
            for (int k = 0; k < EACH; k++) {
                uint at = tid + k * THREADS;

                out_payloads[place_of(&r, parts[k], at)] = tuple[at];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}
