/* Texts beside the recorded results that they quote, and these beside the build: tests/e2e/test_recorded.sh. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "recorded/age.h"
#include "recorded/quote.h"

static const char help[] =
    "recorded check FILE.md..     do the texts quote what is recorded? exit 1: not all\n"
    "recorded write FILE.md..     puts what is recorded into the texts\n"
    "recorded age FILE.json..     which are older than the model, machine or firmware of this build?\n"
    "recorded same FILE.json..    does the Markdown beside each say that the same made it? exit 1: not all\n"
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

static int ages(char **paths)
{
    struct mh_error err;
    for (; *paths; paths++)
        if (age_say(*paths, stdout, &err))
            return bad(&err);
    return 0;
}

static int same(char **paths)
{
    struct mh_error err;
    int status = 0;
    for (; *paths; paths++)
        if (age_same(*paths, &err))
            status = bad(&err);
    return status;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && (!strcmp(argv[1], "check") || !strcmp(argv[1], "write")))
        return texts(argv + 2, *argv[1] == 'w');
    if (argc >= 3 && !strcmp(argv[1], "age"))
        return ages(argv + 2);
    if (argc >= 3 && !strcmp(argv[1], "same"))
        return same(argv + 2);
    fputs(help, stderr);
    return 2;
}
