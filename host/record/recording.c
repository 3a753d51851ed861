#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "memhelm/config.h"

/* What the reader takes of one warp. */
enum { MAX_GAP = 1 << 30, MAX_RECORDS = 1 << 25 };

static int no_memory(struct mh_error *err)
{
    return mh_fail(err, "out of memory; a CTA is held until it ends: record a smaller problem");
}

/* Writes what `text` holds, and empties it. */
static int flush_text(struct recording *r, struct mh_error *err)
{
    if (r->text.failed)
        return no_memory(err);
    if (r->text.size && fwrite(r->text.at, 1, r->text.size, r->out) != r->text.size)
        return mh_fail(err, "the recording cannot be written: %s", strerror(errno));
    r->size += r->text.size;
    r->text.size = 0;
    return 0;
}

int recording_start(struct recording *r, FILE *out, unsigned lanes, uint64_t max_bytes, struct mh_error *err)
{
    *r = (struct recording){.out = out, .lanes = lanes, .max_bytes = max_bytes};
    record_gmt_head(&r->text, lanes);
    return flush_text(r, err);
}

/* Takes back what was written behind `size`. */
static int cut_to(struct recording *r, uint64_t size, struct mh_error *err)
{
    if (fflush(r->out) || ftruncate(fileno(r->out), (off_t)size) || fseek(r->out, (long)size, SEEK_SET))
        return mh_fail(err, "the recording cannot be written: %s", strerror(errno));
    r->size = size;
    return 0;
}

static int hello(struct recording *r, struct bytes_in *in, struct mh_error *err)
{
    uint64_t process = bytes_get_number(in);

    if (r->process && process != r->process)
        return mh_fail(err, "two processes of the program use OpenCL; one can be recorded: start that one alone");
    r->process = process;
    return 0;
}

static int add_code(struct recording *r, struct bytes_in *in, struct mh_error *err)
{
    r->code = grow(r->code, r->codes, &r->code_room, sizeof *r->code);
    return record_code_get(in, &r->code[r->codes++]) ? 0 : no_memory(err);
}

static int make_items(struct recording *r, struct mh_error *err)
{
    const uint32_t *block = r->now.block;
    const unsigned most = MH_MAX_WARPS * r->lanes;
    uint64_t plane = (uint64_t)block[0] * block[1], items = plane * block[2];
    struct bytes *more;

    if (plane > most || items > most || !items)
        return mh_fail(err, "launch %u (%.100s) has work-groups of %ux%ux%u; a CTA has 1 to %u work items",
                       r->now.number, r->now.name, block[0], block[1], block[2], most);
    if (items > r->item_room) {
        more = realloc(r->item, items * sizeof *more);
        if (!more)
            return no_memory(err);
        memset(more + r->item_room, 0, (items - r->item_room) * sizeof *more);
        r->item = more;
        r->item_room = (uint32_t)items;
    }
    r->items = (uint32_t)items;
    return 0;
}

/* Counts its CTAs. False: more, or fewer, than a trace can have. */
static bool fits_grid(struct recorded_launch *l)
{
    l->total = 1;
    for (int i = 0; i < 3 && l->total; i++)
        l->total = l->grid[i] > UINT32_MAX / l->total ? 0 : l->total * l->grid[i];
    return l->total;
}

static int launch(struct recording *r, struct bytes_in *in, struct mh_error *err)
{
    struct recorded_launch *l = &r->now;

    *l = (struct recorded_launch){.number = (uint32_t)bytes_get_number(in)};
    r->context = bytes_get_number(in);
    bytes_get_text(in, l->name, sizeof l->name);
    for (int i = 0; i < 3; i++)
        l->grid[i] = (uint32_t)bytes_get_number(in);
    for (int i = 0; i < 3; i++)
        l->block[i] = (uint32_t)bytes_get_number(in);
    r->seen++;
    r->cta_behind = 0;
    r->running = bytes_get_number(in) && !r->full;
    if (!r->running)
        return 0;
    if (!fits_grid(l))
        return mh_fail(err, "launch %u (%.100s) has %ux%ux%u work-groups; a trace has 1 to %u", l->number, l->name,
                       l->grid[0], l->grid[1], l->grid[2], UINT32_MAX);
    r->launch_start = r->size;
    r->places.late = 0;
    record_gmt_launch(
        &r->text,
        &(struct record_launch_head){
            l->name, {l->grid[0], l->grid[1], l->grid[2]}, {l->block[0], l->block[1], l->block[2]}, l->total},
        &r->places);
    return make_items(r, err) ? -1 : flush_text(r, err);
}

