#define _GNU_SOURCE
#include "plan.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/process.h"
#include "base/words.h"
#include "run/sim.h"
#include "run/setup.h"
#include "oracle.h"
#include "quantity.h"

enum { IMAGES = 256 };

/* An image is opened once; one that cannot be opened stays here with its error. */
struct plan_image {
    struct image image;
    char word[HOST_PATH + IMAGE_NAME];
    bool twin, good;
    struct mh_error error;
};

struct plan {
    char base[HOST_PATH];
    bool owned;  /* `base` goes with the plan */
    bool kept;   /* directories stay, and nothing is taken from the store */
    bool counts; /* they are read when all have run */
    struct store *store;
    struct kept_sim **sims;
    unsigned count, room;
    void *by_key; /* of tsearch(): the same */
    struct plan_image images[IMAGES];
    unsigned image_count;
    struct oracles *oracles;
};

struct plan *plan_new(const char *base)
{
    struct plan *p = must_have(1, sizeof *p);
    snprintf(p->base, sizeof p->base, "%s", base);
    p->oracles = oracles_new();
    return p;
}

struct plan *plan_open(const char *keep, struct mh_error *err)
{
    struct plan *p = plan_new("");
    if (!plan_directory(p, keep, err))
        return p;
    plan_free(p);
    return NULL;
}

int plan_directory(struct plan *p, const char *keep, struct mh_error *err)
{
    p->kept = keep;
    p->owned = !keep;
    return make_run_dir(p->base, keep, err);
}

int plan_store(struct plan *p, const char *results, struct mh_error *err)
{
    p->store = store_open(results, err);
    return p->store ? 0 : -1;
}

void plan_free(struct plan *p)
{
    if (p->owned && *p->base)
        remove_tree(p->base);
    if (p->store)
        store_close(p->store);
    tdestroy(p->by_key, free);
    for (unsigned i = 0; i < p->image_count; i++)
        if (p->images[i].good)
            image_close(&p->images[i].image);
    oracles_free(p->oracles);
    free(p->sims);
    free(p);
}

unsigned plan_count(const struct plan *p)
{
    return p->count;
}

struct kept_sim *const *plan_sims(const struct plan *p)
{
    return p->sims;
}

const struct image *plan_image(struct plan *p, const char *word, bool twin, struct mh_error *err)
{
    struct plan_image *im = p->images;
    for (; im < p->images + p->image_count; im++)
        if (im->twin == twin && !strcmp(im->word, word))
            break;
    if (im == p->images + IMAGES) {
        (void)mh_fail(err, "more than %d images", IMAGES);
        return NULL;
    }
    if (im == p->images + p->image_count) {
        p->image_count++;
        im->twin = twin;
        snprintf(im->word, sizeof im->word, "%s", word);
        im->good = !image_open(&im->image, word, twin, &im->error);
    }
    if (im->good)
        return &im->image;
    if (err)
        *err = im->error;
    return NULL;
}

static void add_sets(struct options *o, const struct variant *v)
{
    if (v->preset)
        o->preset = v->preset;
    for (unsigned i = 0; i < v->set_count; i++)
        o->sets[o->set_count++] = v->sets[i];
}

/* Resolved once more: the parts were equal before. */
static int divide_sms(struct mh_config *cfg, unsigned first, struct mh_error *err)
{
    struct mh_tenant_cfg *t = cfg->tenants;
    if (cfg->tenants_count != 2)
        return mh_fail(err, "partitions are of two tenants, here are %u", cfg->tenants_count);
    if (first >= cfg->sm.count)
        return mh_fail(err, "partitions: %u SMs for the first tenant leave none of %u for the second (sm.count)", first,
                       cfg->sm.count);
    t[0].sm_first = 0;
    t[1].sm_first = t[0].sm_count = first;
    t[1].sm_count = cfg->sm.count - first;
    return mh_config_resolve(cfg, err);
}

/* Behind all others, so that they are what the search is held against. */
static int ask_oracle(struct plan *p, const struct variant *own, const char *workload, struct options *o,
                      struct oracle_choice *choice, struct mh_error *err)
{
    const struct oracle_query q = {own->oracle, own->oracle_metric, o->preset, workload, o->sets, o->set_count};
    if (oracles_choose(p->oracles, &q, choice, err))
        return -1;
    o->sets[o->set_count++] = choice->split ? "sm.share=0" : "sm.share=1";
    return 0;
}

static int set_up(const struct options *o, const struct oracle_choice *choice, struct mh_config *cfg,
                  struct mh_error *err)
{
    if (setup_words(o, cfg, err))
        return -1;
    if (choice->kernels && choice->kernels != cfg->tenants_count)
        return mh_fail(err, "workload %.200s has %u tenants, its best combination is of %u", o->workload,
                       cfg->tenants_count, choice->kernels);
    for (unsigned t = 0; t < choice->kernels; t++)
        cfg->tenants[t].cta_limit = choice->ctas[t];
    return choice->kernels ? mh_config_resolve(cfg, err) : 0;
}

