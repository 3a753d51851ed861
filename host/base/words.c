#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fnmatch.h>

#include "memory.h"

void words_add_part(struct words *w, const char *text, size_t length)
{
    w->text = must(grow(w->text, w->count, &w->room, sizeof *w->text));
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