/* A launch without CTAs leaves nothing. */
static int end_launch(struct recording *r, struct mh_error *err)
{
    if (!r->running)
        return 0;
    r->running = false;
    if (!r->now.ctas)
        return cut_to(r, r->launch_start, err);
    r->launch = grow(r->launch, r->launches, &r->launch_room, sizeof *r->launch);
    r->launch[r->launches++] = r->now;
    return 0;
}

static void group(struct recording *r, struct bytes_in *in)
{
    r->cta = bytes_get_number(in);
    for (uint32_t i = 0; i < r->items; i++)
        r->item[i].size = 0;
}

static int item(struct recording *r, struct bytes_in *in, struct mh_error *err)
{
    uint64_t number = bytes_get_number(in);

    if (number >= r->items)
        in->bad = true;
    else
        bytes_add(&r->item[number], in->at, (size_t)(in->end - in->at));
    return !in->bad && r->item[number].failed ? no_memory(err) : 0;
}

/* From the device's addresses to the trace's; lanes that are in no buffer are no longer active. */
static void place(struct recording *r, struct record_op *op)
{
    for (uint64_t m = op->mask; m && op->kind != RECORD_BARRIER; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(m);

        if (!record_places_find(&r->places, r->context, op->address[lane], op->bytes, &op->address[lane])) {
            op->mask &= ~((uint64_t)1 << lane);
            r->outside++;
        }
    }
}

static int put_warp(struct recording *r, unsigned warp, struct mh_error *err)
{
    uint32_t first = warp * r->lanes, lanes = r->items - first < r->lanes ? r->items - first : r->lanes;
    uint64_t all = UINT64_MAX >> (64 - lanes), count = 0, skipped = 0;
    struct record_op op;

    r->records.size = 0;
    record_gmt_warp_start(&r->last);
    record_warp_start(&r->warp, r->item + first, lanes);
    while (record_warp_next(&r->warp, &op)) {
        op.gap += skipped;
        place(r, &op);
        skipped = op.mask ? 0 : op.gap + 1;
        if (op.gap > MAX_GAP || count == MAX_RECORDS)
            return mh_fail(err, "launch %u (%.100s): more than %d %s: leave the launch out (--launches)", r->now.number,
                           r->now.name, op.gap > MAX_GAP ? MAX_GAP : MAX_RECORDS,
                           op.gap > MAX_GAP ? "instructions between two accesses" : "accesses of a warp");
        if (op.mask && !record_gmt_op(&r->records, &r->last, &op, all, r->lanes))
            return no_memory(err);
        count += op.mask != 0;
    }
    if (r->warp.bad)
        return mh_fail(err, "launch %u (%.100s): lanes of a warp do different things at one place of the program",
                       r->now.number, r->now.name);
    record_gmt_warp(&r->text, warp, count);
    bytes_add(&r->text, r->records.at, r->records.size);
    return r->records.failed ? no_memory(err) : 0;
}

static int end_group(struct recording *r, struct mh_error *err)
{
    unsigned warps = (r->items + r->lanes - 1) / r->lanes;

    if (!r->running || r->full)
        return 0;
    if (r->cta >= r->now.total || r->now.ctas == r->now.total)
        return mh_fail(err, "the plugin tells of more work-groups than launch %u (%.100s) has", r->now.number,
                       r->now.name);
    record_gmt_cta(&r->text, r->cta, warps);
    for (unsigned w = 0; w < warps; w++)
        if (put_warp(r, w, err))
            return -1;
    if (r->size + r->text.size > r->max_bytes) {
        r->full = true;
        r->text.size = 0;
        return 0;
    }
    r->now.ctas++;
    r->cta_behind = r->cta + 1;
    return flush_text(r, err);
}

static int give_up(struct bytes_in *in, struct mh_error *err)
{
    char text[256];

    bytes_get_text(in, text, sizeof text);
    return mh_fail(err, "the recorder gave up: %s", text);
}

