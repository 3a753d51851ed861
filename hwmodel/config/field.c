#include "config/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "memhelm/text.h"

#define TYPE_OF(s, m) _Generic(((s *)0)->m, uint32_t : MH_FIELD_U32, uint64_t : MH_FIELD_U64, char * : MH_FIELD_TEXT)
/* A row ends in its meaning and, in a few rows, words for 0: they initialize the members behind `doc`, in order. */
#define FIELD(s, m, key, lo, hi, u, ...)                                                                               \
    {.name = key,                                                                                                      \
     .type = TYPE_OF(s, m),                                                                                            \
     .offset = offsetof(s, m),                                                                                         \
     .size = sizeof(((s *)0)->m),                                                                                      \
     .min = lo,                                                                                                        \
     .max = hi,                                                                                                        \
     .unit = u,                                                                                                        \
     .doc = __VA_ARGS__},

#define WORD(s, m, key, of, text)                                                                                      \
    {.name = key, .type = MH_FIELD_WORD, .offset = offsetof(s, m), .size = 4, .unit = "", .words = of, .doc = text},

static const struct mh_field config_fields[] = {
#define MH_TOP_FIELD(member, type, ...)      FIELD(struct mh_config, member, #member, __VA_ARGS__)
#define MH_FIELD(section, member, type, ...) FIELD(struct mh_config, section.member, #section "." #member, __VA_ARGS__)
#define MH_WORD(section, member, type, words, doc)                                                                     \
    WORD(struct mh_config, section.member, #section "." #member, words, doc)
#include "memhelm/config.def"
};

static const struct mh_field tenant_fields[] = {
#define MH_TENANT_FIELD(member, type, ...) FIELD(struct mh_tenant_cfg, member, #member, __VA_ARGS__)
#include "memhelm/config.def"
};

const struct mh_field_table mh_config_fields = {config_fields, sizeof config_fields / sizeof *config_fields};
const struct mh_field_table mh_tenant_fields = {tenant_fields, sizeof tenant_fields / sizeof *tenant_fields};

/* The first letter tells most names apart: a preset asks for each of its keys. */
static bool is_named(const struct mh_field *f, const char *name)
{
    return f->name[0] == name[0] && !strcmp(f->name, name);
}

const struct mh_field *mh_field_find(const struct mh_field_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (is_named(&table->field[i], name))
            return &table->field[i];
    return NULL;
}

/* Length of the part of `name` before its last dot. */
static size_t section_length(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? (size_t)(dot - name) : 0;
}

static bool in_section(const struct mh_field *f, const char *section)
{
    size_t n = section_length(f->name);

    return n == strlen(section) && !strncmp(f->name, section, n);
}

bool mh_field_is_section(const struct mh_field_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (*name && in_section(&table->field[i], name))
            return true;
    return false;
}

static bool is_zero_word(const struct mh_field *f, const char *text)
{
    return f->zero && !strcmp(text, f->zero);
}

void mh_field_range(const struct mh_field *f, char text[MH_RANGE_MAX])
{
    if (mh_field_is_number(f))
        snprintf(text, MH_RANGE_MAX, "%" PRIu64 "..%" PRIu64 "%s%s", f->min, f->max, f->zero ? " or " : "",
                 f->zero ? f->zero : "");
    else
        snprintf(text, MH_RANGE_MAX, "%s", f->type == MH_FIELD_TEXT ? "text" : f->words + strspn(f->words, ", "));
}

static void allowed(const struct mh_field *f, char *text, size_t size)
{
    if (f->min == f->max)
        snprintf(text, size, "only %" PRIu64 "%s%s is allowed", f->min, *f->unit ? " " : "", f->unit);
    else
        snprintf(text, size, "allowed: %" PRIu64 "..%" PRIu64 "%s%s%s%s", f->min, f->max, *f->unit ? " " : "", f->unit,
                 f->zero ? ", or " : "", f->zero ? f->zero : "");
}

static int fail_value(const struct mh_field *f, const char *key, const char *text, const char *what, const char *where,
                      struct mh_error *err)
{
    char range[160];

    allowed(f, range, sizeof range);
    return mh_fail(err, "%s%s: %.60s %s; %s (%s)", where, key, *text ? text : "''", what, range, f->doc);
}

static int check_number(const struct mh_field *f, uint64_t v, const char *key, const char *where, struct mh_error *err)
{
    char text[24];

    if (v >= f->min && v <= f->max)
        return 0;
    snprintf(text, sizeof text, "%" PRIu64, v);
    return fail_value(f, key, text, !v && f->zero_number ? f->zero_number : "is out of range", where, err);
}

/* Decimal or 0x. strtoull() alone would take signs and blanks, too. `rest` is what follows. */
static bool number_of(const char *text, uint64_t *v, const char **rest)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;

    *rest = digits + strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
    errno = 0;
    *v = strtoull(digits, NULL, hex ? 16 : 10);
    return *rest != digits && errno == 0;
}

