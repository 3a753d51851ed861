/*
 * Reads core.table.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "table.h"

#define MAX_HOOKS 4096

static bool in_range(const struct mh_table *t, uint32_t pc)
{
    return pc - t->base < t->bytes && (pc & 1) == 0;
}

struct mh_insn *mh_table_at(struct mh_table *t, uint32_t pc)
{
    struct mh_insn *i;

    if (!in_range(t, pc)) {
        return &t->unknown;
    }
    i = &t->insn[(pc - t->base) / 2];
    return i->size ? i : &t->unknown;
}

static bool read_core(struct mh_table *t, const char *line)
{
    return sscanf(line, "core %63s", t->core) == 1;
}

static bool read_range(struct mh_table *t, const char *line)
{
    if (t->insn ||
        sscanf(line, "range %" SCNx32 " %" SCNx32 " stack %" SCNx32 " %" SCNx32,
               &t->base, &t->bytes, &t->stack_from, &t->stack_to) != 4 ||
        (t->base & 1) || t->bytes > 1u << 24) {
        return false;
    }
    t->insn = calloc(t->bytes / 2 + 1, sizeof(*t->insn));
    return t->insn != NULL;
}

static bool read_trap(struct mh_table *t, const char *line)
{
    return sscanf(line, "trap %" SCNx32 " %" SCNu16 " %" SCNu16, &t->trap,
                  &t->entry_extra, &t->wake_extra) == 3;
}

/* Counted from 0: instructions refer to them. */
static bool read_class(struct mh_table *t, const char *line)
{
    uint32_t index;

    if (sscanf(line, "k %" SCNu32 " %*s", &index) != 1 ||
        index != t->classes || index >= MH_MAX_CLASSES) {
        return false;
    }
    t->classes++;
    return true;
}

static bool read_function(struct mh_table *t, const char *line)
{
    uint32_t pc;

    if (sscanf(line, "f %*u %" SCNx32 " %*s", &pc) != 1) {
        return false;
    }
    if (in_range(t, pc)) {
        t->insn[(pc - t->base) / 2].entry = true;
    }
    return true;
}

static void name_hook(struct mh_table *t, uint32_t index, const char *policy,
                      const char *kind)
{
    char (*names)[MH_HOOK_NAME] = t->hook_name;

    if (index >= t->hooks) {
        names = realloc(names, (index + 1) * sizeof(*names));
        if (!names) {
            fputs("memhelm-core: out of memory\n", stderr);
            abort();
        }
        memset(names + t->hooks, 0, (index + 1 - t->hooks) * sizeof(*names));
        t->hooks = index + 1;
        t->hook_name = names;
    }
    snprintf(names[index], sizeof(*names), "%s.%s", policy, kind);
}

/* The index is kept plus one: 0, as calloc() leaves it, is no hook. */
static bool read_hook(struct mh_table *t, const char *line)
{
    uint32_t index, pc;
    char policy[64], kind[48];

    if (sscanf(line, "h %" SCNu32 " %" SCNx32 " %63s %47s", &index, &pc,
               policy, kind) != 4 ||
        !in_range(t, pc) || index >= MAX_HOOKS) {
        return false;
    }
    t->insn[(pc - t->base) / 2].hook = index + 1;
    name_hook(t, index, policy, kind);
    return true;
}

static bool read_insn(struct mh_table *t, const char *line)
{
    struct mh_insn in, *i;

    if (sscanf(line, "i %" SCNx32 " %" SCNu8 " %" SCNx16 " %" SCNu16
               " %" SCNu16 " %" SCNu16 " %" SCNd32 " %" SCNu8, &in.pc,
               &in.size, &in.flags, &in.extra, &in.taken_extra, &in.land_extra,
               &in.function, &in.cls) != 8 ||
        !in_range(t, in.pc) || (in.size != 2 && in.size != 4) ||
        in.cls >= t->classes) {
        return false;
    }
    i = &t->insn[(in.pc - t->base) / 2];
    i->pc = in.pc;
    i->size = in.size;
    i->flags = in.flags;
    i->extra = in.extra;
    i->taken_extra = in.taken_extra;
    i->land_extra = in.land_extra;
    i->function = in.function;
    i->cls = in.cls;
    return true;
}

static bool read_line(struct mh_table *t, const char *line)
{
    switch (line[0]) {
    case 'c':
        return read_core(t, line);
    case 'r':
        return read_range(t, line);
    case 't':
        return read_trap(t, line);
    case 'k':
        return read_class(t, line);
    case 'f':
        return read_function(t, line);
    case 'h':
        return read_hook(t, line);
    case 'i':
        return read_insn(t, line);
    default:
        return false;
    }
}

static void settle(struct mh_table *t)
{
    for (uint32_t i = 0; i < t->bytes / 2; i++) {
        t->insn[i].hook--;
        t->insn[i].stack_low = UINT32_MAX;
    }
    t->unknown.function = MH_NO_FUNCTION;
    t->unknown.hook = MH_NO_HOOK;
    t->unknown.cls = t->classes;
    t->unknown.stack_low = UINT32_MAX;
}

static bool read_all(struct mh_table *t, FILE *f, const char *path)
{
    char line[512];

    for (unsigned n = 1; fgets(line, sizeof(line), f); n++) {
        bool good = n == 1 ? !strcmp(line, "memhelm-core-table 2\n")
                           : read_line(t, line);
        if (!good) {
            fprintf(stderr, "%s:%u: not a line of a core table: %s", path, n,
                    line);
            return false;
        }
    }
    if (!t->insn || !*t->core || ferror(f)) {
        fprintf(stderr, "%s: it ends too early: no range or no core\n", path);
        return false;
    }
    return true;
}

bool mh_table_load(struct mh_table *t, const char *path)
{
    FILE *f = fopen(path, "r");
    bool good;

    if (!f) {
        fprintf(stderr, "%s: cannot be read: %s\n", path, strerror(errno));
        return false;
    }
    good = read_all(t, f, path);
    fclose(f);
    if (good) {
        settle(t);
    }
    return good;
}
