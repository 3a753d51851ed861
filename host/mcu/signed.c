#include "signed.h"

#include <bearssl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../firmware/rom/verify.h"
#include "elf_private.h"
#include "memhelm/swap.h"
#include "base/memory.h"

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

int signed_path(const struct image *image, char path[HOST_PATH], struct mh_error *err)
{
    const size_t length = strlen(image->path), elf = strlen(".elf");
    const bool suffix = length > elf && !strcmp(image->path + length - elf, ".elf");
    const int n = snprintf(path, HOST_PATH, "%.*s.signed", (int)(suffix ? length - elf : length), image->path);
    return n < HOST_PATH ? 0 : mh_fail(err, "%.60s..: path of more than %d bytes", image->path, HOST_PATH - 1);
}

bool signed_named(const char *word)
{
    const size_t length = strlen(word), end = strlen(".signed");
    return length > end && !strcmp(word + length - end, ".signed");
}

bool signed_exists(const struct image *image)
{
    char path[HOST_PATH];
    return !signed_path(image, path, NULL) && !access(path, R_OK);
}

/* A signed image that is being made. */
struct draft_image {
    struct boot_header header;
    uint8_t bytes[MH_SLOT_BYTES];
    uint32_t length;
};

/* Whole words: up to three zero bytes follow. */
static int add_segment(struct draft_image *d, const struct elf *e, const Elf32_Phdr *p)
{
    struct boot_header *h = &d->header;
    const uint32_t length = (p->p_filesz + 3) / 4 * 4;
    if (h->segments == MH_BOOT_SEGMENTS || length > sizeof d->bytes - MH_BOOT_SIGNATURE_BYTES - d->length ||
        !elf_fetch(e, p->p_offset, d->bytes + d->length, p->p_filesz))
        return -1;
    h->segment[h->segments++] = (struct boot_segment){p->p_paddr, length};
    d->length += length;
    return 0;
}

static int add_segments(struct draft_image *d, const struct image *image, struct mh_error *err)
{
    Elf32_Phdr p;
    for (unsigned i = 0; elf_segment(image->elf, i, &p); i++)
        if (p.p_type == PT_LOAD && p.p_filesz && add_segment(d, image->elf, &p))
            return mh_fail(err, "%s: more than %u segments, or %u bytes, to be loaded: a signed image has no more",
                           image->path, MH_BOOT_SEGMENTS, MH_SLOT_BYTES);
    return 0;
}

/* A header that the boot ROM would refuse is found here. */
static int check(const struct draft_image *d, const struct image *image, struct mh_error *err)
{
    struct boot_header h;
    const enum mh_boot found = header_read(d->bytes, MH_SLOT_BYTES, &h);
    return found == BOOT_UNTRIED ? 0 : mh_fail(err, "%s: %s", image->path, mh_boot_texts[found]);
}

static void write_header(struct draft_image *d, const struct image *image, const struct key *key, uint32_t version)
{
    struct boot_header *h = &d->header;
    h->length = d->length + MH_BOOT_SIGNATURE_BYTES;
    h->entry = image->elf->head.e_entry;
    h->version = version;
    h->registers = MH_REGISTERS_VERSION;
    boot_key_id(key->public, h->key_id);
    header_write(h, d->bytes);
}

static int sign(struct draft_image *d, const struct key *key, struct mh_error *err)
{
    uint8_t hash[MH_BOOT_HASH_BYTES], x[KEY_PRIVATE_BYTES];
    const br_ec_private_key sk = {.curve = BR_EC_secp256r1, .x = x, .xlen = sizeof x};
    br_sha256_context c;
    memcpy(x, key->private, sizeof x);
    br_sha256_init(&c);
    br_sha256_update(&c, d->bytes, d->length);
    br_sha256_out(&c, hash);
    const size_t n =
        br_ecdsa_sign_raw_get_default()(br_ec_get_default(), &br_sha256_vtable, hash, &sk, d->bytes + d->length);
    d->length += (uint32_t)n;
    return n == MH_BOOT_SIGNATURE_BYTES ? 0 : mh_fail(err, "BearSSL made no signature");
}

