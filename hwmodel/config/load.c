/*
 * YAML to struct mh_config. libyaml's document tree keeps the mark of every node, so each error has its line. libcyaml
 * 1.3.1 names a wrong line for an unknown key (tried); a pass that mends this has all in hand that a schema checks.
 */
#include <string.h>
#include <yaml.h>

#include "config/internal.h"
#include "memhelm/config_file.h"

enum { WHERE_MAX = MH_PATH_MAX + 32 };

struct loader {
    yaml_document_t doc;
    const struct mh_load *load;
    struct mh_config *cfg;
    struct mh_error *err;
};

/* "FILE:LINE: " of a node; valid until the next call. */
static const char *where(const struct loader *l, const yaml_node_t *n)
{
    static char text[WHERE_MAX];

    snprintf(text, sizeof text, "%s:%zu: ", l->load->file->file, n->start_mark.line + 1);
    return text;
}

static yaml_node_t *node_of(struct loader *l, int index)
{
    return yaml_document_get_node(&l->doc, index);
}

static const char *text_of(const yaml_node_t *n)
{
    return (const char *)n->data.scalar.value;
}

static bool is_text(const yaml_node_t *n)
{
    return n->type == YAML_SCALAR_NODE && !memchr(n->data.scalar.value, 0, n->data.scalar.length);
}

static int load_value(struct loader *l, const struct mh_field *f, void *base, const char *key, const yaml_node_t *v)
{
    if (!is_text(v))
        return mh_fail(l->err, "%s%s takes one value, not a list or mapping (%s)", where(l, v), key, f->doc);
    if (mh_field_is_number(f) && v->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
        return mh_fail(l->err, "%s%s is a number: write %.60s without quotes", where(l, v), key, text_of(v));
    return mh_field_parse(f, base, key, text_of(v), where(l, v), l->err);
}

/* The pair's key must be text and new among the pairs before it. */
static int check_key(struct loader *l, const yaml_node_t *map, const yaml_node_pair_t *pair, const char *section)
{
    const yaml_node_t *key = node_of(l, pair->key);

    if (!is_text(key))
        return mh_fail(l->err, "%sa key must be plain text", where(l, key));
    if (strlen(text_of(key)) >= MH_KEY_MAX / 2)
        return mh_fail(l->err, "%sunknown key '%.60s..': no key is that long", where(l, key), text_of(key));
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < pair; p++) {
        const yaml_node_t *earlier = node_of(l, p->key);

        if (!strcmp(text_of(earlier), text_of(key)))
            return mh_fail(l->err, "%skey '%s'%s%s is given twice; first in line %zu: remove one", where(l, key),
                           text_of(key), *section ? " of " : "", section, earlier->start_mark.line + 1);
    }
    return 0;
}

static int load_tenant(struct loader *l, const yaml_node_t *map, uint32_t index)
{
    struct mh_tenant_cfg *t = &l->cfg->tenants[index];
    char section[MH_KEY_MAX], key[2 * MH_KEY_MAX];

    snprintf(section, sizeof section, "tenants[%u]", index);
    if (map->type != YAML_MAPPING_NODE)
        return mh_fail(l->err, "%s%s takes a mapping such as {kernel: MVT}", where(l, map), section);
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
        const yaml_node_t *name = node_of(l, p->key);

        if (check_key(l, map, p, section))
            return -1;
        const struct mh_field *f = mh_field_find(&mh_tenant_fields, text_of(name));

        if (!f)
            return mh_field_unknown(&mh_tenant_fields, "", text_of(name), where(l, name), l->err);
        snprintf(key, sizeof key, "%s.%s", section, f->name);
        if (load_value(l, f, t, key, node_of(l, p->value)))
            return -1;
    }
    if (!*t->kernel)
        return mh_fail(l->err, "%s%s has no kernel: a name, or trace:FILE", where(l, map), section);
    return 0;
}

static int load_tenants(struct loader *l, const yaml_node_t *list)
{
    if (list->type != YAML_SEQUENCE_NODE)
        return mh_fail(l->err, "%stenants takes a list, each item such as - {kernel: MVT}", where(l, list));
    memset(l->cfg->tenants, 0, sizeof l->cfg->tenants);
    l->cfg->tenants_count = 0;
    for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
        const yaml_node_t *item = node_of(l, *i);

        if (l->cfg->tenants_count == MH_MAX_TENANTS)
            return mh_fail(l->err, "%smore than %d tenants", where(l, item), MH_MAX_TENANTS);
        if (load_tenant(l, item, l->cfg->tenants_count++))
            return -1;
    }
    return 0;
}