static int add_buffer(struct recording *r, uint64_t context, uint64_t device, uint64_t bytes, struct mh_error *err)
{
    const unsigned before = r->places.count;
    int status = record_places_add(&r->places, context, device, bytes, err);

    r->places.late += r->running ? r->places.count - before : 0;
    return status;
}

static int take(struct recording *r, char type, struct bytes_in *in, struct mh_error *err)
{
    uint64_t context, device;

    switch (type) {
    case RECORD_HELLO:
        return hello(r, in, err);
    case RECORD_BUFFER:
        context = bytes_get_number(in);
        device = bytes_get_number(in);
        return add_buffer(r, context, device, bytes_get_number(in), err);
    case RECORD_FREED:
        context = bytes_get_number(in);
        record_places_remove(&r->places, context, bytes_get_number(in));
        return 0;
    case RECORD_CODE:
        return add_code(r, in, err);
    case RECORD_LAUNCH:
        return launch(r, in, err);
    case RECORD_GROUP:
        group(r, in);
        return 0;
    case RECORD_ITEM:
        return item(r, in, err);
    case RECORD_GROUP_END:
        return end_group(r, err);
    case RECORD_LAUNCH_END:
        r->copied += bytes_get_number(in);
        return end_launch(r, err);
    case RECORD_FAILED:
        return give_up(in, err);
    default:
        return mh_fail(err, "the plugin says what is not known here (0x%02x): run `make`, both are built together",
                       (unsigned char)type);
    }
}

int recording_message(struct recording *r, char type, const uint8_t *payload, size_t size, struct mh_error *err)
{
    struct bytes_in in = {payload, payload + size, false};

    if (take(r, type, &in, err))
        return -1;
    return in.bad ? mh_fail(err, "the plugin's message '%c' is cut off", type) : 0;
}

int recording_end(struct recording *r, bool whole, struct mh_error *err)
{
    if (r->running && whole) {
        r->running = false;
        if (cut_to(r, r->launch_start, err))
            return -1;
    }
    if (end_launch(r, err))
        return -1;
    record_gmt_end(&r->text);
    if (flush_text(r, err))
        return -1;
    return fflush(r->out) ? mh_fail(err, "the recording cannot be written: %s", strerror(errno)) : 0;
}

void recording_free(struct recording *r)
{
    for (unsigned i = 0; i < r->codes; i++) {
        free(r->code[i].address);
        free(r->code[i].value);
    }
    for (uint32_t i = 0; i < r->item_room; i++)
        bytes_free(&r->item[i]);
    free(r->item);
    free(r->code);
    free(r->launch);
    free(r->last.at);
    bytes_free(&r->records);
    bytes_free(&r->text);
    record_places_free(&r->places);
    *r = (struct recording){0};
}

/* The static instructions of a recording as NAME.pcs.json: the keys and the form that published traces have. */

static json_t *pcs(const uint32_t *list, uint32_t count)
{
    json_t *j = json_array();

    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(j, json_integer(list[i]));
    return j;
}

static json_t *row(const struct record_code *c)
{
    static const char *const names[] = {"load", "store", "atomic", "barrier"};

    return json_pack("{s:I,s:s,s:s,s:I,s:I,s:i,s:I,s:o,s:o}", "pc", (json_int_t)c->pc, "fn", c->function, "op",
                     names[c->kind], "bytes", (json_int_t)c->bytes, "loop_depth", (json_int_t)c->depth, "use",
                     (int)c->use, "line", (json_int_t)c->line, "addr_deps", pcs(c->address, c->addresses), "val_deps",
                     pcs(c->value, c->values));
}

int recording_write_codes(const struct recording *r, const char *path, struct mh_error *err)
{
    struct bytes text = {0};
    int status;

    bytes_byte(&text, '[');
    for (unsigned i = 0; i < r->codes; i++) {
        json_t *j = row(&r->code[i]);
        char *line = json_dumps(j, JSON_COMPACT);

        bytes_add(&text, ",\n", i ? 2 : 0);
        bytes_add(&text, line, line ? strlen(line) : 0);
        text.failed |= !line;
        free(line);
        json_decref(j);
    }
    bytes_add(&text, "]\n", 2);
    status =
        text.failed ? mh_fail(err, "%s: out of memory", path) : write_file(path, (const char *)text.at, text.size, err);
    bytes_free(&text);
    return status;
}
