#include "validate/observer.h"

#include <stdio.h>
#include <stdlib.h>

void pool_init(struct pool *p, uint32_t capacity)
{
    *p = (struct pool){.capacity = capacity};
    p->entry = calloc(capacity, sizeof *p->entry);
    p->present = calloc(2 * (size_t)capacity, sizeof *p->present);
    if (p->entry && p->present)
        return;
    fprintf(stderr, "pool: out of memory\n");
    abort();
}

void pool_free(struct pool *p)
{
    free(p->entry);
    free(p->present);
}

/* In samples, up to and including the last one. */
static uint64_t age_of_present(const struct pool *p)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < p->count; i++)
        sum += p->now + 1 - p->entry[p->present[i]].came;
    return sum;
}

void pool_reset(struct pool *p)
{
    p->samples = p->occupancy_sum = p->left = p->latency_sum = 0;
    p->age_before = age_of_present(p);
}

/* The list of the sample before stands behind that of the present one. */
void pool_begin(struct pool *p, uint64_t now)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->present[p->capacity + i] = p->present[i];
    p->before = p->count;
    p->count = 0;
    p->now = now;
}

static void leave(struct pool *p, const struct pool_entry *e)
{
    p->left++;
    p->latency_sum += p->now - e->came;
}

bool pool_see(struct pool *p, uint32_t handle, uint64_t key)
{
    struct pool_entry *e = &p->entry[handle];
    bool here = e->seen == p->now, stays = here && e->key == key;

    if (here && !stays)
        leave(p, e);
    if (!stays)
        *e = (struct pool_entry){.key = key, .came = p->now};
    e->seen = p->now + 1;
    p->present[p->count++] = handle;
    return !stays;
}

void pool_end(struct pool *p, uint64_t occupancy)
{
    for (uint32_t i = 0; i < p->before; i++) {
        const struct pool_entry *e = &p->entry[p->present[p->capacity + i]];

        if (e->seen != p->now + 1)
            leave(p, e);
    }
    p->samples++;
    p->occupancy_sum += occupancy;
}

double pool_occupancy(const struct pool *p)
{
    return (double)p->occupancy_sum / (double)p->samples;
}

double pool_rate(const struct pool *p)
{
    return (double)p->left / (double)p->samples;
}

double pool_ends(const struct pool *p)
{
    return (double)age_of_present(p) - (double)p->age_before;
}

double pool_latency(const struct pool *p)
{
    return p->left ? ((double)p->latency_sum + pool_ends(p)) / (double)p->left : 0;
}
