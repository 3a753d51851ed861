/* Simulations as processes, with a shell script in QEMU's place: how they end, the cache of alone runs. */
#include "unit/test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/store.h"
#include "run/sim.h"
#include "base/process.h"
#include "run/jobs.h"
#include "include/memhelm/record.h"
#include "run/setup.h"
#include "unit/temp_dir.h"

/* What it does is the image's path: -M memhelm,run=DIR -kernel PATH .. */
static const char script[] =
    "#!/bin/sh\n"
    "run=${2#memhelm,run=}\n"
    "case $4 in\n"
    "die) echo first >&2; echo 'last words' >&2; exit 7;;\n"
    "kill) kill -9 $$;;\n"
    "deaf) trap '' TERM; while :; do sleep 1; done;;\n"
    "lie) cp \"$RESULT\" \"$run/result.json\"; exit 3;;\n"
    "cut) echo '{' > \"$run/result.json\"; exit 0;;\n"
    "fault) cp \"$FAULT\" \"$run/result.json\"; echo 'uart: bye' > \"$run/uart.log\"; exit 2;;\n"
    "*) cp \"$RESULT\" \"$run/result.json\"; exit 0;;\n"
    "esac\n";

static struct mh_config cfg;

static void write_result(const char *name, enum mh_end end)
{
    struct mh_result r = {.end = end, .stats = {.cycles = 77, .tenants = 1}};
    struct mh_error err;
    r.stats.tenant[0].lane_instr = 770;
    if (end != MH_END_PASS) {
        r.fault = (struct mh_fault){.pc = 0x100010, .ra = 0x100020, .cause = 5};
        strcpy(r.fault.reason, "unexpected trap");
    }
    assert_int_equal(mh_result_write(&r, in_base(name), &err), 0);
}

static int setup(void **state)
{
    struct mh_error err;
    if (make_base(state) || write_file(in_base("qemu"), script, strlen(script), &err) || chmod(in_base("qemu"), 0755))
        return -1;
    setenv("MEMHELM_QEMU", in_base("qemu"), 1);
    setenv("RESULT", in_base("pass.json"), 1);
    setenv("FAULT", in_base("fault.json"), 1);
    setenv("XDG_CACHE_HOME", in_base("cache"), 1);
    write_result("pass.json", MH_END_PASS);
    write_result("fault.json", MH_END_FAULT);
    signals_catch();
    return mh_config_preset(&cfg, "mask", &err) || mh_config_workload(&cfg, "GUPS", &err) ||
           mh_config_set(&cfg, "mcu.core=ipc1", &err) || mh_config_resolve(&cfg, &err);
}

/* An image whose path tells the script what to do. */
static struct sim *sim_of(const char *behaviour, unsigned number)
{
    struct image *image = calloc(1, sizeof *image);
    struct sim *s = calloc(1, sizeof *s);
    char name[32];
    assert_true(image && s);
    strcpy(image->name, "img");
    snprintf(image->path, sizeof image->path, "%s", behaviour);
    snprintf(name, sizeof name, "run-%u", number);
    s->image = image;
    memcpy(&s->cfg, &cfg, sizeof cfg);
    assert_int_equal(path_join(s->dir, base, name, NULL), 0);
    return s;
}

static void drop(struct sim *s)
{
    remove_tree(s->dir);
    free((void *)s->image);
    free(s);
}

/* Runs one; the caller drops it. */
static struct sim *run(const char *behaviour)
{
    struct sim *s = sim_of(behaviour, 0);
    assert_int_equal(jobs_run(&s, 1, 1, NULL), 0);
    return s;
}

static void assert_lost(const char *behaviour, const char *part)
{
    char text[1024];
    struct sim *s = run(behaviour);
    assert_int_equal(s->state, SIM_LOST);
    diagnose(s, text, sizeof text);
    assert_has(text, part);
    drop(s);
}

TEST(test_passes)
{
    char text[1024];
    struct mh_config back;
    struct mh_error err;
    struct sim *s = run("good");
    char path[HOST_PATH];

    assert_int_equal(s->state, SIM_DONE);
    assert_int_equal(s->result.end, MH_END_PASS);
    assert_int_equal(s->result.stats.cycles, 77);
    diagnose(s, text, sizeof text);
    assert_string_equal(text, "");
    memset(&back, 0, sizeof back);
    assert_int_equal(path_join(path, s->dir, "config.yaml", &err), 0);
    assert_int_equal(mh_config_load(&back, path, &err), 0);
    assert_memory_equal(&back, &cfg, sizeof back);
    drop(s);
}

