#include "nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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
