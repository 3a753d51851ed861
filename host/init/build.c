#define _GNU_SOURCE
#include "build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "mcu/images.h"
#include "run/run_dir.h"

#define SUFFIX ".elf"

/* The image and its map: in this folder, unless it is told. */
struct target {
    char elf[HOST_PATH], map[HOST_PATH], name[SOURCE_NAME];
};

static int name_target(struct target *t, const struct build_request *q, struct mh_error *err)
{
    char stem[HOST_PATH - 8], file[HOST_PATH], *whole = realpath(q->sources.text[0], NULL);

    file_stem(whole ? whole : q->sources.text[0], stem, sizeof stem);
    free(whole);
    snprintf(file, sizeof file, "%s" SUFFIX, stem);
    if (q->out ? path_join(t->elf, q->out, "", err) : path_join(t->elf, ".", file, err))
        return -1;
    size_t length = strlen(t->elf), base = length - strlen(SUFFIX);
    if (length <= strlen(SUFFIX) || strcmp(t->elf + base, SUFFIX))
        return mh_fail(err, "--output %s: the name of an image ends in " SUFFIX, q->out);
    snprintf(t->map, sizeof t->map, "%.*s.map", (int)base, t->elf);
    source_name(t->elf, "_+.-", t->name);
    return check_writable(t->elf, err);
}

/* Their policies, each once, in the order in which they decide. `defaults` are in every image. */
static int find_with(const struct words *images, struct words *policies, struct mh_error *err)
{
    for (unsigned i = 0; i < images->count; i++) {
        const struct image_row *row = image_row(images->text[i]);
        struct nearest near = nearest_begin(images->text[i], "");
        for (const struct image_row *r = image_rows; r->name; r++)
            nearest_try(&near, r->name);
        if (!row)
            return mh_fail(err, "--with: no image '%s'%s; `memhelm list images` shows them", images->text[i],
                           near.text);
        for (const char *at = row->policies; *at; at += strcspn(at, " "), at += strspn(at, " "))
            if (strncmp(at, "defaults ", strlen("defaults ")))
                words_add_part(policies, at, strcspn(at, " "));
    }
    words_unique(policies);
    return 0;
}

static int write_path(const struct rules *r, const char *source, struct mh_error *err)
{
    char name[SOURCE_NAME], file[SOURCE_NAME + 32], path[HOST_PATH];

    source_name(source, "_", name);
    snprintf(file, sizeof file, "obj/policy/%s.path", name);
    return path_join(path, r->out, file, err) || write_file(path, source, strlen(source), err) ? -1 : 0;
}

static int prepare(const struct rules *r, const struct words *files, struct mh_error *err)
{
    char folder[HOST_PATH];

    if (path_join(folder, r->out, "obj/policy", err) || make_dirs(folder, err))
        return -1;
    for (unsigned i = 0; i < files->count; i++)
        if (write_path(r, files->text[i], err))
            return -1;
    return 0;
}

/* The map of a link that failed, too: it says who takes what. */
static int take(const struct rules *r, const struct target *t, const char *suffix, const char *to, struct mh_error *err)
{
    char name[SOURCE_NAME + 8], from[HOST_PATH];

    snprintf(name, sizeof name, "%s%s", t->name, suffix);
    if (path_join(from, r->out, name, err))
        return -1;
    return access(from, R_OK) ? 0 : copy_file(from, to, err);
}

static int make_it(struct rules *r, const struct target *t, const struct words *files, const struct words *with,
                   struct mh_error *err)
{
    struct draft names;

    draft_open(&names);
    for (unsigned i = 0; i < with->count; i++)
        fprintf(names.out, "%s ", with->text[i]);
    char *policies = draft_text(&names);
    int status = rules_find(r, err) || prepare(r, files, err) ? -1 : rules_run(r, t->name, policies, err);
    free(policies);
    if (status >= 0 && (take(r, t, ".map", t->map, err) || take(r, t, SUFFIX, t->elf, err)))
        return -1;
    return status;
}

/* In a folder whose name make can take. */
static int make_apart(const struct target *t, const struct words *files, const struct words *with, struct mh_error *err)
{
    struct rules r;
    const char *tmp = getenv("TMPDIR");

    if (tmp && !rules_take(tmp))
        unsetenv("TMPDIR");
    if (make_run_dir(r.out, NULL, err))
        return -1;
    int status = make_it(&r, t, files, with, err);
    remove_tree(r.out);
    return status;
}

int build_image(const struct build_request *q, struct mh_error *err)
{
    struct words files = {0}, with = {0};
    struct target t;
    bool good = !sources_find(&files, &q->sources, err) && !name_target(&t, q, err) && !find_with(&q->with, &with, err);
    int status = good ? make_apart(&t, &files, &with, err) : -1;

    words_free(&files);
    words_free(&with);
    return status;
}
