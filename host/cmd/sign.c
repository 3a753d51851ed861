#include <argp.h>
#include <stdio.h>

#include "argument.h"
#include "commands.h"
#include "mcu/signed.h"

static const char doc[] =
    "Signs a firmware image for `memhelm run --verify`, which boots it through the boot ROM: ECDSA P-256 over SHA-256 "
    "of a header and of all that the image loads. The same image, key and version give the same bytes.\v"
    "Examples:\n"
    "  memhelm sign mask && memhelm run mask --verify -w MVT+GUPS\n"
    "  memhelm sign mask --image-version 7 -o mask.signed && memhelm run mask.signed --verify -w GUPS\n"
    "  memhelm sign etc:throttle.degree=4 -o etc4.signed\n"
    "  memhelm sign --new-key own.pem\n"
    "  memhelm sign ./my.elf --key mine.pem\n"
    "\n"
    "Exit codes: 0 signed; 2 not signed, and why.";

enum { KEY_KEY = 0x100, KEY_VERSION, KEY_NEW };

static const struct argp_option options[] = {
    {"key", KEY_KEY, "FILE", 0, "Private key, PEM (default: the development key, which `make` creates)", 0},
    {"output", 'o', "FILE", 0, "The signed image (default: beside the image, NAME.signed, where run --verify looks)",
     0},
    {"image-version", KEY_VERSION, "N", 0,
     "Of the image, 1 to 4294967295 (default: 1); the boot ROM refuses one below run's --counter", 0},
    {"new-key", KEY_NEW, "FILE", 0, "Instead: make a private key and write it, PEM", 0},
    {0},
};

struct request {
    const char *image, *key, *out, *new_key;
    unsigned version;
};

static const struct take takes[] = {
    {KEY_KEY, TAKE_INPUT, .at = offsetof(struct request, key)},
    {'o', TAKE_FILE, .at = offsetof(struct request, out), .what = "a signed image"},
    {KEY_NEW, TAKE_FILE, .at = offsetof(struct request, new_key), .what = "a key"},
    {KEY_VERSION, TAKE_NUMBER, .at = offsetof(struct request, version), .most = UINT32_MAX},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct request *r = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (r->image)
            argp_error(state, "one image at a time; %s is one more", arg);
        argument_meant(arg, MEANT_IMAGE, state);
        r->image = arg;
        return 0;
    case ARGP_KEY_END:
        if (!r->image == !r->new_key)
            argp_error(state, r->image ? "--new-key makes a key and signs nothing"
                                       : "which image? `memhelm list images` shows them");
        return 0;
    default:
        return argument_take(takes, r, key, arg, state);
    }
}

const struct argp sign_argp = {.options = options, .parser = parse, .args_doc = "IMAGE", .doc = doc};

static int read_key(const struct request *r, struct key *key, char path[HOST_PATH], struct mh_error *err)
{
    if (r->key ? path_join(path, r->key, "", err) : key_development(path, err))
        return -1;
    if (key_read(key, path, err))
        return -1;
    return key->can_sign ? 0 : mh_fail(err, "%s: a public key signs nothing; give the private one", path);
}

static int sign(const struct request *r, const struct image *image, struct mh_error *err)
{
    char key_path[HOST_PATH], out[HOST_PATH], hash[HASH_TEXT];
    struct key key;
    files_input(image->path);
    if (read_key(r, &key, key_path, err) || files_check(err) ||
        (r->out ? path_join(out, r->out, "", err) : signed_path(image, out, err)) ||
        signed_write(image, &key, r->version ? r->version : 1, out, hash, err))
        return -1;
    printf("%s: version %u of %s, signed with %s\nsha256 %s\n", out, r->version ? r->version : 1, image->name, key_path,
           hash);
    return 0;
}

static int open_and_sign(const struct request *r, struct mh_error *err)
{
    struct image image;
    if (image_open(&image, r->image, false, err))
        return -1;
    const int status = sign(r, &image, err);
    image_close(&image);
    return status;
}

int cmd_sign(int argc, char **argv)
{
    struct request r = {0};
    struct mh_error err;
    command_parse(&sign_argp, argc, argv, &r);
    const int status = r.new_key ? key_make(r.new_key, &err) : open_and_sign(&r, &err);
    return status ? bad_input(&err) : EXIT_PASSED;
}
