#include "key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bearssl.h>

#define REMEDY "`memhelm sign --new-key FILE` makes one"

enum { DER_MOST = 512, PEM_NAME = 128 };

int key_development(char path[HOST_PATH], struct mh_error *err)
{
    return path_join(path, exe_dir(), "keys/development.pem", err);
}

/* The first object of a PEM file, decoded. */
struct pem {
    char name[PEM_NAME];
    uint8_t der[DER_MOST];
    size_t length;
    bool ended, too_long;
};

static void append(void *to, const void *bytes, size_t length)
{
    struct pem *p = to;
    if (length > sizeof p->der - p->length) {
        p->too_long = true;
        return;
    }
    memcpy(p->der + p->length, bytes, length);
    p->length += length;
}

static void decode(struct pem *p, const char *text, size_t length)
{
    br_pem_decoder_context c;
    memset(p, 0, sizeof *p);
    br_pem_decoder_init(&c);
    while (length && !p->ended) {
        const size_t taken = br_pem_decoder_push(&c, text, length);
        text += taken;
        length -= taken;
        switch (br_pem_decoder_event(&c)) {
        case BR_PEM_BEGIN_OBJ:
            snprintf(p->name, sizeof p->name, "%s", br_pem_decoder_name(&c));
            br_pem_decoder_setdest(&c, append, p);
            break;
        case BR_PEM_END_OBJ:
            p->ended = *p->name;
            break;
        case BR_PEM_ERROR:
            return;
        }
    }
}

/* SubjectPublicKeyInfo of an uncompressed point on P-256 (RFC 5480): its point stands behind bytes that never differ.
 */
static bool read_public(struct key *k, const struct pem *p)
{
    static const uint8_t before[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
                                     0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};
    if (p->length != sizeof before + sizeof k->public || memcmp(p->der, before, sizeof before) != 0)
        return false;
    memcpy(k->public, p->der + sizeof before, sizeof k->public);
    return true;
}

static bool compute_public(struct key *k, const br_ec_private_key *sk)
{
    uint8_t point[BR_EC_KBUF_PUB_MAX_SIZE];
    if (br_ec_compute_pub(br_ec_get_default(), NULL, point, sk) != 1 + sizeof k->public)
        return false;
    memcpy(k->public, point + 1, sizeof k->public);
    return true;
}

static bool read_private(struct key *k, const struct pem *p)
{
    br_skey_decoder_context c;
    br_skey_decoder_init(&c);
    br_skey_decoder_push(&c, p->der, p->length);
    const br_ec_private_key *sk = br_skey_decoder_key_type(&c) == BR_KEYTYPE_EC ? br_skey_decoder_get_ec(&c) : NULL;
    if (!sk || sk->curve != BR_EC_secp256r1 || sk->xlen > sizeof k->private || !compute_public(k, sk))
        return false;
    memcpy(k->private + sizeof k->private - sk->xlen, sk->x, sk->xlen);
    k->can_sign = true;
    return true;
}

int key_read(struct key *k, const char *path, struct mh_error *err)
{
    struct mh_error why;
    struct pem p;
    size_t length;
    char *text = read_file(path, &length, &why);
    memset(k, 0, sizeof *k);
    if (!text)
        return mh_fail(err, "%.900s; " REMEDY, why.text);
    decode(&p, text, length);
    free(text);
    if (!p.ended || p.too_long)
        return mh_fail(err, "%s: no key in PEM (-----BEGIN PRIVATE KEY-----, or PUBLIC); " REMEDY, path);
    if (strcmp(p.name, "PUBLIC KEY") ? read_private(k, &p) : read_public(k, &p))
        return 0;
    return mh_fail(err, "%s: its %s is none on the curve P-256; " REMEDY, path, p.name);
}

static int seed(br_hmac_drbg_context *random, struct mh_error *err)
{
    br_prng_seeder seeder = br_prng_seeder_system(NULL);
    br_hmac_drbg_init(random, &br_sha256_vtable, NULL, 0);
    return seeder && seeder(&random->vtable) ? 0 : mh_fail(err, "the system has no source of randomness for a key");
}

/* Not through write_file(): it makes files that others can read. */
static int write_private(const char *path, const char *text, size_t length, struct mh_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return mh_fail(err, "%s: the key cannot be written: %s", path, strerror(errno));
    const bool written = write(fd, text, length) == (ssize_t)length;
    if (close(fd) || !written) {
        unlink(path);
        return mh_fail(err, "%s: the key cannot be written: %s", path, strerror(errno));
    }
    return 0;
}

static int write_pem(const char *path, const br_ec_private_key *sk, struct mh_error *err)
{
    uint8_t der[DER_MOST];
    char text[2 * DER_MOST];
    const size_t length = br_encode_ec_pkcs8_der(NULL, sk, NULL);
    if (!length || length > sizeof der || br_pem_encode(NULL, NULL, length, "PRIVATE KEY", 0) >= sizeof text)
        return mh_fail(err, "%s: the key cannot be encoded", path);
    br_encode_ec_pkcs8_der(der, sk, NULL);
    return write_private(path, text, br_pem_encode(text, der, length, "PRIVATE KEY", 0), err);
}

int key_make(const char *path, struct mh_error *err)
{
    br_hmac_drbg_context random;
    br_ec_private_key sk;
    uint8_t bytes[BR_EC_KBUF_PRIV_MAX_SIZE];
    if (seed(&random, err))
        return -1;
    if (!br_ec_keygen(&random.vtable, br_ec_get_default(), &sk, bytes, BR_EC_secp256r1))
        return mh_fail(err, "%s: BearSSL made no key", path);
    return write_pem(path, &sk, err);
}