/* `own` may be NULL: what all variants of the measure have in common. */
static int configure(struct plan *p, const struct measure *m, const struct variant *own, const char *workload,
                     const struct plan_options *po, struct mh_config *cfg, struct mh_error *err)
{
    struct options o;
    struct oracle_choice choice = {.kernels = 0};
    char cycles[48], seed[48];
    options_init(&o);
    o.workload = workload;
    o.design = own && own->design ? own->design : m->common.design;
    snprintf(cycles, sizeof cycles, "run.cycles=%" PRIu64, m->cycles * po->times);
    snprintf(seed, sizeof seed, "run.seed=%" PRIu64, po->seed);
    o.sets[o.set_count++] = cycles;
    o.sets[o.set_count++] = seed;
    add_sets(&o, &m->common);
    if (own)
        add_sets(&o, own);
    for (unsigned i = 0; i < po->set_count && o.set_count < MAX_SETS; i++)
        o.sets[o.set_count++] = po->sets[i];
    if ((own && own->oracle && ask_oracle(p, own, workload, &o, &choice, err)) || set_up(&o, &choice, cfg, err))
        return -1;
    cfg->run.completions *= (uint32_t)po->times;
    return po->first_sms ? divide_sms(cfg, po->first_sms, err) : 0;
}

static int compare_keys(const void *a, const void *b)
{
    const struct kept_sim *x = a, *y = b;
    return strcmp(x->key.text, y->key.text);
}

/* `s`, or the one of its name that is already there. */
static struct kept_sim *find_or_add(struct plan *p, struct kept_sim *s)
{
    struct kept_sim **node = must(tsearch(s, &p->by_key, compare_keys));
    return *node;
}

static struct kept_sim *known(struct kept_sim *known, struct kept_sim *s)
{
    if (s->sim.cfg.run.log_series)
        known->sim.cfg.run.log_series = s->sim.cfg.run.log_series;
    free(s);
    return known;
}

struct kept_sim *plan_add(struct plan *p, struct kept_sim *s, const char *folder, struct mh_error *err)
{
    p->counts |= s->sim.view.counts;
    if (sim_key(&s->sim, &s->key, err) || path_join(s->sim.dir, p->base, folder, err)) {
        free(s);
        return NULL;
    }
    struct kept_sim *there = find_or_add(p, s);
    if (there != s)
        return known(there, s);
    p->sims = grow(p->sims, p->count, &p->room, sizeof *p->sims);
    p->sims[p->count++] = s;
    return s;
}

static struct kept_sim *keep(struct plan *p, struct kept_sim *s, struct mh_error *err)
{
    char folder[32];
    snprintf(folder, sizeof folder, "run-%u", p->count);
    return plan_add(p, s, folder, err);
}

static struct kept_sim *new_sim(const struct image *image, const char *what, const char *workload)
{
    struct kept_sim *s = must_have(1, sizeof *s);
    s->sim.image = image;
    snprintf(s->what, sizeof s->what, "%s%s %s", image->name, what, workload);
    return s;
}

/* A log changes no result: the run is the same as without. */
static void ask_series(const struct measure *m, struct kept_sim *s)
{
    if (values_need_series(m->expr))
        s->sim.cfg.run.log_series = BURST_CYCLES;
}

/* Alone on all SMs: resolved once more, because the shares of two were resolved before. */
static int use_whole_gpu(struct mh_config *alone, struct mh_error *err)
{
    alone->tenants[0].sm_first = alone->tenants[0].sm_count = 0;
    return mh_config_resolve(alone, err);
}

static int add_alone(struct plan *p, const struct measure *m, const struct mh_config *shared, bool twin,
                     struct point *out, struct mh_error *err)
{
    const struct image *baseline = plan_image(p, "baseline", twin, err);
    for (uint32_t t = 0; baseline && t < shared->tenants_count; t++) {
        struct kept_sim *s = new_sim(baseline, " alone", setup_kernel_name(&shared->tenants[t]));
        setup_alone(shared, t, &s->sim.cfg);
        ask_series(m, s);
        if (m->alone_whole && use_whole_gpu(&s->sim.cfg, err)) {
            free(s);
            return -1;
        }
        out->alone[t] = keep(p, s, err);
        if (!out->alone[t])
            return -1;
    }
    return baseline ? 0 : -1;
}

/* Alone runs have neither image nor design of a variant: what is compared does not move the yardstick. */
static int add_yardstick(struct plan *p, const struct measure *m, const char *workload, const struct plan_options *o,
                         bool twin, struct point *out, struct mh_error *err)
{
    struct mh_config *cfg = must_have(1, sizeof *cfg);
    int status = configure(p, m, NULL, workload, o, cfg, err) || add_alone(p, m, cfg, twin, out, err);
    free(cfg);
    return status ? -1 : 0;
}

