/* The list of kernels; a workload from its name. */
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memhelm/trace.h"
#include "workload/gen.h"
#include "workload/input/input.h"

#define MH_KERNEL(symbol) extern const struct mh_kernel mh_kernel_##symbol;
#include "workload/kernels/kernels.def"
#undef MH_KERNEL

const struct mh_kernel *const mh_kernels[] = {
#define MH_KERNEL(symbol) &mh_kernel_##symbol,
#include "workload/kernels/kernels.def"
#undef MH_KERNEL
    NULL,
};

/* Other names that papers use for a kernel of the list. */
static const char trace[] = "trace:";

static const struct alias {
    const char *name, *kernel;
} aliases[] = {{"GUP", "GUPS"}, {"BFS2", "BFS"}, {"LUH", "LULESH"}, {"CONV", "CONS"}};

/* Whether `spec` is NAME, NAME@.. or NAME:.. */
static bool is_named(const char *spec, const char *name)
{
    const size_t length = strcspn(spec, "@:");

    return length == strlen(name) && strncasecmp(spec, name, length) == 0;
}

const struct mh_kernel *mh_kernel_find(const char *spec)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (is_named(spec, aliases[i].name))
            spec = aliases[i].kernel;
    for (const struct mh_kernel *const *k = mh_kernels; *k; k++)
        if (is_named(spec, (*k)->name))
            return *k;
    return NULL;
}

const char *mh_kernel_input(const char *spec, size_t *length)
{
    const char *file = strchr(spec, ':');

    if (!file || strncmp(spec, trace, strlen(trace)) == 0)
        return NULL;
    *length = (size_t)(mh_launches_part(spec) - ++file);
    return file;
}

int mh_kernel_variant(const struct mh_kernel *k, const char *spec, struct mh_error *err)
{
    const char *part = mh_launches_part(spec), *colon = spec + strcspn(spec, ":"), *end = colon < part ? colon : part;
    const char *at = spec + strcspn(spec, "@:");
    const int length = (int)(end - at) - 1;
    char list[256] = "";
    size_t used = 0;

    if (at >= end)
        return 0;
    for (int i = 0; k->variants && k->variants[i]; i++) {
        if (strlen(k->variants[i]) == (size_t)length && strncasecmp(k->variants[i], at + 1, (size_t)length) == 0)
            return i;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, " %s@%s", k->name, k->variants[i]);
    }
    if (!k->variants)
        return mh_fail(err, "%s has no variants: leave out '%.*s'", k->name, length < 64 ? length + 1 : 64, at);
    return mh_fail(err, "%s has no variant '%.*s': use one of%s", k->name, length < 64 ? length : 64, at + 1, list);
}

/* `below` and `above` are the legal sizes around `size`; the limits are legal, so these lie between them. */
static int fail_rule(const struct mh_kernel *k, uint64_t size, const char *rule, uint64_t below, uint64_t above,
                     struct mh_error *err)
{
    return mh_fail(err, "%s: size %llu is not a %s (%s): use %llu or %llu", k->name, (unsigned long long)size, rule,
                   k->size_reason, (unsigned long long)below, (unsigned long long)above);
}

int mh_kernel_check_size(const struct mh_kernel *k, uint32_t variant, uint64_t size, struct mh_error *err)
{
    if (size < k->size_min || size > k->size_max)
        return mh_fail(err, "%s: size %llu is out of range: %s, %llu to %llu (default %llu)", k->name,
                       (unsigned long long)size, k->size_meaning, (unsigned long long)k->size_min,
                       (unsigned long long)k->size_max, (unsigned long long)k->size_default);
    if (k->size_multiple && size % k->size_multiple) {
        const uint64_t below = size - size % k->size_multiple;
        char rule[64];

        snprintf(rule, sizeof rule, "multiple of %llu", (unsigned long long)k->size_multiple);
        return fail_rule(k, size, rule, below, below + k->size_multiple, err);
    }
    if (k->size_powers >> variant & 1 && size & (size - 1)) {
        const uint64_t below = (uint64_t)1 << (63 - __builtin_clzll(size));

        return fail_rule(k, size, "power of two", below, 2 * below, err);
    }
    return 0;
}

static struct mh_workload *fail_unknown(const char *name, struct mh_error *err)
{
    char names[512] = "";
    size_t used = 0;

    for (const struct mh_kernel *const *k = mh_kernels; *k && used < sizeof names; k++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s, ", (*k)->name);
    (void)mh_fail(err, "unknown kernel '%.64s': use one of %sor trace:FILE for a recorded trace", name, names);
    return NULL;
}

static struct mh_workload *create_trace(const char *spec, uint64_t size, struct mh_trace_how how, struct mh_error *err)
{
    char *path = strndup(spec, (size_t)(mh_launches_part(spec) - spec));
    struct mh_workload *w = NULL;

    if (!path)
        (void)mh_fail(err, "trace:%s: out of memory", spec);
    else if (size)
        (void)mh_fail(err, "trace:%s: a trace has no problem size; leave out the size %llu", path,
                      (unsigned long long)size);
    else if (!*path)
        (void)mh_fail(err, "trace: names no file; write trace:FILE");
    else
        w = mh_trace_open(path, how, err);
    free(path);
    return w;
}

int mh_kernel_check_input(const struct mh_kernel *k, uint32_t variant, uint64_t size, const char *spec,
                          struct mh_error *err)
{
    size_t length = 0;
    const char *file = mh_kernel_input(spec, &length);

