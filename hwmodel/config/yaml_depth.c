#include "memhelm/yaml_depth.h"

#include <stdbool.h>
#include <yaml.h>

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
