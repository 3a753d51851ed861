/*
 * Recorded results: the pages made of them (tests/e2e/test_recorded.sh), and whether this build still measures them
 * (test_recheck.sh).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/process.h"
#include "recorded/recorded.h"

static const char help[] =
    "recorded check               are host/RESULTS.md, the table of README.md and host/cmd/headlines.def what is "
    "recorded?\n"
    "                             exit 1: no\n"
    "recorded write               makes them\n"
    "recorded same FILE..         does the Markdown beside each say that the same made it? exit 1: not all\n"
    "recorded recheck SEED results=FILE [each=N] [seconds=S] [jobs=N] FILE..\n"
    "    runs cells drawn by SEED again: which moved? exit 1: some. N cells of each file, of those that take S "
    "seconds\n"
    "    at most; or one cell of a file, so many files as take S seconds. Finished runs are kept in FILE: the next "
    "call\n"
    "    goes on\n"
    "To be called in the top folder of the source tree.\n";

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

/* Does the Markdown file of the recording, if any, have the same `made_by`? -1 and `err`: it does not. */
static int recording_same(const char *path, struct mh_error *err)
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

static int bad(const struct mh_error *err)
{
    fprintf(stderr, "recorded: %s\n", err->text);
    return 1;
}

/* A page as it should be; the caller frees it. `was`: its text, of which a page takes over what is not made. */
typedef int page_maker(const char *was, FILE *out, struct mh_error *err);

static int whole_page(const char *was, FILE *out, struct mh_error *err)
{
    (void)was;
    return results_page(out, err);
}

static int headlines(const char *was, FILE *out, struct mh_error *err)
{
    (void)was;
    return results_headlines(out, err);
}

static int page(const char *path, page_maker *make, bool write)
{
    struct mh_error err;
    size_t length, room;
    char *was = read_file(path, &length, &err), *now = NULL;
    FILE *out = open_memstream(&now, &room);
    int status = !out || !was || make(was, out, &err) ? bad(&err) : 0;

    if (fclose(out))
        abort();
    if (!status && strcmp(was, now))
        status = write ? (write_file(path, now, room, &err) ? bad(&err) : 0)
                       : (printf("%s is not what is recorded; make readme\n", path), 1);
    free(was);
    free(now);
    return status;
}

static int pages(bool write)
{
    const int parts[] = {page("host/RESULTS.md", whole_page, write), page("README.md", results_into, write),
                         page("host/cmd/headlines.def", headlines, write)};

    return parts[0] || parts[1] || parts[2];
}

static int same(char **paths)
{
    struct mh_error err;
    int status = 0;
    for (; *paths; paths++)
        if (recording_same(*paths, &err))
            status = bad(&err);
    return status;
}

/* NAME=VALUE, if the word is that. */
static bool takes(const char *word, const char *name, const char **value)
{
    const size_t length = strlen(name);
    if (strncmp(word, name, length) || word[length] != '=')
        return false;
    *value = word + length + 1;
    return true;
}

static int again(char **words)
{
    struct recheck_options o = {.seed = *words++, .jobs = 1};
    const char *value;
    for (; *words; words++)
        if (takes(*words, "each", &value))
            o.each = (unsigned)strtoul(value, NULL, 10);
        else if (takes(*words, "seconds", &value))
            o.seconds = (unsigned)strtoul(value, NULL, 10);
        else if (takes(*words, "jobs", &value))
            o.jobs = (unsigned)strtoul(value, NULL, 10);
        else if (!takes(*words, "results", &o.results))
            break;
    if (!*words || !o.jobs || !o.results || (!o.each && !o.seconds)) {
        fputs(help, stderr);
        return 2;
    }
    signals_catch();
    return recheck(words, &o);
}

int main(int argc, char **argv)
{
    if (argc == 2 && (!strcmp(argv[1], "check") || !strcmp(argv[1], "write")))
        return pages(*argv[1] == 'w');
    if (argc >= 3 && !strcmp(argv[1], "same"))
        return same(argv + 2);
    if (argc >= 5 && !strcmp(argv[1], "recheck"))
        return again(argv + 2);
    fputs(help, stderr);
    return 2;
}
