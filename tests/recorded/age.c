#include "recorded/age.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mcu/image.h"
#include "base/json.h"
#include "base/provenance.h"

static json_t *load(const char *path, struct mh_error *err)
{
    json_error_t why;
    json_t *o = json_load_file(path, 0, &why);
    if (!o)
        (void)mh_fail(err, "%s:%d: %s", path, why.line, why.text);
    return o;
}

static const char *made_of(const json_t *made_by, const char *name)
{
    const char *text = json_string_value(json_object_get(made_by, name));
    return text ? text : "";
}

/* What records it again. */
static const char *command_of(const char *path)
{
    if (strstr(path, "latency/results"))
        return "make latency";
    return strstr(path, "assumptions/results") ? "make assumptions" : "make results";
}

static void say_old(const char *path, const char *what, const char *was, const char *is, const char *commit, FILE *out)
{
    fprintf(out, "%s: older than the %s (made by commit %.7s with %.12s, this is %.12s): %s\n", path, what, commit, was,
            is, command_of(path));
}

/* Of the images that are built; an ELF file's hash is of what the mcu loads. */
static void say_images(const char *path, const json_t *o, const char *commit, FILE *out)
{
    const char *file;
    json_t *hash;
    json_object_foreach(json_object_get(o, "images"), file, hash)
    {
        char name[64];
        struct image image;
        struct mh_error unused;
        const char *dot = strstr(file, ".elf"), *was = json_string_value(hash);
        if (!was || !dot || dot[4])
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(dot - file), file);
        if (image_open(&image, name, false, &unused))
            continue;
        if (strcmp(was, image.sha256))
            say_old(path, file, was, image.sha256, commit, out);
        image_close(&image);
    }
}

int age_say(const char *path, FILE *out, struct mh_error *err)
{
    json_t *o = load(path, err);
    if (!o)
        return -1;
    const json_t *made_by = json_object_get(o, "made_by");
    const char *model = made_of(made_by, "model"), *machine = made_of(made_by, "machine");
    const char *commit = made_of(made_by, "commit");
    if (!made_by)
        fprintf(out, "%s: older than the model (it does not say what made it): %s\n", path, command_of(path));
    else if (strcmp(model, provenance_model()))
        say_old(path, "model", model, provenance_model(), commit, out);
    else if (strcmp(machine, provenance_machine()))
        say_old(path, "machine", machine, provenance_machine(), commit, out);
    say_images(path, o, commit, out);
    json_decref(o);
    return 0;
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

int age_same(const char *path, struct mh_error *err)
{
    char markdown[HOST_PATH];
    size_t length;
    if (path_join(markdown, path, "", err))
        return -1;
    char *dot = strrchr(markdown, '.');
    strcpy(dot && strlen(dot) >= 3 ? dot : markdown, ".md");
    if (access(markdown, R_OK))
        return 0;
    json_t *o = load(path, err);
    char *text = o ? read_file(markdown, &length, err) : NULL;
    int status = text ? compare(markdown, json_object_get(o, "made_by"), text, err) : -1;
    json_decref(o);
    free(text);
    return status;
}