static bool is_clock(const struct mh_field *f)
{
    return !strcmp(f->unit, "Hz");
}

/* Clocks may be written as 25M: thousands, millions, thousands of millions. */
static bool scale(const struct mh_field *f, const char *suffix, uint64_t *v)
{
    static const char letters[] = "kMG";
    const char *letter = *suffix ? strchr(letters, *suffix) : NULL;
    uint64_t times = 1;

    if (!*suffix)
        return true;
    if (!is_clock(f) || !letter || suffix[1])
        return false;
    for (const char *l = letters; l <= letter; l++)
        times *= 1000;
    return !__builtin_mul_overflow(*v, times, v);
}

static bool value_from(const struct mh_field *f, const char *text, uint64_t *v)
{
    const char *rest;

    return number_of(text, v, &rest) && scale(f, rest, v);
}

static int parse_text(const struct mh_field *f, void *base, const char *key, const char *text, const char *where,
                      struct mh_error *err)
{
    if (strlen(text) >= f->size)
        return mh_fail(err, "%s%s: text of %zu bytes; at most %zu are allowed", where, key, strlen(text), f->size - 1);
    for (const char *c = text; *c; c++) /* a file's name may have lines, but it is shown to people */
        if (((unsigned char)*c < ' ' && !strchr("\n\t", *c)) || *c == 0x7f)
            return mh_fail(err, "%s%s: a text with a control character (0x%02x) in it", where, key, (unsigned)*c);
    const char *broken = mh_utf8_broken(text);

    if (broken)
        return mh_fail(err, "%s%s: %.300s: byte 0x%02x is not UTF-8; of a file, give it another name", where, key, text,
                       (unsigned)(unsigned char)*broken);
    /* Nothing of a longer text of before stays behind the new one: equal configurations are equal bytes. */
    memset((char *)base + f->offset, 0, f->size);
    memcpy((char *)base + f->offset, text, strlen(text));
    return 0;
}

/* Word `index`; NULL: there are fewer. */
static const char *word_at(const struct mh_field *f, uint64_t index, int *length)
{
    const char *word = f->words;

    for (; index && *word; index--) {
        word += strcspn(word, ",");
        word += *word ? strlen(", ") : 0;
    }
    *length = (int)strcspn(word, ",");
    return !*word ? NULL : word;
}

static int parse_word(const struct mh_field *f, void *base, const char *key, const char *text, const char *where,
                      struct mh_error *err)
{
    const char *word;
    int length;

    for (uint32_t i = 0; (word = word_at(f, i, &length)); i++)
        if (strlen(text) == (size_t)length && !strncmp(text, word, (size_t)length)) {
            memcpy((char *)base + f->offset, &i, sizeof i);
            return 0;
        }
    return mh_fail(err, "%s%s: there is no '%.60s'; allowed: %s", where, key, text, f->words + strspn(f->words, ", "));
}

int mh_field_parse(const struct mh_field *f, void *base, const char *key, const char *text, const char *where,
                   struct mh_error *err)
{
    uint64_t v = 0;

    if (f->type == MH_FIELD_TEXT)
        return parse_text(f, base, key, text, where, err);
    if (f->type == MH_FIELD_WORD)
        return parse_word(f, base, key, text, where, err);
    bool word = is_zero_word(f, text);

    if (!word && !value_from(f, text, &v))
        return fail_value(f, key, text,
                          is_clock(f) ? "is no clock in Hz, such as 25000000, 25M or 2G"
                                      : "is not a whole number that fits 64 bits",
                          where, err);
    if (!word && check_number(f, v, key, where, err))
        return -1;
    if (f->type == MH_FIELD_U32)
        memcpy((char *)base + f->offset, &(uint32_t){(uint32_t)v}, sizeof(uint32_t));
    else
        memcpy((char *)base + f->offset, &v, sizeof v);
    return 0;
}

