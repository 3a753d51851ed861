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

void *mh_grown(void *old, size_t count, size_t size)
{
    void *p = realloc(old, count * size);

    if (!p) {
        fputs("memhelm-core: out of memory\n", stderr);
        abort();
    }
    return p;
}

/* The function that has the address, or MH_NO_FUNCTION. */
static int32_t function_of(const struct mh_table *t, uint32_t pc)
{
    uint32_t low = 0, high = t->functions;

    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (t->function[middle].address <= pc) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low && pc - t->function[low - 1].address < t->function[low - 1].size
        ? (int32_t)low - 1 : MH_NO_FUNCTION;
}

static struct mh_insn *new_page(const struct mh_table *t, uint32_t base)
{
    struct mh_insn *page = mh_grown(NULL, MH_PAGE_INSNS, sizeof(*page));

    memset(page, 0, MH_PAGE_INSNS * sizeof(*page));
    for (uint32_t k = 0; k < MH_PAGE_INSNS; k++) {
        struct mh_insn *i = &page[k];

        i->pc = base + 2 * k;
        i->stack_low = UINT32_MAX;
        i->hook = MH_NO_HOOK;
        i->function = function_of(t, i->pc);
        i->entry = i->function != MH_NO_FUNCTION &&
                   t->function[i->function].address == i->pc;
    }
    return page;
}

struct mh_insn *mh_table_at(struct mh_table *t, uint32_t pc)
{
    struct mh_insn **page = &t->page[pc >> 12];

    if (!*page) {
        *page = new_page(t, pc & ~0xfffu);
    }
    return &(*page)[(pc & 0xfff) / 2];
}

void mh_table_translated(struct mh_table *t, struct mh_insn *i,
                         const struct cost_window *w)
{
    const struct cost cost = core_cost(t->values, CORE_CYCLES, w, i->pc);

    i->size = w->at[0].size;
    i->flags = insn_flags(&w->at[0]);
    i->extra = cost.extra;
    i->taken_extra = cost.taken;
    i->land_extra = cost.landing;
    i->cls = i->function == MH_NO_FUNCTION ? CORE_CLASS_ROWS
                                           : core_row_of(&w->at[0]);
}

static bool read_core(struct mh_table *t, const char *line)
{
    return sscanf(line, "core %63s", t->core) == 1;
}

static bool read_stack(struct mh_table *t, const char *line)
{
    return sscanf(line, "stack %" SCNx32 " %" SCNx32, &t->stack_from,
                  &t->stack_to) == 2;
}

static bool read_irq(struct mh_table *t, const char *line)
{
    return sscanf(line, "irq %" SCNu16 " %" SCNu16, &t->entry_extra,
                  &t->wake_extra) == 2;
}

/* Classes and events, each at its place. No instruction takes no time. */
static bool read_row(struct mh_table *t, const char *line)
{
    uint32_t index;
    uint16_t cycles;

    if (sscanf(line, "k %" SCNu32 " %*s %" SCNu16, &index, &cycles) != 2 ||
        index != t->rows || index >= CORE_ROWS ||
        (!cycles && index < CORE_CLASS_ROWS)) {
        return false;
    }
    t->values[t->rows++].cycles[CORE_CYCLES] = cycles;
    return true;
}

static bool read_function(struct mh_table *t, const char *line)
{
    struct mh_function f;
    const struct mh_function *last = t->function + t->functions - 1;
    uint32_t index;

    if (sscanf(line, "f %" SCNu32 " %" SCNx32 " %" SCNu32, &index, &f.address,
               &f.size) != 3 || index != t->functions ||
        (index && f.address - last->address < last->size)) {
        return false;
    }
    if (t->functions == t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->function = mh_grown(t->function, t->room, sizeof(f));
    }
    t->function[t->functions++] = f;
    return true;
}

static void name_hook(struct mh_table *t, uint32_t index, const char *policy,
                      const char *kind)
{
    char (*names)[MH_HOOK_NAME] = t->hook_name;

    if (index >= t->hooks) {
        names = mh_grown(names, index + 1, sizeof(*names));
        memset(names + t->hooks, 0, (index + 1 - t->hooks) * sizeof(*names));
        t->hooks = index + 1;
        t->hook_name = names;
    }
    snprintf(names[index], sizeof(*names), "%s.%s", policy, kind);
}

/* Of several hooks in one place the last counts. */
static bool read_hook(struct mh_table *t, const char *line)
{
    uint32_t index, pc;
    char policy[64], kind[48];

    if (sscanf(line, "h %" SCNu32 " %" SCNx32 " %63s %47s", &index, &pc,
               policy, kind) != 4 || index >= MAX_HOOKS) {
        return false;
    }
    mh_table_at(t, pc)->hook = index;
    name_hook(t, index, policy, kind);
    return true;
}

static bool read_line(struct mh_table *t, const char *line)
{
    switch (line[0]) {
    case 'c':
        return read_core(t, line);
    case 's':
        return read_stack(t, line);
    case 'i':
        return read_irq(t, line);
    case 'k':
        return read_row(t, line);
    case 'f':
        return read_function(t, line);
    case 'h':
        return read_hook(t, line);
    default:
        return false;
    }
}

static bool read_all(struct mh_table *t, FILE *f, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    bool good = true;

    for (unsigned n = 1; good && getline(&line, &room, f) >= 0; n++) {
        good = n == 1 ? !strcmp(line, "memhelm-core-table 3\n")
                      : read_line(t, line);
        if (!good) {
            fprintf(stderr, "%s:%u: not a line of a core table: %s", path, n,
                    line);
        }
    }
    free(line);
    if (good && (t->rows != CORE_ROWS || !*t->core || ferror(f))) {
        fprintf(stderr, "%s: it ends too early: no core or no times\n", path);
        good = false;
    }
    return good;
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
    return good;
}
