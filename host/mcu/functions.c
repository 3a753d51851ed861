#include "functions.h"

#include <stdlib.h>
#include <string.h>

#include "memhelm/registers.h"

static bool in_code(uint32_t address)
{
    return address >= MH_ITCM_BASE && address - MH_ITCM_BASE < MH_ITCM_BYTES && address % 2 == 0;
}

/* Of two names for one place the longer code counts, then the name that comes first. */
static int compare(const void *a, const void *b)
{
    const struct function *f = a, *g = b;
    if (f->address != g->address)
        return f->address < g->address ? -1 : 1;
    if (f->size != g->size)
        return f->size > g->size ? -1 : 1;
    return strcmp(f->name, g->name);
}

static unsigned collect(const struct elf *elf, struct function *list)
{
    struct elf_symbol s;
    unsigned count = 0;
    for (uint32_t i = 0; elf_symbol(elf, i, &s); i++) {
        if (!s.function || !*s.name || !in_code(s.value))
            continue;
        if (list)
            list[count] = (struct function){s.name, s.value, s.size};
        count++;
    }
    return count;
}

/* Removes what lies inside the function before, and ends each where the next begins. */
static void part(struct functions *f)
{
    unsigned kept = 0;
    uint32_t end = 0;
    for (unsigned i = 0; i < f->count; i++) {
        struct function *g = &f->list[i];
        if (g->address < end)
            continue;
        uint32_t room = MH_ITCM_BASE + MH_ITCM_BYTES - g->address;
        unsigned next = i + 1;
        while (next < f->count && f->list[next].address == g->address)
            next++;
        if (!g->size)
            g->size = next < f->count ? f->list[next].address - g->address : room;
        if (g->size > room)
            g->size = room;
        end = g->address + g->size;
        f->list[kept++] = *g;
    }
    f->count = kept;
}

int functions_find(struct functions *f, const struct elf *elf, const char *name, struct mh_error *err)
{
    f->count = collect(elf, NULL);
    f->list = f->count ? calloc(f->count, sizeof *f->list) : NULL;
    if (!f->count)
        return mh_fail(err, "%s: no function symbols: link it without -s; assembly needs `.type name, @function`",
                       name);
    if (!f->list)
        return mh_fail(err, "%s: out of memory", name);
    collect(elf, f->list);
    qsort(f->list, f->count, sizeof *f->list, compare);
    part(f);
    return 0;
}

void functions_free(struct functions *f)
{
    free(f->list);
    *f = (struct functions){0};
}

unsigned function_at(const struct functions *f, uint32_t address)
{
    unsigned low = 0, high = f->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (f->list[middle].address + f->list[middle].size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->count && f->list[low].address <= address ? low : f->count;
}

bool symbol_value(const struct elf *elf, const char *name, uint32_t *value)
{
    struct elf_symbol s;
    for (uint32_t i = 0; elf_symbol(elf, i, &s); i++)
        if (!strcmp(s.name, name)) {
            *value = s.value;
            return true;
        }
    return false;
}
