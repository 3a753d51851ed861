#include "hash.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file.h"
#include "hashes.h"

/* Hashing in memory fails only when memory is out. */
static void must(int good)
{
    if (!good)
        abort();
}

struct hash *hash_begin(void)
{
    EVP_MD_CTX *h = EVP_MD_CTX_new();
    must(h && EVP_DigestInit_ex(h, EVP_sha256(), NULL));
    return (struct hash *)h;
}

void hash_add(struct hash *h, const void *data, size_t length)
{
    must(EVP_DigestUpdate((EVP_MD_CTX *)h, data, length));
}

void hash_end(struct hash *h, char text[HASH_TEXT])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    must(EVP_DigestFinal_ex((EVP_MD_CTX *)h, digest, &length));
    for (unsigned i = 0; i < length; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    EVP_MD_CTX_free((EVP_MD_CTX *)h);
}

void hash_text(const char *data, size_t length, char text[HASH_TEXT])
{
    struct hash *h = hash_begin();
    hash_add(h, data, length);
    hash_end(h, text);
}

int hash_file(const char *path, char text[HASH_TEXT], struct mh_error *err)
{
    static char block[1 << 16];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f)
        return mh_fail(err, "%s: cannot open: %s", path, strerror(errno));
    struct stat st;
    if (!fstat(fileno(f), &st) && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode))) { /* it may have no end */
        fclose(f);
        return mh_fail(err, "%s: is a device; give a file", path);
    }
    struct hash *h = hash_begin();
    while ((n = fread(block, 1, sizeof block, f)))
        hash_add(h, block, n);
    hash_end(h, text);
    int status = ferror(f) ? mh_fail(err, "%s: cannot read: %s", path, strerror(errno)) : 0;
    fclose(f);
    return status;
}

static const char *built_from = "unknown";

const char *provenance_model(void)
{
    return MODEL_HASH;
}

/* A file that cannot be read has no say here: a run that needs it says so. */
static void add_given(struct hash *h, const char *variable)
{
    char digits[HASH_TEXT];
    struct mh_error unused;
    const char *path = getenv(variable);
    if (path && *path && !hash_file(path, digits, &unused))
        hash_add(h, digits, sizeof digits);
}

/* Not there in a build without QEMU. */
static void add_version(struct hash *h)
{
    char path[HOST_PATH], line[128];
    if (!path_join(path, exe_dir(), "qemu.version", NULL) && last_line(path, "", line, sizeof line))
        hash_add(h, line, strlen(line));
}

const char *provenance_machine(void)
{
    static char text[HASH_TEXT]; /* computed once per process */
    if (*text)
        return text;
    struct hash *h = hash_begin();
    hash_add(h, MACHINE_HASH, strlen(MACHINE_HASH));
    add_version(h);
    add_given(h, "MEMHELM_QEMU");
    add_given(h, "MEMHELM_CORE_PLUGIN");
    hash_end(h, text);
    return text;
}

const char *provenance_commit(void)
{
    return built_from;
}

void provenance_set_commit(const char *commit)
{
    built_from = commit;
}

json_t *provenance_json(void)
{
    return json_pack("{s:s, s:s, s:s}", "commit", provenance_commit(), "model", provenance_model(), "machine",
                     provenance_machine());
}

static const char *member(const json_t *made_by, const char *name)
{
    const char *text = json_string_value(json_object_get(made_by, name));
    return text ? text : "unknown";
}

void provenance_words(const json_t *made_by, char text[PROVENANCE_TEXT])
{
    const char *commit = member(made_by, "commit"), *dirty = strchr(commit, '-');
    snprintf(text, PROVENANCE_TEXT, "Made by commit %.7s%.6s (model %.12s, machine %.12s), images in the JSON.", commit,
             dirty ? dirty : "", member(made_by, "model"), member(made_by, "machine"));
}

void provenance_say(FILE *out)
{
    char text[PROVENANCE_TEXT];
    json_t *made_by = provenance_json();
    provenance_words(made_by, text);
    fprintf(out, "%s\n\n", text);
    json_decref(made_by);
}