static uint64_t value_of(const struct mh_field *f, const void *base)
{
    uint32_t small;
    uint64_t big;
    const char *at = (const char *)base + f->offset;

    if (f->type != MH_FIELD_U64)
        return memcpy(&small, at, sizeof small), small;
    return memcpy(&big, at, sizeof big), big;
}

int mh_field_check(const struct mh_field *f, const void *base, const char *key, const char *where, struct mh_error *err)
{
    int length;

    if (f->type == MH_FIELD_WORD)
        return word_at(f, value_of(f, base), &length) ? 0 : mh_fail(err, "%s%s: not one of %s", where, key, f->words);
    if (f->type != MH_FIELD_TEXT)
        return f->zero && !value_of(f, base) ? 0 : check_number(f, value_of(f, base), key, where, err);
    if (!memchr((const char *)base + f->offset, 0, f->size))
        return mh_fail(err, "%s%s: text without an end", where, key);
    return 0;
}

void mh_field_print(const struct mh_field *f, const void *base, char text[MH_VALUE_MAX])
{
    const char *word;
    int length = 0;

    if (f->type == MH_FIELD_TEXT)
        snprintf(text, MH_VALUE_MAX, "%s", (const char *)base + f->offset);
    else if (f->type == MH_FIELD_WORD) {
        word = word_at(f, value_of(f, base), &length);
        snprintf(text, MH_VALUE_MAX, "%.*s", length, word ? word : "");
    } else if (f->zero && !value_of(f, base))
        snprintf(text, MH_VALUE_MAX, "%s", f->zero);
    else
        snprintf(text, MH_VALUE_MAX, "%" PRIu64, value_of(f, base));
}

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;

    return m < c ? m : c;
}

/* Levenshtein distance; long inputs are far from everything. */
static size_t distance(const char *a, const char *b)
{
    size_t row[MH_KEY_MAX], m = strlen(a), n = strlen(b);

    if (m >= MH_KEY_MAX || n >= MH_KEY_MAX)
        return MH_KEY_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];

        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t next = min3(row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));

            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[n];
}

/* The field whose full or last name is nearest; NULL when nothing is near: a third of the name and one letter may
 * differ. Of equally near ones that of the section counts. */
static const struct mh_field *nearest(const struct mh_field_table *table, const char *section, const char *name)
{
    const struct mh_field *best = NULL;
    size_t limit = strlen(name) / 3 + 2;

    for (size_t i = 0; i < table->count; i++) {
        const char *full = table->field[i].name, *last = strrchr(full, '.');
        size_t d = distance(name, last ? last + 1 : full), whole = distance(name, full);

        d = whole < d ? whole : d;
        d += !in_section(&table->field[i], section);
        if (d < limit) {
            best = &table->field[i];
            limit = d;
        }
    }
    return best;
}

/* Appends " name" unless it was the last one appended. */
static void list_name(char *list, size_t size, const char *name, size_t length)
{
    size_t at = strlen(list), back = at - length;

    if (at > length && list[back - 1] == ' ' && !strncmp(list + back, name, length))
        return;
    snprintf(list + at, size - at, " %.*s", (int)length, name);
}

int mh_field_unknown(const struct mh_field_table *table, const char *section, const char *name, const char *where,
                     struct mh_error *err)
{
    char list[512] = "", hint[MH_KEY_MAX + 32] = "";
    const struct mh_field *near = nearest(table, section, name);
    bool top = !*section;

    if (top && table == &mh_config_fields)
        list_name(list, sizeof list, "base", strlen("base"));
    for (size_t i = 0; i < table->count; i++) {
        const char *full = table->field[i].name;
        size_t skip = top ? 0 : strlen(section) + 1;

        if (top || in_section(&table->field[i], section))
            list_name(list, sizeof list, full + skip, strcspn(full + skip, "."));
    }
    if (top && table == &mh_config_fields)
        list_name(list, sizeof list, "tenants", strlen("tenants"));
    if (top && strchr(name, '.') && mh_field_find(table, name))
        snprintf(hint, sizeof hint, "; write `%.*s: {%s: ..}`", (int)section_length(name), name,
                 name + section_length(name) + 1);
    else if (near)
        snprintf(hint, sizeof hint, "; nearest: %s", near->name);
    return mh_fail(err, "%sunknown key '%.60s'%s%s%s; allowed:%s", where, name, top ? "" : " in ", section, hint, list);
}
