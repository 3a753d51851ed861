#include "workload/trace/traceg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct name {
    char name[12];
    enum mh_sass kind;
};

/* Sorted. */
static const struct name names[] = {
    {"ATOM", MH_SASS_GENERIC_ATOMIC},
    {"ATOMG", MH_SASS_ATOMIC},
    {"ATOMS", MH_SASS_SHARED},
    {"BAR", MH_SASS_BARRIER},
    {"DEPBAR", MH_SASS_DEPBAR},
    {"EXIT", MH_SASS_EXIT},
    {"LD", MH_SASS_GENERIC_LOAD},
    {"LDC", MH_SASS_CONSTANT},
    {"LDCU", MH_SASS_CONSTANT},
    {"LDG", MH_SASS_LOAD},
    {"LDGDEPBAR", MH_SASS_ASYNC_GROUP},
    {"LDGSTS", MH_SASS_ASYNC},
    {"LDL", MH_SASS_LOCAL},
    {"LDS", MH_SASS_SHARED},
    {"LDSM", MH_SASS_SHARED},
    {"RED", MH_SASS_ATOMIC},
    {"REDG", MH_SASS_ATOMIC},
    {"ST", MH_SASS_GENERIC_STORE},
    {"STG", MH_SASS_STORE},
    {"STL", MH_SASS_LOCAL},
    {"STS", MH_SASS_SHARED},
    {"STSM", MH_SASS_SHARED},
    {"SUATOM", MH_SASS_TEXTURE},
    {"SULD", MH_SASS_TEXTURE},
    {"SURED", MH_SASS_TEXTURE},
    {"SUST", MH_SASS_TEXTURE},
    {"TEX", MH_SASS_TEXTURE},
    {"TEXS", MH_SASS_TEXTURE},
    {"TLD", MH_SASS_TEXTURE},
    {"TLD4", MH_SASS_TEXTURE},
    {"TLD4S", MH_SASS_TEXTURE},
    {"TLDS", MH_SASS_TEXTURE},
    {"TMML", MH_SASS_TEXTURE},
    {"TXD", MH_SASS_TEXTURE},
    {"UBLKCP", MH_SASS_BULK},
    {"UBLKPF", MH_SASS_BULK},
    {"UBLKRED", MH_SASS_BULK},
    {"ULDC", MH_SASS_CONSTANT},
    {"UTMALDG", MH_SASS_BULK},
    {"UTMAPF", MH_SASS_BULK},
    {"UTMAREDG", MH_SASS_BULK},
    {"UTMASTG", MH_SASS_BULK},
};

static int by_name(const void *key, const void *item)
{
    const char *opcode = key;
    const struct name *n = item;
    size_t length = strcspn(opcode, "."), other = strlen(n->name);
    int order = memcmp(opcode, n->name, length < other ? length : other);

    return order ? order : (length > other) - (length < other);
}

static bool has_part(const char *opcode, const char *part)
{
    size_t length = strlen(part);

    for (const char *p = strchr(opcode, '.'); p; p = strchr(p, '.'))
        if (strncmp(++p, part, length) == 0 && (p[length] == '.' || !p[length]))
            return true;
    return false;
}

enum mh_sass mh_sass_of(const char *opcode)
{
    const struct name *n = bsearch(opcode, names, sizeof names / sizeof *names, sizeof *names, by_name);

    if (!n)
        return MH_SASS_OTHER;
    /* BAR.ARV only announces that the warp came by. */
    if (n->kind == MH_SASS_BARRIER && has_part(opcode, "ARV"))
        return MH_SASS_OTHER;
    return n->kind;
}

uint32_t mh_sass_bytes(const char *opcode)
{
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p, '.')) {
        char *end;
        unsigned long bits;

        p++;
        if (*p == 'U' || *p == 'S' || *p == 'F')
            p++;
        if (*p < '1' || *p > '9')
            continue;
        bits = strtoul(p, &end, 10);
        if ((*end == '.' || !*end) && bits >= 8 && bits <= 256 && (bits & (bits - 1)) == 0)
            return (uint32_t)bits / 8;
    }
    return 4;
}

uint32_t mh_sass_source_registers(const char *opcode, enum mh_sass kind, uint32_t index, uint32_t bytes)
{
    if (kind >= MH_SASS_LOAD && kind <= MH_SASS_ASYNC)
        return index > 0 ? (bytes + 3) / 4 : has_part(opcode, "E") ? 2 : 1;
    if (kind == MH_SASS_SHARED || kind == MH_SASS_LOCAL)
        return index == 0 ? 1 : (bytes + 3) / 4;
    if (strncmp(opcode, "DADD", 4) == 0 || strncmp(opcode, "DMUL", 4) == 0 || strncmp(opcode, "DFMA", 4) == 0 ||
        strncmp(opcode, "DSETP", 5) == 0)
        return 2;
    return strcspn(opcode, ".") == 4 && strncmp(opcode + 1, "MMA", 3) == 0 ? 4 : 1;
}

/* The newest load among those that wrote `count` registers. */
static uint64_t newest(const struct mh_traceg_deps *d, uint32_t first, uint32_t count)
{
    uint64_t load = 0;

    for (uint32_t r = first; r < first + count && r < MH_TRACEG_ZERO; r++)
        load = d->loaded_by[r] > load ? d->loaded_by[r] : load;
    return load;
}

static void close_group(struct mh_traceg_deps *d)
{
    if (d->open)
        d->last_of_group[d->groups++ % MH_TRACEG_GROUPS] = d->open;
    d->open = 0;
}

/*
 * At most `immediate` groups may be left; one that is still open is not waited for. Of groups that are forgotten the
 * oldest known one stands for them: too much, never too little.
 */
static uint64_t last_of_groups(const struct mh_traceg_deps *d, int64_t immediate)
{
    uint64_t left = immediate < 0 ? 0 : (uint64_t)immediate;

    if (d->groups <= left)
        return 0;
    left = left < MH_TRACEG_GROUPS ? left : MH_TRACEG_GROUPS - 1;
    return d->last_of_group[(d->groups - 1 - left) % MH_TRACEG_GROUPS];
}

void mh_traceg_use(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes,
                   uint32_t ahead)
{
    if (kind == MH_SASS_ASYNC_GROUP)
        close_group(d);
    if (kind == MH_SASS_DEPBAR)
        mh_need_load(&d->need, last_of_groups(d, inst->immediate), ahead);
    for (uint32_t i = 0; i < inst->source_count; i++)
        mh_need_load(&d->need, newest(d, inst->source[i], mh_sass_source_registers(inst->opcode, kind, i, bytes)),
                     ahead);
    for (uint32_t i = 0; i < inst->dest_count; i++)
        mh_need_load(&d->need, newest(d, inst->dest[i], kind != MH_SASS_OTHER ? (bytes + 3) / 4 : 1), ahead);
}

void mh_traceg_loaded(struct mh_traceg_deps *d, const struct mh_traceg_inst *inst, enum mh_sass kind, uint32_t bytes)
{
    if (kind != MH_SASS_ATOMIC)
        d->need.issued++;
    if (kind == MH_SASS_ASYNC) {
        d->open = d->need.issued;
        return;
    }
    for (uint32_t i = 0; i < inst->dest_count; i++)
        for (uint32_t r = inst->dest[i]; r < inst->dest[i] + (bytes + 3) / 4 && r < MH_TRACEG_ZERO; r++)
            d->loaded_by[r] = d->need.issued;
}
