#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "grow.h"

int words_add(struct words *w, const char *text, size_t length)
{
    char **more = grow(w->text, w->count, &w->room, sizeof *more), *copy = strndup(text, length);
    w->text = more ? more : w->text;
    if (!more || !copy) {
        free(copy);
        return -1;
    }
    w->text[w->count++] = copy;
    return 0;
}

int words_split(struct words *w, const char *text)
{
    for (;;) {
        size_t length = strcspn(text, ","), used = length;
        const char *from = text;
        for (; used && *from == ' '; used--)
            from++;
        while (used && from[used - 1] == ' ')
            used--;
        if (words_add(w, from, used))
            return -1;
        if (!text[length])
            return 0;
        text += length + 1;
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
