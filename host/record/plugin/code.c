#include "code.h"

#include <stdlib.h>

/* Instructions by their value: open addressing, at most half full. */
static struct {
    struct code_instruction **slot;
    size_t size, count;
} map;

static struct code_function **known;
static size_t known_count;
static struct code_loop *loop;
static int loop_count;
static uint32_t next_number = 1;
static void (*on_function)(const struct code_function *f);

void code_on_function(void (*see)(const struct code_function *f))
{
    on_function = see;
}

static struct code_instruction **slot_of(LLVMValueRef value)
{
    size_t at = (size_t)((uintptr_t)value >> 4) * 0x9e3779b97f4a7c15u & (map.size - 1);

    while (map.slot[at] && map.slot[at]->value != value)
        at = (at + 1) & (map.size - 1);
    return &map.slot[at];
}

struct code_instruction *code_find(LLVMValueRef instruction)
{
    return map.size ? *slot_of(instruction) : NULL;
}

static bool map_reserve(size_t more)
{
    struct code_instruction **old = map.slot;
    size_t size = map.size ? map.size : 1024, old_size = map.size;

    while (size < 2 * (map.count + more))
        size *= 2;
    if (size == old_size)
        return true;
    map.slot = calloc(size, sizeof(*map.slot));
    if (!map.slot) {
        map.slot = old;
        return false;
    }
    map.size = size;
    for (size_t i = 0; i < old_size; i++)
        if (old[i])
            *slot_of(old[i]->value) = old[i];
    free(old);
    return true;
}

/* A value of a program that is gone may come again in another: the newest counts. */
static void map_put(struct code_instruction *i)
{
    struct code_instruction **slot = slot_of(i->value);

    map.count += *slot == NULL;
    *slot = i;
}

/* Blocks of a function while their order is found. */
struct walk {
    LLVMBasicBlockRef *order; /* filled from its end: post-order, reversed */
    uint32_t total, next, edges;
    struct frame {
        LLVMBasicBlockRef block;
        unsigned successor;
    } * stack;
    uint32_t depth;
    LLVMBasicBlockRef *seen;
    uint32_t seen_count;
};

static bool is_new(struct walk *w, LLVMBasicBlockRef b)
{
    for (uint32_t i = 0; i < w->seen_count; i++)
        if (w->seen[i] == b)
            return false;
    w->seen[w->seen_count++] = b;
    return true;
}

static void push(struct walk *w, LLVMBasicBlockRef b)
{
    if (is_new(w, b))
        w->stack[w->depth++] = (struct frame){b, 0};
}

static void walk(struct walk *w, LLVMValueRef function)
{
    push(w, LLVMGetEntryBasicBlock(function));
    while (w->depth) {
        struct frame *f = &w->stack[w->depth - 1];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(f->block);

        if (f->successor < LLVMGetNumSuccessors(end)) {
            push(w, LLVMGetSuccessor(end, f->successor++));
            continue;
        }
        w->edges += LLVMGetNumSuccessors(end);
        w->order[--w->next] = f->block;
        w->depth--;
    }
}

static bool walk_blocks(struct walk *w, LLVMValueRef function)
{
    w->total = w->next = LLVMCountBasicBlocks(function);
    w->order = malloc(w->total * sizeof(*w->order));
    w->seen = malloc(w->total * sizeof(*w->seen));
    w->stack = malloc(w->total * sizeof(*w->stack));
    if (!w->order || !w->seen || !w->stack)
        return false;
    walk(w, function);
    return true;
}

static void walk_free(struct walk *w)
{
    free(w->order);
    free(w->seen);
    free(w->stack);
}

static uint32_t number_of(const struct walk *w, LLVMBasicBlockRef b)
{
    uint32_t i = w->next;

    while (w->order[i] != b)
        i++;
    return i - w->next;
}

static bool find_loops(struct loops *loops, const struct walk *w)
{
    uint32_t blocks = w->total - w->next, edges = 0;
    uint32_t *first = malloc((blocks + 1) * sizeof *first), *edge = malloc((w->edges + 1) * sizeof *edge);
    bool good = first && edge;

    for (uint32_t b = 0; b < blocks && good; b++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(w->order[w->next + b]);

        first[b] = edges;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            edge[edges++] = number_of(w, LLVMGetSuccessor(end, s));
    }
    if (good)
        first[blocks] = edges;
    good = good && loops_find(loops, &(struct loop_graph){blocks, first, edge});
    free(first);
    free(edge);
    return good;
}

