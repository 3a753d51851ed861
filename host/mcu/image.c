#include "image.h"
#include "hooks.h"
#include "meant.h"
#include "source_lines.h"

#include <ctype.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "memhelm/utf8.h"
#include "base/nearest.h"
#include "base/patterns.h"

static void base_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name)
        *dot = 0;
}

static int built(const char *folder, const char *name, const char *suffix, char path[HOST_PATH], struct mh_error *err)
{
    char file[HOST_PATH];
    if (snprintf(file, sizeof file, "%s/%s%s", folder, name, suffix) >= (int)sizeof file)
        return mh_fail(err, "%.60s..: the name is too long", name);
    return path_join(path, exe_dir(), file, err);
}

static void collect(glob_t *found)
{
    static const char all[] = "/firmware/*.elf";
    char pattern[2 * HOST_PATH];
    memset(found, 0, sizeof *found);
    patterns_quote(pattern, sizeof pattern - sizeof all, exe_dir());
    strcat(pattern, all);
    glob(pattern, 0, NULL, found);
}

static int unknown(const char *what, const char *path, bool twin, struct mh_error *err)
{
    char list[512] = "", name[64];
    struct nearest near = nearest_begin(what, "");
    const struct meant meant = meant_by(what, MEANT_IMAGE);
    bool is_built = false;
    glob_t found;
    if (*meant.text)
        return mh_fail(err, "unknown image '%.60s'%s", what, meant.text);
    collect(&found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        base_name(found.gl_pathv[i], name, sizeof name);
        nearest_try(&near, name);
        is_built |= !strcmp(name, what);
        if (strlen(list) + sizeof name < sizeof list)
            snprintf(list + strlen(list), sizeof list - strlen(list), " %.60s", name);
    }
    globfree(&found);
    if (!*list)
        return mh_fail(err, "image '%.60s': no images are built in %s/firmware; run `make`", what, exe_dir());
    if (is_built) /* then it is the twin that is asked for */
        return mh_fail(err, "image '%.60s' has no twin (no file %s); run `make`, or leave out --twin", what, path);
    return mh_fail(
        err,
        "unknown image '%.60s'%s (no file %.230s)%s; there are:%s (`memhelm list images` shows all); or give the "
        "path of an ELF file",
        what, twin ? " for --twin" : "", path, near.text, list);
}

static int find(struct image *image, const char *what, struct mh_error *err)
{
    const char *suffix = image->twin ? ".so" : ".elf";
    base_name(what, image->name, sizeof image->name);
    if (names_file(what, suffix))
        return path_join(image->path, what, "", err);
    snprintf(image->name, sizeof image->name, "%s", what);
    if (built(image->twin ? "twin" : "firmware", what, suffix, image->path, err))
        return -1;
    return access(image->path, R_OK) ? unknown(what, image->path, image->twin, err) : 0;
}

/* It stands in tables, names of directories and messages. */
static int check_name(const struct image *image, struct mh_error *err)
{
    for (const char *c = image->name; *c; c++)
        if (iscntrl((unsigned char)*c))
            return mh_fail(err, "%s: the file's name has a control character (0x%02x) in it; rename it", image->path,
                           (unsigned char)*c);
    const char *broken = mh_utf8_broken(image->name);
    if (broken)
        return mh_fail(err, "%s: the file's name is not UTF-8 (0x%02x); rename it", image->path,
                       (unsigned char)*broken);
    return 0;
}

/* What QEMU or its plugin would refuse is refused here, by the file's name. */
static int open_elf(struct image *image, const char *what, struct mh_error *err)
{
    struct hooks hooks;
    struct mh_error why;
    image->elf = elf_open(image->path, &why);
    if (!image->elf)
        return mh_fail(err, "%.690s%s", why.text, meant_by(what, MEANT_IMAGE).text);
    image->sizes = elf_sizes(image->elf);
    elf_hash(image->elf, image->sha256);
    if (!hooks_find(&hooks, image->elf, image->path, err))
        return 0;
    image_close(image);
    return -1;
}

int image_open(struct image *image, const char *what, bool twin, struct mh_error *err)
{
    memset(image, 0, sizeof *image);
    image->twin = twin;
    if (!*what)
        return mh_fail(err, "an image needs a name; `memhelm list images` shows them");
    if (find(image, what, err) || check_name(image, err))
        return -1;
    return twin ? hash_file(image->path, image->sha256, err) : open_elf(image, what, err);
}

void image_close(struct image *image)
{
    if (image->elf)
        elf_close(image->elf);
    image->elf = NULL;
}

const char *image_function(const struct image *image, uint32_t pc)
{
    const char *name = image->elf ? elf_function(image->elf, pc) : NULL;
    return name ? name : "no function";
}

const char *image_place(const struct image *image, uint32_t pc, char *text, size_t size)
{
    struct lines *lines = image->elf ? lines_open(image->path) : NULL;
    struct place place = lines_written(lines, pc);
    if (place.file)
        snprintf(text, size, "%s (%s:%u)", image_function(image, pc), place.file, place.line);
    else
        snprintf(text, size, "%s", image_function(image, pc));
    lines_close(lines);
    return text;
}

int image_list(void (*each)(const char *name, bool twin), struct mh_error *err)
{
    char name[64], twin[HOST_PATH];
    glob_t found;
    collect(&found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        base_name(found.gl_pathv[i], name, sizeof name);
        each(name, !built("twin", name, ".so", twin, NULL) && !access(twin, R_OK));
    }
    size_t count = found.gl_pathc;
    globfree(&found);
    return count ? 0 : mh_fail(err, "no images in %s/firmware; run `make`", exe_dir());
}