int signed_write(const struct image *image, const struct key *key, uint32_t version, const char *path,
                 char hash[HASH_TEXT], struct mh_error *err)
{
    struct draft_image *d = must_have(1, sizeof *d);
    d->length = MH_BOOT_HEADER_BYTES;
    int status = add_segments(d, image, err);
    if (!status) {
        write_header(d, image, key, version);
        status = check(d, image, err);
    }
    if (!status) {
        hash_text((const char *)d->bytes, d->length, hash);
        status = sign(d, key, err) || write_file(path, (const char *)d->bytes, d->length, err) ? -1 : 0;
    }
    free(d);
    return status;
}

/* --- As the boot ROM sees it. */

struct machine {
    uint32_t itcm[MH_ITCM_BYTES / 4], dtcm[MH_DTCM_BYTES / 4];
    uint32_t slot[MH_BOOT_SLOTS][MH_SLOT_BYTES / 4];
};

static const uint8_t *memory_at(const struct machine *m, uint32_t address)
{
    return address - MH_ITCM_BASE < MH_ITCM_BYTES ? (const uint8_t *)m->itcm + (address - MH_ITCM_BASE)
                                                  : (const uint8_t *)m->dtcm + (address - MH_DTCM_BASE);
}

static bool same_memory(const struct machine *m, const struct image *image)
{
    const struct elf *e = image->elf;
    Elf32_Phdr p;
    for (unsigned i = 0; elf_segment(e, i, &p); i++)
        if (p.p_type == PT_LOAD && p.p_filesz && memcmp(memory_at(m, p.p_paddr), e->data + p.p_offset, p.p_filesz) != 0)
            return false;
    return true;
}

static uint32_t filled_once(uint32_t slot)
{
    (void)slot;
    return 2;
}

/* Is it an image that runs, but not this one? */
static bool is_other(struct machine *m, const struct image *image, const struct key *key)
{
    struct boot_kept kept = {0};
    const struct boot_context context = {
        .trust = {.key = key->public, .registers = MH_REGISTERS_VERSION},
        .memory = {m->itcm, m->dtcm},
        .slots = {.at = {m->slot[0], m->slot[1]}, .fills = filled_once},
        .kept = &kept,
    };
    struct boot_choice choice;
    boot_choose(&context, BOOT_NO_SLOT, &choice);
    return choice.runs == 0 && (choice.entry != image->elf->head.e_entry || !same_memory(m, image));
}

static int check_slot(struct machine *m, const struct image *image, const char *path, const struct key *key,
                      struct mh_error *err)
{
    struct mh_error why;
    size_t length;
    char *bytes = access(path, F_OK) ? NULL : read_file(path, &length, &why);
    if (!bytes)
        return access(path, F_OK) ? mh_fail(err, "image %s is not signed (no file %s): memhelm sign %s", image->name,
                                            path, image->name)
                                  : mh_fail(err, "%s", why.text);
    const bool fits = length <= MH_SLOT_BYTES;
    if (fits)
        memcpy(m->slot[0], bytes, length);
    free(bytes);
    if (!fits)
        return mh_fail(err, "%s: %zu bytes; a slot holds %u: it is no signed image", path, length, MH_SLOT_BYTES);
    return is_other(m, image, key)
               ? mh_fail(err, "%s: signed, but of another build or other parameters than %s: memhelm sign %s", path,
                         image->path, image->name)
               : 0;
}

int signed_check(const struct image *image, const char *path, const struct key *key, struct mh_error *err)
{
    struct machine *m = must_have(1, sizeof *m);
    const int status = check_slot(m, image, path, key, err);
    free(m);
    return status;
}
