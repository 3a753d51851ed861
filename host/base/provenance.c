#include "provenance.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "hash.h"
#include "hashes.h"
#include "json.h"

static const char *built_from = "unknown";

const char *provenance_model(void)
{
    return MODEL_HASH;
}

/* A file that cannot be read has no say here: a run that needs it says so. */
static void add_given(struct hash *h, const char *variable)
{
    char digits[HASH_TEXT];
    struct mh_error unused;
    const char *path = getenv(variable);
    if (path && *path && !hash_file(path, digits, &unused))
        hash_add(h, digits, sizeof digits);
}

/* Not there in a build without QEMU. */
static void add_version(struct hash *h)
{
    char path[HOST_PATH], line[128];
    if (!path_join(path, exe_dir(), "qemu.version", NULL) && last_line(path, "", line, sizeof line))
        hash_add(h, line, strlen(line));
}

const char *provenance_machine(void)
{
    static char text[HASH_TEXT]; /* computed once per process */
    if (*text)
        return text;
    struct hash *h = hash_begin();
    hash_add(h, MACHINE_HASH, strlen(MACHINE_HASH));
    add_version(h);
    add_given(h, "MEMHELM_QEMU");
    add_given(h, "MEMHELM_CORE_PLUGIN");
    hash_end(h, text);
    return text;
}

const char *provenance_commit(void)
{
    return built_from;
}

void provenance_set_commit(const char *commit)
{
    built_from = commit;
}

json_t *provenance_json(void)
{
    json_t *o = json_object();
    json_put(o, "commit", json_string(provenance_commit()));
    json_put(o, "model", json_string(provenance_model()));
    json_put(o, "machine", json_string(provenance_machine()));
    return o;
}

static const char *member(const json_t *made_by, const char *name)
{
    const char *text = json_string_value(json_object_get(made_by, name));
    return text ? text : "unknown";
}

void provenance_words(const json_t *made_by, char text[PROVENANCE_TEXT])
{
    const char *commit = member(made_by, "commit"), *dirty = strchr(commit, '-');
    snprintf(text, PROVENANCE_TEXT, "Made by commit %.7s%.6s (model %.12s, machine %.12s), images in the JSON.", commit,
             dirty ? dirty : "", member(made_by, "model"), member(made_by, "machine"));
}

void provenance_say(FILE *out)
{
    char text[PROVENANCE_TEXT];
    json_t *made_by = provenance_json();
    provenance_words(made_by, text);
    fprintf(out, "%s\n\n", text);
    json_decref(made_by);
}
