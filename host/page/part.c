#include "part.h"

#include <errno.h>
#include <glob.h>
#include <math.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/words.h"
#include "memhelm/text.h"

/* --- Files. */

#define WHAT "a page is made of memhelm's JSON files, files of points, and epoch logs"

static int kind_of_json(struct input *in, const char *text, struct mh_error *err)
{
    json_error_t why;
    in->json = json_loads(text, 0, &why);
    if (!in->json)
        return mh_fail(err, "%.300s:%d: %.200s; a file that was cut off? Write it anew", in->path, why.line, why.text);
    const char *schema = input_text(in->json, "schema");
    if (!strcmp(schema, "memhelm-record-1"))
        return mh_fail(err, "%.300s: what a run left for memhelm; give what --json of `run` or `compare` wrote",
                       in->path);
    if (strncmp(schema, "memhelm-", strlen("memhelm-")) != 0)
        return mh_fail(err, "%.300s: no schema of memhelm: " WHAT, in->path);
    if (!strcmp(schema, "memhelm-result-1") || !strcmp(schema, "memhelm-compare-1"))
        in->kind = INPUT_RUNS;
    else if (!strcmp(schema, "memhelm-reproduce-1"))
        in->kind = INPUT_STUDY;
    else if (!strcmp(schema, "memhelm-timeline-1"))
        in->kind = INPUT_TIMELINE;
    else
        in->kind = strcmp(schema, "memhelm-latency-2") ? INPUT_OTHER : INPUT_LATENCY;
    return 0;
}

static int kind_of(struct input *in, const char *text, size_t length, struct mh_error *err)
{
    static const char sqlite[] = "SQLite format 3", log[] = "epoch,cycle,";
    if (length >= sizeof sqlite && !memcmp(text, sqlite, sizeof sqlite))
        in->kind = INPUT_POINTS;
    else if (!strncmp(text, log, strlen(log)))
        in->kind = INPUT_TIMELINE;
    else if (text[strspn(text, " \t\r\n")] == '{')
        return kind_of_json(in, text, err);
    else
        return mh_fail(err, "%.300s: " WHAT, in->path);
    return 0;
}

int input_open(struct input *in, const char *path, struct mh_error *err)
{
    char plain[HOST_PATH];
    size_t length;
    *in = (struct input){.path = path};
    char *text = read_packed(path, &length, err);
    if (!text)
        return -1;
    const char *end = strrchr(path, '.');
    const bool packed = end && !strcmp(end, ".zst");
    snprintf(plain, sizeof plain, "%.*s", packed ? (int)(end - path) : (int)strlen(path), path);
    file_stem(plain, in->name, sizeof in->name);
    const int status = kind_of(in, text, length, err);
    free(text);
    return status;
}

void input_close(struct input *in)
{
    json_decref(in->json);
    in->json = NULL;
}

