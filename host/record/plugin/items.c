#include "items.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CALLS = 16 /* within each other */ };

struct item {
    uint64_t gap;
    const struct code_block *from; /* the block that the last branch left */
    struct bytes told;
    struct record_access last;
    uint32_t call[RECORD_KEY]; /* the key's words of the calls that have not returned */
    unsigned words, depth, words_at[CALLS];
};

static struct item *items;
static size_t room;
static uint32_t *iterations; /* of each loop of the program, for each work item */
static size_t loops;

static bool make_room(size_t count)
{
    struct item *more;
    uint32_t *counts = realloc(iterations, (count * loops + 1) * sizeof *counts);

    if (!counts)
        return false;
    iterations = counts;
    if (count <= room)
        return true;
    more = realloc(items, count * sizeof *more);
    if (!more)
        return false;
    memset(more + room, 0, (count - room) * sizeof *more);
    items = more;
    room = count;
    return true;
}

bool items_start(size_t count)
{
    loops = (size_t)code_loops();
    if (!make_room(count))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct bytes told = items[i].told;

        told.size = 0;
        items[i] = (struct item){.told = told};
    }
    return true;
}

struct bytes *items_told(size_t item)
{
    return &items[item].told;
}

/* Another iteration, when the branch came from inside of the loop; else its first. */
static void enter(const struct item *x, uint32_t *iteration, const struct code_block *b)
{
    if (b->is_header)
        iteration[b->loop] = code_in_loop(x->from, b->loop) ? iteration[b->loop] + 1 : 0;
}

static bool add_word(uint32_t *key, unsigned *words, uint32_t word)
{
    if (*words == RECORD_KEY - 1) /* one is left for the piece */
        return false;
    key[(*words)++] = word;
    return true;
}

static bool add_loops(uint32_t *key, unsigned *words, const uint32_t *iteration, int loop)
{
    const struct code_loop *l;

    if (loop == LOOP_NONE)
        return true;
    l = code_loop(loop);
    return add_loops(key, words, iteration, l->parent) && add_word(key, words, l->header) &&
           add_word(key, words, iteration[loop]);
}

/* Adds the words of `i` itself to those of the calls that led to it. */
static bool add_place(uint32_t *key, unsigned *words, const uint32_t *iteration, const struct code_instruction *i)
{
    return add_loops(key, words, iteration, i->block->loop) && add_word(key, words, i->number);
}

static bool call(struct item *x, const uint32_t *iteration, const struct code_instruction *i)
{
    if (x->depth == CALLS)
        return false;
    x->words_at[x->depth++] = x->words;
    return add_place(x->call, &x->words, iteration, i);
}

/* A long access is told in pieces. */
static void tell(struct item *x, struct record_access *a, const struct items_access *access, unsigned *pieces)
{
    uint64_t done = 0;

    do {
        uint64_t left = access->bytes - done;

        a->kind = access->kind;
        a->bytes = (uint32_t)(left < RECORD_MAX_BYTES ? left : RECORD_MAX_BYTES);
        a->address = access->address + done;
        a->gap = x->gap;
        x->gap = 0;
        if (*pieces) {
            a->words += !a->piece;
            a->piece = true;
            a->key[a->words - 1] = *pieces;
        }
        record_access_put(&x->told, &x->last, a);
        ++*pieces;
        done += a->bytes;
    } while (done < access->bytes);
}

static bool tell_all(struct item *x, const uint32_t *iteration, const struct code_instruction *i,
                     const struct items_access *access, unsigned count)
{
    struct record_access a;
    unsigned pieces = 0;

    a.piece = false;
    a.words = x->words;
    memcpy(a.key, x->call, x->words * sizeof *a.key);
    if (!add_place(a.key, &a.words, iteration, i))
        return false;
    for (unsigned n = 0; n < count; n++)
        tell(x, &a, &access[n], &pieces);
    return true;
}

bool items_executed(size_t item, const struct code_instruction *i, const struct items_access *access, unsigned count)
{
    static const struct items_access barrier = {RECORD_BARRIER, 0, 0};
    struct item *x = &items[item];
    uint32_t *iteration = iterations + item * loops;
    bool good = true;

    if (i->is_first)
        enter(x, iteration, i->block);
    if (i->is_barrier) {
        good = tell_all(x, iteration, i, &barrier, 1);
        x->gap = 1; /* the call itself counts behind the barrier, as in the traces that are published */
    } else if (i->is_memory && count) {
        good = tell_all(x, iteration, i, access, count);
    } else {
        x->gap += i->is_counted;
    }
    if (i->is_terminator)
        x->from = i->block;
    if (i->calls)
        good &= call(x, iteration, i);
    else if (i->opcode == LLVMRet && x->depth)
        x->words = x->words_at[--x->depth];
    return good;
}

static int to = -1;
static bool enough;
static struct send_wanted wanted;

const struct send_wanted *send_wanted(void)
{
    return &wanted;
}

bool send_open(void)
{
    const char *text = getenv(RECORD_VARIABLE);
    struct bytes payload = {0};

    if (to >= 0)
        return true;
    if (!text || sscanf(text, "%d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &to, &wanted.first_launch,
                        &wanted.launch_end, &wanted.first_cta, &wanted.cta_end) != 5)
        return false;
    bytes_number(&payload, (uint64_t)getpid());
    send_message(RECORD_HELLO, &payload);
    bytes_free(&payload);
    return true;
}

static void give_up(void)
{
    to = -1;
    enough = true;
}

bool send_enough(void)
{
    char byte;

    if (!enough && recv(to, &byte, 1, MSG_DONTWAIT) == 1)
        enough = byte == RECORD_ENOUGH;
    return enough;
}

static bool send_all(const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t sent = send(to, data, size, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        data += sent;
        size -= (size_t)sent;
    }
    return true;
}

void send_message(enum record_message type, struct bytes *payload)
{
    uint32_t size = (uint32_t)payload->size;
    uint8_t head[RECORD_MESSAGE_HEAD] = {(uint8_t)type, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16),
                                         (uint8_t)(size >> 24)};

    if (payload->failed) {
        payload->failed = false;
        send_failed("out of memory in the program that is recorded");
    } else if (to >= 0 && (!send_all(head, sizeof head) || !send_all(payload->at, payload->size))) {
        give_up();
    }
    payload->size = 0;
}

void send_failed(const char *text)
{
    struct bytes payload = {0};

    if (to < 0)
        return;
    bytes_text(&payload, text);
    if (!payload.failed)
        send_message(RECORD_FAILED, &payload);
    bytes_free(&payload);
    give_up();
}
