/* Configurations of a test: files as text, rules between keys, and what is written of one. */
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

static inline void ready(struct mh_config *cfg, const char *workload)
{
    struct mh_error err;
    preset(cfg);
    assert_int_equal(mh_config_workload(cfg, workload, &err), 0);
}

static inline void resolve(struct mh_config *cfg)
{
    struct mh_error err;
    assert_good(!mh_config_resolve(cfg, &err), err);
}

/* A rule between keys is broken alone, by assignments to a configuration that works. */
static inline void refuse(const char *workload, const char *sets, const char *part)
{
    char copy[256];
    struct mh_config cfg;
    struct mh_error err = {""};
    ready(&cfg, workload);
    resolve(&cfg);
    ready(&cfg, workload);
    snprintf(copy, sizeof copy, "%s", sets);
    for (char *s = strtok(copy, " "); s; s = strtok(NULL, " "))
        if (mh_config_set(&cfg, s, &err)) /* a word that is none */
            break;
    if (!*err.text && mh_config_resolve(&cfg, &err) != -1)
        fail_msg("accepted: %s", sets);
    assert_has(err.text, part);
}

static inline void check_round_trip(const struct mh_config *cfg)
{
    struct mh_config back;
    struct mh_error err;
    size_t length;
    char *text = written(cfg, &length);
    memset(&back, 0x5a, sizeof back); /* every key is written: nothing of this may stay */
    memset(back.tenants, 0, sizeof back.tenants);
    memset(back.design, 0, sizeof back.design); /* one that was chosen before would be refused */
    assert_good(!load_bytes(&back, text, length, &err), err);
    assert_memory_equal(&back, cfg, sizeof back);
    free(text);
}

#endif
