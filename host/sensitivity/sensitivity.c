#include "sensitivity.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

/* Between a value and the keys that go with it, and between these. */
#define WITH " with "
#define AND  " and "

/* A configuration is checked whole, with a tenant. */
#define ANY_KERNEL "GUPS"

/* --- Which. */

static int find_preset(struct sensitivity *a, struct mh_error *err)
{
    for (unsigned i = 0; i < a->reproduction.row_count; i++) {
        const struct row *row = a->reproduction.rows[i].row;
        const char *preset = row->measure.common.preset;
        if (row->missing)
            continue;
        if (a->preset && strcmp(a->preset, preset))
            return mh_fail(err, "row %s is of preset %s, others of %s; --row chooses those of one preset", row->id,
                           preset, a->preset);
        a->preset = preset;
    }
    return a->preset ? 0 : mh_fail(err, "no row that can be run");
}

static bool wanted(const struct sensitivity_options *o, const char *key)
{
    unsigned i = 0;
    while (i < o->key_count && strcmp(o->keys[i], key))
        i++;
    return !o->key_count || i < o->key_count;
}

static int check_keys(const struct sensitivity *a, struct mh_error *err)
{
    for (unsigned k = 0; k < a->options->key_count; k++) {
        struct nearest near = nearest_begin(a->options->keys[k], "");
        size_t i = 0;
        while (i < a->assumed_count && strcmp(a->assumed[i].key, a->options->keys[k]))
            nearest_try(&near, a->assumed[i++].key);
        if (i == a->assumed_count)
            return mh_fail(err,
                           "--key %.60s: no value of preset %s that is in doubt%s; `memhelm sensitivity %s --list` "
                           "shows them",
                           a->options->keys[k], a->preset, near.text, a->reproduction.study.name);
    }
    return 0;
}

static int find_assumed(struct sensitivity *a, struct mh_error *err)
{
    size_t kept = 0;
    a->assumed = mh_config_assumptions(a->preset, NULL, &a->assumed_count, err);
    if (!a->assumed || check_keys(a, err))
        return -1;
    for (size_t i = 0; i < a->assumed_count; i++)
        if (wanted(a->options, a->assumed[i].key))
            a->assumed[kept++] = a->assumed[i];
    a->assumed_count = kept;
    return 0;
}

/* --- Their other values. */

static int open_rows(struct sensitivity *a, struct variation *v, struct mh_error *err)
{
    const struct reproduce_options *o = &a->options->rows;
    const char *sets[SENSITIVITY_SETS];
    struct scope scope = reproduce_scope(&a->reproduction);
    v->rows = must_have(a->reproduction.row_count, sizeof *v->rows);
    memcpy(sets, o->sets, o->set_count * sizeof *sets);
    memcpy(sets + o->set_count, v->sets, v->set_count * sizeof *v->sets);
    scope.options.sets = sets;
    scope.options.set_count = o->set_count + v->set_count;
    for (unsigned i = 0; i < a->reproduction.row_count; i++)
        if (reproduce_row_open(&v->rows[i], a->reproduction.rows[i].row, &scope, false, err))
            return -1;
    return 0;
}

static int configure(const struct sensitivity *a, const struct variation *v, struct mh_config *cfg,
                     struct mh_error *err)
{
    if (mh_config_preset(cfg, a->preset, err))
        return -1;
    for (unsigned i = 0; i < v->set_count; i++)
        if (mh_config_set(cfg, v->sets[i], err))
            return -1;
    return mh_config_workload(cfg, ANY_KERNEL, err) || mh_config_resolve(cfg, err) ? -1 : 0;
}

/* A value that the preset's comment should not have is found before anything runs. */
static int check_sets(const struct sensitivity *a, const struct variation *v, struct mh_error *err)
{
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    struct mh_error why;
    int status = 0;
    if (configure(a, v, cfg, &why))
        status = mh_fail(err, "%s:%u: behind the bar: %.800s", v->of->file, v->of->line, why.text);
    free(cfg);
    return status;
}

static int add_set(struct variation *v, const char *key, const char *text, const char *end, struct mh_error *err)
{
    if (v->set_count == VARIATION_SETS)
        return mh_fail(err, "%s:%u: behind the bar: more than %d keys with one value", v->of->file, v->of->line,
                       VARIATION_SETS - 1);
    v->sets[v->set_count++] = must_print("%s%s%.*s", key, *key ? "=" : "", (int)(end - text), text);
    return 0;
}

/* "64 with dram.write_high=16 and dram.write_low=4" */
static int split(struct variation *v, struct mh_error *err)
{
    const char *at = v->value, *end = strstr(at, WITH);
    if (add_set(v, v->of->key, at, end ? end : at + strlen(at), err))
        return -1;
    for (const char *between = WITH; end; between = AND) {
        at = end + strlen(between);
        end = strstr(at, AND);
        if (add_set(v, "", at, end ? end : at + strlen(at), err))
            return -1;
    }
    return 0;
}

static void abbreviate(struct variation *v)
{
    const unsigned more = v->set_count - 1;
    const char *own = v->sets[0] + strlen(v->of->key) + 1;
    v->brief = more ? must_print("%s + %u key%s", own, more, more > 1 ? "s" : "") : must_print("%s", own);
}

static int add_variation(struct sensitivity *a, const struct mh_assumption *of, const char *value, int length,
                         struct mh_error *err)
{
    a->variations = grow(a->variations, a->variation_count, &a->room, sizeof *a->variations);
    struct variation *v = &a->variations[a->variation_count];
    *v = (struct variation){.of = of};
    a->variation_count++;
    v->value = must(strndup(value, (size_t)length));
    if (split(v, err))
        return -1;
    abbreviate(v);
    return check_sets(a, v, err) || open_rows(a, v, err) ? -1 : 0;
}

/* "1, 2, 8" */
static int add_others(struct sensitivity *a, const struct mh_assumption *of, struct mh_error *err)
{
    const char *at = of->others, *end = at + of->others_length;
    while (at < end) {
        const char *comma = memchr(at, ',', (size_t)(end - at)), *next = comma ? comma : end;
        int length = (int)(next - at);
        while (length && at[length - 1] == ' ')
            length--;
        if (add_variation(a, of, at, length, err))
            return -1;
        at = comma ? comma + 1 + strspn(comma + 1, " ") : end;
    }
    return 0;
}

static int open_all(struct sensitivity *a, struct mh_error *err)
{
    if (find_preset(a, err) || find_assumed(a, err))
        return -1;
    for (size_t i = 0; i < a->assumed_count; i++)
        if (add_others(a, &a->assumed[i], err))
            return -1;
    return 0;
}

int sensitivity_open(struct sensitivity *a, const struct sensitivity_options *o, struct mh_error *err)
{
    memset(a, 0, sizeof *a);
    a->options = o;
    if (reproduce_open(&a->reproduction, &o->rows, err))
        return -1;
    if (!open_all(a, err))
        return 0;
    sensitivity_close(a);
    return -1;
}

void sensitivity_close(struct sensitivity *a)
{
    for (unsigned i = 0; i < a->variation_count; i++) {
        struct variation *v = &a->variations[i];
        for (unsigned r = 0; v->rows && r < a->reproduction.row_count; r++)
            reproduce_row_close(&v->rows[r]);
        free(v->rows);
        for (unsigned k = 0; k < v->set_count; k++)
            free(v->sets[k]);
        free(v->value);
        free(v->brief);
    }
    free(a->variations);
    free(a->assumed);
    reproduce_close(&a->reproduction);
}
