/* Keys in PEM files, beside OpenSSL, which made those here. */
#include "unit/test.h"

#include <sys/stat.h>

#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/pem.h>

#include "boot_fixture.h"
#include "mcu/signed.h"
#include "unit/temp_dir.h"

static const char sec1[] = "-----BEGIN EC PRIVATE KEY-----\n"
                           "MHcCAQEEIHWBcleDu6WEsvyuAvQbrI5tvAn4YMV0VjO8jj6cXSjfoAoGCCqGSM49\n"
                           "AwEHoUQDQgAEVy+wV6q1oDgik9orgwbSXUpQt/M0qF7kAsf/PPNyTFcj8K7sQN4s\n"
                           "+8Cljp5tmX5+o0UVOziHg2p2LYfOAx4bxw==\n"
                           "-----END EC PRIVATE KEY-----\n";
static const char pkcs8[] = "-----BEGIN PRIVATE KEY-----\n"
                            "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdYFyV4O7pYSy/K4C\n"
                            "9Busjm28CfhgxXRWM7yOPpxdKN+hRANCAARXL7BXqrWgOCKT2iuDBtJdSlC38zSo\n"
                            "XuQCx/8883JMVyPwruxA3iz7wKWOnm2Zfn6jRRU7OIeDanYth84DHhvH\n"
                            "-----END PRIVATE KEY-----\n";
static const char spki[] = "-----BEGIN PUBLIC KEY-----\n"
                           "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVy+wV6q1oDgik9orgwbSXUpQt/M0\n"
                           "qF7kAsf/PPNyTFcj8K7sQN4s+8Cljp5tmX5+o0UVOziHg2p2LYfOAx4bxw==\n"
                           "-----END PUBLIC KEY-----\n";
static const char p384[] = "-----BEGIN PRIVATE KEY-----\n"
                           "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDACPELxZ5or0ypAfP6W\n"
                           "EsZpvd5WY1TIzmmgoTdmR8FNnD+jrOZdL0HkixBo6QBswG+hZANiAATq36+RDW3j\n"
                           "UX25vOndQNSQ04QvxChZMAsMjNeG2fdY2SemI3EAcVrp8vNx2jYE/s1TJkUT1+Y5\n"
                           "AkEAUKNcMSY4FxvCOJvwvkUTRr+YijC40UlxtE1Gwt+wAyLLAs+Bsjs=\n"
                           "-----END PRIVATE KEY-----\n";

static EVP_PKEY *of_openssl(const char *pem)
{
    BIO *text = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, NULL, NULL);
    BIO_free(text);
    assert_non_null(key);
    return key;
}

static void is_public_of(const struct key *k, EVP_PKEY *key)
{
    uint8_t point[1 + MH_BOOT_KEY_BYTES];
    size_t length;
    assert_int_equal(EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point, &length), 1);
    assert_int_equal(length, sizeof point);
    assert_memory_equal(k->public, point + 1, MH_BOOT_KEY_BYTES);
}

static struct key read_text(const char *pem)
{
    struct mh_error err;
    struct key k;
    assert_good(!write_file(in_base("k.pem"), pem, strlen(pem), &err), err);
    assert_good(!key_read(&k, in_base("k.pem"), &err), err);
    return k;
}

TEST(test_formats)
{
    EVP_PKEY *key = of_openssl(sec1);
    const struct key a = read_text(sec1), b = read_text(pkcs8), c = read_text(spki);
    is_public_of(&a, key);
    is_public_of(&b, key);
    is_public_of(&c, key);
    assert_true(a.can_sign && b.can_sign && !c.can_sign);
    assert_memory_equal(a.private, b.private, sizeof a.private);
    EVP_PKEY_free(key);
}

static void refused(const char *text, const char *why)
{
    struct mh_error err;
    struct key k;
    assert_good(!write_file(in_base("bad.pem"), text, strlen(text), &err), err);
    assert_int_equal(key_read(&k, in_base("bad.pem"), &err), -1);
    assert_has(err.text, why);
    assert_has(err.text, "bad.pem");
    assert_has(err.text, "--new-key");
}

TEST(test_no_keys)
{
    char cut[sizeof pkcs8];
    struct mh_error err;
    struct key k;
    refused(p384, "none on the curve P-256");
    refused("", "no key in PEM");
    refused("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "its PUBLIC KEY is none");
    refused("-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n", "its RSA PRIVATE KEY is none");
    for (size_t length = 0; length < strlen(pkcs8) - strlen("-----\n"); length++) {
        snprintf(cut, sizeof cut, "%.*s", (int)length, pkcs8);
        refused(cut, "no key in PEM");
    }
    assert_int_equal(key_read(&k, in_base("none.pem"), &err), -1);
    assert_has(err.text, "none.pem");
}

/* A new key is one, for its owner alone, and does not take the place of another. */
TEST(test_make)
{
    struct mh_error err;
    struct stat st;
    struct key k, other;
    assert_good(!key_make(in_base("new.pem"), &err), err);
    assert_good(!key_read(&k, in_base("new.pem"), &err), err);
    assert_true(k.can_sign);
    assert_int_equal(stat(in_base("new.pem"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(key_make(in_base("new.pem"), &err), -1);
    assert_has(err.text, "new.pem");
    assert_good(!key_make(in_base("other.pem"), &err), err);
    assert_good(!key_read(&other, in_base("other.pem"), &err), err);
    assert_memory_not_equal(k.private, other.private, sizeof k.private);
}

/* r and s of OpenSSL's signature of the slot's first bytes. */
static void sign_by_openssl(uint8_t *bytes, EVP_PKEY *key)
{
    uint8_t der[80];
    const uint8_t *at = der;
    size_t length = sizeof der;
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestSignInit(c, NULL, EVP_sha256(), NULL, key), 1);
    assert_int_equal(EVP_DigestSign(c, der, &length, bytes, BOOT_BYTES), 1);
    EVP_MD_CTX_free(c);
    ECDSA_SIG *sig = d2i_ECDSA_SIG(NULL, &at, (long)length);
    assert_non_null(sig);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_r(sig), bytes + BOOT_BYTES, 32), 32);
    assert_int_equal(BN_bn2binpad(ECDSA_SIG_get0_s(sig), bytes + BOOT_BYTES + 32, 32), 32);
    ECDSA_SIG_free(sig);
}

/* OpenSSL signs, and the ROM runs it. */
TEST(test_signature_by_openssl)
{
    static struct boot_machine m;
    const struct key k = read_text(sec1);
    struct boot_header h = boot_header_by_hand(5);
    EVP_PKEY *key = of_openssl(sec1);
    boot_machine_init(&m);
    boot_key_id(k.public, h.key_id);
    memcpy(m.key, k.public, sizeof m.key);
    boot_put(m.slot[0], &h);
    boot_machine_run(&m);
    assert_int_equal(m.choice.found[0], BOOT_SIGNATURE);
    sign_by_openssl((uint8_t *)m.slot[0], key);
    boot_machine_run(&m);
    assert_int_equal(m.choice.runs, 0);
    EVP_PKEY_free(key);
}

TEST_GROUP(.setup = make_base, .teardown = remove_base);
