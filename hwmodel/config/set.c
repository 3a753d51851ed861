/* Changes from a command line: `key=value` and workload specifications. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "config/internal.h"
#include "memhelm/config_file.h"
#include "workload/workload.h"

/* tenants[N].member; -1 with no error text when `key` has another form. */
static int tenant_key(const char *key, unsigned long *index, const char **member)
{
    char *end;
    const char *open = key + strlen("tenants[");

    if (strncmp(key, "tenants[", strlen("tenants[")) || *open < '0' || *open > '9')
        return -1;
    *index = strtoul(open, &end, 10);
    if (strncmp(end, "].", 2))
        return -1;
    *member = end + 2;
    return 0;
}

static int set_tenant(struct mh_config *cfg, const char *key, const char *value, const char *where,
                      struct mh_error *err)
{
    unsigned long index;
    const char *member;

    if (tenant_key(key, &index, &member))
        return mh_fail(err, "%sa tenant's key looks like tenants[0].size", where);
    if (index >= cfg->tenants_count)
        return mh_fail(err, "%sthere are %u tenants: tenants[0] .. tenants[%u]; choose them with the workload first",
                       where, cfg->tenants_count, cfg->tenants_count ? cfg->tenants_count - 1 : 0);
    const struct mh_field *f = mh_field_find(&mh_tenant_fields, member);

    if (!f)
        return mh_field_unknown(&mh_tenant_fields, "", member, where, err);
    return mh_field_parse(f, &cfg->tenants[index], key, value, "", err);
}

static int set_key(struct mh_config *cfg, const char *key, const char *value, const char *where, struct mh_error *err)
{
    if (!strncmp(key, "tenants", strlen("tenants")))
        return set_tenant(cfg, key, value, where, err);
    if (!strcmp(key, "preset"))
        return mh_fail(err, "%sa preset replaces everything: choose it with --preset or in a file", where);
    if (!strcmp(key, "design"))
        return mh_fail(err, "%sa design comes before all other keys: choose it with --design or in a file", where);
    if (!strcmp(key, "base"))
        return mh_fail(err, "%sa base comes before all other keys of a file: name it there", where);
    const struct mh_field *f = mh_field_find(&mh_config_fields, key);

    if (f)
        return mh_field_parse(f, cfg, key, value, "", err);
    char section[MH_KEY_MAX];
    const char *dot = strchr(key, '.');

    snprintf(section, sizeof section, "%.*s", dot ? (int)(dot - key) : 0, key);
    if (mh_field_is_section(&mh_config_fields, section))
        return mh_field_unknown(&mh_config_fields, section, dot + 1, where, err);
    return mh_field_unknown(&mh_config_fields, "", key, where, err);
}

int mh_config_set(struct mh_config *cfg, const char *assignment, struct mh_error *err)
{
    char key[MH_KEY_MAX], where[MH_KEY_MAX + 8];
    const char *equals = strchr(assignment, '=');

    if (!equals || equals == assignment)
        return mh_fail(err, "'%.60s': an assignment looks like l2tlb.entries=256", assignment);
    if ((size_t)(equals - assignment) >= sizeof key / 2)
        return mh_fail(err, "'%.40s..': no key is that long", assignment);
    snprintf(key, sizeof key, "%.*s", (int)(equals - assignment), assignment);
    snprintf(where, sizeof where, "'%.40s': ", assignment);
    return set_key(cfg, key, equals + 1, where, err);
}

/* Whether what follows the colon is an input's file: its kernel takes one, and it is no number. */
static bool is_input(const char *kernel, const char *after)
{
    const struct mh_kernel *k = mh_kernel_find(kernel);

    return k && k->input && !(*after >= '0' && *after <= '9' && strspn(after, "0123456789kKMG") == strlen(after));
}

/* KERNEL[@launch=N]:FILE[@launch=N]: the launches come last. */
static int set_input(struct mh_tenant_cfg *t, const char *kernel, const char *file, const char *where,
                     struct mh_error *err)
{
    const char *launches = mh_launches_part(kernel);
    char text[2 * MH_PATH_MAX];

    if (*launches && *mh_launches_part(file))
        return mh_fail(err, "%s'%.64s' and '%.64s': leave out one", where, launches, mh_launches_part(file));
    snprintf(text, sizeof text, "%.*s:%s%s", (int)(launches - kernel), kernel, file, launches);
    return mh_field_parse(mh_field_find(&mh_tenant_fields, "kernel"), t, "kernel", text, where, err);
}

/* KERNEL[@VARIANT][@launch=N][:SIZE], KERNEL:FILE or trace:FILE[@launch=N]; `part` is modified. */
static int set_part(struct mh_tenant_cfg *t, char *part, const char *spec, struct mh_error *err)
{
    char where[128];

    snprintf(where, sizeof where, "workload '%.80s': ", spec);
    bool trace = !strncmp(part, "trace:", strlen("trace:"));
    char *colon = trace ? NULL : strchr(part, ':');

    if (colon)
        *colon = 0;
    if (!*part || (trace && !part[strlen("trace:")]))
        return mh_fail(err, "%san empty part; write KERNEL[@VARIANT][:SIZE], KERNEL:FILE or trace:FILE, joined by '+'",
                       where);
    if (colon && is_input(part, colon + 1))
        return set_input(t, part, colon + 1, where, err);
    if (mh_field_parse(mh_field_find(&mh_tenant_fields, "kernel"), t, "kernel", part, where, err))
        return -1;
    return colon ? mh_field_parse(mh_field_find(&mh_tenant_fields, "size"), t, "size", colon + 1, where, err) : 0;
}

/* The '+' behind this part, or NULL. One in the name of a kernel (B+Tree) does not count. */
static char *part_end(char *part)
{
    size_t name = 0;

    for (const struct mh_kernel *const *k = mh_kernels; *k; k++) {
        size_t length = strlen((*k)->name);

        if (length > name && !strncasecmp(part, (*k)->name, length) && strchr("+:@", part[length]))
            name = length;
    }
    return strchr(part + name, '+');
}

/* The tenants change only when all parts are right. */
int mh_config_workload(struct mh_config *cfg, const char *spec, struct mh_error *err)
{
    struct mh_tenant_cfg tenants[MH_MAX_TENANTS] = {0};
    uint32_t count = 0;
    char *copy = strdup(spec);

    if (!copy)
        return mh_fail(err, "out of memory");
    for (char *part = copy, *next; part; part = next) {
        next = part_end(part);
        if (next)
            *next++ = 0;
        int status = count == MH_MAX_TENANTS
                         ? mh_fail(err, "workload '%.80s': more than %d tenants", spec, MH_MAX_TENANTS)
                         : set_part(&tenants[count++], part, spec, err);

        if (status) {
            free(copy);
            return -1;
        }
    }
    free(copy);
    memcpy(cfg->tenants, tenants, sizeof tenants);
    cfg->tenants_count = count;
    return 0;
}
