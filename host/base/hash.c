#include "hash.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
