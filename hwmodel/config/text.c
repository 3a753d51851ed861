#include "memhelm/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

static size_t length_by_first(unsigned char first)
{
    return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

size_t mh_utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = length_by_first(*c);
    uint32_t code = length > 1 ? *c & (0x7fu >> length) : 0;

    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3f);
    }
    /* Written longer than need be; half of a pair of UTF-16; behind the last. */
    bool wrong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) || code >> 11 == 0xd800 >> 11 ||
                 code > 0x10ffff;

    return wrong ? 0 : length;
}

const char *mh_utf8_broken(const char *text)
{
    for (size_t n; *text; text += n) {
        n = mh_utf8_length(text);
        if (!n)
            return text;
    }
    return NULL;
}

/* How much deeper it is behind such an event. */
static int step(yaml_event_type_t type)
{
    return (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) -
           (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT);
}

/* The line in which it gets too deep, from 1; 0: nowhere. */
static size_t too_deep(yaml_parser_t *parser)
{
    yaml_event_t event;
    int depth = 0;
    size_t line = 0;

    for (bool more = true; more && !line && yaml_parser_parse(parser, &event);) {
        depth += step(event.type);
        line = depth > MH_YAML_DEPTH ? event.start_mark.line + 1 : 0;
        more = event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    return line;
}

int mh_yaml_depth(const char *text, size_t length, const char *name, struct mh_error *err)
{
    yaml_parser_t parser;

    if (!yaml_parser_initialize(&parser))
        return mh_fail(err, "%s: out of memory", name);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    size_t line = too_deep(&parser);

    yaml_parser_delete(&parser);
    if (!line)
        return 0;
    return mh_fail(err, "%s:%zu: lists and mappings in each other, more than %d deep: close some", name, line,
                   MH_YAML_DEPTH);
}