TEST(test_losses)
{
    assert_lost("die", "img: the simulation ended with exit code 7 without a result; its last line: last words");
    assert_lost("kill", "img: the simulation was killed by signal 9 without a result");
    assert_lost("lie", "the result says pass, but the simulation ended with exit code 3");
    assert_lost("cut", "result.json:");
}

TEST(test_fault)
{
    char text[1024];
    struct sim *s = run("fault");

    assert_int_equal(s->state, SIM_DONE);
    diagnose(s, text, sizeof text);
    assert_string_equal(text, "img ended in a fault at GPU cycle 77: unexpected trap\n"
                              "  pc 0x00100010 in no function, called from 0x00100020 in no function\n"
                              "  mcause 0x00000005: load access fault\n"
                              "  last line of the console: uart: bye");
    drop(s);
}

TEST(test_no_qemu)
{
    setenv("MEMHELM_QEMU", in_base("nothing"), 1);
    assert_lost("good", "cannot be executed: No such file or directory");
    setenv("MEMHELM_QEMU", in_base("qemu"), 1);
}

/* One that is over its time is lost, though it does not hear SIGTERM; the others are as ever. */
TEST(test_timeout)
{
    jobs_limit(1);
    struct sim *list[2] = {sim_of("deaf", 0), sim_of("good", 1)};
    double start = wall_seconds();
    assert_int_equal(jobs_run(list, 2, 1, NULL), 0);
    assert_true(wall_seconds() - start < 8);
    assert_int_equal(list[0]->state, SIM_LOST);
    assert_non_null(strstr(list[0]->error.text, "img: not finished after 1 s, and ended (--timeout): "));
    assert_int_equal(list[1]->state, SIM_DONE);
    drop(list[0]);
    drop(list[1]);
    jobs_limit(0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static void key_of(struct sim *s, char text[HASH_TEXT])
{
    struct sim_key key;
    struct mh_error err;
    assert_good(!sim_key(s, &key, &err), err);
    strcpy(text, key.text);
}

TEST(test_cache_key)
{
    struct sim *s = sim_of("good", 0);
    char a[HASH_TEXT], b[HASH_TEXT];

    key_of(s, a);
    s->cfg.run.log_epochs = 1;
    strcpy(s->dir, "elsewhere");
    key_of(s, b);
    assert_string_equal(a, b);
    s->cfg.run.seed++;
    key_of(s, b);
    assert_string_not_equal(a, b);
    s->cfg.run.seed--;
    s->cfg.tenants[0].sm_first++;
    key_of(s, b);
    assert_string_not_equal(a, b);
    s->cfg.tenants[0].sm_first--;
    strcpy(((struct image *)s->image)->sha256, "another");
    key_of(s, b);
    assert_string_not_equal(a, b);
    ((struct image *)s->image)->twin = true;
    key_of(s, a);
    assert_string_not_equal(a, b);
    drop(s);
}

/* NULL: it cannot be used. */
static struct store *open_store(void)
{
    struct mh_error err;
    return store_open(NULL, &err);
}

/* As a later call: with the store opened anew. */
static bool is_kept(const char *key, struct sim *s)
{
    struct store *st = open_store();
    bool found = st && store_find(st, key, s);
    if (st)
        store_close(st);
    return found;
}

static void keep(const char *key, const struct sim *s)
{
    struct store *st = open_store();
    struct mh_error err;
    assert_non_null(st);
    assert_good(!store_keep(st, key, "alone", s, &err), err);
    store_close(st);
}

TEST(test_store)
{
    char key[HASH_TEXT];
    struct sim *again = sim_of("good", 1), *s = run("fault");
    struct mh_error err;

    key_of(s, key);
    assert_false(is_kept(key, again));
    keep(key, s); /* did not pass: not kept */
    assert_false(is_kept(key, again));
    drop(s);
    s = run("good");
    keep(key, s);
    assert_true(is_kept(key, again));
    assert_int_equal(again->state, SIM_DONE);
    assert_memory_equal(&again->result, &s->result, sizeof s->result);
    again->state = SIM_WAITING;
    assert_int_equal(write_file(in_base("cache/memhelm/results.sqlite"), "no data base, but text", 22, &err), 0);
    assert_null(open_store());
    assert_int_equal(again->state, SIM_WAITING);
    drop(s);
    drop(again);
}

/* Alone on the SMs of the shared run, be they shared or not: the same configuration, and so the same cached run. */
TEST(test_alone_on_shared_sms)
{
    struct mh_config both, own, shared;

    memset(&both, 0, sizeof both);
    both.sm.count = 30;
    both.tenants_count = 2;
    for (uint32_t t = 0; t < 2; t++) {
        both.tenants[t].asid = t + 1;
        both.tenants[t].sm_count = 30;
    }
    setup_alone(&both, 1, &own);
    both.sm.share = 1;
    setup_alone(&both, 1, &shared);
    assert_memory_equal(&own, &shared, sizeof own);
    assert_int_equal(shared.tenants_count, 1);
    assert_int_equal(shared.tenants[0].asid, 2);
    assert_int_equal(shared.tenants[0].sm_count, 30);
}

static int configure(const char *workload, struct mh_config *out, struct mh_error *err)
{
    struct options o;
    options_init(&o);
    o.workload = workload;
    return setup_config(&o, out, err);
}

TEST(test_workloads_are_completed)
{
    struct mh_config c;
    struct mh_error err;

    assert_int_equal(configure("mvt+GUPS", &c, &err), 0);
    assert_string_equal(c.tenants[0].kernel, "MVT");
    assert_true(c.tenants[0].size > 0);
    assert_int_equal(configure("NONE", &c, &err), -1);
    assert_non_null(strstr(err.text, "unknown kernel 'NONE'; there are: MVT"));
    assert_int_equal(configure("MVT:1", &c, &err), -1);
    assert_non_null(strstr(err.text, "tenants[0].size: MVT: size 1 is out of range: matrix order, 32 to 32768"));
    assert_int_equal(configure("GUPS+LUD:100", &c, &err), -1);
    assert_non_null(strstr(err.text, "tenants[1].size: LUD: size 100 is not a multiple of 16"));
    assert_int_equal(configure(NULL, &c, &err), -1);
    assert_non_null(strstr(err.text, "--workload MVT+GUPS"));
    assert_int_equal(configure("trace:/nonexistent.gmt", &c, &err), -1);
    assert_non_null(strstr(err.text, "/nonexistent.gmt"));
}

/* A trace and its .pcs.json under another name are the same input. */
TEST(test_trace_identity)
{
    char copy[HOST_PATH + 8];
    struct mh_config a, b, ia, ib;
    struct mh_error err;

    assert_int_equal(copy_file(MH_TEST_DATA "/pb_atax_k1.w64.gmt.zst", in_base("copy.gmt.zst"), &err), 0);
    assert_int_equal(copy_file(MH_TEST_DATA "/pb_atax_k1.pcs.json", in_base("copy.pcs.json"), &err), 0);
    snprintf(copy, sizeof copy, "trace:%s", in_base("copy.gmt.zst"));
    assert_int_equal(configure("trace:" MH_TEST_DATA "/pb_atax_k1.w64.gmt.zst", &a, &err), 0);
    assert_int_equal(configure(copy, &b, &err), 0);
    assert_memory_not_equal(&a, &b, sizeof a);
    assert_int_equal(setup_identity(&a, &ia, &err), 0);
    assert_int_equal(setup_identity(&b, &ib, &err), 0);
    assert_memory_equal(&ia, &ib, sizeof ia);
    assert_int_equal(strlen(ia.tenants[0].kernel), strlen("trace:") + 64);
    assert_string_equal(setup_kernel_name(&b.tenants[0]), "copy.gmt.zst");
    unlink(in_base("copy.pcs.json")); /* its loads count as used at once */
    assert_int_equal(setup_identity(&b, &ib, &err), 0);
    assert_string_not_equal(ia.tenants[0].kernel, ib.tenants[0].kernel);
}

TEST_GROUP(.slow = true, .setup = setup, .teardown = remove_base);
