#include "places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define START ((uint64_t)4 << 30)
#define END   ((uint64_t)1 << 39) /* of a trace's addresses */

enum { LARGE = 1 << 20, SLAB = 2 << 20, GRAIN = 512 };

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static uint64_t take(struct record_places *p, uint64_t bytes)
{
    uint64_t base = p->next;

    p->next = round_up(p->next + bytes, SLAB);
    return base;
}

static uint64_t take_small(struct record_places *p, uint64_t bytes)
{
    uint64_t base;

    if (p->slab + bytes > p->slab_end) {
        p->slab = take(p, SLAB);
        p->slab_end = p->slab + SLAB;
    }
    base = p->slab;
    p->slab = round_up(p->slab + bytes, GRAIN);
    return base;
}

int record_places_add(struct record_places *p, uint64_t context, uint64_t device, uint64_t bytes, struct mh_error *err)
{
    struct record_place *more = grow(p->place, p->count, &p->room, sizeof *p->place), *new;

    if (!more)
        return mh_fail(err, "out of memory");
    p->place = more;
    if (!bytes) /* nothing lies in it */
        return 0;
    if (!p->next)
        p->next = START;
    if (bytes > END - p->next || END - p->next - bytes < SLAB)
        return mh_fail(err,
                       "a buffer of %" PRIu64
                       " bytes does not fit below 2^39, where a trace's addresses end: places of "
                       "buffers that were freed are not used again; record fewer launches (--stop ends the program "
                       "behind them)",
                       bytes);
    new = &p->place[p->count++];
    *new = (struct record_place){context, device, 0, bytes};
    new->base = bytes < LARGE ? take_small(p, bytes) : take(p, bytes);
    return 0;
}

void record_places_remove(struct record_places *p, uint64_t context, uint64_t device)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->place[i].context == context && p->place[i].device == device) {
            p->late -= i >= p->count - p->late;
            memmove(&p->place[i], &p->place[i + 1], (--p->count - i) * sizeof *p->place);
            p->last = 0;
            return;
        }
}

static bool is_in(const struct record_place *b, uint64_t context, uint64_t device, uint32_t bytes)
{
    return b->context == context && device - b->device <= b->bytes && b->bytes - (device - b->device) >= bytes;
}

bool record_places_find(struct record_places *p, uint64_t context, uint64_t device, uint32_t bytes, uint64_t *address)
{
    const unsigned count = p->count - p->late;

    for (unsigned n = 0; n < count; n++) {
        unsigned i = (p->last + n) % count;

        if (is_in(&p->place[i], context, device, bytes)) {
            p->last = i;
            *address = p->place[i].base + (device - p->place[i].device);
            return true;
        }
    }
    return false;
}

void record_places_free(struct record_places *p)
{
    free(p->place);
    *p = (struct record_places){0};
}