/* What a run with CTA limits is called. */
static void name_limits(struct kept_sim *s)
{
    for (uint32_t t = 0; t < s->sim.cfg.tenants_count; t++)
        text_add(s->what, sizeof s->what, t ? "+" : ", CTAs ", "%u", s->sim.cfg.tenants[t].cta_limit);
}

/* The variant's image, with the parameters that the assignments of all set. */
static int word_of_image(const struct measure *m, const struct variant *v, const struct plan_options *o,
                         char word[IMAGE_NAME], struct mh_error *err)
{
    const char *sets[MAX_SETS];
    unsigned count = 0;
    for (unsigned i = 0; i < m->common.set_count; i++)
        sets[count++] = m->common.sets[i];
    for (unsigned i = 0; i < v->set_count; i++)
        sets[count++] = v->sets[i];
    for (unsigned i = 0; i < o->set_count && count < MAX_SETS; i++)
        sets[count++] = o->sets[i];
    return settings_word(word, IMAGE_NAME, v->image, sets, count, err);
}

static int add_run(struct plan *p, const struct measure *m, const struct variant *v, const char *workload,
                   const struct plan_options *o, bool twin, struct point *out, struct mh_error *err)
{
    char word[IMAGE_NAME];
    const struct image *image = word_of_image(m, v, o, word, err) ? NULL : plan_image(p, word, twin, err);
    struct kept_sim *s = image ? new_sim(image, v->design ? v->design : "", workload) : NULL;
    if (!s)
        return -1;
    if (v->design)
        snprintf(s->what, sizeof s->what, "%s %s %s", image->name, v->design, workload);
    if (configure(p, m, v, workload, o, &s->sim.cfg, err)) {
        free(s);
        return -1;
    }
    ask_series(m, s);
    if (v->oracle)
        name_limits(s);
    if (o->first_sms)
        text_add(s->what, sizeof s->what, ", ", "SMs of the first: %u", o->first_sms);
    out->run = keep(p, s, err);
    return out->run ? 0 : -1;
}

void plan_point(struct plan *p, const struct measure *m, const struct variant *v, const char *workload,
                const struct plan_options *o, struct point *out)
{
    bool twin = v->machine == MACHINE_ANY ? o->twin : v->machine == MACHINE_TWIN;
    struct mh_error why;
    memset(out, 0, sizeof *out);
    if (values_check(m->expr, &why) || add_run(p, m, v, workload, o, twin, out, &why) ||
        ((o->alone || values_need_alone(m->expr)) && add_yardstick(p, m, workload, o, twin, out, &why))) {
        out->run = NULL;
        snprintf(out->reason, sizeof out->reason, "%.390s", why.text);
    }
}

void plan_limits(struct plan *p, const struct point *like, const uint32_t *limits, struct point *out)
{
    struct mh_error why;
    struct kept_sim *s = must_have(1, sizeof *s);
    *out = *like;
    s->sim.image = like->run->sim.image;
    memcpy(&s->sim.cfg, &like->run->sim.cfg, sizeof s->sim.cfg);
    memcpy(s->what, like->run->what, sizeof s->what);
    for (uint32_t t = 0; t < s->sim.cfg.tenants_count; t++)
        s->sim.cfg.tenants[t].cta_limit = limits[t];
    name_limits(s);
    out->run = keep(p, s, &why);
    if (!out->run)
        snprintf(out->reason, sizeof out->reason, "%.390s", why.text);
}

unsigned plan_load(struct plan *p)
{
    return p->kept ? 0 : kept_load(p->sims, p->count, p->store);
}

int plan_run(struct plan *p, unsigned jobs)
{
    return kept_run(p->sims, p->count, p->store, jobs, p->kept || p->counts);
}

/* Runs of an image differ in their mcu; one that takes no time has none to speak of. */
static const char *core_words(const struct kept_sim *s, char text[static 64])
{
    const struct mh_config *c = &s->sim.cfg;
    if (s->sim.image->twin || !c->mcu.hz)
        return ", in no time";
    snprintf(text, 64, ", %.6g MHz, bus %" PRIu32, (double)c->mcu.hz / 1e6, c->mcu.bus_latency);
    return text;
}

bool plan_report_failures(const struct plan *p)
{
    char text[2048], core[64];
    bool good = true;
    for (unsigned i = 0; i < p->count; i++) {
        const struct kept_sim *s = p->sims[i];
        if (s->sim.state == SIM_STOPPED && !s->fleeting)
            continue;
        diagnose(&s->sim, text, sizeof text);
        if (*text) {
            colour_word(COLOUR_BAD, "memhelm:", stderr);
            if (!s->fleeting)
                fprintf(stderr, " %s, seed %" PRIu64 "%s:", s->what, s->sim.cfg.run.seed, core_words(s, core));
            fprintf(stderr, " %s\n", text);
        }
        good &= !*text;
    }
    return good;
}
