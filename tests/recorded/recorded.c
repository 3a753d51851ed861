/*
 * Recorded results: the pages made of them (tests/e2e/test_recorded.sh), and whether this build still measures them
 * (test_recheck.sh).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
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
