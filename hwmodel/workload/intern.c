#include "workload/intern.h"

#include <stdlib.h>
#include <string.h>

struct mh_pool_entry {
    uint32_t start, count; /* count 0 = free */
    uint64_t hash;
};

static uint64_t hash_words(const uint64_t *words, uint32_t count)
{
    uint64_t h = count;

    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ words[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

static struct mh_pool_entry *find(const struct mh_pool *p, const uint64_t *words, uint32_t count, uint64_t hash)
{
    for (size_t i = hash & (p->table_size - 1);; i = (i + 1) & (p->table_size - 1)) {
        struct mh_pool_entry *e = &p->table[i];

        if (e->count == 0 ||
            (e->hash == hash && e->count == count && memcmp(p->words + e->start, words, count * sizeof *words) == 0))
            return e;
    }
}

static bool grow_table(struct mh_pool *p)
{
    size_t old_size = p->table_size;
    struct mh_pool_entry *old = p->table, *table;

    if (p->entries * 2 < old_size)
        return true;
    table = calloc(old_size ? old_size * 2 : 64, sizeof *table);
    if (!table)
        return false;
    p->table = table;
    p->table_size = old_size ? old_size * 2 : 64;
    for (size_t i = 0; i < old_size; i++)
        if (old[i].count)
            *find(p, p->words + old[i].start, old[i].count, old[i].hash) = old[i];
    free(old);
    return true;
}

static bool grow_words(struct mh_pool *p, uint32_t count)
{
    size_t capacity = p->capacity ? p->capacity : 256;
    uint64_t *words;

    while (capacity - p->count < count)
        capacity *= 2;
    if (capacity == p->capacity)
        return true;
    words = realloc(p->words, capacity * sizeof *words);
    if (!words)
        return false;
    p->words = words;
    p->capacity = capacity;
    return true;
}

uint32_t mh_pool_intern(struct mh_pool *p, const uint64_t *words, uint32_t count, size_t limit)
{
    uint64_t hash = hash_words(words, count);
    struct mh_pool_entry *e;

    if (!grow_table(p))
        return MH_POOL_FULL;
    e = find(p, words, count, hash);
    if (e->count)
        return e->start;
    if (p->count + count > limit || !grow_words(p, count))
        return MH_POOL_FULL;
    *e = (struct mh_pool_entry){(uint32_t)p->count, count, hash};
    memcpy(p->words + p->count, words, count * sizeof *words);
    p->count += count;
    p->entries++;
    return e->start;
}

void mh_pool_seal(struct mh_pool *p)
{
    free(p->table);
    p->table = NULL;
    p->table_size = p->entries = 0;
}

void mh_pool_free(struct mh_pool *p)
{
    mh_pool_seal(p);
    free(p->words);
    *p = (struct mh_pool){0};
}
