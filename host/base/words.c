#include "words.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "memory.h"

void words_add_part(struct words *w, const char *text, size_t length)
{
    w->text = grow(w->text, w->count, &w->room, sizeof *w->text);
    w->text[w->count++] = must(strndup(text, length));
}

void words_add(struct words *w, const char *text)
{
    words_add_part(w, text, strlen(text));
}

void words_split(struct words *w, const char *text)
{
    for (size_t length;; text += length + 1) {
        length = strcspn(text, ",");
        size_t used = length;
        const char *from = text;
        for (; used && *from == ' '; used--)
            from++;
        while (used && from[used - 1] == ' ')
            used--;
        words_add_part(w, from, used);
        if (!text[length])
            return;
    }
}

bool words_have(const struct words *w, const char *text)
{
    for (unsigned i = 0; i < w->count; i++)
        if (!strcmp(w->text[i], text))
            return true;
    return false;
}

void words_unique(struct words *w)
{
    struct words kept = {.text = w->text};
    for (unsigned i = 0; i < w->count; i++)
        if (words_have(&kept, w->text[i]))
            free(w->text[i]);
        else
            kept.text[kept.count++] = w->text[i];
    w->count = kept.count;
}

void words_free(struct words *w)
{
    for (unsigned i = 0; i < w->count; i++)
        free(w->text[i]);
    free(w->text);
    *w = (struct words){0};
}

bool text_add(char *text, size_t size, const char *between, const char *format, ...)
{
    va_list args;
    size_t used = strlen(text);
    if (used)
        used += (size_t)snprintf(text + used, size - used, "%s", between);
    if (used >= size)
        return false;
    va_start(args, format);
    const int more = vsnprintf(text + used, size - used, format, args);
    va_end(args);
    return (size_t)more < size - used;
}

struct memo *memo_of(struct memo **list, const char *key)
{
    struct memo *m = *list;
    while (m && strcmp(m->key, key) != 0)
        m = m->next;
    if (m)
        return m;
    m = must_have(1, sizeof *m);
    *m = (struct memo){*list, must(strdup(key)), NULL};
    return *list = m;
}

bool patterns_fit(const char *patterns, const char *name)
{
    char one[64];
    for (const char *at = patterns; *(at += strspn(at, " "));) {
        size_t n = strcspn(at, " ");
        if (n < sizeof one) {
            memcpy(one, at, n);
            one[n] = 0;
            if (!fnmatch(one, name, 0))
                return true;
        }
        at += n;
    }
    return false;
}

void patterns_quote(char *out, size_t size, const char *text)
{
    for (; *text && size > 2; text++, size--) {
        if (strchr("*?[]{},\\", *text)) {
            *out++ = '\\';
            size--;
        }
        *out++ = *text;
    }
    *out = 0;
}

int seeds_parse(const char *text, unsigned *first, unsigned *last, struct mh_error *err)
{
    char *end;
    const unsigned long from = strtoul(text, &end, 10);
    unsigned long to = from;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        to = strtoul(end + 1, &end, 10);
    if (*text < '0' || *text > '9' || *end || to < from)
        return mh_fail(err, "'%.40s'; write one such as 1, or a range such as 1-5", text);
    if (to > SEEDS_GREATEST)
        return mh_fail(err, "'%.40s'; the greatest seed is %d", text, SEEDS_GREATEST);
    if (to - from >= SEEDS_MOST)
        return mh_fail(err, "'%.40s' are %lu; at most %d are allowed", text, to - from + 1, SEEDS_MOST);
    *first = (unsigned)from;
    *last = (unsigned)to;
    return 0;
}

void seeds_words(unsigned first, unsigned count, char text[SEEDS_TEXT])
{
    snprintf(text, SEEDS_TEXT, count > 1 ? "seeds %u-%u" : "seed %u", first, first + count - 1);
}

enum { LETTERS = NEAREST_TEXT - 16 /* longer ones are near to nothing */, PREFIX_LEAST = 3 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool same(const char *a, const char *b)
{
    return !strncasecmp(a, b, 1);
}

/* Letters left out, put in, another, or two that changed places. m and n are less than LETTERS. */
static size_t distance(const char *a, size_t m, const char *b, size_t n)
{
    unsigned char d[LETTERS][LETTERS];
    for (size_t i = 0; i <= m; i++)
        d[i][0] = (unsigned char)i;
    for (size_t j = 0; j <= n; j++)
        d[0][j] = (unsigned char)j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            size_t other = d[i - 1][j - 1] + !same(a + i - 1, b + j - 1);
            size_t best = least(least(d[i - 1][j], d[i][j - 1]) + 1u, other);
            if (i > 1 && j > 1 && same(a + i - 1, b + j - 2) && same(a + i - 2, b + j - 1))
                best = least(best, d[i - 2][j - 2] + 1u);
            d[i][j] = (unsigned char)best;
        }
    return d[m][n];
}

static size_t most(const struct nearest *n)
{
    return (n->length + 1) / 3;
}

struct nearest nearest_begin(const char *word, const char *ends)
{
    return (struct nearest){.word = word, .length = strcspn(word, ends), .distance = SIZE_MAX};
}

static void try_letters(struct nearest *n, const char *name, size_t length)
{
    if (n->length >= LETTERS || length >= LETTERS)
        return;
    size_t d = distance(n->word, n->length, name, length);
    bool goes_on = n->length >= PREFIX_LEAST && length > n->length && !strncasecmp(n->word, name, n->length);
    if (d > most(n))
        d = goes_on ? most(n) + 1 : SIZE_MAX;
    if (d >= n->distance)
        return;
    n->distance = d;
    snprintf(n->text, sizeof n->text, "; nearest: %.*s", (int)length, name);
}

void nearest_try(struct nearest *n, const char *name)
{
    try_letters(n, name, strlen(name));
    text_add(n->names, sizeof n->names, "", " %s", name);
}

struct nearest nearest_name(const char *word, const char *const *names)
{
    struct nearest n = nearest_begin(word, "");
    for (; *names; names++)
        nearest_try(&n, *names);
    return n;
}

struct nearest nearest_word(const char *word, const char *words)
{
    struct nearest n = nearest_begin(word, "");
    for (size_t length; *words; words += length) {
        words += strspn(words, " ,");
        length = strcspn(words, " ,");
        if (length)
            try_letters(&n, words, length);
    }
    return n;
}
