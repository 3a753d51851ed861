#include "image.h"
#include "code.h"
#include "source_lines.h"

#include <ctype.h>
#include <elf.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memhelm/text.h"
#include "base/words.h"

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
    if (snprintf(list, sizeof list, "./%s.elf", what) < (int)sizeof list && !access(list, R_OK))
        return mh_fail(err, "unknown image '%.60s'; there is one here: %.200s", what, list);
    *list = 0;
    collect(&found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        base_name(found.gl_pathv[i], name, sizeof name);
        nearest_try(&near, name);
        is_built |= !strcmp(name, what);
        if (strlen(list) + sizeof name < sizeof list)
            text_add(list, sizeof list, "", " %.60s", name);
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

/* An ELF file for the core, which a twin is not. */
static bool is_firmware(const char *path)
{
    unsigned char head[EI_NIDENT + 4] = "";
    FILE *f = fopen(path, "rb");
    const bool read = f && fread(head, 1, sizeof head, f) == sizeof head;
    if (f)
        fclose(f);
    return read && !memcmp(head, ELFMAG, SELFMAG) && head[EI_CLASS] == ELFCLASS32 && head[EI_NIDENT + 2] == EM_RISCV;
}

static int find(struct image *image, const char *what, struct mh_error *err)
{
    const char *suffix = image->twin ? ".so" : ".elf";
    if (image->twin && is_firmware(what))
        return mh_fail(err,
                       "%s is firmware and has no native twin: leave out --twin (--mcu-hz inf decides in no time, "
                       "too); `memhelm init NAME` in the source tree makes a policy that has one",
                       what);
    base_name(what, image->base, sizeof image->base);
    if (names_file(what, suffix))
        return path_join(image->path, what, "", err);
    snprintf(image->base, sizeof image->base, "%.*s", IMAGE_BASE - 1, what);
    if (built(image->twin ? "twin" : "firmware", what, suffix, image->path, err))
        return -1;
    return access(image->path, R_OK) ? unknown(what, image->path, image->twin, err) : 0;
}

/* It stands in tables, names of directories and messages. */
static int check_name(const struct image *image, struct mh_error *err)
{
    for (const char *c = image->base; *c; c++)
        if (iscntrl((unsigned char)*c))
            return mh_fail(err, "%s: the file's name has a control character (0x%02x) in it; rename it", image->path,
                           (unsigned char)*c);
    const char *broken = mh_utf8_broken(image->base);
    if (broken)
        return mh_fail(err, "%s: the file's name is not UTF-8 (0x%02x); rename it", image->path,
                       (unsigned char)*broken);
    return 0;
}

/* What QEMU or its plugin would refuse is refused here, by the file's name. */
static int check_elf(struct image *image, const char *what, struct mh_error *err)
{
    struct hooks hooks;
    struct mh_error why;
    image->elf = elf_open(image->path, &why);
    if (!image->elf)
        return mh_fail(err, "%.690s%s", why.text, meant_by(what, MEANT_IMAGE).text);
    image->sizes = elf_sizes(image->elf);
    elf_hash(image->elf, image->sha256);
    return hooks_find(&hooks, image->elf, image->path, err);
}

/* Rows of words that the linker has thrown away are no parameters. */
static void find_in_elf(const struct elf *elf, struct params *p)
{
    size_t length;
    const char *data = elf_bytes(elf, &length);
    unsigned kept = 0;
    params_find(p, data, length);
    for (unsigned i = 0; i < p->count; i++) {
        char symbol[PARAM_NAME];
        uint32_t address;
        param_symbol(p->list[i].name, symbol);
        if (elf_address(elf, symbol, &address))
            p->list[kept++] = p->list[i];
    }
    p->count = kept;
}

static int find_params(const struct image *image, struct params *p, struct mh_error *err)
{
    size_t length;
    if (!image->twin) {
        find_in_elf(image->elf, p);
        return 0;
    }
    char *data = read_file(image->path, &length, err);
    if (data)
        params_find(p, data, length);
    free(data);
    return data ? 0 : -1;
}

static int set_words(struct image *image, struct mh_error *err)
{
    for (unsigned i = 0; i < image->settings.count; i++) {
        const struct setting *s = &image->settings.list[i];
        char symbol[PARAM_NAME];
        uint32_t address;
        param_symbol(s->name, symbol);
        if (!image->twin &&
            (!elf_address(image->elf, symbol, &address) || !elf_set_word(image->elf, address, s->value)))
            return mh_fail(err, "%s: parameter %s has no word in the file: it is damaged", image->path, s->name);
    }
    return 0;
}

/* The name with what is set, in one spelling. */
static int name_it(struct image *image, struct mh_error *err)
{
    char name[IMAGE_NAME];
    bool fits = snprintf(name, sizeof name, "%s", image->base) < (int)sizeof name;
    for (unsigned i = 0; i < image->settings.count; i++)
        fits &= text_add(name, sizeof name, "", ":%s=%u", image->settings.list[i].name,
                         (unsigned)image->settings.list[i].value);
    if (!fits)
        return mh_fail(err, "%s: the name is too long with its parameters", image->base);
    memcpy(image->name, name, sizeof name);
    return 0;
}

static int set_params(struct image *image, const char *text, struct mh_error *err)
{
    struct params p;
    if (*text && (find_params(image, &p, err) || settings_read(&image->settings, text, &p, image->base, err)))
        return -1;
    return set_words(image, err) || name_it(image, err) ? -1 : 0;
}

/* Once for each name. */
static void say_former(const char *old, const char *now)
{
    static char said[2048];
    char entry[IMAGE_NAME + 8];
    snprintf(entry, sizeof entry, " %.*s ", IMAGE_NAME, old);
    if (strstr(said, entry))
        return;
    fprintf(stderr, "memhelm: image %s is now %s\n", old, now);
    if (strlen(said) + strlen(entry) < sizeof said)
        strcat(said, entry);
}

/* What a former name stands for; NULL: it is none, or somebody has built an image of that name. */
static const char *now_of(const char *name, bool twin)
{
    char path[HOST_PATH];
    const char *now = image_formerly(name);
    if (!now || (!built(twin ? "twin" : "firmware", name, twin ? ".so" : ".elf", path, NULL) && !access(path, R_OK)))
        return NULL;
    say_former(name, now);
    return now;
}

/* The name in a word, of today, and what it sets. */
static int split(const char *word, bool twin, char name[HOST_PATH], char settings[HOST_PATH], struct mh_error *err)
{
    const char *begin = settings_begin(word), *now;
    if (begin - word >= HOST_PATH || strlen(begin) >= HOST_PATH / 2)
        return mh_fail(err, "image '%.60s..': the name is too long", word);
    snprintf(name, HOST_PATH, "%.*s", (int)(begin - word), word);
    snprintf(settings, HOST_PATH, "%s", begin);
    if ((now = now_of(name, twin))) {
        const char *own = settings_begin(now);
        snprintf(name, HOST_PATH, "%.*s", (int)(own - now), now);
        snprintf(settings, HOST_PATH, "%s%s", own, begin);
    }
    return 0;
}

/* Without parameters; `settings`: what stands behind the name. */
static int open_file(struct image *image, const char *word, bool twin, char settings[HOST_PATH], struct mh_error *err)
{
    char name[HOST_PATH];
    memset(image, 0, sizeof *image);
    image->twin = twin;
    if (!*word)
        return mh_fail(err, "an image needs a name; `memhelm list images` shows them");
    if (split(word, twin, name, settings, err) || find(image, name, err) || check_name(image, err))
        return -1;
    return twin ? hash_file(image->path, image->sha256, err) : check_elf(image, name, err);
}

int image_open(struct image *image, const char *what, bool twin, struct mh_error *err)
{
    char settings[HOST_PATH];
    if (!open_file(image, what, twin, settings, err) && !set_params(image, settings, err))
        return 0;
    image_close(image);
    return -1;
}

int image_params(const char *what, bool twin, struct params *p, struct mh_error *err)
{
    struct image image;
    char settings[HOST_PATH];
    int status = open_file(&image, what, twin, settings, err) || find_params(&image, p, err) ? -1 : 0;
    image_close(&image);
    return status;
}

int image_save(const struct image *image, const char *path, struct mh_error *err)
{
    size_t length;
    const char *data = elf_bytes(image->elf, &length);
    return write_file(path, data, length, err);
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
