#include "recorded/recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/hash.h"

json_t *recording_read(const char *folder, const char *name, struct mh_error *err)
{
    char path[HOST_PATH];

    snprintf(path, sizeof path, "host/%s/results/%s.json.zst", folder, name);
    return json_read(path, err);
}

/* The line of the Markdown that says what made it, without its end; NULL when there is none. */
static char *made_line(char *text)
{
    char *line = strncmp(text, "Made by ", 8) ? strstr(text, "\nMade by ") : text;

    if (!line)
        return NULL;
    line += *line == '\n';
    line[strcspn(line, "\n")] = 0;
    return line;
}

static int compare(const char *path, const json_t *made_by, char *text, struct mh_error *err)
{
    char words[PROVENANCE_TEXT];
    const char *line = made_line(text);

    provenance_words(made_by, words);
    if (!made_by && line)
        return mh_fail(err, "%s: \"%.120s\", but the JSON beside it does not say what made it", path, line);
    if (made_by && (!line || strcmp(line, words)))
        return mh_fail(err, "%s: \"%.120s\", but the JSON beside it says \"%s\"", path, line ? line : "", words);
    return 0;
}

int recording_same(const char *path, struct mh_error *err)
{
    char markdown[HOST_PATH];
    size_t length;

    if (path_join(markdown, path, "", err))
        return -1;
    char *suffix = strstr(markdown, ".json");
    strcpy(suffix ? suffix : markdown, ".md");
    if (access(markdown, R_OK))
        return 0;
    json_t *o = json_read(path, err);
    char *text = o ? read_file(markdown, &length, err) : NULL;
    int status = text ? compare(markdown, json_object_get(o, "made_by"), text, err) : -1;
    json_decref(o);
    free(text);
    return status;
}
