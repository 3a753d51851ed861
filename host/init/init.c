#define _GNU_SOURCE
#include "init.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/file.h"
#include "base/memory.h"

enum { HEADER, SOURCE, TEST, FILES, NAME_TEXT = INIT_NAME + 1 };

#define IMAGES "firmware/images.def"

/* `template` stands for the policy's name, in names and in texts; the first comment of `from` is about copying it. */
static const struct {
    const char *from, *to, *comment;
} files[FILES] = {
    [HEADER] = {"firmware/policy/template.h", "firmware/policy/template.h",
                "/* The decision of policy template: what of it a unit test can drive. */"},
    [SOURCE] = {"firmware/policy/template.c", "firmware/policy/template.c",
                "/* Policy template: what it decides, and who says so. */"},
    [TEST] = {"tests/unit/firmware/test_policy_template.c", "tests/unit/firmware/test_policy_template.c",
              "/* Policy template: its decision with numbers, then its registers. */"},
};

struct names {
    char policy[NAME_TEXT], upper[NAME_TEXT], image[NAME_TEXT];
};

static int check_name(const char *name, struct mh_error *err)
{
    bool good = isalpha((unsigned char)*name); /* of an image `-x` would be an option */
    for (const char *c = name; *c; c++)
        good = good && (isalnum((unsigned char)*c) || *c == '_');
    if (!good)
        return mh_fail(
            err,
            "'%.60s' is no name of a policy: letters, digits and _, a letter first, as in walk_share; its image is "
            "walk-share then",
            name);
    if (strlen(name) > INIT_NAME)
        return mh_fail(err, "'%.60s': a policy's name has at most %d characters", name, INIT_NAME);
    return 0;
}

static void spell(struct names *n, const char *name)
{
    snprintf(n->policy, sizeof n->policy, "%s", name);
    for (size_t i = 0; i <= strlen(name); i++) {
        n->upper[i] = (char)toupper((unsigned char)name[i]);
        n->image[i] = name[i] == '_' ? '-' : name[i];
    }
}

/* What begins at `text` and is to be replaced, its length in `length`; NULL for nothing. */
static const char *replacement(const struct names *n, const char *text, size_t *length)
{
    const struct {
        const char *word, *by;
    } words[] = {{"TEMPLATE", n->upper}, {"template", n->policy}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        *length = strlen(words[i].word);
        if (!strncmp(text, words[i].word, *length))
            return words[i].by;
    }
    return NULL;
}

static void write_named(const struct names *n, const char *text, FILE *out)
{
    size_t length;
    for (; *text; text += length) {
        const char *by = replacement(n, text, &length);
        if (!by)
            length = 1;
        fprintf(out, "%.*s", by ? INT_MAX : 1, by ? by : text);
    }
}

/* The caller frees it. */
static char *named(const struct names *n, const char *comment, const char *text)
{
    struct draft d;
    draft_open(&d);
    write_named(n, comment, d.out);
    write_named(n, text, d.out);
    return draft_text(&d);
}

static int target(const struct names *n, unsigned file, char path[HOST_PATH], struct mh_error *err)
{
    char *text = named(n, "", files[file].to);
    int status = path_join(path, text, "", err);
    free(text);
    return status;
}

static int check_image(const struct names *n, struct mh_error *err)
{
    char row[NAME_TEXT + 16];
    size_t length;
    char *text = read_file(IMAGES, &length, err);
    snprintf(row, sizeof row, "\nIMAGE(\"%s\"", n->image);
    int status = !text ? -1
                 : strstr(text, row)
                     ? mh_fail(err, "policy '%s': there is an image %s in " IMAGES " already; take another name",
                               n->policy, n->image)
                     : 0;
    free(text);
    return status;
}

static int check_targets(const struct names *n, struct mh_error *err)
{
    char path[HOST_PATH];
    for (unsigned i = 0; i < FILES; i++) {
        if (access(files[i].from, R_OK))
            return mh_fail(err,
                           "no %s here: start at the top of memhelm's source tree; or, for a file of your own in any "
                           "folder: memhelm init %s --here",
                           files[i].from, n->policy);
        if (target(n, i, path, err))
            return -1;
        if (!access(path, F_OK))
            return mh_fail(err, "policy '%s': there is a %s already; take another name", n->policy, path);
    }
    return check_image(n, err);
}

static int make_file(const struct names *n, unsigned file, struct mh_error *err)
{
    char path[HOST_PATH];
    size_t length;
    char *text = target(n, file, path, err) ? NULL : read_file(files[file].from, &length, err);
    if (!text)
        return -1;
    const char *body = strstr(text, "*/");
    char *made = named(n, files[file].comment, body ? body + strlen("*/") : text);
    int status = write_file(path, made, strlen(made), err);
    free(made);
    free(text);
    return status;
}

