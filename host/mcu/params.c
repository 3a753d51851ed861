#define _GNU_SOURCE
#include "image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

#define MARK       "memhelm-param "
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyz0123456789_."

static bool take_number(const char **at, uint32_t *value)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(*at, &end, 0);
    bool good = end != *at && *end == ' ' && !errno && n <= UINT32_MAX;
    *value = (uint32_t)n;
    *at = end + good;
    return good;
}

/* "NAME DEFAULT LEAST MOST TEXT"; the first '_' of the name is a dot. */
static bool read_row(struct param *p, const char *row)
{
    size_t n = strspn(row, NAME_CHARS);
    if (!n || n >= PARAM_NAME || row[n] != ' ')
        return false;
    snprintf(p->name, sizeof p->name, "%.*s", (int)n, row);
    char *dot = strchr(p->name, '_');
    if (dot)
        *dot = '.';
    row += n + 1;
    if (!take_number(&row, &p->standard) || !take_number(&row, &p->least) || !take_number(&row, &p->most))
        return false;
    snprintf(p->text, sizeof p->text, "%s", row);
    return p->least <= p->standard && p->standard <= p->most;
}

void params_find(struct params *p, const char *data, size_t length)
{
    const char *end = data + length, *at = data;
    p->count = 0;
    while (p->count < PARAMS_MOST && (at = memmem(at, (size_t)(end - at), MARK, strlen(MARK)))) {
        at += strlen(MARK);
        if (memchr(at, 0, (size_t)(end - at)) && read_row(&p->list[p->count], at))
            p->count++;
    }
}

void param_symbol(const char *name, char symbol[PARAM_NAME])
{
    snprintf(symbol, PARAM_NAME, "%s", name);
    char *dot = strchr(symbol, '.');
    if (dot)
        *dot = '_';
}

const char *settings_begin(const char *word)
{
    for (const char *c = strchr(word, ':'); c; c = strchr(c + 1, ':')) {
        size_t n = strspn(c + 1, NAME_CHARS);
        if (n && c[1 + n] == '=')
            return c;
    }
    return word + strlen(word);
}

static int unknown(const char *name, const struct params *p, const char *image, struct mh_error *err)
{
    struct nearest near = nearest_begin(name, "");
    if (!p->count)
        return mh_fail(err, "%s: no parameter '%.40s': the image has none", image, name);
    for (unsigned i = 0; i < p->count; i++)
        nearest_try(&near, p->list[i].name);
    return mh_fail(err, "%s: no parameter '%.40s'%s; there are:%s", image, name, near.text, near.names);
}

static const struct param *find(const struct params *p, const char *name)
{
    for (unsigned i = 0; i < p->count; i++)
        if (!strcmp(p->list[i].name, name))
            return &p->list[i];
    return NULL;
}

/* In the order of names, so that a setting has one spelling. */
static int insert(struct settings *s, const struct setting *one, const char *image, struct mh_error *err)
{
    unsigned at = s->count;
    if (s->count == SETTINGS_MOST)
        return mh_fail(err, "%s: more than %d parameters are set", image, SETTINGS_MOST);
    for (; at > 0 && strcmp(one->name, s->list[at - 1].name) < 0; at--)
        s->list[at] = s->list[at - 1];
    if (at > 0 && !strcmp(one->name, s->list[at - 1].name))
        return mh_fail(err, "%s: parameter %s is set twice", image, one->name);
    s->list[at] = *one;
    s->count++;
    return 0;
}

static int read_one(struct settings *s, const char *text, const struct params *p, const char *image,
                    struct mh_error *err)
{
    struct setting one = {.value = 0};
    size_t n = strspn(text, NAME_CHARS);
    char *end;
    if (text[n] != '=')
        return mh_fail(err, "%s: '%.60s' is no parameter: write NAME=VALUE, and ':' between two", image, text);
    snprintf(one.name, sizeof one.name, "%.*s", (int)n, text);
    const struct param *param = find(p, one.name);
    if (!param)
        return unknown(one.name, p, image, err);
    text += n + 1;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (*text < '0' || *text > '9' || (*end && *end != ':') || errno || value < param->least || value > param->most)
        return mh_fail(err, "%s: %s=%.*s: a number from %" PRIu32 " to %" PRIu32 " (default %" PRIu32 "); %s", image,
                       one.name, (int)strcspn(text, ":"), text, param->least, param->most, param->standard,
                       param->text);
    one.value = (uint32_t)value;
    one.standard = param->standard;
    return insert(s, &one, image, err);
}

int settings_read(struct settings *s, const char *text, const struct params *p, const char *image, struct mh_error *err)
{
    s->count = 0;
    for (; *text; text += 1 + strcspn(text + 1, ":"))
        if (read_one(s, text + 1, p, image, err))
            return -1;
    return 0;
}

bool is_param_set(const char *assignment)
{
    return !strncmp(assignment, PARAM_KEY, strlen(PARAM_KEY));
}

int settings_word(char *word, size_t size, const char *image, const char *const sets[], unsigned count,
                  struct mh_error *err)
{
    bool fits = (size_t)snprintf(word, size, "%s", image) < size;
    for (unsigned i = 0; i < count; i++)
        if (is_param_set(sets[i]))
            fits &= text_add(word, size, "", ":%s", sets[i] + strlen(PARAM_KEY));
    return fits ? 0 : mh_fail(err, "%.60s..: too long with its parameters", image);
}
