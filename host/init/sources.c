#include "build.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static bool is_source(const char *name)
{
    size_t length = strlen(name);

    return length > 2 && !strcmp(name + length - 2, ".c");
}

void source_name(const char *path, const char *also, char name[SOURCE_NAME])
{
    file_stem(path, name, SOURCE_NAME);
    for (char *c = name; *c; c++)
        if (!isascii((unsigned char)*c) || (!isalnum((unsigned char)*c) && !strchr(also, *c)))
            *c = '_';
}

static int select_source(const struct dirent *e)
{
    return *e->d_name != '.' && is_source(e->d_name);
}

static int add_folder(struct words *files, const char *folder, struct mh_error *err)
{
    struct dirent **found;
    char path[HOST_PATH];
    int count = scandir(folder, &found, select_source, alphasort), status = 0;

    if (count < 0)
        return mh_fail(err, "%s: cannot read the folder: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        status = status || path_join(path, folder, found[i]->d_name, err) ? -1 : 0;
        if (!status)
            words_add(files, path);
        free(found[i]);
    }
    free(found);
    return status ? status : count ? 0 : mh_fail(err, "%s: a folder without .c files", folder);
}

static int add(struct words *files, const char *path, struct mh_error *err)
{
    struct stat st;
    char plain[HOST_PATH];

    if (stat(path, &st))
        return mh_fail(err, "%s: %s; `memhelm init NAME --here` makes NAME.c out of a template", path, strerror(errno));
    if (S_ISDIR(st.st_mode))
        return add_folder(files, path, err);
    if (!is_source(path))
        return mh_fail(err, "%s: not the name of a C source, such as mine.c, and not a folder", path);
    if (*path == '-' && path_plain(plain, path, err)) /* an option to the compiler */
        return -1;
    words_add(files, *path == '-' ? plain : path);
    return 0;
}

/* Objects and the file that make reads are named after it. */
static int check(const struct words *files, unsigned at, struct mh_error *err)
{
    char name[SOURCE_NAME], other[SOURCE_NAME];

    for (const char *c = files->text[at]; *c; c++)
        if (iscntrl((unsigned char)*c))
            return mh_fail(err, "%s: the name has a control character (0x%02x) in it; rename it", files->text[at],
                           (unsigned char)*c);
    source_name(files->text[at], "_", name);
    for (unsigned i = 0; i < at; i++) {
        source_name(files->text[i], "_", other);
        if (!strcmp(name, other))
            return mh_fail(err, "%s and %s: both are called %s; rename one", files->text[i], files->text[at], name);
    }
    return 0;
}

int sources_find(struct words *files, const struct words *given, struct mh_error *err)
{
    for (unsigned i = 0; i < given->count; i++)
        if (add(files, given->text[i], err))
            return -1;
    for (unsigned i = 0; i < files->count; i++)
        if (check(files, i, err))
            return -1;
    return 0;
}
