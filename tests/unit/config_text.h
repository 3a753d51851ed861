/* Configuration files of a test: text in, configuration or error text out. */
#ifndef TESTS_CONFIG_TEXT_H
#define TESTS_CONFIG_TEXT_H

#include <unistd.h>
#include "unit/test.h"

#include "memhelm/config_file.h"

/* Loads `text` over *cfg from a file; in err.text its path is replaced by "F". */
static inline int load_bytes(struct mh_config *cfg, const char *text, size_t length, struct mh_error *err)
{
    char path[] = "/tmp/memhelm-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), length);
    close(fd);
    err->text[0] = 0;
    int status = mh_config_load(cfg, path, err);
    unlink(path);
    if (!strncmp(err->text, path, strlen(path))) {
        err->text[0] = 'F';
        memmove(err->text + 1, err->text + strlen(path), strlen(err->text + strlen(path)) + 1);
    }
    return status;
}

static inline int load_text(struct mh_config *cfg, const char *text, struct mh_error *err)
{
    return load_bytes(cfg, text, strlen(text), err);
}

static inline void preset(struct mh_config *cfg)
{
    struct mh_error err;
    assert_int_equal(mh_config_preset(cfg, "mask", &err), 0);
}

/* The whole configuration as YAML; free() it. */
static inline char *written(const struct mh_config *cfg, size_t *length)
{
    struct mh_error err;
    char *text = NULL;
    FILE *f = open_memstream(&text, length);
    assert_int_equal(mh_config_write(cfg, f, &err), 0);
    fclose(f);
    return text;
}

#endif