    if (!file)
        return 0;
    if (!k->input)
        return mh_fail(err, "%s takes no file: leave out ':%.*s'", k->name, (int)length, file);
    if (!length)
        return mh_fail(err, "%s: names no file; write %s:FILE, or %s:%llu", k->name, k->name, k->name,
                       (unsigned long long)k->size_default);
    if (variant)
        return mh_fail(err, "%s@%s: the file takes the variant's place: leave out one of them", k->name,
                       k->variants[variant]);
    if (size)
        return mh_fail(err, "%s:%.*s: the file says the size; leave out the size %llu", k->name, (int)length, file,
                       (unsigned long long)size);
    return 0;
}

/* Reads the file; `in` is to be freed, also after a failure. */
static int read_input(const struct mh_kernel *k, const char *spec, struct mh_kernel_args *args, struct mh_input *in,
                      struct mh_error *err)
{
    size_t length = 0;
    const char *file = mh_kernel_input(spec, &length);
    char *path;
    int status;

    if (mh_kernel_check_input(k, args->variant, args->size, spec, err))
        return -1;
    path = strndup(file, length);
    status = path ? mh_input_read(path, in, err) : mh_fail(err, "%s: out of memory", spec);
    if (!status)
        status = mh_input_check(in, k->input, err);
    args->size = in->rows;
    args->input = in;
    free(path);
    return status;
}

/* Where the kernel does not search, each row that is not empty has work. */
static void note_reach(struct mh_workload *w, const struct mh_input *in, enum mh_kernel_input kind)
{
    struct mh_gen *g = (struct mh_gen *)w;

    if (!g->reached)
        g->reached = mh_input_occupied(in, kind);
}

static struct mh_workload *create_whole(const char *spec, uint64_t size, uint64_t seed, struct mh_trace_how how,
                                        struct mh_error *err)
{
    struct mh_kernel_args args = {.size = size, .seed = seed, .lanes = how.lanes};
    struct mh_input in = {.rows = 0};
    const struct mh_kernel *k;
    struct mh_workload *w;
    size_t length;
    int variant;

    if (how.lanes != 32 && how.lanes != 64) {
        (void)mh_fail(err, "%u lanes per warp: only 32 and 64 are supported", how.lanes);
        return NULL;
    }
    if (strncmp(spec, trace, strlen(trace)) == 0)
        return create_trace(spec + strlen(trace), size, how, err);
    k = mh_kernel_find(spec);
    if (!k)
        return fail_unknown(spec, err);
    variant = mh_kernel_variant(k, spec, err);
    if (variant < 0)
        return NULL;
    args.variant = (uint32_t)variant;
    if (mh_kernel_input(spec, &length)) {
        w = read_input(k, spec, &args, &in, err) ? NULL : mh_kernel_create(k, &args, err);
        if (w)
            note_reach(w, &in, k->input);
        mh_input_free(&in);
        return w;
    }
    if (size == 0)
        args.size = k->size_default;
    return mh_kernel_check_size(k, args.variant, args.size, err) ? NULL : mh_kernel_create(k, &args, err);
}

static const struct mh_trace_about *about_of(const struct mh_workload *w, struct mh_launch_range *range)
{
    return mh_trace_about(mh_launches_whole(w, range));
}

/* Without any it would end in the cycle in which it begins, and begin again, for ever. Kernels have some. */
static bool has_instructions(const struct mh_workload *w)
{
    struct mh_launch_range range;
    const struct mh_trace_about *about = about_of(w, &range);

    for (uint32_t l = range.first; about && l < range.end; l++)
        if (!about->shapes[l].empty)
            return true;
    return !about;
}

static void fail_empty(const struct mh_workload *w, const char *spec, struct mh_error *err)
{
    struct mh_launch_range range;
    const struct mh_trace_about *about = about_of(w, &range);
    const bool one = range.end - range.first == 1;
    char which[96];

    if (one)
        snprintf(which, sizeof which, "launch %u (%.64s)", range.first, w->launches[0].name);
    else
        snprintf(which, sizeof which, "launches %u to %u", range.first, range.end - 1);
    (void)mh_fail(err, "%.384s: %s: no instruction in %s, so there is nothing to run%s", spec, which,
                  one ? "it" : "them",
                  strcmp(about->format, "GMT1") ? "" : "; GMT1 has accesses and barriers alone, GMT2 the others, too");
}

struct mh_workload *mh_workload_create_how(const char *spec, uint64_t size, uint64_t seed, struct mh_trace_how how,
                                           struct mh_error *err)
{
    struct mh_launch_range range;
    struct mh_workload *w;

    if (mh_launches_range(spec, &range, err)) /* before data are made */
        return NULL;
    w = create_whole(spec, size, seed, how, err);
    w = w ? mh_launches_select(w, spec, err) : NULL;
    if (!w || has_instructions(w))
        return w;
    fail_empty(w, spec, err);
    w->destroy(w);
    return NULL;
}

struct mh_workload *mh_workload_create(const char *spec, uint64_t size, uint64_t seed, uint32_t lanes,
                                       struct mh_error *err)
{
    return mh_workload_create_how(spec, size, seed, (struct mh_trace_how){.lanes = lanes}, err);
}

uint64_t mh_workload_moved(const struct mh_workload *w)
{
    struct mh_launch_range range;
    const struct mh_trace_about *about = about_of(w, &range);

    return about ? about->moved : 0;
}

bool mh_workload_reach(const struct mh_workload *w, struct mh_reach *r)
{
    const struct mh_gen *g = mh_gen_of(w);

    if (!g || !g->reached)
        return false;
    *r = (struct mh_reach){g->reached, g->n, g->starts};
    return true;
}

const char *mh_workload_assumption(const struct mh_workload *w)
{
    struct mh_launch_range range;
    const struct mh_trace_about *about = about_of(w, &range);

    return about ? about->assumption : NULL;
}
