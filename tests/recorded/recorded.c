/*
 * Texts beside the recorded results that they quote (tests/e2e/test_recorded.sh), and these beside what this build
 * measures (test_recheck.sh).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/signals.h"
#include "recorded/made.h"
#include "recorded/quote.h"
#include "recorded/recheck.h"

static const char help[] =
    "recorded check FILE.md..     do the texts quote what is recorded? exit 1: not all\n"
    "recorded write FILE.md..     puts what is recorded into the texts\n"
    "recorded same FILE.json..    does the Markdown beside each say that the same made it? exit 1: not all\n"
    "recorded recheck SEED results=FILE [each=N] [seconds=S] [jobs=N] FILE.json..\n"
    "    runs cells drawn by SEED again: which moved? exit 1: some. N cells of each file, of those that take S seconds "
    "at\n"
    "    most; or one cell of a file, so many files as take S seconds. Finished runs are kept in FILE: the next call "
    "goes on\n"
    "What the comments in a text say: tests/recorded/quote.h. To be called in the top folder of the source tree.\n";

static int bad(const struct mh_error *err)
{
    fprintf(stderr, "recorded: %s\n", err->text);
    return 1;
}

/* The text as it should be; the caller frees it. */
static char *quoted(const char *path, const char *text, struct quote_count *count)
{
    char *now = NULL;
    size_t length;
    FILE *out = open_memstream(&now, &length);
    if (!out)
        abort();
    struct quote_count one = quote(path, text, out, stdout);
    if (fclose(out))
        abort();
    count->quoted += one.quoted;
    count->wrong += one.wrong;
    return now;
}

static int texts(char **paths, bool write)
{
    struct quote_count count = {0};
    struct mh_error err;
    for (; *paths; paths++) {
        size_t length;
        char *text = read_file(*paths, &length, &err);
        if (!text)
            return bad(&err);
        char *now = quoted(*paths, text, &count);
        int status = write && strcmp(text, now) ? write_file(*paths, now, strlen(now), &err) : 0;
        free(text);
        free(now);
        if (status)
            return bad(&err);
    }
    printf("%u quoted, %u of them %s\n", count.quoted, count.wrong, write ? "put right or not found" : "wrong");
    return count.wrong && !write;
}

static int same(char **paths)
{
    struct mh_error err;
    int status = 0;
    for (; *paths; paths++)
        if (made_same(*paths, &err))
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
    if (argc >= 3 && (!strcmp(argv[1], "check") || !strcmp(argv[1], "write")))
        return texts(argv + 2, *argv[1] == 'w');
    if (argc >= 3 && !strcmp(argv[1], "same"))
        return same(argv + 2);
    if (argc >= 5 && !strcmp(argv[1], "recheck"))
        return again(argv + 2);
    fputs(help, stderr);
    return 2;
}
