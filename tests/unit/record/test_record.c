/* What a run leaves behind: the same input, the same bytes; read back as written; logs as the header says. */
#include "unit/test.h"

#include <unistd.h>

#include "memhelm/config_file.h"
#include "memhelm/registers.h"
#include "memhelm/record.h"

static struct mh_error err;

static char dir[] = "/tmp/memhelm-test-XXXXXX";

static int setup(void **)
{
    strcpy(dir + strlen(dir) - 6, "XXXXXX");
    return mkdtemp(dir) ? 0 : -1;
}

static const char *in_dir(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
    return path[turn];
}

static int teardown(void **)
{
    static const char *const names[] = {"result.json", "epochs.csv", "registers.log", "progress", "a.json", "b.json"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_dir(names[i]));
    return rmdir(dir);
}

/* The file's text; the caller frees it. */
static char *slurp(const char *name)
{
    FILE *f = fopen(in_dir(name), "r");
    assert_non_null(f);
    char *text = calloc(1, 1 << 16);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 0);
    fclose(f);
    return text;
}

static void spit(const char *name, const char *text)
{
    FILE *f = fopen(in_dir(name), "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

static void number_recovery(struct mh_recovery *r, uint64_t n)
{
#define MH_RECOVERY_FIELD(name) r->name = (__typeof__(r->name))n++;
#include "record/fields.def"
    r->first = (struct mh_fault){.pc = 0x00abcdef, .ra = 0x00100abc, .cause = 1};
    strcpy(r->first.reason, "a wild jump");
}

/* A different number in every field. */
static struct mh_result numbered(enum mh_end end)
{
    struct mh_result r = {.end = end};
    uint64_t n = 1000;
    r.stats.tenants = 2;
    for (uint32_t t = 0; t < 2; t++) {
        struct mh_counters *c = &r.stats.tenant[t];
#define MH_TENANT_COUNTER(name, field, unit, doc) c->field = n++;
#include "memhelm/registers.def"
    }
    r.stats.cycles = (1ull << 40) + 5;
    r.stats.walker_queues = 3;
    if (end != MH_END_HANG) /* no tenant has finished */
        r.stats.completed[1] = (struct mh_completed){(1ull << 40) + 3, (1ull << 41) + 7};
#define NUMBER_TENANT(field)                                                                                           \
    for (uint32_t t = 0; t < 2; t++)                                                                                   \
    r.stats.knobs.field[t] = (uint32_t)n++
#define NUMBER_SM_MASK(field)                                                                                          \
    for (uint32_t w = 0; w < MH_SM_WORDS; w++)                                                                         \
    r.stats.knobs.field[w] = (uint32_t)n++
#define NUMBER_GPU(field) r.stats.knobs.field = (uint32_t)n++
#define NUMBER_WALKER(field)                                                                                           \
    for (uint32_t w = 0; w < 3; w++)                                                                                   \
    r.stats.knobs.field[w] = (uint32_t)n++
#define NUMBER_TENANT_SM(field)          (void)0 /* in no file */
#define MH_KNOB(name, field, shape, ...) NUMBER_##shape(field);
#include "memhelm/registers.def"
#define MH_CONTROL_FIELD(name) r.stats.control.name = (__typeof__(r.stats.control.name))n++;
#define MH_MCU_DECISION(prefix, source)                                                                                \
    r.mcu.decision[MH_SOURCE_##source] = (struct mh_decisions){n, n + 1, n + 2, n + 3}, n += 4;
#define MH_MCU_FIELD(name)      r.mcu.name = (__typeof__(r.mcu.name))n++;
#define MH_MCU_RARE_FIELD(name) r.mcu.name = end == MH_END_PASS ? 0 : (__typeof__(r.mcu.name))n++;
#include "record/fields.def"
    for (uint32_t source = 0; source < MH_SOURCES; source++) {
#define MH_SOURCE_FIELD(name) r.stats.control.source[source].name = n++;
#include "record/fields.def"
    }
    if (end != MH_END_FAIL) /* the one without any */
        number_recovery(&r.mcu.recovery, n);
    if (end != MH_END_PASS) {
        r.fault = (struct mh_fault){.pc = 0xfffffffe, .ra = 2, .cause = 0x80000007, .exit_code = 9};
        strcpy(r.fault.reason, "because of \"this\"\n");
    }
    return r;
}

static void check_round_trip(enum mh_end end)
{
    struct mh_result r = numbered(end), back;
    assert_int_equal(mh_result_write(&r, in_dir("a.json"), &err), 0);
    assert_int_equal(mh_result_write(&r, in_dir("b.json"), &err), 0);
    assert_int_not_equal(access(in_dir("a.json.tmp"), F_OK), 0);
    char *a = slurp("a.json"), *b = slurp("b.json");
    assert_string_equal(a, b);
    assert_non_null(strstr(a, "\"schema\": \"memhelm-record-1\""));
    free(a);
    free(b);
    assert_good(!mh_record_read(in_dir("a.json"), &back, &err), err);
    assert_memory_equal(&back, &r, sizeof r);
}

TEST(test_round_trip)
{
    check_round_trip(MH_END_PASS);
    check_round_trip(MH_END_FAIL);
    check_round_trip(MH_END_FAULT);
    check_round_trip(MH_END_HANG);
}

/* Every member of the statistics is in the table of fields, or is left out on purpose. */
TEST(test_table_is_complete)
{
    size_t control = 0, mcu = 0, source = 0, recovery = 0;

#define MH_CONTROL_FIELD(name)  control += sizeof((struct mh_control_stats *)0)->name;
#define MH_MCU_DECISION(...)    mcu += sizeof(struct mh_decisions);
#define MH_MCU_FIELD(name)      mcu += sizeof((struct mh_mcu_stats *)0)->name;
#define MH_MCU_RARE_FIELD(name) mcu += sizeof((struct mh_mcu_stats *)0)->name;
#define MH_SOURCE_FIELD(name)   source += sizeof((struct mh_source_stats *)0)->name;
#define MH_RECOVERY_FIELD(name) recovery += sizeof((struct mh_recovery *)0)->name;
#include "record/fields.def"
    assert_int_equal(source, sizeof(struct mh_source_stats));
    assert_int_equal((control + 7) / 8 * 8 + MH_SOURCES * source, sizeof(struct mh_control_stats));
    assert_int_equal((mcu + 7) / 8 * 8, offsetof(struct mh_mcu_stats, recovery));
    assert_int_equal((recovery + 7) / 8 * 8, offsetof(struct mh_recovery, first));
}

static void refuse(const char *text, const char *part)
{
    struct mh_result back;
    spit("a.json", text);
    if (mh_record_read(in_dir("a.json"), &back, &err) != -1)
        fail_msg("accepted: %s", text);
    assert_has(err.text, part);
}

/* b.json, with other text in place of the first number behind `key`. */
static void refuse_number(const char *key, const char *text, const char *part)
{
    static char changed[1 << 17];
    char *whole = slurp("b.json"), *at = strstr(whole, key);
    assert_non_null(at);
    at += strlen(key);
    at += strcspn(at, "0123456789");
    size_t digits = strspn(at, "0123456789");
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - whole), whole, text, at + digits);
    free(whole);
    refuse(changed, part);
}

TEST(test_bad_files)
{
    struct mh_result r = numbered(MH_END_PASS), back;

    refuse("", "a.json:");
    refuse("{\n\"schema\": 1\n,}", "a.json:3:");
    refuse("[]", "'schema' is another one");
    refuse("{\"schema\": \"memhelm-record-2\"}", "'schema' is another one");
    refuse("{\"schema\": \"memhelm-record-1\"}", "'end' is none of pass");
    refuse("{\"schema\": \"memhelm-record-1\", \"end\": \"pass\"}", "'cycles' is missing");
    refuse("{\"schema\": \"memhelm-record-1\", \"end\": \"hang\"}", "'pc' is missing");
    refuse("{\"schema\": \"memhelm-record-1\", \"end\": \"pass\", \"cycles\": 1.5}", "'cycles' is not a whole number");
    refuse("{\"schema\": \"memhelm-record-1\", \"end\": \"pass\", \"cycles\": 5, \"tenants\": []}", "'tenants'");
    assert_int_equal(mh_result_write(&r, in_dir("b.json"), &err), 0);
    char *text = slurp("b.json"), *at = strstr(text, "\"snapshots\": ");
    assert_non_null(at);
    memcpy(at, "\"snapshot\":  ", 13);
    refuse(text, "'snapshots' is missing");
    free(text);
    refuse_number("\"cta_limit\": [", "-7", "'cta_limit' is below 0");
    refuse_number("\"cta_limit\": [", "5000000000", "'cta_limit' is out of range");
    refuse_number("\"cta_limit\": [", "null", "'cta_limit' is not a whole number");
    refuse_number("\"warp_instr\": ", "-7", "'warp_instr' is below 0");
    refuse_number("\"cycle\": ", "-7", "'cycle' is below 0");
    text = slurp("b.json");
    at = strstr(text, "\"completed\": [");
    assert_non_null(at);
    static char changed[1 << 17];
    snprintf(changed, sizeof changed, "%.*s\"completed\": [], \"x%s", (int)(at - text), text, at + 1);
    free(text);
    refuse(changed, "'completed' has not one member for each tenant");
    assert_int_equal(mh_record_read("/nonexistent/x.json", &back, &err), -1);
    assert_int_equal(mh_result_write(&r, "/nonexistent/x.json", &err), -1);
    assert_non_null(strstr(err.text, "/nonexistent/x.json.tmp: cannot write"));
}

static struct mh_gpu *small_gpu(struct mh_config *cfg)
{
    assert_int_equal(mh_config_preset(cfg, "mask", &err), 0);
    assert_int_equal(mh_config_workload(cfg, "GUPS+MVT:256", &err), 0);
    assert_int_equal(mh_config_set(cfg, "run.cycles=2500", &err), 0);
    assert_int_equal(mh_config_set(cfg, "run.log_epochs=1", &err), 0);
    assert_int_equal(mh_config_set(cfg, "run.log_registers=1", &err), 0);
    assert_int_equal(mh_config_resolve(cfg, &err), 0);
    struct mh_gpu *gpu = mh_gpu_create(cfg, &err);
    assert_good(gpu, err);
    return gpu;
}

/* Boot, one epoch answered, one missed. */
static void drive(struct mh_gpu *gpu)
{
    uint32_t value;
    mh_gpu_read(gpu, MH_REG_ID, 4, &value);
    mh_gpu_read(gpu, 0x3ffc, 4, &value);
    mh_gpu_write(gpu, MH_REG_TIMER_INTERVAL, 4, 1000);
    mh_gpu_write(gpu, MH_REG_TIMER_CTRL, 4, 2);
    mh_gpu_advance(gpu, 1200);
    mh_gpu_write(gpu, MH_REG_SNAPSHOT, 4, 1);
    mh_gpu_write(gpu, MH_REG_TOKENS, 4, 5);
    mh_gpu_write(gpu, MH_REG_COMMIT, 4, 1);
    mh_gpu_advance(gpu, 2500);
}

/* Behind the counters stand the knobs in the order of their table, but for those of walkers. */
static void assert_columns(const char *csv, const struct mh_knobs *k)
{
    char names[1024] = "", values[1024] = "";
    const uint32_t *mask = k->sm_throttle;
    snprintf(names, sizeof names, ",%s", mh_counter_names[MH_COUNTERS - 1]);
#define ADD(text, ...)       snprintf(text + strlen(text), sizeof text - strlen(text), __VA_ARGS__)
#define COLUMN_TENANT(field) (ADD(names, ",%s", #field), ADD(values, ",%u", k->field[0]))
#define COLUMN_GPU(field)    (ADD(names, ",%s", #field), ADD(values, ",%u", k->field))
#define COLUMN_SM_MASK(field)                                                                                          \
    (ADD(names, ",%s", #field), ADD(values, ",0x%08x%08x%08x%08x", mask[3], mask[2], mask[1], mask[0]))
#define COLUMN_WALKER(field)             (void)0
#define COLUMN_TENANT_SM(field)          (void)0
#define MH_KNOB(name, field, shape, ...) COLUMN_##shape(field);
#include "memhelm/registers.def"
    ADD(names, ",kernel\n0,1000,200,0,");
    ADD(values, ",GUPS\n0,1000,200,1,");
    assert_non_null(strstr(names, ",tokens,cta_limit,"));
    assert_non_null(strstr(csv, names));
    assert_non_null(strstr(
        values,
        ",5,32,32,0,0,65535,0,0,0,65535,0,0,0,0,0,0,0x00000000000000000000000000000000,0,0,0,1,1,2000000,1,2,3,4,"));
    assert_non_null(strstr(csv, values));
}

TEST(test_logs)
{
    struct mh_config cfg;
    struct mh_result back;
    struct mh_gpu *gpu = small_gpu(&cfg);
    struct mh_record *rec = mh_record_open(dir, &cfg, gpu, &err);

    assert_non_null(rec);
    drive(gpu);
    assert_true(mh_gpu_ended(gpu));
    assert_int_equal(mh_record_close(rec, gpu, MH_END_PASS,
                                     &(struct mh_mcu_stats){.decision[MH_SOURCE_EPOCH].count = 1}, NULL, &err),
                     0);
    char *log = slurp("registers.log");
    assert_string_equal(log, "0 R 0x0000 0x4d48454c ok\n0 R 0x3ffc 0x00000000 error\n0 W 0x0140 0x000003e8 ok\n"
                             "0 W 0x0144 0x00000002 ok\n1200 W 0x0100 0x00000001 ok\n1200 W 0x1000 0x00000005 ok\n"
                             "1200 W 0x0110 0x00000001 ok\n");
    free(log);
    char *csv = slurp("epochs.csv");
    assert_non_null(strstr(csv, "epoch,cycle,latency,tenant,warp_instr,lane_instr,"));
    assert_columns(csv, &mh_gpu_stats(gpu)->knobs);
    free(csv);
    assert_int_equal(mh_record_read(in_dir("result.json"), &back, &err), 0);
    assert_int_equal(back.stats.cycles, 2500);
    assert_int_equal(back.stats.control.commits, 1);
    assert_int_equal(back.stats.control.bad_accesses, 1);
    assert_int_equal(back.stats.knobs.tokens[0], 5);
    assert_int_equal(back.mcu.decision[MH_SOURCE_EPOCH].count, 1);
    assert_memory_equal(&back.stats.tenant, &mh_gpu_stats(gpu)->tenant, sizeof back.stats.tenant);
    mh_gpu_destroy(gpu);
}

TEST(test_no_directory)
{
    struct mh_config cfg;
    struct mh_gpu *gpu = small_gpu(&cfg);

    assert_null(mh_record_open("/nonexistent", &cfg, gpu, &err));
    assert_non_null(strstr(err.text, "/nonexistent/"));
    mh_gpu_destroy(gpu);
}

TEST_GROUP(.setup = setup, .teardown = teardown);