static int load_section(struct loader *l, const yaml_node_t *map, const char *section);

static int load_pair(struct loader *l, const yaml_node_pair_t *p, const char *section)
{
    char full[2 * MH_KEY_MAX];
    const yaml_node_t *key = node_of(l, p->key), *value = node_of(l, p->value);

    snprintf(full, sizeof full, "%s%s%s", section, *section ? "." : "", text_of(key));
    /* `sm.count: 30` is no key: a section's keys stand below it. */
    const struct mh_field *f = strchr(text_of(key), '.') ? NULL : mh_field_find(&mh_config_fields, full);

    if (f && l->load->sources)
        l->load->sources[f - mh_config_fields.field] =
            (struct mh_key_source){l->load->file, (unsigned)key->start_mark.line + 1};
    if (f)
        return load_value(l, f, l->cfg, full, value);
    if (*section == 0 && !strcmp(full, "tenants"))
        return load_tenants(l, value);
    if (*section == 0 && !strcmp(full, "base"))
        return 0; /* came before all keys */
    if (*section || !mh_field_is_section(&mh_config_fields, full))
        return mh_field_unknown(&mh_config_fields, section, text_of(key), where(l, key), l->err);
    if (value->type != YAML_MAPPING_NODE)
        return mh_fail(l->err, "%s%s is a section: its keys come indented below it", where(l, value), full);
    return load_section(l, value, full);
}

static int load_section(struct loader *l, const yaml_node_t *map, const char *section)
{
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++)
        if (check_key(l, map, p, section) || load_pair(l, p, section))
            return -1;
    return 0;
}

/* The value of a key at the top level; NULL when it is not there. */
static const yaml_node_t *find_top(struct loader *l, const yaml_node_t *root, const char *name)
{
    for (const yaml_node_pair_t *p = root->data.mapping.pairs.start; p < root->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = node_of(l, p->key);

        if (is_text(key) && !strcmp(text_of(key), name))
            return node_of(l, p->value);
    }
    return NULL;
}

/* The text of such a value; NULL when it is not there, empty or no text. */
static const yaml_node_t *find_name(struct loader *l, const yaml_node_t *root, const char *name)
{
    const yaml_node_t *value = find_top(l, root, name);

    return value && is_text(value) && *text_of(value) ? value : NULL;
}

/* Was another design chosen before this file? Its keys and the file's would mix, or the file would undo it unsaid. */
static int check_design(struct loader *l, const yaml_node_t *said, const char *chosen)
{
    const char *design = is_text(said) ? text_of(said) : chosen; /* no text: an error later */

    if (!*chosen || !strcmp(design, chosen))
        return 0;
    return mh_fail(l->err, "%sdesign '%.60s', but --design %s: leave out one of them", where(l, said), design, chosen);
}

/*
 * `preset` and then `design` come before all other keys, wherever they stand. A file that has a preset and says nothing
 * of a design has the one that was chosen before it.
 */
static int load_gpu(struct loader *l, const yaml_node_t *root)
{
    const yaml_node_t *preset = find_name(l, root, "preset"), *design = find_name(l, root, "design");
    const yaml_node_t *said = find_top(l, root, "design");
    char chosen[MH_NAME_MAX];
    struct mh_error why; /* a list of names at most */

    memcpy(chosen, l->cfg->design, sizeof chosen);
    if (said && check_design(l, said, chosen))
        return -1;
    if (preset && mh_config_preset(l->cfg, text_of(preset), &why))
        return mh_fail(l->err, "%s%.400s", where(l, preset), why.text);
    if (preset && !said && *chosen && mh_config_design(l->cfg, chosen, &why))
        return mh_fail(l->err, "%s%.400s", where(l, preset), why.text);
    if (design && mh_config_design(l->cfg, text_of(design), &why))
        return mh_fail(l->err, "%s%.400s", where(l, design), why.text);
    return 0;
}