static void add_instruction(struct code_function *f, LLVMValueRef value, struct code_block *block, bool is_first)
{
    struct code_instruction *i = &f->instruction[f->instructions++];

    *i = (struct code_instruction){.value = value, .block = block, .number = next_number++, .is_first = is_first};
    kinds_set(i);
    map_put(i);
}

static void add_blocks(struct code_function *f, const struct walk *w)
{
    for (uint32_t b = 0; b < w->total - w->next; b++) {
        int innermost = f->loops.innermost[b];
        LLVMValueRef first = LLVMGetFirstInstruction(w->order[w->next + b]);

        f->block[b] = (struct code_block){f, b, innermost == LOOP_NONE ? LOOP_NONE : f->first_loop + innermost,
                                          innermost != LOOP_NONE && f->loops.loop[innermost].header == b};
        if (f->block[b].is_header)
            loop[f->block[b].loop].header = next_number;
        for (LLVMValueRef v = first; v; v = LLVMGetNextInstruction(v))
            add_instruction(f, v, &f->block[b], v == first);
    }
}

static bool add_loops(struct code_function *f)
{
    struct code_loop *more = realloc(loop, (size_t)(loop_count + f->loops.count + 1) * sizeof *more);

    if (!more)
        return false;
    loop = more;
    f->first_loop = loop_count;
    for (int i = 0; i < f->loops.count; i++) {
        int parent = f->loops.loop[i].parent;

        loop[loop_count++] = (struct code_loop){f, 0, parent == LOOP_NONE ? LOOP_NONE : f->first_loop + parent};
    }
    return true;
}

static uint32_t count_instructions(const struct walk *w)
{
    uint32_t count = 0;

    for (uint32_t b = w->next; b < w->total; b++)
        for (LLVMValueRef v = LLVMGetFirstInstruction(w->order[b]); v; v = LLVMGetNextInstruction(v))
            count++;
    return count;
}

static bool look_at(struct code_function *f, const struct walk *w)
{
    uint32_t count = count_instructions(w);

    f->instruction = malloc(count * sizeof *f->instruction);
    f->block = malloc((w->total - w->next) * sizeof *f->block);
    if (!f->instruction || !f->block || !map_reserve(count) || !find_loops(&f->loops, w) || !add_loops(f))
        return false;
    add_blocks(f, w);
    return true;
}

static bool keep(struct code_function *f)
{
    struct code_function **more = realloc(known, (known_count + 1) * sizeof *more);

    if (!more)
        return false;
    known = more;
    known[known_count++] = f;
    return true;
}

/* Those that it calls get the numbers behind its own. */
static bool look_at_called(struct code_function *f)
{
    for (uint32_t i = 0; i < f->instructions; i++) {
        LLVMValueRef called = kinds_called(f->instruction[i].value);

        f->instruction[i].calls = called ? (struct code_function *)code_function(called) : NULL;
        if (called && !f->instruction[i].calls)
            return false;
    }
    return true;
}

static const struct code_function *new_function(LLVMValueRef function)
{
    struct code_function *f = calloc(1, sizeof *f);
    struct walk w = {0};
    bool good;

    if (!f)
        return NULL;
    f->value = function;
    good = walk_blocks(&w, function) && look_at(f, &w) && keep(f);
    walk_free(&w);
    if (!good)
        return NULL;
    if (on_function)
        on_function(f);
    return look_at_called(f) ? f : NULL;
}

/* A program that was released may have left its function's place to another: are the instructions still there? */
static bool is_alive(const struct code_function *f)
{
    uint32_t count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            const struct code_instruction *i = code_find(v);

            if (i && i->block->function == f && i->opcode == LLVMGetInstructionOpcode(v))
                count++;
        }
    return count == f->instructions;
}

const struct code_function *code_function(LLVMValueRef function)
{
    for (size_t i = known_count; i-- > 0;)
        if (known[i]->value == function && is_alive(known[i]))
            return known[i];
    return new_function(function);
}

const struct code_loop *code_loop(int number)
{
    return &loop[number];
}

int code_loops(void)
{
    return loop_count;
}

bool code_in_loop(const struct code_block *block, int number)
{
    const struct code_function *f = loop[number].function;

    return block && block->function == f && f->loops.loop[number - f->first_loop].has[block->number];
}
