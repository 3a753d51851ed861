/* GLib's checksum: GLib is there already, because QEMU needs it. */
#include "hash.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

struct hash *hash_begin(void)
{
    return (struct hash *)g_checksum_new(G_CHECKSUM_SHA256);
}

void hash_add(struct hash *h, const void *data, size_t length)
{
    g_checksum_update((GChecksum *)h, data, (gssize)length);
}

void hash_end(struct hash *h, char text[HASH_TEXT])
{
    snprintf(text, HASH_TEXT, "%s", g_checksum_get_string((GChecksum *)h));
    g_checksum_free((GChecksum *)h);
}

int hash_file(const char *path, char text[HASH_TEXT], struct mh_error *err)
{
    static char block[1 << 16];
    size_t n;
    FILE *f = fopen(path, "rb");
    if (!f)
        return mh_fail(err, "%s: cannot open: %s", path, strerror(errno));
    struct hash *h = hash_begin();
    while ((n = fread(block, 1, sizeof block, f)))
        hash_add(h, block, n);
    hash_end(h, text);
    int status = ferror(f) ? mh_fail(err, "%s: cannot read: %s", path, strerror(errno)) : 0;
    fclose(f);
    return status;
}