const char *input_text(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

double input_number(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    return json_is_number(v) ? json_number_value(v) : (double)NAN;
}

/* --- Sections. */

void part_begin(struct part *p, const char *title)
{
    p->sections++;
    fprintf(p->nav, "<li><a href=\"#s%u\">", p->sections);
    doc_html(p->nav, title);
    fputs("</a></li>\n", p->nav);
    fprintf(p->doc.out, "<section id=\"s%u\">\n", p->sections);
    doc_heading(&p->doc, 0, title);
}

void part_end(struct part *p)
{
    fputs("</section>\n", p->doc.out);
}

void part_fold(struct part *p, const char *title)
{
    fputs("<details><summary>", p->doc.out);
    doc_html(p->doc.out, title);
    fputs("</summary>\n", p->doc.out);
}

void part_fold_end(struct part *p)
{
    fputs("</details>\n", p->doc.out);
}

void part_figure_name(struct part *p, const char *what, char name[PART_TITLE])
{
    p->drawn++;
    snprintf(name, PART_TITLE, "%02u-%.60s", p->drawn, what);
    for (char *c = name; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", *c))
            *c = '-';
}

/* --- Pictures. An SVG may have scripts and links, which a browser ignores in an image. */

enum { FIGURE_MIB = 8 };

/* What follows the first `end` if `text` begins with `begin`, else `text`. */
static const char *skip(const char *text, const char *begin, const char *end)
{
    const char *at = strncmp(text, begin, strlen(begin)) ? NULL : strstr(text, end);
    return at ? at + strlen(end) : text;
}

/* Is the first element of the XML an <svg>? */
static bool is_svg(const char *text)
{
    const char *at = skip(text, "\xef\xbb\xbf", "\xbf"), *was;
    do {
        was = at;
        at += strspn(at, " \t\r\n");
        at = skip(skip(skip(at, "<?", "?>"), "<!--", "-->"), "<!DOCTYPE", ">");
    } while (at != was);
    return !strncmp(at, "<svg", 4) && strchr(" \t\r\n/>", at[4]);
}

/* The caller frees it. */
static char *read_svg(const char *path, size_t *length, struct mh_error *err)
{
    struct stat st;
    char *text = NULL;
    if (stat(path, &st))
        (void)mh_fail(err, "%.300s: cannot open: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode) || st.st_size > FIGURE_MIB << 20)
        (void)mh_fail(err, "%.300s: a figure is a file of at most %d MiB; move this one elsewhere", path, FIGURE_MIB);
    else
        text = read_file(path, length, err);
    if (!text || (strlen(text) == *length && is_svg(text) && !mh_utf8_broken(text)))
        return text;
    (void)mh_fail(err, "%.300s: no SVG; move it elsewhere, or draw the figure again", path);
    free(text);
    return NULL;
}

static void put_base64(FILE *out, const char *data, size_t length)
{
    enum { STEP = 3 << 12 };
    static unsigned char text[4 * STEP / 3 + 1];
    for (size_t n; length; data += n, length -= n) {
        n = length < STEP ? length : STEP;
        EVP_EncodeBlock(text, (const unsigned char *)data, (int)n);
        fputs((const char *)text, out);
    }
}

/*
 * Puts an SVG file into the page as an image, of which a browser runs and loads nothing. `words` are its alternative
 * text and its caption.
 */
static int part_figure(struct part *p, const char *path, const char *words, struct mh_error *err)
{
    size_t length = 0;
    char *svg = read_svg(path, &length, err);
    if (!svg)
        return -1;
    fputs("<figure><img alt=\"", p->doc.out);
    doc_html(p->doc.out, words);
    fputs("\" src=\"data:image/svg+xml;base64,", p->doc.out);
    put_base64(p->doc.out, svg, length);
    fputs("\"><figcaption>", p->doc.out);
    doc_html(p->doc.out, words);
    fputs("</figcaption></figure>\n", p->doc.out);
    free(svg);
    return 0;
}

int part_drawn(struct part *p, const char *name, const char *words, struct mh_error *err)
{
    char path[HOST_PATH], file[PART_TITLE + 8];

    snprintf(file, sizeof file, "%s.svg", name);
    return path_join(path, p->figures, file, err) || part_figure(p, path, words, err) ? -1 : 0;
}

enum { PATTERN_END = 16 };

int part_figures(struct part *p, const struct input *in, const char *name, const char *end, struct mh_error *err)
{
    char beside[2 * HOST_PATH], pattern[4 * HOST_PATH];
    glob_t found;
    int status = 0;
    const char *slash = strrchr(in->path, '/');
    if (strchr(name, '/')) /* no file's name */
        return 0;
    snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash - in->path + 1) : 0, in->path, name);
    patterns_quote(pattern, sizeof pattern - PATTERN_END, beside);
    strncat(pattern, end, PATTERN_END - 1);
    if (glob(pattern, 0, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc && !status; i++) {
        char title[PART_TITLE];
        file_stem(found.gl_pathv[i], title, sizeof title);
        status = part_figure(p, found.gl_pathv[i], title, err);
    }
    globfree(&found);
    return status;
}
