#include "code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/registers.h"
#include "base/memory.h"

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
    if (!f->count)
        return mh_fail(err, "%s: no function symbols: link it without -s; assembly needs `.type name, @function`",
                       name);
    f->list = must_have(f->count, sizeof *f->list);
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

/* The members of struct policy behind its name, each a pointer. */
static const char *const kinds[HOOK_KINDS] = {"init",     "on_epoch",      "on_walk_epoch", "on_arrival",
                                              "on_event", "on_page_fault", "on_timer",      "on_timer_2"};
enum { KINDS = HOOK_KINDS, POLICIES_MAX = HOOKS_MAX / KINDS };

static bool read_word(const struct elf *elf, uint32_t address, uint32_t *word)
{
    uint8_t b[4];
    if (!elf_read(elf, address, b, sizeof b))
        return false;
    *word = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    return true;
}

/* A text up to its end, or as much of it as there is room for. */
static bool read_name(const struct elf *elf, uint32_t address, char name[HOOK_POLICY])
{
    unsigned n = 0;
    for (char c; n < HOOK_POLICY - 1; name[n++] = isgraph((unsigned char)c) ? c : '_') {
        if (!elf_read(elf, address + n, &c, 1))
            return false;
        if (!c)
            break;
    }
    name[n] = 0;
    return n;
}

/* The firmware would call a hook that is no code. */
static int add_hook(struct hooks *h, const struct elf *elf, const char *name, const struct hook *hook, uint32_t word,
                    struct mh_error *err)
{
    if (!hook->address)
        return 0;
    if (!elf_is_code(elf, hook->address))
        return mh_fail(err,
                       "%s: %s of policy %s (the word at 0x%x) is 0x%x, where no code is: the file is damaged, or not "
                       "built with this tree's policy.h",
                       name, hook->kind, hook->policy, word, hook->address);
    h->list[h->count++] = *hook;
    return 0;
}

static int add_policy(struct hooks *h, const struct elf *elf, const char *name, unsigned i, uint32_t policy,
                      struct mh_error *err)
{
    uint32_t at;
    struct hook hook;
    bool good = read_word(elf, policy, &at) && read_name(elf, at, hook.policy);
    for (unsigned k = 0; good && k < KINDS; k++) {
        hook.kind = kinds[k];
        hook.offset = 4 * (k + 1);
        good = read_word(elf, policy + hook.offset, &hook.address);
        if (good && add_hook(h, elf, name, &hook, policy + hook.offset, err))
            return -1;
    }
    return good ? 0
                : mh_fail(err,
                          "%s: policy %u of fw_image (at 0x%x) cannot be read: was it built with this tree's policy.h?",
                          name, i, policy);
}

int hooks_find(struct hooks *h, const struct elf *elf, const char *name, struct mh_error *err)
{
    uint32_t image, policy;
    h->count = 0;
    if (!symbol_value(elf, "fw_image", &image))
        return 0;
    for (unsigned i = 0; i < POLICIES_MAX; i++) {
        if (!read_word(elf, image + 4 * (i + 1), &policy))
            break;
        if (!policy)
            return 0;
        if (add_policy(h, elf, name, i, policy, err))
            return -1;
    }
    return mh_fail(err, "%s: the policies of fw_image do not end with NULL; image.h makes the list", name);
}

/* The instruction at `address`; size 0 where no code is, up to `end`. */
static struct insn fetch(const struct elf *elf, uint32_t address, uint32_t end)
{
    struct insn i = {.size = 0};
    uint8_t b[4] = {0};
    if (address >= end || end - address < 2 || !elf_read(elf, address, b, 2))
        return i;
    if (end - address >= 4)
        (void)elf_read(elf, address, b, 4);
    insn_decode(b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24, &i);
    return i;
}

/* Does the branch decide between an ebreak and the rest of its function? */
static bool checks(const struct elf *elf, const struct cost_window *w, uint32_t address, uint32_t end)
{
    if (w->at[0].cls != INSN_BRANCH)
        return false;
    if (w->at[1].size && w->at[1].cls == INSN_EBREAK)
        return true;
    struct insn target = fetch(elf, insn_target(&w->at[0], address), end);
    return target.size && target.cls == INSN_EBREAK;
}

static void read_line(struct code_line *l, const struct elf *elf, const struct core *c, const struct cost_window *w,
                      uint32_t end)
{
    l->insn = w->at[0];
    l->flags = insn_flags(&l->insn) | (checks(elf, w, l->address, end) ? CODE_CHECK : 0);
    for (unsigned b = 0; b < CORE_BOUNDS; b++)
        l->cost[b] = core_cost(c->values, (enum core_bound)b, w, l->address);
}

/* Appends a function, for whose half words there is room. */
static void read_function(struct code *code, const struct elf *elf, const struct functions *f, unsigned number,
                          const struct core *c)
{
    uint32_t address = f->list[number].address, end = address + f->list[number].size;
    struct cost_window w;
    w.at[0] = fetch(elf, address, end);
    while (w.at[0].size) {
        struct code_line *l = &code->list[code->count++];
        uint32_t next = address + w.at[0].size;
        *l = (struct code_line){.address = address, .function = number};
        w.at[1] = fetch(elf, next, end);
        w.at[2] = fetch(elf, next + w.at[1].size, end);
        read_line(l, elf, c, &w, end);
        address = next;
        w.at[0] = w.at[1];
    }
}

void code_read(struct code *code, const struct elf *elf, const struct functions *f, const struct core *c)
{
    size_t room = 0;
    for (unsigned i = 0; i < f->count; i++)
        room += f->list[i].size / 2;
    *code = (struct code){.list = must_have(room, sizeof *code->list)};
    for (unsigned i = 0; i < f->count; i++)
        read_function(code, elf, f, i, c);
}

void code_free(struct code *code)
{
    free(code->list);
    *code = (struct code){0};
}

const struct code_line *code_at(const struct code *code, uint32_t address)
{
    unsigned low = 0, high = code->count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (code->list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->count && code->list[low].address == address ? &code->list[low] : NULL;
}

void code_count(const struct code_line *l, uint64_t count, uint64_t taken, uint64_t rows[CORE_CLASS_ROWS])
{
    bool branch = l->insn.cls == INSN_BRANCH;
    rows[core_row_of(&l->insn)] += branch ? count - taken : count;
    if (branch)
        rows[CORE_BRANCH_TAKEN] += taken;
}