/* The files from `p` to the one that is read: each is the base of the one before it. */
static void list_circle(const struct mh_load *load, const struct mh_preset *p, char *list, size_t size)
{
    if (load->file != p)
        list_circle(load->by, p, list, size);
    snprintf(list + strlen(list), size - strlen(list), "%s -> ", load->file->name);
}

static bool is_read(const struct mh_load *load, const struct mh_preset *p)
{
    return load && (load->file == p || is_read(load->by, p));
}

static int load_base(struct loader *l, const yaml_node_t *name)
{
    const struct mh_preset_set *set = l->load->bases;
    const struct mh_preset *p = NULL;
    char circle[256] = "";

    if (!is_text(name))
        return mh_fail(l->err, "%sbase takes a name, or a list of names: base: mask", where(l, name));
    while (set && !(p = mh_preset_find(set, text_of(name))))
        set = set->more;
    if (!p)
        return mh_load_unknown(where(l, name), l->load->bases, true, text_of(name), l->err);
    if (is_read(l->load, p)) {
        list_circle(l->load, p, circle, sizeof circle);
        return mh_fail(l->err, "%sbase '%s' closes a circle: %s%s", where(l, name), p->name, circle, p->name);
    }
    return mh_load(l->cfg, &(struct mh_load){p, set, l->load->sources, l->load}, l->err);
}

/* A later base counts for more than an earlier one, and the file's own keys for more than both. */
static int load_bases(struct loader *l, const yaml_node_t *root)
{
    const yaml_node_t *base = find_top(l, root, "base");

    if (!base)
        return 0;
    if (base->type != YAML_SEQUENCE_NODE)
        return load_base(l, base);
    for (const yaml_node_item_t *i = base->data.sequence.items.start; i < base->data.sequence.items.top; i++)
        if (load_base(l, node_of(l, *i)))
            return -1;
    return 0;
}

static int load_document(struct loader *l)
{
    const yaml_node_t *root = yaml_document_get_root_node(&l->doc);

    if (!root)
        return 0;
    if (root->type != YAML_MAPPING_NODE)
        return mh_fail(l->err, "%sa configuration is a mapping of keys, such as `sm: {count: 30}`", where(l, root));
    return load_gpu(l, root) || load_bases(l, root) || load_section(l, root, "") ? -1 : 0;
}

static int fail_syntax(const yaml_parser_t *parser, const char *name, struct mh_error *err)
{
    const char *context = parser->context ? parser->context : "";
    const char *problem = parser->problem ? parser->problem : "out of memory";

    return mh_fail(err, "%s:%zu: not YAML: %s%s%s", name, parser->problem_mark.line + 1, context, *context ? ": " : "",
                   problem);
}

/* A second document in the stream would be dropped silently. */
static int check_last(yaml_parser_t *parser, const char *name, struct mh_error *err)
{
    yaml_document_t next;

    if (!yaml_parser_load(parser, &next))
        return fail_syntax(parser, name, err);
    const yaml_node_t *root = yaml_document_get_root_node(&next);
    size_t line = root ? root->start_mark.line + 1 : 0;

    yaml_document_delete(&next);
    return line ? mh_fail(err, "%s:%zu: a second YAML document; one is allowed", name, line) : 0;
}

int mh_load(struct mh_config *cfg, const struct mh_load *load, struct mh_error *err)
{
    const struct mh_preset *file = load->file;
    struct mh_config work;
    struct loader l = {.load = load, .cfg = &work, .err = err};
    yaml_parser_t parser;
    int status;

    memcpy(&work, cfg, sizeof work); /* a file that is refused changes nothing */
    if (!yaml_parser_initialize(&parser))
        return mh_fail(err, "%s: out of memory", file->file);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)file->text, (size_t)(file->end - file->text));
    if (yaml_parser_load(&parser, &l.doc)) {
        bool empty = !yaml_document_get_root_node(&l.doc);

        status = load_document(&l);
        yaml_document_delete(&l.doc);
        if (!status && !empty)
            status = check_last(&parser, file->file, err);
    } else {
        status = fail_syntax(&parser, file->file, err);
    }
    yaml_parser_delete(&parser);
    if (!status)
        memcpy(cfg, &work, sizeof work);
    return status;
}
