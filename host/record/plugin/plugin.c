#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>

#include "code.h"
#include "items.h"

enum { ACCESSES = 64 /* of one instruction */, TELL = 1 << 15 /* bytes of a work item, before its CTA ends */ };

bool plugin_recording;

static struct bytes payload;
static uint64_t launches, copied;
static bool wanted; /* the launch that runs */
static size_t items;
static const struct code_instruction *expected; /* instructions follow each other: where the next one may be */
static struct items_access access[ACCESSES];
static unsigned accesses;

static void stop(const char *why)
{
    send_failed(why);
    plugin_recording = wanted = false;
}

static void tell_code(const struct code_instruction *i)
{
    struct record_code c = {.pc = i->number, .kind = i->kind, .bytes = kinds_bytes(i)};
    size_t length;

    for (int l = i->block->loop; l != LOOP_NONE; l = code_loop(l)->parent)
        c.depth++;
    c.line = LLVMGetDebugLocLine(i->value);
    snprintf(c.function, sizeof c.function, "%s", LLVMGetValueName2(i->block->function->value, &length));
    if (!deps_find(i, &c))
        stop("out of memory in the program that is recorded");
    record_code_put(&payload, &c);
    send_message(RECORD_CODE, &payload);
    free(c.address);
    free(c.value);
}

/* In the order of the source. */
static void tell_function(const struct code_function *f)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->value); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
            const struct code_instruction *i = code_find(v);

            if (i && i->block->function == f && (i->is_memory || i->is_barrier))
                tell_code(i);
        }
}

void plugin_context(uint64_t context)
{
    (void)context;
    code_on_function(tell_function);
    send_open();
}

void plugin_buffer(uint64_t context, uint64_t address, uint64_t bytes)
{
    bytes_number(&payload, context);
    bytes_number(&payload, address);
    bytes_number(&payload, bytes);
    send_message(RECORD_BUFFER, &payload);
}

void plugin_freed(uint64_t context, uint64_t address)
{
    bytes_number(&payload, context);
    bytes_number(&payload, address);
    send_message(RECORD_FREED, &payload);
}

void plugin_launch_start(const struct plugin_launch *l)
{
    const struct send_wanted *w = send_wanted();

    wanted = launches >= w->first_launch && launches < w->launch_end && !send_enough();
    if (wanted && !code_function(l->function))
        stop("out of memory in the program that is recorded");
    bytes_number(&payload, launches++);
    bytes_number(&payload, l->context);
    bytes_text(&payload, l->name);
    for (int i = 0; i < 3; i++)
        bytes_number(&payload, l->grid[i]);
    for (int i = 0; i < 3; i++)
        bytes_number(&payload, l->block[i]);
    bytes_number(&payload, wanted);
    send_message(RECORD_LAUNCH, &payload);
    items = l->block[0] * l->block[1] * l->block[2];
}

void plugin_launch_end(void)
{
    bytes_number(&payload, copied);
    copied = 0;
    send_message(RECORD_LAUNCH_END, &payload);
}

void plugin_group(size_t group)
{
    const struct send_wanted *w = send_wanted();

    plugin_recording = wanted && group >= w->first_cta && group < w->cta_end && !send_enough();
    if (!plugin_recording)
        return;
    accesses = 0;
    if (!items_start(items)) {
        stop("out of memory in the program that is recorded");
        return;
    }
    bytes_number(&payload, group);
    send_message(RECORD_GROUP, &payload);
}

static void tell_item(size_t item)
{
    struct bytes *told = items_told(item);

    bytes_number(&payload, item);
    bytes_add(&payload, told->at, told->size);
    payload.failed |= told->failed;
    told->size = 0;
    send_message(RECORD_ITEM, &payload);
}

void plugin_group_end(void)
{
    if (!plugin_recording)
        return;
    for (size_t i = 0; i < items; i++)
        if (items_told(i)->size)
            tell_item(i);
    send_message(RECORD_GROUP_END, &payload);
    plugin_recording = false;
}

/* A failed compare-and-swap has no store, others have both: one access. */
void plugin_access(uint8_t kind, size_t address, size_t bytes)
{
    if (kind == RECORD_ATOMIC && accesses)
        return;
    if (accesses < ACCESSES)
        access[accesses] = (struct items_access){kind, address, bytes};
    accesses++;
}

void plugin_copied(size_t bytes)
{
    copied += bytes;
}

void plugin_executed(size_t item, LLVMValueRef instruction)
{
    const struct code_instruction *i = expected;

    if (!i || i->value != instruction)
        i = code_find(instruction);
    if (!i) {
        stop("an instruction runs that is in none of the kernel's functions");
        return;
    }
    expected = i->is_terminator ? NULL : i + 1;
    if (accesses > ACCESSES)
        stop("one instruction makes more than 64 accesses");
    else if (!items_executed(item, i, access, accesses))
        stop("loops and calls within each other are too deep: 31 and 16");
    else if (items_told(item)->size > TELL)
        tell_item(item);
    accesses = 0;
}