/* Behind the last row of the table. */
static int add_row(const struct names *n, struct mh_error *err)
{
    size_t length;
    char *text = read_file(IMAGES, &length, err), *at = NULL;
    for (char *row = text; row && (row = strstr(row, "\nIMAGE(")); row++)
        at = strchr(row + 1, '\n');
    if (!at) {
        free(text);
        return text ? mh_fail(err, IMAGES ": no row, such as IMAGE(..)") : -1;
    }
    char *made = must_print("%.*s\nIMAGE(\"%s\", \"\", \"mask\", \"\", \"\", \"Policy %s\", POLICY(%s))%s",
                            (int)(at - text), text, n->image, n->policy, n->policy, at);
    int status = write_file(IMAGES, made, strlen(made), err);
    free(made);
    free(text);
    return status;
}

static void remove_made(const struct names *n, unsigned count)
{
    char path[HOST_PATH];
    for (unsigned i = 0; i < count; i++)
        if (!target(n, i, path, NULL))
            unlink(path);
}

/* The build directory as one types it here. */
static const char *build_dir(void)
{
    char here[PATH_MAX];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length && !strncmp(exe_dir(), here, length) && exe_dir()[length] == '/';
    return below ? exe_dir() + length + 1 : "build";
}

static void tell(const struct names *n, FILE *out)
{
    const char *build = build_dir();
    char path[HOST_PATH];
    fputs("made:\n", out);
    for (unsigned i = 0; i < FILES; i++)
        if (!target(n, i, path, NULL))
            fprintf(out, "  %s\n", path);
    fprintf(out, "  image %s in " IMAGES "\n", n->image);
    fprintf(out,
            "Now write its decision. Test it (at first this takes minutes), build it, and see what it does:\n"
            "  make %s/obj/unit/firmware/test_policy_%s && %s/obj/unit/firmware/test_policy_%s\n"
            "  make\n"
            "  %s/memhelm compare baseline %s --preset dws --workload GUPS+3DS --cycles 1M\n",
            build, n->policy, build, n->policy, build, n->image);
}

int init_policy(const char *name, FILE *out, struct mh_error *err)
{
    struct names n = {0};
    if (check_name(name, err))
        return -1;
    spell(&n, name);
    if (check_targets(&n, err))
        return -1;
    for (unsigned i = 0; i < FILES; i++)
        if (make_file(&n, i, err)) {
            remove_made(&n, i);
            return -1;
        }
    if (add_row(&n, err)) {
        remove_made(&n, FILES);
        return -1;
    }
    tell(&n, out);
    return 0;
}

/* --- One file, in any folder. */

static char *read_template(unsigned file, struct mh_error *err)
{
    char tree[HOST_PATH], path[HOST_PATH];
    size_t length;
    if (rules_tree(tree, err) || path_join(path, tree, files[file].from, err))
        return NULL;
    return read_file(path, &length, err);
}

/* Behind the last line of `text` that includes a file. */
static char *includes_end(char *text)
{
    char *end = text;
    for (char *at = text; (at = strstr(at, "\n#include ")); end = at + strcspn(at, "\n") + 1)
        at++;
    return end;
}

/* The source with the header's text where it included the header: their includes, then the rest of each. */
static char *in_one(const struct names *n, char *header, char *source)
{
    static const char own[] = "#include \"template.h\"\n";
    char *from = strstr(header, "#include "), *end = strstr(header, "\n#endif");
    char *with = strstr(source, own);
    if (!from || !end || !with)
        return NULL;
    char *body = includes_end(header), *rest = includes_end(source);
    with += strlen(own);
    with += *with == '\n';
    char *text = must_print("\n%.*s%.*s%.*s%s", (int)(body - from), from, (int)(rest - with), with, (int)(end - body),
                            body, rest);
    char *made = named(n, files[SOURCE].comment, text);
    free(text);
    return made;
}

static void tell_here(const struct names *n, const char *file, FILE *out)
{
    fprintf(out, "made: %s\nNow write its decision. Build it, and see what it does:\n  ", file);
    shell_word(out, program_invocation_name);
    fprintf(out, " build %s\n  ", file);
    shell_word(out, program_invocation_name);
    fprintf(out, " compare baseline ./%s.elf --preset dws --workload GUPS+3DS --cycles 1M\n", n->policy);
}

int init_policy_here(const char *name, FILE *out, struct mh_error *err)
{
    struct names n = {0};
    char file[NAME_TEXT + 2];
    if (check_name(name, err))
        return -1;
    spell(&n, name);
    snprintf(file, sizeof file, "%s.c", n.policy);
    if (!access(file, F_OK))
        return mh_fail(err, "there is a %s already; take another name", file);
    char *header = read_template(HEADER, err), *source = header ? read_template(SOURCE, err) : NULL;
    char *made = source ? in_one(&n, header, source) : NULL;
    int status = !source ? -1
                 : !made ? mh_fail(err, "%s: not the template that memhelm knows", files[SOURCE].from)
                         : write_file(file, made, strlen(made), err);
    free(made);
    free(source);
    free(header);
    if (!status)
        tell_here(&n, file, out);
    return status;
}
